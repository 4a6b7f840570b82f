package selection

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// queryEquivalentToSelect returns the query with the order and the limit of the select, where it gives the same rows by position; nil
// where none does.
func (q *metricQuery) queryEquivalentToSelect() *query.MetricQuery {
	if len(q.items) != len(q.groups)+len(q.measures) || q.appliesDistinctToResultRows() || len(q.scalarConditions) > 0 {
		return nil
	}
	for i, e := range q.items {
		if column, ok := q.shownColumn(e); !ok || column != i {
			return nil
		}
	}
	if q.sets != nil && !q.isQueryWithTotals() {
		return nil
	}
	if slices.ContainsFunc(q.body.InlineMetrics, func(m query.InlineMetric) bool { return m.JoinsTexts }) {
		return nil // which a request may not ask for
	}
	out := q.body
	for _, p := range out.Params {
		if p.List {
			return nil
		}
	}
	for i, e := range q.order {
		column, ok := q.shownColumn(e)
		if !ok || q.selectClauses.order[i].nullsFirst {
			return nil
		}
		out.OrderBy = append(out.OrderBy, query.OrderBy{Key: q.names[column], Desc: q.selectClauses.order[i].desc})
	}
	out.Limit, out.Offset = q.limit, q.offset
	return &out
}

// shownColumn returns the column that an expression shows: itself, or the bucket of a group as the midnight that SQL has for it.
func (q *metricQuery) shownColumn(e sqlexpr.Expr) (column int, ok bool) {
	if cast, isCast := e.(*sqlexpr.Cast); isCast {
		ref, isRef := cast.X.(*sqlexpr.Ref)
		if isRef && ref.ID < len(q.groups) && q.groups[ref.ID].grain != sqlexpr.GrainNone && cast.To.Name == "" {
			return ref.ID, true
		}
		return 0, false
	}
	ref, ok := e.(*sqlexpr.Ref)
	if !ok || ref.ID >= firstScalarSubqueryRef {
		return 0, false
	}
	return ref.ID, true
}

// isQueryWithTotals reports whether the rows of the sets of groups are those of a query with totals: each set once, one of all groups,
// and no clause that acts on the rows of all of them.
func (q *metricQuery) isQueryWithTotals() bool {
	for _, item := range q.selectClauses.items {
		if item.Name == "level" {
			return false
		}
	}
	return len(q.measures) > 0 && q.levels.HasEachOnce() && len(q.aggregateSelect.having)+len(q.selectClauses.havingIn)+len(q.order) == 0 && q.limit == nil && q.offset == 0
}
