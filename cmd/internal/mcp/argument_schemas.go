package mcp

import (
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/semlayer/semlayer/engine"
)

// The schemas are for readers: they are open, and the decoders of the engine judge the arguments. Every byte of
// them is in the context of every conversation, so they have types, and words only where a type is not enough.

// The JSON types of values.
const (
	jsonTypeString  = "string"
	jsonTypeBoolean = "boolean"
	jsonTypeInteger = "integer"
	jsonTypeArray   = "array"
	jsonTypeObject  = "object"
)

// toolArgument is an argument of a tool that takes no query.
type toolArgument struct{ name, jsonType, description string }

// argumentsSchema returns the schema of some arguments.
func argumentsSchema(arguments ...toolArgument) *jsonschema.Schema {
	s := newOpenObjectSchema()
	for _, a := range arguments {
		addProperty(s, a.name, &jsonschema.Schema{Type: a.jsonType, Description: a.description})
	}
	return s
}

func newOpenObjectSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: jsonTypeObject, Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{}}
}

func addProperty(s *jsonschema.Schema, name string, property *jsonschema.Schema) {
	s.Properties[name] = property
	s.PropertyOrder = append(s.PropertyOrder, name)
}

// querySchema returns the schema of a query's JSON, read off the Go type that it is decoded to: the decoders are tables
// without tags, and their keys are the names of the fields in lower case.
func querySchema(t reflect.Type) *jsonschema.Schema {
	s := newOpenObjectSchema()
	for i := range t.NumField() {
		f := t.Field(i)
		key := snakeCaseKeyOfField(f)
		if f.Tag.Get("json") == "-" || slices.Contains(unlistedQueryKeys, key) {
			continue
		}
		property := &jsonschema.Schema{Type: jsonTypeOf(f.Type)}
		if slices.Contains(expandedQueryKeys, t.Name()+"."+key) {
			property = objectSchemaFromTags(f.Type)
		}
		property.Description = queryKeyDescriptions[t.Name()+"."+key]
		addProperty(s, key, property)
	}
	return s
}

// schemaWithKeysOnly has some keys of a schema with their types.
func schemaWithKeysOnly(s *jsonschema.Schema, keys ...string) *jsonschema.Schema {
	out := newOpenObjectSchema()
	for _, key := range keys {
		addProperty(out, key, &jsonschema.Schema{Type: s.Properties[key].Type})
	}
	return out
}

// withDialectProperty adds the dialect of SQL that a tool writes to its schema.
func withDialectProperty(s *jsonschema.Schema) *jsonschema.Schema {
	addProperty(s, "dialect", &jsonschema.Schema{Type: jsonTypeString})
	return s
}

// objectSchemaFromTags returns the schema of a list of objects, or of an object, whose keys are in its tags.
func objectSchemaFromTags(t reflect.Type) *jsonschema.Schema {
	switch t.Kind() {
	case reflect.Pointer:
		return objectSchemaFromTags(t.Elem())
	case reflect.Slice:
		return &jsonschema.Schema{Type: jsonTypeArray, Items: objectSchemaFromTags(t.Elem())}
	}
	s := &jsonschema.Schema{Type: jsonTypeObject, Properties: map[string]*jsonschema.Schema{}}
	for i := range t.NumField() {
		f := t.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key != "-" && !slices.Contains(unlistedNestedQueryKeys, t.Name()+"."+key) {
			addProperty(s, key, &jsonschema.Schema{Type: jsonTypeOf(f.Type), Description: queryKeyDescriptions[t.Name()+"."+key]})
		}
	}
	return s
}

// jsonTypeOf returns the JSON type of the values of a key; "" where there are several.
func jsonTypeOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[[]engine.TaggedTimeRange](), reflect.TypeFor[[]engine.ParamBinding]():
		return jsonTypeObject
	case reflect.TypeFor[engine.TopOther]():
		return ""
	}
	switch t.Kind() {
	case reflect.Pointer:
		return jsonTypeOf(t.Elem())
	case reflect.String:
		return jsonTypeString
	case reflect.Bool:
		return jsonTypeBoolean
	case reflect.Int64:
		return jsonTypeInteger
	case reflect.Slice:
		return jsonTypeArray
	case reflect.Struct:
		return jsonTypeObject
	}
	panic("no JSON type for " + t.String()) // of a type of ours, when the program starts
}

// snakeCaseKeyOfField returns the key of a field: WhereSQL is where_sql, TopNDimensions is
// top_n_dimensions.
func snakeCaseKeyOfField(f reflect.StructField) string {
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
