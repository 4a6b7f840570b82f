package fileschema

import (
	"github.com/semlayer/semlayer/modelspec/schema"
	"github.com/semlayer/semlayer/planner/query"
)

// ModelTestFileSchema returns the schema of a test file.
func ModelTestFileSchema() *schema.Schema {
	s := schema.JSONObjectSchemaAllowingOtherKeys(schema.OrderedProperties{
		{Name: "tests", Schema: schema.JSONArraySchema(schema.DefinitionRef("test")).WithDescription("the tests, in the order in which they run")},
	}, "tests")
	s.Draft, s.Title = schema.JSONSchemaVersion, "semlayer tests"
	s.Description = "Tests of a model: queries with their expected results."
	s.Defs = schema.OrderedProperties{
		{Name: "test", Schema: testSchema()},
		{Name: "expect", Schema: expectationSchema()},
		{Name: "query", Schema: queryBodySchema(query.MetricKeys())},
		{Name: "select", Schema: queryBodySchema(query.DetailKeys())},
		{Name: "attribute", Schema: queryBodySchema(query.AttributeKeys())},
	}
	return s
}

// testSchema returns the schema of one test. Keys beside saved replace those of the saved
// query, so that other keys are allowed.
func testSchema() *schema.Schema {
	text := schema.ScalarSchema("string")
	s := schema.JSONObjectSchemaAllowingOtherKeys(schema.OrderedProperties{
		{Name: "name", Schema: schema.ScalarSchema("string").WithDescription("name of the test, unique in the file")},
		{Name: "query", Schema: schema.DefinitionRef("query").WithDescription("a metric query, as POST /v1/query/execute takes it")},
		{Name: "select", Schema: schema.DefinitionRef("select").WithDescription("a detail query, as POST /v1/select/execute takes it")},
		{Name: "attribute", Schema: schema.DefinitionRef("attribute").WithDescription("an attribution, as POST /v1/query/attribute takes it")},
		{Name: "saved", Schema: text.WithDescription("name of a saved query; params and other keys of its body may be beside it")},
		{Name: "params", Schema: paramBindingsSchema().AllowNull().WithDescription("values of the saved query's parameters")},
		{Name: "as", Schema: identitySchema().WithDescription("the reader that asks; without it, the author of the model")},
		{Name: "expect", Schema: schema.DefinitionRef("expect").AllowNull().WithDescription("the expected result; without it, the query must compile")},
		{Name: "skip", Schema: text.AllowNull().WithDescription("why the test is not run")},
	}, "name")
	for _, kind := range []string{"query", "select", "attribute", "saved"} {
		s.OneOf = append(s.OneOf, &schema.Schema{Required: []string{kind}})
	}
	return s
}

// identitySchema returns the schema of the reader that a test asks as.
func identitySchema() *schema.Schema {
	return schema.JSONObjectSchemaAllowingOtherKeys(schema.OrderedProperties{
		{Name: "name", Schema: schema.ScalarSchema("string")},
		{Name: "roles", Schema: schema.JSONArraySchema(schema.ScalarSchema("string"))},
		{Name: "attributes", Schema: &schema.Schema{Type: schema.JSONTypes{"object"}, AdditionalProperties: &schema.Schema{}}},
	})
}

// expectationSchema returns the schema of an expected result.
func expectationSchema() *schema.Schema {
	text, flag, least := schema.ScalarSchema("string"), schema.ScalarSchema("boolean"), 0
	count := &schema.Schema{Type: schema.JSONTypes{"integer"}, Minimum: &least}
	between := schema.JSONObjectSchemaAllowingOtherKeys(schema.OrderedProperties{{Name: "min", Schema: count.AllowNull()}, {Name: "max", Schema: count.AllowNull()}})
	between.MinProperties = 1
	row := &schema.Schema{Type: schema.JSONTypes{"object", "array"}}
	optional := func(name, what string, s *schema.Schema) schema.Property {
		return schema.Property{Name: name, Schema: s.AllowNull().WithDescription(what)}
	}
	return schema.JSONObjectSchemaAllowingOtherKeys(schema.OrderedProperties{
		optional("rows", "the rows, as objects, or as lists together with columns", schema.JSONArraySchema(row)),
		optional("columns", "the columns of rows that are lists", schema.JSONArraySchema(text)),
		optional("sql", "a SELECT for the same connection, whose rows are expected", text),
		optional("by_position", "compare the columns of sql by position, not by name", flag),
		optional("row_count", "the number of rows, or its bounds", &schema.Schema{AnyOf: []*schema.Schema{count, between}}),
		optional("error", "the code of the error", text),
		optional("compiles", "true: the query compiles; nothing runs", flag),
		optional("ordered", "compare rows in their order; true by default where the query has order_by", flag),
		optional("tolerance", "relative difference of numbers that counts as equal; 1e-9 by default", schema.ScalarSchema("number")),
		optional("columns_subset", "true: the result may have more columns", flag),
	})
}

// queryBodySchema returns the schema of the body of a query.
func queryBodySchema(keys []query.KeyDescription) *schema.Schema {
	var properties schema.OrderedProperties
	for _, k := range keys {
		properties = append(properties, schema.Property{Name: k.Name, Schema: queryKeyValueSchema(k).AllowNull()})
	}
	return schema.JSONObjectSchemaAllowingOtherKeys(properties)
}

func queryKeyValueSchema(k query.KeyDescription) *schema.Schema {
	switch k.Type {
	case query.BodyKeyTypeText:
		return schema.ScalarSchema("string")
	case query.BodyKeyTypeBoolean:
		return schema.ScalarSchema("boolean")
	case query.BodyKeyTypeInteger:
		return schema.ScalarSchema("integer")
	case query.BodyKeyTypeTextArray:
		return schema.JSONArraySchema(schema.ScalarSchema("string"))
	case query.BodyKeyTypeObject:
		return queryBodySchema(k.Nested)
	case query.BodyKeyTypeObjectArray:
		return schema.JSONArraySchema(queryBodySchema(k.Nested))
	case query.BodyKeyTypeObjectMap:
		return &schema.Schema{Type: schema.JSONTypes{"object"}, AdditionalProperties: queryBodySchema(k.Nested)}
	case query.BodyKeyTypeScalarMap:
		return paramBindingsSchema()
	case query.BodyKeyTypeTextOrObjectArray:
		return schema.JSONArraySchema(&schema.Schema{AnyOf: []*schema.Schema{schema.ScalarSchema("string"), queryBodySchema(k.Nested)}})
	case query.BodyKeyTypeNestedTextArray:
		return schema.JSONArraySchema(schema.JSONArraySchema(schema.ScalarSchema("string")))
	case query.BodyKeyTypeNumber:
		return schema.ScalarSchema("number")
	case query.BodyKeyTypeObjectOrArray:
		item := queryBodySchema(k.Nested)
		return &schema.Schema{AnyOf: []*schema.Schema{item, schema.JSONArraySchema(item)}}
	case query.BodyKeyTypeBooleanOrText:
		return &schema.Schema{Type: schema.JSONTypes{"boolean", "string"}}
	}
	return &schema.Schema{}
}

// paramBindingsSchema returns the schema of values of parameters by name: a scalar, or a list of scalars.
func paramBindingsSchema() *schema.Schema {
	scalar := &schema.Schema{Type: schema.JSONTypes{"string", "number", "boolean", "null"}}
	value := &schema.Schema{Type: append(append(schema.JSONTypes{}, scalar.Type...), "array"), Items: scalar}
	return &schema.Schema{Type: schema.JSONTypes{"object"}, AdditionalProperties: value}
}
