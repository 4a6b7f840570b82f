package find_test

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/engine/find"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/compile"
)

func Example() {
	doc, err := modelspec.Parse([]byte(`
version: 0.2.0.dev0
semantic_model:
  - name: shop
    datasets:
      - name: customers
        source: customers
        fields:
          - {name: region, ai_context: {synonyms: [territory]}, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
          - {name: spent, expression: {dialects: [{dialect: ANSI_SQL, expression: spent}]}}
    metrics:
      - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(customers.spent)}]}}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := compile.Compile(context.Background(), doc, compile.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, h := range find.NewIndex(model, "duckdb").Find(find.SearchRequest{Text: "revenues of each territory", Limit: 2}).Hits {
		fmt.Println(h.Kind, h.Name, h.Why)
	}
	// Output:
	// dimension customers.region synonym: territory
	// metric revenue name: revenues
}
