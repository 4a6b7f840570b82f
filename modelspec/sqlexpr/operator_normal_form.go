package sqlexpr

import (
	"cmp"
	"slices"
	"strings"
)

// normalizeBinaryExpression builds the normal form of an operator that does not chain, over
// normal operands.
func normalizeBinaryExpression(op BinaryOp, l, r Expr) Expr {
	switch op {
	case OpGt:
		return &Binary{Op: OpLt, L: r, R: l}
	case OpGe:
		return &Binary{Op: OpLe, L: r, R: l}
	case OpEq, OpNe:
		if x, ok := foldComparisonWithBoolean(op, l, r); ok {
			return x
		}
		return normalizeCommutative(op, l, r)
	case OpIsDistinctFrom, OpIsNotDistinctFrom:
		return normalizeCommutative(op, l, r)
	case OpDiv:
		// A zero divisor gives NULL by the rules of the language.
		if c, ok := r.(*Call); ok && c.Fn == FnNullIf && len(c.Args) == 2 && isZeroLiteral(c.Args[1]) {
			r = c.Args[0]
		}
	}
	return &Binary{Op: op, L: l, R: r}
}

func isZeroLiteral(e Expr) bool {
	n, ok := e.(*Number)
	return ok && n.Text == "0"
}

// foldComparisonWithBoolean folds a comparison with TRUE or FALSE.
func foldComparisonWithBoolean(op BinaryOp, l, r Expr) (Expr, bool) {
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
	return negateNormalForm(l), true
}

// normalizeCommutative builds an operator whose operands may change places.
func normalizeCommutative(op BinaryOp, l, r Expr) Expr {
	if Format(l) > Format(r) {
		l, r = r, l
	}
	return &Binary{Op: op, L: l, R: r}
}

// joinOperandsWithOperator joins operands from left to right, at least one.
func joinOperandsWithOperator(op BinaryOp, list []Expr) Expr {
	all := list[0]
	for _, e := range list[1:] {
		all = &Binary{Op: op, L: all, R: e}
	}
	return all
}

// sortByText orders expressions by their canonical text.
func sortByText(list []Expr) []Expr {
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

// normalizeAndOr builds AND or OR: flat, sorted, without repetition and without the
// constant that does not matter; the constant that decides stands alone.
func normalizeAndOr(op BinaryOp, parts ...Expr) Expr {
	var list []Expr
	for _, part := range parts {
		list = appendOperandsOfChain(list, part, op)
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
	return joinOperandsWithOperator(op, slices.CompactFunc(sortByText(kept), Equal))
}

// negateNormalForm returns the normal form of NOT x.
func negateNormalForm(x Expr) Expr {
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
		if n := negateNormalBinary(x); n != nil {
			return n
		}
	}
	return &Unary{Op: OpNot, X: x}
}

func negateNormalBinary(x *Binary) Expr {
	switch x.Op {
	case OpAnd, OpOr:
		list := appendOperandsOfChain(nil, x, x.Op)
		for i, e := range list {
			list[i] = negateNormalForm(e)
		}
		return normalizeAndOr(OpAnd+OpOr-x.Op, list...)
	case OpEq:
		return &Binary{Op: OpNe, L: x.L, R: x.R}
	case OpNe:
		return &Binary{Op: OpEq, L: x.L, R: x.R}
	case OpLt:
		return &Binary{Op: OpLe, L: x.R, R: x.L}
	case OpLe:
		return &Binary{Op: OpLt, L: x.R, R: x.L}
	case OpIsDistinctFrom:
		return &Binary{Op: OpIsNotDistinctFrom, L: x.L, R: x.R}
	case OpIsNotDistinctFrom:
		return &Binary{Op: OpIsDistinctFrom, L: x.L, R: x.R}
	}
	return nil
}

func normalizeBetween(e *Between) Expr {
	if !isCheapToRepeat(e.X) {
		return &Between{Not: e.Not, X: e.X, Lo: e.Lo, Hi: e.Hi}
	}
	inside := normalizeAndOr(OpAnd, &Binary{Op: OpLe, L: e.Lo, R: e.X}, &Binary{Op: OpLe, L: e.X, R: e.Hi})
	if e.Not {
		return negateNormalForm(inside)
	}
	return inside
}

func normalizeIn(e *In) Expr {
	_, query := e.Items[0].(*Subquery)
	if query || !isCheapToRepeat(e.X) {
		return &In{Not: e.Not, X: e.X, Items: slices.CompactFunc(sortByText(e.Items), Equal)}
	}
	equal := make([]Expr, len(e.Items))
	for i, item := range e.Items {
		equal[i] = normalizeBinaryExpression(OpEq, e.X, item)
	}
	if e.Not {
		return negateNormalForm(normalizeAndOr(OpOr, equal...))
	}
	return normalizeAndOr(OpOr, equal...)
}

// normalizeUnaryMinus returns the normal form of -x.
func normalizeUnaryMinus(x Expr) Expr {
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
		if count, ok := dropPlusSignAndLeadingZeros("-" + x.Count); ok {
			return &Interval{Count: count, Unit: x.Unit}
		}
		return &Interval{Count: strings.TrimPrefix(x.Count, "-"), Unit: x.Unit}
	case *Binary:
		if x.Op == OpAdd {
			list := appendOperandsOfChain(nil, x, OpAdd)
			for i, e := range list {
				list[i] = normalizeUnaryMinus(e)
			}
			return normalizeSum(list...)
		}
	}
	return &Unary{Op: OpNeg, X: x}
}

// normalizeSum builds a + b + …. Intervals keep their place: a month and then a day is
// not a day and then a month.
func normalizeSum(parts ...Expr) Expr {
	var list []Expr
	for _, part := range parts {
		list = appendOperandsOfChain(list, part, OpAdd)
	}
	if len(list) > 2 && slices.ContainsFunc(list, containsInterval) {
		return joinOperandsWithOperator(OpAdd, parts)
	}
	return joinOperandsWithOperator(OpAdd, sortByText(list))
}

func containsInterval(e Expr) bool {
	found := false
	Walk(e, func(x Expr) bool {
		_, ok := x.(*Interval)
		found = found || ok
		return !found
	})
	return found
}

// normalizeProduct builds a * b * …, its sign in front.
func normalizeProduct(parts ...Expr) Expr {
	var list []Expr
	negative := false
	for _, part := range parts {
		if u, ok := part.(*Unary); ok && u.Op == OpNeg {
			negative = !negative
			part = u.X
		}
		list = appendOperandsOfChain(list, part, OpMul)
	}
	all := joinOperandsWithOperator(OpMul, sortByText(list))
	if negative {
		return &Unary{Op: OpNeg, X: all}
	}
	return all
}

// normalizeConcat builds a || b || …, which keeps its order.
func normalizeConcat(parts ...Expr) Expr {
	var list []Expr
	for _, part := range parts {
		list = appendOperandsOfChain(list, part, OpConcat)
	}
	return joinOperandsWithOperator(OpConcat, list)
}
