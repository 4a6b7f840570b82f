package restapi

import (
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// operations are what the document holds of each route, by route.key.
func operations() map[string]operation {
	return map[string]operation{
		"GET /health": {id: "getHealth", group: probing, answers: openapi.Status{}},
		"GET /ready": {id: "getReady", group: probing, answers: openapi.Status{}, also: []openapi.Answer{
			{Status: http.StatusServiceUnavailable, Description: "The server is about to stop.", Type: openapi.Status{}},
		}},
		"GET /metrics": {id: "getMetrics", group: probing, media: fiber.MIMETextPlain},
		"GET /openapi.json": {
			id: "getDocument", group: probing, answers: map[string]any{},
			text:       "The document is written once and has a strong ETag.",
			refuses:    []string{CodeTimeout}, // the first to ask waits for its examples
			parameters: func(examples) []openapi.Parameter { return []openapi.Parameter{ifNoneMatch} },
			also:       []openapi.Answer{notModified},
		},
		"GET /docs": {
			id: "getPage", group: probing, media: fiber.MIMETextHTML,
			text: "A page for people, which shows this document and sends requests. It works without a network.",
			also: []openapi.Answer{notModified},
		},
		"GET /v1/model":            lists("getModel", engine.ModelInfo{}),
		"GET /v1/capabilities":     lists("getCapabilities", engine.Capabilities{}),
		"GET /v1/datasets":         lists("listDatasets", []engine.DatasetInfo{}),
		"GET /v1/metrics":          lists("listMetrics", []engine.MetricInfo{}),
		"GET /v1/dimensions":       dimensionsOperation(),
		"GET /v1/relationships":    lists("listRelationships", []engine.RelationshipInfo{}),
		"GET /v1/findings":         lists("listFindings", engine.Findings{}),
		"GET /v1/connections":      lists("listConnections", []engine.ConnectionInfo{}),
		"GET /v1/lineage":          lineageOperation(),
		"POST /v1/validate":        validateOperation(),
		"POST /v1/query/compile":   plans(measuring, "compileQuery", engine.Compiled{}),
		"POST /v1/query/explain":   plans(measuring, "explainQuery", engine.Explained{}),
		"POST /v1/query/execute":   runs(measuring, "executeQuery"),
		"POST /v1/query/attribute": attributeOperation(),
		"POST /v1/select/compile":  plans(selecting, "compileSelect", engine.Compiled{}),
		"POST /v1/select/explain":  plans(selecting, "explainSelect", engine.Explained{}),
		"POST /v1/select/execute":  runs(selecting, "executeSelect"),
	}
}

// What a response with a validator adds to its route.
var (
	ifNoneMatch = openapi.Parameter{
		Name: fiber.HeaderIfNoneMatch, In: "header",
		Description: "The ETag of a response that you have: while it is still the same, the response is 304 without a body.",
	}
	notModified = openapi.Answer{Status: http.StatusNotModified, Description: "You have it."}
)

func lists(id string, answers any) operation {
	return operation{
		id: id, group: looking, answers: answers, also: []openapi.Answer{notModified},
		parameters: func(examples) []openapi.Parameter { return []openapi.Parameter{ifNoneMatch} },
	}
}

func dimensionsOperation() operation {
	o := lists("listDimensions", []engine.DimensionInfo{})
	o.text = "Without a metric every field is listed, and is_dimension marks the dimensions. With one, a query can group by every row unchanged, and metric_time is the first where the metric has a time."
	o.parameters = func(x examples) []openapi.Parameter {
		return []openapi.Parameter{{Name: "metric", In: "query", Description: "The name of a metric.", Example: x.metric}, ifNoneMatch}
	}
	o.refuses = append(refusals(nil, engine.StageCompile), "unknown_metric")
	return o
}

func validateOperation() operation {
	return operation{
		id: "validateModel", group: looking, reads: openapi.ModelText{}, answers: engine.Validation{},
		text:    "The status is 200 whether the model is valid or not.",
		refuses: []string{CodeBusy, CodeTimeout},
		example: func(x examples) []openapi.Example {
			return []openapi.Example{{Name: "model", Summary: "A small model", Value: openapi.ModelText{Model: x.model}}}
		},
	}
}

func lineageOperation() operation {
	o := lists("getLineage", engine.Lineage{})
	o.media = fiber.MIMETextPlain
	o.text = "With a metric only what that one is made of: everything upstream of it, and the joins between its datasets. " +
		"Objects that do not compile are there with the code of their error. The formats mermaid and dot are text/plain."
	o.parameters = func(x examples) []openapi.Parameter {
		return []openapi.Parameter{
			{Name: "metric", In: "query", Description: "The name of a metric.", Example: x.metric},
			{Name: "format", In: "query", Description: "json, or a drawing in the language of Mermaid or of Graphviz (dot).", Example: lineageJSON},
			ifNoneMatch,
		}
	}
	o.refuses = []string{"unknown_metric"}
	return o
}

// queries is what metric queries or detail queries have in common. config is
// what an unknown connection raises, also where nothing is executed.
func queries(g group, id string, stages ...string) operation {
	o := operation{id: id, group: g}
	stages = append(stages, engine.StageCompile, engine.StagePlan)
	if g == selecting {
		o.reads = openapi.DetailQuery{}
		o.refuses = append(refusals(ofAttributions, stages...), "config")
		o.example = func(x examples) []openapi.Example { return x.selections }
		return o
	}
	o.reads = openapi.MetricQuery{}
	o.refuses = append(refusals(slices.Concat(ofDetails, ofAttributions), stages...), "config")
	o.example = func(x examples) []openapi.Example { return x.queries }
	return o
}

func plans(g group, id string, answers any) operation {
	o := queries(g, id)
	o.answers = answers
	o.text = "No warehouse is touched. A connection only chooses the dialect."
	return o
}

func runs(g group, id string) operation {
	o := queries(g, id, engine.StageExecute)
	o.answers, o.streams = openapi.Result{}, true
	o.text = "Without a connection the embedded database answers."
	return o
}

func attributeOperation() operation {
	return operation{
		id: "attributeChange", group: measuring, reads: openapi.AttributeQuery{}, answers: engine.Attribution{},
		text:    "Totals of both windows, then the change taken apart along each dimension.",
		refuses: refusals(ofDetails, engine.StageCompile, engine.StagePlan, engine.StageExecute),
		example: func(x examples) []openapi.Example { return x.attribution },
	}
}
