package mcp

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/semlayer/semlayer/engine"
)

// bodySchema is the schema of a query's JSON, read off the Go type that it is
// decoded to: the decoders are tables without tags, and their keys are the names
// of the fields in lower case.
func bodySchema(t reflect.Type, required ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: emptySchema(), Required: required}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Tag.Get("json") == "-" {
			continue
		}
		key := keyOf(f)
		property := valueSchema(f.Type)
		if key == "baseline" || key == "current" {
			delete(property.Properties, "dimension")
			property.Required = []string{"start", "end"}
		}
		property.Description = keyDescriptions[key]
		s.Properties[key] = property
		s.PropertyOrder = append(s.PropertyOrder, key)
	}
	return s
}

func valueSchema(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[[]engine.TaggedRange]():
		return &jsonschema.Schema{Type: "object", AdditionalProperties: objectSchema(reflect.TypeFor[engine.TimeRange]())}
	case reflect.TypeFor[[]engine.ParamBinding]():
		scalar := []string{"string", "number", "boolean"}
		return &jsonschema.Schema{Type: "object", AdditionalProperties: &jsonschema.Schema{
			Types: append(scalar, "array"), Items: &jsonschema.Schema{Types: scalar},
		}}
	}
	switch t.Kind() {
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.Int64:
		return &jsonschema.Schema{Type: "integer", Minimum: new(float64)}
	case reflect.Pointer:
		return valueSchema(t.Elem())
	case reflect.Slice:
		return &jsonschema.Schema{Type: "array", Items: valueSchema(t.Elem())}
	case reflect.Struct:
		return objectSchema(t)
	}
	panic("no schema for " + t.String()) // of a type of ours, when the program starts
}

// objectSchema is the schema of an object whose keys are in its tags.
func objectSchema(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: emptySchema()}
	for i := range t.NumField() {
		f := t.Field(i)
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		property := valueSchema(f.Type)
		property.Description = keyDescriptions[t.Name()+"."+key]
		if key == "grain" {
			property.Enum = []any{"day", "week", "month", "quarter", "year"}
		}
		s.Properties[key] = property
		s.PropertyOrder = append(s.PropertyOrder, key)
		if options == "" {
			s.Required = append(s.Required, key)
		}
	}
	return s
}

// emptySchema is the schema that no value fits.
func emptySchema() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

// keyOf is the key of a field: WhereSQL is where_sql, TopNDimensions is
// top_n_dimensions.
func keyOf(f reflect.StructField) string {
	letters := []rune(f.Name)
	var b strings.Builder
	for i, r := range letters {
		upper := unicode.IsUpper(r)
		wordEnds := i > 0 && unicode.IsLower(letters[i-1])
		wordBegins := i > 0 && i+1 < len(letters) && unicode.IsLower(letters[i+1])
		if upper && (wordEnds || wordBegins) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// argumentsSchema is the schema of arguments that only tools have.
func argumentsSchema[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err) // of a type of ours, when the program starts
	}
	return s
}

// validateArguments returns an error that names the place where arguments violate a schema.
func validateArguments(s *jsonschema.Resolved, arguments json.RawMessage) error {
	var v map[string]any
	if err := json.Unmarshal(arguments, &v); err != nil || v == nil {
		return fmt.Errorf("the arguments are not a JSON object")
	}
	withoutNulls(v, "")
	return s.Validate(v)
}

// withoutNulls drops null members: decoders take null for an absent key.
func withoutNulls(v any, key string) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if member == nil && key != "params" {
				delete(v, name)
				continue
			}
			withoutNulls(member, name)
		}
	case []any:
		for _, element := range v {
			withoutNulls(element, key)
		}
	}
}
