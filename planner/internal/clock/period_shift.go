package clock

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// TimePeriodsBefore returns the time n periods of the grain before t. A day that the earlier month does not
// have becomes its last day.
func (c Clock) TimePeriodsBefore(t time.Time, g sqlexpr.Grain, n int) time.Time {
	months := n * g.Months()
	if months == 0 {
		return c.ShiftTime(t, g, -n)
	}
	return sqlexpr.AddMonths(t, -months)
}

// daysInMonth returns the number of days of the month that t is in.
func daysInMonth(t time.Time) int {
	return time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// CountBuckets returns the number of buckets from one start of a bucket to another, which is negative
// where the other is earlier.
func (c Clock) CountBuckets(from, to time.Time, g sqlexpr.Grain) int {
	if months := g.Months(); months > 0 {
		return (12*(to.Year()-from.Year()) + int(to.Month()) - int(from.Month())) / months
	}
	const day = 24 * 60 * 60
	length := int64(day)
	switch {
	case g == sqlexpr.GrainWeek:
		length = 7 * day
	case g.Seconds() > 0:
		length = int64(g.Seconds())
	}
	return int((to.Unix() - from.Unix()) / length)
}

// LosesDaysWhenShifted reports whether a month between start and end has more days than the month n
// months later; n is negative for earlier ones.
func (c Clock) LosesDaysWhenShifted(start, end time.Time, n int) bool {
	for month := c.FloorTime(start, sqlexpr.GrainMonth); month.Before(end); month = month.AddDate(0, 1, 0) {
		if daysInMonth(month) > daysInMonth(month.AddDate(0, n, 0)) {
			return true
		}
	}
	return false
}
