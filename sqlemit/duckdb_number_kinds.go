package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// numberKind is how the values of an expression meet others in engines where several become one type, such as DuckDB.
type numberKind uint8

const (
	// notNumericKind is a text, a date, a condition or an interval.
	notNumericKind numberKind = iota
	// nullKind is NULL, which has the type of the others.
	nullKind
	// integerKind has no digits after the point, and at most 64 bits unless it is a constant.
	integerKind
	// sumOfIntegersKind is a HUGEINT. Together with a decimal it becomes a decimal of 38 digits.
	sumOfIntegersKind
	// shortDecimalKind is a decimal of few digits.
	shortDecimalKind
	// unknownKind is a column of a table, or what is made of one and no SUM.
	unknownKind
	// wideDecimalKind may be a decimal of 38 digits, as a SUM of decimals is.
	wideDecimalKind
	// doubleKind is a DOUBLE, and makes one of all others.
	doubleKind
)

// commonNumberKind returns the kind of an expression that adds or chooses between values of two kinds.
func commonNumberKind(a, b numberKind) numberKind {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == notNumericKind && b != nullKind:
		return notNumericKind
	case a == sumOfIntegersKind && (b == shortDecimalKind || b == unknownKind):
		return wideDecimalKind
	case a == shortDecimalKind && b == unknownKind:
		return shortDecimalKind
	}
	return b
}

// numberKindOf returns the kind of an expression in a scope.
func (w *writer) numberKindOf(s *columnScope, e sqlexpr.Expr) numberKind {
	switch e := e.(type) {
	case *sqlexpr.Null:
		return nullKind
	case *sqlexpr.Number:
		return numberKindOfLiteral(e.Text)
	case *sqlexpr.TypedLiteral:
		return numberKindOfType(e.Type)
	case *sqlexpr.Column:
		return w.numberKindOfDerivedColumn(e)
	case *sqlexpr.Ref:
		return w.numberKindOfRef(s, e)
	case *sqlexpr.Unary:
		if e.Op != sqlexpr.OpNot {
			return w.numberKindOf(s, e.X)
		}
		return notNumericKind
	case *sqlexpr.Binary:
		return w.numberKindOfBinary(s, e)
	case *sqlexpr.SafeDivide:
		return doubleKind
	case *sqlexpr.Case:
		return w.numberKindOfChoice(s, e, sqlexpr.CaseResults(e))
	case *sqlexpr.Cast:
		return numberKindOfCastType(e.To)
	case *sqlexpr.Call:
		return w.numberKindOfCall(s, e)
	case *sqlexpr.WindowCall:
		if e.Call != nil {
			return w.numberKindOfCall(s, e.Call)
		}
	case *sqlexpr.DeclaredTypeExpr:
		if e.Type == sqlexpr.TypeFloat { // the column may be a decimal
			return w.numberKindOf(s, e.X)
		}
	}
	if t := typeInScope(s, e); t != sqlexpr.TypeUnknown {
		return numberKindOfType(t)
	}
	return unknownKind
}

// numberKindOfRef returns the kind of the column that a reference means.
func (w *writer) numberKindOfRef(s *columnScope, r *sqlexpr.Ref) numberKind {
	if !s.hasColumnID(r.ID) {
		return unknownKind
	}
	c := &s.cols[r.ID]
	switch e := c.expr.(type) {
	case *sqlexpr.Column:
		return w.numberKindOfDerivedColumn(e)
	case *sqlexpr.Ref:
		return w.numberKindOfRef(c.scope, e)
	}
	return w.cacheNumberKind(c.scope, c.expr, func() numberKind { return w.numberKindOf(c.scope, c.expr) })
}

func (w *writer) numberKindOfBinary(s *columnScope, e *sqlexpr.Binary) numberKind {
	switch e.Op {
	case sqlexpr.OpDiv:
		return doubleKind
	case sqlexpr.OpAdd, sqlexpr.OpSub, sqlexpr.OpMul, sqlexpr.OpMod:
		l, r := w.numberKindOf(s, e.L), w.numberKindOf(s, e.R)
		if l == notNumericKind && r == notNumericKind && e.Op == sqlexpr.OpSub {
			return integerKind // days between dates, or an interval
		}
		return commonNumberKind(l, r)
	}
	return notNumericKind
}

func (w *writer) numberKindOfCall(s *columnScope, c *sqlexpr.Call) numberKind {
	switch c.Fn {
	case sqlexpr.FnUnknown, sqlexpr.FnOtherAggregate:
		return unknownKind
	case sqlexpr.FnSum:
		switch k := w.numberKindOf(s, c.Args[0]); k {
		case integerKind, sumOfIntegersKind:
			return sumOfIntegersKind
		case shortDecimalKind, unknownKind:
			return wideDecimalKind
		case notNumericKind:
			if typeInScope(s, c.Args[0]) == sqlexpr.TypeBool {
				return sumOfIntegersKind
			}
			return notNumericKind
		default:
			return k
		}
	case sqlexpr.FnMod:
		return commonNumberKind(w.numberKindOf(s, c.Args[0]), w.numberKindOf(s, c.Args[1]))
	}
	if values := sqlexpr.ChosenArgs(c); values != nil {
		return w.numberKindOfChoice(s, c, values)
	}
	if returnsTypeOfFirstArgument(c.Fn) {
		return w.numberKindOf(s, c.Args[0])
	}
	if t := typeInScope(s, c); t != sqlexpr.TypeUnknown {
		return numberKindOfType(t)
	}
	return unknownKind
}

// scopedExpr is an expression, the scope in which it was written, and the number of the derived tables that it can name.
type scopedExpr struct {
	scope   *columnScope
	expr    sqlexpr.Expr
	visible int
}

// cacheNumberKind keeps the kind of an expression that is asked for by each expression around it.
func (w *writer) cacheNumberKind(s *columnScope, e sqlexpr.Expr, find func() numberKind) numberKind {
	at := scopedExpr{s, e, w.derivedColumns.visible}
	if kind, ok := w.derivedColumns.kinds[at]; ok {
		return kind
	}
	kind := find()
	if w.derivedColumns.kinds == nil {
		w.derivedColumns.kinds = map[scopedExpr]numberKind{}
	}
	w.derivedColumns.kinds[at] = kind
	return kind
}

// numberKindOfChoice returns the kind of an expression that has one of several values.
func (w *writer) numberKindOfChoice(s *columnScope, e sqlexpr.Expr, values []sqlexpr.Expr) numberKind {
	join := func() numberKind {
		kind := nullKind
		for _, x := range values {
			kind = commonNumberKind(kind, w.numberKindOf(s, x))
		}
		return kind
	}
	if !mayHaveSeveralDecimalValues(values) {
		return join()
	}
	return w.cacheNumberKind(s, e, func() numberKind {
		kind := join()
		if kind == wideDecimalKind && w.findMixedDecimalToCastToDouble(s, values) >= 0 {
			return doubleKind
		}
		return kind
	})
}

// returnsTypeOfFirstArgument reports whether a function returns a value of the type of its first argument.
func returnsTypeOfFirstArgument(fn sqlexpr.Func) bool {
	switch fn {
	case sqlexpr.FnMin, sqlexpr.FnMax, sqlexpr.FnAnyValue, sqlexpr.FnPercentileDisc, sqlexpr.FnFirstValue, sqlexpr.FnLastValue,
		sqlexpr.FnNthValue, sqlexpr.FnLag, sqlexpr.FnLead, sqlexpr.FnAbs, sqlexpr.FnCeil, sqlexpr.FnFloor, sqlexpr.FnRound,
		sqlexpr.FnTrunc, sqlexpr.FnNullIf:
		return true
	}
	return false
}

func numberKindOfLiteral(text string) numberKind {
	if strings.ContainsAny(text, "eE") {
		return doubleKind
	}
	if _, fraction, _ := strings.Cut(text, "."); strings.Trim(fraction, "0") != "" {
		return shortDecimalKind
	}
	return integerKind
}

// maxDigitsOfDecimalIn64Bits is the number of digits of the decimals that DuckDB keeps in 64 bits.
const maxDigitsOfDecimalIn64Bits = 18

func numberKindOfCastType(t sqlexpr.TypeName) numberKind {
	if t.Type == sqlexpr.TypeDecimal && (len(t.Args) == 0 || t.Args[0] > maxDigitsOfDecimalIn64Bits) {
		return wideDecimalKind
	}
	if t.Type == sqlexpr.TypeUnknown {
		return unknownKind
	}
	return numberKindOfType(t.Type)
}

func numberKindOfType(t sqlexpr.Type) numberKind {
	switch t {
	case sqlexpr.TypeUnknown:
		return unknownKind
	case sqlexpr.TypeInt:
		return integerKind
	case sqlexpr.TypeDecimal:
		return shortDecimalKind
	case sqlexpr.TypeFloat:
		return doubleKind
	}
	return notNumericKind
}
