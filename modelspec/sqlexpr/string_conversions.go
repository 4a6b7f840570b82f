package sqlexpr

import (
	"regexp"
	"slices"
	"strconv"
)

// NumberCastHint is the hint of an aggregate of numbers over a string.
const NumberCastHint = "cast the argument to a number: CAST(x AS DECIMAL) is null where a string is not a number"

const castToNumberAdvice = "convert the string: CAST(x AS DECIMAL) is null where it is not a number"

// impossibleStringConversion returns the conversion of a string that e asks for without a cast: where it calculates with a string, and where
// it compares a string with another value or chooses between the two. Some engines read such a string as a number, and "north" as 0.
// A literal passes as the number that it spells, and beside values that are not numbers.
func impossibleStringConversion(e Expr, leaf func(Expr) Type) *ImpossibleConversion {
	of := func(x Expr) Type { return TypeOf(x, leaf) }
	for _, x := range calculatedOperands(e, of) {
		if isStringWithoutNumber(x, of) {
			return &ImpossibleConversion{Message: calculationName(e) + " takes numbers, and a value is of type string", Advice: castToNumberAdvice}
		}
	}
	if values := chosenValues(e); values != nil {
		if other := typeBesideString(values, of); other != TypeUnknown {
			return &ImpossibleConversion{Message: "a value of type string and one of type " + other.String() + " have no common type",
				Advice: "convert one of the values: CAST(x AS VARCHAR), or CAST(x AS DECIMAL), which is null where a string is not a number"}
		}
	}
	if other := typeBesideString(comparedValues(e), of); other != TypeUnknown {
		return &ImpossibleConversion{Message: "a value of type string is compared with one of type " + other.String(), Advice: "compare values of one kind"}
	}
	return nil
}

func calculationName(e Expr) string {
	switch e := e.(type) {
	case *Call:
		return InfoOfFunction(e.Fn).Name
	case *Binary:
		return e.Op.String()
	}
	return "-"
}

// calculatedOperands returns the operands that are numbers, or times and intervals, in every call of a function or operator. A literal
// is among them where it has to be a number.
func calculatedOperands(e Expr, of func(Expr) Type) []Expr {
	switch e := e.(type) {
	case *Unary:
		if e.Op == OpNeg {
			return []Expr{e.X}
		}
	case *Binary:
		switch e.Op {
		case OpAdd, OpSub:
			// A literal beside a time is a time.
			var out []Expr
			for _, pair := range [][2]Expr{{e.L, e.R}, {e.R, e.L}} {
				if _, literal := pair[0].(*String); !literal || isNumberOrCondition(of(pair[1])) {
					out = append(out, pair[0])
				}
			}
			return out
		case OpMul, OpDiv, OpMod:
			return []Expr{e.L, e.R}
		}
	case *Call:
		switch e.Fn {
		case FnAbs, FnCeil, FnFloor, FnRound, FnTrunc, FnMod, FnPower, FnSqrt, FnExp, FnLn, FnLog, FnSign, FnSum, FnAvg:
			return e.Args
		case FnLeft, FnRight, FnSubstring:
			return e.Args[1:]
		case FnSplitPart:
			return e.Args[2:]
		case FnDateAdd:
			return e.Args[1:2]
		}
	}
	return nil
}

func isStringLiteralWithoutNumber(x Expr) bool {
	s, ok := x.(*String)
	return ok && !IsNumberText(s.Value)
}

// isStringWithoutNumber reports whether a value is a string and not a literal of a number. The type of a calculation is not asked for,
// since the type of a long chain is expensive.
func isStringWithoutNumber(x Expr, of func(Expr) Type) bool {
	switch x := x.(type) {
	case *String:
		return !IsNumberText(x.Value)
	case *Binary:
		return x.Op == OpConcat
	}
	return of(x) == TypeString
}

// typeBesideString returns the type of the first value that has no common type with a string among the values; TypeUnknown where all have.
func typeBesideString(values []Expr, of func(Expr) Type) Type {
	var number, other Type
	var text, literals bool
	for _, x := range values {
		if _, ok := x.(*String); ok {
			literals = true
			continue
		}
		switch t := of(x); {
		case t == TypeString:
			text = true
		case t.IsNumeric() && number == TypeUnknown:
			number = t
		case (isDateOrTime(t) || t == TypeBool) && other == TypeUnknown:
			other = t
		}
	}
	switch {
	case number != TypeUnknown && (text || literals && slices.ContainsFunc(values, isStringLiteralWithoutNumber)):
		return number
	case text:
		return other
	}
	return TypeUnknown
}

// comparedValues returns the values that an expression compares with each other.
func comparedValues(e Expr) (values []Expr) {
	switch x := e.(type) {
	case *Case:
		if x.Operand == nil {
			return nil
		}
		values = append(values, x.Operand)
		for _, w := range x.Whens {
			values = append(values, w.Cond)
		}
		return values
	case *Call:
		if x.Fn == FnNullIf {
			return x.Args
		}
		return nil
	}
	ReplaceComparedValues(e, func(all ...Expr) []Expr {
		values = all
		return nil
	})
	return values
}

var plainNumberPattern = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// IsNumberText reports whether a string is a number that every engine has: neither NaN nor
// an infinity, and none that is beyond a double.
func IsNumberText(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil && plainNumberPattern.MatchString(s)
}
