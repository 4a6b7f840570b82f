package sqlexpr

// NullWhenColumnsNull reports whether it is certain that e is NULL wherever
// all its columns (Column and Ref leaves) are. Over an unmatched row of an
// outer join such an expression is NULL by itself; any other needs a guard.
// False only means that it is not certain.
func NullWhenColumnsNull(e Expr) bool {
	is := NullWhenColumnsNull
	switch e := e.(type) {
	case *Column, *Ref, *Null:
		return true
	case *Unary:
		return is(e.X)
	case *Binary:
		switch e.Op {
		case OpAnd, OpOr: // one operand alone may decide
			return is(e.L) && is(e.R)
		case OpDistinct, OpNotDistinct:
			return false
		}
		return is(e.L) || is(e.R)
	case *Between: // one NULL bound alone leaves the other to decide
		return is(e.X) || is(e.Lo) && is(e.Hi)
	case *In:
		return isNullIn(e)
	case *Like:
		return is(e.X) || is(e.Pattern)
	case *Case:
		return isNullCase(e)
	case *Cast:
		return is(e.X)
	case *Extract:
		return is(e.X)
	case *Known:
		return is(e.X)
	case *Call:
		return isNullCall(e)
	case *Bucket:
		return is(e.X)
	case *Ordinal:
		return is(e.X)
	case *Decode:
		return is(e.X)
	case *Divide:
		return is(e.L) || is(e.R)
	}
	return false
}

// isNullIn: a subquery may return no row, and nothing is NULL IN nothing.
func isNullIn(e *In) bool {
	for _, item := range e.Items {
		if _, ok := item.(*Subquery); ok {
			return false
		}
	}
	return NullWhenColumnsNull(e.X) || allNull(e.Items)
}

// isNullCase: every branch must give NULL or have a condition that, being NULL,
// does not hold.
func isNullCase(e *Case) bool {
	is := NullWhenColumnsNull
	neverTaken := e.Operand != nil && is(e.Operand)
	for _, w := range e.Whens {
		if !neverTaken && !is(w.Cond) && !is(w.Then) {
			return false
		}
	}
	return e.Else == nil || is(e.Else)
}

func isNullCall(c *Call) bool {
	is := NullWhenColumnsNull
	if c.Fn == FnIf && len(c.Args) == 3 {
		return (is(c.Args[0]) || is(c.Args[1])) && is(c.Args[2])
	}
	if len(c.Args) == 0 {
		return false
	}
	switch InfoOf(c.Fn).nulls {
	case nullsStrict:
		for _, a := range c.Args {
			if is(a) {
				return true
			}
		}
	case nullsAll:
		return allNull(c.Args)
	case nullsFirst:
		return is(c.Args[0])
	}
	return false
}

func allNull(list []Expr) bool {
	for _, e := range list {
		if !NullWhenColumnsNull(e) {
			return false
		}
	}
	return true
}
