package reference

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// bucketStart returns the first day of the calendar bucket that a timestamp falls into.
func bucketStart(g sqlexpr.Grain, d Date) Date {
	t := d.toTime()
	y, m, _ := t.Date()
	switch g {
	case sqlexpr.GrainWeek:
		return d - Date((int(t.Weekday())+6)%7)
	case sqlexpr.GrainMonth:
		return dateOfTime(time.Date(y, m, 1, 0, 0, 0, 0, time.UTC))
	case sqlexpr.GrainQuarter:
		return dateOfTime(time.Date(y, m-(m-1)%3, 1, 0, 0, 0, 0, time.UTC))
	case sqlexpr.GrainYear:
		return dateOfTime(time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC))
	}
	return d
}

// addBuckets returns the first day of the bucket n buckets after the one that d begins.
func addBuckets(g sqlexpr.Grain, d Date, n int) Date {
	switch g {
	case sqlexpr.GrainDay:
		return d + Date(n)
	case sqlexpr.GrainWeek:
		return d + Date(7*n)
	}
	y, m, day := d.toTime().Date()
	return dateOfTime(time.Date(y, m+time.Month(n*monthsOfGrain(g)), day, 0, 0, 0, 0, time.UTC))
}

// monthsOfGrain returns the length of a grain in months, 0 for days and weeks.
func monthsOfGrain(g sqlexpr.Grain) int {
	switch g {
	case sqlexpr.GrainMonth:
		return 1
	case sqlexpr.GrainQuarter:
		return 3
	case sqlexpr.GrainYear:
		return 12
	}
	return 0
}

// daysPerGrain returns the length of a grain in days, 0 where that varies.
func daysPerGrain(g sqlexpr.Grain) int {
	switch g {
	case sqlexpr.GrainDay:
		return 1
	case sqlexpr.GrainWeek:
		return 7
	}
	return 0
}

// shiftDate moves a day by n granularities on the calendar; ok is false when there
// is not such a day in the resulting month.
func shiftDate(d Date, g sqlexpr.Grain, n int) (Date, bool) {
	if length := daysPerGrain(g); length > 0 {
		return d + Date(n*length), true
	}
	y, m, day := d.toTime().Date()
	t := time.Date(y, m+time.Month(n*monthsOfGrain(g)), day, 0, 0, 0, 0, time.UTC)
	return dateOfTime(t), t.Day() == day
}

// isWholeNumberOfBuckets reports whether n granularities are an integral count of buckets of
// the queried grain, wherever on the calendar they begin.
func isWholeNumberOfBuckets(queried, g sqlexpr.Grain, n int) bool {
	switch {
	case secondsOfGrain(queried) > 0 && monthsOfGrain(g) > 0, secondsOfGrain(queried) == 0 && secondsOfGrain(g) > 0:
		abstain("an offset of a %s over buckets of a %s", g, queried)
	case secondsOfGrain(queried) > 0:
		return n*(secondsOfGrain(g)+86400*daysPerGrain(g))%secondsOfGrain(queried) == 0
	case queried == sqlexpr.GrainDay:
		return true
	case queried == sqlexpr.GrainWeek:
		return daysPerGrain(g) > 0 && n*daysPerGrain(g)%7 == 0
	}
	return monthsOfGrain(g) > 0 && n*monthsOfGrain(g)%monthsOfGrain(queried) == 0
}

// firstDayOfMonth returns the first day of a month, which may lie outside of 1 to 12.
func firstDayOfMonth(year, month int) time.Time {
	return time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)
}

// secondsOfGrain returns the length of a grain that is finer than a day, 0 for others.
func secondsOfGrain(g sqlexpr.Grain) int {
	return map[string]int{"second": 1, "minute": 60, "hour": 3600}[g.String()]
}
