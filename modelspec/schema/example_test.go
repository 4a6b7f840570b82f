package schema_test

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/schema"
)

func ExampleModelSchema() {
	s := schema.ModelSchema()
	for _, p := range s.Properties {
		fmt.Println(p.Name+":", p.Schema.Description)
	}
	// Output:
	// version: version of the format: 0.2.0.dev0
	// semantic_model: the one semantic model
	// dialects: names of the dialects in the file; not read
	// vendors: names of the vendors in the file; not read
	// name: name of the model
	// description: description of the object, for people and agents
	// ai_context: instructions and synonyms for agents
	// datasets: the logical tables; at least one
	// relationships: how datasets join
	// metrics: named aggregates
	// custom_extensions: payloads of vendors
}
