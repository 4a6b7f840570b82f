package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/planner/query"
)

// unlistedKeysURI is the resource that has the result of list_keys.
const unlistedKeysURI = "semlayer://keys"

// unlistedKey is a key that a tool takes and whose schema has no room for it.
type unlistedKey struct {
	Key         string `json:"key"`
	Description string `json:"description"`
}

// unlistedKeys are those keys by tool. The list of tools is in the context of every conversation, and this one is read on request.
type unlistedKeys struct {
	RunQuery        []unlistedKey `json:"run_query"`
	Select          []unlistedKey `json:"select"`
	AttributeMetric []unlistedKey `json:"attribute_metric"`
}

func newUnlistedKeys() unlistedKeys {
	return unlistedKeys{
		RunQuery: keysWithoutRank(query.MetricKeys()), Select: keysWithoutRank(query.DetailKeys()), AttributeMetric: keysWithoutRank(query.AttributeKeys()),
	}
}

// keysWithoutRank returns the keys that querySchema leaves out.
func keysWithoutRank(keys []query.KeyDescription) []unlistedKey {
	out := []unlistedKey{}
	for _, k := range keys {
		if k.Rank == 0 {
			out = append(out, unlistedKey{k.Name, k.Doc})
		} else if k.Name == "top" {
			out = append(out, unlistedKey{"top.rank", "{where_sql, time_range}: the rows over which top ranks, in the place of those of the query; null drops them."})
		}
	}
	return out
}

// listKeys serves the tool list_keys.
func (s *server) listKeys(_ context.Context, arguments json.RawMessage) (toolResult, error) {
	if err := query.DecodeEmptyBody(arguments); err != nil {
		return toolResult{}, err
	}
	return newToolResult(newUnlistedKeys())
}

// addUnlistedKeysResource adds the result of list_keys as a resource.
func (s *server) addUnlistedKeysResource() {
	s.sdk.AddResource(&sdk.Resource{
		URI: unlistedKeysURI, Name: "keys", MIMEType: jsonMIMEType, Description: "Keys of queries beyond the schemas of the tools.",
	}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		result, err := newToolResult(newUnlistedKeys())
		if err != nil {
			return nil, err
		}
		return newTextResourceResult(string(result.json)), nil
	})
}
