package restapi

import (
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// maxFindHitsPerPage is the most hits of a page.
const maxFindHitsPerPage = 50

func newOpenAPIFindOperation() openAPIOperation {
	o := newOpenAPIModelGetOperation("find", engine.FindResult{})
	o.description = "The metrics, dimensions, saved queries, datasets and views that match a question in plain words, the best first. No data are read."
	o.parameters = func(x requestExamples) []openapi.Parameter {
		return []openapi.Parameter{
			{Name: "q", In: "query", Description: "The question, 1 to 500 characters.", Example: exampleFindQuestion(x)},
			{Name: "kinds", In: "query", Description: "Only objects of these kinds, separated by commas: metric, dimension, saved, value, dataset, view.", Example: "metric,dimension"},
			{Name: "metrics", In: "query", Description: "Only metrics and dimensions that one query with all of these metrics accepts, separated by commas.", Example: x.metric},
			viewParameter,
			{Name: "limit", In: "query", Description: "The maximum number of hits, 1 to 50; by default 10.", Example: "10", Integer: &openapi.IntegerBounds{Least: 1, Most: maxFindHitsPerPage}},
			{Name: "offset", In: "query", Description: "The number of hits to skip.", Example: "0", Integer: &openapi.IntegerBounds{}},
			ifNoneMatchParameter,
		}
	}
	o.codes = append(errorCodesOfStages(nil, engine.StageCompile), "unknown_metric", "unknown_view")
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

func newOpenAPIConnectionsOperation() openAPIOperation {
	o := newOpenAPIModelGetOperation("listConnections", []openapi.Connection{})
	o.description = "The connection profiles that the caller may use. With check=true the server asks the warehouse of each, four at a time, within the time of a request; " +
		"latency_ms is 0 where it did not answer, and error is the code of the failure. It takes one execution slot."
	o.parameters = func(requestExamples) []openapi.Parameter {
		return []openapi.Parameter{
			ifNoneMatchParameter,
			{Name: "check", In: "query", Description: "true asks the warehouses; by default none is asked.", Example: "false", Boolean: true},
		}
	}
	return o
}

func newOpenAPIValuesOperation() openAPIOperation {
	return openAPIOperation{
		id: "listValues", group: openAPIOperationGroupModel, responseType: engine.FieldValues{},
		description: "The values of a field with the number of rows of its dataset that have them, the most frequent first. " +
			"Without a connection the query runs on the embedded database. Values that were read within the last minute come from a cache.",
		codes: append(errorCodesOfStages(attributionOnlyErrorCodes, engine.StageCompile, engine.StagePlan, engine.StageExecute), "config"),
		parameters: func(x requestExamples) []openapi.Parameter {
			return []openapi.Parameter{
				{Name: "field", In: "query", Description: "The field, by its name in group_by.", Example: x.dimension},
				{Name: "like", In: "query", Description: "Only values whose text contains this text, ignoring case, at most 200 characters; % and _ are plain characters. If no value contains it, the nearest values."},
				{Name: "where_sql", In: "query", Description: "A condition on the rows of the field's dataset, as in a detail query."},
				{Name: "limit", In: "query", Description: "The maximum number of values, 1 to 1000; by default 20.", Example: "20", Integer: &openapi.IntegerBounds{Least: 1, Most: engine.MaxIndexedValues}},
				{Name: "offset", In: "query", Description: "The number of values to skip.", Example: "0", Integer: &openapi.IntegerBounds{}},
				{Name: "connection", In: "query", Description: "The connection profile to run on."},
				{Name: "dialect", In: "query", Description: "The dialect of the SQL, which must be that of the connection."},
				viewParameter,
				{Name: "fresh", In: "query", Description: "true reads the values again, even if they were read within the last minute.", Example: "false", Boolean: true},
			}
		},
	}
}
