package sqlemit_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

const model = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: sales.orders
    fields:
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: amount, datatype: Decimal, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
`

// One query, planned and written for each warehouse.
func ExampleEmit() {
	ctx := context.Background()
	doc, err := modelspec.Parse([]byte(model))
	if err != nil {
		log.Fatal(err)
	}
	cat, err := compile.Compile(ctx, doc, compile.Options{})
	if err != nil {
		log.Fatal(err)
	}
	plans := planner.New(cat)
	q := &query.MetricQuery{Metrics: []string{"revenue"}, GroupBy: []query.GroupBy{{Field: "orders.day", Grain: "month"}}}
	for _, name := range []string{"postgres", "mysql", "bigquery"} {
		dialect, _ := sqlemit.LookupDialect(name)
		planned, err := plans.PlanMetrics(ctx, q, planner.Target{Dialect: name, Caps: dialect.Capabilities()})
		if err != nil {
			log.Fatal(err)
		}
		sql, err := sqlemit.Emit(ctx, planned.Root, dialect, sqlemit.FormatOptions{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(sql)
	}
	// Output:
	// SELECT CAST(DATE_TRUNC('month', CAST("orders".day AS TIMESTAMP)) AS DATE) AS "day__month", SUM("orders".amount) AS "revenue" FROM sales.orders AS "orders" GROUP BY 1
	// SELECT CAST(DATE_FORMAT(`orders`.day, '%Y-%m-01') AS DATE) AS `day__month`, SUM(`orders`.amount) AS `revenue` FROM sales.orders AS `orders` GROUP BY 1
	// SELECT DATE(DATETIME_TRUNC(CAST(`orders`.day AS DATETIME), MONTH)) AS `day__month`, SUM(`orders`.amount) AS `revenue` FROM sales.orders AS `orders` GROUP BY 1
}
