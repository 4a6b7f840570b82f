package sqlexpr

// declareChosenDouble marks the double among numbers of which an expression returns one, unless a double shows by itself that it is one.
// Some engines have no common type of decimals or integers and doubles, and the dialects that print for them need to know that there is one.
func (t operatorTypeResolver) declareChosenDouble(e Expr) Expr {
	var double, other Expr
	for _, x := range chosenValues(e) {
		switch x.(type) {
		case *Null, *Number:
			continue
		}
		switch {
		case t.typeOf(x) != TypeFloat:
			other = x
		case TypeOf(x, nil) == TypeFloat:
			return e
		case double == nil:
			double = x
		}
	}
	if double == nil || other == nil {
		return e
	}
	return MapOperands(e, func(x Expr) Expr {
		if x != double {
			return x
		}
		return &DeclaredTypeExpr{Position: Position(x.Pos()), X: x, Type: TypeFloat}
	})
}

// chosenValues returns the operands one of which is the value of an expression that chooses between several.
func chosenValues(e Expr) []Expr {
	switch e := e.(type) {
	case *Case:
		return CaseResults(e)
	case *Call:
		if (e.Fn == FnLag || e.Fn == FnLead) && len(e.Args) == 3 {
			return []Expr{e.Args[0], e.Args[2]}
		}
		return ChosenArgs(e)
	}
	return nil
}

// ChosenArgs returns the arguments, the last ones of the call, of which it returns one; nil where it computes a value.
func ChosenArgs(c *Call) []Expr {
	switch c.Fn {
	case FnCoalesce, FnGreatest, FnLeast:
		return c.Args
	case FnIf:
		return c.Args[min(1, len(c.Args)):]
	}
	return nil
}
