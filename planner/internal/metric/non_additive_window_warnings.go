package metric

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// nonAdditiveWindowWarnings lists what a caller should know of the columns of a query.
func nonAdditiveWindowWarnings(x Expansion) []planerr.QueryWarning {
	var columns []string
	for _, c := range x.columns {
		if windowAddsNonAdditive(x.measureRefs, c) {
			columns = append(columns, c.name)
		}
	}
	if len(columns) == 0 {
		return nil
	}
	return []planerr.QueryWarning{{
		Code: planerr.WarningWindowAddsNonAdditive, Columns: columns,
		Message: "a window takes the sum or the mean of bucket values that do not add up, such as distinct counts or averages, in " +
			joinNames(columns) + ": that is not the value over all rows of these buckets",
	}}
}

// windowAddsNonAdditive reports whether a column is made of a window that takes the sum or the
// mean of bucket values that do not add up.
func windowAddsNonAdditive(uses []*MeasureRef, c metricColumn) bool {
	found := false
	sqlexpr.Walk(c.expr, func(x sqlexpr.Expr) bool {
		if r, ok := x.(*sqlexpr.Ref); ok {
			u := uses[r.ID]
			found = found || u.window != nil && u.window.spec.SumsOrAveragesBuckets() && !u.Measure.Additive()
		}
		return !found
	})
	return found
}

func joinNames(columns []string) string { return strings.Join(columns, ", ") }
