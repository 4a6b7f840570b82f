package diff_test

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/diff"
)

func Example() {
	const before = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: orders
    fields: [{name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}]
metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
`
	const after = `
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: orders
    fields: [{name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount / 100}]}}]
metrics:
  - {name: revenue, description: In euros., expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(amount)}]}}
`
	ctx := context.Background()
	var models []diff.Model
	for _, text := range []string{before, after} {
		doc, err := modelspec.Parse([]byte(text))
		if err != nil {
			fmt.Println(err)
			return
		}
		cat, err := compile.Compile(ctx, doc, compile.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		models = append(models, diff.Model{Catalog: cat, Document: doc})
	}
	entries, err := diff.Compare(ctx, models[0], models[1])
	for _, e := range entries {
		fmt.Println(e.Class, e.Object, e.Name, e.Property, e.Affects)
	}
	fmt.Println(err)
	// Output:
	// changed field orders.amount expression [revenue]
	// compatible metric revenue description []
	// <nil>
}
