package mcp

import (
	"context"
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/semlayer/semlayer/planner/query"
)

// newFindAndValueTools returns the tools that find names and values.
func (s *server) newFindAndValueTools(metricQuery *jsonschema.Schema) []tool {
	compatible := schemaWithKeysOnly(metricQuery, metricQueryKeysInShortSchema...)
	addProperty(compatible, "search", &jsonschema.Schema{Type: jsonTypeString})
	addProperty(compatible, "offset", &jsonschema.Schema{Type: jsonTypeInteger})
	return []tool{
		{
			name: "find", call: s.findObjects,
			schema: argumentsSchema(
				toolArgument{"q", jsonTypeString, ""},
				toolArgument{"kinds", jsonTypeArray, "metric, dimension, saved, value, dataset, view"},
				toolArgument{"metrics", jsonTypeArray, "keep what fits these"},
				viewArgument, limitArgument, offsetArgument,
			),
			text: "Start here: rank what a question names. use of a hit merges into a query.",
		},
		{
			name: "values", executes: true, call: s.listFieldValues,
			schema: argumentsSchema(
				toolArgument{"field", jsonTypeString, ""},
				toolArgument{"like", jsonTypeString, "contained text"},
				toolArgument{"where_sql", jsonTypeString, ""},
				limitArgument,
				toolArgument{"connection", jsonTypeString, ""},
				viewArgument,
			),
			text: "Values of a field, with counts, min and max.",
		},
		{
			name: "compatible", schema: compatible, call: s.listCompatibleItems,
			text: "List metrics and dimensions that fit a query. Arguments as run_query; limit and offset page the lists.",
		},
	}
}

func (s *server) findObjects(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeFind(arguments)
	if err != nil {
		return toolResult{}, err
	}
	found, err := s.service.Find(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(found)
}

func (s *server) listFieldValues(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeValues(arguments)
	if err != nil {
		return toolResult{}, err
	}
	values, err := s.service.FieldValues(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(values)
}

func (s *server) listCompatibleItems(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeCompatible(arguments)
	if err != nil {
		return toolResult{}, err
	}
	fits, err := s.service.CompatibleItems(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(fits)
}
