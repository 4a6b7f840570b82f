package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

func (w *writer) unary(e *sqlexpr.Unary, min precedence) {
	switch e.Op {
	case sqlexpr.OpNot:
		p := w.openParen(precNot, min)
		w.text("NOT ")
		w.expr(e.X, precNot)
		w.closeParen(p)
	case sqlexpr.OpNeg:
		// Two minus signs in a row would open a comment.
		p := w.openParen(precUnary, min)
		w.byte('-')
		w.expr(e.X, precPrimary)
		w.closeParen(p)
	default:
		w.expr(e.X, min)
	}
}

// operatorSpellings is how the operators print that all dialects spell alike.
var operatorSpellings = [...]struct {
	prec, left, right precedence
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

func (w *writer) binary(e *sqlexpr.Binary, min precedence) {
	switch e.Op {
	case sqlexpr.OpDiv:
		w.divide(e.L, e.R, min)
	case sqlexpr.OpMod:
		w.modulo(e.L, e.R, min)
	case sqlexpr.OpConcat:
		f := &w.d.ops.concat
		if !w.d.ops.concatAny.isAbsent() && w.typeOf(e.L) != sqlexpr.TypeString && w.typeOf(e.R) != sqlexpr.TypeString {
			f = &w.d.ops.concatAny
		}
		w.render(f, min, e.L, e.R)
	case sqlexpr.OpDistinct:
		w.render(&w.d.ops.differ, min, e.L, e.R)
	case sqlexpr.OpNotDistinct:
		w.render(&w.d.ops.same, min, e.L, e.R)
	case sqlexpr.OpAdd, sqlexpr.OpSub:
		if w.calendar(e, min) {
			return
		}
		fallthrough
	default:
		if int(e.Op) >= len(operatorSpellings) || operatorSpellings[e.Op].text == "" {
			w.invalid("an unknown operator")
			return
		}
		op := &operatorSpellings[e.Op]
		p := w.openParen(op.prec, min)
		w.expr(e.L, op.left)
		w.text(op.text)
		w.expr(e.R, op.right)
		w.closeParen(p)
	}
}

// divide is real division: in double precision, NULL for a zero divisor.
func (w *writer) divide(l, r sqlexpr.Expr, min precedence) {
	if w.typeOf(l) == sqlexpr.TypeFloat {
		w.render(&w.d.ops.divide, min, l, r)
		return
	}
	w.render(&w.d.ops.divide, min, castTo(l, sqlexpr.TypeFloat), r)
}

// modulo is the remainder, NULL for a zero divisor.
func (w *writer) modulo(l, r sqlexpr.Expr, min precedence) {
	f := &w.d.ops.mod
	whole := w.typeOf(r) == sqlexpr.TypeInt && (w.typeOf(l) == sqlexpr.TypeInt || !w.d.ops.modNegativeZero)
	if !whole && !w.d.ops.modAny.isAbsent() {
		f = &w.d.ops.modAny
	}
	w.render(f, min, l, r)
}

func (w *writer) isNull(e *sqlexpr.IsNull, min precedence) {
	p := w.openParen(precCompare, min)
	w.expr(e.X, precConcat)
	if e.Not {
		w.text(" IS NOT NULL")
	} else {
		w.text(" IS NULL")
	}
	w.closeParen(p)
}

func (w *writer) between(e *sqlexpr.Between, min precedence) {
	p := w.openParen(precCompare, min)
	w.expr(e.X, precConcat)
	if e.Not {
		w.text(" NOT")
	}
	w.text(" BETWEEN ")
	w.expr(e.Lo, precConcat)
	w.text(" AND ")
	w.expr(e.Hi, precConcat)
	w.closeParen(p)
}

func (w *writer) inList(e *sqlexpr.In, min precedence) {
	if len(e.Items) == 0 {
		w.boolean(e.Not)
		return
	}
	if w.d.ops.inIgnoresNullItems && !allLiterals(e.Items) {
		w.inAsComparisons(e, min)
		return
	}
	p := w.openParen(precCompare, min)
	w.expr(e.X, precConcat)
	if e.Not {
		w.text(" NOT")
	}
	w.text(" IN (")
	w.list(e.Items)
	w.byte(')')
	w.closeParen(p)
}

func allLiterals(items []sqlexpr.Expr) bool {
	for _, x := range items {
		if !isLiteral(x) {
			return false
		}
	}
	return true
}

// inAsComparisons prints IN as the comparisons that it means.
func (w *writer) inAsComparisons(e *sqlexpr.In, min precedence) {
	p := w.openParen(precOr, min)
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
	w.closeParen(p)
}

func (o *operatorTemplates) truthTemplate(want, not bool) *template {
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
