package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
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

// inspectDerivedTables lists the derived tables, for numberKindOf, and casts columns of unions for a dialect whose unions round decimals.
func inspectDerivedTables(w *writer, b *selectBlock) {
	for i := range w.common {
		w.castUnionDecimalsOfBlock(w.common[i].block)
	}
	w.castUnionDecimalsOfBlock(b)
}

func (w *writer) castUnionDecimalsOfBlock(b *selectBlock) {
	if b == nil || w.shouldStopPrinting() {
		return
	}
	w.castUnionDecimalsOfSource(b.from)
	for _, p := range b.where {
		if p.member != nil {
			w.castUnionDecimalsOfBlock(p.member.rows)
		}
	}
}

func (w *writer) castUnionDecimalsOfSource(s fromSource) {
	switch s := s.(type) {
	case joinTree:
		w.castUnionDecimalsOfJoinTree(s.node)
	case *derivedTable:
		w.castUnionDecimalsOfBlock(s.block)
		w.recordDerivedBlockForTypeInference(s.alias, s.block)
	case crossJoin:
		for _, t := range s.tables {
			w.castUnionDecimalsOfSource(t)
		}
	case *blockUnion:
		for _, arm := range s.arms {
			w.castUnionDecimalsOfBlock(arm)
		}
		if w.d.unionsRoundDecimals {
			for i := range s.arms[0].out.cols {
				w.castUnionDecimalColumn(s, i)
			}
		}
		w.recordDerivedTableForTypeInference(derivedTableColumnTypes{alias: s.alias, union: s})
	}
}

func (w *writer) recordDerivedBlockForTypeInference(alias string, b *selectBlock) {
	if b != nil && b.out != nil {
		w.recordDerivedTableForTypeInference(derivedTableColumnTypes{alias: alias, block: b})
	}
}

func (w *writer) recordDerivedTableForTypeInference(t derivedTableColumnTypes) {
	w.derivedColumns.tables = append(w.derivedColumns.tables, t)
	w.derivedColumns.visible = len(w.derivedColumns.tables)
}

// castUnionDecimalColumn casts the column of one branch to DOUBLE where the branches have decimals that may differ in scale,
// as UNION combines types as CASE does.
func (w *writer) castUnionDecimalColumn(u *blockUnion, at int) {
	several, computed := 0, false
	for _, arm := range u.arms {
		c := &arm.out.cols[at]
		computed = computed || c.key == 0
		if !isExactConstant(c.expr) {
			several++
		}
	}
	if several < 2 || !computed || isNoNumber(u.arms[0].out.cols[at].reliableType()) {
		return
	}
	values := w.memory.newColumns(len(u.arms))
	for _, arm := range u.arms {
		values = append(values, arm.out.cols[at])
	}
	i := w.findColumnToCastToDouble(values)
	if i < 0 || values[i].key != 0 {
		return
	}
	out := &columnScope{cols: append([]outputColumn(nil), u.arms[i].out.cols...)}
	out.cols[at].expr = newCast(values[i].expr, sqlexpr.TypeFloat)
	u.arms[i].out = out
}

// isNoNumber reports whether a type is known and not numeric.
func isNoNumber(t sqlexpr.Type) bool { return t != sqlexpr.TypeUnknown && !t.IsNumeric() }

// castUnionDecimalsOfJoinTree goes through the derived tables of a tree of joins.
func (w *writer) castUnionDecimalsOfJoinTree(n plan.Node) {
	switch n := n.(type) {
	case *plan.Derived:
		b := w.derived[n]
		if n.Shared {
			if c := w.findCommonTable(n.Input); c != nil {
				b = c.block
			}
		} else {
			w.castUnionDecimalsOfBlock(b)
		}
		w.recordDerivedBlockForTypeInference(n.Alias, b)
	case *plan.Filter:
		w.castUnionDecimalsOfJoinTree(n.Input)
	case *plan.SemiJoin:
		w.castUnionDecimalsOfJoinTree(n.Input)
	case *plan.Join:
		w.castUnionDecimalsOfJoinTree(n.Left)
		w.castUnionDecimalsOfJoinTree(n.Right)
	default: // a tree of joins has no other node but tables
	}
}
