package sqlexpr

// CanFail reports whether the computation of an expression can end a statement with an error on some value, on some engine: a text that
// is not a number, a sum that is too large. What is listed here cannot; all else can. typeOf types the leaves, nil for none known: a
// comparison of two types converts one of them on some engines, which can fail as a CAST can.
func CanFail(e Expr, typeOf func(Expr) Type) bool {
	switch e := e.(type) {
	case nil, *Column, *Ref, *Number, *String, *Bool, *Null, *TypedLiteral:
		return false
	case *Unary:
		return e.Op != OpNot || operandCanFail(e, typeOf)
	case *Binary:
		switch {
		case e.Op == OpAnd || e.Op == OpOr || e.Op == OpConcat:
			return operandCanFail(e, typeOf)
		case e.Op.IsComparison():
			return operandCanFail(e, typeOf) || !areComparedSafely(typeOf, e.L, e.R)
		}
		return true
	case *Between:
		return operandCanFail(e, typeOf) || !areComparedSafely(typeOf, e.X, e.Lo, e.Hi)
	case *In:
		return operandCanFail(e, typeOf) || !areComparedSafely(typeOf, append([]Expr{e.X}, e.Items...)...)
	case *Like:
		return e.Escape != nil || operandCanFail(e, typeOf) || !areComparedSafely(typeOf, e.X, e.Pattern)
	case *IsNull, *IsTruth, *Case, *DeclaredTypeExpr:
		return operandCanFail(e, typeOf)
	case *Extract:
		return operandCanFail(e, typeOf) || !TypeOf(e.X, typeOf).IsDateOrTimestamp()
	case *Call:
		switch e.Fn {
		case FnCoalesce, FnNullIf, FnLower, FnUpper, FnTrim, FnLength:
			return operandCanFail(e, typeOf)
		case FnDateTrunc:
			return operandCanFail(e, typeOf) || !TypeOf(e.Args[len(e.Args)-1], typeOf).IsDateOrTimestamp()
		}
	}
	return true
}

func operandCanFail(e Expr, typeOf func(Expr) Type) bool {
	found := false
	VisitOperands(e, func(x Expr) { found = found || x != nil && CanFail(x, typeOf) })
	return found
}

// areComparedSafely reports whether the values are known to be of one type.
func areComparedSafely(typeOf func(Expr) Type, all ...Expr) bool {
	common := TypeUnknown
	for _, x := range all {
		t := TypeOf(x, typeOf)
		if _, isNull := x.(*Null); isNull {
			continue
		}
		switch {
		case t == TypeUnknown:
			return false
		case common == TypeUnknown:
			common = t
		case t != common && !(t.IsNumeric() && common.IsNumeric()) && !(t.IsDateOrTimestamp() && common.IsDateOrTimestamp()):
			return false
		}
	}
	return true
}
