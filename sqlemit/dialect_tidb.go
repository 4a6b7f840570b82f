package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// TiDB speaks MySQL.
var tidb = &Dialect{
	name:  "tidb",
	caps:  mysqlCaps,
	ident: identStyle{quote: '`', limit: 255, reserved: tidbWords},
	lit:   mysqlLiterals,
	like:  likeStyle{backslash: true},
	types: mysqlTypes,
	ops:   tidbOps,
	time:  tidbTime,
	calls: mysqlCalls,

	rewrite:    tidbTruths,
	codePoints: "utf8mb4_0900_bin",
}

// TiDB reserves less than MySQL, and a few words of its own (pkg/parser/keywords.go
// of 8.5).
var tidbWords = words(mysqlCommonWords, mysqlOwnWords, "array current_role ilike tidb_current_tso until")

// tidbOps spells IN as comparisons unless its list is literals. TiDB takes y IN (2, x)
// and y IN (2, NULL) for false or unknown wherever x is NULL, makes an inner join of
// the left join that x comes from, and loses rows (seen in 8.5.4, issue 66825).
var tidbOps = func() operatorForms {
	o := mysqlOps
	o.looseIn = true
	return o
}()

// tidbTime has DATE_ADD: after a + or a -, INTERVAL and a parenthesis are the
// function of that name.
var tidbTime = func() timeForms {
	t := mysqlTime
	t.bucket = t.bucket.but(sqlexpr.GrainQuarter, call(tidbQuarter))
	t.trunc = t.trunc.but(partQuarter, call("CAST("+tidbQuarter+" AS DATETIME)"))
	t.shift = eachUnit(precPrimary, "DATE_ADD($1, INTERVAL @2 {UNIT})")
	return t
}()

const tidbQuarter = "DATE_ADD(MAKEDATE(YEAR($1), 1), INTERVAL (QUARTER($1) - 1) QUARTER)"

// tidbTruths spells an AND of which the value is looked at, and not only whether it
// is true, as a CASE: TiDB takes it for unknown wherever one side is, even where the
// other is false, when it asks whether a left join may be an inner one (seen in 8.5.4).
func tidbTruths(_ *writer, e sqlexpr.Expr) sqlexpr.Expr {
	switch e := e.(type) {
	case *sqlexpr.IsTruth:
		if x := tidbTruth(e.X); x != e.X && !e.Want { // IS TRUE loses nothing
			return &sqlexpr.IsTruth{At: e.At, Not: e.Not, Want: e.Want, X: x}
		}
	case *sqlexpr.IsNull:
		if x := tidbTruth(e.X); x != e.X {
			return &sqlexpr.IsNull{At: e.At, Not: e.Not, X: x}
		}
	case *sqlexpr.Binary:
		if e.Op == sqlexpr.OpAnd || e.Op == sqlexpr.OpOr {
			return e
		}
		if l, r := tidbTruth(e.L), tidbTruth(e.R); l != e.L || r != e.R {
			return &sqlexpr.Binary{At: e.At, Op: e.Op, L: l, R: r}
		}
	case *sqlexpr.Call:
		for i, x := range e.Args {
			if y := tidbTruth(x); y != x {
				out := *e
				out.Args = slices.Clone(e.Args)
				out.Args[i] = y
				return tidbTruths(nil, &out)
			}
		}
	}
	return e
}

func tidbTruth(e sqlexpr.Expr) sqlexpr.Expr {
	switch e := e.(type) {
	case *sqlexpr.Unary:
		if x := tidbTruth(e.X); x != e.X {
			return &sqlexpr.Unary{At: e.At, Op: e.Op, X: x}
		}
	case *sqlexpr.Binary:
		switch e.Op {
		case sqlexpr.OpOr:
			if l, r := tidbTruth(e.L), tidbTruth(e.R); l != e.L || r != e.R {
				return &sqlexpr.Binary{At: e.At, Op: e.Op, L: l, R: r}
			}
		case sqlexpr.OpAnd:
			return tidbAll(e)
		}
	}
	return e
}

// tidbAll is an AND without one: false where any is, else unknown where any is. A chain
// is taken as a whole, so that each of its conditions stands there twice and not once
// more for each AND.
func tidbAll(e *sqlexpr.Binary) sqlexpr.Expr {
	out := &sqlexpr.Case{At: e.At, Else: &sqlexpr.Bool{Value: true}}
	var unknown []sqlexpr.When
	for _, x := range sqlexpr.Conjuncts(e) {
		x = tidbTruth(x)
		out.Whens = append(out.Whens, sqlexpr.When{Cond: &sqlexpr.Unary{Op: sqlexpr.OpNot, X: x}, Then: &sqlexpr.Bool{}})
		unknown = append(unknown, sqlexpr.When{Cond: &sqlexpr.IsNull{X: x}, Then: &sqlexpr.Null{}})
	}
	out.Whens = append(out.Whens, unknown...)
	return out
}
