package sqlexpr

import "slices"

// ResolveOperatorTypes makes the meaning of operators explicit by the types of their operands, where
// engines differ: the difference of two dates is days, a date
// plus a number is days later, a comparison of times is one of times, a condition as text is true or false, a number
// with a fraction becomes an integer by rounding, and a choice between a double and another number is a double. leaf types the columns and
// references, as for TypeOf.
//
// A date or timestamp beside an operand of an unknown type is cast to its own type, so
// that a dialect that prints it has that type.
func ResolveOperatorTypes(e Expr, leaf func(Expr) Type) Expr {
	if e == nil {
		return nil
	}
	return operatorTypeResolver{leaf}.resolveExpr(e)
}

type operatorTypeResolver struct{ leaf func(Expr) Type }

func (t operatorTypeResolver) typeOf(e Expr) Type { return TypeOf(e, t.leaf) }

// resolveExpr works from the operands up.
func (t operatorTypeResolver) resolveExpr(e Expr) Expr {
	if b, ok := e.(*Binary); ok && (b.Op == OpAdd || b.Op == OpSub) {
		sum, _ := t.resolveSumOrDifference(b)
		return sum
	}
	e = MapOperands(e, t.resolveExpr)
	if x := ReplaceComparedValues(e, t.declareComparedTimes); x != nil {
		return x
	}
	e = t.declareChosenDouble(e)
	switch e := e.(type) {
	case *Cast:
		return t.rewriteCastByOperandType(e)
	case *Extract:
		if x := t.declareTimestampTZType(e.X); x != e.X {
			return &Extract{Position: e.Position, Part: e.Part, X: x}
		}
	case *Binary:
		if e.Op == OpConcat {
			if l, r := t.castConditionToText(e.L), t.castConditionToText(e.R); l != e.L || r != e.R {
				return &Binary{Position: e.Position, Op: e.Op, L: l, R: r}
			}
		}
	case *Call:
		of := t.declareTimestampTZType
		switch e.Fn {
		case FnConcat:
			of = t.castConditionToText
		case FnYear, FnQuarter, FnMonth, FnDay, FnDayOfYear, FnDayOfWeek, FnHour, FnMinute, FnSecond,
			FnDateTrunc, FnDateAdd, FnDateDiff, FnToChar:
		default:
			return e
		}
		out := MapOperands(e, of)
		return t.castToDate(out, t.typeOf(out))
	}
	return e
}

// castToDate returns a date, by its operands, of which the dialect that prints it would make a timestamp, as a date.
func (t operatorTypeResolver) castToDate(e Expr, typ Type) Expr {
	if typ != TypeDate || !IsShiftedOrTruncatedTime(e) || TypeOf(e, nil) == TypeDate {
		return e
	}
	return &Cast{Position: Position(e.Pos()), X: e, To: TypeName{Type: TypeDate}}
}

// declareTimestampTZType marks a timestamp with a zone for the functions that read its clock: some
// engines keep the zone that a timestamp was written with and read that zone's clock.
func (t operatorTypeResolver) declareTimestampTZType(x Expr) Expr {
	switch x.(type) {
	case *Column, *Ref, *Call, *Case:
		if t.typeOf(x) == TypeTimestampTZ && TypeOf(x, nil) == TypeUnknown {
			return &DeclaredTypeExpr{Position: Position(x.Pos()), X: x, Type: TypeTimestampTZ, ReadsClock: true}
		}
	}
	return x
}

// declareComparedTimes applies DeclareComparedTimes to values that are compared with each other.
func (t operatorTypeResolver) declareComparedTimes(all ...Expr) []Expr {
	types := make([]Type, len(all))
	for i, x := range all {
		types[i] = t.typeOf(x)
	}
	return DeclareComparedTimes(all, types)
}

// DeclareComparedTimes marks times among values that are compared with each other: each date beside a timestamp, and else the
// first time, unless a value shows by itself that these are times. An engine that stores times as texts compares them in another way
// than other texts, and some engines need to know which of the values is a date. types are the types of the values.
// It returns nil if it marks none.
func DeclareComparedTimes(all []Expr, types []Type) []Expr {
	shows := func(x Expr) bool {
		_, param := x.(*Param) // a literal takes its place
		return param || TypeOf(x, nil).IsDateOrTimestamp()
	}
	isLiteral := func(x Expr) bool { _, ok := x.(*TypedLiteral); return ok }
	timestamps, shown := false, false
	for i, x := range all {
		timestamps = timestamps || !isLiteral(x) && (types[i] == TypeTimestamp || types[i] == TypeTimestampTZ)
		shown = shown || shows(x)
	}
	var out []Expr
	for i, x := range all {
		known, declared := x.(*DeclaredTypeExpr)
		switch dateBesideTimestamp := timestamps && types[i] == TypeDate && !isLiteral(x); {
		case declared && known.Type == types[i]:
		case dateBesideTimestamp, !shown && types[i].IsDateOrTimestamp():
			if out == nil {
				out = slices.Clone(all)
			}
			out[i], shown = &DeclaredTypeExpr{Position: Position(x.Pos()), X: x, Type: types[i]}, true
		}
	}
	return out
}

// DaysBetween returns the days from one date to another.
func DaysBetween(at Position, from, to Expr) Expr {
	return &Call{Position: at, Fn: FnDateDiff, Name: Name{Text: "DATEDIFF"}, Args: []Expr{&String{Position: at, Value: "day"}, from, to}}
}

// resolveSumOrDifference returns the type too: requested again at every operator, it would cost the
// square of a chain's length.
func (t operatorTypeResolver) resolveSumOrDifference(e *Binary) (Expr, Type) {
	l, tl := t.resolveSumTerm(e.L)
	r, tr := t.resolveSumTerm(e.R)
	if x := t.dateArithmeticCall(e, l, r, tl, tr); x != nil {
		return x, TypeOf(x, nil)
	}
	l, r = t.makeTemporalTypeExplicit(l, tl, tr), t.makeTemporalTypeExplicit(r, tr, tl)
	typ := typeOfSum(e, tl, tr)
	if l != e.L || r != e.R {
		e = &Binary{Position: e.Position, Op: e.Op, L: l, R: r}
	}
	return t.castToDate(e, typ), typ
}

func (t operatorTypeResolver) resolveSumTerm(e Expr) (Expr, Type) {
	if b, ok := e.(*Binary); ok && (b.Op == OpAdd || b.Op == OpSub) {
		return t.resolveSumOrDifference(b)
	}
	e = t.resolveExpr(e)
	return e, t.typeOf(e)
}

// dateArithmeticCall returns a sum or difference of days as the call it stands for, nil for
// any other.
func (t operatorTypeResolver) dateArithmeticCall(e *Binary, l, r Expr, tl, tr Type) Expr {
	switch {
	case tl != TypeDate && tr != TypeDate:
	case TypeOf(l, nil) == tl && TypeOf(r, nil) == tr:
		// The dialect that prints it has the type.
	case e.Op == OpSub && tr == TypeDate && (tl == TypeDate || tl == TypeUnknown):
		// A date is subtracted from a date or a timestamp.
		return DaysBetween(e.Position, r, l)
	case e.Op == OpSub && tl == TypeDate && tr == TypeInt:
		return datePlusDaysExpr(e.Position, l, &Unary{Position: Position(r.Pos()), Op: OpNeg, X: r})
	case e.Op == OpAdd && tl == TypeDate && tr == TypeInt:
		return datePlusDaysExpr(e.Position, l, r)
	case e.Op == OpAdd && tl == TypeInt && tr == TypeDate:
		return datePlusDaysExpr(e.Position, r, l)
	}
	return nil
}

// datePlusDaysExpr returns a date so many days later, as a date.
func datePlusDaysExpr(at Position, day, n Expr) Expr {
	sum := &Call{Position: at, Fn: FnDateAdd, Name: Name{Text: "DATEADD"}, Args: []Expr{&String{Position: at, Value: "day"}, n, day}}
	return &Cast{Position: at, X: sum, To: TypeName{Type: TypeDate}}
}

// makeTemporalTypeExplicit casts a date or timestamp to its type where the expression itself does not
// determine it. Beside an interval all engines agree.
func (t operatorTypeResolver) makeTemporalTypeExplicit(x Expr, typ, other Type) Expr {
	if other == TypeInterval {
		return t.declareTimestampTZType(x)
	}
	if typ == TypeUnknown && IsTimeOfUnknownType(x, t.typeOf) && !IsTimeOfUnknownType(x, func(x Expr) Type { return TypeOf(x, nil) }) {
		typ = TypeTimestamp
	}
	if !typ.IsDateOrTimestamp() && typ != TypeTime || TypeOf(x, nil) == typ {
		return x
	}
	return &Cast{Position: Position(x.Pos()), X: x, To: TypeName{Type: typ}}
}

// rewriteCastByOperandType spells out a declared condition, which engines store as conditions, as
// numbers or as texts: not all cast one to every number, and as text one is
// true, t or 1.
func (t operatorTypeResolver) rewriteCastByOperandType(e *Cast) Expr {
	if e.Try {
		return t.declareTryCastOperand(e)
	}
	if inner, ok := e.X.(*Cast); ok && e.To.Type == TypeDate && inner.To.Type == TypeDate {
		return inner
	}
	if x := t.roundIntegerCast(e); x != nil {
		return x
	}
	if e.To.Type.IsDateOrTimestamp() && e.To.Type != TypeTimestampTZ {
		if x := t.declareTimestampTZType(e.X); x != e.X {
			return &Cast{Position: e.Position, X: x, To: e.To}
		}
	}
	if x := t.declareCastOperand(e.X, e.To.Type); x != e.X {
		return &Cast{Position: e.Position, X: x, To: e.To}
	}
	if t.typeOf(e.X) != TypeBool || TypeOf(e.X, nil) == TypeBool {
		return e
	}
	switch {
	case e.To.Type == TypeString && len(e.To.Args) == 0:
		return t.castConditionToText(e.X)
	case e.To.Type == TypeString:
		return &Cast{Position: e.Position, X: t.castConditionToText(e.X), To: e.To}
	case e.To.Type.IsNumeric():
		at := e.Position
		return &Cast{Position: at, X: newCaseWithNullForUnknown(e.X, &Number{Position: at, Text: "1"}, &Number{Position: at, Text: "0"}), To: e.To}
	}
	return e
}

// declareTryCastOperand marks the operand of TRY_CAST, whose type decides how a value is converted. A conversion that never fails is a
// cast.
func (t operatorTypeResolver) declareTryCastOperand(e *Cast) Expr {
	typ := t.typeOf(e.X)
	if typ != TypeUnknown && typ != TypeString && !(typ.IsNumeric() && e.To.Type.IsNumeric()) {
		return t.rewriteCastByOperandType(&Cast{Position: e.Position, X: e.X, To: e.To})
	}
	if _, declared := e.X.(*DeclaredTypeExpr); declared || typ == TypeOf(e.X, nil) {
		return e
	}
	return &Cast{Position: e.Position, Try: true, To: e.To,
		X: &DeclaredTypeExpr{Position: Position(e.X.Pos()), X: e.X, Type: typ}}
}

// declareCastOperand marks what is cast between strings and other values, where engines disagree on more than the spelling. A string that
// is not a number is an error, 0, or the digits at its beginning. The string of a number or a time has the collation of the session.
func (t operatorTypeResolver) declareCastOperand(x Expr, to Type) Expr {
	typ := t.typeOf(x)
	toNumber := to.IsNumeric() && (typ == TypeString || typ == TypeUnknown)
	toString := to == TypeString && (typ.IsNumeric() || typ.IsDateOrTimestamp()) && TypeOf(x, nil) != typ
	if _, declared := x.(*DeclaredTypeExpr); declared || !toNumber && !toString {
		return x
	}
	return &DeclaredTypeExpr{Position: Position(x.Pos()), X: x, Type: typ}
}

// roundIntegerCast returns a number with a fraction that is cast to an integer, a half away from
// zero; nil for anything else. Some engines cut the fraction off, and some round a half
// of a double to the even neighbour. For an operand that is visibly a decimal they
// agree, or the dialect handles it.
func (t operatorTypeResolver) roundIntegerCast(e *Cast) Expr {
	if e.To.Type != TypeInt {
		return nil
	}
	switch t.typeOf(e.X) {
	case TypeFloat:
	case TypeDecimal:
		if TypeOf(e.X, nil) == TypeDecimal {
			return nil
		}
	default:
		return nil
	}
	return &Cast{Position: e.Position, X: &Call{Position: e.Position, Fn: FnRound, Name: Name{Text: "ROUND"}, Args: []Expr{e.X}}, To: e.To}
}

// castConditionToText returns a condition as text, and any other value as it is.
func (t operatorTypeResolver) castConditionToText(x Expr) Expr {
	if t.typeOf(x) != TypeBool {
		return x
	}
	at := Position(x.Pos())
	return newCaseWithNullForUnknown(x, &String{Position: at, Value: "true"}, &String{Position: at, Value: "false"})
}

// newCaseWithNullForUnknown keeps a condition that is unknown NULL.
func newCaseWithNullForUnknown(cond, yes, no Expr) Expr {
	at := Position(cond.Pos())
	return &Case{Position: at, Whens: []When{{Cond: cond, Then: yes}, {Cond: &Unary{Position: at, Op: OpNot, X: cond}, Then: no}}}
}
