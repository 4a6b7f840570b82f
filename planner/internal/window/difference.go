package window

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// bucketDifference returns the value of a bucket less that of another one: for dates the days between them.
func (w planner) bucketDifference(value, other sqlexpr.Expr) sqlexpr.Expr {
	switch t := w.win.BaseType; {
	case t == sqlexpr.TypeDate:
		return sqlexpr.DaysBetween(sqlexpr.Position(value.Pos()), other, value)
	case t.IsDateOrTimestamp() || t == sqlexpr.TypeTime:
		// A dialect without a difference of timestamps rejects operands of this type.
		return &sqlexpr.Binary{Op: sqlexpr.OpSub, L: castToType(value, t), R: castToType(other, t)}
	}
	return &sqlexpr.Binary{Op: sqlexpr.OpSub, L: value, R: other}
}

func castToType(x sqlexpr.Expr, t sqlexpr.Type) sqlexpr.Expr {
	if t == sqlexpr.TypeUnknown {
		return x
	}
	return &sqlexpr.Cast{X: x, To: sqlexpr.TypeName{Type: t}}
}
