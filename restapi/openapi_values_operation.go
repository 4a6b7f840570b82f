package restapi

import (
	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

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
				{Name: "fresh", In: "query", Description: "true reads the values again, even if they were read within the last minute.", Example: "false", Boolean: true},
			}
		},
	}
}
