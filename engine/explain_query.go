package engine

import (
	"context"

	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// Explained is the result of explain: the logical plan as an indented tree,
// one node a line.
type Explained struct {
	Plan string `json:"plan"`
	// Saved is the saved query that the query uses; "" where it uses none.
	Saved string `json:"saved,omitempty"`
}

// ExplainMetrics plans a query; errors as of CompileMetrics.
func (e *Engine) ExplainMetrics(ctx context.Context, q *query.MetricQuery) (x *Explained, err error) {
	t, err := e.chooseAndReportTarget(ctx, PlaneMetric, e.queryOrSavedMetrics(q.Metrics, q.Saved), q.Dialect, q.Connection)
	if err != nil {
		return nil, err
	}
	_, end := startPhase(ctx, PhasePlan, t)
	defer func() { end(PhaseOutcome{Err: err}) }()
	defer e.recoverToError(&err)
	held, target, err := e.reserveQueryPlanMemory(len(q.AppendCacheKey(nil)), t.planner)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	planned, err := e.planner.PlanMetrics(ctx, q, target)
	if err != nil {
		return nil, e.toPlanError(ctx, err)
	}
	return &Explained{Plan: plan.Explain(planned.Root), Saved: e.declaredSavedQueryName(q.Saved)}, nil
}
