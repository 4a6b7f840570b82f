package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// baseValueWithFilledBuckets returns the value of a base in a bucket, also in a filled one: counts are 0 there, all else is NULL.
func (w windowPlanner) baseValueWithFilledBuckets() sqlexpr.Expr {
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

// newBucketRowCountMeasure returns the measure that distinguishes a bucket with rows from a filled one, where it is NULL.
func newBucketRowCountMeasure(names *naming.Namer) plan.NamedExpr {
	count := build.Call(sqlexpr.FnCount, "COUNT")
	count.Star = true
	return plan.NamedExpr{Name: names.UniqueName("rows_of_bucket"), Expr: count, Type: sqlexpr.TypeInt}
}

// needsBucketRowCount reports whether the branch distinguishes the buckets with rows from the filled ones.
func (p *branchPlanner) needsBucketRowCount() bool {
	return p.q.gapFill != nil && (p.q.gapFill.Value != nil ||
		slices.ContainsFunc(p.br.members, func(u branchMember) bool { return u.ref.Window != nil && u.ref.Window.SkipsFilledBuckets() }))
}

// newRowCountMeasures returns the counts of rows that the windows and the filled buckets of the branch read. rows is the place
// of that of a bucket among them; -1 where nothing reads it.
func newRowCountMeasures(p *branchPlanner, names *naming.Namer) (counts []plan.NamedExpr, rows int, err error) {
	rows = -1
	if p.needsBucketRowCount() {
		rows, counts = 0, append(counts, newBucketRowCountMeasure(names))
	}
	if p.calendars.hasRowsInRangeCountColumn() {
		count, err := p.newRowsInRangeCount(names)
		if err != nil {
			return nil, 0, err
		}
		counts = append(counts, count)
	}
	return counts, rows, nil
}

// bucketHasRowsCondition returns the condition that a bucket is not a filled one.
func (w windowPlanner) bucketHasRowsCondition() sqlexpr.Expr {
	return &sqlexpr.IsNull{Not: true, X: w.measureColumn(w.rowCountMeasure)}
}

// currentBucketValue returns the value of a bucket that an offset compares with that of another: of a filled bucket the
// measure over no rows.
func (w windowPlanner) currentBucketValue(value sqlexpr.Expr) sqlexpr.Expr {
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
func (g groupedBranch) zeroFillCounts(in plan.Node, columns []int) plan.Node {
	zero := map[int]bool{}
	for i, u := range g.branch.br.members {
		if u.ref.Window == nil && u.ref.Measure.IsZeroOverNoRows() {
			zero[g.branch.q.resultRowKeyColumnCount()+columns[i]] = true
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
