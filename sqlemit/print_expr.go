package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// printExpr prints e where an expression of at least the precedence min may be.
func (w *writer) printExpr(e sqlexpr.Expr, min precedence) {
	if w.shouldStopPrinting() {
		return
	}
	switch e := e.(type) {
	case *sqlexpr.Column:
		w.printQualifiedColumn(e.Path)
	case *sqlexpr.Ref:
		w.printColumnRef(e.ID, min)
	default:
		w.printComputedExpr(e, min)
	}
}

// printComputedExpr prints an expression other than a column. A dialect may rewrite it to one.
func (w *writer) printComputedExpr(e sqlexpr.Expr, min precedence) {
	if w.d.rewrite != nil {
		e = w.d.rewrite(w, e)
	}
	switch e := e.(type) {
	case *sqlexpr.Column:
		w.printQualifiedColumn(e.Path)
	case *sqlexpr.Ref:
		w.printColumnRef(e.ID, min)
	case *sqlexpr.Number:
		w.printNumericLiteral(e.Text)
	case *sqlexpr.String:
		w.printStringLiteral(e.Value)
	case *sqlexpr.Bool:
		w.printBoolLiteral(e.Value)
	case *sqlexpr.Null:
		w.appendText("NULL")
	case *sqlexpr.TypedLiteral:
		w.printTypedLiteral(e.Type, e.Value)
	case *sqlexpr.Interval:
		w.printInterval(e)
	case *sqlexpr.Unary:
		w.printUnary(e, min)
	case *sqlexpr.Binary:
		w.printBinary(e, min)
	case *sqlexpr.SafeDivide:
		w.printDivision(e.L, e.R, min)
	case *sqlexpr.Between:
		w.printBetween(e, min)
	case *sqlexpr.In:
		w.printInList(e, min)
	case *sqlexpr.Like:
		w.printLike(e, min)
	case *sqlexpr.IsNull:
		w.printIsNull(e, min)
	case *sqlexpr.IsTruth:
		w.printTemplate(w.d.ops.truthTestTemplate(e.Want, e.Not), min, e.X)
	case *sqlexpr.Case:
		w.printCase(e)
	case *sqlexpr.Cast:
		w.printCast(e, min)
	case *sqlexpr.Extract:
		w.printExtract(e, min)
	case *sqlexpr.DeclaredTypeExpr:
		w.printDeclaredTypeExpr(e, min)
	case *sqlexpr.Call:
		w.printCall(e, min)
	case *sqlexpr.WindowCall:
		w.printWindowCallForDialect(e)
	case *sqlexpr.Bucket:
		w.printBucket(e, min)
	case *sqlexpr.BucketOrdinal:
		w.printBucketNumber(e, min)
	case *sqlexpr.LocalTime:
		w.printLocalTime(e, min)
	case *sqlexpr.DecodeTimeCodeExpr:
		w.printTimeCodeDecode(e, min)
	case *sqlexpr.NativeCast:
		w.printSingleDialectCast(e)
	case *sqlexpr.Subscript:
		w.printSubscript(e)
	case *sqlexpr.SemiStructuredPath:
		w.printSemiStructuredPath(e)
	case *sqlexpr.NativeString:
		w.printNativeString(e)
	case *sqlexpr.JSONAccess:
		w.printJSONAccess(e)
	case *sqlexpr.StructMemberAccess:
		w.printStructMemberAccess(e)
	case *sqlexpr.Param:
		w.recordInternalError("parameter :" + e.Name + " was never bound")
	case *sqlexpr.Subquery:
		w.recordInternalError("a subquery reached the plan")
	default:
		w.recordInternalError("an expression is missing")
	}
}

func (w *writer) printBoolLiteral(v bool) {
	if v {
		w.appendText("TRUE")
	} else {
		w.appendText("FALSE")
	}
}

// printColumnRef prints the expression of column id of the input.
func (w *writer) printColumnRef(id int, min precedence) {
	s := w.scope
	if s == nil || id < 0 || id >= len(s.cols) {
		w.recordInternalError("a reference points outside the input's columns")
		return
	}
	w.printOutputColumn(&s.cols[id], min)
}

// printOutputColumn prints a column's expression in the scope it was written for.
func (w *writer) printOutputColumn(c *outputColumn, min precedence) {
	outer := w.scope
	w.scope = c.scope
	if call, ok := c.expr.(*sqlexpr.Call); ok && isMinMaxOrAnyValue(call) && c.typ == sqlexpr.TypeBool && w.printBoolAggregate(call, min) {
		w.scope = outer
		return
	}
	w.printExpr(c.expr, min)
	w.scope = outer
}

func (w *writer) printCase(e *sqlexpr.Case) {
	if w.d.branches != nil {
		e = replaceCaseResults(e, w.d.branches(w, sqlexpr.CaseResults(e)))
	}
	w.appendText("CASE")
	if e.Operand != nil {
		w.appendByte(' ')
		w.printExpr(e.Operand, precAny)
	}
	for _, arm := range e.Whens {
		w.appendText(" WHEN ")
		w.printExpr(arm.Cond, precAny)
		w.appendText(" THEN ")
		w.printExpr(arm.Then, precAny)
	}
	if e.Else != nil {
		w.appendText(" ELSE ")
		w.printExpr(e.Else, precAny)
	}
	w.appendText(" END")
}

// replaceCaseResults returns a CASE with other values, which CaseResults lists.
func replaceCaseResults(e *sqlexpr.Case, values []sqlexpr.Expr) *sqlexpr.Case {
	out := *e
	out.Whens = slices.Clone(e.Whens)
	for i := range out.Whens {
		out.Whens[i].Then = values[i]
	}
	if e.Else != nil {
		out.Else = values[len(e.Whens)]
	}
	return &out
}

// caseOperands returns the values that a CASE with an operand compares with each other, the operand first.
func caseOperands(e *sqlexpr.Case) []sqlexpr.Expr {
	if e.Operand == nil {
		return nil
	}
	values := []sqlexpr.Expr{e.Operand}
	for _, arm := range e.Whens {
		values = append(values, arm.Cond)
	}
	return values
}

// replaceCaseOperands returns a CASE that compares other values, which caseOperands lists.
func replaceCaseOperands(e *sqlexpr.Case, values []sqlexpr.Expr) *sqlexpr.Case {
	out := *e
	out.Operand, out.Whens = values[0], slices.Clone(e.Whens)
	for i := range out.Whens {
		out.Whens[i].Cond = values[i+1]
	}
	return &out
}
