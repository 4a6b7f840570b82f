package compare

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// comparisonResolver finds out how the ranges of compare meet.
type comparisonResolver struct {
	in                *scope.Env
	groups            []scope.Group
	measureRefs       []*measure.Ref
	current, previous where.Range
	comparison        int // of the query
	asked             query.Compare
}

// findBucketGroup finds the group that carries the range's field; -1 where none does.
func (r comparisonResolver) findBucketGroup() (int, error) {
	var carriers []int
	reader := where.RangeFieldGroupFinder{In: r.in, MeasureRefs: r.measureRefs, Asked: r.current, Key: "compare"}
	for i, g := range r.groups {
		if g.IsRemainder {
			continue
		}
		reads, err := reader.ReadsRangeField(g)
		if err != nil {
			return -1, err
		}
		if reads {
			carriers = append(carriers, i)
		}
	}
	finest := -1
	for _, i := range carriers {
		if !r.groups[i].HasStoredValue() && (finest < 0 || r.groups[i].HasFinerBuckets(r.groups[finest])) {
			finest = i
		}
	}
	if finest >= 0 {
		buckets := measure.BucketsOfGroup(r.in, r.groups, finest, r.measureRefs)
		carriers = slices.DeleteFunc(carriers, func(i int) bool { return i != finest && buckets.Group >= 0 && buckets.IsAttribute(i) })
	}
	for _, i := range carriers {
		if r.groups[i].HasStoredValue() {
			return -1, r.groupWithoutGrainError(i, len(carriers) > 1)
		}
	}
	if len(carriers) > 1 {
		return -1, r.severalGrainsError(carriers)
	}
	if finest < 0 {
		return -1, r.checkGroupsMeetByValue()
	}
	return finest, nil
}

// checkGroupsMeetByValue rejects, without a group of buckets, a group-by of the range's field whose values are those of one range.
func (r comparisonResolver) checkGroupsMeetByValue() error {
	current, previous := r.current.Interval, r.previous.Interval
	overlap := current.Start.Before(previous.End.Time) && previous.Start.Before(current.End.Time)
	for _, u := range r.measureRefs {
		if u.Axis == nil || !r.current.IsOver(u.Axis) {
			continue
		}
		buckets := r.in.BucketsOfAxis(r.groups, u.Axis)
		for _, g := range r.groups {
			_, inDimension := buckets.DateDimensionStep(g)
			if g.BelongsToRange(u.Axis) || inDimension && overlap {
				return r.groupOfOneRangeError(g)
			}
		}
	}
	return nil
}

// groupOfOneRangeError returns the error of a group-by whose values do not come again in the other range.
func (r comparisonResolver) groupOfOneRangeError(g scope.Group) error {
	field := scope.MetricTime
	if !r.current.OnAxis {
		field = r.current.Ref.Text()
	}
	unit := r.offsetUnit()
	if unit.Period == nil {
		unit.Grain = max(unit.Grain, sqlexpr.GrainDay)
	}
	items := slices.Clone(r.in.Query.GroupBy)
	items[g.Index] = query.GroupBy{Field: field, Grain: unit.String()}
	return &planerr.Error{
		Code:     planerr.CodeTimeGrainRequired,
		Message:  "compare matches equal groups or periods, and " + g.Name + " depends on the time without a grain: its values are those of one range",
		Fragment: map[string]any{"group_by": items},
	}
}

// groupWithoutGrainError returns the error of a group that carries the range's field without a grain.
func (r comparisonResolver) groupWithoutGrainError(group int, others bool) error {
	g := r.groups[group]
	fragment := map[string]any{"group_by": retry.ReplaceGrain(r.in.Query.GroupBy, g, r.likelyOffsetUnit(group))}
	if others {
		fragment = retry.RemoveGroup(r.in.Query, r.groups, g)
	}
	return &planerr.Error{
		Code:     planerr.CodeTimeGrainRequired,
		Message:  "compare matches periods, and " + g.Name + " is grouped without a grain",
		Fragment: fragment,
	}
}

// windowsInCalendarError returns the error of compared windows over periods of a calendar.
func (r comparisonResolver) windowsInCalendarError(group int) error {
	return &planerr.Error{
		Code:     planerr.CodeNotImplemented,
		Message:  "compare moves " + r.groups[group].Name + " by the periods of a calendar, and does not do that for windows",
		Fragment: retry.DropComparison(r.in.Query, r.comparison),
	}
}

// likelyOffsetUnit returns the grain at which a comparison is most likely meant.
func (r comparisonResolver) likelyOffsetUnit(group int) catalog.GrainOrPeriod {
	unit := r.offsetUnit()
	if unit.Period != nil {
		return unit
	}
	unit.Grain = max(unit.Grain, sqlexpr.GrainDay)
	for _, f := range measure.FieldsOfGroup(r.groups[group], r.measureRefs) {
		unit.Grain = max(unit.Grain, f.StoredGrain())
	}
	return unit
}

// offsetUnit returns the unit of the offset; zero between two ranges.
func (r comparisonResolver) offsetUnit() catalog.GrainOrPeriod {
	offset := r.asked.Offset
	if offset == nil {
		return catalog.GrainOrPeriod{}
	}
	if p := r.in.Cat.Period(offset.Unit); p != nil {
		return catalog.GrainOrPeriod{Period: p}
	}
	grain, _ := sqlexpr.ParseGrain(offset.Unit)
	return catalog.GrainOrPeriod{Grain: grain}
}

func (r comparisonResolver) severalGrainsError(carriers []int) error {
	kept := carriers[0]
	for _, i := range carriers {
		if r.groups[i].HasFinerBuckets(r.groups[kept]) {
			kept = i
		}
	}
	isRemoved := func(g scope.Group) bool {
		return slices.ContainsFunc(carriers, func(i int) bool { return i != kept && r.groups[i].Index == g.Index })
	}
	return &planerr.Error{
		Code: planerr.CodeNotImplemented,
		Message: "compare moves the periods of one group of the range's field, and the query has several: " +
			r.groups[carriers[0]].Name + " and " + r.groups[carriers[1]].Name,
		Fragment: retry.RemoveGroups(r.in.Query, r.groups, isRemoved),
	}
}

// resolveBucketMove returns how the buckets of a group move.
func (r comparisonResolver) resolveBucketMove(group int) (BucketMove, error) {
	move, err := r.findBucketMove(group)
	for _, f := range measure.FieldsOfGroup(r.groups[group], r.measureRefs) {
		move.typ = f.BucketType(r.groups[group].Grain)
		move.zonesApart = r.in.Target.Caps.ZonesApart
		move.hasNullBucket = move.hasNullBucket || f.Encoding != nil
	}
	return move, err
}

// clockShiftWithinBucketError returns the error of two ranges between whose buckets the clock moves by a part of a bucket.
func (r comparisonResolver) clockShiftWithinBucketError(group int) error {
	return &planerr.Error{
		Code: planerr.CodeNotImplemented,
		Message: "compare matches buckets, and those of " + r.groups[group].Name + " do not begin at the same minute in both ranges: the clock of " +
			r.in.Times.Clock.ZoneName() + " moves by a part of an hour between them",
		Fragment: map[string]any{"time_zone": "UTC"},
	}
}

func (r comparisonResolver) findBucketMove(group int) (BucketMove, error) {
	grain, offset := r.groups[group].Grain, r.asked.Offset
	unit := r.offsetUnit()
	if r.asked.Align != "" {
		aligned, err := where.OffsetOfComparison(r.in, r.asked, r.current.Interval)
		if err != nil {
			return BucketMove{}, err
		}
		offset, unit.Grain = &aligned, sqlexpr.GrainWeek
	}
	c := measure.ClockOfGroupBuckets(r.in, r.groups[group], r.measureRefs)
	current, previous := r.current.Interval.OnClock(c), r.previous.Interval.OnClock(c)
	isEven := c.HasEvenBuckets(grain, previous.TimeBounds(), current.TimeBounds())
	if offset == nil {
		if !isEven {
			return BucketMove{}, r.clockShiftWithinBucketError(group)
		}
		return newMoveBetweenIntervals(c, current, previous, grain), nil
	}
	n, months, ok := measure.OffsetInBuckets(int(offset.Count), unit.Grain, grain)
	switch {
	case !ok:
		return BucketMove{}, r.partialOffsetError(group, unit)
	case !isEven:
		return BucketMove{}, r.clockShiftWithinBucketError(group)
	case months:
		return newMoveByMonths(c, current, previous, n), nil
	}
	return newMoveByBucketCount(c, current, previous, grain, n), nil
}

func (r comparisonResolver) partialOffsetError(group int, unit catalog.GrainOrPeriod) error {
	return &planerr.Error{
		Code: planerr.CodeNotImplemented,
		Message: "compare.offset counts " + unit.String() + "s, which are not a multiple of buckets by " +
			r.groups[group].BucketUnit().String(),
		Fragment: map[string]any{"group_by": retry.ReplaceGrain(r.in.Query.GroupBy, r.groups[group], unit)},
	}
}

// checkTopMergesNoBuckets rejects a top that merges the buckets that are compared.
func (r comparisonResolver) checkTopMergesNoBuckets(group int) error {
	t := r.in.Query.Top
	if t == nil || t.Dimension != r.groups[group].Name {
		return nil
	}
	return &planerr.Error{
		Code:     planerr.CodeNotImplemented,
		Message:  "compare moves the periods of " + t.Dimension + ", so top cannot merge some of them",
		Fragment: map[string]any{"top": nil},
	}
}

// checkAlignedGrain rejects buckets that whole weeks do not move onto others: those of weekdays are days and weeks.
func (r comparisonResolver) checkAlignedGrain(group int) error {
	g := r.groups[group]
	if g.Period == nil && (g.Grain == sqlexpr.GrainDay || g.Grain == sqlexpr.GrainWeek) {
		return nil
	}
	return &planerr.Error{
		Code:     planerr.CodeNotImplemented,
		Message:  "compare.align matches weekdays, and " + g.Name + " has buckets by " + g.BucketUnit().String(),
		Fragment: map[string]any{"group_by": retry.ReplaceGrain(r.in.Query.GroupBy, g, catalog.GrainOrPeriod{Grain: sqlexpr.GrainDay})},
	}
}
