package restapi

import (
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

func saysHealth() operation {
	return operation{id: "getHealth", group: probing, answers: openapi.Status{}}
}

func saysReady() operation {
	return operation{id: "getReady", group: probing, answers: openapi.Status{}, also: []openapi.Answer{
		{Status: http.StatusServiceUnavailable, Description: "The server is about to stop.", Type: openapi.Status{}},
	}}
}

func saysMetrics() operation {
	return operation{id: "getMetrics", group: probing, media: fiber.MIMETextPlain}
}

func saysDocument() operation {
	return operation{
		id: "getDocument", group: probing, answers: map[string]any{},
		text:       "The document is written once and has a strong ETag.",
		refuses:    []string{CodeTimeout}, // the first to ask waits for its examples
		parameters: func(examples) []openapi.Parameter { return []openapi.Parameter{ifNoneMatch} },
		also:       []openapi.Answer{notModified},
	}
}

func saysPage() operation {
	return operation{
		id: "getPage", group: probing, media: fiber.MIMETextHTML,
		text: "A page for people, which shows this document and sends requests. It works without a network.",
		also: []openapi.Answer{notModified},
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

func saysDimensions() operation {
	o := lists("listDimensions", []engine.DimensionInfo{})
	o.text = "Without a metric every field is listed, and is_dimension tells what it is for. With one, every row can be grouped by as it stands, and metric_time is the first where the metric has a time."
	o.parameters = func(x examples) []openapi.Parameter {
		return []openapi.Parameter{{Name: "metric", In: "query", Description: "The name of a metric.", Example: x.metric}, ifNoneMatch}
	}
	o.refuses = append(refusals(nil, engine.StageCompile), "unknown_metric")
	return o
}

func saysValidate() operation {
	return operation{
		id: "validateModel", group: looking, reads: openapi.ModelText{}, answers: engine.Validation{},
		text:    "The status is 200 whether the model is valid or not.",
		refuses: []string{CodeBusy, CodeTimeout},
		example: func(x examples) []openapi.Example {
			return []openapi.Example{{Name: "model", Summary: "A small model", Value: openapi.ModelText{Model: x.model}}}
		},
	}
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

func saysAttribute() operation {
	return operation{
		id: "attributeChange", group: measuring, reads: openapi.AttributeQuery{}, answers: engine.Attribution{},
		text:    "Totals of both windows, then the change taken apart along each dimension.",
		refuses: refusals(ofDetails, engine.StageCompile, engine.StagePlan, engine.StageExecute),
		example: func(x examples) []openapi.Example { return x.attribution },
	}
}
