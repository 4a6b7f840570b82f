package statements

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/querysql"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

// fixture is the model of a case with its rows.
type fixture struct {
	cat     *catalog.Catalog
	model   *semsql.Model
	planner *planner.Planner
	db      executor.Executor
}

func openFixture(t *testing.T, c *corpus.Case) *fixture {
	t.Helper()
	model, data := modelOfCase(t, c)
	doc, err := modelspec.Parse(model)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{data}})
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{cat: cat, model: semsql.New(cat), planner: planner.New(cat), db: db}
}

// modelOfCase returns the text of the model of a case and the script of its tables.
func modelOfCase(t *testing.T, c *corpus.Case) (model []byte, data string) {
	t.Helper()
	model, data = []byte(c.Section("model.yaml")), c.SectionForEngine("data", "duckdb")
	if c.Fixture != "" {
		dir := filepath.Join("../testdata/fixtures", c.Fixture)
		if len(model) == 0 {
			model = readFile(t, filepath.Join(dir, "model.yaml"))
		}
		path := filepath.Join(dir, "data.duckdb.sql")
		if _, err := os.Stat(path); err != nil {
			path = filepath.Join(dir, "data.sql")
		}
		data = string(readFile(t, path))
	}
	return model, data
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (f *fixture) rows(t *testing.T, p *planner.Planned) (sql string, rows *table.Table, err error) {
	t.Helper()
	if sql, err = sqlemit.Emit(t.Context(), p.Root, dialect(t, "duckdb"), sqlemit.FormatOptions{}); err != nil {
		return "", nil, err
	}
	rows, err = servers.QueryTable(t.Context(), f.db, sql, p.Columns)
	return sql, rows, err
}

// otherMeaning are the cases whose condition SQL means otherwise.
var otherMeaning = map[string]string{
	"window_filters/raw_time_field_cuts_the_history": "a bound of a time field is a range in SQL",
	"window_ranges/the_last_day_that_there_is":       "beside a date, SQL reads the day of a text",
}

// isLongForm reports whether each case of the corpus is asked for its rows and for its bytes, which takes minutes. Else
// each is asked for one of them.
func isLongForm() bool { return os.Getenv("SEMLAYER_TEST_LONG") != "" }

// leastCompared is the number of statements that the corpus gives in each form, and in the short form nine in twenty of
// it: a change that rejects more of them shows here.
var leastCompared = map[string]int{
	"wide": 695, "derived": 695, "parameters": 695, "renamed": 695, "outer": 695, "view": 635, "dataset": 400, "joins": 80,
	"rows": 50, "rows derived": 50, "rows with parameters": 50, "rows of joins": 35,
}

// Every query of the corpus that SQL can say has the same rows as a statement, in every spelling.
func TestCorpus_StatementsHaveTheRowsOfTheirQueries(t *testing.T) {
	cases, err := corpus.LoadCases("../testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	open := map[string]*fixture{}
	t.Cleanup(func() {
		for _, f := range open {
			_ = f.db.Close()
		}
	})
	compared, refused := map[string]int{}, map[string]int{}
	for i, c := range cases {
		if !isLongForm() && i%2 > 0 {
			continue // TestBytes_StatementsAnswerTheBytesOfTheirQueries has it
		}
		if otherMeaning[c.Name] != "" || c.Section("error.json") != "" || len(c.Engines) > 0 && !slices.Contains(c.Engines, "duckdb") {
			continue
		}
		key := c.Fixture
		if c.Fixture == "" || c.Section("model.yaml") != "" {
			key = c.Name
		}
		if open[key] == nil {
			open[key] = openFixture(t, c)
		}
		q, ok := open[key].spelled(t, c)
		if !ok {
			continue
		}
		for _, s := range q.statements {
			switch problem, code := open[key].compare(t, q, s); {
			case problem != "":
				t.Errorf("%s (%s): %s\n%s", c.Name, s.Form, s.SQL, problem)
			case code != "":
				refused[s.Form+" "+code]++
				t.Logf("%s (%s): %s\n%s", c.Name, s.Form, s.SQL, code)
			default:
				compared[s.Form]++
			}
		}
	}
	for _, code := range slices.Sorted(maps.Keys(refused)) {
		t.Logf("refused %s: %d", code, refused[code])
	}
	for form, least := range leastCompared {
		if !isLongForm() {
			least = least * 9 / 20
		}
		t.Logf("%d statements of the form %s were compared", compared[form], form)
		if compared[form] < least {
			t.Errorf("%d statements of the form %s were compared, want %d", compared[form], form, least)
		}
	}
}

// spelledQuery is a query of the corpus, its rows and its statements.
type spelledQuery struct {
	statements    []querysql.Statement
	contextFilter string
	sql           string // of the query, for DuckDB
	rows          *table.Table
	ordered       bool
}

// spelled writes the query of a case as statements; ok is false where SQL cannot say it.
func (f *fixture) spelled(t *testing.T, c *corpus.Case) (q spelledQuery, ok bool) {
	t.Helper()
	model := querysql.Model{Catalog: f.cat, Relations: f.model.Relations(), Dialect: "duckdb"}
	var planned *planner.Planned
	var err error
	switch {
	case c.Section("query.json") != "":
		body, decodeErr := query.DecodeMetric([]byte(c.Section("query.json")))
		if decodeErr != nil {
			t.Fatal(c.Name, decodeErr)
		}
		if planned, err = f.planner.PlanMetrics(t.Context(), body, targetOf(dialect(t, "duckdb"))); err == nil {
			q.statements, q.contextFilter = model.MetricStatements(body, planned.Columns), body.ContextFilter
			q.ordered = len(body.Totals) == 0 && (len(body.OrderBy) > 0 || body.Limit != nil)
		}
	case c.Section("select.json") != "":
		body, decodeErr := query.DecodeDetail([]byte(c.Section("select.json")))
		if decodeErr != nil {
			t.Fatal(c.Name, decodeErr)
		}
		if planned, err = f.planner.PlanDetail(t.Context(), body, targetOf(dialect(t, "duckdb"))); err == nil {
			q.statements = model.DetailStatements(body, planned.Columns)
			q.ordered = len(body.OrderBy) > 0 || body.Limit != nil
		}
	}
	if err != nil {
		t.Fatal(c.Name, err)
	}
	if len(q.statements) == 0 {
		return q, false
	}
	if q.sql, q.rows, err = f.rows(t, planned); err != nil {
		t.Fatal(c.Name, err)
	}
	return q, true
}

// compare runs a statement; code is that of an error.
func (f *fixture) compare(t *testing.T, q spelledQuery, s querysql.Statement) (problem, code string) {
	t.Helper()
	compiled, err := f.model.Compile(t.Context(), semsql.Statement{SQL: s.SQL, Params: s.Params, ContextFilter: q.contextFilter}, targetOf(dialect(t, "duckdb")))
	var e *semsql.Error
	if errors.As(err, &e) {
		return "", e.Error()
	}
	if err != nil {
		return err.Error(), ""
	}
	_, got, err := f.rows(t, compiled.Planned)
	if err != nil {
		return err.Error(), ""
	}
	got.Columns = q.rows.Columns
	if diff := table.Diff(q.rows, got, q.ordered); diff != "" {
		return "- is the query, + is the statement\n" + diff, ""
	}
	return "", ""
}
