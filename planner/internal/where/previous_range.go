package where

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// RequireRangeOfCompare rejects compare without a range to move.
func RequireRangeOfCompare(in *scope.Env) error {
	if err := checkAlignment(in.Query); err != nil {
		return err
	}
	c, r := in.Query.Compare, in.Query.TimeRange
	if c == nil || r != nil && (r.Last != nil || r.Start != "" && r.End != "") {
		return nil
	}
	return &planerr.Error{
		Code:           planerr.CodeTimeRangeRequired,
		Message:        "compare needs a time_range with a start and an end, or with last",
		SuggestedRetry: `add a time_range such as {"start": "2024-01-01", "end": "2025-01-01"}`,
	}
}

// previousRange returns the earlier range of compare, over the dimension of the current one.
func (s RangeTimeDimensionResolver) previousRange(current Range) (Range, error) {
	out := Range{Tag: measure.PreviousRangeTag, OnAxis: current.OnAxis, Ref: current.Ref}
	var err error
	if out.Interval, err = previousRangeBounds(s.In, current.Interval); err != nil {
		return out, err
	}
	if out.OnAxis {
		return out, nil
	}
	return out, CheckTimeRangeFitsDimension(s.In, s.Names.Homes, out.Interval, out.Tag, out.Ref)
}

func previousRangeBounds(in *scope.Env, current timerange.Interval) (timerange.Interval, error) {
	c := in.Query.Compare
	if c.Range != nil {
		return timerange.ParseBounds("compare.range", query.TimeRange{Start: c.Range.Start, End: c.Range.End})
	}
	unit, err := scope.ParseBucketUnit(in.Cat, c.Offset.Unit, func(spelling string) map[string]any {
		return changeOffsetUnitRetry(c, spelling)
	})
	if err != nil || unit.Period != nil {
		return timerange.Interval{}, err // whole periods, whose days only the warehouse has
	}
	offset, err := OffsetOfCompare(in, current)
	if err != nil {
		return timerange.Interval{}, err
	}
	if c.Align != "" {
		unit.Grain = sqlexpr.GrainWeek
	}
	moved, ok := current.MoveBack(in.Times.Clock, unit.Grain, offset.Count)
	if !ok {
		return moved, startBeforeCalendarError()
	}
	return moved, nil
}

// changeOffsetUnitRetry returns a retry that compares with an offset of the same count in another unit.
func changeOffsetUnitRetry(c *query.Compare, unit string) map[string]any {
	changed := *c
	changed.Offset = &query.PeriodOffset{Count: c.Offset.Count, Unit: unit}
	return map[string]any{"compare": &changed}
}

// previousRangeCutsStoredPeriodError returns the error of an earlier range with a bound inside a period that
// a field stores; whole is that range in whole periods.
func previousRangeCutsStoredPeriodError(q *query.MetricQuery, whole timerange.Interval, f *catalog.Field) error {
	e := &planerr.Error{
		Code:           planerr.CodeGrainTooFine,
		Message:        f.QualifiedName() + " stores " + f.Encoding.Text + " codes, and a bound of the earlier range of compare lies inside the period of one code",
		SuggestedRetry: "compare with a range of whole periods",
	}
	if q.Compare.Range == nil {
		e.Fragment = changeOffsetUnitRetry(q.Compare, f.StoredGrain().String())
		return e
	}
	changed := *q.Compare
	changed.Range = &query.TimeRange{Start: whole.Start.Text(), End: whole.End.Text()}
	e.Fragment = map[string]any{"compare": &changed}
	return e
}
