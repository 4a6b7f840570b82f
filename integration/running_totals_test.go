package integration_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

// runningTotals are running totals of two facts of the retail model, and their difference.
const runningTotals = `
      - name: running_revenue
        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "cumulative"}}'}]
      - name: running_refunds
        expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(returns.refund)}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "window": {"type": "cumulative"}}'}]
      - name: running_net
        expression: {dialects: [{dialect: ANSI_SQL, expression: running_revenue - running_refunds}]}
        custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "derive": {"type": "compose", "expr": "running_revenue - running_refunds", "fill": 0}}'}]
`

// extensionOfModel begins what follows the metrics of the model.
const extensionOfModel = "\n    custom_extensions:\n"

// The running totals of revenue and refunds, and their difference, are right on each day on which either has rows, and with a range and fill
// on each of its days.
func TestRetail_RunningTotalsAreRightOnEachDay(t *testing.T) {
	model, err := os.ReadFile("../examples/retail/model.yaml")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../examples/retail/data.sql")
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(t.Context(), engine.Config{
		Drivers: []warehouse.Driver{duckdb.Driver()}, ModelText: []byte(strings.Replace(string(model), extensionOfModel, strings.TrimRight(runningTotals, "\n")+extensionOfModel, 1)), Setup: []string{string(data)},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	db, err := duckdb.Open(t.Context(), duckdb.Options{Setup: []string{string(data)}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, c := range []struct {
		name, keys, days string
		least            int
	}{
		{"all days with rows", `"limit": 10000`, "SELECT order_date AS day FROM orders UNION SELECT return_date FROM returns", 732},
		{
			"filled days of a range", `"time_range": {"start": "2023-03-15", "end": "2023-09-02"}, "fill": {}`,
			"SELECT CAST(unnest(generate_series(DATE '2023-03-15', DATE '2023-09-01', INTERVAL 1 DAY)) AS DATE) AS day", 171,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			q, err := query.DecodeMetric([]byte(`{"metrics": ["running_revenue", "running_refunds", "running_net"], "group_by": [{"field": "metric_time", "grain": "day"}], ` + c.keys + `}`))
			if err != nil {
				t.Fatal(err)
			}
			result, err := prepare.Rows(t.Context(), e, q)
			if err != nil {
				t.Fatal(err)
			}
			got, err := table.FromJSON(result.Columns, result.Rows)
			if err != nil {
				t.Fatal(err)
			}
			want, err := servers.QueryTable(t.Context(), db, `SELECT day AS metric_time__day, earned AS running_revenue, refunded AS running_refunds, COALESCE(earned, 0) - COALESCE(refunded, 0) AS running_net FROM (SELECT day,
				(SELECT SUM(amount) FROM orders WHERE order_date <= day) AS earned, (SELECT SUM(refund) FROM returns WHERE return_date <= day) AS refunded
				FROM (`+c.days+`) d)`, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Attr("days", strconv.Itoa(len(want.Rows)))
			if len(want.Rows) < c.least {
				t.Errorf("only %d days", len(want.Rows))
			}
			if diff := table.Diff(want, got, false); diff != "" {
				t.Errorf("%s\n%s", diff, result.SQL)
			}
		})
	}
}
