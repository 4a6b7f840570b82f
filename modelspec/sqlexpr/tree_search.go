package sqlexpr

import "slices"

// HasAggregate reports whether e aggregates.
func HasAggregate(e Expr) bool { return FirstAggregate(e) != nil }

// FirstAggregate returns the first aggregate call of e in source order, or
// nil. The call of a window does not count; an aggregate among its arguments does.
func FirstAggregate(e Expr) *Call {
	var found *Call
	walkWithWindowFlag(e, func(x Expr, windowed bool) bool {
		if c, ok := x.(*Call); ok && !windowed && InfoOfFunction(c.Fn).Class == ClassAggregate {
			found = c
		}
		return found == nil
	})
	return found
}

// FirstWindowCall returns the first window call of e in source order, or nil: a
// *WindowCall, or a *Call of a window function without its OVER.
func FirstWindowCall(e Expr) Expr {
	var found Expr
	walkWithWindowFlag(e, func(x Expr, windowed bool) bool {
		switch x := x.(type) {
		case *WindowCall:
			found = x
		case *Call:
			if InfoOfFunction(x.Fn).Class == ClassWindow && !windowed {
				found = x
			}
		}
		return found == nil
	})
	return found
}

// FirstSubquery returns the first subquery of e in source order, or nil.
func FirstSubquery(e Expr) *Subquery {
	for q := range Nodes[*Subquery](e) {
		return q
	}
	return nil
}

// UnknownFunctionCalls returns the calls of functions outside the table, in source
// order.
func UnknownFunctionCalls(e Expr) []*Call {
	var found []*Call
	for c := range Nodes[*Call](e) {
		if c.Fn == FnUnknown {
			found = append(found, c)
		}
	}
	return found
}

// FirstParamOrUnknownCall returns what no text of a query may hold, the first in source order, or nil: a
// parameter slot (a *Param), or a call of a function outside the table (a *Call).
func FirstParamOrUnknownCall(e Expr) Expr {
	var found Expr
	walkWithWindowFlag(e, func(x Expr, _ bool) bool {
		switch x := x.(type) {
		case *Param:
			found = x
		case *Call:
			if x.Fn == FnUnknown {
				found = x
			}
		}
		return found == nil
	})
	return found
}

// ParamSlots returns the parameter slots of e in source order, each as often as it
// occurs.
func ParamSlots(e Expr) []*Param { return slices.Collect(Nodes[*Param](e)) }

// ColumnReferences returns the column references of e in source order, each as often as
// it occurs.
func ColumnReferences(e Expr) []*Column { return slices.Collect(Nodes[*Column](e)) }

// walkWithWindowFlag walks e until f returns false; windowed marks the call of a WindowCall.
func walkWithWindowFlag(e Expr, f func(x Expr, windowed bool) bool) {
	more := true
	var windowed *Call
	Walk(e, func(x Expr) bool {
		if !more {
			return false
		}
		c, ok := x.(*Call)
		more = f(x, ok && c == windowed)
		if o, ok := x.(*WindowCall); ok {
			windowed = o.Call
		}
		return more
	})
}

// IsVolatile reports whether an expression can have two values over equal rows: it calls a function of the present time, or one outside of the
// language.
func IsVolatile(e Expr) bool {
	return HasNode(e, func(c *Call) bool { return c.Fn.IsVolatile() })
}

// IsVolatile reports whether a function is of the present time, or outside of the language.
func (fn Func) IsVolatile() bool {
	switch fn {
	case FnCurrentDate, FnCurrentTime, FnCurrentTimestamp, FnUnknown:
		return true
	}
	return false
}
