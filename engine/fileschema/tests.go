package fileschema

import (
	"github.com/semlayer/semlayer/modelspec/schema"
	"github.com/semlayer/semlayer/planner/query"
)

// Tests returns the schema of a test file.
func Tests() *schema.Schema {
	s := schema.ObjectOf(schema.Properties{
		{Name: "tests", Schema: schema.ListOf(schema.Ref("test")).Described("the tests, in the order in which they run")},
	}, "tests")
	s.Draft, s.Title = schema.Draft, "semlayer tests"
	s.Description = "Tests of a model: queries with their expected results."
	s.Defs = schema.Properties{
		{Name: "test", Schema: test()},
		{Name: "expect", Schema: expect()},
		{Name: "query", Schema: body(query.MetricKeys())},
		{Name: "select", Schema: body(query.DetailKeys())},
		{Name: "attribute", Schema: body(query.AttributeKeys())},
	}
	return s
}

// test is the schema of one test. Keys beside saved replace those of the saved
// query, so that other keys are allowed.
func test() *schema.Schema {
	text := schema.Value("string")
	s := schema.ObjectOf(schema.Properties{
		{Name: "name", Schema: schema.Value("string").Described("name of the test, unique in the file")},
		{Name: "query", Schema: schema.Ref("query").Described("a metric query, as POST /v1/query/execute takes it")},
		{Name: "select", Schema: schema.Ref("select").Described("a detail query, as POST /v1/select/execute takes it")},
		{Name: "attribute", Schema: schema.Ref("attribute").Described("an attribution, as POST /v1/query/attribute takes it")},
		{Name: "saved", Schema: text.Described("name of a saved query; params and other keys of its body may be beside it")},
		{Name: "params", Schema: bindings().Nullable().Described("values of the saved query's parameters")},
		{Name: "expect", Schema: schema.Ref("expect").Nullable().Described("the expected result; without it, the query must compile")},
		{Name: "skip", Schema: text.Nullable().Described("why the test is not run")},
	}, "name")
	for _, kind := range []string{"query", "select", "attribute", "saved"} {
		s.OneOf = append(s.OneOf, &schema.Schema{Required: []string{kind}})
	}
	return s
}

// expect is the schema of an expected result.
func expect() *schema.Schema {
	text, flag, least := schema.Value("string"), schema.Value("boolean"), 0
	count := &schema.Schema{Type: schema.Types{"integer"}, Minimum: &least}
	between := schema.ObjectOf(schema.Properties{{Name: "min", Schema: count.Nullable()}, {Name: "max", Schema: count.Nullable()}})
	between.MinProperties = 1
	row := &schema.Schema{Type: schema.Types{"object", "array"}}
	optional := func(name, what string, s *schema.Schema) schema.Property {
		return schema.Property{Name: name, Schema: s.Nullable().Described(what)}
	}
	return schema.ObjectOf(schema.Properties{
		optional("rows", "the rows, as objects, or as lists together with columns", schema.ListOf(row)),
		optional("columns", "the columns of rows that are lists", schema.ListOf(text)),
		optional("sql", "a SELECT for the same connection, whose rows are expected", text),
		optional("by_position", "compare the columns of sql by position, not by name", flag),
		optional("row_count", "the number of rows, or its bounds", &schema.Schema{AnyOf: []*schema.Schema{count, between}}),
		optional("error", "the code of the error", text),
		optional("compiles", "true: the query compiles; nothing runs", flag),
		optional("ordered", "compare rows in their order; true by default where the query has order_by", flag),
		optional("tolerance", "relative difference of numbers that counts as equal; 1e-9 by default", schema.Value("number")),
		optional("columns_subset", "true: the result may have more columns", flag),
	})
}

// body is the schema of the body of a query.
func body(keys []query.Key) *schema.Schema {
	var properties schema.Properties
	for _, k := range keys {
		properties = append(properties, schema.Property{Name: k.Name, Schema: bodyValue(k).Nullable()})
	}
	return schema.ObjectOf(properties)
}

func bodyValue(k query.Key) *schema.Schema {
	switch k.Type {
	case query.TypeText:
		return schema.Value("string")
	case query.TypeBoolean:
		return schema.Value("boolean")
	case query.TypeInteger:
		return schema.Value("integer")
	case query.TypeTexts:
		return schema.ListOf(schema.Value("string"))
	case query.TypeObject:
		return body(k.Nested)
	case query.TypeObjects:
		return schema.ListOf(body(k.Nested))
	case query.TypeObjectsMap:
		return &schema.Schema{Type: schema.Types{"object"}, AdditionalProperties: body(k.Nested)}
	case query.TypeBindings:
		return bindings()
	}
	return &schema.Schema{}
}

// bindings is the schema of values of parameters by name: a scalar, or a list of scalars.
func bindings() *schema.Schema {
	scalar := &schema.Schema{Type: schema.Types{"string", "number", "boolean", "null"}}
	value := &schema.Schema{Type: append(append(schema.Types{}, scalar.Type...), "array"), Items: scalar}
	return &schema.Schema{Type: schema.Types{"object"}, AdditionalProperties: value}
}
