package fileschema

import (
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/executor/profile"
	"github.com/semlayer/semlayer/modelspec/schema"
)

// blankOrVariable is the pattern of a text that is blank, which is the same as an absent key,
// or that holds a variable: ${NAME}.
const blankOrVariable = `^\s*$|\$\{`

// Connections returns the schema of a file of connection profiles.
func Connections() *schema.Schema {
	sources := schema.Ref("datasources").Nullable()
	services := schema.ObjectOf(schema.Properties{{Name: "datasources", Schema: sources}})
	agent := schema.ObjectOf(schema.Properties{
		{Name: "services", Schema: services.Nullable()},
		{Name: "datasources", Schema: sources},
	})
	s := schema.ObjectOf(schema.Properties{
		{Name: "datasources", Schema: sources.Described("the connection profiles by name")},
		{Name: "agent", Schema: agent.Nullable().Described("another place of the profiles: agent.services.datasources, agent.datasources")},
	})
	s.Draft, s.Title = schema.Draft, "semlayer connections"
	s.Description = "Connection profiles. A text may hold variables, as in ${PASSWORD}."
	s.Defs = schema.Properties{
		{Name: "datasources", Schema: &schema.Schema{Type: schema.Types{"object"}, AdditionalProperties: schema.Ref("profile")}},
		{Name: "profile", Schema: anyProfile()},
	}
	for _, t := range profile.Types() {
		s.Defs = append(s.Defs, schema.Property{Name: t.Name, Schema: profileKeys(t.KeyTypes)})
	}
	return s
}

// anyProfile is the schema of a profile of any type: the common keys, and those of its type.
func anyProfile() *schema.Schema {
	s := profileKeys(profile.CommonKeys())
	for _, t := range profile.Types() {
		names := append([]string{t.Name}, t.Aliases...)
		ofType := &schema.Schema{Type: schema.Types{"string"}, Pattern: anyCase(names)}
		s.AllOf = append(s.AllOf, &schema.Schema{
			If:   &schema.Schema{Required: []string{"type"}, Properties: schema.Properties{{Name: "type", Schema: ofType}}},
			Then: schema.Ref(t.Name),
		})
	}
	return s
}

func profileKeys(keys []profile.KeyDescription) *schema.Schema {
	var properties schema.Properties
	var required []string
	for _, k := range keys {
		s := keySchema(k)
		if k.Required {
			required = append(required, k.Name)
		} else {
			s = s.Nullable()
		}
		properties = append(properties, schema.Property{Name: k.Name, Schema: s})
	}
	return schema.ObjectOf(properties, required...)
}

// keySchema is the schema of a key. Profiles read every scalar as text, so that a number may be
// in quotes and a name may look like a number.
func keySchema(k profile.KeyDescription) *schema.Schema {
	variable := &schema.Schema{Type: schema.Types{"string"}, Pattern: blankOrVariable, Description: "a text with a variable, as in ${NAME}"}
	quoted := func(pattern string) *schema.Schema {
		return &schema.Schema{Type: schema.Types{"string"}, Pattern: pattern}
	}
	switch {
	case k.Type == profile.KeyBoolean:
		words := anyCase([]string{"true", "yes", "on", "1", "false", "no", "off", "0"})
		return &schema.Schema{AnyOf: []*schema.Schema{schema.Value("boolean"), quoted(words), {Enum: []any{0, 1}}, variable}}
	case k.Type == profile.KeyInteger:
		least := 1
		number := &schema.Schema{Type: schema.Types{"integer"}, Minimum: &least, Maximum: &k.Most}
		return &schema.Schema{AnyOf: []*schema.Schema{number, quoted(`^\s*\+?[0-9]+\s*$`), variable}}
	case k.Type == profile.KeyPaths:
		path := schema.Value("string")
		path.Pattern = `\S`
		paths := schema.ListOf(path)
		paths.MinItems = 1
		return &schema.Schema{AnyOf: []*schema.Schema{path, {Type: schema.Types{"number", "boolean"}}, paths}}
	case len(k.Words) > 0:
		out := &schema.Schema{AnyOf: []*schema.Schema{schema.Words(k.Words...), quoted(anyCase(k.Words)), variable}}
		if k.Name == "tls" {
			out.AnyOf = append(out.AnyOf, &schema.Schema{Type: schema.Types{"boolean", "integer"}}, quoted(anyCase([]string{"yes", "no", "on", "off", "0", "1"})))
		}
		return out
	}
	return &schema.Schema{Type: schema.Types{"string", "number", "boolean"}}
}

// anyCase is a pattern of words in any case, with spaces around them.
func anyCase(words []string) string {
	var out strings.Builder
	for i, word := range words {
		if i > 0 {
			out.WriteByte('|')
		}
		out.WriteString(schema.AnyCase(regexp.QuoteMeta(word)))
	}
	return `^\s*(` + out.String() + `)\s*$`
}
