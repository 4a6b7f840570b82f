package openapi

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/swaggest/openapi-go"
	"github.com/swaggest/openapi-go/openapi31"
)

// Document describes the interface of one server.
type Document struct {
	Title, Version, Description string
	// Server is the URL that the paths of the operations are under, maybe without a host.
	Server string
	// Secured: the operations that are not open need a bearer token.
	Secured    bool
	Tags       []Tag
	Operations []Operation
	Codes      []CodeDescription
}

// Tag is a group of operations.
type Tag struct{ Name, Description string }

// CodeDescription is one error code, for the description of all.
type CodeDescription struct {
	Name   string
	Status int
	When   string
}

// Operation is one route.
type Operation struct {
	// ID names the operation in generated code.
	ID           string
	Method, Path string
	Tag          string
	Summary      string
	Description  string
	Open         bool // needs no token
	Parameters   []Parameter
	// Body is a value of the type that the request's JSON has; nil for none.
	Body     any
	Examples []Example
	Answers  []Response
	Failures []FailureStatusWithCodes
}

// Parameter is one parameter of the query string, or a header.
type Parameter struct {
	Name, In    string
	Description string
	Example     string // "" for none
	// Const is the one value that has a meaning, "" for any.
	Const string
	// Integer and Boolean are the types of the value; a parameter without either is a text.
	Integer *IntegerBounds
	Boolean bool
}

// IntegerBounds are the least and the greatest integer that a parameter can be. Most is 0 where it has no bound.
type IntegerBounds struct{ Least, Most int64 }

// Example is one body that works.
type Example struct {
	Name, Summary string
	Value         any
}

// Response is one response. Type is a value of the type that its JSON has; a response that is
// not JSON has a Media instead, and one with neither has no body.
type Response struct {
	Status      int
	Description string
	Type        any
	Media       string
	Binary      bool
	Headers     []Header
}

// Header is a header of a response.
type Header struct{ Name, Description string }

// FailureStatusWithCodes is a status with the codes that come with it, the commonest first.
type FailureStatusWithCodes struct {
	Status      int
	Description string
	Codes       []CodeDescription
	Headers     []Header
}

const bearerScheme = "bearer"

// JSON writes the document. The same Document gives the same bytes.
func (d Document) JSON() ([]byte, error) {
	r := newSchemaReflector()
	spec := r.SpecEns()
	spec.Info = openapi31.Info{Title: d.Title, Version: d.Version, Description: &d.Description}
	spec.Info.License = (&openapi31.License{Name: "Apache-2.0"}).WithIdentifier("Apache-2.0")
	spec.Servers = []openapi31.Server{{URL: d.Server}}
	for _, t := range d.Tags {
		spec.Tags = append(spec.Tags, openapi31.Tag{Name: t.Name, Description: &t.Description})
	}
	if d.Secured {
		spec.SetHTTPBearerTokenSecurity(bearerScheme, "", "One of the tokens of the server.")
	}
	for _, o := range d.Operations {
		if err := d.addOperation(r, o); err != nil {
			return nil, fmt.Errorf("%s %s: %w", o.Method, o.Path, err)
		}
	}
	if err := r.joinedErrors(); err != nil {
		return nil, err
	}
	describeErrorCodes(spec, d.Codes)
	return json.Marshal(spec)
}

func (d Document) addOperation(r *schemaReflector, o Operation) error {
	oc, err := r.NewOperationContext(o.Method, o.Path)
	if err != nil {
		return err
	}
	if o.Body != nil {
		oc.AddReqStructure(o.Body)
	}
	// What has no body, or one without a schema, is added below.
	for _, a := range o.Answers {
		if a.Type != nil {
			oc.AddRespStructure(a.Type, openapi.WithHTTPStatus(a.Status))
		}
	}
	for _, f := range o.Failures {
		oc.AddRespStructure(ErrorBody{}, openapi.WithHTTPStatus(f.Status))
	}
	exposed, ok := oc.(openapi31.OperationExposer)
	if !ok {
		return fmt.Errorf("an operation of type %T", oc)
	}
	op := exposed.Operation()
	op.WithID(o.ID).WithSummary(o.Summary).WithTags(o.Tag)
	if o.Description != "" {
		op.WithDescription(o.Description)
	}
	if d.Secured && !o.Open {
		op.Security = []map[string][]string{{bearerScheme: {}}}
	}
	for _, p := range o.Parameters {
		op.Parameters = append(op.Parameters, openapi31.ParameterOrReference{Parameter: p.toOpenAPIParameter()})
	}
	if err := r.AddOperation(oc); err != nil {
		return err
	}
	if o.Body != nil {
		describeRequestBody(op, o)
	}
	for _, a := range o.Answers {
		a.addToOperation(op)
	}
	for _, f := range o.Failures {
		f.addToOperation(op)
	}
	return nil
}

func (p Parameter) toOpenAPIParameter() *openapi31.Parameter {
	out := &openapi31.Parameter{
		Name:        p.Name,
		In:          openapi31.ParameterIn(p.In),
		Description: &p.Description,
		Schema:      p.schema(),
	}
	if p.Const != "" {
		out.Schema["enum"] = []string{p.Const}
	}
	if p.Example != "" {
		out.WithExample(p.typedExample())
	}
	return out
}

func (p Parameter) schema() map[string]any {
	switch {
	case p.Boolean:
		return map[string]any{"type": "boolean"}
	case p.Integer == nil:
		return map[string]any{"type": "string"}
	}
	out := map[string]any{"type": "integer", "minimum": p.Integer.Least}
	if p.Integer.Most > 0 {
		out["maximum"] = p.Integer.Most
	}
	return out
}

// typedExample returns the example as a value of the parameter's type.
func (p Parameter) typedExample() any {
	if p.Boolean || p.Integer != nil {
		return json.RawMessage(p.Example)
	}
	return p.Example
}

func describeRequestBody(op *openapi31.Operation, o Operation) {
	body := op.RequestBody.RequestBody.WithRequired(true)
	media := body.Content[mimeJSON]
	for _, e := range o.Examples {
		media.WithExamplesItem(e.Name, openapi31.ExampleOrReference{
			Example: (&openapi31.Example{Summary: &e.Summary}).WithValue(e.Value),
		})
	}
	body.Content[mimeJSON] = media
}

func (a Response) addToOperation(op *openapi31.Operation) {
	response := findOrAddResponse(op, a.Status)
	response.Description = a.Description
	if a.Media != "" {
		schema := map[string]any{"type": "string"}
		if a.Binary {
			schema["format"] = "binary"
		}
		response.WithContentItem(a.Media, openapi31.MediaType{Schema: schema})
	}
	describeHeaders(response, a.Headers)
}

func (f FailureStatusWithCodes) addToOperation(op *openapi31.Operation) {
	response := findOrAddResponse(op, f.Status)
	response.Description = f.Description
	media := response.Content[mimeJSON]
	names := make([]string, len(f.Codes))
	for i, c := range f.Codes {
		names[i] = c.Name
	}
	media.Schema["properties"] = map[string]any{
		"error": map[string]any{"properties": map[string]any{"code": map[string]any{"enum": names}}},
	}
	media.WithExample(ErrorBody{Error: Error{Code: names[0], Message: f.Codes[0].When}})
	response.Content[mimeJSON] = media
	describeHeaders(response, f.Headers)
}

// findOrAddResponse finds the response of a status, and makes it where there is none.
func findOrAddResponse(op *openapi31.Operation, status int) *openapi31.Response {
	key := strconv.Itoa(status)
	all := op.ResponsesEns()
	if found := all.MapOfResponseOrReferenceValues[key].Response; found != nil {
		return found
	}
	made := &openapi31.Response{}
	all.WithMapOfResponseOrReferenceValuesItem(key, openapi31.ResponseOrReference{Response: made})
	return made
}

func describeHeaders(response *openapi31.Response, headers []Header) {
	for _, h := range headers {
		response.WithHeadersItem(h.Name, openapi31.HeaderOrReference{
			Header: &openapi31.Header{Description: &h.Description, Schema: map[string]any{"type": "string"}},
		})
	}
}
