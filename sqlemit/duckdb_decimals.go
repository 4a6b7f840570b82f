package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// castDuckdbMixedDecimalsToDouble casts one value to DOUBLE where CASE, COALESCE, GREATEST, LEAST or the default of LAG
// and LEAD combine decimals that may differ in scale. DuckDB makes one decimal of 38 digits of them, with the scale of
// a SUM, and rounds the others:
//
//	COALESCE(SUM(amount) * 0.125, SUM(amount))    0.0125 would be 0.01
//
// A row's own decimals have fewer digits, meet exactly and stay decimals, so that their sums are exact.
func castDuckdbMixedDecimalsToDouble(w *writer, e sqlexpr.Expr) sqlexpr.Expr {
	switch e := e.(type) {
	case *sqlexpr.Case:
		return w.castOneCaseResultToFloat(e)
	case *sqlexpr.Call:
		values := sqlexpr.ChosenArgs(e)
		if at := w.findMixedDecimalToCastToDouble(w.scope, values); at >= 0 {
			out := *e
			out.Args = slices.Clone(e.Args)
			at += len(e.Args) - len(values)
			out.Args[at] = newCast(e.Args[at], sqlexpr.TypeFloat)
			return &out
		}
	case *sqlexpr.WindowCall:
		if w.mayRoundLagLeadDefault(w.scope, e.Call) {
			out, call := *e, *e.Call
			call.Args = slices.Clone(e.Call.Args)
			call.Args[0] = newCast(call.Args[0], sqlexpr.TypeFloat)
			out.Call = &call
			return &out
		}
	}
	return e
}

func (w *writer) castOneCaseResultToFloat(e *sqlexpr.Case) sqlexpr.Expr {
	if !caseMayHaveSeveralDecimalValues(e) {
		return e
	}
	values := sqlexpr.CaseResults(e)
	at := w.findMixedDecimalToCastToDouble(w.scope, values)
	if at < 0 {
		return e
	}
	values[at] = newCast(values[at], sqlexpr.TypeFloat)
	return replaceCaseResults(e, values)
}

// mayRoundLagLeadDefault reports whether the default of LAG or LEAD may have more digits than the value, of which it takes
// the type.
func (w *writer) mayRoundLagLeadDefault(s *columnScope, c *sqlexpr.Call) bool {
	if c == nil || c.Fn != sqlexpr.FnLag && c.Fn != sqlexpr.FnLead || len(c.Args) != 3 {
		return false
	}
	if isFractionLiteral(c.Args[2]) && w.numberKindOf(s, c.Args[2]) == shortDecimalKind {
		return w.numberKindOf(s, c.Args[0]) != doubleKind
	}
	return w.findMixedDecimalToCastToDouble(s, []sqlexpr.Expr{c.Args[0], c.Args[2]}) >= 0
}

// findMixedDecimalToCastToDouble returns the position of the value that is cast to DOUBLE, -1 where the values keep their digits
// without a cast.
func (w *writer) findMixedDecimalToCastToDouble(s *columnScope, values []sqlexpr.Expr) int {
	if !mayHaveSeveralDecimalValues(values) {
		return -1
	}
	columns := make([]outputColumn, len(values))
	for i, x := range values {
		columns[i] = outputColumn{expr: x, scope: s}
	}
	return w.findColumnToCastToDouble(columns)
}

// mayHaveSeveralDecimalValues reports whether several values may be decimals: the others are exact constants.
func mayHaveSeveralDecimalValues(values []sqlexpr.Expr) bool {
	computed := 0
	for _, x := range values {
		if !isExactConstant(x) {
			computed++
		}
	}
	return computed > 1
}

// caseMayHaveSeveralDecimalValues is mayHaveSeveralDecimalValues of the values of a CASE.
func caseMayHaveSeveralDecimalValues(e *sqlexpr.Case) bool {
	computed := 0
	for _, arm := range e.Whens {
		if !isExactConstant(arm.Then) {
			computed++
		}
	}
	return computed > 1 || computed == 1 && e.Else != nil && !isExactConstant(e.Else)
}

// isExactConstant reports whether a value is NULL or a constant that meets a decimal without a loss.
func isExactConstant(e sqlexpr.Expr) bool {
	switch e := e.(type) {
	case *sqlexpr.Null, *sqlexpr.String, *sqlexpr.Bool:
		return true
	case *sqlexpr.Number:
		return numberKindOfLiteral(e.Text) == integerKind
	}
	return false
}

// findColumnToCastToDouble is findMixedDecimalToCastToDouble of values that were written in different scopes: a constant, or else the
// first wide decimal. There must be two values that are not integers and not one and the same.
func (w *writer) findColumnToCastToDouble(values []outputColumn) int {
	kinds, wide := make([]numberKind, 0, 8), false
	for i := range values {
		kind := w.numberKindOf(values[i].scope, values[i].expr)
		if kind == doubleKind {
			return -1
		}
		wide = wide || kind == wideDecimalKind || kind == sumOfIntegersKind
		kinds = append(kinds, kind)
	}
	if !wide {
		return -1
	}
	constant, widest, differ := -1, -1, false
	var first *outputColumn
	for i, kind := range kinds {
		if kind != wideDecimalKind && kind != shortDecimalKind && kind != unknownKind {
			continue
		}
		if first == nil {
			first = &values[i]
		}
		differ = differ || !w.haveSameDecimalType(first, &values[i])
		if constant < 0 && isFractionLiteral(values[i].expr) {
			constant = i
		}
		if kind != unknownKind && (widest < 0 || kind > kinds[widest]) {
			widest = i
		}
	}
	switch {
	case !differ:
		return -1
	case constant >= 0:
		return constant
	}
	return widest
}
