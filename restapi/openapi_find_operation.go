package restapi

import (
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// maxFindHitsPerPage is the most hits of a page.
const maxFindHitsPerPage = 50

func newOpenAPIFindOperation() openAPIOperation {
	o := newOpenAPIModelGetOperation("find", engine.FindResult{})
	o.description = "The metrics, dimensions, saved queries and datasets that match a question in plain words, the best first. No data are read."
	o.parameters = func(x requestExamples) []openapi.Parameter {
		return []openapi.Parameter{
			{Name: "q", In: "query", Description: "The question, 1 to 500 characters.", Example: exampleFindQuestion(x)},
			{Name: "kinds", In: "query", Description: "Only objects of these kinds, separated by commas: metric, dimension, saved, value, dataset.", Example: "metric,dimension"},
			{Name: "metrics", In: "query", Description: "Only metrics and dimensions that one query with all of these metrics accepts, separated by commas.", Example: x.metric},
			{Name: "limit", In: "query", Description: "The maximum number of hits, 1 to 50; by default 10.", Example: "10", Integer: &openapi.IntegerBounds{Least: 1, Most: maxFindHitsPerPage}},
			{Name: "offset", In: "query", Description: "The number of hits to skip.", Example: "0", Integer: &openapi.IntegerBounds{}},
			ifNoneMatchParameter,
		}
	}
	o.codes = append(errorCodesOfStages(nil, engine.StageCompile), "unknown_metric")
	return o
}

// exampleFindQuestion returns a question that every model answers.
func exampleFindQuestion(x requestExamples) string {
	if x.metric == "" {
		return "revenue"
	}
	return x.metric
}

func newOpenAPICompatibleItemsOperation() openAPIOperation {
	o := newOpenAPIQueryOperation(openAPIOperationGroupMetrics, "compatibleItems")
	o.requestType, o.responseType = openapi.CompatibleQuery(), engine.CompatibleItems{}
	o.description = "No data are read. metrics may be empty: a dimension is then listed if one of the listed metrics accepts it with the group-bys of the query."
	return o
}
