package window

import (
	"slices"

	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/plan"
)

// topMergesAxisBuckets reports whether top merges buckets of the axis of the window, which are not those that the window
// runs over.
func (r recomputedWindowPlanner) topMergesAxisBuckets() bool {
	return r.branch.Kept != nil && r.branch.Kept.Spec.MergesBucketsOfMovedRows(r.branch.Q.Groups, r.branch.Br.Members[0].Ref)
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
	cols := build.DerivedColumns(moved)
	buckets := slices.Clone(cols[:len(r.branch.Q.Groups)])
	from, keys, _ := r.branch.Kept.Join(moved, r.branch.Tree, slices.Clone(buckets), buckets)
	copy(cols, keys)
	if hasLevels {
		remainder := r.branch.Kept.Spec.Dimension + 1
		cols[remainder].Expr = r.nullKeyOutsideLevels(r.branch.Kept.Spec.Dimension, cols[remainder].Expr, build.DerivedColumn(moved, len(r.branch.Q.Groups)))
	}
	return &plan.Project{Input: from, Cols: cols}
}
