package timerange

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Floor is the first instant of the bucket that t is in.
func Floor(t time.Time, g sqlexpr.Grain) time.Time {
	y, m, d := t.Date()
	switch g {
	case sqlexpr.GrainWeek:
		d -= (int(t.Weekday()) + 6) % 7
	case sqlexpr.GrainMonth:
		d = 1
	case sqlexpr.GrainQuarter:
		m, d = m-(m-1)%3, 1
	case sqlexpr.GrainYear:
		m, d = 1, 1
	}
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// Ceil is the first instant at or after t that starts a bucket.
func Ceil(t time.Time, g sqlexpr.Grain) time.Time {
	if f := Floor(t, g); !f.Equal(t) {
		return Shift(f, g, 1)
	}
	return t
}

// Shift moves the start of a bucket by n buckets.
func Shift(t time.Time, g sqlexpr.Grain, n int) time.Time {
	switch g {
	case sqlexpr.GrainWeek:
		return t.AddDate(0, 0, 7*n)
	case sqlexpr.GrainMonth:
		return t.AddDate(0, n, 0)
	case sqlexpr.GrainQuarter:
		return t.AddDate(0, 3*n, 0)
	case sqlexpr.GrainYear:
		return t.AddDate(n, 0, 0)
	default:
		return t.AddDate(0, 0, n)
	}
}

// InCalendar reports whether a literal can name the day.
func InCalendar(t time.Time) bool { return t.Year() >= 1 && t.Year() <= 9999 }

// BoundAt is the bound at a time; the first day where that is before the year 1, and no
// bound at all where it is past the year 9999, whose last day is a day like others.
func BoundAt(t time.Time) Instant {
	switch {
	case InCalendar(t):
		return At(t)
	case t.Year() < 1:
		return At(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC))
	}
	return Instant{}
}

// BucketEnd is the end of the bucket that a bound is in. The bound itself is
// as good where that end is past the year 9999: no bucket begins in between.
func BucketEnd(i Instant, g sqlexpr.Grain) Instant {
	if t := Ceil(i.Time, g); InCalendar(t) {
		return At(t)
	}
	return i
}
