package sqlemit

import (
	"testing"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// chainOf nests n operators to the left or to the right, over numbers of two types.
func chainOf(n int, op sqlexpr.BinaryOp, toTheLeft bool) *sqlexpr.Binary {
	leaf := func(i int) sqlexpr.Expr {
		if i%3 == 0 {
			return &sqlexpr.Number{Text: "1.5"}
		}
		return &sqlexpr.Number{Text: "1"}
	}
	e := &sqlexpr.Binary{Op: op, L: leaf(0), R: leaf(1)}
	for i := 1; i < n; i++ {
		if toTheLeft {
			e = &sqlexpr.Binary{Op: op, L: e, R: leaf(i)}
		} else {
			e = &sqlexpr.Binary{Op: op, L: leaf(i), R: e}
		}
	}
	return e
}

func TestDeepTypes_MatchWholeExpression(t *testing.T) {
	for _, op := range []sqlexpr.BinaryOp{sqlexpr.OpAdd, sqlexpr.OpMul, sqlexpr.OpDiv, sqlexpr.OpConcat, sqlexpr.OpAnd} {
		for n := 1; n <= 3*typeCacheMinChainLength; n++ {
			for _, toTheLeft := range []bool{true, false} {
				e := chainOf(n, op, toTheLeft)
				var types operatorTypeCache
				for range 2 { // found, and kept
					if got, want := types.typeOfBinary(nil, e), typeInScope(nil, e); got != want {
						t.Errorf("%v, %d operators: %v, want %v", op, n, got, want)
					}
				}
			}
		}
	}
}

func TestDeepTypes_AChainIsWalkedOnce(t *testing.T) {
	e := chainOf(1000, sqlexpr.OpAdd, true)
	var types operatorTypeCache
	types.typeOfBinary(nil, e)
	if got, want := len(types.of), 1000-typeCacheMinChainLength; got != want {
		t.Errorf("%d types are kept, want %d", got, want)
	}
	if allocs := testing.AllocsPerRun(10, func() { types.typeOfBinary(nil, e) }); allocs != 0 {
		t.Errorf("%v allocations to find a type again", allocs)
	}
}
