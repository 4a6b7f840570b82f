package timerange

import (
	"strconv"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
)

// ResolveNow replaces CURRENT_DATE and CURRENT_TIMESTAMP by the time that relative ranges count from, in UTC.
func (t TimeContext) ResolveNow(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		c, ok := x.(*sqlexpr.Call)
		if !ok {
			return nil
		}
		switch now := t.Now(); c.Fn {
		case sqlexpr.FnCurrentDate:
			return &sqlexpr.TypedLiteral{Position: c.Position, Type: sqlexpr.TypeDate, Value: now.Format(time.DateOnly)}
		case sqlexpr.FnCurrentTimestamp:
			return &sqlexpr.TypedLiteral{Position: c.Position, Type: sqlexpr.TypeTimestampTZ, Value: now.Format("2006-01-02 15:04:05+00:00")}
		}
		return nil
	})
}

// ReadsNow reports whether an expression depends on the time at which it is computed.
func ReadsNow(e sqlexpr.Expr) bool {
	return sqlexpr.HasNode(e, func(c *sqlexpr.Call) bool {
		return c.Fn == sqlexpr.FnCurrentDate || c.Fn == sqlexpr.FnCurrentTimestamp
	})
}

// FoldTime returns the time, on the clock of UTC, of an expression of constants: a literal, CURRENT_DATE, DATE_TRUNC or a cast of a
// time, or a time with an interval or, to a date, days added.
func (t TimeContext) FoldTime(e sqlexpr.Expr) (time.Time, bool) {
	switch e := e.(type) {
	case *sqlexpr.TypedLiteral, *sqlexpr.String:
		return sqlexpr.TimeOfConstant(e)
	case *sqlexpr.DeclaredTypeExpr:
		return t.FoldTime(e.X)
	case *sqlexpr.Cast:
		return t.foldCast(e)
	case *sqlexpr.Binary:
		at, isTime := t.FoldTime(e.L)
		unit, count, isCount := countedUnits(e.R)
		if e.Op == sqlexpr.OpAdd && !isCount {
			at, isTime = t.FoldTime(e.R)
			unit, count, isCount = countedUnits(e.L)
		}
		if !isTime || !isCount || e.Op != sqlexpr.OpAdd && e.Op != sqlexpr.OpSub {
			return at, false
		}
		return addUnits(at, unit, count, e.Op == sqlexpr.OpSub)
	case *sqlexpr.Call:
		return t.foldCall(e)
	}
	return time.Time{}, false
}

// countedUnits returns the units that an interval counts, or the days of a number beside a date.
func countedUnits(e sqlexpr.Expr) (unit, count string, ok bool) {
	if interval, ok := e.(*sqlexpr.Interval); ok {
		return interval.Unit, interval.Count, true
	}
	days, ok := foldInteger(e)
	return sqlexpr.GrainDay.String(), strconv.Itoa(days), ok
}

func (t TimeContext) foldCast(e *sqlexpr.Cast) (time.Time, bool) {
	at, ok := t.FoldTime(e.X)
	if e.To.Type == sqlexpr.TypeDate {
		at = at.Truncate(24 * time.Hour)
	}
	return at, ok && e.To.Type.IsDateOrTimestamp()
}

func (t TimeContext) foldCall(e *sqlexpr.Call) (time.Time, bool) {
	switch e.Fn {
	case sqlexpr.FnCurrentDate:
		return t.Now().Truncate(24 * time.Hour), true
	case sqlexpr.FnCurrentTimestamp:
		return t.Now(), true
	case sqlexpr.FnDateTrunc:
		unit, known := TruncatedUnit(e)
		if !known {
			return time.Time{}, false
		}
		at, ok := t.FoldTime(e.Args[1])
		return clock.Clock{}.FloorTime(at, unit), ok
	case sqlexpr.FnDateAdd:
		unit, isText := e.Args[0].(*sqlexpr.String)
		count, isInteger := foldInteger(e.Args[1])
		at, isTime := t.FoldTime(e.Args[2])
		if !isText || !isInteger || !isTime {
			return at, false
		}
		return addUnits(at, unit.Value, strconv.Itoa(count), false)
	}
	return time.Time{}, false
}

// FoldYear returns the year that an expression of constants is a number of.
func (t TimeContext) FoldYear(e sqlexpr.Expr) (int, bool) {
	if x, ok := YearOperand(e); ok {
		at, ok := t.FoldTime(x)
		return at.Year(), ok
	}
	if b, ok := e.(*sqlexpr.Binary); ok && (b.Op == sqlexpr.OpAdd || b.Op == sqlexpr.OpSub) {
		year, isYear := t.FoldYear(b.L)
		by, isInteger := foldInteger(b.R)
		if b.Op == sqlexpr.OpSub {
			by = -by
		}
		return year + by, isYear && isInteger
	}
	return foldInteger(e)
}

func foldInteger(e sqlexpr.Expr) (int, bool) {
	switch e := e.(type) {
	case *sqlexpr.Unary:
		n, ok := foldInteger(e.X)
		if e.Op == sqlexpr.OpNeg {
			n = -n
		}
		return n, ok && e.Op != sqlexpr.OpNot
	case *sqlexpr.Number:
		n, err := strconv.Atoi(e.Text)
		return n, err == nil
	}
	return 0, false
}

// addUnits moves a time by a number of units of the calendar. ok is false where a literal cannot name the result.
func addUnits(t time.Time, unit, count string, back bool) (moved time.Time, ok bool) {
	grain, known := sqlexpr.ParseGrain(unit)
	n, err := strconv.ParseInt(count, 10, 64)
	if !known || err != nil || max(n, -n) > MaxUnitsToMove(grain) {
		return t, false
	}
	if !back {
		n = -n
	}
	moved = clock.Clock{}.TimePeriodsBefore(t, grain, int(n))
	return moved, YearFitsLiteral(moved)
}

// TruncatedUnit returns the unit of a call of DATE_TRUNC.
func TruncatedUnit(c *sqlexpr.Call) (sqlexpr.Grain, bool) {
	if c.Fn != sqlexpr.FnDateTrunc || len(c.Args) != 2 {
		return sqlexpr.GrainNone, false
	}
	text, ok := c.Args[0].(*sqlexpr.String)
	if !ok {
		return sqlexpr.GrainNone, false
	}
	return sqlexpr.ParseGrain(text.Value)
}

// YearOperand returns the time of which an expression is the year.
func YearOperand(e sqlexpr.Expr) (sqlexpr.Expr, bool) {
	switch e := e.(type) {
	case *sqlexpr.Extract:
		return e.X, e.Part == "year"
	case *sqlexpr.Call:
		if e.Fn == sqlexpr.FnYear && len(e.Args) == 1 {
			return e.Args[0], true
		}
	}
	return nil, false
}
