package integration_test

import (
	"context"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
)

// caseQuery is a query of either plane, decoded, with what can be done with it.
type caseQuery interface {
	compile(ctx context.Context, s *subject) (*engine.Compiled, error)
	explain(ctx context.Context, s *subject) (*engine.Explained, error)
	execute(ctx context.Context, s *subject) (*engine.Result, error)
	plan(s *subject) (*planner.Planned, error)
	// useConnection names the connection profile that the question is compiled for.
	useConnection(connection string)
}

// decode reads a body as a question of the plane that the case asks.
func decode(c *corpus.Case, body []byte, dialect string, pretty bool) (caseQuery, error) {
	if c.IsDetail() {
		q, err := query.DecodeDetail(body)
		if err != nil {
			return nil, err
		}
		q.Dialect, q.Pretty = dialect, pretty
		return detailQuery{q}, nil
	}
	q, err := query.DecodeMetric(body)
	if err != nil {
		return nil, err
	}
	q.Dialect, q.Pretty = dialect, pretty
	return metricQuery{q}, nil
}

// compileFor decodes a body and compiles it for a dialect.
func (s *subject) compileFor(ctx context.Context, c *corpus.Case, body []byte, dialect string, pretty bool) (caseQuery, *engine.Compiled, error) {
	q, err := decode(c, body, dialect, pretty)
	if err != nil {
		return nil, nil, err
	}
	compiled, err := q.compile(ctx, s)
	return q, compiled, err
}

type metricQuery struct{ q *query.MetricQuery }

func (m metricQuery) compile(ctx context.Context, s *subject) (*engine.Compiled, error) {
	return prepare.SQL(ctx, s.engine, m.q)
}

func (m metricQuery) explain(ctx context.Context, s *subject) (*engine.Explained, error) {
	return prepare.Plan(ctx, s.engine, m.q)
}

func (m metricQuery) execute(ctx context.Context, s *subject) (*engine.Result, error) {
	return prepare.Rows(ctx, s.engine, m.q)
}

func (m metricQuery) plan(s *subject) (*planner.Planned, error) {
	return s.planner.PlanMetrics(context.Background(), m.q, planner.Target{Dialect: m.q.Dialect})
}

func (m metricQuery) useConnection(connection string) { m.q.Connection = connection }

type detailQuery struct{ q *query.DetailQuery }

func (d detailQuery) compile(ctx context.Context, s *subject) (*engine.Compiled, error) {
	return prepare.SQL(ctx, s.engine, d.q)
}

func (d detailQuery) explain(ctx context.Context, s *subject) (*engine.Explained, error) {
	return prepare.Plan(ctx, s.engine, d.q)
}

func (d detailQuery) execute(ctx context.Context, s *subject) (*engine.Result, error) {
	return prepare.Rows(ctx, s.engine, d.q)
}

func (d detailQuery) plan(s *subject) (*planner.Planned, error) {
	return s.planner.PlanDetail(context.Background(), d.q, planner.Target{Dialect: d.q.Dialect})
}

func (d detailQuery) useConnection(connection string) { d.q.Connection = connection }
