package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// maxNestedSumsCompared is the number of sums of sums that are compared by their arguments.
const maxNestedSumsCompared = 8

// haveSameDecimalType reports whether two columns are certain to have values of one scale: both are made of one
// expression.
func (w *writer) haveSameDecimalType(a, b *outputColumn) bool {
	a, b = w.typeOriginOf(a), w.typeOriginOf(b)
	for range maxNestedSumsCompared {
		x, y := sumArgumentOrNil(a), sumArgumentOrNil(b)
		if x == nil || y == nil {
			break
		}
		a, b = w.typeOriginOf(x), w.typeOriginOf(y)
	}
	if !sqlexpr.Equal(a.expr, b.expr) {
		return false
	}
	same := true
	sqlexpr.Walk(a.expr, func(x sqlexpr.Expr) bool {
		switch x := x.(type) {
		case *sqlexpr.Ref:
			same = same && a.scope == b.scope
		case *sqlexpr.Column:
			_, ambiguous := w.typeOriginOfDerivedColumn(x)
			same = same && !ambiguous
		}
		return same
	})
	return same
}

// sumArgumentOrNil returns the argument of a column that is a SUM, nil for another column.
func sumArgumentOrNil(c *outputColumn) *outputColumn {
	e, ok := c.expr.(*sqlexpr.Call)
	if !ok || e.Fn != sqlexpr.FnSum {
		return nil
	}
	return &outputColumn{expr: e.Args[0], scope: c.scope}
}

// typeOriginOf returns the expression of which a column has the type: a column of a derived table leads to the expression there,
// and a choice between one value, NULL and integers to that value.
func (w *writer) typeOriginOf(c *outputColumn) *outputColumn {
	for {
		if column, ok := c.expr.(*sqlexpr.Column); ok {
			if origin, _ := w.typeOriginOfDerivedColumn(column); origin != nil {
				return origin
			}
			return c
		}
		inner := w.nextTypeOriginOf(c)
		if inner == nil {
			return c
		}
		c = inner
	}
}

// nextTypeOriginOf returns one step of typeOriginOf, nil at its end.
func (w *writer) nextTypeOriginOf(c *outputColumn) *outputColumn {
	switch e := c.expr.(type) {
	case *sqlexpr.Ref:
		if c.scope.hasColumnID(e.ID) {
			return &c.scope.cols[e.ID]
		}
	case *sqlexpr.Unary:
		if e.Op != sqlexpr.OpNot {
			return &outputColumn{expr: e.X, scope: c.scope}
		}
	case *sqlexpr.Case:
		return w.findOnlyNonIntegerValue(c.scope, sqlexpr.CaseResults(e))
	case *sqlexpr.WindowCall:
		if e.Call != nil && len(e.Call.Args) > 0 && !w.mayRoundLagLeadDefault(c.scope, e.Call) {
			return &outputColumn{expr: e.Call, scope: c.scope}
		}
	case *sqlexpr.Call:
		if isMinMaxOrAnyValue(e) || e.Fn == sqlexpr.FnNullIf || sqlexpr.InfoOfFunction(e.Fn).Class == sqlexpr.ClassWindow && returnsTypeOfFirstArgument(e.Fn) {
			return &outputColumn{expr: e.Args[0], scope: c.scope}
		}
		return w.findOnlyNonIntegerValue(c.scope, sqlexpr.ChosenArgs(e))
	}
	return nil
}

// findOnlyNonIntegerValue returns the only one of several values that is neither NULL nor an integer, nil where they are several or none.
func (w *writer) findOnlyNonIntegerValue(s *columnScope, values []sqlexpr.Expr) *outputColumn {
	var only sqlexpr.Expr
	for _, x := range values {
		switch k := w.numberKindOf(s, x); {
		case k == nullKind || k == integerKind:
		case only == nil:
			only = x
		case !sqlexpr.Equal(only, x):
			return nil
		}
	}
	if only == nil {
		return nil
	}
	return &outputColumn{expr: only, scope: s}
}
