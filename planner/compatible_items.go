package planner

import (
	"context"

	"github.com/semlayer/semlayer/planner/internal/compatible"
	"github.com/semlayer/semlayer/planner/internal/repair"
	"github.com/semlayer/semlayer/planner/internal/saved"
	"github.com/semlayer/semlayer/planner/query"
)

// CompatibleItems are the metrics and dimensions that a query accepts, in the order of the model.
type CompatibleItems = compatible.Items

// CompatibleDimension is a dimension that a query accepts.
type CompatibleDimension = compatible.Dimension

// FindCompatibleItems lists the metrics and the dimensions that a query accepts as one more item, without those that it
// names. A query that names no metric accepts a dimension if one of the listed metrics accepts it with the
// group-bys of the query. The error is that of the query itself, as of PlanMetrics.
func (p *Planner) FindCompatibleItems(ctx context.Context, q *query.MetricQuery, t Target) (CompatibleItems, error) {
	t.Now = t.NowOrCallTime() // of all trials
	return repair.PlanWithRetry(ctx, q, func(q *query.MetricQuery) (CompatibleItems, error) {
		return saved.PlanRequest(p.cat, q, saved.MetricRequestDecoder, func(q *query.MetricQuery) (CompatibleItems, error) {
			return compatible.Find(ctx, compatible.Request{Catalog: p.cat, Query: q, Target: t, Check: checkMetricRequest, Facts: &p.facts})
		})
	})
}
