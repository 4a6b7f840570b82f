package lookml_test

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/lookml"
)

func Example() {
	imported, err := lookml.Read([]importer.SourceFile{{Name: "orders.view.lkml", Text: []byte(`
view: orders {
  dimension: id { primary_key: yes type: number }
  dimension: net { type: number sql: ${TABLE}.amount - ${TABLE}.discount ;; }
  measure: sales { type: sum sql: ${net} ;; }
  measure: middle { type: median sql: ${net} ;; }
}
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
	// 2 exact view orders [datasets.orders]
	// 3 exact dimension orders.id [datasets.orders.fields.id]
	// 4 exact dimension orders.net [datasets.orders.fields.net]
	// 5 exact measure orders.sales [metrics.sales]
	// 6 exact measure orders.middle [metrics.middle]
}
