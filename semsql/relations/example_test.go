package relations_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/semsql/relations"
)

// A model of one dataset has two relations.
func ExampleNew() {
	doc, err := modelspec.Parse([]byte(`
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
`))
	if err != nil {
		log.Fatal(err)
	}
	cat, err := compile.Compile(context.Background(), doc, compile.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range relations.NewSchema(cat).Relations() {
		fmt.Print(r.Name, ":")
		for _, c := range r.Columns {
			fmt.Print(" ", c.Name, " ", c.Type)
		}
		fmt.Println()
	}
	// Output:
	// orders: status text amount numeric revenue numeric
	// shop: status text amount numeric revenue numeric
}
