package restapi

import (
	"cmp"
	"context"
	"slices"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/restapi/internal/openapi"
	"github.com/semlayer/semlayer/restapi/internal/static"
)

// openAPIWriter makes the OpenAPI document of a server from its table of routes.
type openAPIWriter struct {
	service Service
	config  Config
	mcp     bool // the model answers messages
	several bool // the server has several models
	table   []route
	roles   bool // they decide what a caller may ask
}

// writeDocument returns the document of a server at an address. It asks the model for
// examples, which takes longer than a start should, and so is left to the first request.
// Below /m/NAME there are no routes of the process.
func (d openAPIWriter) writeDocument(at documentChoice) (static.File, error) {
	if at.model != "" {
		d.table = slices.DeleteFunc(slices.Clone(d.table), func(r route) bool { return r.process })
	}
	ctx, cancel := context.WithTimeout(context.Background(), d.config.RequestTimeout)
	defer cancel()
	version := d.service.Capabilities().EngineVersion
	if version == "" {
		version = "dev"
	}
	examples := inventedRequestExamples()
	d.roles = at.invented
	if !at.invented {
		examples = newRequestExamples(ctx, d.service)
	}
	text, err := openapi.Document{
		Title:       "semlayer",
		Version:     version,
		Server:      cmp.Or(at.mount+at.model, "/"),
		Description: d.apiDescriptionText(),
		Secured:     d.config.secured(),
		Tags:        openAPITags(),
		Operations:  d.convertRoutesToOperations(examples),
		Codes:       allErrorCodes(),
	}.JSON()
	if err != nil || !at.version30 {
		return static.NewFile(openAPIPath, fiber.MIMEApplicationJSON, text), err
	}
	text, err = openapi.ConvertToVersion30(text)
	return static.NewFile(openAPI30Path, fiber.MIMEApplicationJSON, text), err
}

// apiDescriptionText returns the description that applies to all operations.
func (d openAPIWriter) apiDescriptionText() string {
	if !d.mcp {
		return apiDescription
	}
	return apiDescription + "\n\nPOST /mcp takes the JSON-RPC messages of the Model Context Protocol, whose tools describe themselves."
}

// convertRoutesToOperations converts the table of routes to operations of the document.
func (d openAPIWriter) convertRoutesToOperations(x requestExamples) []openapi.Operation {
	all := openAPIOperationsByRouteKey()
	var out []openapi.Operation
	for _, r := range d.table {
		op := all[r.key()]
		o := openapi.Operation{
			ID: op.id, Method: r.method, Path: r.path, Tag: string(op.group),
			Summary: r.summary, Description: op.description, Open: r.public,
			Body:     op.requestType,
			Answers:  append(op.successResponses(), op.otherResponses...),
			Failures: d.failureResponses(r, op),
		}
		if op.parameters != nil {
			o.Parameters = op.parameters(x)
		}
		if r.executes && r.method == fiber.MethodPost && keepsResults(d.service) {
			addCacheToOperation(&o)
		}
		if op.example != nil {
			o.Examples = op.example(x)
		}
		out = append(out, o)
	}
	return out
}

const apiDescription = `A semantic layer: a model defines the metrics, a query selects some of them, and the response is SQL or rows.

Every failure has the body of ErrorBody: a path that does not exist (404), a method that a path does not take (405) and a head that is too long (431) as well, with the code bad_request. Codes are stable, messages are not.

Responses are JSON without line breaks. Requests are JSON objects; a repeated key is an error.`
