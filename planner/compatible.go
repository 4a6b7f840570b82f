package planner

import (
	"context"

	"github.com/semlayer/semlayer/planner/internal/compatible"
	"github.com/semlayer/semlayer/planner/internal/repair"
	"github.com/semlayer/semlayer/planner/internal/saved"
	"github.com/semlayer/semlayer/planner/query"
)

// Compatible are the metrics and dimensions that a query accepts, in the order of the model.
type Compatible = compatible.Items

// CompatibleDimension is a dimension that a query accepts.
type CompatibleDimension = compatible.Dimension

// Compatible lists the metrics and the dimensions that a query accepts as one more item, without those that it
// names. A query that names no metric accepts a dimension if one of the listed metrics accepts it with the
// group-bys of the query. The error is that of the query itself, as of PlanMetrics.
func (p *Planner) Compatible(ctx context.Context, q *query.MetricQuery, t Target) (Compatible, error) {
	t.Now = t.NowOrCallTime() // of all trials
	return repair.PlanWithRetry(ctx, q, func(q *query.MetricQuery) (Compatible, error) {
		return saved.PlanRequest(p.cat, q, saved.MetricRequests, func(q *query.MetricQuery) (Compatible, error) {
			return compatible.Find(ctx, compatible.Request{Catalog: p.cat, Query: q, Target: t, Check: checkMetricRequest})
		})
	})
}
