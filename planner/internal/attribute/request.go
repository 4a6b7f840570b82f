package attribute

import (
	"context"
	"errors"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/local"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// The defaults and bounds of an attribution.
const (
	defaultValuesPerDimension = 500
	defaultTopDimensions      = 3
	defaultTopValues          = 10
)

// Plan plans the queries of an attribution. Errors are as of metric.Plan.
func Plan(ctx context.Context, cat *catalog.Catalog, q *query.AttributeQuery, t plan.Target) (*PlannedAttribution, error) {
	extended, err := local.ExtendCatalog(ctx, cat, q.With, nil)
	if err != nil {
		return nil, err
	}
	r, err := newAttributionRequest(ctx, extended, q, t)
	if err != nil {
		return nil, err
	}
	if err := r.checkDimensionsGivenOnce(); err != nil {
		return nil, err
	}
	counts, err := r.readReportLimits()
	if err != nil {
		return nil, err
	}
	if err := r.checkSingleValueParams(); err != nil {
		return nil, err
	}
	w, err := r.readWindows()
	if err != nil {
		return nil, err
	}
	where, err := r.parseConditions()
	if err != nil {
		return nil, err
	}
	f, err := w.assignParamsToQueries(where)
	if err != nil {
		return nil, err
	}
	f, read, err := f.analyzeMetricArithmetic()
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
	view, err := r.viewUse()
	if err != nil {
		return nil, err
	}
	return f.newPlannedAttribution(counts, read, totals, dimensions, view), nil
}

// viewUse describes what of the view acts; nil for an attribution in the whole model.
func (r *attributionRequest) viewUse() (*plan.ViewUse, error) {
	if r.cat.ScopeView() == nil {
		return nil, nil
	}
	in := r.newMetricEnv(&query.MetricQuery{Metrics: []string{r.metric.Name}, WhereSQL: r.q.WhereSQL, ContextFilter: r.q.ContextFilter})
	sel, err := scope.SelectMetrics(in)
	if err != nil {
		return nil, err
	}
	conds, err := where.ResolveFilters(in, sel, nil, measure.Expansion{})
	return metric.NewViewUse(in, conds, nil, sel.Names.Homes), err
}

// attributionRequest is an attribution of one metric, as it was requested.
type attributionRequest struct {
	ctx    context.Context // of the call that this is the whole life of
	cat    *catalog.Catalog
	q      *query.AttributeQuery
	target plan.Target
	metric *catalog.Metric
}

func newAttributionRequest(ctx context.Context, cat *catalog.Catalog, q *query.AttributeQuery, t plan.Target) (*attributionRequest, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if q.Metric == "" {
		return nil, scope.NoMetricsError(cat, "the attribution names no metric")
	}
	m, err := scope.FindMetric(scope.NewEnv(ctx, cat, nil, t), q.Metric)
	if unknown := (*planerr.Error)(nil); errors.As(err, &unknown) && unknown.Respelling != "" {
		unknown.Fragment = map[string]any{"metric": unknown.Respelling}
	}
	if err != nil {
		return nil, err
	}
	return &attributionRequest{ctx, cat, q, t, m}, nil
}

// newMetricEnv returns the environment of a query of the metric plane that serves the attribution.
func (r *attributionRequest) newMetricEnv(q *query.MetricQuery) *scope.Env {
	q.TimeZone, q.Rollups, q.MaxAge, q.Defaults = r.q.TimeZone, r.q.Rollups, r.q.MaxAge, r.q.Defaults
	return scope.NewEnv(r.ctx, r.cat, q, r.target)
}

// planMetricQuery plans a query of the metric plane.
func (r *attributionRequest) planMetricQuery(q *query.MetricQuery) (*plan.PlannedQuery, error) {
	q.TimeZone, q.Rollups, q.MaxAge, q.Defaults = r.q.TimeZone, r.q.Rollups, r.q.MaxAge, r.q.Defaults
	return metric.Plan(r.ctx, r.cat, q, r.target)
}
