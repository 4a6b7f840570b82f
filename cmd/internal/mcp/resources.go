package mcp

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/engine"
)

// The addresses of resources.
const (
	savedQueryURIPrefix = "semlayer://saved/"
	metricURIPrefix     = "semlayer://metrics/"
)

const jsonMIMEType = "application/json"

// addResources adds the instructions, the unlisted keys, the saved queries and the metrics of the model.
func (s *server) addResources(b modelSummary) {
	s.sdk.AddResource(&sdk.Resource{
		URI: instructionsURI, Name: "instructions", MIMEType: "text/plain", Description: "The instructions of this server with the words of the model in full.",
	}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return newTextResourceResult(b.instructions(true)), nil
	})
	s.addUnlistedKeysResource()
	s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: savedQueryURIPrefix + "{name}", Name: "saved query", MIMEType: jsonMIMEType, Description: "The body of a saved query.",
	}, s.namedResourceHandler(savedQueryURIPrefix, func(_ context.Context, name string) ([]byte, error) { return s.service.SavedQueryBody(name) }))
	s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: metricURIPrefix + "{name}", Name: "metric", MIMEType: jsonMIMEType, Description: "The meaning and the use of a metric.",
	}, s.namedResourceHandler(metricURIPrefix, s.metricResource))
}

// namedResourceHandler reads the resource of a name, which read returns as nil when the model has none.
func (s *server) namedResourceHandler(prefix string, read func(context.Context, string) ([]byte, error)) sdk.ResourceHandler {
	return func(ctx context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		name, err := url.PathUnescape(strings.TrimPrefix(r.Params.URI, prefix))
		if err != nil {
			return nil, sdk.ResourceNotFoundError(r.Params.URI)
		}
		text, err := read(ctx, name)
		if err != nil || text == nil {
			return nil, sdk.ResourceNotFoundError(r.Params.URI)
		}
		return newTextResourceResult(string(text)), nil
	}
}

// metricResource returns the description of a metric as the tool describe_metric returns it.
func (s *server) metricResource(ctx context.Context, name string) ([]byte, error) {
	arguments, err := json.Marshal(map[string]string{"metric": name})
	if err != nil {
		return nil, err
	}
	described := tool{name: "describe_metric"}
	result, err := s.runInTimeBudget(ctx, described, func(ctx context.Context) (toolResult, error) { return s.describeMetric(ctx, arguments) })
	return result.json, err
}

func newTextResourceResult(text string) *sdk.ReadResourceResult {
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{Text: text}}}
}

var _, _ Service = (*engine.Engine)(nil), (*engine.Reader)(nil)
