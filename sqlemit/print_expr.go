package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// expr prints e where an expression of at least the precedence min may stand.
func (w *writer) expr(e sqlexpr.Expr, min prec) {
	if w.full() {
		return
	}
	if w.d.rewrite != nil {
		e = w.d.rewrite(w, e)
	}
	switch e := e.(type) {
	case *sqlexpr.Column:
		w.path(e.Path)
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
		w.typed(e.Type, e.Value)
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
		p := w.paren(precCompare, min)
		w.expr(e.X, precConcat)
		if e.Not {
			w.text(" IS NOT NULL")
		} else {
			w.text(" IS NULL")
		}
		w.done(p)
	case *sqlexpr.IsTruth:
		w.fill(w.d.ops.truth(e.Want, e.Not), min, e.X)
	case *sqlexpr.Case:
		w.caseExpr(e)
	case *sqlexpr.Cast:
		w.d.types.cast(w, e, min)
	case *sqlexpr.Extract:
		w.extract(e, min)
	case *sqlexpr.Known:
		w.known(e, min)
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

// ref prints what column id of the input stands for.
func (w *writer) ref(id int, min prec) {
	s := w.in
	if s == nil || id < 0 || id >= len(s.cols) {
		w.invalid("a reference points outside the input's columns")
		return
	}
	w.col(&s.cols[id], min)
}

// col prints a column's expression in the scope it was written for.
func (w *writer) col(c *col, min prec) {
	outer := w.in
	w.in = c.in
	if call, ok := c.expr.(*sqlexpr.Call); ok && c.typ == sqlexpr.TypeBool && w.boolAggregate(call, min) {
		w.in = outer
		return
	}
	w.expr(c.expr, min)
	w.in = outer
}

func (w *writer) unary(e *sqlexpr.Unary, min prec) {
	switch e.Op {
	case sqlexpr.OpNot:
		p := w.paren(precNot, min)
		w.text("NOT ")
		w.expr(e.X, precNot)
		w.done(p)
	case sqlexpr.OpNeg:
		// Two minus signs in a row would open a comment.
		p := w.paren(precUnary, min)
		w.byte('-')
		w.expr(e.X, precPrimary)
		w.done(p)
	default:
		w.expr(e.X, min)
	}
}

// infix is how the operators print that all dialects spell alike.
var infix = [...]struct {
	prec, left, right prec
	text              string
}{
	sqlexpr.OpOr:  {precOr, precOr, precOr, " OR "},
	sqlexpr.OpAnd: {precAnd, precAnd, precAnd, " AND "},
	sqlexpr.OpEq:  {precCompare, precConcat, precConcat, " = "},
	sqlexpr.OpNe:  {precCompare, precConcat, precConcat, " <> "},
	sqlexpr.OpLt:  {precCompare, precConcat, precConcat, " < "},
	sqlexpr.OpLe:  {precCompare, precConcat, precConcat, " <= "},
	sqlexpr.OpGt:  {precCompare, precConcat, precConcat, " > "},
	sqlexpr.OpGe:  {precCompare, precConcat, precConcat, " >= "},
	sqlexpr.OpAdd: {precAdd, precAdd, precMul, " + "},
	sqlexpr.OpSub: {precAdd, precAdd, precMul, " - "},
	sqlexpr.OpMul: {precMul, precMul, precUnary, " * "},
}

func (w *writer) binary(e *sqlexpr.Binary, min prec) {
	switch e.Op {
	case sqlexpr.OpDiv:
		w.divide(e.L, e.R, min)
	case sqlexpr.OpMod:
		w.modulo(e.L, e.R, min)
	case sqlexpr.OpConcat:
		f := &w.d.ops.concat
		if !w.d.ops.concatAny.absent() && w.typeOf(e.L) != sqlexpr.TypeString && w.typeOf(e.R) != sqlexpr.TypeString {
			f = &w.d.ops.concatAny
		}
		w.fill(f, min, e.L, e.R)
	case sqlexpr.OpDistinct:
		w.fill(&w.d.ops.differ, min, e.L, e.R)
	case sqlexpr.OpNotDistinct:
		w.fill(&w.d.ops.same, min, e.L, e.R)
	case sqlexpr.OpAdd, sqlexpr.OpSub:
		if w.calendar(e, min) {
			return
		}
		fallthrough
	default:
		if int(e.Op) >= len(infix) || infix[e.Op].text == "" {
			w.invalid("an unknown operator")
			return
		}
		op := &infix[e.Op]
		p := w.paren(op.prec, min)
		w.expr(e.L, op.left)
		w.text(op.text)
		w.expr(e.R, op.right)
		w.done(p)
	}
}

// divide is real division: in double precision, NULL for a zero divisor.
func (w *writer) divide(l, r sqlexpr.Expr, min prec) {
	if w.typeOf(l) == sqlexpr.TypeFloat && (!w.d.ops.typesOfValues || divided(l)) {
		w.fill(&w.d.ops.divide, min, l, r)
		return
	}
	double := sqlexpr.Cast{X: l, To: sqlexpr.TypeName{Type: sqlexpr.TypeFloat}}
	w.fill(&w.d.ops.divide, min, &double, r)
}

// divided reports whether an expression is a division, whose value is a double
// whatever it divides.
func divided(e sqlexpr.Expr) bool {
	switch e := e.(type) {
	case *sqlexpr.Divide:
		return true
	case *sqlexpr.Binary:
		return e.Op == sqlexpr.OpDiv
	}
	return false
}

// modulo is the remainder, NULL for a zero divisor.
func (w *writer) modulo(l, r sqlexpr.Expr, min prec) {
	f := &w.d.ops.mod
	whole := w.typeOf(r) == sqlexpr.TypeInt && (w.typeOf(l) == sqlexpr.TypeInt || !w.d.ops.negativeZero)
	if !whole && !w.d.ops.modAny.absent() {
		f = &w.d.ops.modAny
	}
	w.fill(f, min, l, r)
}

func (w *writer) between(e *sqlexpr.Between, min prec) {
	p := w.paren(precCompare, min)
	w.expr(e.X, precConcat)
	if e.Not {
		w.text(" NOT")
	}
	w.text(" BETWEEN ")
	w.expr(e.Lo, precConcat)
	w.text(" AND ")
	w.expr(e.Hi, precConcat)
	w.done(p)
}

func (w *writer) inList(e *sqlexpr.In, min prec) {
	if len(e.Items) == 0 {
		w.boolean(e.Not)
		return
	}
	if w.d.ops.looseIn && !allLiterals(e.Items) {
		w.inChain(e, min)
		return
	}
	p := w.paren(precCompare, min)
	w.expr(e.X, precConcat)
	if e.Not {
		w.text(" NOT")
	}
	w.text(" IN (")
	w.list(e.Items)
	w.byte(')')
	w.done(p)
}

func allLiterals(items []sqlexpr.Expr) bool {
	for _, x := range items {
		if !literal(x) {
			return false
		}
	}
	return true
}

// inChain prints IN as the comparisons it stands for.
func (w *writer) inChain(e *sqlexpr.In, min prec) {
	p := w.paren(precOr, min)
	if e.Not {
		w.text("NOT (")
	}
	for i, x := range e.Items {
		if i > 0 {
			w.text(" OR ")
		}
		w.expr(e.X, precConcat)
		w.text(" = ")
		w.expr(x, precConcat)
	}
	if e.Not {
		w.byte(')')
	}
	w.done(p)
}

func (w *writer) caseExpr(e *sqlexpr.Case) {
	w.text("CASE")
	if e.Operand != nil {
		w.byte(' ')
		w.expr(e.Operand, precAny)
	}
	values := w.values(e)
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

// values are those among which a CASE chooses, the one of ELSE last.
func (w *writer) values(e *sqlexpr.Case) []sqlexpr.Expr {
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

func (o *operatorForms) truth(want, not bool) *form {
	switch {
	case want && not:
		return &o.notTrue
	case want:
		return &o.isTrue
	case not:
		return &o.notFalse
	}
	return &o.isFalse
}

// typeOf infers the type of an expression in the current scope. A declared
// type counts only where it could not mislead: a field may be declared Integer
// over a column of doubles.
func (w *writer) typeOf(e sqlexpr.Expr) sqlexpr.Type {
	switch e := e.(type) {
	case *sqlexpr.Column, *sqlexpr.Number, *sqlexpr.String:
		return sqlexpr.TypeOf(e, nil)
	case *sqlexpr.Known:
		if w.d.time.keepsZones {
			return sqlexpr.TypeTimestamp
		}
		return w.typeOf(e.X)
	case *sqlexpr.Binary:
		return w.types.binary(w.in, e)
	}
	return typeIn(w.in, e)
}

// known prints a moment whose clock is about to be read: where values keep the zone
// that they were written with, as the clock of UTC.
func (w *writer) known(e *sqlexpr.Known, min prec) {
	if w.d.time.keepsZones {
		w.fill(&w.d.time.instant[e.Type], min, e.X)
		return
	}
	w.expr(e.X, min)
}

func typeIn(s *scope, e sqlexpr.Expr) sqlexpr.Type {
	return sqlexpr.TypeOf(e, func(leaf sqlexpr.Expr) sqlexpr.Type {
		r, ok := leaf.(*sqlexpr.Ref)
		if !ok || s == nil || r.ID < 0 || r.ID >= len(s.cols) {
			return sqlexpr.TypeUnknown
		}
		return s.cols[r.ID].known()
	})
}
