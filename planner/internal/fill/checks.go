package fill

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// grainedGroupCountError returns the error of a query that has not exactly one group with a grain. Its retry keeps the
// finest of several, and gives a grain to the only time field without one.
func (r gapFillResolver) grainedGroupCountError(grained []int) error {
	e := &planerr.Error{
		Code:           planerr.CodeTimeGrainRequired,
		Message:        "fill needs exactly one group-by with a grain, and the query has " + strconv.Itoa(len(grained)),
		SuggestedRetry: "group by a time field with a grain",
	}
	items := r.in.Query.GroupBy
	if len(grained) > 1 {
		kept := grained[0]
		for _, i := range grained {
			if r.groups[i].HasFinerBuckets(r.groups[kept]) {
				kept = i
			}
		}
		var rest []query.GroupBy
		for i, item := range items {
			if g := r.groupOfItem(i); !g.HasBuckets() || g.Index == r.groups[kept].Index {
				rest = append(rest, item)
			}
		}
		e.Fragment = map[string]any{"group_by": rest}
		return e
	}
	var times []scope.Group
	for _, g := range r.groups {
		if g.Part == sqlexpr.PartNone && (g.OnAxis || g.IsFieldNotExpression() && g.Ref.Field.AllowsTimeGrains()) {
			times = append(times, g)
		}
	}
	if len(times) == 1 {
		grain := sqlexpr.GrainDay
		if g := times[0]; g.IsFieldNotExpression() {
			grain = max(grain, g.Ref.Field.StoredGrain())
		}
		e.Fragment = map[string]any{"group_by": retry.ReplaceGrain(items, times[0], grain)}
	}
	return e
}

// splitBucketsError returns the error of a grain that splits the buckets.
func (r gapFillResolver) splitBucketsError(coarser, finest scope.Group) error {
	return &planerr.Error{
		Code:     planerr.CodeNotImplemented,
		Message:  "fill needs one calendar grain, and " + coarser.Name + " splits the buckets of " + finest.Name,
		Fragment: retry.RemoveGroup(r.in.Query, r.groups, coarser),
	}
}

// groupOfItem returns the group that an item of group_by makes.
func (r gapFillResolver) groupOfItem(item int) scope.Group {
	for _, g := range r.groups {
		if g.Index == item && !g.IsRemainder {
			return g
		}
	}
	return scope.Group{}
}

// unboundedBucketsError returns the error of a query whose range does not bound the buckets.
func (r gapFillResolver) unboundedBucketsError(g scope.Group) error {
	return &planerr.Error{
		Code:           planerr.CodeTimeRangeRequired,
		Message:        "fill needs a time_range with start and end over the field of " + g.Name,
		SuggestedRetry: "give time_range a start and an end, with the dimension " + g.Item.Field,
	}
}

// checkTopMergesNoPeriods rejects a top that merges the periods that are filled.
func (r gapFillResolver) checkTopMergesNoPeriods(g scope.Group) error {
	top := r.in.Query.Top
	if top == nil || top.Dimension != g.Name {
		return nil
	}
	return &planerr.Error{
		Code:     planerr.CodeNotImplemented,
		Message:  "top merges periods of " + g.Name + ", and fill needs a row for each of them",
		Fragment: map[string]any{"top": nil},
	}
}

// countBuckets counts the buckets that meet a range, and rejects too many.
func (r gapFillResolver) countBuckets(f *Fill, c clock.Clock, asked timerange.Interval) (int64, error) {
	g, most := r.groups[f.BucketGroup], int64(maxFilledBuckets)
	if f.HasOtherGroups(r.groups) && r.in.Query.Limit == nil {
		most = maxFilledBucketsIfOtherGroups
	}
	count := func(grain sqlexpr.Grain) int64 {
		return int64(c.CountBuckets(c.FloorTime(asked.Start.Time, grain), c.CeilTime(asked.End.Time, grain), grain))
	}
	n := count(g.Grain)
	if n <= most {
		return n, nil
	}
	e := &planerr.Error{
		Code: planerr.CodeFillTooLarge,
		Message: "fill makes " + strconv.FormatInt(n, 10) + " buckets of " + g.Name + ", and a query may have " + strconv.FormatInt(most, 10) +
			": take a coarser grain or a shorter range",
		SuggestedRetry: "take a shorter range",
	}
	if most < maxFilledBuckets {
		e.Message += ", or give a limit"
	}
	for grain := max(g.Grain+1, r.finestStoredGrain(g)); grain <= sqlexpr.GrainYear; grain++ {
		if count(grain) <= most {
			e.Fragment = map[string]any{"group_by": retry.ReplaceGrain(r.in.Query.GroupBy, g, grain)}
			break
		}
	}
	return 0, e
}

// checkDayCount rejects too many days of a range whose buckets only the warehouse can count.
func (r gapFillResolver) checkDayCount(group int, asked timerange.Interval) error {
	first, end := clock.Clock{}.FloorTime(asked.Start.Time, sqlexpr.GrainDay), clock.Clock{}.CeilTime(asked.End.Time, sqlexpr.GrainDay)
	days := int64(clock.Clock{}.CountBuckets(first, end, sqlexpr.GrainDay))
	if days <= maxFilledBuckets {
		return nil
	}
	g := r.groups[group]
	e := &planerr.Error{
		Code: planerr.CodeFillTooLarge,
		Message: "fill makes periods of " + g.Name + " in " + strconv.FormatInt(days, 10) + " days, and a query may have " +
			strconv.FormatInt(maxFilledBuckets, 10) + ": take a shorter range",
		SuggestedRetry: "take a shorter range",
	}
	if days/365 <= maxFilledBucketsIfOtherGroups {
		e.Fragment = map[string]any{"group_by": retry.ReplaceGrain(r.in.Query.GroupBy, g, sqlexpr.GrainYear)}
	}
	return e
}

// finestStoredGrain returns the finest grain that a group's fields take.
func (r gapFillResolver) finestStoredGrain(g scope.Group) sqlexpr.Grain {
	if g.IsFieldNotExpression() {
		return g.Ref.Field.StoredGrain()
	}
	grain := sqlexpr.GrainNone
	for _, u := range r.measureRefs {
		if u.Axis != nil {
			grain = max(grain, u.Axis.StoredGrain())
		}
	}
	return grain
}

// checkFillValueTypes rejects a value for a column that is not a number.
func checkFillValueTypes(cols measure.Expansion) error {
	for _, c := range cols.Columns {
		if c.Kind == "" && !c.ReadsWindow(cols.MeasureRefs) && c.Typ != sqlexpr.TypeUnknown && !c.Typ.IsNumeric() {
			return &planerr.Error{
				Code:     planerr.CodeBadRequest,
				Message:  "fill.value is a number, and " + c.Name + " is of type " + c.Typ.String(),
				Metrics:  []string{c.Metric.Name},
				Fragment: map[string]any{"fill": &query.Fill{}},
			}
		}
	}
	return nil
}
