package sqlexpr

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// row gives the columns of a random expression their values: an int, a bool or
// nil for NULL.
type row map[string]any

// randomExpr builds trees over the integer columns a, b, c and the boolean
// columns p, q, r.
type randomExpr struct{ *rand.Rand }

func (r randomExpr) integer(depth int) Expr {
	if depth == 0 || r.IntN(4) == 0 {
		switch r.IntN(4) {
		case 0:
			return num(strconv.Itoa(r.IntN(3)))
		case 1:
			if r.IntN(3) == 0 {
				return &Null{}
			}
		}
		return col(string(rune('a' + r.IntN(3))))
	}
	d := depth - 1
	switch r.IntN(8) {
	case 0:
		return &Unary{Op: OpNeg, X: r.integer(d)}
	case 1, 2, 3:
		return bin([]BinaryOp{OpAdd, OpSub, OpMul}[r.IntN(3)], r.integer(d), r.integer(d))
	case 4:
		return &Call{Fn: FnCoalesce, Args: []Expr{r.integer(d), r.integer(d)}}
	case 5:
		return &Call{Fn: FnIf, Args: []Expr{r.boolean(d), r.integer(d), r.integer(d)}}
	case 6:
		return &Call{Fn: FnNullIf, Args: []Expr{r.integer(d), r.integer(d)}}
	}
	c := &Case{Whens: []When{{Cond: r.boolean(d), Then: r.integer(d)}, {Cond: r.boolean(d), Then: r.integer(d)}}}
	if r.IntN(2) == 0 {
		c.Operand, c.Whens[0].Cond, c.Whens[1].Cond = r.integer(d), r.integer(d), r.integer(d)
	}
	if r.IntN(2) == 0 {
		c.Else = r.integer(d)
	}
	return c
}

func (r randomExpr) boolean(depth int) Expr {
	if depth == 0 || r.IntN(6) == 0 {
		switch r.IntN(8) {
		case 0:
			return &Bool{Value: r.IntN(2) == 0}
		case 1:
			return &Null{}
		}
		return col(string(rune('p' + r.IntN(3))))
	}
	d := depth - 1
	flip := r.IntN(2) == 0
	switch r.IntN(8) {
	case 0:
		return &Unary{Op: OpNot, X: r.boolean(d)}
	case 1, 2:
		return bin([]BinaryOp{OpAnd, OpOr}[r.IntN(2)], r.boolean(d), r.boolean(d))
	case 3:
		return bin([]BinaryOp{OpEq, OpNe, OpIsDistinctFrom, OpIsNotDistinctFrom}[r.IntN(4)], r.boolean(d), r.boolean(d))
	case 4:
		return bin(OpEq+BinaryOp(r.IntN(8)), r.integer(d), r.integer(d))
	case 5:
		return &Between{Not: flip, X: r.integer(d), Lo: r.integer(d), Hi: r.integer(d)}
	case 6:
		return &In{Not: flip, X: r.integer(d), Items: []Expr{r.integer(d), r.integer(d)}}
	}
	if flip {
		return &IsNull{Not: r.IntN(2) == 0, X: r.boolean(d)}
	}
	return &IsTruth{Not: r.IntN(2) == 0, Want: r.IntN(2) == 0, X: r.boolean(d)}
}

// eval is SQL's three-valued meaning of a random expression or of its normal
// form, written from the standard and not from the code under test.
func eval(t *testing.T, e Expr, cols row) any {
	t.Helper()
	ev := func(x Expr) any { return eval(t, x, cols) }
	switch e := e.(type) {
	case *Column:
		return cols[e.Path[0].Text]
	case *Number:
		n, err := strconv.Atoi(e.Text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	case *Bool:
		return e.Value
	case *Null:
		return nil
	case *Unary:
		switch x := ev(e.X).(type) {
		case bool:
			return !x
		case int:
			return -x
		}
		return nil
	case *Binary:
		return evalBinary(t, e.Op, ev(e.L), ev(e.R))
	case *Between:
		x := ev(e.X)
		in := evalBinary(t, OpAnd, evalBinary(t, OpGe, x, ev(e.Lo)), evalBinary(t, OpLe, x, ev(e.Hi)))
		return not(in, e.Not)
	case *In:
		var in any = false
		for _, item := range e.Items {
			in = evalBinary(t, OpOr, in, evalBinary(t, OpEq, ev(e.X), ev(item)))
		}
		return not(in, e.Not)
	case *IsNull:
		return (ev(e.X) == nil) != e.Not
	case *IsTruth:
		return (ev(e.X) == e.Want) != e.Not
	case *Case:
		for _, w := range e.Whens {
			cond := ev(w.Cond)
			if e.Operand != nil {
				cond = evalBinary(t, OpEq, ev(e.Operand), cond)
			}
			if is(cond, true) {
				return ev(w.Then)
			}
		}
		if e.Else == nil {
			return nil
		}
		return ev(e.Else)
	case *Call:
		switch e.Fn {
		case FnCoalesce:
			if x := ev(e.Args[0]); x != nil {
				return x
			}
			return ev(e.Args[1])
		case FnIf:
			if is(ev(e.Args[0]), true) {
				return ev(e.Args[1])
			}
			return ev(e.Args[2])
		case FnNullIf:
			x := ev(e.Args[0])
			if is(evalBinary(t, OpEq, x, ev(e.Args[1])), true) {
				return nil
			}
			return x
		}
	}
	t.Fatalf("no meaning for %s", Format(e))
	return nil
}

// is reports whether x is a truth value, and the wanted one.
func is(x any, want bool) bool {
	b, ok := x.(bool)
	return ok && b == want
}

func not(x any, flip bool) any {
	if b, ok := x.(bool); ok && flip {
		return !b
	}
	return x
}

func evalBinary(t *testing.T, op BinaryOp, l, r any) any {
	switch op {
	case OpAnd:
		if is(l, false) || is(r, false) {
			return false
		}
		if l == nil || r == nil {
			return nil
		}
		return true
	case OpOr:
		if is(l, true) || is(r, true) {
			return true
		}
		if l == nil || r == nil {
			return nil
		}
		return false
	case OpIsDistinctFrom:
		return l != r
	case OpIsNotDistinctFrom:
		return l == r
	}
	if l == nil || r == nil {
		return nil
	}
	switch op {
	case OpEq:
		return l == r
	case OpNe:
		return l != r
	}
	a, b := l.(int), r.(int)
	switch op {
	case OpAdd:
		return a + b
	case OpSub:
		return a - b
	case OpMul:
		return a * b
	case OpLt:
		return a < b
	case OpLe:
		return a <= b
	case OpGt:
		return a > b
	case OpGe:
		return a >= b
	}
	t.Fatalf("no meaning for operator %d", op)
	return nil
}

func (r randomExpr) row() row {
	cols := row{}
	for _, name := range []string{"a", "b", "c"} {
		if cols[name] = any(r.IntN(3)); r.IntN(4) == 0 {
			cols[name] = nil
		}
	}
	for _, name := range []string{"p", "q", "r"} {
		if cols[name] = any(r.IntN(2) == 0); r.IntN(4) == 0 {
			cols[name] = nil
		}
	}
	return cols
}

const randomTrees = 5000

func TestFormat_RandomTreesRoundTrip(t *testing.T) {
	r := randomExpr{rand.New(rand.NewPCG(1, 2))}
	for range randomTrees {
		e := r.boolean(5)
		again, err := Parse(Format(e))
		if err != nil {
			t.Fatalf("%s: %v", Format(e), err)
		}
		if !Equal(e, again) {
			t.Fatalf("%s parses to %s", Format(e), Format(again))
		}
	}
}

func TestNormalize_KeepsMeaning(t *testing.T) {
	r := randomExpr{rand.New(rand.NewPCG(3, 4))}
	for range randomTrees {
		e := r.boolean(4)
		n := Normalize(e)
		for range 20 {
			cols := r.row()
			if got, want := eval(t, n, cols), eval(t, e, cols); got != want {
				t.Fatalf("%s\nis %v over %v, its normal form\n%s\nis %v", Format(e), want, cols, Format(n), got)
			}
		}
	}
}

func TestNullPropagation_RandomTrees(t *testing.T) {
	r := randomExpr{rand.New(rand.NewPCG(5, 6))}
	claimed := 0
	for range randomTrees {
		e := r.integer(4)
		if !IsNullForNullColumns(e) {
			continue
		}
		claimed++
		if got := eval(t, e, row{}); got != nil {
			t.Fatalf("%s is %v over NULL columns", Format(e), got)
		}
	}
	if claimed < randomTrees/10 {
		t.Errorf("only %d of %d trees were claimed: the test checks too little", claimed, randomTrees)
	}
}
