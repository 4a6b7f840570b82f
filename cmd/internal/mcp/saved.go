package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// toolsOfKind are the tools that take a saved query of a kind.
var toolsOfKind = map[string]string{"query": "run_query", "select": "select", "attribute": "attribute_metric"}

const savedArgument = "saved"

// describeSaved lists the saved queries of the model in the schema of a query. The keys that
// a saved query supplies are then not required by the schema. A model without saved queries
// has no such key.
func (b modelSummary) describeSaved(q *jsonschema.Schema) {
	if len(b.saved) == 0 {
		delete(q.Properties, savedArgument)
		q.PropertyOrder = slices.DeleteFunc(q.PropertyOrder, func(key string) bool { return key == savedArgument })
		return
	}
	q.Properties[savedArgument].Description += " There are: " + joinNames(b.saved, descriptionBudget, "an unknown name lists them") + "."
	for _, key := range q.Required {
		q.Properties[key].Description += " Needed unless saved is given."
	}
}

// publishedSchema is the schema that clients see: without the arguments that a saved query
// may supply.
func publishedSchema(s *jsonschema.Schema) *jsonschema.Schema {
	if s.Properties[savedArgument] == nil {
		return s
	}
	out := *s
	out.Required = nil
	return &out
}

// usesSaved reports whether the arguments of a call name a saved query.
func usesSaved(arguments json.RawMessage) bool {
	var a struct {
		Saved json.RawMessage `json:"saved"`
	}
	return json.Unmarshal(arguments, &a) == nil && a.Saved != nil && !bytes.Equal(a.Saved, []byte("null"))
}

// checkArguments returns the text of what is wrong with the arguments of a call; "" if they
// fit the schema.
func (t tool) checkArguments(whole, published *jsonschema.Resolved, arguments json.RawMessage) string {
	schema := whole
	if usesSaved(arguments) {
		schema = published
	}
	if err := validateArguments(schema, arguments); err != nil {
		return fmt.Sprintf("The arguments do not fit the schema of %s: %s", t.name, strings.TrimPrefix(err.Error(), "validating root: "))
	}
	return ""
}
