package compile_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
)

// A metric that does not compile is in Errors; the others can be used.
func ExampleCompile() {
	doc, err := modelspec.Parse([]byte(`
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: sales.orders
    fields:
      - {name: amount, datatype: Decimal, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
  - {name: profit, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.margin)}]}}
`))
	if err != nil {
		log.Fatal(err)
	}
	cat, err := compile.Compile(context.Background(), doc, compile.Options{})
	if err != nil {
		log.Fatal(err)
	}
	revenue := cat.Metric("revenue")
	fmt.Println(revenue.Name, revenue.Kind)
	for _, e := range cat.Errors {
		fmt.Println(e.Code, e.Location)
	}
	// Output:
	// revenue aggregate
	// unknown_field metrics[1].expression
}
