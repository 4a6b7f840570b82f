package periods

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

func newRef(i int) sqlexpr.Expr { return &sqlexpr.Ref{ID: i} }

func isNotNull(x sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.IsNull{Not: true, X: x} }

func newCaseWhen(cond, then sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: cond, Then: then}}}
}

func newIntegerLiteral(n int64) sqlexpr.Expr {
	if n < 0 {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: newIntegerLiteral(-n)}
	}
	return &sqlexpr.Number{Text: strconv.FormatInt(n, 10)}
}

func newWindowCall(fn sqlexpr.Func, name string, args ...sqlexpr.Expr) *sqlexpr.WindowCall {
	return &sqlexpr.WindowCall{Call: &sqlexpr.Call{Fn: fn, Name: sqlexpr.Name{Text: name}, Args: args}}
}

func dateColumn(name string, i int) plan.NamedExpr {
	return plan.NamedExpr{Name: name, Expr: newRef(i), Type: sqlexpr.TypeDate}
}

func numberedColumnName(name string, i int) string { return name + "_" + strconv.Itoa(i) }

func columnOfDerived(d *plan.Derived, i int) sqlexpr.Expr {
	return sqlexpr.NewTwoPartColumn(d.Alias, sqlexpr.Name{Text: d.Schema()[i].Name, Quoted: true})
}
