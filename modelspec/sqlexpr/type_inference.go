package sqlexpr

import (
	"slices"
	"strings"
)

// resultTypeRule is how a function's type follows from the types of its arguments.
type resultTypeRule uint8

const (
	resultTypeUnknown resultTypeRule = iota
	resultTypeBool
	resultTypeInt
	resultTypeFloat
	resultTypeString
	resultTypeDate
	resultTypeTime
	resultTypeTimestamp
	resultTypeTimestampTZ
	resultTypeOfFirstArg              // the type of the first argument
	resultTypeCommonToArgs            // the common type of the arguments
	resultTypeCommonAfterFirstArg     // the common type of the arguments after the first
	resultTypeOfArithmetic            // as of an arithmetic operator
	resultTypeOfShiftedOrTruncatedArg // of the last argument; a date by less than a day is a timestamp
	resultTypeOfSummedArg             // of the argument, when that is a number
)

var fixedResultTypes = [...]Type{
	resultTypeBool: TypeBool, resultTypeInt: TypeInt, resultTypeFloat: TypeFloat, resultTypeString: TypeString,
	resultTypeDate: TypeDate, resultTypeTime: TypeTime, resultTypeTimestamp: TypeTimestamp, resultTypeTimestampTZ: TypeTimestampTZ,
}

// TypeOf infers the logical type of e. leaf types the columns, references and
// parameters; with a nil leaf they are unknown. A date that is shifted or truncated by days or
// coarser units is a date, independent of the engine.
func TypeOf(e Expr, leaf func(Expr) Type) Type {
	of := func(x Expr) Type { return TypeOf(x, leaf) }
	switch e := e.(type) {
	case *Column, *Ref, *Param:
		if leaf == nil {
			return TypeUnknown
		}
		return leaf(e)
	case *Number:
		return typeOfNumberLiteral(e.Text)
	case *String:
		return TypeString
	case *Bool, *Between, *In, *Like, *IsNull, *IsTruth:
		return TypeBool
	case *TypedLiteral:
		return e.Type
	case *Interval:
		return TypeInterval
	case *Unary:
		if e.Op == OpNot {
			return TypeBool
		}
		return of(e.X)
	case *Binary:
		return typeOfBinary(e, of)
	case *Case:
		return typeOfCase(e, of)
	case *Cast:
		return e.To.Type
	case *Extract:
		if _, known := datePartOfSpelling(e.Part); known {
			return TypeInt
		}
		return TypeUnknown
	case *Call:
		return typeOfCall(e, of)
	case *WindowCall:
		return typeOfCall(e.Call, of)
	case *Bucket:
		return BucketType(e.From, e.Grain)
	case *BucketOrdinal:
		return TypeInt
	case *LocalTime:
		return TypeTimestamp
	case *DecodeTimeCodeExpr:
		if e.Code != nil && e.Code.Epoch != "" && !e.Local {
			return BucketType(TypeTimestampTZ, e.Grain)
		}
		return BucketType(TypeTimestamp, e.Grain)
	case *DeclaredTypeExpr:
		return e.Type
	case *SafeDivide:
		return TypeFloat
	}
	return TypeUnknown
}

// BucketType returns the type of the buckets of a grain over values of a type.
func BucketType(from Type, g Grain) Type {
	switch {
	case g.Seconds() == 0:
		return TypeDate
	case from == TypeTimestampTZ:
		return TypeTimestampTZ
	}
	return TypeTimestamp
}

// typeOfNumberLiteral: 1 is an integer, 1.5 a decimal, 1e3 a double.
func typeOfNumberLiteral(text string) Type {
	switch {
	case strings.ContainsAny(text, "eE"):
		return TypeFloat
	case strings.Contains(text, "."):
		return TypeDecimal
	}
	return TypeInt
}

// TypeOfBinary infers the logical type of e from the types of its operands, which of
// returns.
func TypeOfBinary(e *Binary, of func(Expr) Type) Type { return typeOfBinary(e, of) }

func typeOfBinary(e *Binary, of func(Expr) Type) Type {
	switch e.Op {
	case OpConcat:
		return TypeString
	case OpDiv:
		return TypeFloat
	case OpAdd, OpSub:
		return typeOfSum(e, of(e.L), of(e.R))
	case OpMul, OpMod:
		return typeOfArithmetic(e.Op, of(e.L), of(e.R))
	}
	return TypeBool
}

// typeOfSum is typeOfArithmetic for the operands l and r of a sum or difference, whose interval has a unit.
func typeOfSum(e *Binary, l, r Type) Type {
	i, right := e.R.(*Interval)
	j, left := e.L.(*Interval)
	switch {
	case right && l == TypeDate:
		return typeOfShiftedDate(i.Unit)
	case left && e.Op == OpAdd && r == TypeDate:
		return typeOfShiftedDate(j.Unit)
	}
	return typeOfArithmetic(e.Op, l, r)
}

// typeOfShiftedDate returns the type of a date that is shifted or truncated by a unit.
func typeOfShiftedDate(unit string) Type {
	if unitsWithinDay[unit] {
		return TypeTimestamp
	}
	return TypeDate
}

func typeOfArithmetic(op BinaryOp, l, r Type) Type {
	if l.IsNumeric() && r.IsNumeric() {
		return commonType(l, r)
	}
	switch op {
	case OpAdd, OpSub:
		switch {
		case r == TypeInterval && (l == TypeTimestamp || l == TypeTimestampTZ || l == TypeInterval):
			return l
		case op == OpAdd && l == TypeInterval && (r == TypeTimestamp || r == TypeTimestampTZ):
			return r
		case l == TypeDate && r == TypeInt, op == OpAdd && l == TypeInt && r == TypeDate:
			return TypeDate
		case op == OpSub && l == TypeDate && r == TypeDate:
			return TypeInt
		}
	case OpMul:
		if l == TypeInterval && r.IsNumeric() || l.IsNumeric() && r == TypeInterval {
			return TypeInterval
		}
	}
	return TypeUnknown
}

// commonType returns the common type of two values of one column: itself, or the wider
// of two numbers.
func commonType(a, b Type) Type {
	switch {
	case a == b:
		return a
	case !a.IsNumeric() || !b.IsNumeric():
		return TypeUnknown
	case a == TypeFloat || b == TypeFloat:
		return TypeFloat
	}
	return TypeDecimal
}

// commonTypeOfAll returns the common type of values; NULL literals fit any.
func commonTypeOfAll(values []Expr, of func(Expr) Type) Type {
	t, typed := TypeUnknown, false
	for _, v := range values {
		if _, null := v.(*Null); null {
			continue
		}
		if !typed {
			t, typed = of(v), true
		} else {
			t = commonType(t, of(v))
		}
		if t == TypeUnknown {
			return t
		}
	}
	return t
}

func typeOfCase(e *Case, of func(Expr) Type) Type { return commonTypeOfAll(CaseResults(e), of) }

// CaseResults returns the values among which a CASE chooses, that of ELSE last.
func CaseResults(e *Case) []Expr {
	values := make([]Expr, 0, len(e.Whens)+1)
	for _, w := range e.Whens {
		values = append(values, w.Then)
	}
	if e.Else != nil {
		values = append(values, e.Else)
	}
	return values
}

// ResultTypeOfFunction infers the logical type of a function's value from that of its first argument.
func ResultTypeOfFunction(fn Func, arg Type) Type {
	return typeOfCall(&Call{Fn: fn, Args: []Expr{&Ref{}}}, func(Expr) Type { return arg })
}

func typeOfCall(c *Call, of func(Expr) Type) Type {
	info := InfoOfFunction(c.Fn)
	if int(info.result) < len(fixedResultTypes) && fixedResultTypes[info.result] != TypeUnknown {
		return fixedResultTypes[info.result]
	}
	if len(c.Args) == 0 {
		return TypeUnknown
	}
	switch info.result {
	case resultTypeOfFirstArg:
		return of(c.Args[0])
	case resultTypeCommonToArgs:
		return commonTypeOfAll(c.Args, of)
	case resultTypeCommonAfterFirstArg:
		return commonTypeOfAll(c.Args[1:], of)
	case resultTypeOfArithmetic:
		if len(c.Args) == 2 {
			return typeOfArithmetic(OpMod, of(c.Args[0]), of(c.Args[1]))
		}
	case resultTypeOfShiftedOrTruncatedArg:
		unit, _ := c.Args[0].(*String)
		switch t := of(c.Args[len(c.Args)-1]); {
		case t == TypeTimestamp, t == TypeTimestampTZ:
			return t
		case t == TypeDate && unit != nil:
			return typeOfShiftedDate(unit.Value)
		}
	case resultTypeOfSummedArg:
		if t := of(c.Args[0]); t.IsNumeric() {
			return t
		}
	}
	return TypeUnknown
}

// IsShiftedOrTruncatedTime reports whether an expression is a date or timestamp that is shifted or truncated,
// for which TypeOf has no type where its operand has none.
func IsShiftedOrTruncatedTime(e Expr) bool {
	switch e := e.(type) {
	case *DeclaredTypeExpr:
		return IsShiftedOrTruncatedTime(e.X)
	case *Call:
		return e.Fn == FnDateAdd || e.Fn == FnDateTrunc
	case *Binary:
		_, l := e.L.(*Interval)
		_, r := e.R.(*Interval)
		return (e.Op == OpAdd || e.Op == OpSub) && l != r
	}
	return false
}

// IsTimeOfUnknownType reports whether the value of an expression is a date or timestamp, though TypeOf does not determine which.
func IsTimeOfUnknownType(e Expr, of func(Expr) Type) bool {
	isTime := IsShiftedOrTruncatedTime(e) || slices.ContainsFunc(resultOptions(e), func(x Expr) bool {
		return of(x).IsDateOrTimestamp() || IsTimeOfUnknownType(x, of)
	})
	return isTime && of(e) == TypeUnknown // last, since the type of a long chain is expensive
}

// resultOptions returns the operands one of which is the value of an expression.
func resultOptions(e Expr) []Expr {
	switch e := e.(type) {
	case *Case:
		return CaseResults(e)
	case *Call:
		switch InfoOfFunction(e.Fn).result {
		case resultTypeOfFirstArg:
			return e.Args[:min(1, len(e.Args))]
		case resultTypeCommonToArgs:
			return e.Args
		case resultTypeCommonAfterFirstArg:
			return e.Args[min(1, len(e.Args)):]
		}
	}
	return nil
}
