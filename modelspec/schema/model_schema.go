package schema

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/extension"
)

// nonBlankPattern is the pattern of a string with content.
const nonBlankPattern = `\S`

// definitionNameByObjectKind names the kinds of objects in the definitions.
var definitionNameByObjectKind = map[modelspec.ObjectKind]string{
	modelspec.KindModel: "model", modelspec.KindDataset: "dataset", modelspec.KindField: "field",
	modelspec.KindDimension: "dimension", modelspec.KindRelationship: "relationship", modelspec.KindMetric: "metric",
	modelspec.KindExpression: "expression", modelspec.KindDialectEntry: "dialect_entry", modelspec.KindAIContext: "ai_context",
}

// extensionCarrierOfObject are the objects that carry payloads.
var extensionCarrierOfObject = map[modelspec.ObjectKind]extension.Carrier{
	modelspec.KindModel: extension.CarrierModel, modelspec.KindDataset: extension.CarrierDataset, modelspec.KindField: extension.CarrierField,
	modelspec.KindRelationship: extension.CarrierRelationship, modelspec.KindMetric: extension.CarrierMetric,
}

// ModelSchema returns the schema of a model file.
func ModelSchema() *Schema {
	s := schemaOfObjectKind(modelspec.RootKeysOf(false), modelspec.KindModel)
	s.Properties = append(s.Properties, schemaOfObjectKind(modelspec.KeysOfObjectKind(modelspec.KindModel), modelspec.KindModel).Properties...)
	s.Draft, s.Title = JSONSchemaVersion, "semlayer model (Apache Ossie "+modelspec.SpecVersion+")"
	s.Description = "A semantic model: datasets, their joins and metrics. The model is at the root, or the one item of semantic_model."
	s.OneOf = []*Schema{{Required: []string{"semantic_model"}}, {Required: []string{"name", "datasets"}}}
	for kind := modelspec.KindModel; kind <= modelspec.KindAIContext; kind++ {
		if name := definitionNameByObjectKind[kind]; name != "" {
			s.Defs = append(s.Defs, Property{name, schemaOfObjectKind(modelspec.KeysOfObjectKind(kind), kind)})
		}
		if carrier, ok := extensionCarrierOfObject[kind]; ok {
			s.Defs = append(s.Defs, Property{extensionDefinitionName(kind), schemaOfExtensionEntry(carrier)})
		}
	}
	return s
}

func extensionDefinitionName(kind modelspec.ObjectKind) string {
	return definitionNameByObjectKind[kind] + "_extension"
}

// schemaOfObjectKind is the schema of an object of a kind, with the given keys.
func schemaOfObjectKind(keys []modelspec.ObjectKeyDefinition, kind modelspec.ObjectKind) *Schema {
	var properties OrderedProperties
	var required []string
	for _, k := range keys {
		s := schemaOfKeyValue(k, kind)
		if k.Required {
			required = append(required, k.Name)
		} else {
			s = s.AllowNull()
		}
		properties = append(properties, Property{k.Name, s.WithDescription(k.Summary)})
	}
	return ObjectSchema(properties, required...)
}

// schemaOfKeyValue is the schema of the value of a key of an object.
func schemaOfKeyValue(k modelspec.ObjectKeyDefinition, owner modelspec.ObjectKind) *Schema {
	switch k.Type {
	case modelspec.TypeText:
		s := EnumSchema(k.Enum...)
		s.EnumDescriptions = k.EnumSummaries
		if k.Required && len(k.Enum) == 0 {
			s.Pattern = nonBlankPattern
		}
		return s
	case modelspec.TypeBoolean:
		return ScalarSchema("boolean")
	case modelspec.TypeTexts:
		return ListSchema(ScalarSchema("string"))
	case modelspec.TypeTextLists:
		return ListSchema(ListSchema(ScalarSchema("string")))
	case modelspec.TypeObject:
		return DefinitionRef(definitionNameByObjectKind[k.Object])
	case modelspec.TypeObjects:
		if k.Object == modelspec.KindExtension {
			return ListSchema(DefinitionRef(extensionDefinitionName(owner)))
		}
		return ListSchema(DefinitionRef(definitionNameByObjectKind[k.Object]))
	case modelspec.TypeTextOrObject:
		return &Schema{AnyOf: []*Schema{ScalarSchema("string"), DefinitionRef(definitionNameByObjectKind[k.Object])}}
	}
	return &Schema{} // of any type
}

// schemaOfExtensionEntry is the schema of an entry of custom_extensions on a carrier. Data is a
// string in payloads that semlayer reads; other vendors may put anything into it.
func schemaOfExtensionEntry(carrier extension.Carrier) *Schema {
	s := schemaOfObjectKind(modelspec.KeysOfObjectKind(modelspec.KindExtension), modelspec.KindExtension)
	for i := range s.Properties {
		if p := &s.Properties[i]; p.Name == "data" {
			p.Schema.ContentMediaType = "application/json"
			p.Schema.ContentSchema = PayloadSchema(carrier)
		}
	}
	var names []string
	for _, name := range modelspec.ExtensionVendors() {
		names = append(names, CaseInsensitivePattern(name))
	}
	ours := &Schema{Pattern: "^(" + strings.Join(names, "|") + ")$"}
	s.If = &Schema{Required: []string{"vendor_name"}, Properties: OrderedProperties{{"vendor_name", ours}}}
	s.Then = &Schema{Required: []string{"data"}, Properties: OrderedProperties{{"data", ScalarSchema("string")}}}
	return s
}

// PayloadSchema returns the schema of the JSON document that a carrier's payload is.
func PayloadSchema(carrier extension.Carrier) *Schema {
	return schemaOfPayloadShape(extension.PayloadShape(carrier))
}

// schemaOfPayloadShape is the schema of a value in a payload.
func schemaOfPayloadShape(s extension.ValueShape) *Schema {
	switch s.Type {
	case extension.TypeText:
		out := EnumSchema(s.Enum...)
		out.Pattern = s.Pattern
		if s.Pattern == "" && len(s.Enum) == 0 {
			out.Pattern = nonBlankPattern
		}
		return out
	case extension.TypeBoolean:
		return ScalarSchema("boolean")
	case extension.TypeNumber:
		return ScalarSchema("number")
	case extension.TypeCountOrParamSlot:
		return &Schema{AnyOf: []*Schema{
			{Type: JSONTypes{"integer"}, Minimum: &s.Least},
			{Type: JSONTypes{"string"}, Pattern: "^:", Description: "a parameter slot"},
		}}
	case extension.TypeLiteral:
		return &Schema{Type: JSONTypes{"string", "number", "boolean"}}
	case extension.TypeList:
		out := ListSchema(schemaOfPayloadShape(*s.Item))
		out.MinItems = s.Least
		return out
	case extension.TypeObject:
		if s.Item != nil {
			return &Schema{Type: JSONTypes{"object"}, AdditionalProperties: schemaOfPayloadShape(*s.Item)}
		}
		return objectSchemaOfMembers(s.Members)
	case extension.TypeAnyOf:
		out := &Schema{}
		for _, form := range s.Forms {
			out.AnyOf = append(out.AnyOf, schemaOfPayloadShape(form))
		}
		return out
	}
	return &Schema{}
}

func objectSchemaOfMembers(list []extension.ObjectMemberDefinition) *Schema {
	var properties OrderedProperties
	var required []string
	for _, m := range list {
		s := schemaOfPayloadShape(m.Shape)
		if m.Required {
			required = append(required, m.Name)
		} else {
			s = s.AllowNull()
		}
		properties = append(properties, Property{m.Name, s.WithDescription(m.Summary)})
	}
	return ObjectSchema(properties, required...)
}
