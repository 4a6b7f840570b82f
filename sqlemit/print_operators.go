package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

func (w *writer) printUnary(e *sqlexpr.Unary, min precedence) {
	switch e.Op {
	case sqlexpr.OpNot:
		p := w.openParenIfNeeded(precNot, min)
		w.appendText("NOT ")
		w.printExpr(e.X, precNot)
		w.closeOpenedParen(p)
	case sqlexpr.OpNeg:
		// Two minus signs in a row would open a comment.
		p := w.openParenIfNeeded(precUnary, min)
		w.appendByte('-')
		w.printExpr(e.X, precPrimary)
		w.closeOpenedParen(p)
	default:
		w.printExpr(e.X, min)
	}
}

// commonOperatorSyntax is how the operators print that all dialects spell alike.
var commonOperatorSyntax = [...]struct {
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

func (w *writer) printBinary(e *sqlexpr.Binary, min precedence) {
	switch e.Op {
	case sqlexpr.OpDiv:
		w.printDivision(e.L, e.R, min)
	case sqlexpr.OpMod:
		w.printModulo(e.L, e.R, min)
	case sqlexpr.OpConcat:
		f := &w.d.ops.concat
		if !w.d.ops.concatAny.isEmpty() && w.typeOf(e.L) != sqlexpr.TypeString && w.typeOf(e.R) != sqlexpr.TypeString {
			f = &w.d.ops.concatAny
		}
		w.printTemplate(f, min, e.L, e.R)
	case sqlexpr.OpIsDistinctFrom:
		w.printTemplate(&w.d.ops.differ, min, e.L, e.R)
	case sqlexpr.OpIsNotDistinctFrom:
		w.printTemplate(&w.d.ops.same, min, e.L, e.R)
	case sqlexpr.OpAdd, sqlexpr.OpSub:
		if w.printTimeArithmetic(e, min) {
			return
		}
		fallthrough
	default:
		if int(e.Op) >= len(commonOperatorSyntax) || commonOperatorSyntax[e.Op].text == "" {
			w.recordInternalError("an unknown operator")
			return
		}
		op := &commonOperatorSyntax[e.Op]
		p := w.openParenIfNeeded(op.prec, min)
		w.printExpr(e.L, op.left)
		w.appendText(op.text)
		w.printExpr(e.R, op.right)
		w.closeOpenedParen(p)
	}
}

// printDivision is real division: in double precision, NULL for a zero divisor.
func (w *writer) printDivision(l, r sqlexpr.Expr, min precedence) {
	if w.typeOf(l) == sqlexpr.TypeFloat {
		w.printTemplate(&w.d.ops.divide, min, l, r)
		return
	}
	w.printTemplate(&w.d.ops.divide, min, newCast(l, sqlexpr.TypeFloat), r)
}

// printModulo is the remainder, NULL for a zero divisor.
func (w *writer) printModulo(l, r sqlexpr.Expr, min precedence) {
	f := &w.d.ops.mod
	whole := w.typeOf(r) == sqlexpr.TypeInt && (w.typeOf(l) == sqlexpr.TypeInt || !w.d.ops.modNegativeZero)
	if !whole && !w.d.ops.modAny.isEmpty() {
		f = &w.d.ops.modAny
	}
	w.printTemplate(f, min, l, r)
}

func (w *writer) printIsNull(e *sqlexpr.IsNull, min precedence) {
	p := w.openParenIfNeeded(precCompare, min)
	w.printExpr(e.X, precConcat)
	if e.Not {
		w.appendText(" IS NOT NULL")
	} else {
		w.appendText(" IS NULL")
	}
	w.closeOpenedParen(p)
}

func (w *writer) printBetween(e *sqlexpr.Between, min precedence) {
	p := w.openParenIfNeeded(precCompare, min)
	w.printExpr(e.X, precConcat)
	if e.Not {
		w.appendText(" NOT")
	}
	w.appendText(" BETWEEN ")
	w.printExpr(e.Lo, precConcat)
	w.appendText(" AND ")
	w.printExpr(e.Hi, precConcat)
	w.closeOpenedParen(p)
}

func (w *writer) printInList(e *sqlexpr.In, min precedence) {
	if len(e.Items) == 0 {
		w.printBoolLiteral(e.Not)
		return
	}
	if w.d.ops.inIgnoresNullItems && !allLiterals(e.Items) {
		w.printInAsComparisons(e, min)
		return
	}
	p := w.openParenIfNeeded(precCompare, min)
	w.printExpr(e.X, precConcat)
	if e.Not {
		w.appendText(" NOT")
	}
	w.appendText(" IN (")
	w.printExprList(e.Items)
	w.appendByte(')')
	w.closeOpenedParen(p)
}

func allLiterals(items []sqlexpr.Expr) bool {
	for _, x := range items {
		if !isLiteral(x) {
			return false
		}
	}
	return true
}

// printInAsComparisons prints IN as the comparisons that it means.
func (w *writer) printInAsComparisons(e *sqlexpr.In, min precedence) {
	p := w.openParenIfNeeded(precOr, min)
	if e.Not {
		w.appendText("NOT (")
	}
	for i, x := range e.Items {
		if i > 0 {
			w.appendText(" OR ")
		}
		w.printExpr(e.X, precConcat)
		w.appendText(" = ")
		w.printExpr(x, precConcat)
	}
	if e.Not {
		w.appendByte(')')
	}
	w.closeOpenedParen(p)
}

func (o *operatorTemplates) truthTestTemplate(want, not bool) *template {
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
