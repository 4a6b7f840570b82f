package openapi

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/swaggest/jsonschema-go"
	"github.com/swaggest/openapi-go/openapi31"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/lineage"
)

const mimeJSON = "application/json"

// schemaReflector turns Go types into schemas, and notes what it could not describe.
type schemaReflector struct {
	*openapi31.Reflector
	named  map[string]string // schema name to Go type
	failed []error
	used   map[string]bool // lines of the table of fields
}

func newSchemaReflector() *schemaReflector {
	r := &schemaReflector{Reflector: openapi31.NewReflector(), named: map[string]string{}, used: map[string]bool{}}
	r.InlineDefinition(engine.AttributionNumber(0))
	r.AddTypeMapping(engine.ResolvedTimeRange{}, ResolvedRanges(""))
	r.DefaultOptions = append(r.DefaultOptions,
		jsonschema.InterceptDefName(r.schemaName),
		jsonschema.InterceptNullability(removeNullability),
		jsonschema.InterceptSchema(r.completeSchema),
	)
	return r
}

func (r *schemaReflector) joinedErrors() error { return errors.Join(r.failed...) }

// schemaName returns the name of a type in the document: without its package, and without the
// suffix Info, or in the extension Definition, or in this package Schema.
func (r *schemaReflector) schemaName(t reflect.Type, _ string) string {
	pkg, name, _ := strings.Cut(t.String(), ".")
	switch {
	case t == reflect.TypeFor[engine.Attribution]():
		name = "Attribution"
	case t == reflect.TypeFor[engine.FindResult]():
		name = "FoundHits" // generators call the result of the operation find FindResult
	case t == reflect.TypeFor[lineage.Graph]():
		name = "Lineage"
	case pkg == "lineage":
		name = "Lineage" + name
	case pkg == "attribution":
		name = "Attribution" + name
	case pkg == "extension":
		name = "Extension" + strings.TrimSuffix(name, "Definition")
	case pkg == "openapi":
		name = strings.TrimSuffix(name, "Schema")
	default:
		name = strings.TrimSuffix(name, "Info")
	}
	if taken, ok := r.named[name]; ok && taken != t.String() {
		r.failed = append(r.failed, fmt.Errorf("%s and %s are both called %s", taken, t, name))
	}
	r.named[name] = t.String()
	return name
}

// removeNullability takes back that slices and maps may be null: the wire has them
// empty instead, or leaves them out.
func removeNullability(p jsonschema.InterceptNullabilityParams) {
	if p.NullAdded && p.Type != reflect.TypeFor[engine.AttributionNumber]() {
		p.Schema.RemoveType(jsonschema.Null)
	}
}

// completeSchema completes a schema: which properties are always there, what they mean
// and which values they have.
func (r *schemaReflector) completeSchema(p jsonschema.InterceptSchemaParams) (stop bool, err error) {
	t := p.Value.Type()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[engine.AttributionNumber]() {
		p.Schema.Type = nil
		p.Schema.AddType(jsonschema.Number)
		p.Schema.AddType(jsonschema.Null)
		return true, nil
	}
	if body, ok := p.Value.Interface().(Body); ok {
		if p.Processed {
			requireKeys(p.Schema, requiredKeys[body.DefName])
		}
		return false, nil
	}
	// A type is also looked at for fields that are parameters or form values.
	if !p.Processed || t.Kind() != reflect.Struct || p.Context.PropertyNameTag != "json" {
		return false, nil
	}
	if text, ok := typeDescriptions[t.String()]; ok {
		p.Schema.WithDescription(text)
		r.used[t.String()] = true
	}
	if p.Schema.Description == nil {
		r.failed = append(r.failed, fmt.Errorf("%s has no description", t))
	}
	for _, f := range jsonFieldsOf(t) {
		r.completeProperty(p.Schema, t, f)
	}
	slices.Sort(p.Schema.Required)
	return false, nil
}

func (r *schemaReflector) completeProperty(schema *jsonschema.Schema, owner reflect.Type, f jsonField) {
	property := schema.Properties[f.name].TypeObject
	if property == nil {
		r.failed = append(r.failed, fmt.Errorf("%s.%s has no schema", owner, f.name))
		return
	}
	line := f.owner.String() + "." + f.name
	about, ok := fieldDescriptions[line]
	if !ok {
		about, ok = attributionFieldDescriptions[line]
	}
	if ok {
		property.WithDescription(about.text)
		if len(about.values) > 0 {
			property.Enum = about.values
		}
		if about.scalar {
			restrictToScalars(property)
		}
		r.used[line] = true
	}
	if property.Description == nil {
		r.failed = append(r.failed, fmt.Errorf("%s has no description", line))
	}
	if f.nullable {
		property.AddType(jsonschema.Null)
	}
	if !f.optional && !slices.Contains(schema.Required, f.name) {
		schema.Required = append(schema.Required, f.name)
	}
}

// restrictToScalars narrows an unrestricted schema to a scalar: the schema of the property, or of its
// elements if it is a list or an object.
func restrictToScalars(property *jsonschema.Schema) {
	within := property
	switch {
	case property.HasType(jsonschema.Array):
		within = property.ItemsEns().SchemaOrBoolEns().TypeObjectEns()
	case property.HasType(jsonschema.Object):
		within = property.AdditionalPropertiesEns().TypeObjectEns()
	}
	within.Type = nil
	for _, t := range []jsonschema.SimpleType{jsonschema.String, jsonschema.Number, jsonschema.Boolean, jsonschema.Null} {
		within.AddType(t)
	}
}

// jsonField is a field of the JSON object. owner is the struct that declares it.
type jsonField struct {
	owner    reflect.Type
	name     string
	optional bool
	nullable bool // always there, and null without a value
}

func jsonFieldsOf(t reflect.Type) []jsonField {
	var out []jsonField
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			out = append(out, jsonFieldsOf(f.Type)...)
		case f.IsExported() && name != "-" && name != "":
			optional := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
			out = append(out, jsonField{t, name, optional, !optional && f.Type.Kind() == reflect.Pointer})
		}
	}
	return out
}

// describeErrorCodes writes all codes into the description of the code of an error.
func describeErrorCodes(spec *openapi31.Spec, codes []CodeDescription) {
	var b strings.Builder
	b.WriteString("Stable; messages are not. More codes may come with a new release.\n\n| code | status | when |\n|---|---|---|\n")
	for _, c := range codes {
		fmt.Fprintf(&b, "| `%s` | %d | %s |\n", c.Name, c.Status, strings.ReplaceAll(c.When, "|", "\\|"))
	}
	failure, _ := spec.ComponentsEns().Schemas["Error"]["properties"].(map[string]any)
	if code, ok := failure["code"].(map[string]any); ok {
		code["description"] = b.String()
	}
}
