package catalog_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
)

// A catalog is a compiled model: its fields with their types, and its metrics with the
// datasets that they can be grouped by.
func Example() {
	doc, err := modelspec.Parse([]byte(`
version: 0.2.0.dev0
name: shop
datasets:
  - name: orders
    source: sales.orders
    fields:
      - {name: customer_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
      - {name: amount, datatype: Decimal, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
  - name: customers
    source: sales.customers
    primary_key: [id]
    fields:
      - {name: id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
relationships:
  - {name: buyer, from: orders, to: customers, from_columns: [customer_id], to_columns: [id]}
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
	for _, d := range cat.ConformedDatasets(cat.Metric("revenue")) {
		fmt.Println(d.Name)
	}
	region := cat.FieldsNamed("region")[0]
	fmt.Println(region.QualifiedName(), region.Type)
	// Output:
	// orders
	// customers
	// customers.region varchar
}
