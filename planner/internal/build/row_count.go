package build

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// CountRows returns the plan of the number of rows, as the one column TotalRowsColumn.
func CountRows(rows plan.Node) plan.Node {
	count := &sqlexpr.Call{Fn: sqlexpr.FnCount, Name: sqlexpr.Name{Text: "COUNT"}, Star: true}
	return &plan.Aggregate{Input: rows, Measures: []plan.NamedExpr{{Name: plan.TotalRowsColumn, Expr: count, Type: sqlexpr.TypeInt}}}
}
