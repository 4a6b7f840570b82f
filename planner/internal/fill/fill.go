package fill

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/coerce"
	"github.com/semlayer/semlayer/planner/internal/compare"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// The most buckets that a query may fill: without other groups or with a limit, and for each combination
// of other groups.
const (
	maxFilledBuckets              = limits.QueryFilledBuckets
	maxFilledBucketsIfOtherGroups = limits.QueryFilledBucketsIfOtherGroups
)

// Fill is the time axis that fill makes dense: every bucket that meets the range is a row for every
// combination of the other group-bys, which are not attributes of the bucket.
type Fill struct {
	BucketGroup int // that carries the buckets
	buckets     scope.AxisBuckets
	Within      clock.TimeBounds // of the buckets
	FirstBucket sqlexpr.Expr     // bucket
	BucketCount int64
	// Starts are the first days of the periods of a calendar; nil for plain buckets, which are counted.
	Starts plan.Node
	Value  sqlexpr.Expr // of a metric that is NULL on a filled row; nil for none
	// ZonesApart: the target takes an instant and a timestamp without a zone for different types.
	ZonesApart bool
}

// IsAttribute reports whether a group-by has one value in each bucket.
func (f *Fill) IsAttribute(group int) bool {
	return f.buckets.Group >= 0 && f.buckets.IsAttribute(group)
}

// Axis returns the field whose buckets are filled; nil where no other group-by belongs to them.
func (f *Fill) Axis() *catalog.Field { return f.buckets.Axis() }

// HasOtherGroups reports whether there are group-bys beside the bucket and its attributes.
func (f *Fill) HasOtherGroups(groups []scope.Group) bool {
	for i := range groups {
		if i != f.BucketGroup && !f.IsAttribute(i) {
			return true
		}
	}
	return false
}

// Resolve finds the buckets that fill adds; nil where it adds none.
func Resolve(in *scope.Env, groups []scope.Group, cols measure.Expansion, ranges []where.Range, conds where.Conditions) (*Fill, error) {
	if in.Query.Fill == nil {
		return nil, nil
	}
	r := gapFillResolver{in: in, groups: groups, measureRefs: cols.MeasureRefs, ranges: ranges}
	if len(ranges) > 0 {
		r.ranges = []where.Range{r.withConditions(conds)}
	}
	group, err := r.findBucketGroup()
	if err != nil {
		return nil, err
	}
	if err := r.checkTopMergesNoPeriods(groups[group]); err != nil {
		return nil, err
	}
	if in.Query.Fill.Value != "" {
		if err := checkFillValueTypes(cols); err != nil {
			return nil, err
		}
	}
	g := groups[group]
	c := measure.ClockOfGroupBuckets(in, g, cols.MeasureRefs)
	asked := r.askedOf(g, c, timerange.Interval.OnClock)
	if asked.IsEmpty() {
		return nil, nil // no bucket is in range
	}
	f := &Fill{BucketGroup: group, buckets: measure.BucketsOfGroup(in, groups, group, cols.MeasureRefs), ZonesApart: in.Target.Caps.ZonesApart}
	if g.Period != nil {
		if err := r.checkDayCount(group, asked); err != nil {
			return nil, err
		}
		if f.Starts, err = in.NewPeriodPlanner().PlanPeriodStarts(g.Period, r.askedOf(g, c, compare.WholeDayInterval), g.Name); err != nil {
			return nil, err
		}
	}
	first := c.FloorTime(asked.Start.Time, g.Grain)
	if !timerange.YearFitsLiteral(first) {
		return nil, timerange.InvalidRangeBoundsError("the first period that fill adds begins before the year 1")
	}
	f.Within = clock.TimeBounds{From: first, To: c.CeilTime(asked.End.Time, g.Grain)}
	f.FirstBucket = timerange.BoundAt(first).Literal(g.Type)
	if g.Period == nil {
		if f.BucketCount, err = r.countBuckets(f, c, asked); err != nil {
			return nil, err
		}
	}
	if text := in.Query.Fill.Value; text != "" {
		f.Value = coerce.NumberLiteral(text)
	}
	if g.Period == nil && f.BucketCount == 0 {
		return nil, nil // a range within a day has no day of a field of days
	}
	return f, nil
}

// gapFillResolver finds out which buckets are filled.
type gapFillResolver struct {
	in          *scope.Env
	groups      []scope.Group
	measureRefs []*measure.Ref
	ranges      []where.Range
}

// withConditions returns the range of the query, with the conditions that are ranges of the axis that all measures have.
func (r gapFillResolver) withConditions(conds where.Conditions) where.Range {
	given := r.ranges[0]
	if len(r.measureRefs) == 0 {
		return given
	}
	axis := r.measureRefs[0].Axis
	if axis == nil || slices.ContainsFunc(r.measureRefs, func(u *measure.Ref) bool { return u.Axis != axis }) || !given.IsOver(axis) {
		return given
	}
	out, _ := where.RangeOfAxis(r.in, r.ranges, conds, axis, -1)
	return out
}

// askedOf returns the times or days of the range. Where metric_time is days for some metrics and timestamps for others, bounds within a day leave
// different days, and those of all count.
func (r gapFillResolver) askedOf(g scope.Group, c clock.Clock, read func(timerange.Interval, clock.Clock) timerange.Interval) timerange.Interval {
	asked := read(r.ranges[0].Interval, c)
	for _, f := range measure.FieldsOfGroup(g, r.measureRefs) {
		of := read(r.ranges[0].Interval, c.ForField(f))
		if of.IsEmpty() {
			continue
		}
		if asked.IsEmpty() {
			asked = of
		}
		if of.Start.Before(asked.Start.Time) {
			asked.Start = of.Start
		}
		if of.End.After(asked.End.Time) {
			asked.End = of.End
		}
	}
	return asked
}

// findBucketGroup finds the group with the finest grain, which carries the field of the range. Any other group with a grain is an
// attribute of its buckets.
func (r gapFillResolver) findBucketGroup() (int, error) {
	var grained []int
	finest := -1
	for i, g := range r.groups {
		if g.HasBuckets() && !g.IsRemainder {
			grained = append(grained, i)
			if finest < 0 || g.HasFinerBuckets(r.groups[finest]) {
				finest = i
			}
		}
	}
	if finest < 0 {
		return 0, r.grainedGroupCountError(grained)
	}
	buckets := measure.BucketsOfGroup(r.in, r.groups, finest, r.measureRefs)
	grained = slices.DeleteFunc(grained, func(i int) bool { return buckets.Group >= 0 && buckets.IsAttribute(i) })
	if len(grained) > 1 {
		for _, i := range grained {
			if buckets.Group >= 0 && buckets.Relation(i) == scope.RelationSplit {
				return 0, r.splitBucketsError(r.groups[i], r.groups[finest])
			}
		}
		return 0, r.grainedGroupCountError(grained)
	}
	bounded := len(r.ranges) > 0 && r.ranges[0].Interval.Start.IsSet() && r.ranges[0].Interval.End.IsSet()
	if bounded {
		reads, err := where.RangeFieldGroupFinder{In: r.in, MeasureRefs: r.measureRefs, Asked: r.ranges[0], Key: "fill"}.ReadsRangeField(r.groups[finest])
		if err != nil {
			return 0, err
		}
		bounded = reads
	}
	if !bounded {
		return 0, r.unboundedBucketsError(r.groups[finest])
	}
	return finest, nil
}
