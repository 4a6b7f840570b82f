package restapi

import (
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/modelspec/lineage"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// openAPIOperationsByRouteKey returns the operation of each route in the document, by route.key.
func openAPIOperationsByRouteKey() map[string]openAPIOperation {
	return map[string]openAPIOperation{
		"GET /health": {id: "getHealth", group: openAPIOperationGroupServer, responseType: openapi.StatusSchema{}},
		"GET /ready": {id: "getReady", group: openAPIOperationGroupServer, responseType: openapi.Readiness{}, otherResponses: []openapi.Response{
			{Status: http.StatusServiceUnavailable, Description: "The server is about to stop.", Type: openapi.Readiness{}},
		}},
		"GET /metrics": {id: "getMetrics", group: openAPIOperationGroupServer, media: fiber.MIMETextPlain},
		"GET /openapi.json": {
			id: "getDocument", group: openAPIOperationGroupServer, responseType: map[string]any{},
			description:    "The document is written once and has a strong ETag.",
			codes:          []string{CodeTimeout}, // the first to ask waits for its examples
			parameters:     func(requestExamples) []openapi.Parameter { return []openapi.Parameter{ifNoneMatchParameter} },
			otherResponses: []openapi.Response{notModifiedResponse},
		},
		"GET /openapi-3.0.json": {
			id: "getDocument30", group: openAPIOperationGroupServer, responseType: map[string]any{},
			description:    "The same routes and schemas, for generators that read OpenAPI 3.0 only. It is written once and has a strong ETag.",
			codes:          []string{CodeTimeout},
			parameters:     func(requestExamples) []openapi.Parameter { return []openapi.Parameter{ifNoneMatchParameter} },
			otherResponses: []openapi.Response{notModifiedResponse},
		},
		"GET /docs": {
			id: "getPage", group: openAPIOperationGroupServer, media: fiber.MIMETextHTML,
			description:    "A page that shows this document and sends requests. It works without a network.",
			otherResponses: []openapi.Response{notModifiedResponse},
		},
		"GET /schema/model.json": {
			id: "getModelSchema", group: openAPIOperationGroupServer, responseType: map[string]any{},
			description:    "JSON Schema 2020-12, for editors. It does not depend on the served model, and has a strong ETag.",
			parameters:     func(requestExamples) []openapi.Parameter { return []openapi.Parameter{ifNoneMatchParameter} },
			otherResponses: []openapi.Response{notModifiedResponse},
		},
		"GET /v1/models":            newOpenAPIModelGetOperation("listModels", []openapi.ModelEntry{}),
		"GET /v1/identity":          newOpenAPIModelGetOperation("getIdentity", openapi.Identity{}),
		"GET /v1/model":             newOpenAPIModelGetOperation("getModel", engine.ModelInfo{}),
		"GET /v1/capabilities":      newOpenAPIModelGetOperation("getCapabilities", engine.Capabilities{}),
		"GET /v1/catalog":           newOpenAPIModelGetOperation("getCatalog", openapi.Catalog{}),
		"GET /v1/datasets":          newOpenAPIModelGetOperation("listDatasets", []describe.Dataset{}),
		"GET /v1/metrics":           newOpenAPIMetricsOperation(),
		"GET /v1/dimensions":        newOpenAPIDimensionsOperation(),
		"GET /v1/relationships":     newOpenAPIModelGetOperation("listRelationships", []describe.Relationship{}),
		"GET /v1/views":             newOpenAPIModelGetOperation("listViews", []describe.View{}),
		"GET /v1/findings":          newOpenAPIModelGetOperation("listFindings", engine.Findings{}),
		"GET /v1/rollups":           newOpenAPIModelGetOperation("listRollups", []describe.Rollup{}),
		"GET /v1/saved":             newOpenAPIModelGetOperation("listSaved", []describe.SavedQuery{}),
		"GET /v1/connections":       newOpenAPIConnectionsOperation(),
		"GET /v1/lineage":           newOpenAPILineageOperation(),
		"GET /v1/find":              newOpenAPIFindOperation(),
		"GET /v1/values":            newOpenAPIValuesOperation(),
		"POST /v1/query/compatible": newOpenAPICompatibleItemsOperation(),
		"POST /v1/validate":         newOpenAPIValidateOperation(),
		"POST /v1/query/compile":    newOpenAPICompileOrExplainOperation(openAPIOperationGroupMetrics, "compileQuery", engine.Compiled{}),
		"POST /v1/query/explain":    newOpenAPICompileOrExplainOperation(openAPIOperationGroupMetrics, "explainQuery", engine.Explained{}),
		"POST /v1/query/execute":    newOpenAPIExecuteOperation(openAPIOperationGroupMetrics, "executeQuery"),
		"POST /v1/query/attribute":  newOpenAPIAttributeOperation(),
		"POST /v1/select/compile":   newOpenAPICompileOrExplainOperation(openAPIOperationGroupRows, "compileSelect", engine.Compiled{}),
		"POST /v1/select/explain":   newOpenAPICompileOrExplainOperation(openAPIOperationGroupRows, "explainSelect", engine.Explained{}),
		"POST /v1/select/execute":   newOpenAPIExecuteOperation(openAPIOperationGroupRows, "executeSelect"),
		"POST /v1/sql/compile":      newOpenAPICompileStatementOperation(),
		"POST /v1/sql/execute":      newOpenAPIExecuteStatementOperation(),
	}
}

// What a response with a validator adds to its route.
var (
	ifNoneMatchParameter = openapi.Parameter{
		Name: fiber.HeaderIfNoneMatch, In: "header",
		Description: "The ETag of an earlier response: if the document is unchanged, the response is 304 without a body.",
	}
	notModifiedResponse = openapi.Response{Status: http.StatusNotModified, Description: "You have it."}
)

func newOpenAPIModelGetOperation(id string, answers any) openAPIOperation {
	return openAPIOperation{
		id: id, group: openAPIOperationGroupModel, responseType: answers, otherResponses: []openapi.Response{notModifiedResponse},
		parameters: func(requestExamples) []openapi.Parameter { return []openapi.Parameter{ifNoneMatchParameter} },
	}
}

// viewParameter puts a list into a view.
var viewParameter = openapi.Parameter{Name: "view", In: "query", Description: "A view of the model: the names are those of the view, with the labels and the folders that it gives."}

func newOpenAPIMetricsOperation() openAPIOperation {
	o := newOpenAPIModelGetOperation("listMetrics", []describe.Metric{})
	o.parameters = func(requestExamples) []openapi.Parameter {
		return []openapi.Parameter{viewParameter, ifNoneMatchParameter}
	}
	o.codes = []string{"unknown_view", "ambiguous_join_path", "no_join_path"}
	return o
}

func newOpenAPIDimensionsOperation() openAPIOperation {
	o := newOpenAPIModelGetOperation("listDimensions", []describe.Dimension{})
	o.description = "Without metric the list has every field, and is_dimension marks the dimensions. With metric it has the names by which a query can group the metric; metric_time comes first if the metric has a time axis."
	o.parameters = func(x requestExamples) []openapi.Parameter {
		return []openapi.Parameter{{Name: "metric", In: "query", Description: "The name of a metric.", Example: x.metric}, viewParameter, ifNoneMatchParameter}
	}
	o.codes = append(errorCodesOfStages(nil, engine.StageCompile), "unknown_metric", "unknown_view")
	return o
}

func newOpenAPIValidateOperation() openAPIOperation {
	return openAPIOperation{
		id: "validateModel", group: openAPIOperationGroupModel, requestType: openapi.ModelText{}, responseType: engine.Validation{},
		description: "The status is 200 for valid and for invalid models.",
		codes:       []string{CodeBusy, CodeTimeout},
		example: func(x requestExamples) []openapi.Example {
			return []openapi.Example{{Name: "model", Summary: "A small model", Value: openapi.ModelText{Model: x.model}}}
		},
	}
}

func newOpenAPILineageOperation() openAPIOperation {
	o := newOpenAPIModelGetOperation("getLineage", lineage.Graph{})
	o.media = fiber.MIMETextPlain
	o.description = "With metric the graph has only the objects upstream of that metric, and the joins between its datasets. " +
		"Objects that do not compile have the code of their error. The formats mermaid and dot are text/plain."
	o.parameters = func(x requestExamples) []openapi.Parameter {
		return []openapi.Parameter{
			{Name: "metric", In: "query", Description: "The name of a metric.", Example: x.metric},
			{Name: "format", In: "query", Description: "json, or a drawing in the language of Mermaid (mermaid) or Graphviz (dot).", Example: lineageFormatJSON},
			ifNoneMatchParameter,
		}
	}
	o.codes = []string{"unknown_metric"}
	return o
}

// newOpenAPIQueryOperation returns the common part of the operations of metric queries and of detail queries. config is
// what an unknown connection raises, also where nothing is executed.
func newOpenAPIQueryOperation(g openAPIOperationGroup, id string, stages ...string) openAPIOperation {
	o := openAPIOperation{id: id, group: g}
	stages = append(stages, engine.StageCompile, engine.StagePlan)
	if g == openAPIOperationGroupRows {
		o.requestType = openapi.DetailQuery()
		o.codes = append(errorCodesOfStages(attributionOnlyErrorCodes, stages...), "config")
		o.example = func(x requestExamples) []openapi.Example { return x.selections }
		return o
	}
	o.requestType = openapi.MetricQuery()
	o.codes = append(errorCodesOfStages(slices.Concat(detailOnlyErrorCodes, attributionOnlyErrorCodes), stages...), "config")
	o.example = func(x requestExamples) []openapi.Example { return x.queries }
	return o
}

func newOpenAPICompileOrExplainOperation(g openAPIOperationGroup, id string, answers any) openAPIOperation {
	o := newOpenAPIQueryOperation(g, id)
	o.responseType = answers
	o.description = "The server does not connect to a warehouse. A connection only chooses the dialect."
	return o
}

func newOpenAPIExecuteOperation(g openAPIOperationGroup, id string) openAPIOperation {
	o := newOpenAPIQueryOperation(g, id, engine.StageExecute)
	o.responseType, o.streams = openapi.Result{}, true
	o.description = "Without a connection the query runs on the embedded database."
	return o
}

func newOpenAPIStatementOperation(id string, stages ...string) openAPIOperation {
	return openAPIOperation{
		id: id, group: openAPIOperationGroupSQL, requestType: openapi.SQLStatement(),
		codes:   append(errorCodesOfStages(attributionOnlyErrorCodes, append(stages, engine.StageCompile, engine.StagePlan)...), "config"),
		example: func(x requestExamples) []openapi.Example { return x.statements },
	}
}

func newOpenAPICompileStatementOperation() openAPIOperation {
	o := newOpenAPIStatementOperation("compileStatement")
	o.responseType = openapi.CompiledSQL{}
	o.description = "The server does not connect to a warehouse. A connection only chooses the dialect."
	return o
}

func newOpenAPIExecuteStatementOperation() openAPIOperation {
	o := newOpenAPIStatementOperation("executeStatement", engine.StageExecute)
	o.responseType, o.streams = openapi.Result{}, true
	o.description = "Without a connection the query runs on the embedded database."
	return o
}

func newOpenAPIAttributeOperation() openAPIOperation {
	return openAPIOperation{
		id: "attributeChange", group: openAPIOperationGroupMetrics, requestType: openapi.AttributeQuery(), responseType: engine.Attribution{},
		description: "The totals of both windows, and the contributions of the values of each dimension to the change.",
		codes:       errorCodesOfStages(detailOnlyErrorCodes, engine.StageCompile, engine.StagePlan, engine.StageExecute),
		example:     func(x requestExamples) []openapi.Example { return x.attribution },
	}
}
