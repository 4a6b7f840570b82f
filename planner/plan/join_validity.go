package plan

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// JoinValidity limits a join to the rows that are valid at a time: From ≤ At < To. A null From or
// To is open, and a null At matches nothing. All of them are of one type.
type JoinValidity struct {
	At       sqlexpr.Expr // over the left side
	From, To sqlexpr.Expr // over the right side
	Type     sqlexpr.Type // Date, a timestamp, or one with a zone
}

// ComparableTimeExpr returns a value of a type as it compares with times of another one: a Date is a day,
// also where a timestamp is stored, and a day is its midnight beside timestamps.
func ComparableTimeExpr(x sqlexpr.Expr, typ, compared sqlexpr.Type) sqlexpr.Expr {
	if typ == sqlexpr.TypeDate {
		x = sqlexpr.DayOf(x)
	}
	if typ == compared {
		return x
	}
	return &sqlexpr.Cast{X: x, To: sqlexpr.TypeName{Type: compared}}
}

// Conditions returns the validity as conditions of a filter.
func (v *JoinValidity) Conditions() []sqlexpr.Expr {
	open := func(bound, closed sqlexpr.Expr) sqlexpr.Expr {
		return &sqlexpr.Binary{Op: sqlexpr.OpOr, L: &sqlexpr.IsNull{X: bound}, R: closed}
	}
	return []sqlexpr.Expr{
		&sqlexpr.IsNull{X: v.At, Not: true},
		open(v.From, &sqlexpr.Binary{Op: sqlexpr.OpLe, L: v.From, R: v.At}),
		open(v.To, &sqlexpr.Binary{Op: sqlexpr.OpLt, L: v.At, R: v.To}),
	}
}

// explainText returns the part of a join's line.
func (v *JoinValidity) explainText() string {
	return " and " + sqlexpr.Format(v.At) + " in [" + sqlexpr.Format(v.From) + ", " + sqlexpr.Format(v.To) + ")"
}

// checkJoinEquality verifies that the equality of the join holds the other part of the condition.
func (v *JoinValidity) checkJoinEquality(n *Join) error {
	switch {
	case v.At == nil || v.From == nil || v.To == nil:
		return fmt.Errorf("join %s is valid without bounds", n.Relationship)
	case len(n.On) == 0:
		return fmt.Errorf("join %s is valid for a time and has no keys", n.Relationship)
	case v.Type != sqlexpr.TypeDate && !v.Type.IsDateOrTimestamp():
		return fmt.Errorf("join %s compares times of type %s", n.Relationship, v.Type)
	}
	return nil
}
