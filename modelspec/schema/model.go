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
	modelspec.ObjectKindModel: "model", modelspec.ObjectKindDataset: "dataset", modelspec.ObjectKindField: "field",
	modelspec.ObjectKindDimension: "dimension", modelspec.ObjectKindRelationship: "relationship", modelspec.ObjectKindMetric: "metric",
	modelspec.ObjectKindExpression: "expression", modelspec.ObjectKindDialectEntry: "dialect_entry", modelspec.ObjectKindAIContext: "ai_context",
}

// extensionCarrierOfObject are the objects that carry payloads.
var extensionCarrierOfObject = map[modelspec.ObjectKind]extension.Carrier{
	modelspec.ObjectKindModel: extension.CarrierModel, modelspec.ObjectKindDataset: extension.CarrierDataset, modelspec.ObjectKindField: extension.CarrierField,
	modelspec.ObjectKindRelationship: extension.CarrierRelationship, modelspec.ObjectKindMetric: extension.CarrierMetric,
}

// ModelSchema returns the schema of a model file.
func ModelSchema() *Schema {
	s := schemaOfObjectKind(modelspec.RootKeysOf(false), modelspec.ObjectKindModel)
	s.Properties = append(s.Properties, schemaOfObjectKind(modelspec.KeysOfObjectKind(modelspec.ObjectKindModel), modelspec.ObjectKindModel).Properties...)
	s.Draft, s.Title = JSONSchemaVersion, "semlayer model (Apache Ossie "+modelspec.SpecVersion+")"
	s.Description = "A semantic model: datasets, their joins and metrics. The model is at the root, or the one item of semantic_model."
	s.OneOf = []*Schema{{Required: []string{"semantic_model"}}, {Required: []string{"name", "datasets"}}}
	for kind := modelspec.ObjectKindModel; kind <= modelspec.ObjectKindAIContext; kind++ {
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

// schemaOfObjectKind returns the schema of an object of a kind, with the given keys.
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
	return JSONObjectSchemaAllowingOtherKeys(properties, required...)
}

// schemaOfKeyValue returns the schema of the value of a key of an object.
func schemaOfKeyValue(k modelspec.ObjectKeyDefinition, owner modelspec.ObjectKind) *Schema {
	switch k.Type {
	case modelspec.ValueTypeText:
		s := EnumSchema(k.Enum...)
		s.EnumDescriptions = k.EnumSummaries
		if k.Required && len(k.Enum) == 0 {
			s.Pattern = nonBlankPattern
		}
		return s
	case modelspec.ValueTypeBoolean:
		return ScalarSchema("boolean")
	case modelspec.ValueTypeTextList:
		return JSONArraySchema(ScalarSchema("string"))
	case modelspec.ValueTypeListOfTextLists:
		return JSONArraySchema(JSONArraySchema(ScalarSchema("string")))
	case modelspec.ValueTypeObject:
		return DefinitionRef(definitionNameByObjectKind[k.Object])
	case modelspec.ValueTypeObjectList:
		if k.Object == modelspec.ObjectKindExtension {
			return JSONArraySchema(DefinitionRef(extensionDefinitionName(owner)))
		}
		return JSONArraySchema(DefinitionRef(definitionNameByObjectKind[k.Object]))
	case modelspec.ValueTypeTextOrObject:
		return &Schema{AnyOf: []*Schema{ScalarSchema("string"), DefinitionRef(definitionNameByObjectKind[k.Object])}}
	}
	return &Schema{} // of any type
}

// schemaOfExtensionEntry returns the schema of an entry of custom_extensions on a carrier. Data is a
// string in payloads that semlayer reads; other vendors may put anything into it.
func schemaOfExtensionEntry(carrier extension.Carrier) *Schema {
	s := schemaOfObjectKind(modelspec.KeysOfObjectKind(modelspec.ObjectKindExtension), modelspec.ObjectKindExtension)
	for i := range s.Properties {
		if p := &s.Properties[i]; p.Name == "data" {
			p.Schema.ContentMediaType = "application/json"
			p.Schema.ContentSchema = PayloadSchema(carrier)
		}
	}
	ours := &Schema{Pattern: caseInsensitiveNamesPattern(modelspec.ExtensionVendors())}
	s.If = &Schema{Required: []string{"vendor_name"}, Properties: OrderedProperties{{"vendor_name", ours}}}
	s.Then = &Schema{Required: []string{"data"}, Properties: OrderedProperties{{"data", ScalarSchema("string")}}}
	return s
}

// caseInsensitiveNamesPattern returns the pattern of any of the names, in any case.
func caseInsensitiveNamesPattern(names []string) string {
	patterns := make([]string, len(names))
	for i, name := range names {
		patterns[i] = CaseInsensitivePattern(name)
	}
	return "^(" + strings.Join(patterns, "|") + ")$"
}

// PayloadSchema returns the schema of the JSON document that a carrier's payload is.
func PayloadSchema(carrier extension.Carrier) *Schema {
	return schemaOfPayloadShape(extension.PayloadShape(carrier))
}

// schemaOfPayloadShape returns the schema of a value in a payload.
func schemaOfPayloadShape(s extension.ValueShape) *Schema {
	switch s.Type {
	case extension.PayloadValueText:
		out := EnumSchema(s.Enum...)
		switch {
		case s.Pattern != nil:
			out.Pattern = s.Pattern.String()
		case len(s.Enum) == 0:
			out.Pattern = nonBlankPattern
		}
		if len(s.Except) > 0 {
			out.Not = &Schema{Pattern: caseInsensitiveNamesPattern(s.Except)}
		}
		if s.Name != nil {
			return &Schema{AnyOf: []*Schema{out, schemaOfPayloadShape(*s.Name)}}
		}
		return out
	case extension.PayloadValueBoolean:
		return ScalarSchema("boolean")
	case extension.PayloadValueNumber:
		return ScalarSchema("number")
	case extension.PayloadValueInteger:
		return &Schema{Type: JSONTypes{"integer"}, Minimum: &s.Least}
	case extension.PayloadValueCountOrParamSlot:
		count := &Schema{Type: JSONTypes{"integer"}, Minimum: &s.Least}
		if s.Most > 0 {
			count.Maximum = &s.Most
		}
		out := &Schema{AnyOf: []*Schema{
			count,
			{Type: JSONTypes{"string"}, Pattern: "^:", Description: "a parameter slot"},
		}}
		if len(s.Enum) > 0 {
			return &Schema{AnyOf: []*Schema{EnumSchema(s.Enum...), out}}
		}
		return out
	case extension.PayloadValueScalar:
		return &Schema{Type: JSONTypes{"string", "number", "boolean"}}
	case extension.PayloadValueList:
		out := JSONArraySchema(schemaOfPayloadShape(*s.Item))
		out.MinItems = s.Least
		return out
	case extension.PayloadValueObject:
		if s.Item != nil {
			out := &Schema{Type: JSONTypes{"object"}, AdditionalProperties: schemaOfPayloadShape(*s.Item), MinProperties: s.Least, MaxProperties: s.Most}
			if s.Name != nil {
				out.PropertyNames = schemaOfPayloadShape(*s.Name)
			}
			return out
		}
		return objectSchemaOfMembers(s.Members)
	case extension.PayloadValueAnyOf:
		out := &Schema{}
		for _, form := range s.Forms {
			out.AnyOf = append(out.AnyOf, schemaOfPayloadShape(form))
		}
		return out
	case extension.PayloadValueOneOf:
		out := &Schema{}
		for _, form := range s.Forms {
			out.OneOf = append(out.OneOf, schemaOfPayloadShape(form))
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
	return JSONObjectSchemaAllowingOtherKeys(properties, required...)
}
