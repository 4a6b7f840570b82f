package mcp

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// terseToolList is a list of tools without the hints that hold of no tool, which the SDK writes for each.
type terseToolList struct {
	*sdk.ListToolsResult
	Tools []terseTool `json:"tools"`
}

type terseTool struct {
	Name        string        `json:"name"`
	Description string        `json:"description"`
	InputSchema any           `json:"inputSchema"`
	Annotations readOnlyHints `json:"annotations"`
}

// readOnlyHints are those of every tool: a query may read different rows tomorrow, but asking changes nothing.
type readOnlyHints struct {
	ReadOnlyHint bool `json:"readOnlyHint"`
}

// shortenToolList returns a middleware that shortens lists of tools.
func shortenToolList(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
		result, err := next(ctx, method, r)
		list, ok := result.(*sdk.ListToolsResult)
		if err != nil || !ok {
			return result, err
		}
		out := terseToolList{ListToolsResult: list, Tools: make([]terseTool, len(list.Tools))}
		for i, t := range list.Tools {
			out.Tools[i] = terseTool{t.Name, t.Description, t.InputSchema, readOnlyHints{true}}
		}
		return out, nil
	}
}
