package ossie_test

import (
	"context"
	"fmt"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/ossie"
)

func Example() {
	result, err := ossie.Import(context.Background(), []importer.SourceFile{{Name: "sea.yaml", Text: []byte(`
version: 0.1.1
semantic_model:
  name: sea
  datasets: [{name: ferries, source: ferries}]
  metrics: [{name: seats, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(ferries.seats)}]}}]
`)}}, importer.Options{}, func(context.Context, []byte) (map[string]string, error) { return nil, nil })
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range result.Entries {
		fmt.Printf("%d %s %s %s [%s]\n", e.Line, e.Outcome, e.Construct, e.Name, e.Reason)
	}
	// Output:
	// 2 exact document key version [the document was one of version 0.1.1]
	// 4 exact document key semantic_model [the model was not in a list]
	// 5 exact dataset ferries []
	// 5 exact field ferries.seats [it is declared: the metric seats names the column]
	// 6 exact metric seats []
}
