package compare

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

// BucketMove moves the buckets of the earlier range of compare to those of the current one.
//
//	earlier  2024-01  2024-02  2024-03          2024-01-29  2024-01-30
//	            │        │        │                  │           ╳
//	current  2024-02  2024-03  2024-04          2024-02-29    (no 30 February)
//
// Both sides know the buckets that meet none: the earlier side drops them, and the current
// side has no previous value there.
type BucketMove struct {
	Count int
	unit  sqlexpr.Grain
	// MatchedPrevious is the part of the earlier range, and MatchedCurrent that of the current one,
	// whose buckets match another. A bound is set only where it takes something away.
	MatchedPrevious, MatchedCurrent timerange.Interval
	// Days of the earlier or of the current range match none where the other month has fewer days.
	DropsPreviousDays, DropsCurrentDays bool
	// hasNullBucket: codes that mean no time have a bucket too, NULL, which matches none.
	hasNullBucket bool
	typ           sqlexpr.Type // of a bucket
	zonesApart    bool         // the target takes an instant and a timestamp without a zone for different types
}

// newMoveByBucketCount moves buckets by a number of them.
func newMoveByBucketCount(c clock.Clock, current, previous timerange.Interval, grain sqlexpr.Grain, count int) BucketMove {
	m := BucketMove{Count: count, unit: grain}
	first := c.ShiftTime(c.FloorTime(current.Start.Time, grain), grain, -count)
	end := c.ShiftTime(c.CeilTime(current.End.Time, grain), grain, -count)
	if c.FloorTime(previous.Start.Time, grain).Before(first) {
		m.MatchedPrevious.Start = timerange.NewClampedBound(first)
	}
	if c.CeilTime(previous.End.Time, grain).After(end) {
		m.MatchedPrevious.End = timerange.NewClampedBound(end)
	}
	return m
}

// newMoveBetweenIntervals moves the buckets of one interval to those of another, the first to the first.
// The last ones of the longer interval meet none.
func newMoveBetweenIntervals(c clock.Clock, current, previous timerange.Interval, grain sqlexpr.Grain) BucketMove {
	first, earliest := c.FloorTime(current.Start.Time, grain), c.FloorTime(previous.Start.Time, grain)
	m := newMoveByBucketCount(c, current, previous, grain, c.CountBuckets(earliest, first, grain))
	end := c.ShiftTime(first, grain, c.CountBuckets(earliest, c.CeilTime(previous.End.Time, grain), grain))
	if previous.IsEmpty() {
		end = first // a range within a day has no day of a field of days
	}
	if c.CeilTime(current.End.Time, grain).After(end) {
		m.MatchedCurrent.End = timerange.NewClampedBound(end)
	}
	if current.IsEmpty() {
		m.MatchedPrevious.End = timerange.NewClampedBound(earliest)
	}
	return m
}

// newMoveByMonths moves days to the same day of a later month.
func newMoveByMonths(c clock.Clock, current, previous timerange.Interval, months int) BucketMove {
	m := BucketMove{
		Count: months, unit: sqlexpr.GrainMonth,
		DropsPreviousDays: c.LosesDaysWhenShifted(previous.Start.Time, previous.End.Time, months),
		DropsCurrentDays:  c.LosesDaysWhenShifted(current.Start.Time, current.End.Time, -months),
	}
	if current.Start.Day() != previous.Start.Day() {
		// The range began on a day that the earlier month does not have; that month's last
		// day meets a day before the range.
		m.MatchedPrevious.Start = timerange.BoundAt(c.ShiftTime(c.FloorTime(previous.Start.Time, sqlexpr.GrainDay), sqlexpr.GrainDay, 1))
	}
	return m
}

// ExemptLevelsWithoutBucket returns a condition on buckets that holds at the levels without them too: they
// have the whole earlier range.
func (c *Comparison) ExemptLevelsWithoutBucket(conds []sqlexpr.Expr) []sqlexpr.Expr {
	if len(c.levelsWithoutBucket) == 0 {
		return conds
	}
	level := levels.IsOneOf(&sqlexpr.Ref{ID: c.level}, c.levelsWithoutBucket)
	return []sqlexpr.Expr{&sqlexpr.Binary{Op: sqlexpr.OpOr, L: level, R: sqlexpr.And(conds...)}}
}

// MatchConditions are true of a bucket that meets another: it lies inside bounds, and, where its
// day may be lost, the same day exists so many months away.
func (m BucketMove) MatchConditions(bucket sqlexpr.Expr, bounds timerange.Interval, losesDays bool, months int) []sqlexpr.Expr {
	conds := bounds.WithinConditions(bucket, &catalog.Field{Type: m.typ})
	if losesDays {
		conds = append(conds, m.ShiftedMonthHasDayCondition(bucket, months))
	}
	if m.hasNullBucket && len(conds) == 0 {
		conds = append(conds, &sqlexpr.IsNull{Not: true, X: bucket})
	}
	return conds
}

// ShiftedMonthHasDayCondition returns the condition that the month so many months away has the day of a bucket.
func (m BucketMove) ShiftedMonthHasDayCondition(bucket sqlexpr.Expr, months int) sqlexpr.Expr {
	return &sqlexpr.Binary{Op: sqlexpr.OpEq, L: newDayOfMonthExpr(m.ShiftBucket(bucket, months)), R: newDayOfMonthExpr(bucket)}
}

// ShiftBucket returns a bucket moved by a number of units.
func (m BucketMove) ShiftBucket(bucket sqlexpr.Expr, count int) sqlexpr.Expr {
	if count == 0 {
		return bucket
	}
	op := sqlexpr.OpAdd
	if count < 0 {
		op, count = sqlexpr.OpSub, -count
	}
	moved := &sqlexpr.Binary{Op: op, L: bucket, R: &sqlexpr.Interval{Count: strconv.Itoa(count), Unit: m.unit.String()}}
	return build.CastMovedInstant(moved, m.typ, m.zonesApart)
}

func newDayOfMonthExpr(day sqlexpr.Expr) sqlexpr.Expr { return &sqlexpr.Extract{Part: "day", X: day} }
