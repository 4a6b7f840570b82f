package refine

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/ranked"
	"github.com/semlayer/semlayer/planner/plan"
)

// planRowCount counts the rows of level 0 that result conditions leave; nil where the query does not ask for it. It plans the rows once
// more, because the limit of a query with totals adds positions to them.
func planRowCount(a resultPlanner, in *combine.Combined) *plan.RowCount {
	q := a.q.In.Query
	if !q.Count {
		return nil
	}
	rows := filterResult(a, a.planResultRows(in))
	if a.q.Levels.HasTotals() {
		own := levels.IsOneOf(&sqlexpr.Ref{ID: a.levelColumnIndex()}, []int{0})
		rows = &plan.Filter{Input: rows, Conds: []sqlexpr.Expr{own}, Why: "count"}
	}
	return &plan.RowCount{
		Root:     ranked.ReplaceMissingAggregates(build.CountRows(rows), a.q.In.Target.Caps),
		IsResult: q.Limit == nil && q.Offset == 0,
	}
}
