package statements

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql"
	"github.com/semlayer/semlayer/sqlemit"
)

func itoa(n int) string { return strconv.Itoa(n) }

// shop is the model of the six orders and its rows.
type shop struct {
	model *semsql.Model
	plans *planner.Planner
	db    executor.Executor
}

func newShop(t *testing.T, data string) *shop {
	t.Helper()
	text, err := os.ReadFile("../../semsql/testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := modelspec.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	cat, err := compile.Compile(t.Context(), doc, compile.Options{})
	if err != nil || len(cat.Errors) > 0 {
		t.Fatal(err, cat.Errors)
	}
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{data}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return &shop{model: semsql.New(cat), plans: planner.New(cat), db: db}
}

func targetOf(d *sqlemit.Dialect) planner.Target {
	return planner.Target{Dialect: d.Name(), Caps: d.Capabilities()}
}

func dialect(t *testing.T, name string) *sqlemit.Dialect {
	t.Helper()
	d, ok := sqlemit.LookupDialect(name)
	if !ok {
		t.Fatal("no dialect", name)
	}
	return d
}

// answer returns the rows of a compiled statement on DuckDB.
func (s *shop) answer(t *testing.T, c *semsql.CompiledStatement) *table.Table {
	t.Helper()
	if err := plan.CheckTree(c.Planned.Root); err != nil {
		t.Fatalf("%v\n%s", err, plan.Explain(c.Planned.Root))
	}
	return s.rows(t, c.Planned)
}

func (s *shop) rows(t *testing.T, p *planner.Planned) *table.Table {
	t.Helper()
	sql, err := sqlemit.Emit(t.Context(), p.Root, dialect(t, "duckdb"), sqlemit.FormatOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := servers.QueryTable(t.Context(), s.db, sql, p.Columns)
	if err != nil {
		t.Fatalf("%v\n%s", err, sql)
	}
	return got
}

// orders returns the data of the worked figures.
func orders(t *testing.T) string {
	t.Helper()
	return string(readFile(t, "../testdata/fixtures/orders/data.sql"))
}

func TestStatements_AnswerTheirRows(t *testing.T) {
	newShop(t, orders(t)).run(t, "testdata")
}

// Orders without a customer, without a status, and a customer without an order.
func TestStatements_AnswerTheirRowsOverOrphansAndNulls(t *testing.T) {
	newShop(t, orders(t)+`
INSERT INTO orders VALUES (7, 9, 10, '2024-03-09', NULL, 40), (8, NULL, 99, NULL, 'completed', 5);
INSERT INTO customers VALUES (4, 'north', '2024-02-02');`).run(t, "testdata/orphans")
}

// The limit of requests for rows is not one of statements.
func TestRows_AreNotClamped(t *testing.T) {
	s := newShop(t, "CREATE TABLE orders AS SELECT i AS order_id, i AS customer_id, i AS product_id, DATE '2024-01-01' AS order_date, 'x' AS status, 1 AS amount FROM range(10050) r(i);")
	for sql, want := range map[string]int{"SELECT order_id FROM orders": 10050, "SELECT order_id FROM orders LIMIT 10040": 10040, "SELECT order_id FROM orders ORDER BY 1 OFFSET 5": 10045} {
		compiled, err := s.model.Compile(t.Context(), semsql.Statement{SQL: sql}, targetOf(dialect(t, "duckdb")))
		if err != nil {
			t.Fatal(sql, err)
		}
		if got := len(s.answer(t, compiled).Rows); got != want {
			t.Errorf("%s: %d rows, want %d", sql, got, want)
		}
	}
}

// run runs the cases of a folder.
func (s *shop) run(t *testing.T, folder string) {
	t.Helper()
	for _, c := range readCases(t, folder) {
		t.Run(c.place, func(t *testing.T) {
			sql, params := splitParams(c.sql)
			compiled, err := s.model.Compile(t.Context(), semsql.Statement{SQL: sql, Params: params}, targetOf(dialect(t, "duckdb")))
			if want, refused := strings.CutPrefix(c.outcome, "error "); refused {
				s.checkRefusal(t, c, want, err)
				return
			}
			if err != nil {
				t.Fatalf("%s\n%v", c.sql, err)
			}
			s.checkAnswer(t, c, compiled)
		})
	}
}

// splitParams reads the values of parameters after a statement: "SELECT … ; [1, 'a']".
func splitParams(sql string) (string, []query.ParamValue) {
	text, values, found := strings.Cut(sql, "\n$ ")
	if !found {
		return sql, nil
	}
	var out []query.ParamValue
	for _, v := range strings.Split(values, ", ") {
		switch {
		case strings.HasPrefix(v, "'"):
			out = append(out, query.ParamValue{Kind: query.StringValue, Text: strings.Trim(v, "'")})
		case v == "true" || v == "false":
			out = append(out, query.ParamValue{Kind: query.BoolValue, Text: v})
		case v == "null":
			out = append(out, query.ParamValue{Kind: query.NullValue})
		default:
			out = append(out, query.ParamValue{Kind: query.NumberValue, Text: v})
		}
	}
	return text, out
}

func (s *shop) checkAnswer(t *testing.T, c statementCase, compiled *semsql.CompiledStatement) {
	t.Helper()
	var types, names []string
	for _, column := range compiled.Columns {
		types = append(types, column.Type)
		names = append(names, column.Name)
	}
	kind, wantTypes, _ := strings.Cut(c.outcome, " ")
	if got := strings.Join(types, ", "); string(compiled.Kind) != kind || got != wantTypes {
		t.Errorf("%s\n%s %s, want %s", c.sql, compiled.Kind, got, c.outcome)
	}
	want, err := table.FromText(strings.Join(c.expected, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Columns, names); diff != "" {
		t.Errorf("columns of %s\n%s", c.sql, diff)
	}
	got := s.answer(t, compiled)
	got.Columns = names
	ordered := strings.Contains(strings.ToUpper(c.sql), "ORDER BY") || compiled.Planned.Limit != nil
	if diff := table.Diff(want, got, ordered); diff != "" {
		t.Errorf("- is the answer, + is what came\n%s\n%s\n%s", diff, c.sql, plan.Explain(compiled.Planned.Root))
	}
	s.checkEqualQuery(t, c, compiled, got, ordered)
}

// checkEqualQuery runs the equal query of a statement.
func (s *shop) checkEqualQuery(t *testing.T, c statementCase, compiled *semsql.CompiledStatement, got *table.Table, ordered bool) {
	t.Helper()
	var planned *planner.Planned
	var err error
	switch {
	case compiled.Metric != nil:
		planned, err = s.plans.PlanMetrics(t.Context(), compiled.Metric, targetOf(dialect(t, "duckdb")))
	case compiled.Detail != nil:
		planned, err = s.plans.PlanDetail(t.Context(), compiled.Detail, targetOf(dialect(t, "duckdb")))
	default:
		return
	}
	if err != nil {
		t.Fatalf("the query of %s: %v", c.sql, err)
	}
	want := s.rows(t, planned)
	want.Columns = got.Columns
	for _, row := range got.Rows {
		for i := range row {
			row[i].Text = strings.TrimSuffix(row[i].Text, "T00:00:00") // a midnight of DATE_TRUNC is the date of the query
		}
	}
	if diff := table.Diff(want, got, ordered); diff != "" {
		t.Errorf("- is the query's answer, + is the statement's\n%s\n%s", diff, c.sql)
	}
}

// checkRefusal compares the code, the SQLSTATE and the named parts of an error; a retry has to compile, or to fail with
// another code.
func (s *shop) checkRefusal(t *testing.T, c statementCase, want string, err error) {
	t.Helper()
	var e *semsql.Error
	if !errors.As(err, &e) {
		t.Fatalf("%s\n%v, want error %s", c.sql, err, want)
	}
	got := []string{e.Code + " " + e.SQLState}
	for name, value := range map[string]string{"ossie": e.Ossie, "retry": e.Statement, "hint": e.Hint, "metrics": strings.Join(e.Metrics, ", "), "candidates": strings.Join(e.Candidates, ", ")} {
		if value != "" {
			got = append(got, name+": "+value)
		}
	}
	if e.Position > 0 {
		got = append(got, "position: "+itoa(e.Position))
	}
	slices.Sort(got[1:])
	expected := append([]string{want}, c.expected...)
	slices.Sort(expected[1:])
	for i, line := range expected {
		if start, cut := strings.CutSuffix(line, "…"); cut && i < len(got) && strings.HasPrefix(got[i], start) {
			expected[i] = got[i]
		}
	}
	if diff := cmp.Diff(expected, got); diff != "" {
		t.Errorf("%s\n%s\n%s", c.sql, e.Message, diff)
	}
	s.checkRetry(t.Context(), t, e)
}

func (s *shop) checkRetry(ctx context.Context, t *testing.T, e *semsql.Error) {
	t.Helper()
	for range 3 {
		if e.Statement == "" {
			return
		}
		before := e.Code
		_, err := s.model.Compile(ctx, semsql.Statement{SQL: e.Statement}, targetOf(dialect(t, "duckdb")))
		if err == nil {
			return
		}
		if !errors.As(err, &e) || e.Code == before {
			t.Fatalf("the retry fails: %v", err)
		}
	}
	t.Error("the retries do not settle")
}
