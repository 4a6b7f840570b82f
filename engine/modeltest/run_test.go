package modeltest_test

import (
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/modeltest"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
)

const model = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: orders
    primary_key: [id]
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "time_dimension": "day"}'}]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: amount, datatype: Decimal, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
custom_extensions:
  - vendor_name: SEMLAYER
    data: >-
      {"v": "1.10", "queries": [
        {"name": "by_region", "params": [{"name": "least", "type": "int", "default": 0, "min": 0}],
         "query": {"metrics": ["revenue"], "group_by": [{"field": "orders.region"}], "where_sql": "amount >= :least", "order_by": [{"key": "revenue", "desc": true}]}},
        {"name": "first", "select": {"from": "orders", "fields": ["id"], "limit": 1}},
        {"name": "broken", "query": {"metrics": ["revenu"]}}]}
`

const data = `CREATE TABLE orders (id INTEGER, region VARCHAR, day DATE, amount DECIMAL(10,2));
INSERT INTO orders VALUES (1, 'north', '2024-01-05', 10.50), (2, 'south', '2024-01-06', 20), (3, 'north', '2024-02-01', 4.5), (4, NULL, NULL, 1)`

func shop(tb testing.TB) *engine.Engine {
	tb.Helper()
	e, err := engine.Open(tb.Context(), engine.Config{
		ModelText: []byte(model), Setup: []string{data}, Drivers: []warehouse.Driver{duckdb.Driver()}, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = e.Close() })
	return e
}

func run(t *testing.T, e *engine.Engine, text string, o modeltest.Options) []modeltest.Result {
	t.Helper()
	f, err := modeltest.ParseTestFile("shop.test.yaml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return modeltest.RunTests(t.Context(), e, []*modeltest.TestFile{f}, o)
}

const byRegion = `query: {metrics: [revenue], group_by: [{field: orders.region}], order_by: [{key: revenue, desc: true}]}`

// Each expectation passes, and a mutant of it fails with a message.
func TestRun_EachExpectationAndItsMutants(t *testing.T) {
	e := shop(t)
	for _, c := range []struct{ request, passes, fails, message string }{
		{byRegion, `rows: [{region: south, revenue: 20}, {region: north, revenue: 15.0}, {region: null, revenue: 1}]`,
			`rows: [{region: south, revenue: 20}, {region: north, revenue: 16}, {region: null, revenue: 1}]`, "missing rows: 1, unexpected rows: 1; the order counts"},
		{byRegion, `ordered: false, rows: [{region: null, revenue: 1}, {region: south, revenue: 20}, {region: north, revenue: 15}]`,
			`rows: [{region: null, revenue: 1}, {region: south, revenue: 20}, {region: north, revenue: 15}]`, "the order counts"},
		{byRegion, `tolerance: 0.01, rows: [{region: south, revenue: 20.1}, {region: north, revenue: 15}, {region: null, revenue: 1}]`,
			`tolerance: 0.001, rows: [{region: south, revenue: 20.1}, {region: north, revenue: 15}, {region: null, revenue: 1}]`, "missing rows: 1"},
		{byRegion, `columns: [region, revenue], rows: [[south, 20], [north, 15], [null, 1]]`,
			`columns: [area, revenue], rows: [[south, 20], [north, 15], [null, 1]]`, "the column area is missing"},
		{byRegion, `columns_subset: true, columns: [revenue], rows: [[20], [15], [1]]`, `columns: [revenue], rows: [[20], [15], [1]]`, "the columns are region, revenue, expected revenue"},
		{byRegion, `row_count: 3`, `row_count: 2`, "number of rows: 3, expected: 2"},
		{byRegion, `row_count: {min: 1, max: 3}`, `row_count: {min: 4}`, "at least 4"},
		{byRegion, `sql: "SELECT region, SUM(amount) AS revenue FROM orders GROUP BY region -- all"`,
			`sql: "SELECT region, SUM(amount) AS revenue FROM orders WHERE id > 1 GROUP BY region"`, "missing rows: 1"},
		{byRegion, `by_position: true, sql: "SELECT region, SUM(amount) FROM orders GROUP BY 1"`, `sql: "SELECT region, SUM(amount) AS total FROM orders GROUP BY 1"`, "the column total is missing"},
		{byRegion, `ordered: true, sql: "SELECT region, SUM(amount) AS revenue FROM orders GROUP BY region ORDER BY revenue DESC"`,
			`ordered: true, sql: "SELECT region, SUM(amount) AS revenue FROM orders GROUP BY region ORDER BY revenue"`, "the order counts"},
		{byRegion, `columns_subset: true, sql: "SELECT SUM(amount) AS revenue FROM orders GROUP BY region"`,
			`sql: "SELECT SUM(amount) AS revenue FROM orders GROUP BY region"`, "the columns are region, revenue, expected revenue"},
		{byRegion, `columns_subset: true, by_position: true, sql: "SELECT region AS r FROM orders GROUP BY region"`,
			`by_position: true, sql: "SELECT region AS r FROM orders GROUP BY region"`, "the columns are region, revenue; expected number: 1"},
		{`query: {metrics: [revenue], where_sql: "YEAR(CAST(region AS DATE)) = 1"}`, `error: sql_rejected`, `error: unknown_metric`, "sql_rejected"},
		{byRegion, `compiles: true`, `error: unknown_metric`, "the query is valid"},
		{`query: {metrics: [revenu]}`, `error: unknown_metric`, `error: unknown_dimension`, "unknown_metric"},
		{`query: {metrics: [revenu]}`, `error: unknown_metric`, `compiles: true`, "unknown_metric"},
		{`query: {metrics: [revenue], group_by: [{field: orders.day, grain: month}]}`,
			`rows: [{day__month: 2024-01-01, revenue: 30.5}, {day__month: 2024-02-01, revenue: 4.5}, {day__month: null, revenue: 1}]`,
			`rows: [{day__month: 2024-01-01, revenue: 30.5}, {day__month: 2024-02-01, revenue: 4.5}, {day__month: 0, revenue: 1}]`, "missing"},
		{`query: {metrics: [revenue], where_sql: region = 'east'}`, `rows: [{revenue: null}]`, `rows: [{revenue: 0}]`, "missing"},
		{`select: {from: orders, fields: [region], where_sql: region = 'north'}`, `rows: [{region: north}, {region: north}]`, `rows: [{region: north}]`, "unexpected rows: 1"},
		{`select: {from: orders, fields: [region], where_sql: region = 'east'}`, `rows: []`, `row_count: {min: 1}`, "number of rows: 0"},
		{`saved: by_region`, `rows: [{region: south, revenue: 20}, {region: north, revenue: 15}, {region: null, revenue: 1}]`,
			`rows: [{region: north, revenue: 15}, {region: south, revenue: 20}, {region: null, revenue: 1}]`, "the order counts"},
		{"saved: by_region\n    params: {least: 5}\n    limit: 1", `rows: [{region: south, revenue: 20}]`, `rows: [{region: south, revenue: 21}]`, "missing"},
		{`saved: first`, `rows: [{id: 1}]`, `rows: [{id: "1"}]`, "missing"},
		{`saved: none`, `error: unknown_saved_query`, `compiles: true`, "unknown_saved_query"},
		{`attribute: {metric: revenue, dimensions: [orders.region], baseline: {start: 2024-01-01, end: 2024-02-01}, current: {start: 2024-02-01, end: 2024-03-01}}`,
			`ordered: false, columns: [dimension, value, baseline_value, current_value, delta], rows: [[orders.region, south, 20, 0, -20], [orders.region, north, 10.5, 4.5, -6]]`,
			`row_count: 3`, "number of rows: 2"},
	} {
		for expectation, want := range map[string]modeltest.Status{c.passes: modeltest.StatusPassed, c.fails: modeltest.StatusFailed} {
			text := "tests:\n  - name: x\n    " + c.request + "\n    expect: {" + expectation + "}\n"
			got := run(t, e, text, modeltest.Options{Only: regexp.MustCompile("^x$")})
			if len(got) != 1 || got[0].Status != want {
				t.Errorf("%s\n%+v, want %s", text, got, want)
				continue
			}
			if want == modeltest.StatusFailed && !strings.Contains(got[0].Message, c.message) {
				t.Errorf("%s\n%q does not have %q", text, got[0].Message, c.message)
			}
		}
	}
}

func TestRun_SavedQueriesSkipsAndFailFast(t *testing.T) {
	e := shop(t)
	const text = `
tests:
  - {name: one, saved: by_region, expect: {row_count: 9}}
  - {name: two, query: {metrics: [revenue]}, skip: later}
  - {name: three, query: {metrics: [revenue]}}
`
	summary := func(o modeltest.Options) []string {
		var out []string
		for _, r := range run(t, e, text, o) {
			out = append(out, r.Name+" "+string(r.Status))
		}
		return out
	}
	if d := cmp.Diff([]string{
		"one failed", "two skipped", "three passed", "saved query first compiles passed", "saved query broken compiles failed",
	}, summary(modeltest.Options{})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"one failed"}, summary(modeltest.Options{FailFast: true})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"three passed"}, summary(modeltest.Options{Only: regexp.MustCompile("^th")})); d != "" {
		t.Error(d)
	}
}

// The SQL of a test only reads: every other statement is rejected, and changes nothing.
func TestRun_SQLOnlyReads(t *testing.T) {
	e := shop(t)
	for _, sql := range []string{
		"DELETE FROM orders", "DROP TABLE orders", "SELECT 1; DROP TABLE orders", "-- a\nDROP TABLE orders", "/* SELECT 1", "--", "SELECT 1) AS x; DROP TABLE orders --",
		"CREATE TABLE t AS SELECT 1", "COPY orders TO '/tmp/semlayer_modeltest.csv'", "SELECT * FROM read_text('/etc/hostname')",
	} {
		if _, err := e.ExecuteWarehouseSQL(t.Context(), "", sql); err == nil {
			t.Errorf("%s was run", sql)
		}
	}
	for _, sql := range []string{"SELECT COUNT(*) AS n FROM orders", "-- all\n/* of\nthem */ WITH o AS (SELECT * FROM orders) SELECT COUNT(*) AS n FROM o;"} {
		if r, err := e.ExecuteWarehouseSQL(t.Context(), "", sql); err != nil || string(r.Rows) != `[{"n":4}]` {
			t.Errorf("%s: %+v, %v", sql, r, err)
		}
	}
}

// A failure of the execution shows the SQL too.
func TestRun_FailedExecutionShowsItsSQL(t *testing.T) {
	const text = "tests:\n  - name: x\n    query: {metrics: [revenue], where_sql: YEAR(CAST(region AS DATE)) = 1}\n    expect: {row_count: 1}\n"
	for _, o := range []modeltest.Options{{}, {Timeout: time.Nanosecond}} {
		o.Only = regexp.MustCompile("^x$")
		got := run(t, shop(t), text, o)
		if len(got) != 1 || got[0].Status != modeltest.StatusFailed || !strings.Contains(got[0].SQL, "CAST(") {
			t.Errorf("%+v", got)
		}
	}
}
