package refine

import (
	"maps"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/compare"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/plan"
)

// previousValue returns a value of the earlier range on a row of the result: NULL where the
// bucket of the row meets none.
func previousValue(c *compare.Comparison, in *combine.Combined, value sqlexpr.Expr) sqlexpr.Expr {
	switch {
	case c.BucketGroup < 0:
		return value
	case c.Periods != nil:
		met := &sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: in.Earlier[c.Item]}}
		return build.CaseWhen(sqlexpr.And(c.ExemptLevelsWithoutBucket([]sqlexpr.Expr{met})...), value)
	}
	conds := c.MatchedCurrentConditions()
	if len(conds) == 0 {
		return value
	}
	return build.CaseWhen(sqlexpr.And(c.ExemptLevelsWithoutBucket(conds)...), value)
}

// resultExpr returns the value of a column over the matched branches.
func resultExpr(c measure.Column, in *combine.Combined, compared compare.Comparisons) sqlexpr.Expr {
	if c.Previous == nil {
		return in.RewriteOverColumns(c.Expr)
	}
	return c.ComparisonColumnExpr(in.RewriteOverColumns(c.Expr), previousValue(compared[c.Comparison], in, in.RewriteOverColumns(c.Previous)))
}

// JoinEarlierPeriods adds the earlier period that each bucket meets, after all columns.
func JoinEarlierPeriods(c *compare.Comparison, in *combine.Combined) *combine.Combined {
	rows := &plan.Derived{Input: in.Node, Alias: "compared", Why: "compare"}
	moves := c.Periods.NewPeriodMovesTable("met")
	cols := build.DerivedColumns(rows)
	names := naming.NewNamer()
	for _, col := range cols {
		names.UniqueName(col.Name)
	}
	earlier := map[int]int{c.Item: len(cols)}
	maps.Copy(earlier, in.Earlier)
	out := *in
	out.Earlier = earlier
	out.Node = &plan.Project{
		Input: &plan.Join{
			Left: rows, Right: moves, Kind: plan.LeftJoin, Cardinality: "one row per bucket",
			On: []plan.JoinEquality{{Left: build.DerivedColumn(rows, c.BucketGroup), Right: build.DerivedColumn(moves, periods.CurrentDayColumn)}},
		},
		Cols: append(cols, plan.NamedExpr{Name: names.UniqueName("earlier_day"), Expr: build.DerivedColumn(moves, periods.EarlierDayColumn), Type: sqlexpr.TypeDate}),
	}
	return &out
}
