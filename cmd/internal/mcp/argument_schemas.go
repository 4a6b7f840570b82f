package mcp

import (
	"cmp"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/semlayer/semlayer/planner/query"
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

// querySchema returns the schema of the body of a query: the keys that have a rank, in its order.
func querySchema(keys []query.KeyDescription) *jsonschema.Schema {
	listed := slices.DeleteFunc(slices.Clone(keys), func(k query.KeyDescription) bool { return k.Rank == 0 })
	slices.SortFunc(listed, func(a, b query.KeyDescription) int { return cmp.Compare(a.Rank, b.Rank) })
	s := newOpenObjectSchema()
	for _, k := range listed {
		property := schemaOfType(k.Type)
		if k.Expanded {
			property = expandedSchema(k)
		}
		property.Description = k.Hint
		addProperty(s, k.Name, property)
	}
	return s
}

// schemaWithKeysOnly has some keys of a schema with their types.
func schemaWithKeysOnly(s *jsonschema.Schema, keys ...string) *jsonschema.Schema {
	out := newOpenObjectSchema()
	for _, key := range keys {
		addProperty(out, key, &jsonschema.Schema{Type: s.Properties[key].Type, Types: s.Properties[key].Types})
	}
	return out
}

// withDialectProperty adds the dialect of SQL that a tool writes to its schema.
func withDialectProperty(s *jsonschema.Schema) *jsonschema.Schema {
	addProperty(s, "dialect", &jsonschema.Schema{Type: jsonTypeString})
	return s
}

// expandedSchema returns the schema of an object, or of a list of objects, with its keys.
func expandedSchema(k query.KeyDescription) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: jsonTypeObject, Properties: map[string]*jsonschema.Schema{}}
	for _, nested := range k.Nested {
		if path := k.Name + "." + nested.Name; !slices.Contains(unlistedNestedQueryKeys, path) {
			addProperty(s, nested.Name, &jsonschema.Schema{Type: jsonTypeOf(nested.Type), Description: nestedQueryKeyHints[path]})
		}
	}
	if k.Type == query.BodyKeyTypeObjectArray {
		return &jsonschema.Schema{Type: jsonTypeArray, Items: s}
	}
	return s
}

// schemaOfType returns the schema of the values of a key, with their JSON type.
func schemaOfType(t query.ValueType) *jsonschema.Schema {
	if t == query.BodyKeyTypeObjectOrArray {
		return &jsonschema.Schema{Types: []string{jsonTypeObject, jsonTypeArray}}
	}
	return &jsonschema.Schema{Type: jsonTypeOf(t)}
}

// jsonTypeOf returns the JSON type of the values of a key.
func jsonTypeOf(t query.ValueType) string {
	switch t {
	case query.BodyKeyTypeText:
		return jsonTypeString
	case query.BodyKeyTypeBoolean:
		return jsonTypeBoolean
	case query.BodyKeyTypeInteger:
		return jsonTypeInteger
	case query.BodyKeyTypeTextArray, query.BodyKeyTypeObjectArray, query.BodyKeyTypeTextOrObjectArray, query.BodyKeyTypeNestedTextArray, query.BodyKeyTypeScalarArray:
		return jsonTypeArray
	case query.BodyKeyTypeObject, query.BodyKeyTypeObjectMap, query.BodyKeyTypeScalarMap:
		return jsonTypeObject
	}
	panic("no JSON type for the values of a key") // of a table of ours, when the program starts
}

// The keys in the schemas of the tools that take a query as run_query or select does: those that most queries have.
// The schemas are open, and the whole list in each of them would take a third of the budget.
var (
	metricQueryKeysInShortSchema = []string{"metrics", "group_by", "where_sql"}
	detailQueryKeysInShortSchema = []string{"from", "fields", "where_sql"}
	attributionKeysInShortSchema = []string{"metric", "dimensions", "baseline", "current", "where_sql", "saved"}
)

// unlistedNestedQueryKeys are keys of expanded objects that a description names or that few queries have.
var unlistedNestedQueryKeys = []string{"group_by.name", "group_by.expression", "time_range.last", "time_range.dimension"}

// nestedQueryKeyHints describes keys of expanded objects.
var nestedQueryKeyHints = map[string]string{"group_by.field": "dataset.field or metric_time"}
