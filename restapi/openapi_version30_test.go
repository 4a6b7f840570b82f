package restapi_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/restapi"
)

// namesOfGenerators are the words that generators append to the name of an operation to name its types.
var namesOfGenerators = []string{"Result", "Results", "Params", "Body", "Response", "Request", "Error", "Data", "Query", "Res", "Req", "OK"}

func TestOpenAPI_NoSchemaHasANameThatGeneratorsMake(t *testing.T) {
	s := serve(t, orders(t), restapi.Config{})
	w := readOpenAPI(t, s)
	var document struct {
		Components struct{ Schemas map[string]json.RawMessage }
	}
	if err := json.Unmarshal([]byte(do(t, s, request("GET", "/openapi.json", "")).body), &document); err != nil {
		t.Fatal(err)
	}
	w.each(func(route string, o openAPIOperation) {
		for _, word := range namesOfGenerators {
			name := strings.ToUpper(o.OperationID[:1]) + o.OperationID[1:] + word
			if _, taken := document.Components.Schemas[name]; taken {
				t.Errorf("%s: the schema %s has the name of the %s of %s", route, name, word, o.OperationID)
			}
		}
	})
}

// The document of OpenAPI 3.0 has the same operations and schemas, and none of the forms that came with 3.1.
func TestOpenAPI_Version30HasTheSameRoutes(t *testing.T) {
	s := serve(t, orders(t), restapi.Config{})
	read := func(path string) (document map[string]any) {
		got := do(t, s, request("GET", path, ""))
		if err := json.Unmarshal([]byte(got.body), &document); err != nil || got.status != 200 {
			t.Fatalf("%s: %d %v", path, got.status, err)
		}
		return document
	}
	newer, older := read("/openapi.json"), read("/openapi-3.0.json")
	if older["openapi"] != "3.0.3" {
		t.Errorf("version %v", older["openapi"])
	}
	names := func(document map[string]any, keys ...string) []string {
		for _, key := range keys {
			document, _ = document[key].(map[string]any)
		}
		return slices.Sorted(maps.Keys(document))
	}
	for _, part := range [][]string{{"paths"}, {"components", "schemas"}} {
		if d := cmp.Diff(names(newer, part...), names(older, part...)); d != "" {
			t.Errorf("%v: %s", part, d)
		}
	}
	nullable := 0
	var check func(path string, node any)
	check = func(path string, node any) {
		switch node := node.(type) {
		case []any:
			for _, item := range node {
				check(path, item)
			}
		case map[string]any:
			if _, isReference := node["$ref"].(string); isReference && len(node) > 1 {
				t.Errorf("%s: a reference has %v beside it", path, slices.Sorted(maps.Keys(node)))
			}
			if list, isList := node["type"].([]any); isList {
				t.Errorf("%s: the types %v", path, list)
			}
			if isNullable, _ := node["nullable"].(bool); isNullable {
				nullable++
				if _, typed := node["type"].(string); !typed {
					t.Errorf("%s: nullable without a type", path)
				}
			}
			for key, child := range node {
				if key == "const" || key == "$defs" || key == "prefixItems" || key == "patternProperties" {
					t.Errorf("%s: the key %s is new in 3.1", path, key)
				}
				if key != "example" && key != "examples" {
					check(path+"/"+key, child)
				}
			}
		}
	}
	check("", older)
	if nullable < 40 {
		t.Errorf("%d nullable schemas", nullable)
	}
}
