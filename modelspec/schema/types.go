package schema

import (
	"bytes"
	"encoding/json"
	"strings"
)

// JSONSchemaVersion is the version of JSON Schema.
const JSONSchemaVersion = "https://json-schema.org/draft/2020-12/schema"

// Schema is one schema. Its keys are written in the order of the fields.
type Schema struct {
	Draft       string `json:"$schema,omitempty"`
	Title       string `json:"title,omitempty"`
	Ref         string `json:"$ref,omitempty"`
	Description string `json:"description,omitempty"`

	Type             JSONTypes `json:"type,omitempty"`
	Enum             []any     `json:"enum,omitempty"`
	EnumDescriptions []string  `json:"enumDescriptions,omitempty"` // a key of editors
	Const            any       `json:"const,omitempty"`
	Pattern          string    `json:"pattern,omitempty"`
	Minimum          *int      `json:"minimum,omitempty"`
	Maximum          *int      `json:"maximum,omitempty"`
	MinItems         int       `json:"minItems,omitempty"`
	MinProperties    int       `json:"minProperties,omitempty"`
	MaxProperties    int       `json:"maxProperties,omitempty"`

	ContentMediaType string  `json:"contentMediaType,omitempty"`
	ContentSchema    *Schema `json:"contentSchema,omitempty"`

	Items                *Schema           `json:"items,omitempty"`
	Required             []string          `json:"required,omitempty"`
	Properties           OrderedProperties `json:"properties,omitempty"`
	AdditionalProperties any               `json:"additionalProperties,omitempty"` // true, or a *Schema
	PropertyNames        *Schema           `json:"propertyNames,omitempty"`

	AnyOf []*Schema `json:"anyOf,omitempty"`
	OneOf []*Schema `json:"oneOf,omitempty"`
	AllOf []*Schema `json:"allOf,omitempty"`
	Not   *Schema   `json:"not,omitempty"`
	If    *Schema   `json:"if,omitempty"`
	Then  *Schema   `json:"then,omitempty"`

	Defs OrderedProperties `json:"$defs,omitempty"`
}

// JSONTypes are the JSON types that a value may have: one is written alone, several as a list.
type JSONTypes []string

// MarshalJSON writes the types.
func (t JSONTypes) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// OrderedProperties are named schemas in an order that the text keeps.
type OrderedProperties []Property

// Property is one named schema.
type Property struct {
	Name   string
	Schema *Schema
}

// MarshalJSON writes an object with the names in their order.
func (p OrderedProperties) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, property := range p {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(property.Name)
		if err != nil {
			return nil, err
		}
		value, err := encodeJSONWithoutHTMLEscapes(property.Schema)
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// encodeJSONWithoutHTMLEscapes is json.Marshal with < > & as they are.
func encodeJSONWithoutHTMLEscapes(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// JSON returns the text of the schema, indented, with a line end.
func (s *Schema) JSON() ([]byte, error) {
	text, err := encodeJSONWithoutHTMLEscapes(s)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = json.Indent(&out, text, "", "  ")
	out.WriteByte('\n')
	return out.Bytes(), err
}

// JSONObjectSchemaAllowingOtherKeys returns the schema of an object that may have other keys, too. An optional key may
// be null, which is the same as its absence.
func JSONObjectSchemaAllowingOtherKeys(properties OrderedProperties, required ...string) *Schema {
	return &Schema{Type: JSONTypes{"object"}, Required: required, Properties: properties, AdditionalProperties: true}
}

// JSONArraySchema returns the schema of a list.
func JSONArraySchema(item *Schema) *Schema { return &Schema{Type: JSONTypes{"array"}, Items: item} }

// ScalarSchema returns the schema of a scalar of a JSON type.
func ScalarSchema(jsonType string) *Schema { return &Schema{Type: JSONTypes{jsonType}} }

// EnumSchema returns the schema of a string with a closed set of values.
func EnumSchema(words ...string) *Schema {
	s := ScalarSchema("string")
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

// DefinitionRef returns a reference to a schema of the definitions.
func DefinitionRef(name string) *Schema { return &Schema{Ref: "#/$defs/" + name} }

// AllowNull lets a schema be null, too.
func (s *Schema) AllowNull() *Schema {
	switch {
	case s.Ref != "":
		return &Schema{AnyOf: []*Schema{s, ScalarSchema("null")}}
	case len(s.AnyOf) > 0:
		out := *s
		out.AnyOf = append(append([]*Schema{}, s.AnyOf...), ScalarSchema("null"))
		return &out
	case len(s.Type) == 0:
		return s
	}
	out := *s
	out.Type = append(append(JSONTypes{}, s.Type...), "null")
	if len(s.Enum) > 0 {
		out.Enum = append(append([]any{}, s.Enum...), nil)
	}
	return &out
}

// WithDescription returns the schema with a description.
func (s *Schema) WithDescription(text string) *Schema {
	out := *s
	out.Description = text
	return &out
}

// CaseInsensitivePattern returns a pattern of a text in any case. Characters without a case stay as they are.
func CaseInsensitivePattern(text string) string {
	var out strings.Builder
	for _, r := range text {
		lower, upper := strings.ToLower(string(r)), strings.ToUpper(string(r))
		if lower == upper {
			out.WriteString(lower)
		} else {
			out.WriteString("[" + upper + lower + "]")
		}
	}
	return out.String()
}
