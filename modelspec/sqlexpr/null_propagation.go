package sqlexpr

// IsNullForNullColumns reports whether it is certain that e is NULL wherever
// all its columns (Column and Ref leaves) are. Over an unmatched row of an
// outer join such an expression is NULL by itself; any other needs a guard.
// False only means that it is not certain.
func IsNullForNullColumns(e Expr) bool {
	is := IsNullForNullColumns
	switch e := e.(type) {
	case *Column, *Ref, *Null:
		return true
	case *Unary:
		return is(e.X)
	case *Binary:
		switch e.Op {
		case OpAnd, OpOr: // one operand alone may decide
			return is(e.L) && is(e.R)
		case OpIsDistinctFrom, OpIsNotDistinctFrom:
			return false
		}
		return is(e.L) || is(e.R)
	case *Between: // one NULL bound alone leaves the other to decide
		return is(e.X) || is(e.Lo) && is(e.Hi)
	case *In:
		return isInNullForNullColumns(e)
	case *Like:
		return is(e.X) || is(e.Pattern)
	case *Case:
		return isCaseNullForNullColumns(e)
	case *Cast:
		return is(e.X)
	case *Extract:
		return is(e.X)
	case *DeclaredTypeExpr:
		return is(e.X)
	case *Call:
		return isCallNullForNullColumns(e)
	case *Bucket:
		return is(e.X)
	case *BucketOrdinal:
		return is(e.X)
	case *LocalTime:
		return is(e.X)
	case *DecodeTimeCodeExpr:
		return is(e.X)
	case *SafeDivide:
		return is(e.L) || is(e.R)
	case *NativeCast:
		return is(e.X)
	case *Subscript:
		return is(e.X)
	case *SemiStructuredPath:
		return is(e.X)
	case *JSONAccess:
		return is(e.X)
	case *StructMemberAccess:
		return is(e.X)
	}
	return false
}

// isInNullForNullColumns: a subquery may return no row, and nothing is NULL IN nothing.
func isInNullForNullColumns(e *In) bool {
	for _, item := range e.Items {
		if _, ok := item.(*Subquery); ok {
			return false
		}
	}
	return IsNullForNullColumns(e.X) || areAllNullForNullColumns(e.Items)
}

// isCaseNullForNullColumns: every branch must give NULL or have a condition that, being NULL,
// does not hold.
func isCaseNullForNullColumns(e *Case) bool {
	is := IsNullForNullColumns
	neverTaken := e.Operand != nil && is(e.Operand)
	for _, w := range e.Whens {
		if !neverTaken && !is(w.Cond) && !is(w.Then) {
			return false
		}
	}
	return e.Else == nil || is(e.Else)
}

func isCallNullForNullColumns(c *Call) bool {
	is := IsNullForNullColumns
	if c.Fn == FnIf && len(c.Args) == 3 {
		return (is(c.Args[0]) || is(c.Args[1])) && is(c.Args[2])
	}
	if len(c.Args) == 0 {
		return false
	}
	switch InfoOfFunction(c.Fn).nulls {
	case nullWhenAnyArgIsNull:
		for _, a := range c.Args {
			if is(a) {
				return true
			}
		}
	case nullWhenAllArgsAreNull:
		return areAllNullForNullColumns(c.Args)
	case nullWhenFirstArgIsNull:
		return is(c.Args[0])
	}
	return false
}

func areAllNullForNullColumns(list []Expr) bool {
	for _, e := range list {
		if !IsNullForNullColumns(e) {
			return false
		}
	}
	return true
}
