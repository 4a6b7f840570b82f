package resolve

import (
	"strconv"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// foldOnSessionClock returns a constant to which an expression adds an interval or days, or that it truncates, as a literal: months and
// days are those of the session's clock, as in PostgreSQL. Any other expression is returned as it is.
func (s *Statement) foldOnSessionClock(e sqlexpr.Expr) sqlexpr.Expr {
	if !s.HasZone() {
		return e
	}
	var literal *sqlexpr.TypedLiteral
	var change func(at time.Time) (time.Time, bool)
	t := sqlexpr.TypeTimestamp // of a date to which an interval is added
	switch e := e.(type) {
	case *sqlexpr.Binary:
		constant, by := e.L, e.R
		if _, isTime := by.(*sqlexpr.TypedLiteral); isTime && e.Op == sqlexpr.OpAdd {
			constant, by = by, constant
		}
		literal, _ = constant.(*sqlexpr.TypedLiteral)
		unit, count, ok := unitsOf(by)
		if literal == nil || !ok || e.Op != sqlexpr.OpAdd && e.Op != sqlexpr.OpSub {
			return e
		}
		if _, isNumber := by.(*sqlexpr.Number); isNumber {
			if t = sqlexpr.TypeDate; literal.Type != t {
				return e
			}
		}
		if e.Op == sqlexpr.OpSub {
			count = -count
		}
		change = func(at time.Time) (time.Time, bool) { return addUnits(at, unit, count), true }
	case *sqlexpr.Call:
		if e.Fn != sqlexpr.FnDateTrunc || len(e.Args) != 2 {
			return e
		}
		part, isText := e.Args[0].(*sqlexpr.String)
		literal, _ = e.Args[1].(*sqlexpr.TypedLiteral)
		if !isText || literal == nil {
			return e
		}
		grain, _ := sqlexpr.ParseGrain(part.Value)
		change = func(at time.Time) (time.Time, bool) { return truncate(at, grain) }
	default:
		return e
	}
	at, _, ok := parseInstant(literal.Value, false)
	if !ok || !literal.Type.IsDateOrTimestamp() {
		return e
	}
	if literal.Type != sqlexpr.TypeTimestampTZ {
		moved, ok := change(at)
		if !ok || moved.Year() < 1 || moved.Year() > 9999 {
			return e
		}
		return newTimeLiteral(e, t, moved)
	}
	shown := s.Zone.LocalTimeOfInstant(at)
	moved, ok := change(shown)
	if !ok || moved.Year() < 1 || moved.Year() > 9999 {
		return e
	}
	if isElapsed(e) {
		return newTimeLiteral(e, sqlexpr.TypeTimestampTZ, moved.Add(at.Sub(shown)))
	}
	return newTimeLiteral(e, sqlexpr.TypeTimestampTZ, instantOfTimestamp(s.Zone, moved))
}

// isElapsed reports whether an expression adds units that clocks do not move, or truncates to them.
func isElapsed(e sqlexpr.Expr) bool {
	if b, ok := e.(*sqlexpr.Binary); ok {
		unit, _, _ := unitsOf(b.R)
		if unit == sqlexpr.GrainNone {
			unit, _, _ = unitsOf(b.L)
		}
		return unit.IsWithinDay()
	}
	part, _ := e.(*sqlexpr.Call).Args[0].(*sqlexpr.String)
	grain, _ := sqlexpr.ParseGrain(part.Value)
	return grain.IsWithinDay()
}

// unitsOf returns the units that an interval counts, or the days of a number.
func unitsOf(e sqlexpr.Expr) (unit sqlexpr.Grain, count int, ok bool) {
	text := ""
	switch e := e.(type) {
	case *sqlexpr.Interval:
		unit, _ = sqlexpr.ParseGrain(e.Unit)
		text = e.Count
	case *sqlexpr.Number:
		unit, text = sqlexpr.GrainDay, e.Text
	}
	count, err := strconv.Atoi(text)
	const most = 1_000_000_000 // seconds
	return unit, count, unit != sqlexpr.GrainNone && err == nil && -most <= count && count <= most
}

func addUnits(at time.Time, unit sqlexpr.Grain, count int) time.Time {
	const daysOfWeek = 7
	switch months := unit.Months(); {
	case months > 0:
		return sqlexpr.AddMonths(at, months*count)
	case unit == sqlexpr.GrainWeek:
		return at.AddDate(0, 0, daysOfWeek*count)
	case unit == sqlexpr.GrainDay:
		return at.AddDate(0, 0, count)
	}
	return time.Unix(at.Unix()+int64(unit.Seconds())*int64(count), int64(at.Nanosecond())).UTC() // a Duration spans less than the calendar
}

// truncate returns the start of the unit that holds a time. Weeks begin on Monday.
func truncate(at time.Time, unit sqlexpr.Grain) (time.Time, bool) {
	day := at.Truncate(24 * time.Hour)
	switch months := unit.Months(); {
	case months > 0:
		return time.Date(at.Year(), time.Month((int(at.Month())-1)/months*months+1), 1, 0, 0, 0, 0, time.UTC), true
	case unit == sqlexpr.GrainWeek:
		return day.AddDate(0, 0, -(int(at.Weekday())+6)%7), true
	case unit == sqlexpr.GrainDay:
		return day, true
	case unit.IsWithinDay():
		return day.Add(at.Sub(day).Truncate(time.Duration(unit.Seconds()) * time.Second)), true
	}
	return at, false
}
