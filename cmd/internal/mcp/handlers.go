package mcp

import (
	"context"
	"encoding/json"

	"github.com/semlayer/semlayer/engine"
)

func (s *server) listDatasets(_ context.Context, arguments json.RawMessage) (toolResult, error) {
	var p pageArguments
	if err := json.Unmarshal(arguments, &p); err != nil {
		return toolResult{}, err
	}
	return listPage(s.limits, p, s.service.Datasets(), func(d engine.DatasetInfo) string { return d.Name + "\n" + d.Description })
}

func (s *server) listMetrics(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	var p pageArguments
	if err := json.Unmarshal(arguments, &p); err != nil {
		return toolResult{}, err
	}
	found, err := s.service.Metrics(ctx)
	if err != nil {
		return toolResult{}, err
	}
	return listPage(s.limits, p, found, func(m engine.MetricInfo) string { return m.Name + "\n" + m.Description })
}

func (s *server) listDimensions(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	var a dimensionArguments
	if err := json.Unmarshal(arguments, &a); err != nil {
		return toolResult{}, err
	}
	found, err := s.service.Dimensions(ctx, a.Metric)
	if err != nil {
		return toolResult{}, err
	}
	return listPage(s.limits, a.pageArguments, found, func(d engine.DimensionInfo) string { return d.Name + "\n" + d.Description })
}

func (s *server) describeMetric(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	var a metricArguments
	if err := json.Unmarshal(arguments, &a); err != nil {
		return toolResult{}, err
	}
	m, err := s.service.Metric(ctx, a.Metric)
	if err != nil {
		return toolResult{}, err
	}
	dimensions, err := s.service.Dimensions(ctx, m.Name)
	if err != nil {
		return toolResult{}, err
	}
	return s.limits.metric(m, dimensions)
}

func (s *server) capabilities(context.Context, json.RawMessage) (toolResult, error) {
	return newToolResult(s.service.Capabilities())
}

func (s *server) validate(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	model, err := engine.DecodeModel(arguments)
	if err != nil {
		return toolResult{}, err
	}
	v, err := s.service.Validate(ctx, []byte(model))
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(v)
}

func (s *server) compile(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := engine.DecodeMetric(arguments)
	if err != nil {
		return toolResult{}, err
	}
	compiled, err := s.service.CompileMetrics(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(compiled)
}

func (s *server) explain(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := engine.DecodeMetric(arguments)
	if err != nil {
		return toolResult{}, err
	}
	explained, err := s.service.ExplainMetrics(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(explained)
}

func (s *server) run(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := engine.DecodeMetric(arguments)
	if err != nil {
		return toolResult{}, err
	}
	result, err := s.service.ExecuteMetrics(engine.WithFirstRows(ctx, s.limits.rows, s.limits.bytes), q)
	if err != nil {
		return toolResult{}, err
	}
	return s.limits.result(result, "/v1/query/execute", "query")
}

func (s *server) compileSelect(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := engine.DecodeDetail(arguments)
	if err != nil {
		return toolResult{}, err
	}
	compiled, err := s.service.CompileSelect(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(compiled)
}

func (s *server) selectRows(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := engine.DecodeDetail(arguments)
	if err != nil {
		return toolResult{}, err
	}
	result, err := s.service.ExecuteSelect(engine.WithFirstRows(ctx, s.limits.rows, s.limits.bytes), q)
	if err != nil {
		return toolResult{}, err
	}
	return s.limits.result(result, "/v1/select/execute", "select")
}

func (s *server) attribute(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := engine.DecodeAttribute(arguments)
	if err != nil {
		return toolResult{}, err
	}
	report, err := s.service.Attribute(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return s.limits.attribution(report)
}
