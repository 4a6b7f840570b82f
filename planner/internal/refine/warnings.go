package refine

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/planerr"
)

// nonAdditiveWindowWarnings lists what a caller should know of the columns of a query.
func nonAdditiveWindowWarnings(x measure.Expansion) []planerr.QueryWarning {
	var columns []string
	for _, c := range x.Columns {
		if windowAddsNonAdditive(x.MeasureRefs, c) {
			columns = append(columns, c.Name)
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
func windowAddsNonAdditive(uses []*measure.Ref, c measure.Column) bool {
	found := false
	sqlexpr.Walk(c.Expr, func(x sqlexpr.Expr) bool {
		if r, ok := x.(*sqlexpr.Ref); ok {
			u := uses[r.ID]
			found = found || u.Window != nil && u.Window.Spec.SumsOrAveragesBuckets() && !u.Measure.Additive()
		}
		return !found
	})
	return found
}

func joinNames(columns []string) string { return strings.Join(columns, ", ") }
