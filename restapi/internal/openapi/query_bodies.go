package openapi

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/swaggest/jsonschema-go"

	"github.com/semlayer/semlayer/planner/query"
)

// MetricQuery returns the body of a metric query.
func MetricQuery() Body {
	return newBody("MetricQuery", "Metrics, grouped and filtered. An unknown key is the error unknown_query_key.", query.MetricKeys())
}

// DetailQuery returns the body of a detail query.
func DetailQuery() Body {
	return newBody("DetailQuery", "Rows of one dataset, with columns of the datasets to which it leads. An unknown key is the error unknown_query_key.", query.DetailKeys())
}

// AttributeQuery returns the body of an attribution.
func AttributeQuery() Body {
	return newBody("AttributeQuery", "A metric, two windows of time, and the dimensions that may explain the change between them. An unknown key is the error unknown_query_key.", query.AttributeKeys())
}

// SQLStatement returns the body of a request in SQL.
func SQLStatement() Body {
	return newBody("SQLStatement", "A statement over the model, in SQL. An unknown key is the error unknown_query_key.", query.SQLKeys())
}

// CompatibleQuery returns the body of a request for compatible items: a metric query that may lack metrics. No key has a default,
// because generators of clients then demand a value.
func CompatibleQuery() Body {
	return newBody("CompatibleQuery", "A metric query, which need not have metrics. An unknown key is the error unknown_query_key.", query.CompatibleKeys())
}

// requiredKeys are the sets of keys of which a body has one at least. A saved query has the keys of a whole one.
var requiredKeys = map[string][][]string{
	"MetricQuery":    {{"metrics"}, {"saved"}, {"distinct", "group_by"}},
	"DetailQuery":    {{"from", "fields"}, {"saved"}},
	"AttributeQuery": {{"metric", "dimensions", "baseline", "current"}, {"saved"}},
}

// Body is the body of a query. It embeds the struct because the library looks for one within the type of a request.
type Body struct{ jsonschema.Struct }

// newBody returns a struct with a field for each key. The descriptions of requests name the defaults, because generators of
// TypeScript take a property with a default as one that is always there.
func newBody(name, description string, keys []query.KeyDescription) Body {
	s := jsonschema.Struct{DefName: name}
	for _, k := range keys {
		s.Fields = append(s.Fields, jsonschema.Field{Name: "Key", Value: valueOfKey(k), Tag: tagOfKey(k)})
	}
	closed := structTag{}
	closed.add("additionalProperties", "false")
	closed.add("description", description)
	s.Fields = append(s.Fields, jsonschema.Field{Name: "_", Value: struct{}{}, Tag: closed.tag()})
	return Body{s}
}

// structTag is the tag of a field that schemas are read from.
type structTag struct{ b strings.Builder }

func (t *structTag) add(name, value string) {
	if value != "" {
		t.b.WriteString(name + ":" + strconv.Quote(value) + " ")
	}
}

func (t *structTag) addBound(name string, bound int64) {
	if bound != 0 {
		t.add(name, strconv.FormatInt(bound, 10))
	}
}

func (t *structTag) tag() reflect.StructTag { return reflect.StructTag(t.b.String()) }

func tagOfKey(k query.KeyDescription) reflect.StructTag {
	t := structTag{}
	t.add("json", k.Name+",omitempty")
	if k.Bounds.Required {
		t.add("required", "true")
	}
	t.add("description", k.Doc)
	t.add("enum", strings.Join(k.Bounds.Values, ","))
	t.addBound("minItems", k.Bounds.MinItems)
	t.addBound("maxItems", k.Bounds.MaxItems)
	t.addBound("minLength", k.Bounds.MinLength)
	t.addBound("maxLength", k.Bounds.MaxLength)
	if k.Type == query.BodyKeyTypeInteger {
		t.add("minimum", strconv.FormatInt(k.Bounds.Least, 10))
		t.addBound("maximum", k.Bounds.Most)
	}
	return t.tag()
}

// objectsOfKeys have a value of the type of each key that holds objects.
var objectsOfKeys = map[string]any{
	"metrics":     []MetricItem{},
	"group_by":    []GroupBy{},
	"time_range":  (*TimeRange)(nil),
	"time_ranges": map[string]TimeRange{},
	"order_by":    []query.OrderBy{},
	"params":      map[string]BindingSchema{},
	"with":        []LocalField{},
	"sequences":   []Sequence{},
	"shares":      []ShareSchema{},
	"compare":     CompareKey(""),
	"top":         (*TopSchema)(nil),
	"fill":        (*FillSchema)(nil),
	"rollups":     RollupChoice(""),
	"baseline":    (*Window)(nil),
	"current":     (*Window)(nil),
}

func valueOfKey(k query.KeyDescription) any {
	if k.Bounds.Null {
		return (*bool)(nil)
	}
	switch k.Type {
	case query.BodyKeyTypeText:
		return ""
	case query.BodyKeyTypeBoolean:
		return false
	case query.BodyKeyTypeInteger:
		return int64(0)
	case query.BodyKeyTypeTextArray:
		return []string{}
	case query.BodyKeyTypeNestedTextArray:
		return [][]string{}
	case query.BodyKeyTypeScalarArray:
		return []ScalarValue{}
	}
	return objectsOfKeys[k.Name]
}

// requireKeys requires all keys of at least one set. It does so by negation: generators of types read anyOf as a union,
// and make an unknown type of a member without properties.
func requireKeys(s *jsonschema.Schema, sets [][]string) {
	if len(sets) == 0 {
		return
	}
	var lacks jsonschema.Schema
	for _, keys := range sets {
		has := jsonschema.Schema{Required: keys}
		lacksSet := jsonschema.Schema{}
		lacksSet.WithNot(has.ToSchemaOrBool())
		lacks.AllOf = append(lacks.AllOf, lacksSet.ToSchemaOrBool())
	}
	s.WithNot(lacks.ToSchemaOrBool())
}
