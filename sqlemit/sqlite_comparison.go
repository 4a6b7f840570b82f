package sqlemit

import (
	"slices"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// A stored time is a text in one of several forms: 2024-01-05, with a time of day after a blank or a T, with Z or an offset.
// Times are compared in one form, that of timestamps: 2024-01-05 10:00:00.25. A comparison of days alone compares days.
//
// The bounds of a range are mostly seconds without a fraction. Beside them x >= bound and x < bound need no fraction of x either,
// so DATETIME(x) suffices.
const sqliteTimestampLayout = "2006-01-02 15:04:05.999999999"

// rewriteSqliteExpr rewrites comparisons of times in that way. It also casts
// dividends to double: in SQLite each value has its own type, so an expression of doubles
// may return an integer, which would divide as an integer.
func rewriteSqliteExpr(w *writer, e sqlexpr.Expr) sqlexpr.Expr {
	if x := sqlexpr.ReplaceComparedValues(e, func(all ...sqlexpr.Expr) []sqlexpr.Expr {
		return w.sqliteComparableTimes(all, comparesWithoutFraction(e))
	}); x != nil {
		return x
	}
	switch e := e.(type) {
	case *sqlexpr.SafeDivide:
		return &sqlexpr.SafeDivide{L: castToDouble(e.L), R: e.R}
	case *sqlexpr.Binary:
		if e.Op == sqlexpr.OpDiv {
			return &sqlexpr.SafeDivide{L: castToDouble(e.L), R: e.R}
		}
	case *sqlexpr.Case:
		if times := w.sqliteComparableTimes(caseOperands(e), false); times != nil {
			return replaceCaseOperands(e, times)
		}
	case *sqlexpr.Call:
		if e.Fn == sqlexpr.FnGreatest || e.Fn == sqlexpr.FnLeast || e.Fn == sqlexpr.FnNullIf {
			if args := w.sqliteComparableTimes(e.Args, false); args != nil {
				out := *e
				out.Args = args
				return &out
			}
		}
	}
	return e
}

// comparesWithoutFraction reports whether the fraction of a second of x does not matter: x >= bound or x < bound, where the bound has none.
func comparesWithoutFraction(e sqlexpr.Expr) bool {
	b, ok := e.(*sqlexpr.Binary)
	if !ok {
		return false
	}
	bound := b.R
	switch b.Op {
	case sqlexpr.OpGe, sqlexpr.OpLt:
	case sqlexpr.OpLe, sqlexpr.OpGt:
		bound = b.L
	default:
		return false
	}
	literal, ok := bound.(*sqlexpr.TypedLiteral)
	t, isTime := timeOfLiteral(literal)
	return ok && isTime && t.Nanosecond() == 0
}

// sqliteComparableTimes returns values that are compared with each other in one form; nil if none of them is a time, or all
// are days.
func (w *writer) sqliteComparableTimes(all []sqlexpr.Expr, whole bool) []sqlexpr.Expr {
	isTime := func(x sqlexpr.Expr) bool { return isDeclaredTime(x) || w.typeOf(x).IsDateOrTimestamp() }
	isDayOrNull := func(x sqlexpr.Expr) bool {
		_, null := x.(*sqlexpr.Null)
		if d, ok := x.(*sqlexpr.DeclaredTypeExpr); ok && d.Type == sqlexpr.TypeDate {
			return true // a Date is read as a day
		}
		return null || w.typeOf(x) == sqlexpr.TypeDate
	}
	if !slices.ContainsFunc(all, isTime) || !slices.ContainsFunc(all, func(x sqlexpr.Expr) bool { return !isDayOrNull(x) }) {
		return nil
	}
	return w.sqliteTimestamps(all, whole)
}

func (w *writer) sqliteTimestamps(all []sqlexpr.Expr, whole bool) []sqlexpr.Expr {
	out := make([]sqlexpr.Expr, len(all))
	for i, x := range all {
		out[i] = w.sqliteTimestamp(x, whole)
	}
	return out
}

// sqliteTimestamp returns a time as a timestamp; whole leaves out the fraction of its second.
func (w *writer) sqliteTimestamp(x sqlexpr.Expr, whole bool) sqlexpr.Expr {
	switch e := x.(type) {
	case *sqlexpr.Null:
		return x
	case *sqlexpr.DeclaredTypeExpr:
		return w.sqliteTimestamp(e.X, whole)
	case *sqlexpr.TypedLiteral:
		if t, ok := timeOfLiteral(e); ok {
			return &sqlexpr.TypedLiteral{Type: sqlexpr.TypeTimestamp, Value: t.Format(sqliteTimestampLayout)}
		}
	case *sqlexpr.Cast:
		if e.To.Type == sqlexpr.TypeTimestamp || e.To.Type == sqlexpr.TypeTimestampTZ {
			return x
		}
	case *sqlexpr.Case:
		return replaceCaseResults(e, w.sqliteTimestamps(sqlexpr.CaseResults(e), whole))
	case *sqlexpr.Call:
		if e.Fn == sqlexpr.FnCoalesce || e.Fn == sqlexpr.FnGreatest || e.Fn == sqlexpr.FnLeast {
			return newCall(e.Fn, w.sqliteTimestamps(e.Args, whole)...)
		}
	}
	switch {
	case w.typeOf(x) == sqlexpr.TypeDate:
		return newBinary(sqlexpr.OpConcat, x, newStringLiteral(midnightSuffix))
	case whole:
		return newCall(sqlexpr.FnDateTrunc, newStringLiteral("second"), x)
	}
	return newCast(x, sqlexpr.TypeTimestamp)
}

// timeOfLiteral returns the time of a literal that is a date or a timestamp, in UTC.
func timeOfLiteral(l *sqlexpr.TypedLiteral) (t time.Time, ok bool) {
	if l == nil {
		return t, false
	}
	layout := map[sqlexpr.Type]string{
		sqlexpr.TypeDate: time.DateOnly, sqlexpr.TypeTimestamp: sqliteTimestampLayout, sqlexpr.TypeTimestampTZ: sqliteTimestampLayout + "Z07:00",
	}[l.Type]
	t, err := time.Parse(layout, l.Value)
	return t.UTC(), layout != "" && err == nil
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
