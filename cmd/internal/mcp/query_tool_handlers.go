package mcp

import (
	"context"
	"encoding/json"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

func (s *server) reportCapabilities(_ context.Context, arguments json.RawMessage) (toolResult, error) {
	if err := query.DecodeEmptyBody(arguments); err != nil {
		return toolResult{}, err
	}
	return newToolResult(s.service.Capabilities())
}

func (s *server) validateModel(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	model, err := query.DecodeValidateBody(arguments)
	if err != nil {
		return toolResult{}, err
	}
	v, err := s.service.Validate(ctx, []byte(model))
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(v)
}

func (s *server) compileMetricQuery(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeMetric(arguments)
	if err != nil {
		return toolResult{}, err
	}
	compiled, err := s.service.CompileMetrics(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(compiled)
}

func (s *server) explainMetricQuery(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeMetric(arguments)
	if err != nil {
		return toolResult{}, err
	}
	explained, err := s.service.ExplainMetrics(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(explained)
}

func (s *server) runMetricQuery(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeMetric(arguments)
	if err != nil {
		return toolResult{}, err
	}
	if q.Hints == nil {
		q.Hints = new(true)
	}
	result, err := s.service.ExecuteMetrics(engine.WithFirstRowsLimit(ctx, s.limits.rows, s.limits.bytes), q)
	if err != nil {
		return toolResult{}, err
	}
	return s.limits.rowsResult(result, "/v1/query/execute", "query")
}

func (s *server) compileDetailQuery(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeDetail(arguments)
	if err != nil {
		return toolResult{}, err
	}
	compiled, err := s.service.CompileSelect(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return newToolResult(compiled)
}

func (s *server) runDetailQuery(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeDetail(arguments)
	if err != nil {
		return toolResult{}, err
	}
	if q.Hints == nil {
		q.Hints = new(true)
	}
	result, err := s.service.ExecuteSelect(engine.WithFirstRowsLimit(ctx, s.limits.rows, s.limits.bytes), q)
	if err != nil {
		return toolResult{}, err
	}
	return s.limits.rowsResult(result, "/v1/select/execute", "select")
}

func (s *server) attributeMetricChange(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	q, err := query.DecodeAttribute(arguments)
	if err != nil {
		return toolResult{}, err
	}
	report, err := s.service.Attribute(ctx, q)
	if err != nil {
		return toolResult{}, err
	}
	return s.limits.attributionResult(report)
}
