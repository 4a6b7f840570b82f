package fileschema

import (
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/modelspec/schema"
)

// blankOrVariablePattern is the pattern of a text that is blank, which is the same as an absent key,
// or that holds a variable: ${NAME}.
const blankOrVariablePattern = `^\s*$|\$\{`

// ConnectionsSchema returns the schema of a file of connection profiles.
func ConnectionsSchema() *schema.Schema {
	sources := schema.DefinitionRef("datasources").AllowNull()
	services := schema.JSONObjectSchemaAllowingOtherKeys(schema.OrderedProperties{{Name: "datasources", Schema: sources}})
	agent := schema.JSONObjectSchemaAllowingOtherKeys(schema.OrderedProperties{
		{Name: "services", Schema: services.AllowNull()},
		{Name: "datasources", Schema: sources},
	})
	s := schema.JSONObjectSchemaAllowingOtherKeys(schema.OrderedProperties{
		{Name: "datasources", Schema: sources.WithDescription("the connection profiles by name")},
		{Name: "agent", Schema: agent.AllowNull().WithDescription("another place of the profiles: agent.services.datasources, agent.datasources")},
	})
	s.Draft, s.Title = schema.JSONSchemaVersion, "semlayer connections"
	s.Description = "Connection profiles. A text may hold variables, as in ${PASSWORD}."
	s.Defs = schema.OrderedProperties{
		{Name: "datasources", Schema: &schema.Schema{Type: schema.JSONTypes{"object"}, AdditionalProperties: schema.DefinitionRef("profile")}},
		{Name: "profile", Schema: anyProfileSchema()},
	}
	for _, t := range profile.DescribeWarehouseTypes() {
		s.Defs = append(s.Defs, schema.Property{Name: t.Name, Schema: profileKeysSchema(t.KeyTypes)})
	}
	return s
}

// anyProfileSchema returns the schema of a profile of any type: the common keys, and those of its type.
func anyProfileSchema() *schema.Schema {
	s := profileKeysSchema(profile.CommonKeys())
	for _, t := range profile.DescribeWarehouseTypes() {
		names := append([]string{t.Name}, t.Aliases...)
		ofType := &schema.Schema{Type: schema.JSONTypes{"string"}, Pattern: anyCasePattern(names)}
		s.AllOf = append(s.AllOf, &schema.Schema{
			If:   &schema.Schema{Required: []string{"type"}, Properties: schema.OrderedProperties{{Name: "type", Schema: ofType}}},
			Then: schema.DefinitionRef(t.Name),
		})
	}
	return s
}

func profileKeysSchema(keys []profile.KeyDescription) *schema.Schema {
	var properties schema.OrderedProperties
	var required []string
	for _, k := range keys {
		s := profileKeySchema(k)
		if k.Required {
			required = append(required, k.Name)
		} else {
			s = s.AllowNull()
		}
		properties = append(properties, schema.Property{Name: k.Name, Schema: s})
	}
	return schema.JSONObjectSchemaAllowingOtherKeys(properties, required...)
}

// profileKeySchema returns the schema of a key. Profiles read every scalar as text, so that a number may be
// in quotes and a name may look like a number.
func profileKeySchema(k profile.KeyDescription) *schema.Schema {
	variable := &schema.Schema{Type: schema.JSONTypes{"string"}, Pattern: blankOrVariablePattern, Description: "a text with a variable, as in ${NAME}"}
	quoted := func(pattern string) *schema.Schema {
		return &schema.Schema{Type: schema.JSONTypes{"string"}, Pattern: pattern}
	}
	switch {
	case k.Type == profile.KeyTypeBoolean:
		words := anyCasePattern([]string{"true", "yes", "on", "1", "false", "no", "off", "0"})
		return &schema.Schema{AnyOf: []*schema.Schema{schema.ScalarSchema("boolean"), quoted(words), {Enum: []any{0, 1}}, variable}}
	case k.Type == profile.KeyTypeInteger:
		number := &schema.Schema{Type: schema.JSONTypes{"integer"}, Minimum: &k.Least, Maximum: &k.Most}
		return &schema.Schema{AnyOf: []*schema.Schema{number, quoted(`^\s*\+?[0-9]+\s*$`), variable}}
	case k.Type == profile.KeyTypePaths:
		path := schema.ScalarSchema("string")
		path.Pattern = `\S`
		paths := schema.JSONArraySchema(path)
		paths.MinItems = 1
		return &schema.Schema{AnyOf: []*schema.Schema{path, {Type: schema.JSONTypes{"number", "boolean"}}, paths}}
	case k.Type == profile.KeyTypeSession:
		value := &schema.Schema{Type: schema.JSONTypes{"string", "number", "boolean"}}
		set := schema.JSONObjectSchemaAllowingOtherKeys(nil)
		set.AdditionalProperties = value
		out := schema.JSONObjectSchemaAllowingOtherKeys(schema.OrderedProperties{{Name: "role", Schema: value}, {Name: "allowed_roles", Schema: schema.JSONArraySchema(value)}, {Name: "set", Schema: set}})
		out.AdditionalProperties, out.MinProperties = false, 1
		return out
	case k.Type == profile.KeyTypeExec:
		command := schema.JSONArraySchema(schema.ScalarSchema("string"))
		command.MinItems = 1
		out := schema.JSONObjectSchemaAllowingOtherKeys(schema.OrderedProperties{{Name: "command", Schema: command}, {Name: "timeout_seconds", Schema: &schema.Schema{Type: schema.JSONTypes{"string", "integer"}}}}, "command")
		out.AdditionalProperties = false
		return out
	case k.Type == profile.KeyTypeCache:
		value := &schema.Schema{Type: schema.JSONTypes{"string", "integer"}}
		enabled := &schema.Schema{Type: schema.JSONTypes{"string", "boolean"}}
		out := schema.JSONObjectSchemaAllowingOtherKeys(schema.OrderedProperties{{Name: "ttl_secs", Schema: value}, {Name: "check_secs", Schema: value}, {Name: "enabled", Schema: enabled}})
		out.AdditionalProperties = false
		return out
	case k.Type == profile.KeyTypeRollups:
		text := &schema.Schema{Type: schema.JSONTypes{"string", "number", "boolean"}}
		return schema.JSONObjectSchemaAllowingOtherKeys(schema.OrderedProperties{
			{Name: "schema", Schema: text}, {Name: "writable", Schema: &schema.Schema{Type: schema.JSONTypes{"string", "boolean"}}}, {Name: "grant_to", Schema: schema.JSONArraySchema(text)},
		})
	case k.Type == profile.KeyTypeTexts:
		out := schema.JSONObjectSchemaAllowingOtherKeys(nil)
		out.AdditionalProperties = &schema.Schema{Type: schema.JSONTypes{"string", "number", "boolean"}}
		return out
	case len(k.Words) > 0:
		out := &schema.Schema{AnyOf: []*schema.Schema{schema.EnumSchema(k.Words...), quoted(anyCasePattern(k.Words)), variable}}
		if k.Name == "tls" {
			out.AnyOf = append(out.AnyOf, &schema.Schema{Type: schema.JSONTypes{"boolean", "integer"}}, quoted(anyCasePattern([]string{"yes", "no", "on", "off", "0", "1"})))
		}
		return out
	}
	return &schema.Schema{Type: schema.JSONTypes{"string", "number", "boolean"}}
}

// anyCasePattern returns a pattern of words in any case, with spaces around them.
func anyCasePattern(words []string) string {
	var out strings.Builder
	for i, word := range words {
		if i > 0 {
			out.WriteByte('|')
		}
		out.WriteString(schema.CaseInsensitivePattern(regexp.QuoteMeta(word)))
	}
	return `^\s*(` + out.String() + `)\s*$`
}
