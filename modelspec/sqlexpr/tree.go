package sqlexpr

import (
	"iter"
	"slices"
)

// Walk visits e and its operands in source order, a node before its operands.
// When visit returns false, the operands of that node are skipped.
func Walk(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	VisitOperands(e, func(c Expr) { Walk(c, visit) })
}

// Refs visits the references in e, in source order.
func Refs(e Expr) iter.Seq[*Ref] { return Nodes[*Ref](e) }

// Nodes visits the nodes of one kind in e, in source order.
func Nodes[N Expr](e Expr) iter.Seq[N] {
	return func(yield func(N) bool) {
		more := true
		Walk(e, func(x Expr) bool {
			if n, ok := x.(N); ok && more {
				more = yield(n)
			}
			return more
		})
	}
}

// HasNode reports whether e has a node of one kind for which is holds.
func HasNode[N Expr](e Expr, is func(N) bool) bool {
	for n := range Nodes[N](e) {
		if is(n) {
			return true
		}
	}
	return false
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
	return MapOperands(e, func(c Expr) Expr { return Rewrite(c, f) })
}

// RewriteRefs replaces references: f returns the replacement of one, or nil to keep it.
func RewriteRefs(e Expr, f func(*Ref) Expr) Expr {
	return Rewrite(e, func(x Expr) Expr {
		if r, ok := x.(*Ref); ok {
			return f(r)
		}
		return nil
	})
}

// MapOperands returns e with every direct operand replaced by what f makes of
// it, or e itself when f changed none.
func MapOperands(e Expr, f func(Expr) Expr) Expr {
	switch e := e.(type) {
	case *Unary:
		if x := f(e.X); x != e.X {
			return &Unary{Position: e.Position, Op: e.Op, X: x}
		}
	case *Binary:
		if l, r := f(e.L), f(e.R); l != e.L || r != e.R {
			return &Binary{Position: e.Position, Op: e.Op, L: l, R: r}
		}
	case *Between:
		if x, lo, hi := f(e.X), f(e.Lo), f(e.Hi); x != e.X || lo != e.Lo || hi != e.Hi {
			return &Between{Position: e.Position, Not: e.Not, X: x, Lo: lo, Hi: hi}
		}
	case *In:
		x, items := f(e.X), mapExprList(e.Items, f)
		if x != e.X || items != nil {
			return &In{Position: e.Position, Not: e.Not, X: x, Items: firstNonNil(items, e.Items)}
		}
	case *Like:
		if x, pattern, escape := f(e.X), f(e.Pattern), mapOptionalExpr(e.Escape, f); x != e.X || pattern != e.Pattern || escape != e.Escape {
			return &Like{Position: e.Position, Not: e.Not, Fold: e.Fold, X: x, Pattern: pattern, Escape: escape}
		}
	case *IsNull:
		if x := f(e.X); x != e.X {
			return &IsNull{Position: e.Position, Not: e.Not, X: x}
		}
	case *IsTruth:
		if x := f(e.X); x != e.X {
			return &IsTruth{Position: e.Position, Not: e.Not, Want: e.Want, X: x}
		}
	case *Case:
		operand, whens, other := mapOptionalExpr(e.Operand, f), mapCaseArms(e.Whens, f), mapOptionalExpr(e.Else, f)
		if operand != e.Operand || whens != nil || other != e.Else {
			return &Case{Position: e.Position, Operand: operand, Whens: firstNonNil(whens, e.Whens), Else: other}
		}
	case *Cast:
		if x := f(e.X); x != e.X {
			return &Cast{Position: e.Position, Try: e.Try, X: x, To: e.To}
		}
	case *Extract:
		if x := f(e.X); x != e.X {
			return &Extract{Position: e.Position, Part: e.Part, X: x}
		}
	case *Call:
		if args := mapExprList(e.Args, f); args != nil {
			return &Call{Position: e.Position, Fn: e.Fn, Name: e.Name, Dialect: e.Dialect, Distinct: e.Distinct, Star: e.Star, Desc: e.Desc, Args: args}
		}
	case *WindowCall:
		return mapWindowCall(e, f)
	case *Bucket:
		if x := f(e.X); x != e.X {
			return &Bucket{Position: e.Position, Grain: e.Grain, From: e.From, Zone: e.Zone, X: x}
		}
	case *BucketOrdinal:
		if x := f(e.X); x != e.X {
			return &BucketOrdinal{Position: e.Position, Grain: e.Grain, X: x}
		}
	case *LocalTime:
		if x := f(e.X); x != e.X {
			return &LocalTime{Position: e.Position, From: e.From, Zone: e.Zone, X: x}
		}
	case *DecodeTimeCodeExpr:
		if x := f(e.X); x != e.X {
			return &DecodeTimeCodeExpr{Position: e.Position, Code: e.Code, Grain: e.Grain, Zone: e.Zone, Local: e.Local, X: x}
		}
	case *DeclaredTypeExpr:
		if x := f(e.X); x != e.X {
			return &DeclaredTypeExpr{Position: e.Position, X: x, Type: e.Type, ReadsClock: e.ReadsClock}
		}
	case *SafeDivide:
		if l, r := f(e.L), f(e.R); l != e.L || r != e.R {
			return &SafeDivide{Position: e.Position, L: l, R: r}
		}
	default:
		return mapNativeChildren(e, f)
	}
	return e
}

// mapWindowCall rebuilds a window call. Its call stays a call: what f puts in the
// call's place is ignored unless it is one.
func mapWindowCall(e *WindowCall, f func(Expr) Expr) Expr {
	call, ok := f(e.Call).(*Call)
	if !ok {
		call = e.Call
	}
	partition := mapExprList(e.Partition, f)
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
	return &WindowCall{Position: e.Position, Call: call, Partition: firstNonNil(partition, e.Partition), Order: firstNonNil(order, e.Order), Frame: e.Frame}
}

// mapExprList returns the changed list, or nil when f changed nothing.
func mapExprList(list []Expr, f func(Expr) Expr) []Expr {
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

func mapCaseArms(whens []When, f func(Expr) Expr) []When {
	var out []When
	for i, w := range whens {
		if cond, then := f(w.Cond), f(w.Then); cond != w.Cond || then != w.Then {
			if out == nil {
				out = slices.Clone(whens)
			}
			out[i] = When{At: w.At, Cond: cond, Then: then}
		}
	}
	return out
}

func mapOptionalExpr(e Expr, f func(Expr) Expr) Expr {
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

// SplitConjuncts splits a condition into the operands of its top-level ANDs, in
// source order. Of nil it returns nil.
func SplitConjuncts(e Expr) []Expr { return appendOperandsOfChain(nil, e, OpAnd) }

// appendOperandsOfChain appends the operands of a chain of op to dst.
func appendOperandsOfChain(dst []Expr, e Expr, op BinaryOp) []Expr {
	if b, ok := e.(*Binary); ok && b.Op == op {
		return appendOperandsOfChain(appendOperandsOfChain(dst, b.L, op), b.R, op)
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
			all = &Binary{Position: Position(all.Pos()), Op: OpAnd, L: all, R: c}
		}
	}
	return all
}

// IsComparison reports whether the operator compares its operands with each other.
func (op BinaryOp) IsComparison() bool {
	switch op {
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe, OpIsDistinctFrom, OpIsNotDistinctFrom:
		return true
	}
	return false
}

// ReplaceComparedValues gives the values that a comparison, a BETWEEN or an IN compares with each
// other to f, and returns the node with what f returned in their places: nil where e is
// no such node, or f returned nil.
func ReplaceComparedValues(e Expr, f func(all ...Expr) []Expr) Expr {
	switch e := e.(type) {
	case *Binary:
		if !e.Op.IsComparison() {
			return nil
		}
		if x := f(e.L, e.R); x != nil {
			return &Binary{Position: e.Position, Op: e.Op, L: x[0], R: x[1]}
		}
	case *Between:
		if x := f(e.X, e.Lo, e.Hi); x != nil {
			return &Between{Position: e.Position, Not: e.Not, X: x[0], Lo: x[1], Hi: x[2]}
		}
	case *In:
		if x := f(append([]Expr{e.X}, e.Items...)...); x != nil {
			return &In{Position: e.Position, Not: e.Not, X: x[0], Items: x[1:]}
		}
	}
	return nil
}
