package compare

import (
	"cmp"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// WholeDayInterval returns the days that a clock shows during an interval.
func WholeDayInterval(i timerange.Interval, c clock.Clock) timerange.Interval {
	i = i.OnClock(c)
	var out timerange.Interval
	if i.Start.IsSet() {
		out.Start = timerange.BoundAt(c.LocalTimeOfInstant(c.FloorTime(i.Start.Time, sqlexpr.GrainDay)))
	}
	if i.End.IsSet() {
		out.End = timerange.BucketEnd(c, i.End, sqlexpr.GrainDay)
		out.End.Time = c.LocalTimeOfInstant(out.End.Time)
	}
	return out
}

// PeriodMoves moves the earlier buckets of compare to the current ones by a table, because only the warehouse
// has the days of periods:
//
//	earlier branch ─► day ─► first day of its period ─► moves ─► current bucket
type PeriodMoves struct {
	moves plan.Node // of PeriodPlanner.PlanBucketMoveTable
	Whole bool      // earlier periods are read whole, outside of the range too
}

// checkOffsetUnit rejects an offset by a period of a calendar that no group has, and a unit that does not count the
// buckets of the group.
func (r comparisonResolver) checkOffsetUnit(group int) error {
	unit := r.offsetUnit()
	if group < 0 && unit.Period != nil {
		return r.periodNotGroupedError(unit)
	}
	if group >= 0 && r.asked.Align != "" {
		return r.checkAlignedGrain(group)
	}
	if unit.IsZero() || group < 0 || r.groups[group].CanCountBucketsIn(unit) {
		return nil
	}
	return r.partialOffsetError(group, unit)
}

// periodNotGroupedError returns the error of an offset by a period in a query that does not group the range's field.
func (r comparisonResolver) periodNotGroupedError(unit catalog.GrainOrPeriod) error {
	field := scope.MetricTime
	if !r.current.OnAxis {
		field = r.current.Ref.Text()
	}
	items := append(slices.Clone(r.in.Query.GroupBy), query.GroupBy{Field: field, Grain: unit.String()})
	return &planerr.Error{
		Code:     planerr.CodeNotImplemented,
		Message:  "compare.offset counts the periods " + unit.String() + " of a calendar, so the query must group the field of its range by a period of that calendar",
		Fragment: map[string]any{"group_by": items},
	}
}

// needsCalendarPeriods reports whether only the warehouse has the buckets of a group that meet.
func (r comparisonResolver) needsCalendarPeriods(group int) bool {
	return r.groups[group].Period != nil || r.offsetUnit().Period != nil
}

func (r comparisonResolver) planCalendarPeriodMoveTable(group int) (*PeriodMoves, error) {
	unit, c := r.offsetUnit().Period, measure.ClockOfGroupBuckets(r.in, r.groups[group], r.measureRefs)
	period := r.groups[group].Period
	m := periods.EarlierToCurrentBucketMapping{
		Bucketing: periods.Bucketing{Calendar: cmp.Or(period, unit).Calendar, Period: period}, Unit: unit,
		Current: WholeDayInterval(r.current.Interval, c), Previous: WholeDayInterval(r.previous.Interval, c),
	}
	if offset := r.asked.Offset; offset != nil {
		m.Count = offset.Count
	}
	moves, err := r.in.NewPeriodPlanner().PlanBucketMoveTable(m)
	return &PeriodMoves{moves, unit != nil}, err
}

// NewPeriodMovesTable returns the table of the moves, which is one for the statement.
func (p *PeriodMoves) NewPeriodMovesTable(alias string) *plan.Derived {
	return &plan.Derived{Input: p.moves, Alias: alias, Why: "compare", Shared: true}
}
