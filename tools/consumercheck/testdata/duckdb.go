// A program that hands the embedded database to the engine.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
	"github.com/semlayer/semlayer/planner/query"
)

const model = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: SELECT 40 AS amount UNION ALL SELECT 2
    fields:
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
`

func main() {
	e, err := engine.Open(context.Background(), engine.Config{
		ModelText: []byte(model),
		Drivers:   []warehouse.Driver{duckdb.Driver()},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	statement, err := e.Prepare(context.Background(), &query.MetricQuery{Metrics: []string{"revenue"}})
	if err != nil {
		log.Fatal(err)
	}
	result, err := statement.Execute(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(result.Rows))
}
