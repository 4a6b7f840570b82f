package restapi

import (
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// operationByRouteKey are what the document holds of each route, by route.key.
func operationByRouteKey() map[string]openAPIOperation {
	return map[string]openAPIOperation{
		"GET /health": {id: "getHealth", group: openAPISectionServer, responseType: openapi.StatusSchema{}},
		"GET /ready": {id: "getReady", group: openAPISectionServer, responseType: openapi.Readiness{}, otherResponses: []openapi.Response{
			{Status: http.StatusServiceUnavailable, Description: "The server is about to stop.", Type: openapi.Readiness{}},
		}},
		"GET /metrics": {id: "getMetrics", group: openAPISectionServer, media: fiber.MIMETextPlain},
		"GET /openapi.json": {
			id: "getDocument", group: openAPISectionServer, responseType: map[string]any{},
			description:    "The document is written once and has a strong ETag.",
			codes:          []string{CodeTimeout}, // the first to ask waits for its examples
			parameters:     func(requestExamples) []openapi.Parameter { return []openapi.Parameter{ifNoneMatchParameter} },
			otherResponses: []openapi.Response{notModifiedResponse},
		},
		"GET /docs": {
			id: "getPage", group: openAPISectionServer, media: fiber.MIMETextHTML,
			description:    "A page for people, which shows this document and sends requests. It works without a network.",
			otherResponses: []openapi.Response{notModifiedResponse},
		},
		"GET /schema/model.json": {
			id: "getModelSchema", group: openAPISectionServer, responseType: map[string]any{},
			description:    "JSON Schema 2020-12, for editors. It holds nothing of the model that is served, and has a strong ETag.",
			parameters:     func(requestExamples) []openapi.Parameter { return []openapi.Parameter{ifNoneMatchParameter} },
			otherResponses: []openapi.Response{notModifiedResponse},
		},
		"GET /v1/models":            newModelGetOperation("listModels", []openapi.ModelEntry{}),
		"GET /v1/model":             newModelGetOperation("getModel", engine.ModelInfo{}),
		"GET /v1/capabilities":      newModelGetOperation("getCapabilities", engine.Capabilities{}),
		"GET /v1/datasets":          newModelGetOperation("listDatasets", []engine.DatasetInfo{}),
		"GET /v1/metrics":           newModelGetOperation("listMetrics", []engine.MetricInfo{}),
		"GET /v1/dimensions":        newDimensionsOperation(),
		"GET /v1/relationships":     newModelGetOperation("listRelationships", []engine.RelationshipInfo{}),
		"GET /v1/findings":          newModelGetOperation("listFindings", engine.Findings{}),
		"GET /v1/saved":             newModelGetOperation("listSaved", []engine.SavedQueryInfo{}),
		"GET /v1/connections":       newModelGetOperation("listConnections", []engine.ConnectionInfo{}),
		"GET /v1/lineage":           newLineageOperation(),
		"GET /v1/find":              newFindOperation(),
		"GET /v1/values":            newValuesOperation(),
		"POST /v1/query/compatible": newCompatibleItemsOperation(),
		"POST /v1/validate":         newValidateOperation(),
		"POST /v1/query/compile":    newCompileOrExplainOperation(openAPISectionMetrics, "compileQuery", engine.Compiled{}),
		"POST /v1/query/explain":    newCompileOrExplainOperation(openAPISectionMetrics, "explainQuery", engine.Explained{}),
		"POST /v1/query/execute":    newExecuteOperation(openAPISectionMetrics, "executeQuery"),
		"POST /v1/query/attribute":  newAttributeOperation(),
		"POST /v1/select/compile":   newCompileOrExplainOperation(openAPISectionRows, "compileSelect", engine.Compiled{}),
		"POST /v1/select/explain":   newCompileOrExplainOperation(openAPISectionRows, "explainSelect", engine.Explained{}),
		"POST /v1/select/execute":   newExecuteOperation(openAPISectionRows, "executeSelect"),
		"POST /v1/sql/compile":      newCompileStatementOperation(),
		"POST /v1/sql/execute":      newExecuteStatementOperation(),
	}
}

// What a response with a validator adds to its route.
var (
	ifNoneMatchParameter = openapi.Parameter{
		Name: fiber.HeaderIfNoneMatch, In: "header",
		Description: "The ETag of a response that you have: while it is still the same, the response is 304 without a body.",
	}
	notModifiedResponse = openapi.Response{Status: http.StatusNotModified, Description: "You have it."}
)

func newModelGetOperation(id string, answers any) openAPIOperation {
	return openAPIOperation{
		id: id, group: openAPISectionModel, responseType: answers, otherResponses: []openapi.Response{notModifiedResponse},
		parameters: func(requestExamples) []openapi.Parameter { return []openapi.Parameter{ifNoneMatchParameter} },
	}
}

func newDimensionsOperation() openAPIOperation {
	o := newModelGetOperation("listDimensions", []engine.DimensionInfo{})
	o.description = "Without a metric every field is listed, and is_dimension marks the dimensions. With one, a query can group by every row unchanged, and metric_time is the first where the metric has a time."
	o.parameters = func(x requestExamples) []openapi.Parameter {
		return []openapi.Parameter{{Name: "metric", In: "query", Description: "The name of a metric.", Example: x.metric}, ifNoneMatchParameter}
	}
	o.codes = append(errorCodesOfStages(nil, engine.StageCompile), "unknown_metric")
	return o
}

func newValidateOperation() openAPIOperation {
	return openAPIOperation{
		id: "validateModel", group: openAPISectionModel, requestType: openapi.ModelText{}, responseType: engine.Validation{},
		description: "The status is 200 whether the model is valid or not.",
		codes:       []string{CodeBusy, CodeTimeout},
		example: func(x requestExamples) []openapi.Example {
			return []openapi.Example{{Name: "model", Summary: "A small model", Value: openapi.ModelText{Model: x.model}}}
		},
	}
}

func newLineageOperation() openAPIOperation {
	o := newModelGetOperation("getLineage", engine.Lineage{})
	o.media = fiber.MIMETextPlain
	o.description = "With a metric only what that one is made of: everything upstream of it, and the joins between its datasets. " +
		"Objects that do not compile are there with the code of their error. The formats mermaid and dot are text/plain."
	o.parameters = func(x requestExamples) []openapi.Parameter {
		return []openapi.Parameter{
			{Name: "metric", In: "query", Description: "The name of a metric.", Example: x.metric},
			{Name: "format", In: "query", Description: "json, or a drawing in the language of Mermaid or of Graphviz (dot).", Example: lineageFormatJSON},
			ifNoneMatchParameter,
		}
	}
	o.codes = []string{"unknown_metric"}
	return o
}

// newQueryOperation is what metric queries or detail queries have in common. config is
// what an unknown connection raises, also where nothing is executed.
func newQueryOperation(g openAPISection, id string, stages ...string) openAPIOperation {
	o := openAPIOperation{id: id, group: g}
	stages = append(stages, engine.StageCompile, engine.StagePlan)
	if g == openAPISectionRows {
		o.requestType = openapi.DetailQuery{}
		o.codes = append(errorCodesOfStages(attributionOnlyErrorCodes, stages...), "config")
		o.example = func(x requestExamples) []openapi.Example { return x.selections }
		return o
	}
	o.requestType = openapi.MetricQuery{}
	o.codes = append(errorCodesOfStages(slices.Concat(detailOnlyErrorCodes, attributionOnlyErrorCodes), stages...), "config")
	o.example = func(x requestExamples) []openapi.Example { return x.queries }
	return o
}

func newCompileOrExplainOperation(g openAPISection, id string, answers any) openAPIOperation {
	o := newQueryOperation(g, id)
	o.responseType = answers
	o.description = "No warehouse is touched. A connection only chooses the dialect."
	return o
}

func newExecuteOperation(g openAPISection, id string) openAPIOperation {
	o := newQueryOperation(g, id, engine.StageExecute)
	o.responseType, o.streams = openapi.Result{}, true
	o.description = "Without a connection the embedded database answers."
	return o
}

func newStatementOperation(id string, stages ...string) openAPIOperation {
	return openAPIOperation{
		id: id, group: sectionSQL, requestType: openapi.SQLStatement{},
		codes:   append(errorCodesOfStages(attributionOnlyErrorCodes, append(stages, engine.StageCompile, engine.StagePlan)...), "config"),
		example: func(x requestExamples) []openapi.Example { return x.statements },
	}
}

func newCompileStatementOperation() openAPIOperation {
	o := newStatementOperation("compileStatement")
	o.responseType = openapi.CompiledSQL{}
	o.description = "No warehouse is touched. A connection only chooses the dialect."
	return o
}

func newExecuteStatementOperation() openAPIOperation {
	o := newStatementOperation("executeStatement", engine.StageExecute)
	o.responseType, o.streams = openapi.Result{}, true
	o.description = "Without a connection the embedded database answers."
	return o
}

func newAttributeOperation() openAPIOperation {
	return openAPIOperation{
		id: "attributeChange", group: openAPISectionMetrics, requestType: openapi.AttributeQuery{}, responseType: engine.Attribution{},
		description: "Totals of both windows, then the change taken apart along each dimension.",
		codes:       errorCodesOfStages(detailOnlyErrorCodes, engine.StageCompile, engine.StagePlan, engine.StageExecute),
		example:     func(x requestExamples) []openapi.Example { return x.attribution },
	}
}
