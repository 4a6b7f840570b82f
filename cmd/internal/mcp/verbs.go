package mcp

import (
	"context"
	"encoding/json"

	"github.com/semlayer/semlayer/engine"
)

func (s *server) listDatasets(_ context.Context, arguments json.RawMessage) (answer, error) {
	var p page
	if err := json.Unmarshal(arguments, &p); err != nil {
		return answer{}, err
	}
	return list(s.limits, p, s.service.Datasets(), func(d engine.DatasetInfo) string { return d.Name + "\n" + d.Description })
}

func (s *server) listMetrics(ctx context.Context, arguments json.RawMessage) (answer, error) {
	var p page
	if err := json.Unmarshal(arguments, &p); err != nil {
		return answer{}, err
	}
	found, err := s.service.Metrics(ctx)
	if err != nil {
		return answer{}, err
	}
	return list(s.limits, p, found, func(m engine.MetricInfo) string { return m.Name + "\n" + m.Description })
}

func (s *server) listDimensions(ctx context.Context, arguments json.RawMessage) (answer, error) {
	var a ofDimensions
	if err := json.Unmarshal(arguments, &a); err != nil {
		return answer{}, err
	}
	found, err := s.service.Dimensions(ctx, a.Metric)
	if err != nil {
		return answer{}, err
	}
	return list(s.limits, a.page, found, func(d engine.DimensionInfo) string { return d.Name + "\n" + d.Description })
}

func (s *server) describeMetric(ctx context.Context, arguments json.RawMessage) (answer, error) {
	var a ofMetric
	if err := json.Unmarshal(arguments, &a); err != nil {
		return answer{}, err
	}
	m, err := s.service.Metric(ctx, a.Metric)
	if err != nil {
		return answer{}, err
	}
	dimensions, err := s.service.Dimensions(ctx, m.Name)
	if err != nil {
		return answer{}, err
	}
	return s.limits.metric(m, dimensions)
}

func (s *server) capabilities(context.Context, json.RawMessage) (answer, error) {
	return answerOf(s.service.Capabilities())
}

func (s *server) validate(ctx context.Context, arguments json.RawMessage) (answer, error) {
	model, err := engine.DecodeModel(arguments)
	if err != nil {
		return answer{}, err
	}
	v, err := s.service.Validate(ctx, []byte(model))
	if err != nil {
		return answer{}, err
	}
	return answerOf(v)
}

func (s *server) compile(ctx context.Context, arguments json.RawMessage) (answer, error) {
	q, err := engine.DecodeMetric(arguments)
	if err != nil {
		return answer{}, err
	}
	compiled, err := s.service.CompileMetrics(ctx, q)
	if err != nil {
		return answer{}, err
	}
	return answerOf(compiled)
}

func (s *server) explain(ctx context.Context, arguments json.RawMessage) (answer, error) {
	q, err := engine.DecodeMetric(arguments)
	if err != nil {
		return answer{}, err
	}
	explained, err := s.service.ExplainMetrics(ctx, q)
	if err != nil {
		return answer{}, err
	}
	return answerOf(explained)
}

func (s *server) run(ctx context.Context, arguments json.RawMessage) (answer, error) {
	q, err := engine.DecodeMetric(arguments)
	if err != nil {
		return answer{}, err
	}
	result, err := s.service.ExecuteMetrics(engine.WithFirstRows(ctx, s.limits.rows, s.limits.bytes), q)
	if err != nil {
		return answer{}, err
	}
	return s.limits.result(result, "/v1/query/execute", "query")
}

func (s *server) compileSelect(ctx context.Context, arguments json.RawMessage) (answer, error) {
	q, err := engine.DecodeDetail(arguments)
	if err != nil {
		return answer{}, err
	}
	compiled, err := s.service.CompileSelect(ctx, q)
	if err != nil {
		return answer{}, err
	}
	return answerOf(compiled)
}

func (s *server) selectRows(ctx context.Context, arguments json.RawMessage) (answer, error) {
	q, err := engine.DecodeDetail(arguments)
	if err != nil {
		return answer{}, err
	}
	result, err := s.service.ExecuteSelect(engine.WithFirstRows(ctx, s.limits.rows, s.limits.bytes), q)
	if err != nil {
		return answer{}, err
	}
	return s.limits.result(result, "/v1/select/execute", "select")
}

func (s *server) attribute(ctx context.Context, arguments json.RawMessage) (answer, error) {
	q, err := engine.DecodeAttribute(arguments)
	if err != nil {
		return answer{}, err
	}
	report, err := s.service.Attribute(ctx, q)
	if err != nil {
		return answer{}, err
	}
	return s.limits.attribution(report)
}
