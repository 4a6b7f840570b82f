package window

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/plan"
)

// baseValueWithFilledBuckets returns the value of a base in a bucket, also in a filled one: counts are 0 there, all else is NULL.
func (w planner) baseValueWithFilledBuckets() sqlexpr.Expr {
	return sqlexpr.Rewrite(w.win.Base.Expr, func(e sqlexpr.Expr) sqlexpr.Expr {
		r, ok := e.(*sqlexpr.Ref)
		if !ok {
			return nil
		}
		column := w.measureColumn(w.inputs[r.ID])
		if w.refs[r.ID].Measure.IsZeroOverNoRows() {
			return build.CoalesceToNumber(column, "0")
		}
		return column
	})
}

// bucketHasRowsCondition returns the condition that a bucket is not a filled one.
func (w planner) bucketHasRowsCondition() sqlexpr.Expr {
	return &sqlexpr.IsNull{Not: true, X: w.measureColumn(w.rowCountMeasure)}
}

// currentBucketValue returns the value of a bucket that an offset compares with that of another: of a filled bucket the
// measure over no rows.
func (w planner) currentBucketValue(value sqlexpr.Expr) sqlexpr.Expr {
	switch {
	case w.isZeroOverNoRows:
		return build.CoalesceToNumber(value, "0")
	case w.isFilled && w.win.Base != nil:
		return w.baseValueWithFilledBuckets()
	}
	return value
}

// zeroFillCounts gives the counts of a filled branch with windows their value in a filled bucket. Until there
// they are NULL, so that the windows skip the filled buckets.
func zeroFillCounts(g branch.Grouped, in plan.Node, columns []int) plan.Node {
	zero := map[int]bool{}
	for i, u := range g.Branch.Br.Members {
		if u.Ref.Window == nil && u.Ref.Measure.IsZeroOverNoRows() {
			zero[g.Branch.Q.KeyCount()+columns[i]] = true
		}
	}
	if len(zero) == 0 {
		return in
	}
	cols := in.Schema().ColumnRefs()
	for i := range cols {
		if zero[i] {
			cols[i].Expr = build.CoalesceToNumber(cols[i].Expr, "0")
		}
	}
	return &plan.Project{Input: in, Cols: cols}
}
