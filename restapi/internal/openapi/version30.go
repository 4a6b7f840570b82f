package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// ConvertToVersion30 returns a document of OpenAPI 3.1 as one of 3.0.3, for generators that read no newer version: the same routes,
// with types that may be null as nullable. It has no list of codes beside the schema of an error, which 3.0 ignores there.
func ConvertToVersion30(document []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(document))
	decoder.UseNumber()
	var root map[string]any
	if err := decoder.Decode(&root); err != nil {
		return nil, fmt.Errorf("the OpenAPI document: %w", err)
	}
	root["openapi"] = "3.0.3"
	if info, ok := root["info"].(map[string]any); ok {
		if license, ok := info["license"].(map[string]any); ok {
			delete(license, "identifier")
			license["url"] = "https://www.apache.org/licenses/LICENSE-2.0"
		}
	}
	convertNode(root)
	return json.Marshal(root)
}

// convertNode converts the schemas in a part of a document, in place.
func convertNode(node any) {
	switch node := node.(type) {
	case []any:
		for _, item := range node {
			convertNode(item)
		}
	case map[string]any:
		if _, isReference := node["$ref"].(string); isReference {
			for key := range node {
				if key != "$ref" {
					delete(node, key) // 3.0 ignores what is beside a reference
				}
			}
			return
		}
		convertTypeList(node)
		convertNullChoice(node)
		for key, child := range node {
			switch key {
			case "example", "examples", "enum", "default":
				// values, not schemas
			case "properties", "schemas":
				// by names, which may be those of keywords
				for _, schema := range asObject(child) {
					convertNode(schema)
				}
			default:
				convertNode(child)
			}
		}
	}
}

func asObject(node any) map[string]any {
	object, _ := node.(map[string]any)
	return object
}

// convertNullChoice replaces the choice null, which 3.0 does not have as a type.
func convertNullChoice(schema map[string]any) {
	list, _ := schema["oneOf"].([]any)
	for i, choice := range list {
		if asObject(choice)["type"] == "null" {
			list[i] = map[string]any{"type": "string", "nullable": true, "enum": []any{nil}}
		}
	}
}

// convertTypeList replaces a list of types, which 3.0 does not have.
func convertTypeList(schema map[string]any) {
	list, ok := schema["type"].([]any)
	if !ok {
		return
	}
	types := slices.DeleteFunc(slices.Clone(list), func(t any) bool { return t == "null" })
	nullable := len(types) < len(list)
	delete(schema, "type")
	if len(types) == 1 {
		schema["type"] = types[0]
		if nullable {
			schema["nullable"] = true
		}
		return
	}
	var choices []any
	for _, t := range types {
		choice := map[string]any{"type": t}
		if t == "array" {
			choice["items"] = map[string]any{}
			if items, ok := schema["items"]; ok {
				choice["items"] = items
			}
		}
		if nullable {
			choice["nullable"] = true
		}
		choices = append(choices, choice)
	}
	delete(schema, "items")
	schema["anyOf"] = choices
}
