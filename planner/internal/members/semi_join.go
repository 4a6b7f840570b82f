// Package members plans the condition that a value is among the rows of a subquery.
//
//	value, rows ──► Check ──► Fit ──► plan.SemiJoin
//
// Queries over rows and outer SQL share it: both compare a value with the one column of other rows.
package members

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/plan"
)

// InCondition is the condition that a field is, or with Not is not, among rows of one column.
type InCondition struct {
	Field string // a reference to the field, spelled like those of a query
	Not   bool
	Rows  plan.Node
}

// CheckComparable returns the error of a value of a type that does not compare with the rows; place names the condition.
func CheckComparable(place string, value sqlexpr.Type, rows plan.Node) error {
	types := [...]sqlexpr.Type{value, rows.Schema()[0].Type}
	equal := &sqlexpr.Binary{Op: sqlexpr.OpEq, L: &sqlexpr.Ref{ID: 0}, R: &sqlexpr.Ref{ID: 1}}
	_, err := coerce.CoerceCondition(place, equal, func(e sqlexpr.Expr) sqlexpr.Type {
		if r, ok := e.(*sqlexpr.Ref); ok {
			return types[r.ID]
		}
		return sqlexpr.TypeUnknown
	}, false)
	return err
}

// NewSemiJoin keeps the rows of a node whose value is, or is not, among other rows.
func NewSemiJoin(in plan.Node, value sqlexpr.Expr, typ sqlexpr.Type, not bool, rows plan.Node, why string) *plan.SemiJoin {
	column := rows.Schema()[0]
	value, own := CoerceToCommonType(value, typ, &sqlexpr.Ref{ID: 0}, column.Type)
	if _, same := own.(*sqlexpr.Ref); !same {
		rows = &plan.Project{Input: rows, Cols: []plan.NamedExpr{{Name: column.Name, Expr: own, Type: max(typ, column.Type)}}}
	}
	return &plan.SemiJoin{Input: in, Value: value, Type: typ, Not: not, Rows: rows, Why: why}
}

// CoerceToCommonType brings a day and a point in time to one type, and a double and another number, so that their values
// compare alike on every engine. Values of other types stay.
func CoerceToCommonType(l sqlexpr.Expr, left sqlexpr.Type, r sqlexpr.Expr, right sqlexpr.Type) (fittedLeft, fittedRight sqlexpr.Expr) {
	switch {
	case left == right:
		return l, r
	case left.IsDateOrTimestamp() && right.IsDateOrTimestamp():
		both := max(left, right)
		return plan.ComparableTimeExpr(l, left, both), plan.ComparableTimeExpr(r, right, both)
	case left == sqlexpr.TypeFloat && right.IsNumeric():
		return l, castToDouble(r)
	case right == sqlexpr.TypeFloat && left.IsNumeric():
		return castToDouble(l), r
	}
	return l, r
}

func castToDouble(x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Cast{X: x, To: sqlexpr.TypeName{Type: sqlexpr.TypeFloat}}
}
