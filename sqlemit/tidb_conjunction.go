package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// rewriteTidbAnd rewrites an AND as a CASE if its value is used, and not only tested for
// truth. When TiDB decides whether a left join can be an inner join, it treats an AND with
// one unknown side as unknown, even if the other side is false (seen in 8.5.4).
func rewriteTidbAnd(_ *writer, e sqlexpr.Expr) sqlexpr.Expr {
	switch e := e.(type) {
	case *sqlexpr.IsTruth:
		if x := tidbAndsAsCase(e.X); x != e.X && !e.Want { // IS TRUE loses nothing
			return &sqlexpr.IsTruth{Position: e.Position, Not: e.Not, Want: e.Want, X: x}
		}
	case *sqlexpr.IsNull:
		if x := tidbAndsAsCase(e.X); x != e.X {
			return &sqlexpr.IsNull{Position: e.Position, Not: e.Not, X: x}
		}
	case *sqlexpr.Binary:
		if e.Op == sqlexpr.OpAnd || e.Op == sqlexpr.OpOr {
			return e
		}
		if l, r := tidbAndsAsCase(e.L), tidbAndsAsCase(e.R); l != e.L || r != e.R {
			return &sqlexpr.Binary{Position: e.Position, Op: e.Op, L: l, R: r}
		}
	case *sqlexpr.Call:
		for i, x := range e.Args {
			if y := tidbAndsAsCase(x); y != x {
				out := *e
				out.Args = slices.Clone(e.Args)
				out.Args[i] = y
				return rewriteTidbAnd(nil, &out)
			}
		}
	}
	return e
}

func tidbAndsAsCase(e sqlexpr.Expr) sqlexpr.Expr {
	switch e := e.(type) {
	case *sqlexpr.Unary:
		if x := tidbAndsAsCase(e.X); x != e.X {
			return &sqlexpr.Unary{Position: e.Position, Op: e.Op, X: x}
		}
	case *sqlexpr.Binary:
		switch e.Op {
		case sqlexpr.OpOr:
			if l, r := tidbAndsAsCase(e.L), tidbAndsAsCase(e.R); l != e.L || r != e.R {
				return &sqlexpr.Binary{Position: e.Position, Op: e.Op, L: l, R: r}
			}
		case sqlexpr.OpAnd:
			return tidbAndChainAsCase(e)
		}
	}
	return e
}

// tidbAndChainAsCase returns a CASE in place of an AND: false if any operand is false, else
// unknown if any is unknown. It converts a whole chain at once, so that each of its
// conditions occurs twice and not once more for each AND.
func tidbAndChainAsCase(e *sqlexpr.Binary) sqlexpr.Expr {
	out := &sqlexpr.Case{Position: e.Position, Else: &sqlexpr.Bool{Value: true}}
	var unknown []sqlexpr.When
	for _, x := range sqlexpr.SplitConjuncts(e) {
		x = tidbAndsAsCase(x)
		out.Whens = append(out.Whens, sqlexpr.When{Cond: &sqlexpr.Unary{Op: sqlexpr.OpNot, X: x}, Then: &sqlexpr.Bool{}})
		unknown = append(unknown, sqlexpr.When{Cond: &sqlexpr.IsNull{X: x}, Then: &sqlexpr.Null{}})
	}
	out.Whens = append(out.Whens, unknown...)
	return out
}
