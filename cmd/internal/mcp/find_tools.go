package mcp

import (
	"context"
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/semlayer/semlayer/engine"
)

// findTools are the tools that find names and values.
func (s *server) findTools(metricQuery *jsonschema.Schema) []tool {
	compatible := schemaOfKeys(metricQuery, mainKeys...)
	addProperty(compatible, "search", &jsonschema.Schema{Type: jsonString})
	addProperty(compatible, "offset", &jsonschema.Schema{Type: jsonInteger})
	return []tool{
		{
			name: "find", call: s.find,
			schema: argumentsSchema(
				argument{"q", jsonString, ""},
				argument{"kinds", jsonArray, "metric, dimension, saved, value, dataset"},
				argument{"metrics", jsonArray, "keep what fits these"},
				limitArgument, offsetArgument,
			),
			text: "Start here: rank what a question names. use of a hit merges into a query.",
		},
		{
			name: "values", executes: true, call: s.values,
			schema: argumentsSchema(
				argument{"field", jsonString, ""},
				argument{"like", jsonString, "contained text"},
				argument{"where_sql", jsonString, ""},
				limitArgument,
				argument{"connection", jsonString, ""},
			),
			text: "Values of a field in the data, with counts, min and max.",
		},
		{
			name: "compatible", schema: compatible, call: s.compatible,
			text: "List metrics and dimensions that still fit a query. Arguments as run_query; limit and offset page the lists.",
		},
	}
}

func (s *server) find(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := engine.DecodeFind(arguments)
	if err != nil {
		return toolResult{}, err
	}
	found, err := s.service.Find(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(found)
}

func (s *server) values(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := engine.DecodeValues(arguments)
	if err != nil {
		return toolResult{}, err
	}
	values, err := s.service.Values(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(values)
}

func (s *server) compatible(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := engine.DecodeCompatible(arguments)
	if err != nil {
		return toolResult{}, err
	}
	fits, err := s.service.Compatible(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(fits)
}
