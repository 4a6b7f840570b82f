package modelspec_test

import (
	"context"
	"fmt"
	"log"

	"github.com/semlayer/semlayer/modelspec"
)

// A relationship to a dataset that the model does not have is an issue with its place.
func ExampleValidate() {
	doc, err := modelspec.Parse([]byte(`
version: 0.2.0.dev0
name: shop
datasets:
  - {name: orders, source: sales.orders, fields: [{name: customer_id, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}]}
relationships:
  - {name: buyer, from: orders, to: customers, from_columns: [customer_id], to_columns: [id]}
`))
	if err != nil {
		log.Fatal(err)
	}
	issues, err := modelspec.Validate(context.Background(), doc)
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range issues {
		fmt.Println(i.Severity, i.Code, i.Location)
		fmt.Println(i.Message)
	}
	fmt.Println("invalid:", modelspec.HasErrors(issues))
	// Output:
	// error unknown_dataset relationships[0].to
	// the relationship buyer names the dataset "customers", which is not declared; the declared names are orders
	// invalid: true
}
