package metric

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/compare"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/plan"
)

// movesGroupKey reports whether the key of a group moves by a table in this branch.
func (p *calendarJoins) movesGroupKey(group int) bool {
	return p.branch.movesBuckets() && p.branch.q.compare.Periods != nil && group == p.branch.q.compare.BucketGroup
}

// readsWholeEarlierPeriods reports whether the branch reads the earlier periods whole.
func (p *calendarJoins) readsWholeEarlierPeriods() bool {
	return p.branch.movesBuckets() && p.branch.q.compare.Periods != nil && p.branch.q.compare.Periods.Whole
}

// movedBucketKey returns the current bucket that an earlier one meets; NULL where it meets none.
func (p *calendarJoins) movedBucketKey(bucket sqlexpr.Expr) sqlexpr.Expr {
	t := periods.NewBucketMoveTable(p.branch.q.compare.Periods.NewPeriodMovesTable(p.branch.tree.UniqueAlias("moved")), bucket)
	p.tables = append(p.tables, calendarTable{-1, t})
	return t.FirstDayOfPeriod()
}

// dropPreviousPeriodsWithoutCurrent drops the earlier periods that meet no current one, which have no bucket.
func (p *calendarJoins) dropPreviousPeriodsWithoutCurrent(in plan.Node) plan.Node {
	met := &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: p.branch.q.compare.BucketGroup}}
	return &plan.Filter{Input: in, Conds: p.branch.q.compare.ExemptLevelsWithoutBucket([]sqlexpr.Expr{met}), Why: "buckets that meet one of the current range"}
}

// joinEarlierPeriods adds the earlier period that each bucket meets, after all columns.
func joinEarlierPeriods(c *compare.Comparison, in *CombinedBranches) *CombinedBranches {
	rows := &plan.Derived{Input: in.Node, Alias: "compared", Why: "compare"}
	moves := c.Periods.NewPeriodMovesTable("met")
	cols := build.DerivedColumns(rows)
	names := naming.NewNamer()
	for _, col := range cols {
		names.UniqueName(col.Name)
	}
	out := *in
	out.earlier = len(cols)
	out.Node = &plan.Project{
		Input: &plan.Join{
			Left: rows, Right: moves, Kind: plan.LeftJoin, Cardinality: "one row per bucket",
			On: []plan.JoinEquality{{Left: build.DerivedColumn(rows, c.BucketGroup), Right: build.DerivedColumn(moves, periods.CurrentDayColumn)}},
		},
		Cols: append(cols, plan.NamedExpr{Name: names.UniqueName("earlier_day"), Expr: build.DerivedColumn(moves, periods.EarlierDayColumn), Type: sqlexpr.TypeDate}),
	}
	return &out
}
