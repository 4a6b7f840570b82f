package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// castClickhouseMembers casts the decimals of IN and the numbers among which they are. ClickHouse casts the value to the type of the
// rows, which cuts digits off (seen in 26.7): 99.99 would be among the integers where 99 is.
func castClickhouseMembers(n *plan.SemiJoin) *plan.SemiJoin {
	column := n.Rows.Schema()[0]
	decimals := n.Type == sqlexpr.TypeDecimal || column.Type == sqlexpr.TypeDecimal
	doubles := n.Type == sqlexpr.TypeFloat || column.Type == sqlexpr.TypeFloat // the plan has cast these
	if !decimals || doubles {
		return n
	}
	out := *n
	out.Value = newWidestClickhouseDecimal(n.Value)
	out.Rows = &plan.Project{Input: n.Rows, Cols: []plan.NamedExpr{
		{Name: column.Name, Expr: newWidestClickhouseDecimal(&sqlexpr.Ref{ID: 0}), Type: sqlexpr.TypeDecimal},
	}}
	return &out
}

// newWidestClickhouseDecimal returns a number as a decimal with 38 digits on each side of the point, which every decimal of 38 digits
// becomes without a loss.
func newWidestClickhouseDecimal(x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Call{
		Fn: sqlexpr.FnUnknown, Name: sqlexpr.Name{Text: "toDecimal256"},
		Args: []sqlexpr.Expr{x, newIntegerConstant(maxClickhouseDecimalDigits / 2)},
	}
}

// newClickhouseIntegerKey returns an integer as one of 128 bits. ClickHouse joins no column of UInt64 with one of signed integers.
func newClickhouseIntegerKey(x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Call{Fn: sqlexpr.FnUnknown, Name: sqlexpr.Name{Text: "toInt128"}, Args: []sqlexpr.Expr{x}}
}
