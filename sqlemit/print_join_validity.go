package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// joinValidityStyle is how an engine compares the times of a join.
type joinValidityStyle struct {
	// comparand makes a value that compares with others of its type; absent where every value
	// does.
	comparand templatesByType
	// first and last are literals before and after all times, for an engine whose hash joins take
	// comparisons of one side with the other and nothing else; absent elsewhere.
	first, last templatesByType
}

// printJoinValidityCondition prints the rest of a join condition: from ≤ at < to, where a null from or to is open.
// The comparisons come first: a row that passes them needs no test for null.
func (w *writer) printJoinValidityCondition(v *plan.JoinValidity) {
	style := &w.d.validity
	if !style.first[v.Type].isEmpty() {
		w.printValidityBoundComparison(v.At, " >= ", v.From, &style.first[v.Type])
		w.printValidityBoundComparison(v.At, " < ", v.To, &style.last[v.Type])
		return
	}
	operand := func(x sqlexpr.Expr) {
		if _, spelled := x.(*sqlexpr.Cast); spelled {
			w.printExpr(x, precConcat)
			return
		}
		w.printTemplateOperand(templateOperand{x: x, template: &style.comparand[v.Type]}, precConcat)
	}
	w.appendText(" AND (")
	operand(v.From)
	w.appendText(" <= ")
	operand(v.At)
	w.appendText(" OR ")
	w.printExpr(&sqlexpr.IsNull{X: v.From}, precAnd)
	w.appendText(") AND (")
	operand(v.At)
	w.appendText(" < ")
	operand(v.To)
	w.appendText(" OR ")
	w.printExpr(&sqlexpr.IsNull{X: v.To}, precAnd)
	w.appendText(") AND ")
	w.printExpr(&sqlexpr.IsNull{X: v.At, Not: true}, precAnd)
}

// printValidityBoundComparison compares a time with a bound, in whose place is a literal where it is open.
func (w *writer) printValidityBoundComparison(at sqlexpr.Expr, operator string, bound sqlexpr.Expr, open *template) {
	w.appendText(" AND ")
	w.printExpr(at, precConcat)
	w.appendText(operator)
	w.appendText("COALESCE(")
	w.printExpr(bound, precAny)
	w.appendText(", ")
	w.printTemplate(open, precAny)
	w.appendByte(')')
}
