package integration_test

import (
	"context"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/planner"
)

// question is a query of either plane, decoded, with what can be done with it.
type question interface {
	compile(ctx context.Context, s *subject) (*engine.Compiled, error)
	explain(ctx context.Context, s *subject) (*engine.Explained, error)
	execute(ctx context.Context, s *subject) (*engine.Result, error)
	plan(s *subject) (*planner.Planned, error)
	// through names the connection profile that the question is compiled for.
	through(connection string)
}

// decode reads a body as a question of the plane that the case asks.
func decode(c *corpus.Case, body []byte, dialect string, pretty bool) (question, error) {
	if c.Detail() {
		q, err := engine.DecodeDetail(body)
		if err != nil {
			return nil, err
		}
		q.Dialect, q.Pretty = dialect, pretty
		return detailQuestion{q}, nil
	}
	q, err := engine.DecodeMetric(body)
	if err != nil {
		return nil, err
	}
	q.Dialect, q.Pretty = dialect, pretty
	return metricQuestion{q}, nil
}

// compileFor decodes a body and compiles it for a dialect.
func (s *subject) compileFor(ctx context.Context, c *corpus.Case, body []byte, dialect string, pretty bool) (question, *engine.Compiled, error) {
	q, err := decode(c, body, dialect, pretty)
	if err != nil {
		return nil, nil, err
	}
	compiled, err := q.compile(ctx, s)
	return q, compiled, err
}

type metricQuestion struct{ q *engine.MetricQuery }

func (m metricQuestion) compile(ctx context.Context, s *subject) (*engine.Compiled, error) {
	return s.engine.CompileMetrics(ctx, m.q)
}

func (m metricQuestion) explain(ctx context.Context, s *subject) (*engine.Explained, error) {
	return s.engine.ExplainMetrics(ctx, m.q)
}

func (m metricQuestion) execute(ctx context.Context, s *subject) (*engine.Result, error) {
	return s.engine.ExecuteMetrics(ctx, m.q)
}

func (m metricQuestion) plan(s *subject) (*planner.Planned, error) {
	return s.planner.PlanMetrics(context.Background(), m.q, planner.Target{Dialect: m.q.Dialect})
}

func (m metricQuestion) through(connection string) { m.q.Connection = connection }

type detailQuestion struct{ q *engine.DetailQuery }

func (d detailQuestion) compile(ctx context.Context, s *subject) (*engine.Compiled, error) {
	return s.engine.CompileSelect(ctx, d.q)
}

func (d detailQuestion) explain(ctx context.Context, s *subject) (*engine.Explained, error) {
	return s.engine.ExplainSelect(ctx, d.q)
}

func (d detailQuestion) execute(ctx context.Context, s *subject) (*engine.Result, error) {
	return s.engine.ExecuteSelect(ctx, d.q)
}

func (d detailQuestion) plan(s *subject) (*planner.Planned, error) {
	return s.planner.PlanDetail(context.Background(), d.q, planner.Target{Dialect: d.q.Dialect})
}

func (d detailQuestion) through(connection string) { d.q.Connection = connection }
