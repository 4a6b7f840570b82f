package semsql_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/semsql"
)

const model = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: sales.orders
    fields:
      - {name: status, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: status}]}}
      - {name: amount, datatype: Decimal, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
`

// A statement becomes the query that has its rows.
func ExampleModel_Compile() {
	doc, err := modelspec.Parse([]byte(model))
	if err != nil {
		log.Fatal(err)
	}
	cat, err := compile.Compile(context.Background(), doc, compile.Options{})
	if err != nil {
		log.Fatal(err)
	}
	shop := semsql.New(cat)
	statement := semsql.Statement{SQL: "SELECT status, MEASURE(revenue) FROM orders GROUP BY 1 ORDER BY 2 DESC"}
	compiled, err := shop.Compile(context.Background(), statement, planner.Target{Dialect: "duckdb"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(compiled.Kind, compiled.Metric.Metrics, compiled.Metric.GroupBy[0].Field)
	for _, c := range compiled.Columns {
		fmt.Println(c.Name, c.Type)
	}

	_, err = shop.Compile(context.Background(), semsql.Statement{SQL: "SELECT status, MEASURE(revenue) FROM orders"}, planner.Target{Dialect: "duckdb"})
	fmt.Println(err)
	// Output:
	// metric [revenue] orders.status
	// status text
	// revenue numeric
	// sql_group_by_required: the column status is neither grouped nor in an aggregate
}
