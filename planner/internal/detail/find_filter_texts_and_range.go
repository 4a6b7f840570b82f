package detail

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// FindFilterTextsAndRange lists the parts of the filter of a query that planning accepts.
func FindFilterTextsAndRange(ctx context.Context, cat *catalog.Catalog, q *query.DetailQuery, t plan.Target) (metric.FilterTextsAndRange, error) {
	var out metric.FilterTextsAndRange
	extended, err := metric.ExtendCatalog(ctx, cat, q.With, nil)
	if err != nil {
		return out, err
	}
	src, err := findRoot(ctx, extended, q, StatementConditionsAndLimit{}, t)
	if err != nil {
		return out, err
	}
	if err := src.in.CheckTimeKeys(); err != nil {
		return out, err
	}
	out.Texts = metric.FindFilterTextConditions(metric.WhereSQLKey, q.WhereSQL, func(parts []string) (resolve.Ref, bool) {
		ref, err := src.resolveNameParts(parts)
		return ref, err == nil
	})
	fields, err := src.resolveFields()
	if err != nil {
		return out, err
	}
	r, err := src.resolveRange(fields)
	if r != nil && err == nil {
		out.Range = metric.NewFilterTimeRange(src.in, r.ref, r.Interval)
	}
	return out, err
}
