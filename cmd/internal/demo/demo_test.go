package demo_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/cmd/internal/demo"
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/planner/query"
)

// The data of a day ends on that day and has every order; nothing is shipped or returned later. In the last whole month the web
// shop has orders from each region but the north.
func TestDataSQLUntil_EndsOnTheDay(t *testing.T) {
	for _, day := range []time.Time{time.Date(2026, 3, 1, 23, 59, 0, 0, time.UTC), time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC), time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)} {
		last := day.Format(time.DateOnly)
		model := `version: 0.2.0.dev0
name: ends
datasets:
  - name: facts
    source: >-
      SELECT (SELECT max(order_date) FROM orders)::VARCHAR AS newest, (SELECT count(*) FROM orders) AS orders,
      (SELECT count(*) FROM orders WHERE ship_date > DATE '` + last + `' OR ship_date < order_date) + (SELECT count(*) FROM returns WHERE return_date > DATE '` + last + `') + (SELECT count(*) FROM returns r JOIN orders o USING (order_id) WHERE r.return_date <= o.ship_date OR o.status <> 'completed') AS wrong,
      (SELECT count(*) FROM orders o ANTI JOIN calendar c ON c.day = o.order_date) AS undated,
      (SELECT string_agg(DISTINCT region, ' ' ORDER BY region) FROM orders o JOIN customers c USING (customer_id) WHERE channel = 'web' AND order_date >= date_trunc('month', DATE '` + last + `' + 1) - INTERVAL 1 MONTH AND order_date < date_trunc('month', DATE '` + last + `' + 1)) AS reached
    fields:
      - {name: newest, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: newest}]}}
      - {name: orders, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: orders}]}}
      - {name: wrong, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: wrong}]}}
      - {name: undated, datatype: Integer, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: undated}]}}
      - {name: reached, datatype: String, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: reached}]}}
`
		want := `[{"newest":"` + last + `","orders":5000,"wrong":0,"undated":0,"reached":"east south west"}]`
		if d := cmp.Diff(want, rowsOf(t, model, demo.DataSQLUntil(day))); d != "" {
			t.Errorf("%s (-want +got):\n%s", last, d)
		}
	}
}

// rowsOf returns the facts of a model over the tables of a script.
func rowsOf(t *testing.T, model, script string) string {
	t.Helper()
	e, err := engine.Open(t.Context(), engine.Config{Drivers: []warehouse.Driver{duckdb.Driver()}, ModelPath: "ends.yaml", ModelText: []byte(model), Setup: []string{script}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	statement, err := e.Prepare(t.Context(), &query.DetailQuery{From: "facts", Fields: []string{"newest", "orders", "wrong", "undated", "reached"}})
	if err != nil {
		t.Fatal(err)
	}
	result, err := statement.Execute(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return string(result.Rows)
}
