package mcp

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/planner/query"
)

// maxDescribedDimensions is the most dimensions in the description of a metric.
const maxDescribedDimensions = 60

func (s *server) describeMetric(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	name, err := query.DecodeMetricName(arguments)
	if err != nil {
		return toolResult{}, err
	}
	m, err := s.service.Metric(ctx, name)
	if err != nil {
		return toolResult{}, err
	}
	definition, err := s.service.MetricDefinition(ctx, m.Name)
	if err != nil {
		return toolResult{}, err
	}
	dimensions, err := s.service.Dimensions(ctx, m.Name)
	if err != nil {
		return toolResult{}, err
	}
	return s.limits.metricDescriptionResult(m, definition, dimensions)
}

// metricDescriptionResult writes the description of a metric, with as many of its dimensions as fit.
func (l toolResultLimits) metricDescriptionResult(m describe.Metric, definition *engine.MetricDefinition, dimensions []describe.Dimension) (toolResult, error) {
	head, err := engine.MarshalWireJSON(m)
	if err != nil {
		return toolResult{}, err
	}
	members, err := engine.MarshalWireJSON(definition)
	if err != nil {
		return toolResult{}, err
	}
	listed := dimensions[:min(len(dimensions), maxDescribedDimensions)]
	list, shown, err := marshalElementsWithinBudget(listed, max(l.bytes-len(head)-len(members), 0), func(d describe.Dimension) any { return d })
	if err != nil {
		return toolResult{}, err
	}
	text := slices.Concat([]byte(`{"metric":`), head, []byte{','}, members[1:len(members)-1], []byte(`,"dimensions":`), list, []byte("}"))
	count := struct {
		Count int    `json:"dimension_count"`
		Note  string `json:"note,omitempty"`
	}{Count: len(dimensions)}
	if shown < len(dimensions) {
		count.Note = "Not all dimensions are here: list_dimensions with this metric and an offset or a search has the others."
	}
	return toolResult{json: appendJSONMembers(text, count)}, nil
}
