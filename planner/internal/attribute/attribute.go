package attribute

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// The defaults and bounds of an attribution.
const (
	defaultMaxValues     = 500
	maxMaxValues         = 1000
	defaultTopDimensions = 3
	defaultTopValues     = 10
)

// Plan plans the queries of an attribution. Errors are as of metric.Plan.
func Plan(ctx context.Context, cat *catalog.Catalog, q *query.AttributeQuery, t plan.Target) (*Attribution, error) {
	r, err := findMetric(ctx, cat, q, t)
	if err != nil {
		return nil, err
	}
	if err := r.checkDimensions(); err != nil {
		return nil, err
	}
	counts, err := r.counts()
	if err != nil {
		return nil, err
	}
	if err := r.checkBindings(); err != nil {
		return nil, err
	}
	w, err := r.windows()
	if err != nil {
		return nil, err
	}
	where, err := r.parseConditions()
	if err != nil {
		return nil, err
	}
	f, err := w.spreadParams(where)
	if err != nil {
		return nil, err
	}
	f, read, err := f.analyzeMetric()
	if err != nil {
		return nil, err
	}
	totals, err := f.planTotals(read)
	if err != nil {
		return nil, err
	}
	dimensions, err := f.planDimensions(read, counts.values)
	if err != nil {
		return nil, err
	}
	return f.attribution(counts, read, totals, dimensions), nil
}

// request is an attribution of one metric, as it was asked for.
type request struct {
	ctx    context.Context // of the call that this is the whole life of
	cat    *catalog.Catalog
	q      *query.AttributeQuery
	target plan.Target
	metric *catalog.Metric
}

func findMetric(ctx context.Context, cat *catalog.Catalog, q *query.AttributeQuery, t plan.Target) (*request, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if q.Metric == "" {
		return nil, metric.NoMetrics(cat, "the attribution names no metric")
	}
	m, err := metric.FindMetric(metric.NewEnv(ctx, cat, nil, t), q.Metric)
	if err != nil {
		return nil, err
	}
	return &request{ctx, cat, q, t, m}, nil
}

// newEnv is the environment of a query of the metric plane that serves the attribution.
func (r *request) newEnv(q *query.MetricQuery) *metric.Env {
	return metric.NewEnv(r.ctx, r.cat, q, r.target)
}

// planMetricQuery plans a query of the metric plane.
func (r *request) planMetricQuery(q *query.MetricQuery) (*plan.Planned, error) {
	return metric.Plan(r.ctx, r.cat, q, r.target)
}
