package sqlemit

import (
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Days and timestamps are texts, and midnight can be written both ways: 2024-01-05 is
// less than 2024-01-05 00:00:00. The operand that a literal is compared with
// may hold either, so the bound is chosen such that both fall on the same side of it:
//
//	x < D, x >= D   the day              x <= D, x > D   the timestamp
//	x = D           IN, with both
//
// A field that is a date is compared with another field that is a timestamp by its midnight.
const midnightSuffix = " 00:00:00"

// rewriteSqliteExpr rewrites a comparison with a day or a midnight in that way. It also casts
// dividends to double: in SQLite each value has its own type, so an expression of doubles
// may return an integer, which would divide as an integer.
func rewriteSqliteExpr(w *writer, e sqlexpr.Expr) sqlexpr.Expr {
	if x := sqlexpr.ReplaceComparedValues(e, sqliteDatesAsMidnights); x != nil {
		return x
	}
	switch e := e.(type) {
	case *sqlexpr.SafeDivide:
		return &sqlexpr.SafeDivide{L: castToDouble(e.L), R: e.R}
	case *sqlexpr.Binary:
		if e.Op == sqlexpr.OpDiv {
			return &sqlexpr.SafeDivide{L: castToDouble(e.L), R: e.R}
		}
		return rewriteSqliteMidnightComparison(w, e)
	case *sqlexpr.Between:
		if isSQLiteDay(e.X, w) {
			return e
		}
		lo, hi := midnightBoundSpelling(e.Lo, false), midnightBoundSpelling(e.Hi, true)
		if lo != e.Lo || hi != e.Hi {
			return &sqlexpr.Between{X: e.X, Lo: lo, Hi: hi, Not: e.Not}
		}
	case *sqlexpr.In:
		return rewriteSqliteMidnightInList(w, e)
	}
	return e
}

// sqliteDatesAsMidnights returns values that are compared with each other as timestamps, nil if none of them is a
// declared date.
func sqliteDatesAsMidnights(all ...sqlexpr.Expr) []sqlexpr.Expr {
	if !slices.ContainsFunc(all, isDeclaredDate) {
		return nil
	}
	out := slices.Clone(all)
	for i, x := range all {
		switch t := x.(type) {
		case *sqlexpr.TypedLiteral:
			if both := midnightSpellings(t); both != nil {
				out[i] = both[1]
			}
		case *sqlexpr.Null:
		default:
			out[i] = dayTextToSqliteTimestamp(x)
		}
	}
	return out
}

// isDeclaredDate reports whether the model declares an expression to be a date.
func isDeclaredDate(x sqlexpr.Expr) bool {
	known, ok := x.(*sqlexpr.DeclaredTypeExpr)
	return ok && known.Type == sqlexpr.TypeDate
}

func rewriteSqliteMidnightComparison(w *writer, e *sqlexpr.Binary) sqlexpr.Expr {
	// A literal on the left is one on the right of the mirrored comparison.
	side, literal := e.L, e.R
	mirrored := midnightSpellings(e.R) == nil
	if mirrored {
		side, literal = e.R, e.L
	}
	both := midnightSpellings(literal)
	if both == nil || isSQLiteDay(side, w) {
		return e
	}
	var upper bool
	switch e.Op {
	case sqlexpr.OpEq, sqlexpr.OpNe:
		return &sqlexpr.In{X: side, Items: both, Not: e.Op == sqlexpr.OpNe}
	case sqlexpr.OpLe, sqlexpr.OpGt:
		upper = !mirrored
	case sqlexpr.OpLt, sqlexpr.OpGe:
		upper = mirrored
	default:
		return e
	}
	out := *e
	if mirrored {
		out.L = midnightBoundSpelling(e.L, upper)
	} else {
		out.R = midnightBoundSpelling(e.R, upper)
	}
	return &out
}

func rewriteSqliteMidnightInList(w *writer, e *sqlexpr.In) sqlexpr.Expr {
	if isSQLiteDay(e.X, w) {
		return e
	}
	items := make([]sqlexpr.Expr, 0, len(e.Items))
	changed := false
	for i, x := range e.Items {
		both := midnightSpellings(x)
		switch {
		case both == nil:
			items = append(items, x)
		case i > 0 && sqlexpr.Equal(items[len(items)-1], both[1]):
			// The second spelling of the one before.
		default:
			items = append(items, both...)
			changed = changed || i+1 == len(e.Items) || !sqlexpr.Equal(e.Items[i+1], both[1])
		}
	}
	if !changed {
		return e
	}
	return &sqlexpr.In{X: e.X, Items: items, Not: e.Not}
}

// dayTextToSqliteTimestamp gives a text that is a day its midnight and leaves a timestamp as it is,
// of which STRFTIME would keep no more than milliseconds.
func dayTextToSqliteTimestamp(x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Case{
		Whens: []sqlexpr.When{{
			Cond: newBinary(sqlexpr.OpEq, newCall(sqlexpr.FnLength, x), newIntegerConstant(int64(len(time.DateOnly)))),
			Then: newBinary(sqlexpr.OpConcat, x, newStringLiteral(midnightSuffix)),
		}},
		Else: x,
	}
}

// isSQLiteDay reports whether an expression is certainly a day, written as one.
func isSQLiteDay(x sqlexpr.Expr, w *writer) bool { return w.typeOf(x) == sqlexpr.TypeDate }

// midnightSpellings returns the two texts of a literal that is a day or its midnight, nil
// for any other expression.
func midnightSpellings(x sqlexpr.Expr) []sqlexpr.Expr {
	t, ok := x.(*sqlexpr.TypedLiteral)
	if !ok {
		return nil
	}
	day := strings.TrimSuffix(t.Value, midnightSuffix)
	switch {
	case t.Type == sqlexpr.TypeDate, t.Type == sqlexpr.TypeTimestamp && day != t.Value:
		return []sqlexpr.Expr{
			&sqlexpr.TypedLiteral{Type: sqlexpr.TypeDate, Value: day},
			&sqlexpr.TypedLiteral{Type: sqlexpr.TypeTimestamp, Value: day + midnightSuffix},
		}
	}
	return nil
}

// midnightBoundSpelling returns the spelling of a literal that is right for a lower or an upper bound.
func midnightBoundSpelling(x sqlexpr.Expr, upper bool) sqlexpr.Expr {
	both := midnightSpellings(x)
	if both == nil {
		return x
	}
	chosen := both[0]
	if upper {
		chosen = both[1]
	}
	if sqlexpr.Equal(chosen, x) {
		return x
	}
	return chosen
}

// castToDouble casts any expression except a division, whose value is always a double.
func castToDouble(x sqlexpr.Expr) sqlexpr.Expr {
	switch e := x.(type) {
	case *sqlexpr.SafeDivide:
		return x
	case *sqlexpr.Binary:
		if e.Op == sqlexpr.OpDiv {
			return x
		}
	}
	return newCast(x, sqlexpr.TypeFloat)
}
