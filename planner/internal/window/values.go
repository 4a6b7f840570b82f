package window

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/plan"
)

// windowValues are the rows under windows, with the columns of the values that they take of a bucket, by measure reference.
type windowValues struct {
	node               plan.Node
	columns, beforeEnd map[int]sqlexpr.Expr
}

// addWindowValues makes a column of each value under a window that is not one measure. It is NULL where the metric has no data.
func addWindowValues(a *branch.Query, refs []int, in *combine.Combined, names *naming.Namer) windowValues {
	out := windowValues{in.Node, map[int]sqlexpr.Expr{}, map[int]sqlexpr.Expr{}}
	cols := in.Node.Schema().ColumnRefs()
	width := len(cols)
	add := func(w *measure.Window, value, hasData sqlexpr.Expr) sqlexpr.Expr {
		if _, ok := value.(*sqlexpr.Ref); ok {
			return value
		}
		if hasData != nil && !w.Base.MovesWindows {
			value = build.CaseWhen(hasData, value)
		}
		cols = append(cols, plan.NamedExpr{Name: names.UniqueName(w.Metric.Name + "_base"), Expr: value, Type: w.BaseType})
		return &sqlexpr.Ref{ID: len(cols) - 1}
	}
	for _, i := range refs {
		w := a.Cols.MeasureRefs[i].Window
		if w.Spec.Recompute != nil || w.Base.AtLevels {
			continue
		}
		value := columnOrValue(a, in, w.Base.Expr)
		if w.InRange != nil {
			value = valueAtLevels(a, w, value, columnOrValue(a, in, w.InRange.Expr))
		}
		out.columns[i] = add(w, value, hasDataCondition(a, in, w))
		if w.Cut != nil && w.Cut.Base != nil {
			out.beforeEnd[i] = add(w, columnOrValue(a, in, w.Cut.Base.Expr), in.HasDataCondition(w.Cut.Base.Inputs))
		}
	}
	if len(cols) > width {
		out.node = &plan.Project{Input: in.Node, Cols: cols}
	}
	return out
}

// columnOrValue returns an expression over measure references as one over matched rows; a measure by itself is NULL without data. A count at
// another level is 0 where its table has no row.
func columnOrValue(a *branch.Query, in *combine.Combined, e sqlexpr.Expr) sqlexpr.Expr {
	if r, ok := e.(*sqlexpr.Ref); ok && a.Cols.MeasureRefs[r.ID].Level == nil {
		return in.Column(r.ID)
	}
	return in.RewriteOverColumns(e)
}

// valueAtLevels returns what a window reads at its buckets, and in its place at levels without buckets what it reads in range.
func valueAtLevels(a *branch.Query, w *measure.Window, atBuckets, inRange sqlexpr.Expr) sqlexpr.Expr {
	without := a.Levels.LevelsWithout(w.Buckets)
	if len(without) == 0 || sqlexpr.Equal(atBuckets, inRange) {
		return atBuckets
	}
	isWithout := levels.IsOneOf(&sqlexpr.Ref{ID: len(a.Groups)}, without)
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: isWithout, Then: inRange}}, Else: atBuckets}
}

// hasDataCondition returns the condition that the metric of a window has data; nil where it has in all rows.
func hasDataCondition(a *branch.Query, in *combine.Combined, w *measure.Window) sqlexpr.Expr {
	atBuckets := in.HasDataCondition(w.Base.Inputs)
	if w.InRange == nil {
		return atBuckets
	}
	inRange := in.HasDataCondition(w.InRange.Inputs)
	if atBuckets == nil || inRange == nil { // one branch, each row of which has data
		return atBuckets
	}
	without := a.Levels.LevelsWithout(w.Buckets)
	if len(without) == 0 || sqlexpr.Equal(atBuckets, inRange) {
		return atBuckets
	}
	isWithout := levels.IsOneOf(&sqlexpr.Ref{ID: len(a.Groups)}, without)
	return &sqlexpr.Binary{
		Op: sqlexpr.OpOr, L: sqlexpr.And(isWithout, inRange), R: sqlexpr.And(&sqlexpr.Unary{Op: sqlexpr.OpNot, X: isWithout}, atBuckets),
	}
}

// valueOverNoRows returns the value of the metric over no rows: of counts 0, of all else NULL. It is nil where it is certainly NULL.
func (w planner) valueOverNoRows() sqlexpr.Expr {
	readsNull := false
	value := sqlexpr.RewriteRefs(w.win.Base.Expr, func(r *sqlexpr.Ref) sqlexpr.Expr {
		switch {
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
