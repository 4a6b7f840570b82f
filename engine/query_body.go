package engine

import (
	"context"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// queryBody is the body of a metric query or of a detail query.
type queryBody struct{ planeQuery }

// planeQuery is a query with the functions of its plane.
type planeQuery interface {
	cacheKeyAppender
	plan(context.Context, *planner.Planner, planner.Target) (*planner.Planned, error)
	resolveRanges(context.Context, *planner.Planner, planner.Target) ([]plan.ResolvedTimeRange, error)
	probesOfEmptyResult(context.Context, *planner.Planner, planner.Target) (planner.EmptyResultProbes, error)
	settings() querySettings
}

// querySettings are what the planes have in common.
type querySettings struct {
	metrics []string
	pretty  bool
	saved   string
	hints   *bool
}

type metricBody struct{ *query.MetricQuery }

func (q metricBody) plan(ctx context.Context, p *planner.Planner, t planner.Target) (*planner.Planned, error) {
	return p.PlanMetrics(ctx, q.MetricQuery, t)
}

func (q metricBody) resolveRanges(ctx context.Context, p *planner.Planner, t planner.Target) ([]plan.ResolvedTimeRange, error) {
	return p.ResolveMetricRanges(ctx, q.MetricQuery, t)
}

func (q metricBody) probesOfEmptyResult(ctx context.Context, p *planner.Planner, t planner.Target) (planner.EmptyResultProbes, error) {
	return p.ProbesOfEmptyMetricResult(ctx, q.MetricQuery, t)
}

func (q metricBody) settings() querySettings {
	return querySettings{q.Metrics, q.Pretty, q.Saved, q.Hints}
}

type detailBody struct{ *query.DetailQuery }

func (q detailBody) plan(ctx context.Context, p *planner.Planner, t planner.Target) (*planner.Planned, error) {
	return p.PlanDetail(ctx, q.DetailQuery, t)
}

func (q detailBody) resolveRanges(ctx context.Context, p *planner.Planner, t planner.Target) ([]plan.ResolvedTimeRange, error) {
	return p.ResolveDetailRanges(ctx, q.DetailQuery, t)
}

func (q detailBody) probesOfEmptyResult(ctx context.Context, p *planner.Planner, t planner.Target) (planner.EmptyResultProbes, error) {
	return p.ProbesOfEmptyDetailResult(ctx, q.DetailQuery, t)
}

func (q detailBody) settings() querySettings { return querySettings{nil, q.Pretty, q.Saved, q.Hints} }

func (q queryBody) compile(ctx context.Context, e *Engine, t compileTarget) (c *compiledQuery, err error) {
	_, end := startPhase(ctx, PhasePlan, t)
	defer func() { end(PhaseOutcome{Err: err}) }()
	defer e.recoverToError(&err)
	resolve := func() ([]plan.ResolvedTimeRange, error) { return q.resolveRanges(ctx, e.planner, t.planner) }
	defer func() {
		if c != nil {
			recordUses(ctx, c.uses, c.datasets)
		}
	}()
	return e.statements.getOrCompile(q, t, e.readerKey(), resolve, func(queryBytes int) (*compiledQuery, error) {
		held, target, err := e.reserveQueryPlanMemory(queryBytes, t.planner)
		if err != nil {
			return nil, err
		}
		defer held.Release()
		s := q.settings()
		target.Uses = new(plan.Uses)
		planned, err := q.plan(ctx, e.planner, target)
		if err != nil {
			recordUses(ctx, target.Uses, nil)
			return nil, e.toPlanError(ctx, err, s.metrics...)
		}
		c, err := e.printPlanAsSQL(ctx, planned, t, s.pretty, s.saved)
		if err == nil {
			c.uses = target.Uses
		}
		if _, metric := q.planeQuery.(metricBody); metric && err == nil {
			c.groups = unorderedGroupColumns(planned)
		}
		return c, err
	})
}

func (q queryBody) compileRows(ctx context.Context, e *Engine, t compileTarget) (*compiledQuery, error) {
	return q.compile(ctx, e, t)
}

func (q queryBody) explain(ctx context.Context, e *Engine, t compileTarget) (*planner.Planned, string, error) {
	held, target, err := e.reserveQueryPlanMemory(len(q.AppendCacheKey(nil)), t.planner)
	if err != nil {
		return nil, "", err
	}
	defer held.Release()
	target.Uses = new(plan.Uses)
	planned, err := q.plan(ctx, e.planner, target)
	if err != nil {
		recordUses(ctx, target.Uses, nil)
		return nil, "", e.toPlanError(ctx, err)
	}
	recordUses(ctx, target.Uses, plan.ScannedDatasets(planned.Root))
	return planned, q.settings().saved, nil
}

func (q queryBody) emptyResultProbes(e *Engine, t compileTarget) emptyResultProbesFinder {
	if s := q.settings(); !mayRequestEmptyResultHints(s.hints, s.saved) {
		return nil
	}
	return func(ctx context.Context) (planner.EmptyResultProbes, error) {
		return q.probesOfEmptyResult(ctx, e.planner, t.planner)
	}
}
