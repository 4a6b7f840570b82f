package timerange

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
)

// YearFitsLiteral reports whether a literal can name the day.
func YearFitsLiteral(t time.Time) bool { return t.Year() >= 1 && t.Year() <= 9999 }

// NewClampedBound returns the bound at a time; the first day where that is before the year 1, and no
// bound at all where it is past the year 9999, whose last day is a day like others.
func NewClampedBound(t time.Time) RangeBound {
	switch {
	case YearFitsLiteral(t):
		return BoundAt(t)
	case t.Year() < 1:
		return BoundAt(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC))
	}
	return RangeBound{}
}

// BucketEnd returns the end of the bucket that a bound is in. The bound itself is
// as good where that end is past the year 9999: no bucket begins in between.
func BucketEnd(c clock.Clock, i RangeBound, g sqlexpr.Grain) RangeBound {
	if t := c.CeilTime(i.Time, g); YearFitsLiteral(t) {
		return BoundAt(t)
	}
	return i
}

// clampToLiteralYears returns the instant, or the first or last second that a literal can name where
// the clock of a zone shows a time of those years and UTC does not.
func clampToLiteralYears(t time.Time) time.Time {
	switch {
	case t.Year() < 1:
		return time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	case t.Year() > 9999:
		return time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)
	}
	return t
}
