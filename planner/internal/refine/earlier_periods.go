package refine

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/compare"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/plan"
)

// JoinEarlierPeriods adds the earlier period that each bucket meets, after all columns.
func JoinEarlierPeriods(c *compare.Comparison, in *branch.Combined) *branch.Combined {
	rows := &plan.Derived{Input: in.Node, Alias: "compared", Why: "compare"}
	moves := c.Periods.NewPeriodMovesTable("met")
	cols := build.DerivedColumns(rows)
	names := naming.NewNamer()
	for _, col := range cols {
		names.UniqueName(col.Name)
	}
	out := *in
	out.Earlier = len(cols)
	out.Node = &plan.Project{
		Input: &plan.Join{
			Left: rows, Right: moves, Kind: plan.LeftJoin, Cardinality: "one row per bucket",
			On: []plan.JoinEquality{{Left: build.DerivedColumn(rows, c.BucketGroup), Right: build.DerivedColumn(moves, periods.CurrentDayColumn)}},
		},
		Cols: append(cols, plan.NamedExpr{Name: names.UniqueName("earlier_day"), Expr: build.DerivedColumn(moves, periods.EarlierDayColumn), Type: sqlexpr.TypeDate}),
	}
	return &out
}
