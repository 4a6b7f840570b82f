package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// expr prints e where an expression of at least the precedence min may be.
func (w *writer) expr(e sqlexpr.Expr, min precedence) {
	if w.shouldStop() {
		return
	}
	if w.d.rewrite != nil {
		e = w.d.rewrite(w, e)
	}
	switch e := e.(type) {
	case *sqlexpr.Column:
		w.columnPath(e.Path)
	case *sqlexpr.Ref:
		w.ref(e.ID, min)
	case *sqlexpr.Number:
		w.number(e.Text)
	case *sqlexpr.String:
		w.stringLiteral(e.Value)
	case *sqlexpr.Bool:
		w.boolean(e.Value)
	case *sqlexpr.Null:
		w.text("NULL")
	case *sqlexpr.Typed:
		w.typedLiteral(e.Type, e.Value)
	case *sqlexpr.Interval:
		w.interval(e)
	case *sqlexpr.Unary:
		w.unary(e, min)
	case *sqlexpr.Binary:
		w.binary(e, min)
	case *sqlexpr.Divide:
		w.divide(e.L, e.R, min)
	case *sqlexpr.Between:
		w.between(e, min)
	case *sqlexpr.In:
		w.inList(e, min)
	case *sqlexpr.Like:
		w.likeExpr(e, min)
	case *sqlexpr.IsNull:
		w.isNull(e, min)
	case *sqlexpr.IsTruth:
		w.render(w.d.ops.truthTemplate(e.Want, e.Not), min, e.X)
	case *sqlexpr.Case:
		w.caseExpr(e)
	case *sqlexpr.Cast:
		w.d.types.cast(w, e, min)
	case *sqlexpr.Extract:
		w.extract(e, min)
	case *sqlexpr.Known:
		w.knownTimestamp(e, min)
	case *sqlexpr.Call:
		w.call(e, min)
	case *sqlexpr.Over:
		w.over(e)
	case *sqlexpr.Bucket:
		w.bucket(e, min)
	case *sqlexpr.Ordinal:
		w.ordinal(e, min)
	case *sqlexpr.Decode:
		w.decode(e, min)
	case *sqlexpr.NativeCast:
		w.nativeCast(e)
	case *sqlexpr.Subscript:
		w.subscript(e)
	case *sqlexpr.JSONAccess:
		w.jsonAccess(e)
	case *sqlexpr.Member:
		w.member(e)
	case *sqlexpr.Param:
		w.invalid("parameter :" + e.Name + " was never bound")
	case *sqlexpr.Subquery:
		w.invalid("a subquery reached the plan")
	default:
		w.invalid("an expression is missing")
	}
}

func (w *writer) boolean(v bool) {
	if v {
		w.text("TRUE")
	} else {
		w.text("FALSE")
	}
}

// ref prints the expression of column id of the input.
func (w *writer) ref(id int, min precedence) {
	s := w.scope
	if s == nil || id < 0 || id >= len(s.cols) {
		w.invalid("a reference points outside the input's columns")
		return
	}
	w.col(&s.cols[id], min)
}

// outputColumn prints a column's expression in the scope it was written for.
func (w *writer) col(c *outputColumn, min precedence) {
	outer := w.scope
	w.scope = c.scope
	if call, ok := c.expr.(*sqlexpr.Call); ok && c.typ == sqlexpr.TypeBool && w.boolAggregate(call, min) {
		w.scope = outer
		return
	}
	w.expr(c.expr, min)
	w.scope = outer
}

func (w *writer) caseExpr(e *sqlexpr.Case) {
	w.text("CASE")
	if e.Operand != nil {
		w.byte(' ')
		w.expr(e.Operand, precAny)
	}
	values := w.caseValues(e)
	for i, arm := range e.Whens {
		w.text(" WHEN ")
		w.expr(arm.Cond, precAny)
		w.text(" THEN ")
		w.expr(values[i], precAny)
	}
	if e.Else != nil {
		w.text(" ELSE ")
		w.expr(values[len(e.Whens)], precAny)
	}
	w.text(" END")
}

// caseValues are those among which a CASE chooses, the one of ELSE last.
func (w *writer) caseValues(e *sqlexpr.Case) []sqlexpr.Expr {
	values := make([]sqlexpr.Expr, 0, len(e.Whens)+1)
	for _, arm := range e.Whens {
		values = append(values, arm.Then)
	}
	if e.Else != nil {
		values = append(values, e.Else)
	}
	if w.d.branches != nil {
		values = w.d.branches(w, values)
	}
	return values
}
