package importer_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/draft"
	"github.com/semlayer/semlayer/modelspec/importer"
)

func TestNewAIContext_HasOneListOfSynonyms(t *testing.T) {
	for _, c := range []struct {
		title, name, meta string
		want              draft.AIContext
	}{
		{"Quay", "quay", "", draft.AIContext{}},
		{"Cars carried", "cars", "", draft.AIContext{Synonyms: []string{"Cars carried"}}},
		{"Cars carried", "cars", "{synonyms: [vehicles, CARS CARRIED, vehicles]}", draft.AIContext{Synonyms: []string{"Cars carried", "vehicles"}}},
		{"", "cars", "{synonyms: vehicles}", draft.AIContext{Synonyms: []string{"vehicles"}}},
		{"", "cars", "{synonyms: []}", draft.AIContext{}},
		{"", "cars", "{instructions: [Ask by harbour, not by day], examples: \"How many cars sailed?\"}", draft.AIContext{
			Instructions: "Ask by harbour\nnot by day", Examples: []string{"How many cars sailed?"},
		}},
		{"", "cars", "{owner: port office}", draft.AIContext{Other: []draft.AIContextKeyValue{{Key: "owner", Value: "port office"}}}},
	} {
		documents, err := importer.Read(importer.SourceFile{Name: "f.yml", Text: []byte(c.meta)}, 0)
		if err != nil {
			t.Fatal(err)
		}
		var meta *importer.Node
		if len(documents) > 0 {
			meta = documents[0]
		}
		if diff := cmp.Diff(c.want, importer.NewAIContext(c.title, c.name, meta)); diff != "" {
			t.Errorf("%s %s: %s", c.title, c.meta, diff)
		}
	}
}
