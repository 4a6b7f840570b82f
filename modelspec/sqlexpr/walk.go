package sqlexpr

import "slices"

// Walk visits e and its operands in source order, a node before its operands.
// When visit returns false, the operands of that node are skipped.
func Walk(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	eachChild(e, func(c Expr) { Walk(c, visit) })
}

// Rewrite replaces parts of a tree, from the top down. f returns the
// replacement of a node, which is used unchanged and not descended into, or nil to
// continue with the node's operands. Unchanged parts are shared with e; changed
// parts are copied.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	if e == nil {
		return nil
	}
	if r := f(e); r != nil {
		return r
	}
	return mapChildren(e, func(c Expr) Expr { return Rewrite(c, f) })
}

// mapChildren returns e with every direct operand replaced by what f makes of
// it, or e itself when f changed none.
func mapChildren(e Expr, f func(Expr) Expr) Expr {
	switch e := e.(type) {
	case *Unary:
		if x := f(e.X); x != e.X {
			return &Unary{At: e.At, Op: e.Op, X: x}
		}
	case *Binary:
		if l, r := f(e.L), f(e.R); l != e.L || r != e.R {
			return &Binary{At: e.At, Op: e.Op, L: l, R: r}
		}
	case *Between:
		if x, lo, hi := f(e.X), f(e.Lo), f(e.Hi); x != e.X || lo != e.Lo || hi != e.Hi {
			return &Between{At: e.At, Not: e.Not, X: x, Lo: lo, Hi: hi}
		}
	case *In:
		x, items := f(e.X), mapList(e.Items, f)
		if x != e.X || items != nil {
			return &In{At: e.At, Not: e.Not, X: x, Items: firstNonNil(items, e.Items)}
		}
	case *Like:
		if x, pattern, escape := f(e.X), f(e.Pattern), mapOptional(e.Escape, f); x != e.X || pattern != e.Pattern || escape != e.Escape {
			return &Like{At: e.At, Not: e.Not, Fold: e.Fold, X: x, Pattern: pattern, Escape: escape}
		}
	case *IsNull:
		if x := f(e.X); x != e.X {
			return &IsNull{At: e.At, Not: e.Not, X: x}
		}
	case *IsTruth:
		if x := f(e.X); x != e.X {
			return &IsTruth{At: e.At, Not: e.Not, Want: e.Want, X: x}
		}
	case *Case:
		operand, whens, other := mapOptional(e.Operand, f), mapWhens(e.Whens, f), mapOptional(e.Else, f)
		if operand != e.Operand || whens != nil || other != e.Else {
			return &Case{At: e.At, Operand: operand, Whens: firstNonNil(whens, e.Whens), Else: other}
		}
	case *Cast:
		if x := f(e.X); x != e.X {
			return &Cast{At: e.At, X: x, To: e.To}
		}
	case *Extract:
		if x := f(e.X); x != e.X {
			return &Extract{At: e.At, Part: e.Part, X: x}
		}
	case *Call:
		if args := mapList(e.Args, f); args != nil {
			return &Call{At: e.At, Fn: e.Fn, Name: e.Name, Dialect: e.Dialect, Distinct: e.Distinct, Star: e.Star, Args: args}
		}
	case *Over:
		return mapOver(e, f)
	case *Bucket:
		if x := f(e.X); x != e.X {
			return &Bucket{At: e.At, Grain: e.Grain, From: e.From, X: x}
		}
	case *Ordinal:
		if x := f(e.X); x != e.X {
			return &Ordinal{At: e.At, Grain: e.Grain, X: x}
		}
	case *Decode:
		if x := f(e.X); x != e.X {
			return &Decode{At: e.At, Code: e.Code, X: x}
		}
	case *Known:
		if x := f(e.X); x != e.X {
			return &Known{At: e.At, X: x, Type: e.Type}
		}
	case *Divide:
		if l, r := f(e.L), f(e.R); l != e.L || r != e.R {
			return &Divide{At: e.At, L: l, R: r}
		}
	default:
		return mapNative(e, f)
	}
	return e
}

// mapOver rebuilds a window call. Its call stays a call: what f puts in the
// call's place is ignored unless it is one.
func mapOver(e *Over, f func(Expr) Expr) Expr {
	call, ok := f(e.Call).(*Call)
	if !ok {
		call = e.Call
	}
	partition := mapList(e.Partition, f)
	var order []OrderItem
	for i, o := range e.Order {
		if x := f(o.X); x != o.X {
			if order == nil {
				order = slices.Clone(e.Order)
			}
			order[i].X = x
		}
	}
	if call == e.Call && partition == nil && order == nil {
		return e
	}
	return &Over{At: e.At, Call: call, Partition: firstNonNil(partition, e.Partition), Order: firstNonNil(order, e.Order), Frame: e.Frame}
}

// mapList returns the changed list, or nil when f changed nothing.
func mapList(list []Expr, f func(Expr) Expr) []Expr {
	var out []Expr
	for i, x := range list {
		if y := f(x); y != x {
			if out == nil {
				out = slices.Clone(list)
			}
			out[i] = y
		}
	}
	return out
}

func mapWhens(whens []When, f func(Expr) Expr) []When {
	var out []When
	for i, w := range whens {
		if cond, then := f(w.Cond), f(w.Then); cond != w.Cond || then != w.Then {
			if out == nil {
				out = slices.Clone(whens)
			}
			out[i] = When{Cond: cond, Then: then}
		}
	}
	return out
}

func mapOptional(e Expr, f func(Expr) Expr) Expr {
	if e == nil {
		return nil
	}
	return f(e)
}

// firstNonNil returns a, or b when a is nil.
func firstNonNil[T any](a, b []T) []T {
	if a != nil {
		return a
	}
	return b
}

// Conjuncts splits a condition into the operands of its top-level ANDs, in
// source order. Of nil it returns nil.
func Conjuncts(e Expr) []Expr { return appendOperands(nil, e, OpAnd) }

// appendOperands appends the operands of a chain of op to dst.
func appendOperands(dst []Expr, e Expr, op BinaryOp) []Expr {
	if b, ok := e.(*Binary); ok && b.Op == op {
		return appendOperands(appendOperands(dst, b.L, op), b.R, op)
	}
	if e == nil {
		return dst
	}
	return append(dst, e)
}

// And joins conditions with AND; nil ones are left out. Of none it returns
// nil.
func And(conds ...Expr) Expr {
	var all Expr
	for _, c := range conds {
		switch {
		case c == nil:
		case all == nil:
			all = c
		default:
			all = &Binary{At: At(all.Pos()), Op: OpAnd, L: all, R: c}
		}
	}
	return all
}
