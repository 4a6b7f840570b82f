package metric

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/compare"
	"github.com/semlayer/semlayer/planner/plan"
)

// movePreviousBuckets returns a branch of the earlier range with its buckets moved to those of the
// current range.
func (p *branchPlanner) movePreviousBuckets(in plan.Node) plan.Node {
	cols, c := in.Schema().ColumnRefs(), p.q.compare
	if c.Periods != nil {
		return p.calendars.dropPreviousPeriodsWithoutCurrent(in)
	}
	bucket := &sqlexpr.Ref{ID: c.BucketGroup}
	if conds := c.Move.MatchConditions(bucket, c.Move.MatchedPrevious, c.Move.DropsPreviousDays, c.Move.Count); len(conds) > 0 {
		in = &plan.Filter{Input: in, Conds: c.ExemptLevelsWithoutBucket(conds), Why: "buckets that meet one of the current range"}
	}
	cols[c.BucketGroup].Expr = c.Move.ShiftBucket(bucket, c.Move.Count)
	return &plan.Project{Input: in, Cols: cols}
}

// previousValue returns a value of the earlier range on a row of the result: NULL where the
// bucket of the row meets none.
func previousValue(c *compare.Comparison, in *CombinedBranches, value sqlexpr.Expr) sqlexpr.Expr {
	switch {
	case !c.MeetsOnMovedBuckets():
		return value
	case c.Periods != nil:
		met := &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: in.earlier}}
		return build.CaseWhen(sqlexpr.And(c.ExemptLevelsWithoutBucket([]sqlexpr.Expr{met})...), value)
	}
	conds := c.Move.MatchConditions(&sqlexpr.Ref{ID: c.BucketGroup}, c.Move.MatchedCurrent, c.Move.DropsCurrentDays, -c.Move.Count)
	if len(conds) == 0 {
		return value
	}
	return build.CaseWhen(sqlexpr.And(c.ExemptLevelsWithoutBucket(conds)...), value)
}
