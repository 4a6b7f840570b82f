package imports_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// Where a checkout of MetricFlow has the models, the questions and the rows of its integration tests.
const (
	questionsFolder = "tests_metricflow/integration/test_cases"
	tablesFolder    = "tests_metricflow/fixtures/source_table_snapshots"
	sourceSchema    = "mf"
)

// manifestsFolders are the folders of the models in the layouts that MetricFlow has had, the newest first.
var manifestsFolders = []string{
	"metricflow_semantics/test_helpers/semantic_manifest_yamls",
	"metricflow-semantics/metricflow_semantics/test_helpers/semantic_manifest_yamls",
}

// manifestFolders are the folders of the models that questions name.
var manifestFolders = map[string]string{
	"SIMPLE_MODEL":                       "simple_manifest",
	"SIMPLE_MODEL_NON_DS":                "non_sm_manifest",
	"UNPARTITIONED_MULTI_HOP_JOIN_MODEL": "multi_hop_join_manifest",
	"PARTITIONED_MULTI_HOP_JOIN_MODEL":   "partitioned_multi_hop_join_manifest",
	"EXTENDED_DATE_MODEL":                "extended_date_manifest",
	"SCD_MODEL":                          "scd_manifest",
}

// checkout is a checkout of MetricFlow.
type checkout struct {
	root   string
	models map[string]*manifest
}

// question is one integration test of MetricFlow.
type question struct {
	file, name, model    string
	metrics, aliases     []string
	groups               []questionGroup
	where, saved         string
	from, to             string
	order                []string
	limit                int
	extremes             bool // the smallest and largest value of the group
	ordered, allowsEmpty bool
	repeated             bool // rows that are equal stay
	check                string
}

// questionGroup is one group of a question.
type questionGroup struct{ name, grain, part string }

func readCheckout(t *testing.T, root string) *checkout {
	t.Helper()
	out := &checkout{root: root, models: map[string]*manifest{}}
	i := slices.IndexFunc(manifestsFolders, func(folder string) bool {
		_, err := os.Stat(filepath.Join(root, folder))
		return err == nil
	})
	if i < 0 {
		t.Fatalf("%s has the models of MetricFlow's tests in none of the folders %s", root, strings.Join(manifestsFolders, ", "))
	}
	for model, folder := range manifestFolders {
		sources := readYAMLFiles(t, filepath.Join(root, manifestsFolders[i], folder))
		for i := range sources {
			sources[i].Text = []byte(strings.ReplaceAll(string(sources[i].Text), "$source_schema", sourceSchema))
		}
		if len(sources) > 0 {
			out.models[model] = readManifest(t, sources)
		}
	}
	return out
}

// readYAMLFiles reads the YAML files of a folder, none where the folder is missing.
func readYAMLFiles(t *testing.T, folder string) []importer.SourceFile {
	t.Helper()
	var out []importer.SourceFile
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		out = append(out, importer.SourceFile{Name: path, Text: text})
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return out
}

func readDocuments(t *testing.T, source importer.SourceFile) []*importer.Node {
	t.Helper()
	documents, err := importer.Read(source, 0)
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

// readQuestions reads the integration tests in the order of the files.
func (c *checkout) readQuestions(t *testing.T) []*question {
	t.Helper()
	var out []*question
	for _, source := range readYAMLFiles(t, filepath.Join(c.root, questionsFolder)) {
		file := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(source.Name), "itest_"), ".yaml")
		for _, document := range readDocuments(t, source) {
			if n := document.Get("integration_test"); n != nil {
				out = append(out, readQuestion(file, n))
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("%s has no questions", c.root)
	}
	return out
}

func readQuestion(file string, n *importer.Node) *question {
	q := &question{
		file: file, name: n.Get("name").String(), model: n.Get("model").String(), where: n.Get("where_filter").String(),
		saved: n.Get("saved_query_name").String(), check: n.Get("check_query").String(), extremes: n.Get("min_max_only").IsTrue(),
		ordered: n.Get("check_order").IsTrue(), allowsEmpty: n.Get("allow_empty").IsTrue(), order: texts(n.Get("order_bys")),
		repeated: n.Get("apply_group_by").String() == "false" || n.Get("dedupe").String() == "false",
	}
	q.limit, _ = strconv.Atoi(n.Get("limit").String())
	if m := n.Get("metrics"); m != nil {
		for _, item := range m.Items {
			name, alias := item.String(), item.String()
			if item.Kind == importer.KindMap {
				name, alias = item.Get("name").String(), item.Get("alias").String()
			}
			q.metrics, q.aliases = append(q.metrics, name), append(q.aliases, alias)
		}
	}
	for _, name := range texts(n.Get("group_bys")) {
		q.groups = append(q.groups, questionGroup{name: name})
	}
	if objects := n.Get("group_by_objs"); objects != nil {
		for _, item := range objects.Items {
			q.groups = append(q.groups, questionGroup{item.Get("name").String(), item.Get("grain").String(), item.Get("date_part").String()})
		}
	}
	if bounds := texts(n.Get("time_constraint")); len(bounds) == 2 {
		q.from, q.to = bounds[0], bounds[1]
	}
	return q
}

func texts(n *importer.Node) []string {
	if n == nil {
		return nil
	}
	var out []string
	for _, item := range n.Items {
		out = append(out, item.String())
	}
	return out
}

// columnTypes are the types of a table in DuckDB.
var columnTypes = map[string]string{"TIME": "TIMESTAMP", "STRING": "VARCHAR", "INT": "BIGINT", "FLOAT": "DOUBLE", "BOOLEAN": "BOOLEAN"}

// spineCondition are the years of the time spines that are kept: those of the rows. All the days of the spines are more
// than the periods that a query fills.
const spineCondition = " WHERE %s >= TIMESTAMP '2019-01-01' AND %s < TIMESTAMP '2022-01-01'"

// readTables makes the statements that create the tables.
func (c *checkout) readTables(t *testing.T) []string {
	t.Helper()
	out := []string{"CREATE SCHEMA " + sourceSchema}
	for _, source := range readYAMLFiles(t, filepath.Join(c.root, tablesFolder)) {
		for _, document := range readDocuments(t, source) {
			n := document.Get("table_snapshot")
			if n == nil || strings.HasSuffix(n.Get("table_name").String(), "nanosecond") {
				continue
			}
			out = append(out, createTable(t, n))
		}
	}
	return out
}

func createTable(t *testing.T, n *importer.Node) string {
	t.Helper()
	name := n.Get("table_name").String()
	var columns, rows []string
	for _, c := range n.Get("column_definitions").Items {
		kind, ok := columnTypes[c.Get("type").String()]
		if !ok {
			t.Fatalf("%s: the type %s is not known", name, c.Get("type"))
		}
		columns = append(columns, fmt.Sprintf("CAST(v%d AS %s) AS %s", len(columns), kind, c.Get("name")))
	}
	for _, row := range n.Get("rows").Items {
		var cells []string
		for _, cell := range row.Items {
			cells = append(cells, cellSQL(cell))
		}
		rows = append(rows, "("+strings.Join(cells, ", ")+")")
	}
	var names []string
	for i := range columns {
		names = append(names, "v"+strconv.Itoa(i))
	}
	sql := fmt.Sprintf("CREATE TABLE %s.%s AS SELECT %s FROM (VALUES %s) AS rows(%s)", sourceSchema, name, strings.Join(columns, ", "), strings.Join(rows, ", "), strings.Join(names, ", "))
	if strings.HasPrefix(name, "mf_time_spine") {
		column := n.Get("column_definitions").Items[0].Get("name").String()
		sql = "CREATE TABLE " + sourceSchema + "." + name + " AS SELECT * FROM (" + strings.TrimPrefix(sql, "CREATE TABLE "+sourceSchema+"."+name+" AS ") + ")" + fmt.Sprintf(spineCondition, column, column)
	}
	return sql
}

// cellSQL returns a value of a table. Times have microseconds, and no hour of three digits.
func cellSQL(n *importer.Node) string {
	if n.Kind == importer.KindNull {
		return "NULL"
	}
	text := n.Text
	if day, clock, ok := strings.Cut(text, " "); ok && len(day) == 10 && strings.Count(clock, ":") == 2 {
		if len(clock) > 2 && clock[0] == '0' && clock[2] != ':' {
			clock = clock[1:]
		}
		text = day + " " + clock[:min(len(clock), 15)]
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}
