package engine_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/datacheck"
	"github.com/semlayer/semlayer/executor/duckdb"
	"github.com/semlayer/semlayer/executor/warehouse"
)

func ExampleValidateData() {
	const model = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: orders
    primary_key: [order_id]
    fields:
      - {name: order_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: order_id}]}}
      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: regoin}]}}
`
	v, err := engine.ValidateData(context.Background(), engine.Config{
		ModelText: []byte(model),
		Drivers:   []warehouse.Driver{duckdb.Driver()},
		Setup:     []string{"CREATE TABLE orders AS SELECT * FROM (VALUES (1, 'east'), (1, 'west')) AS t(order_id, region)"},
	}, "", datacheck.Options{MaxRows: 10000})
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range v.Issues {
		fmt.Println(i.Position.Line, i.Severity, i.Code)
		fmt.Println(" ", i.Message, i.Candidates)
	}
	// Output:
	// 7 error key_not_unique
	//   the key (order_id) of orders is not unique: 2 rows have 1 value; `1` is in 2 rows []
	// 10 error column_not_found
	//   orders.region reads the column `regoin`, which the source of orders does not have [region order_id]
}
