package sqlexpr

// ResolveOperatorTypes makes the meaning of operators explicit by the types of their operands, where
// engines differ: the difference of two dates is days, a date
// plus a number is days later, a condition as text is true or false, and a number
// with a fraction becomes an integer by rounding. leaf types the columns and
// references, as for TypeOf.
//
// A date or timestamp beside an operand of an unknown type is cast to its own type, so
// that a dialect that prints it has that type.
func ResolveOperatorTypes(e Expr, leaf func(Expr) Type) Expr {
	if e == nil {
		return nil
	}
	return typeResolver{leaf}.resolveExpr(e)
}

type typeResolver struct{ leaf func(Expr) Type }

func (t typeResolver) typeOf(e Expr) Type { return TypeOf(e, t.leaf) }

// resolveExpr works from the operands up.
func (t typeResolver) resolveExpr(e Expr) Expr {
	if b, ok := e.(*Binary); ok && (b.Op == OpAdd || b.Op == OpSub) {
		sum, _ := t.resolveSum(b)
		return sum
	}
	e = mapChildren(e, t.resolveExpr)
	switch e := e.(type) {
	case *Cast:
		return t.cast(e)
	case *Extract:
		if x := t.markZone(e.X); x != e.X {
			return &Extract{At: e.At, Part: e.Part, X: x}
		}
	case *Binary:
		if e.Op == OpConcat {
			if l, r := t.conditionAsText(e.L), t.conditionAsText(e.R); l != e.L || r != e.R {
				return &Binary{At: e.At, Op: e.Op, L: l, R: r}
			}
		}
	case *Call:
		of := t.markZone
		switch e.Fn {
		case FnConcat:
			of = t.conditionAsText
		case FnYear, FnQuarter, FnMonth, FnDay, FnDayOfYear, FnDayOfWeek, FnHour, FnMinute, FnSecond,
			FnDateTrunc, FnDateAdd, FnDateDiff:
		default:
			return e
		}
		if args := mapList(e.Args, of); args != nil {
			return &Call{At: e.At, Fn: e.Fn, Name: e.Name, Args: args}
		}
	}
	return e
}

// markZone marks a timestamp with a zone for the functions that read its clock: some
// engines keep the zone that a timestamp was written with and read that zone's clock.
func (t typeResolver) markZone(x Expr) Expr {
	switch x.(type) {
	case *Column, *Ref, *Call, *Case:
		if t.typeOf(x) == TypeTimestampTZ && TypeOf(x, nil) == TypeUnknown {
			return &Known{At: At(x.Pos()), X: x, Type: TypeTimestampTZ}
		}
	}
	return x
}

// resolveSum returns the type too: asked for again at every operator, it would cost the
// square of a chain's length.
func (t typeResolver) resolveSum(e *Binary) (Expr, Type) {
	l, tl := t.resolveTerm(e.L)
	r, tr := t.resolveTerm(e.R)
	if x := t.calendarCall(e, l, r, tl, tr); x != nil {
		return x, TypeOf(x, nil)
	}
	l, r = t.castToOwnType(l, tl, tr), t.castToOwnType(r, tr, tl)
	if l == e.L && r == e.R {
		return e, arithmeticType(e.Op, tl, tr)
	}
	return &Binary{At: e.At, Op: e.Op, L: l, R: r}, arithmeticType(e.Op, tl, tr)
}

func (t typeResolver) resolveTerm(e Expr) (Expr, Type) {
	if b, ok := e.(*Binary); ok && (b.Op == OpAdd || b.Op == OpSub) {
		return t.resolveSum(b)
	}
	e = t.resolveExpr(e)
	return e, t.typeOf(e)
}

// calendarCall is a sum or difference of days as the call it stands for, nil for
// any other.
func (t typeResolver) calendarCall(e *Binary, l, r Expr, tl, tr Type) Expr {
	switch {
	case tl != TypeDate && tr != TypeDate:
	case TypeOf(l, nil) == tl && TypeOf(r, nil) == tr:
		// The dialect that prints it has the type.
	case e.Op == OpSub && tr == TypeDate && (tl == TypeDate || tl == TypeUnknown):
		// A date is subtracted from a date or a timestamp.
		return &Call{At: e.At, Fn: FnDateDiff, Name: Name{Text: "DATEDIFF"}, Args: []Expr{&String{At: e.At, Value: "day"}, r, l}}
	case e.Op == OpSub && tl == TypeDate && tr == TypeInt:
		return addDays(e.At, l, &Unary{At: At(r.Pos()), Op: OpNeg, X: r})
	case e.Op == OpAdd && tl == TypeDate && tr == TypeInt:
		return addDays(e.At, l, r)
	case e.Op == OpAdd && tl == TypeInt && tr == TypeDate:
		return addDays(e.At, r, l)
	}
	return nil
}

// addDays is a date so many days later, as a date.
func addDays(at At, day, n Expr) Expr {
	sum := &Call{At: at, Fn: FnDateAdd, Name: Name{Text: "DATEADD"}, Args: []Expr{&String{At: at, Value: "day"}, n, day}}
	return &Cast{At: at, X: sum, To: TypeName{Type: TypeDate}}
}

// castToOwnType casts a date or timestamp to its type where the expression itself does not
// determine it. Beside an interval all engines agree.
func (t typeResolver) castToOwnType(x Expr, typ, other Type) Expr {
	if other == TypeInterval {
		return t.markZone(x)
	}
	if !typ.IsInstant() && typ != TypeTime || TypeOf(x, nil) == typ {
		return x
	}
	return &Cast{At: At(x.Pos()), X: x, To: TypeName{Type: typ}}
}

// cast spells out a declared condition, which engines store as conditions, as
// numbers or as texts: not all cast one to every number, and as text one is
// true, t or 1.
func (t typeResolver) cast(e *Cast) Expr {
	if x := t.roundedCast(e); x != nil {
		return x
	}
	if e.To.Type.IsInstant() && e.To.Type != TypeTimestampTZ {
		if x := t.markZone(e.X); x != e.X {
			return &Cast{At: e.At, X: x, To: e.To}
		}
	}
	if t.typeOf(e.X) != TypeBool || TypeOf(e.X, nil) == TypeBool {
		return e
	}
	switch {
	case e.To.Type == TypeString && len(e.To.Args) == 0:
		return t.conditionAsText(e.X)
	case e.To.Type == TypeString:
		return &Cast{At: e.At, X: t.conditionAsText(e.X), To: e.To}
	case e.To.Type.IsNumeric():
		at := e.At
		return &Cast{At: at, X: nullableCase(e.X, &Number{At: at, Text: "1"}, &Number{At: at, Text: "0"}), To: e.To}
	}
	return e
}

// roundedCast is a number with a fraction that is cast to an integer, a half away from
// zero; nil for anything else. Some engines cut the fraction off, and some round a half
// of a double to the even neighbour. For an operand that is visibly a decimal they
// agree, or the dialect handles it.
func (t typeResolver) roundedCast(e *Cast) Expr {
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
	return &Cast{At: e.At, X: &Call{At: e.At, Fn: FnRound, Name: Name{Text: "ROUND"}, Args: []Expr{e.X}}, To: e.To}
}

// conditionAsText is a condition as text, and any other value as it is.
func (t typeResolver) conditionAsText(x Expr) Expr {
	if t.typeOf(x) != TypeBool {
		return x
	}
	at := At(x.Pos())
	return nullableCase(x, &String{At: at, Value: "true"}, &String{At: at, Value: "false"})
}

// caseSize keeps a condition that is unknown NULL.
func nullableCase(cond, yes, no Expr) Expr {
	at := At(cond.Pos())
	return &Case{At: at, Whens: []When{{Cond: cond, Then: yes}, {Cond: &Unary{At: at, Op: OpNot, X: cond}, Then: no}}}
}
