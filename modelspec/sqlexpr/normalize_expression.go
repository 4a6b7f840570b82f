package sqlexpr

import (
	"slices"
	"strconv"
	"strings"
)

// Normalize gives expressions that mean the same, for a fixed list of reasons,
// the same tree, so that Equal(Normalize(a), Normalize(b)) compares meaning
// where Equal compares form. The reasons are: operands of AND, OR, +, *, =, <>
// and items of IN in another order; a > b against b < a; BETWEEN and IN against
// the comparisons they abbreviate; NOT pushed inwards or not; x against x =
// TRUE; IF and simple CASE against searched CASE, ELSE NULL or none; other
// names of one function, type or unit; 2.0 against 2.
//
// It keeps SQL's three-valued logic: a normal form is NULL where the original
// is. It does not know algebra: (a + b) * c and a * c + b * c stay different.
// The result has no positions and is meant to be compared, not run.
func Normalize(e Expr) Expr {
	if e == nil {
		return nil
	}
	switch e := e.(type) {
	case *Unary:
		if e.Op == OpNot {
			return normalizeNegationOf(e.X)
		}
	case *Binary:
		// A chain is built once from its operands: operator by operator its
		// cost would grow with the square of its length.
		switch e.Op {
		case OpAnd, OpOr:
			return normalizeAndOr(e.Op, applyToExprsInPlace(appendOperandsOfChain(nil, e, e.Op), Normalize)...)
		case OpMul:
			return normalizeProduct(applyToExprsInPlace(appendOperandsOfChain(nil, e, OpMul), Normalize)...)
		case OpConcat:
			return normalizeConcat(applyToExprsInPlace(appendOperandsOfChain(nil, e, OpConcat), Normalize)...)
		case OpAdd, OpSub:
			return normalizeSum(normalizedSignedTerms(e)...)
		}
	}
	return normalizeOverNormalOperands(MapOperands(e, Normalize))
}

// normalizeNegationOf returns the normal form of NOT e. It takes the NOT down with it, so that
// nested ones do not turn the same operands over again and again.
func normalizeNegationOf(e Expr) Expr {
	switch e := e.(type) {
	case *Unary:
		if e.Op == OpNot {
			return Normalize(e.X)
		}
	case *Binary:
		if e.Op == OpAnd || e.Op == OpOr {
			return normalizeAndOr(OpAnd+OpOr-e.Op, applyToExprsInPlace(appendOperandsOfChain(nil, e, e.Op), normalizeNegationOf)...)
		}
	}
	return negateNormalForm(Normalize(e))
}

func applyToExprsInPlace(list []Expr, f func(Expr) Expr) []Expr {
	for i, e := range list {
		list[i] = f(e)
	}
	return list
}

// normalizedSignedTerms returns the normal forms of the terms of a + b - c + …, read along the
// left operands, each with its sign.
func normalizedSignedTerms(b *Binary) []Expr {
	var list []Expr
	for {
		r := Normalize(b.R)
		if b.Op == OpSub {
			r = normalizeUnaryMinus(r)
		}
		list = append(list, r)
		l, ok := b.L.(*Binary)
		if !ok || l.Op != OpAdd && l.Op != OpSub {
			list = append(list, Normalize(b.L))
			break
		}
		b = l
	}
	slices.Reverse(list)
	return list
}

// normalizeOverNormalOperands normalizes a node whose operands are normal.
func normalizeOverNormalOperands(e Expr) Expr {
	switch e := e.(type) {
	case *Column:
		return &Column{Path: normalizePath(e.Path)}
	case *Number:
		return &Number{Text: trimNumberLiteralZeros(e.Text)}
	case *Interval:
		return normalizeInterval(e)
	case *Unary:
		if e.Op == OpNeg {
			return normalizeUnaryMinus(e.X)
		}
		return e.X
	case *Binary:
		return normalizeBinaryExpression(e.Op, e.L, e.R)
	case *SafeDivide:
		return normalizeBinaryExpression(OpDiv, e.L, e.R)
	case *Between:
		return normalizeBetween(e)
	case *In:
		return normalizeIn(e)
	case *Case:
		return normalizeCase(e)
	case *Cast:
		to := e.To
		if to.Type != TypeUnknown {
			to.Name = ""
		}
		return &Cast{Try: e.Try, X: e.X, To: to}
	case *Call:
		return normalizeCall(e)
	}
	return e
}

func normalizePath(path []Name) []Name {
	out := make([]Name, len(path))
	for i, n := range path {
		if out[i] = n; !n.Quoted {
			out[i].Text = strings.ToLower(n.Text)
		}
	}
	return out
}

// trimNumberLiteralZeros writes a numeric literal without needless zeros and, unless
// it is very long, without an exponent: 2.50 is 2.5, 1e3 is 1000.
func trimNumberLiteralZeros(text string) string {
	mantissa, exponent := strings.ToLower(text), 0
	if i := strings.IndexByte(mantissa, 'e'); i >= 0 {
		n, err := strconv.Atoi(mantissa[i+1:])
		if err != nil {
			return text
		}
		mantissa, exponent = mantissa[:i], n
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if exponent -= len(fraction); digits == "" {
		return "0"
	}
	short := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(short)
	point := len(short) + exponent // digits before the decimal point
	const plain = 40
	switch {
	case exponent < -plain || exponent > plain:
		return short + "e" + strconv.Itoa(exponent)
	case exponent >= 0:
		return short + strings.Repeat("0", exponent)
	case point > 0:
		return short[:point] + "." + short[point:]
	}
	return "0." + strings.Repeat("0", -point) + short
}

// normalizeInterval counts in seconds, days or months.
func normalizeInterval(e *Interval) Expr {
	factor, unit := 1, e.Unit
	switch e.Unit {
	case "minute":
		factor, unit = 60, "second"
	case "hour":
		factor, unit = 3600, "second"
	case "week":
		factor, unit = 7, "day"
	case "quarter":
		factor, unit = 3, "month"
	case "year":
		factor, unit = 12, "month"
	}
	n, err := strconv.Atoi(e.Count)
	if err != nil {
		return e
	}
	return &Interval{Count: strconv.Itoa(n * factor), Unit: unit}
}

func normalizeCase(e *Case) Expr {
	c := &Case{Else: e.Else}
	switch {
	case e.Operand == nil:
		c.Whens = e.Whens
	case isCheapToRepeat(e.Operand):
		for _, w := range e.Whens {
			c.Whens = append(c.Whens, When{Cond: normalizeBinaryExpression(OpEq, e.Operand, w.Cond), Then: w.Then})
		}
	default:
		c.Operand, c.Whens = e.Operand, e.Whens
	}
	switch other := c.Else.(type) {
	case *Null:
		c.Else = nil
	case *Case:
		if c.Operand == nil && other.Operand == nil {
			c.Whens = append(c.Whens[:len(c.Whens):len(c.Whens)], other.Whens...)
			c.Else = other.Else
		}
	}
	return c
}

// isCheapToRepeat reports whether e may be written twice: a normal form repeats only small
// expressions, so that nesting cannot multiply them.
func isCheapToRepeat(e Expr) bool {
	const most = 16
	n := 0
	Walk(e, func(Expr) bool {
		n++
		return n <= most
	})
	return n <= most
}

var extractPartsByFunction = map[Func]string{
	FnYear: "year", FnQuarter: "quarter", FnMonth: "month", FnDay: "day", FnDayOfYear: "dayofyear",
	FnDayOfWeek: "dayofweek", FnHour: "hour", FnMinute: "minute", FnSecond: "second",
}

// ExtractPart returns the part that a function returns as EXTRACT does: "month" for MONTH.
func (fn Func) ExtractPart() (part string, ok bool) {
	part, ok = extractPartsByFunction[fn]
	return part, ok
}

func normalizeCall(c *Call) Expr {
	if part, ok := c.Fn.ExtractPart(); ok && len(c.Args) == 1 {
		return &Extract{Part: part, X: c.Args[0]}
	}
	n := &Call{Fn: c.Fn, Name: Name{Text: InfoOfFunction(c.Fn).Name}, Dialect: c.Dialect, Distinct: c.Distinct, Star: c.Star, Desc: c.Desc, Args: c.Args}
	switch c.Fn {
	case FnUnknown, FnOtherAggregate:
		n.Name = normalizePath([]Name{c.Name})[0]
	case FnIf:
		if len(c.Args) == 3 {
			return normalizeCase(&Case{Whens: []When{{Cond: c.Args[0], Then: c.Args[1]}}, Else: c.Args[2]})
		}
	case FnMod:
		if len(c.Args) == 2 {
			return &Binary{Op: OpMod, L: c.Args[0], R: c.Args[1]}
		}
	case FnMin, FnMax, FnBoolAnd, FnBoolOr, FnAnyValue:
		n.Distinct = false
	case FnGreatest, FnLeast:
		n.Args = sortByText(n.Args)
	case FnCount:
		if !c.Distinct && len(c.Args) == 1 && isNonNullLiteral(c.Args[0]) {
			n.Star, n.Args = true, nil
		}
	}
	return n
}

// isNonNullLiteral reports whether e is a literal other than NULL.
func isNonNullLiteral(e Expr) bool {
	switch e.(type) {
	case *Number, *String, *Bool, *TypedLiteral, *Interval:
		return true
	}
	return false
}
