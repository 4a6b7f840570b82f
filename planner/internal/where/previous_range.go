package where

import (
	"cmp"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// RequireRangeOfCompare rejects compare without a range to move.
func RequireRangeOfCompare(in *scope.Env) error {
	for i := range in.Query.Compare {
		if err := cmp.Or(checkAlignment(in.Query, i), checkComparisonName(in.Query, i)); err != nil {
			return err
		}
	}
	r := in.Keys.TimeRange
	if in.Query.Compare == nil || r != nil && (r.Last != nil || r.Start != "" && r.End != "") {
		return nil
	}
	return &planerr.Error{
		Code:           planerr.CodeTimeRangeRequired,
		Message:        "compare needs a time_range with a start and an end, or with last",
		SuggestedRetry: `add a time_range such as {"start": "2024-01-01", "end": "2025-01-01"}`,
	}
}

// checkComparisonName rejects a comparison with the name of one before it: its columns would have the names of that one.
func checkComparisonName(q *query.MetricQuery, i int) error {
	named := func(name string) func(query.Compare) bool {
		return func(c query.Compare) bool { return strings.EqualFold(c.Name, name) }
	}
	c := q.Compare[i]
	if !slices.ContainsFunc(q.Compare[:i], named(c.Name)) {
		return nil
	}
	message := "two comparisons of compare are named " + c.Name
	if c.Name == "" {
		message, c.Name = "two comparisons of compare have no name", "earlier"
	}
	c.Name = naming.Unused(c.Name, func(name string) bool { return slices.ContainsFunc(q.Compare, named(name)) })
	return &planerr.Error{Code: planerr.CodeDuplicateOutputName, Message: message, Fragment: map[string]any{"compare": q.Compare.With(i, c)}}
}

// previousRange returns the earlier range of a comparison, over the dimension of the current one.
func (d RangeTimeDimensionResolver) previousRange(current Range, comparison int) (Range, error) {
	out := Range{Tag: d.In.Query.Compare.RangeTag(comparison), OnAxis: current.OnAxis, Ref: current.Ref, OfView: current.OfView}
	var err error
	if out.Interval, err = previousRangeBounds(d.In, comparison, current.Interval); err != nil {
		return out, err
	}
	if out.OnAxis {
		return out, nil
	}
	return out, CheckTimeRangeFitsDimension(d.In, d.Names.Homes, out.Interval, out.Tag, out.Ref)
}

func previousRangeBounds(in *scope.Env, comparison int, current timerange.Interval) (timerange.Interval, error) {
	c := in.Query.Compare[comparison]
	if c.Range != nil {
		return timerange.ParseBounds("compare.range", query.TimeRange{Start: c.Range.Start, End: c.Range.End})
	}
	unit, err := scope.ParseBucketUnit(in.Cat, c.Offset.Unit, func(spelling string) map[string]any {
		return changeOffsetUnitRetry(in.Query, comparison, spelling)
	})
	if err != nil || unit.Period != nil {
		return timerange.Interval{}, err // whole periods, whose days only the warehouse has
	}
	offset, err := OffsetOfComparison(in, c, current)
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
func changeOffsetUnitRetry(q *query.MetricQuery, comparison int, unit string) map[string]any {
	changed := q.Compare[comparison]
	changed.Offset = &query.PeriodOffset{Count: changed.Offset.Count, Unit: unit}
	return map[string]any{"compare": q.Compare.With(comparison, changed)}
}

// comparisonOfTag returns the comparison whose earlier range has a tag; -1 for the tag of another range, and for a query of records.
func comparisonOfTag(q *query.MetricQuery, tag string) int {
	if q == nil {
		return -1
	}
	for i := range q.Compare {
		if q.Compare.RangeTag(i) == tag {
			return i
		}
	}
	return -1
}

// previousRangeCutsStoredPeriodError returns the error of an earlier range with a bound inside a period that
// a field stores; whole is that range in whole periods.
func previousRangeCutsStoredPeriodError(q *query.MetricQuery, comparison int, whole timerange.Interval, f *catalog.Field) error {
	e := &planerr.Error{
		Code:           planerr.CodeGrainTooFine,
		Message:        f.QualifiedName() + " stores " + f.Encoding.Text + " codes, and a bound of the earlier range of compare lies inside the period of one code",
		SuggestedRetry: "compare with a range of whole periods",
	}
	changed := q.Compare[comparison]
	if changed.Range == nil {
		e.Fragment = changeOffsetUnitRetry(q, comparison, f.StoredGrain().String())
		return e
	}
	changed.Range = &query.TimeRange{Start: whole.Start.Text(), End: whole.End.Text()}
	e.Fragment = map[string]any{"compare": q.Compare.With(comparison, changed)}
	return e
}
