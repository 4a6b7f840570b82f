package generated_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/generate"
	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

var shared localdb.SharedServers

func TestMain(m *testing.M) { os.Exit(shared.RunTests(m)) }

// load fills a database with a script and connects to it.
type load func(ctx context.Context, key, script string) (executor.Executor, error)

func TestLaws_DuckDB(t *testing.T) {
	testLaws(t, openDuckDBWith)
}

func TestLaws_SQLite(t *testing.T)     { testLaws(t, servers.SQLite(t).Load) }
func TestLaws_PostgreSQL(t *testing.T) { testLaws(t, servers.PostgreSQL(t, &shared).Load) }
func TestLaws_MariaDB(t *testing.T)    { testLaws(t, servers.MariaDB(t, &shared).Load) }
func TestLaws_MySQL(t *testing.T)      { testLaws(t, servers.MySQL(t, &shared).Load) }
func TestLaws_ClickHouse(t *testing.T) { testLaws(t, servers.ClickHouse(t).Load) }

// testLaws checks generated models of random schemas.
func testLaws(t *testing.T, open load) {
	seeds := 3
	if os.Getenv("SEMLAYER_TEST_LONG") != "" {
		seeds = 60
	}
	for seed := range seeds {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			schema := randomSchema(rand.New(rand.NewPCG(uint64(seed), 23)))
			db, err := open(t.Context(), "generated", script(schema))
			if err != nil {
				t.Fatal(err)
			}
			recorded := &recorder{Executor: db}
			t.Cleanup(func() { _ = db.Close() })
			out, err := generate.GenerateFromWarehouse(t.Context(), recorded, generate.Options{Name: "random", MaxRows: 100_000})
			if err != nil {
				t.Fatal(err)
			}
			for _, sql := range recorded.statements {
				if !isSelect(sql) {
					t.Errorf("a statement that is not a SELECT: %s", sql)
				}
			}
			again, err := generate.GenerateFromWarehouse(t.Context(), db, generate.Options{Name: "random", MaxRows: 100_000})
			if err != nil || !bytes.Equal(out.Text, again.Text) {
				t.Errorf("a second run has other bytes: %v", err)
			}
			checkKeys(t, schema, out.Report)
			checkModel(t, schema, out, db)
			if t.Failed() {
				t.Logf("%s", out.Text)
			}
		})
	}
}

// recorder keeps the statements that reach a warehouse.
type recorder struct {
	executor.Executor
	statements []string
}

func (r *recorder) Query(ctx context.Context, sql string) (executor.Rows, error) {
	r.statements = append(r.statements, sql)
	return r.Executor.Query(ctx, sql)
}

// isSelect reports whether a statement is one SELECT.
func isSelect(sql string) bool {
	outside := regexp.MustCompile("'[^']*'|\"[^\"]*\"|`[^`]*`").ReplaceAllString(sql, "x")
	return strings.HasPrefix(sql, "SELECT ") && !strings.Contains(outside, ";")
}

// nameOf returns the name that a table or a column gets in a model, written by hand.
func nameOf(name string) string {
	if other, ok := map[string]string{
		"Cities": "cities", "line items": "line_items", "naïve": "na_ve", "Group": "group", "Total Sales": "total_sales", `a"b`: "a_b",
		"Umsatz €": "umsatz", "x;y": "x_y", "a b": "a_b", "a-b": "a_b", "1st": "t_1st", "数量": "t", "CamelCase": "camelcase", "_x": "x",
	}[name]; ok {
		return other
	}
	return name
}

// fieldNames returns the names of the columns of a table: equal ones get _2 and _3 in their order.
func fieldNames(x randomTable) []string {
	var out []string
	times := map[string]int{}
	for _, c := range x.columns {
		name := nameOf(c.name)
		if times[name]++; times[name] > 1 {
			name += "_" + strconv.Itoa(times[name])
		}
		out = append(out, name)
	}
	return out
}

// handSQL returns the metrics that a schema has, with the SQL of each.
func handSQL(schema []randomTable, dialect string) map[string]string {
	quote := func(name string) string {
		if dialect == "mysql" || dialect == "mariadb" {
			return "`" + strings.ReplaceAll(name, "`", "``") + "`"
		}
		return quoted(name)
	}
	out := map[string]string{}
	datasets := map[string][]string{}
	number := func(x randomTable, i int) bool {
		return i > 0 && !strings.HasSuffix(x.columns[i].name, "_id") &&
			slices.Contains([]string{"INTEGER", "DECIMAL(10,2)", "DOUBLE PRECISION"}, x.columns[i].kind)
	}
	for _, x := range schema {
		for i, name := range fieldNames(x) {
			if number(x, i) {
				datasets[name] = append(datasets[name], x.name)
			}
		}
	}
	for _, x := range schema {
		from := " FROM " + quote(x.name)
		out[nameOf(x.name)+"_count"] = "SELECT COUNT(*) AS n" + from
		for i, name := range fieldNames(x) {
			if !number(x, i) {
				continue
			}
			sum, prefix := "SUM("+quote(x.columns[i].name)+")", "total_"
			if name == "rating" {
				sum, prefix = sum+" * 1e0 / COUNT("+quote(x.columns[i].name)+")", "average_"
			}
			if len(datasets[name]) > 1 {
				prefix += nameOf(x.name) + "_"
			}
			out[prefix+name] = "SELECT " + sum + " AS n" + from
		}
	}
	return out
}

// checkKeys compares keys and relationships with those that the schema was made with.
func checkKeys(t *testing.T, schema []randomTable, r generate.Report) {
	t.Helper()
	byName := map[string]randomTable{}
	for _, x := range schema {
		byName[nameOf(x.name)] = x
	}
	for _, k := range r.Keys {
		want := byName[k.Dataset].key
		if got := strings.Join(k.Columns, ","); got != want {
			t.Errorf("the key of %s is %q, want %q", k.Dataset, got, want)
		}
	}
	for _, x := range schema {
		for column, ref := range x.references {
			i := slices.IndexFunc(r.Relationships, func(e generate.RelationshipReport) bool {
				return e.From == nameOf(x.name) && e.FromColumns[0] == column && e.To == nameOf(ref.table)
			})
			written := i >= 0 && r.Relationships[i].Written
			if want := ref.unmatchedPercent <= 5 && byName[nameOf(ref.table)].key != ""; written != want {
				t.Errorf("%s.%s with %d %% unmatched: written %v, want %v", x.name, column, ref.unmatchedPercent, written, want)
			}
			if i >= 0 && r.Relationships[i].Unmatched != int64(ref.unmatchedPercent) {
				t.Errorf("%s.%s: %d unmatched, want %d", x.name, column, r.Relationships[i].Unmatched, ref.unmatchedPercent)
			}
		}
	}
	for _, e := range r.Relationships {
		if _, planned := byName[e.From].references[e.FromColumns[0]]; e.Written && !planned {
			t.Errorf("the relationship %s is not one of the schema", e.Name)
		}
	}
}

// checkModel checks that the model validates without a finding, that each metric equals SQL
// by hand, and that grouping keeps its total.
func checkModel(t *testing.T, schema []randomTable, out *generate.ModelTextWithReport, db executor.Executor) {
	t.Helper()
	ctx := t.Context()
	e, err := engine.Open(ctx, engine.Config{ModelText: out.Text, Connections: []engine.ProgramConnection{{Name: "w", Executor: db}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	v, err := e.Validate(ctx, out.Text)
	if err != nil || len(v.Issues)+len(v.CompileErrors)+len(v.Warnings) > 0 {
		t.Errorf("validation: %v %+v", err, v)
	}
	metrics, err := e.Metrics(ctx)
	if err != nil {
		t.Fatal(err)
	}
	byHand := handSQL(schema, db.Dialect())
	if len(metrics) != len(byHand) {
		t.Errorf("%d metrics, want %d", len(metrics), len(byHand))
	}
	for _, m := range metrics {
		sql, ok := byHand[m.Name]
		if !ok {
			t.Errorf("the metric %s has no SQL by hand", m.Name)
			continue
		}
		want, err := servers.QueryTable(ctx, db, sql, nil)
		if err != nil {
			t.Fatal(err)
		}
		total := execute(t, e, m.Name, "")
		want.Columns = total.Columns
		if diff := table.Diff(want, total, false); diff != "" {
			t.Errorf("%s is not %s\n%s", m.Name, sql, diff)
		}
		if strings.HasPrefix(m.Name, "average_") {
			continue
		}
		for _, d := range dimensions(t, e, m.Name) {
			grouped := execute(t, e, m.Name, d)
			if got, want := sum(grouped), sum(total); got-want > 1e-6 || want-got > 1e-6 {
				t.Errorf("%s by %s adds up to %v, want %v", m.Name, d, got, want)
			}
		}
	}
}

func dimensions(t *testing.T, e *engine.Engine, metric string) []string {
	t.Helper()
	list, err := e.Dimensions(t.Context(), metric)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range list {
		if d.Name != "metric_time" {
			out = append(out, d.Name)
		}
	}
	return out
}

func execute(t *testing.T, e *engine.Engine, metric, groupBy string) *table.Table {
	t.Helper()
	q := &query.MetricQuery{Metrics: []string{metric}, Connection: "w"}
	if groupBy != "" {
		q.GroupBy = []query.GroupBy{{Field: groupBy}}
	}
	result, err := prepare.Rows(t.Context(), e, q)
	if err != nil {
		t.Fatalf("%s by %s: %v", metric, groupBy, err)
	}
	columns := make([]string, len(result.Columns))
	for i, c := range result.Columns {
		columns[i] = fmt.Sprint(c)
	}
	out, err := table.FromJSON(columns, result.Rows)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sum adds up the last column of a result.
func sum(x *table.Table) float64 {
	total := 0.0
	for _, row := range x.Rows {
		if c := row[len(row)-1]; c.Kind == table.CellKindNumber {
			n, _ := strconv.ParseFloat(c.Text, 64)
			total += n
		}
	}
	return total
}
