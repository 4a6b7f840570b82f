package metric

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// warnings lists what a caller should know of the columns of a query.
func warnings(x Expansion) []planerr.QueryWarning {
	var columns []string
	for _, c := range x.columns {
		if addsNonAdditive(x.measureRefs, c) {
			columns = append(columns, c.name)
		}
	}
	if len(columns) == 0 {
		return nil
	}
	return []planerr.QueryWarning{{
		Code: planerr.CodeWindowAddsNonAdditive, Columns: columns,
		Message: "a window takes the sum or the mean of bucket values that do not add up, such as distinct counts or averages, in " +
			strings.Join(columns, ", ") + ": that is not the value over all rows of these buckets",
	}}
}

// addsNonAdditive reports whether a column is made of a window that takes the sum or the
// mean of bucket values that do not add up.
func addsNonAdditive(uses []*MeasureRef, c column) bool {
	found := false
	sqlexpr.Walk(c.expr, func(x sqlexpr.Expr) bool {
		if r, ok := x.(*sqlexpr.Ref); ok {
			u := uses[r.ID]
			found = found || u.window != nil && u.window.spec.AddsBuckets() && !u.Measure.Agg.Additive()
		}
		return !found
	})
	return found
}
