package metric

import (
	"slices"

	"github.com/semlayer/semlayer/planner/plan"
)

// topMergesAxisBuckets reports whether top merges buckets of the axis of the window, which are not those that the window
// runs over.
func (r recomputedWindowPlanner) topMergesAxisBuckets() bool {
	return r.kept != nil && r.kept.mergesBucketsOfMovedRows(r.groups, r.br.members[0].MeasureRef)
}

// mergeBucketsOutsideTop merges the buckets of rows that were moved to others: a row has the value of top that the
// bucket has where it was moved to.
//
//	moved rows ─► join the kept values ─► the kept bucket or the one of the remaining values
func (r recomputedWindowPlanner) mergeBucketsOutsideTop(rows *plan.Project, hasLevels bool) *plan.Project {
	if !r.topMergesAxisBuckets() {
		return rows
	}
	moved := &plan.Derived{Input: rows, Alias: "moved", Why: "windows"}
	cols := passThroughColumnsOfDerivedTable(moved)
	buckets := slices.Clone(cols[:len(r.groups)])
	from, keys, _ := r.kept.joinKeptValues(moved, r.tree, slices.Clone(buckets), buckets)
	copy(cols, keys)
	if hasLevels {
		remainder := r.kept.dimension + 1
		cols[remainder].Expr = r.nullKeyOutsideLevels(r.kept.dimension, cols[remainder].Expr, newDerivedTableColumnRef(moved, len(r.groups)))
	}
	return &plan.Project{Input: from, Cols: cols}
}
