package detail

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/local"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// FindTextEqualitiesAndTimeRange lists the parts of the filter of a query that planning accepts.
func FindTextEqualitiesAndTimeRange(ctx context.Context, cat *catalog.Catalog, q *query.DetailQuery, t plan.Target) (metric.TextEqualitiesAndTimeRange, error) {
	var out metric.TextEqualitiesAndTimeRange
	extended, err := local.ExtendCatalog(ctx, cat, q.With, nil)
	if err != nil {
		return out, err
	}
	src, err := findRoot(ctx, extended, q, StatementConditionsAndLimit{}, t)
	if err != nil {
		return out, err
	}
	if err := src.in.CheckAsOfZoneAndWeekStart(); err != nil {
		return out, err
	}
	out.Texts = where.FindFilterTextEqualities(where.WhereSQLKey, q.WhereSQL, func(parts []string) (resolve.Ref, bool) {
		ref, err := src.resolveNameParts(parts)
		return ref, err == nil
	})
	fields, err := src.resolveFields()
	if err != nil {
		return out, err
	}
	r, err := src.resolveRange(fields)
	if r != nil && err == nil {
		out.Range = where.NewFieldTimeRange(src.in, r.ref, r.interval)
	}
	return out, err
}
