package snowflake_test

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/snowflake"
)

func Example() {
	imported, err := snowflake.Read([]importer.SourceFile{{Name: "sales.yaml", Text: []byte(`
name: sales
tables:
  - name: orders
    base_table: {table: orders}
    facts: [{name: net, expr: amount - discount}]
    metrics: [{name: sales, expr: SUM(net)}]
custom_key: 1
`)}}, importer.Options{ModelName: "sales"})
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := importer.FinishImport(context.Background(), imported, func(context.Context, []byte) (map[string]string, error) { return nil, nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range result.Entries {
		fmt.Println(e.Line, e.Outcome, e.Construct, e.Name, e.Became)
	}
	// Output:
	// 2 exact semantic_model sales []
	// 4 exact table orders [datasets.orders]
	// 6 exact fact orders.net [datasets.orders.fields.net]
	// 7 exact metric orders.sales [metrics.sales]
	// 8 dropped semantic_model key sales.custom_key []
}
