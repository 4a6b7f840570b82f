package sqlexpr

// CanFail reports whether the computation of an expression can end a statement with an error on some value, on some engine: a text that
// is not a number, a sum that is too large. What is listed here cannot; all else can. typeOf types the leaves, nil for none known: a
// comparison of two types converts one of them on some engines, which can fail as a CAST can.
func CanFail(e Expr, typeOf func(Expr) Type) bool {
	switch e := e.(type) {
	case nil, *Column, *Ref, *Number, *String, *Bool, *Null, *TypedLiteral:
		return false
	case *Unary:
		return e.Op != OpNot || CanFailAsCondition(e.X, typeOf)
	case *Binary:
		switch {
		case e.Op == OpAnd || e.Op == OpOr:
			return CanFailAsCondition(e.L, typeOf) || CanFailAsCondition(e.R, typeOf)
		case e.Op == OpConcat:
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
		_, known := e.Pattern.(*String) // PostgreSQL rejects a pattern that ends with its escape
		return e.Escape != nil || !known || operandCanFail(e, typeOf) || !areComparedSafely(typeOf, e.X, e.Pattern)
	case *IsNull, *DeclaredTypeExpr:
		return operandCanFail(e, typeOf)
	case *IsTruth:
		return CanFailAsCondition(e.X, typeOf)
	case *Case:
		return caseCanFail(e, typeOf)
	case *Extract:
		return operandCanFail(e, typeOf) || !TypeOf(e.X, typeOf).IsDateOrTimestamp()
	case *Call:
		switch e.Fn {
		case FnCoalesce, FnNullIf:
			return operandCanFail(e, typeOf) || !areComparedSafely(typeOf, e.Args...)
		case FnLower, FnUpper, FnTrim, FnLength:
			return operandCanFail(e, typeOf)
		case FnDateTrunc:
			return operandCanFail(e, typeOf) || !TypeOf(e.Args[len(e.Args)-1], typeOf).IsDateOrTimestamp()
		}
	}
	return true
}

// CanFailAsCondition is CanFail of a value that is read as a condition: engines convert one that is not a boolean.
func CanFailAsCondition(e Expr, typeOf func(Expr) Type) bool {
	_, isNull := e.(*Null)
	return CanFail(e, typeOf) || !isNull && TypeOf(e, typeOf) != TypeBool
}

// caseCanFail: an engine may compare the operand with each value, and converts the results to one type.
func caseCanFail(e *Case, typeOf func(Expr) Type) bool {
	if operandCanFail(e, typeOf) || !areComparedSafely(typeOf, CaseResults(e)...) {
		return true
	}
	for _, w := range e.Whens {
		if e.Operand != nil && !areComparedSafely(typeOf, e.Operand, w.Cond) || e.Operand == nil && CanFailAsCondition(w.Cond, typeOf) {
			return true
		}
	}
	return false
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
