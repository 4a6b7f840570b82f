// A program for PostgreSQL alone: the engine without the embedded database.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

const model = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: orders
    fields:
      - {name: amount, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
`

const profiles = "datasources: {warehouse: {type: postgres, host: localhost, username: reporting}}"

func main() {
	e, err := engine.Open(context.Background(), engine.Config{ModelText: []byte(model), ConnectionsText: []byte(profiles)})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	statement, err := e.Prepare(context.Background(), &query.MetricQuery{Metrics: []string{"revenue"}, Connection: "warehouse"})
	if err != nil {
		log.Fatal(err)
	}
	compiled, err := statement.SQL(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(compiled.SQL)
}
