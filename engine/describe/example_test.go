package describe_test

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/planner"
)

const model = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: orders
    fields:
      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: amount, datatype: Decimal, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
`

func Example() {
	ctx := context.Background()
	doc, err := modelspec.Parse([]byte(model))
	if err != nil {
		fmt.Println(err)
		return
	}
	cat, err := compile.Compile(ctx, doc, compile.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	d := describe.NewDescriber(cat, planner.New(cat), planner.Target{Dialect: "duckdb"})
	dimensions, err := d.Dimensions(ctx, "revenue")
	for _, x := range dimensions {
		fmt.Println(x.Name, x.Source, x.Grains)
	}
	fmt.Println(err)
	// Output:
	// metric_time inferred:time [day week month quarter year]
	// orders.region inferred []
	// orders.day inferred:time [day week month quarter year]
	// orders.amount inferred:measure []
	// <nil>
}
