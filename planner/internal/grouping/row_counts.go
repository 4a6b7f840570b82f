package grouping

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// newBucketRowCountMeasure returns the measure that distinguishes a row of the branch from one that others add, where it is NULL.
func newBucketRowCountMeasure(names *naming.Namer) plan.NamedExpr {
	count := build.Call(sqlexpr.FnCount, "COUNT")
	count.Star = true
	return plan.NamedExpr{Name: names.UniqueName("rows_of_bucket"), Expr: count, Type: sqlexpr.TypeInt}
}

// NeedsBucketRowCount reports whether the branch distinguishes its rows from those that other branches and fill add.
func (p *Planner) NeedsBucketRowCount() bool {
	return p.Br.CountsRows || p.Q.GapFill != nil && p.Q.GapFill.Value != nil
}

// NewRowCounts returns the counts of rows that windows, and what is shown, read. rows is the place
// of that of a bucket among them; -1 where nothing reads it.
func NewRowCounts(p *Planner, names *naming.Namer) (counts []plan.NamedExpr, rows int, err error) {
	rows = -1
	if p.NeedsBucketRowCount() {
		rows, counts = 0, append(counts, newBucketRowCountMeasure(names))
	}
	if p.Br.CountsRowsInRange(p.Q) {
		count, err := newRowsInRangeCount(p, names)
		if err != nil {
			return nil, 0, err
		}
		counts = append(counts, count)
	}
	return counts, rows, nil
}
