package window

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// windowValues are the rows under windows, with the columns of the values that they take of a bucket, by measure reference.
type windowValues struct {
	node    plan.Node
	columns map[int]sqlexpr.Expr
}

// addWindowValues makes a column of each value under a window that is not one measure. It is NULL where the metric has no data.
func addWindowValues(a *branch.Query, refs []int, in *branch.Combined, names *naming.Namer) windowValues {
	out := windowValues{in.Node, map[int]sqlexpr.Expr{}}
	cols := in.Node.Schema().ColumnRefs()
	width := len(cols)
	for _, i := range refs {
		u := a.Cols.MeasureRefs[i]
		if u.Window.Spec.Recompute != nil {
			continue
		}
		if r, ok := u.Window.Base.Expr.(*sqlexpr.Ref); ok {
			out.columns[i] = in.Column(r.ID)
			continue
		}
		value := in.RewriteOverColumns(u.Window.Base.Expr)
		if has := in.HasDataCondition(u.Window.Base.Inputs); has != nil && !u.Window.Base.MovesWindows {
			value = build.CaseWhen(has, value)
		}
		out.columns[i] = &sqlexpr.Ref{ID: len(cols)}
		cols = append(cols, plan.NamedExpr{Name: names.UniqueName(u.Window.Metric.Name + "_base"), Expr: value, Type: u.Window.BaseType})
	}
	if len(cols) > width {
		out.node = &plan.Project{Input: in.Node, Cols: cols}
	}
	return out
}

// valueOverNoRows returns the value of the metric over no rows: of counts 0, of all else NULL. It is nil where it is certainly NULL.
func (w planner) valueOverNoRows() sqlexpr.Expr {
	readsNull := false
	value := sqlexpr.Rewrite(w.win.Base.Expr, func(e sqlexpr.Expr) sqlexpr.Expr {
		r, ok := e.(*sqlexpr.Ref)
		switch {
		case !ok:
			return nil
		case w.query.Cols.MeasureRefs[r.ID].Measure.IsZeroOverNoRows():
			return build.Integer(0)
		}
		readsNull = true
		return castToType(&sqlexpr.Null{}, w.query.Cols.MeasureRefs[r.ID].Measure.Type)
	})
	if readsNull && isNullIfOperandIs(w.win.Base.Expr) {
		return nil
	}
	return value
}

// isNullIfOperandIs reports whether an expression is NULL wherever one of its operands is.
func isNullIfOperandIs(e sqlexpr.Expr) bool {
	strict := true
	sqlexpr.Walk(e, func(x sqlexpr.Expr) bool {
		switch x := x.(type) {
		case *sqlexpr.Ref, *sqlexpr.Number, *sqlexpr.SafeDivide, *sqlexpr.Cast, *sqlexpr.Unary:
		case *sqlexpr.Binary:
			strict = strict && x.Op != sqlexpr.OpAnd && x.Op != sqlexpr.OpOr
		default:
			strict = false
		}
		return strict
	})
	return strict
}

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
