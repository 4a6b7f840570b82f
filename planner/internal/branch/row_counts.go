package branch

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// newBucketRowCountMeasure returns the measure that distinguishes a bucket with rows from a filled one, where it is NULL.
func newBucketRowCountMeasure(names *naming.Namer) plan.NamedExpr {
	count := build.Call(sqlexpr.FnCount, "COUNT")
	count.Star = true
	return plan.NamedExpr{Name: names.UniqueName("rows_of_bucket"), Expr: count, Type: sqlexpr.TypeInt}
}

// needsBucketRowCount reports whether the branch distinguishes the buckets with rows from the filled ones.
func (p *Planner) needsBucketRowCount() bool {
	return p.Q.GapFill != nil && (p.Q.GapFill.Value != nil ||
		slices.ContainsFunc(p.Br.Members, func(u Member) bool { return u.Ref.Window != nil && u.Ref.Window.SkipsFilledBuckets() }))
}

// newRowCountMeasures returns the counts of rows that the windows and the filled buckets of the branch read. rows is the place
// of that of a bucket among them; -1 where nothing reads it.
func newRowCountMeasures(p *Planner, names *naming.Namer) (counts []plan.NamedExpr, rows int, err error) {
	rows = -1
	if p.needsBucketRowCount() {
		rows, counts = 0, append(counts, newBucketRowCountMeasure(names))
	}
	if p.Calendars.HasRowsInRangeCountColumn() {
		count, err := newRowsInRangeCount(p, names)
		if err != nil {
			return nil, 0, err
		}
		counts = append(counts, count)
	}
	return counts, rows, nil
}
