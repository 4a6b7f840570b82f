package timerange

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
)

// MaxUnitsToMove returns more units of a grain than the calendar of literals has.
func MaxUnitsToMove(g sqlexpr.Grain) int64 {
	const days = 366 * 9999
	if seconds := g.Seconds(); seconds > 0 {
		return days * 24 * 60 * 60 / int64(seconds)
	}
	return days
}

// MoveBack returns the interval n periods of a grain earlier. Both bounds are set. ok is false
// where the start would be before the year 1.
func (i Interval) MoveBack(c clock.Clock, g sqlexpr.Grain, n int64) (moved Interval, ok bool) {
	if n > MaxUnitsToMove(g) {
		return Interval{}, false
	}
	moved = Interval{i.Start.MoveBack(c, g, int(n)), i.End.MoveBack(c, g, int(n))}
	return moved, YearFitsLiteral(moved.Start.Time)
}

// MoveBack moves what the clock shows. For fields with the clock's zone, units within a day
// are elapsed time.
func (b RangeBound) MoveBack(c clock.Clock, g sqlexpr.Grain, n int) RangeBound {
	out := boundWithClockFlag(c.WithoutZone().TimePeriodsBefore(b.Time, g, n))
	out.set, out.clock = b.set, out.clock || b.clock
	switch {
	case g.IsWithinDay():
		out.exact = c.TimePeriodsBefore(b.OnClock(c).Time, g, n)
	case !b.exact.IsZero():
		out.exact = c.InstantOfLocalTime(c.WithoutZone().TimePeriodsBefore(c.LocalTimeOfInstant(b.exact), g, n))
	}
	return out
}

// SpanStart returns the time at which a span begins that ends with the bound; open where it is before the calendar of literals.
func (b RangeBound) SpanStart(c clock.Clock, g sqlexpr.Grain, n int) RangeBound {
	if start := b.MoveBack(c, g, n).OnClock(c); YearFitsLiteral(start.Time) {
		return start
	}
	return RangeBound{}
}
