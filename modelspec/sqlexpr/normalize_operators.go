package sqlexpr

import (
	"cmp"
	"slices"
	"strings"
)

// normalOperator builds the normal form of an operator that does not chain, over
// normal operands.
func normalOperator(op BinaryOp, l, r Expr) Expr {
	switch op {
	case OpGt:
		return &Binary{Op: OpLt, L: r, R: l}
	case OpGe:
		return &Binary{Op: OpLe, L: r, R: l}
	case OpEq, OpNe:
		if x, ok := normalTruth(op, l, r); ok {
			return x
		}
		return normalCommutative(op, l, r)
	case OpDistinct, OpNotDistinct:
		return normalCommutative(op, l, r)
	case OpDiv:
		// A zero divisor gives NULL by the rules of the language.
		if c, ok := r.(*Call); ok && c.Fn == FnNullIf && len(c.Args) == 2 && isZero(c.Args[1]) {
			r = c.Args[0]
		}
	}
	return &Binary{Op: op, L: l, R: r}
}

func isZero(e Expr) bool {
	n, ok := e.(*Number)
	return ok && n.Text == "0"
}

// normalTruth folds a comparison with TRUE or FALSE.
func normalTruth(op BinaryOp, l, r Expr) (Expr, bool) {
	b, ok := r.(*Bool)
	if !ok {
		if b, ok = l.(*Bool); !ok {
			return nil, false
		}
		l = r
	}
	if b.Value == (op == OpEq) {
		return l, true
	}
	return negate(l), true
}

// normalCommutative builds an operator whose operands may change places.
func normalCommutative(op BinaryOp, l, r Expr) Expr {
	if Format(l) > Format(r) {
		l, r = r, l
	}
	return &Binary{Op: op, L: l, R: r}
}

// joinOperands joins operands from left to right, at least one.
func joinOperands(op BinaryOp, list []Expr) Expr {
	all := list[0]
	for _, e := range list[1:] {
		all = &Binary{Op: op, L: all, R: e}
	}
	return all
}

// sorted orders expressions by their canonical text.
func sorted(list []Expr) []Expr {
	type keyed struct {
		key string
		e   Expr
	}
	keys := make([]keyed, len(list))
	for i, e := range list {
		keys[i] = keyed{Format(e), e}
	}
	slices.SortStableFunc(keys, func(a, b keyed) int { return cmp.Compare(a.key, b.key) })
	out := make([]Expr, len(list))
	for i, k := range keys {
		out[i] = k.e
	}
	return out
}

// normalLogic builds AND or OR: flat, sorted, without repetition and without the
// constant that does not matter; the constant that decides stands alone.
func normalLogic(op BinaryOp, parts ...Expr) Expr {
	var list []Expr
	for _, part := range parts {
		list = appendOperands(list, part, op)
	}
	neutral := op == OpAnd
	kept := list[:0]
	for _, e := range list {
		if b, ok := e.(*Bool); !ok {
			kept = append(kept, e)
		} else if b.Value != neutral {
			return b
		}
	}
	if len(kept) == 0 {
		return &Bool{Value: neutral}
	}
	return joinOperands(op, slices.CompactFunc(sorted(kept), Equal))
}

// negate is the normal form of NOT x.
func negate(x Expr) Expr {
	switch x := x.(type) {
	case *Bool:
		return &Bool{Value: !x.Value}
	case *Null:
		return x
	case *Unary:
		if x.Op == OpNot {
			return x.X
		}
	case *Between:
		return &Between{Not: !x.Not, X: x.X, Lo: x.Lo, Hi: x.Hi}
	case *In:
		return &In{Not: !x.Not, X: x.X, Items: x.Items}
	case *Like:
		return &Like{Not: !x.Not, Fold: x.Fold, X: x.X, Pattern: x.Pattern, Escape: x.Escape}
	case *IsNull:
		return &IsNull{Not: !x.Not, X: x.X}
	case *IsTruth:
		return &IsTruth{Not: !x.Not, Want: x.Want, X: x.X}
	case *Binary:
		if n := negateBinary(x); n != nil {
			return n
		}
	}
	return &Unary{Op: OpNot, X: x}
}

func negateBinary(x *Binary) Expr {
	switch x.Op {
	case OpAnd, OpOr:
		list := appendOperands(nil, x, x.Op)
		for i, e := range list {
			list[i] = negate(e)
		}
		return normalLogic(OpAnd+OpOr-x.Op, list...)
	case OpEq:
		return &Binary{Op: OpNe, L: x.L, R: x.R}
	case OpNe:
		return &Binary{Op: OpEq, L: x.L, R: x.R}
	case OpLt:
		return &Binary{Op: OpLe, L: x.R, R: x.L}
	case OpLe:
		return &Binary{Op: OpLt, L: x.R, R: x.L}
	case OpDistinct:
		return &Binary{Op: OpNotDistinct, L: x.L, R: x.R}
	case OpNotDistinct:
		return &Binary{Op: OpDistinct, L: x.L, R: x.R}
	}
	return nil
}

func normalBetween(e *Between) Expr {
	if !isSmall(e.X) {
		return &Between{Not: e.Not, X: e.X, Lo: e.Lo, Hi: e.Hi}
	}
	inside := normalLogic(OpAnd, &Binary{Op: OpLe, L: e.Lo, R: e.X}, &Binary{Op: OpLe, L: e.X, R: e.Hi})
	if e.Not {
		return negate(inside)
	}
	return inside
}

func normalIn(e *In) Expr {
	_, query := e.Items[0].(*Subquery)
	if query || !isSmall(e.X) {
		return &In{Not: e.Not, X: e.X, Items: slices.CompactFunc(sorted(e.Items), Equal)}
	}
	equal := make([]Expr, len(e.Items))
	for i, item := range e.Items {
		equal[i] = normalOperator(OpEq, e.X, item)
	}
	if e.Not {
		return negate(normalLogic(OpOr, equal...))
	}
	return normalLogic(OpOr, equal...)
}

// normalMinus is the normal form of -x.
func normalMinus(x Expr) Expr {
	switch x := x.(type) {
	case *Unary:
		if x.Op == OpNeg {
			return x.X
		}
	case *Number:
		if x.Text == "0" {
			return x
		}
	case *Interval:
		if count, ok := normalCount("-" + x.Count); ok {
			return &Interval{Count: count, Unit: x.Unit}
		}
		return &Interval{Count: strings.TrimPrefix(x.Count, "-"), Unit: x.Unit}
	case *Binary:
		if x.Op == OpAdd {
			list := appendOperands(nil, x, OpAdd)
			for i, e := range list {
				list[i] = normalMinus(e)
			}
			return normalSum(list...)
		}
	}
	return &Unary{Op: OpNeg, X: x}
}

// resolveSum builds a + b + …. Intervals keep their place: a month and then a day is
// not a day and then a month.
func normalSum(parts ...Expr) Expr {
	var list []Expr
	for _, part := range parts {
		list = appendOperands(list, part, OpAdd)
	}
	if len(list) > 2 && slices.ContainsFunc(list, holdsInterval) {
		return joinOperands(OpAdd, parts)
	}
	return joinOperands(OpAdd, sorted(list))
}

func holdsInterval(e Expr) bool {
	found := false
	Walk(e, func(x Expr) bool {
		_, ok := x.(*Interval)
		found = found || ok
		return !found
	})
	return found
}

// normalProduct builds a * b * …, its sign in front.
func normalProduct(parts ...Expr) Expr {
	var list []Expr
	negative := false
	for _, part := range parts {
		if u, ok := part.(*Unary); ok && u.Op == OpNeg {
			negative = !negative
			part = u.X
		}
		list = appendOperands(list, part, OpMul)
	}
	all := joinOperands(OpMul, sorted(list))
	if negative {
		return &Unary{Op: OpNeg, X: all}
	}
	return all
}

// normalConcat builds a || b || …, which keeps its order.
func normalConcat(parts ...Expr) Expr {
	var list []Expr
	for _, part := range parts {
		list = appendOperands(list, part, OpConcat)
	}
	return joinOperands(OpConcat, list)
}
