package sqlexpr

// HasAggregate reports whether e aggregates.
func HasAggregate(e Expr) bool { return FirstAggregate(e) != nil }

// FirstAggregate returns the first aggregate call of e in source order, or
// nil. The call of a window does not count; an aggregate among its arguments does.
func FirstAggregate(e Expr) *Call {
	var found *Call
	walkNodes(e, func(x Expr, windowed bool) bool {
		if c, ok := x.(*Call); ok && !windowed && InfoOf(c.Fn).Class == Aggregate {
			found = c
		}
		return found == nil
	})
	return found
}

// FirstWindow returns the first window call of e in source order, or nil: an
// *Over, or a *Call of a window function without its OVER.
func FirstWindow(e Expr) Expr {
	var found Expr
	walkNodes(e, func(x Expr, windowed bool) bool {
		switch x := x.(type) {
		case *Over:
			found = x
		case *Call:
			if InfoOf(x.Fn).Class == Window && !windowed {
				found = x
			}
		}
		return found == nil
	})
	return found
}

// FirstSubquery returns the first subquery of e in source order, or nil.
func FirstSubquery(e Expr) *Subquery {
	var found *Subquery
	walkNodes(e, func(x Expr, _ bool) bool {
		if q, ok := x.(*Subquery); ok {
			found = q
		}
		return found == nil
	})
	return found
}

// UnknownFunctions returns the calls of functions outside the table, in source
// order.
func UnknownFunctions(e Expr) []*Call {
	var found []*Call
	walkNodes(e, func(x Expr, _ bool) bool {
		if c, ok := x.(*Call); ok && c.Fn == FnUnknown {
			found = append(found, c)
		}
		return true
	})
	return found
}

// Params returns the parameter slots of e in source order, each as often as it
// occurs.
func Params(e Expr) []*Param {
	var found []*Param
	walkNodes(e, func(x Expr, _ bool) bool {
		if p, ok := x.(*Param); ok {
			found = append(found, p)
		}
		return true
	})
	return found
}

// Columns returns the column references of e in source order, each as often as
// it occurs.
func Columns(e Expr) []*Column {
	var found []*Column
	walkNodes(e, func(x Expr, _ bool) bool {
		if c, ok := x.(*Column); ok {
			found = append(found, c)
		}
		return true
	})
	return found
}

// walkNodes walks e until f returns false; windowed marks the call of an Over.
func walkNodes(e Expr, f func(x Expr, windowed bool) bool) {
	more := true
	var windowed *Call
	Walk(e, func(x Expr) bool {
		if !more {
			return false
		}
		c, ok := x.(*Call)
		more = f(x, ok && c == windowed)
		if o, ok := x.(*Over); ok {
			windowed = o.Call
		}
		return more
	})
}
