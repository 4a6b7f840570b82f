package where

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

// BucketsInRange returns the conditions that buckets of an axis by a plain grain, in a column, meet a range.
func (r Range) BucketsInRange(in *scope.Env, grain sqlexpr.Grain, axis *catalog.Field, column sqlexpr.Expr) []sqlexpr.Expr {
	c := in.Times.Clock.ForField(axis)
	stored := func(start time.Time) time.Time {
		if grain.IsWithinDay() {
			return start
		}
		return c.LocalTimeOfInstant(start) // the columns of days are those of the clock
	}
	asked := r.Interval.OnClock(c)
	var shown timerange.Interval
	if asked.Start.IsSet() {
		shown.Start = timerange.BoundAt(stored(c.FloorTime(asked.Start.Time, grain)))
	}
	if asked.End.IsSet() {
		shown.End = timerange.BucketEnd(c, asked.End, grain)
		shown.End.Time = stored(shown.End.Time)
	}
	return shown.WithinConditions(column, &catalog.Field{Type: axis.BucketType(grain)})
}
