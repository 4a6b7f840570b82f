package schema

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/extension"
)

// nonBlank is the pattern of a string with content.
const nonBlank = `\S`

// objectNames names the kinds of objects in the definitions.
var objectNames = map[modelspec.ObjectKind]string{
	modelspec.KindModel: "model", modelspec.KindDataset: "dataset", modelspec.KindField: "field",
	modelspec.KindDimension: "dimension", modelspec.KindRelationship: "relationship", modelspec.KindMetric: "metric",
	modelspec.KindExpression: "expression", modelspec.KindDialectEntry: "dialect_entry", modelspec.KindAIContext: "ai_context",
}

// carriers are the objects that carry payloads.
var carriers = map[modelspec.ObjectKind]extension.Carrier{
	modelspec.KindModel: extension.OnModel, modelspec.KindDataset: extension.OnDataset, modelspec.KindField: extension.OnField,
	modelspec.KindRelationship: extension.OnRelationship, modelspec.KindMetric: extension.OnMetric,
}

// Model returns the schema of a model file.
func Model() *Schema {
	s := object(modelspec.RootKeysOf(false), modelspec.KindModel)
	s.Properties = append(s.Properties, object(modelspec.KeysOf(modelspec.KindModel), modelspec.KindModel).Properties...)
	s.Draft, s.Title = Draft, "semlayer model (Apache Ossie "+modelspec.SpecVersion+")"
	s.Description = "A semantic model: datasets, their joins and metrics. The model is at the root, or the one item of semantic_model."
	s.OneOf = []*Schema{{Required: []string{"semantic_model"}}, {Required: []string{"name", "datasets"}}}
	for kind := modelspec.KindModel; kind <= modelspec.KindAIContext; kind++ {
		if name := objectNames[kind]; name != "" {
			s.Defs = append(s.Defs, Property{name, object(modelspec.KeysOf(kind), kind)})
		}
		if carrier, ok := carriers[kind]; ok {
			s.Defs = append(s.Defs, Property{extensionName(kind), extensionSchema(carrier)})
		}
	}
	return s
}

func extensionName(kind modelspec.ObjectKind) string { return objectNames[kind] + "_extension" }

// object is the schema of an object of a kind, with the given keys.
func object(keys []modelspec.ObjectKey, kind modelspec.ObjectKind) *Schema {
	var properties Properties
	var required []string
	for _, k := range keys {
		s := value(k, kind)
		if k.Required {
			required = append(required, k.Name)
		} else {
			s = s.Nullable()
		}
		properties = append(properties, Property{k.Name, s.Described(k.Summary)})
	}
	return ObjectOf(properties, required...)
}

// value is the schema of the value of a key of an object.
func value(k modelspec.ObjectKey, owner modelspec.ObjectKind) *Schema {
	switch k.Type {
	case modelspec.TypeText:
		s := Words(k.Enum...)
		s.EnumDescriptions = k.EnumSummaries
		if k.Required && len(k.Enum) == 0 {
			s.Pattern = nonBlank
		}
		return s
	case modelspec.TypeBoolean:
		return Value("boolean")
	case modelspec.TypeTexts:
		return ListOf(Value("string"))
	case modelspec.TypeTextLists:
		return ListOf(ListOf(Value("string")))
	case modelspec.TypeObject:
		return Ref(objectNames[k.Object])
	case modelspec.TypeObjects:
		if k.Object == modelspec.KindExtension {
			return ListOf(Ref(extensionName(owner)))
		}
		return ListOf(Ref(objectNames[k.Object]))
	case modelspec.TypeTextOrObject:
		return &Schema{AnyOf: []*Schema{Value("string"), Ref(objectNames[k.Object])}}
	}
	return &Schema{} // of any type
}

// extensionSchema is the schema of an entry of custom_extensions on a carrier. Data is a
// string in payloads that semlayer reads; other vendors may put anything into it.
func extensionSchema(carrier extension.Carrier) *Schema {
	s := object(modelspec.KeysOf(modelspec.KindExtension), modelspec.KindExtension)
	for i := range s.Properties {
		if p := &s.Properties[i]; p.Name == "data" {
			p.Schema.ContentMediaType = "application/json"
			p.Schema.ContentSchema = Payload(carrier)
		}
	}
	var names []string
	for _, name := range modelspec.ExtensionVendors() {
		names = append(names, AnyCase(name))
	}
	ours := &Schema{Pattern: "^(" + strings.Join(names, "|") + ")$"}
	s.If = &Schema{Required: []string{"vendor_name"}, Properties: Properties{{"vendor_name", ours}}}
	s.Then = &Schema{Required: []string{"data"}, Properties: Properties{{"data", Value("string")}}}
	return s
}

// Payload returns the schema of the JSON document that a carrier's payload is.
func Payload(carrier extension.Carrier) *Schema { return shape(extension.ShapeOn(carrier)) }

// shape is the schema of a value in a payload.
func shape(s extension.Shape) *Schema {
	switch s.Type {
	case extension.TypeText:
		out := Words(s.Enum...)
		out.Pattern = s.Pattern
		if s.Pattern == "" && len(s.Enum) == 0 {
			out.Pattern = nonBlank
		}
		return out
	case extension.TypeBoolean:
		return Value("boolean")
	case extension.TypeNumber:
		return Value("number")
	case extension.TypeCount:
		return &Schema{AnyOf: []*Schema{
			{Type: Types{"integer"}, Minimum: &s.Least},
			{Type: Types{"string"}, Pattern: "^:", Description: "a parameter slot"},
		}}
	case extension.TypeLiteral:
		return &Schema{Type: Types{"string", "number", "boolean"}}
	case extension.TypeList:
		out := ListOf(shape(*s.Item))
		out.MinItems = s.Least
		return out
	case extension.TypeObject:
		return members(s.Members)
	case extension.TypeAnyOf:
		out := &Schema{}
		for _, form := range s.Forms {
			out.AnyOf = append(out.AnyOf, shape(form))
		}
		return out
	}
	return &Schema{}
}

func members(list []extension.Member) *Schema {
	var properties Properties
	var required []string
	for _, m := range list {
		s := shape(m.Shape)
		if m.Required {
			required = append(required, m.Name)
		} else {
			s = s.Nullable()
		}
		properties = append(properties, Property{m.Name, s.Described(m.Summary)})
	}
	return ObjectOf(properties, required...)
}
