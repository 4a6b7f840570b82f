package properties_test

import (
	"context"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/query"
)

// plane is where a query is asked: metrics by groups, or the rows of a dataset.
type plane int

const (
	metricPlane plane = iota
	detailPlane
)

// planeQuery is a random query of either plane.
type planeQuery interface {
	plane() plane
	json() string
	parts() []part
	// keys are the constructs that the query has.
	keys() []string
	// without is a copy to which an edit was made.
	without(edit func(planeQuery, int), i int) planeQuery
}

func (*question) plane() plane { return metricPlane }
func (*detail) plane() plane   { return detailPlane }

// prepared is what can be done with a decoded query.
type prepared struct {
	compile func(ctx context.Context, e *engine.Engine, dialect string) (*engine.Compiled, error)
	execute func(ctx context.Context, e *engine.Engine) (*engine.Result, error)
	plan    func(p *planner.Planner, dialect string) (*planner.Planned, error)
	answer  func(m *reference.CompiledModel, data reference.Data) (*reference.Result, error)
}

// prepare decodes a body as the service would, and as the reference takes it.
func (p plane) prepare(body string) (*prepared, error) {
	if p == detailPlane {
		return prepareDetail([]byte(body))
	}
	return prepareMetric([]byte(body))
}

func prepareMetric(body []byte) (*prepared, error) {
	q, err := query.DecodeMetric(body)
	if err != nil {
		return nil, err
	}
	in := func(dialect string) *query.MetricQuery {
		c := *q
		c.Dialect = dialect
		return &c
	}
	return &prepared{
		compile: func(ctx context.Context, e *engine.Engine, dialect string) (*engine.Compiled, error) {
			return prepare.SQL(ctx, e, in(dialect))
		},
		execute: func(ctx context.Context, e *engine.Engine) (*engine.Result, error) { return prepare.Rows(ctx, e, q) },
		plan: func(p *planner.Planner, dialect string) (*planner.Planned, error) {
			return p.PlanMetrics(context.Background(), in(dialect), planner.Target{Dialect: dialect})
		},
		answer: func(m *reference.CompiledModel, data reference.Data) (*reference.Result, error) {
			return reference.AnswerMetricQuery(m, data, q)
		},
	}, nil
}

func prepareDetail(body []byte) (*prepared, error) {
	q, err := query.DecodeDetail(body)
	if err != nil {
		return nil, err
	}
	in := func(dialect string) *query.DetailQuery {
		c := *q
		c.Dialect = dialect
		return &c
	}
	return &prepared{
		compile: func(ctx context.Context, e *engine.Engine, dialect string) (*engine.Compiled, error) {
			return prepare.SQL(ctx, e, in(dialect))
		},
		execute: func(ctx context.Context, e *engine.Engine) (*engine.Result, error) { return prepare.Rows(ctx, e, q) },
		plan: func(p *planner.Planner, dialect string) (*planner.Planned, error) {
			return p.PlanDetail(context.Background(), in(dialect), planner.Target{Dialect: dialect})
		},
		answer: func(m *reference.CompiledModel, data reference.Data) (*reference.Result, error) {
			return reference.AnswerDetailQuery(m, data, q)
		},
	}, nil
}
