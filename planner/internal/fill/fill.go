package fill

import (
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
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
// combination of the other group-bys.
type Fill struct {
	BucketGroup int          // that carries the buckets
	FirstBucket sqlexpr.Expr // bucket
	BucketCount int64
	// Starts are the first days of the periods of a calendar; nil for plain buckets, which are counted.
	Starts plan.Node
	Value  sqlexpr.Expr // of a metric that is NULL on a filled row; nil for none
	// ZonesApart: the target takes an instant and a timestamp without a zone for different types.
	ZonesApart bool
}

// Resolve finds the buckets that fill adds; nil for a query without fill.
func Resolve(in *scope.Env, groups []scope.Group, cols measure.Expansion, ranges []where.Range) (*Fill, error) {
	if in.Query.Fill == nil {
		return nil, nil
	}
	r := gapFillResolver{in, groups, cols.MeasureRefs, ranges}
	group, err := r.findBucketGroup()
	if err != nil {
		return nil, err
	}
	if err := r.checkTopMergesNoPeriods(groups[group]); err != nil {
		return nil, err
	}
	g := groups[group]
	c := measure.ClockOfGroupBuckets(in, g, cols.MeasureRefs)
	asked := ranges[0].Interval.OnClock(c)
	f := &Fill{BucketGroup: group, ZonesApart: in.Target.Caps.ZonesApart}
	if g.Period != nil {
		if err := r.checkDayCount(group, asked); err != nil {
			return nil, err
		}
		if f.Starts, err = in.NewPeriodPlanner().PlanPeriodStarts(g.Period, compare.WholeDayInterval(asked, c), g.Name); err != nil {
			return nil, err
		}
	}
	first := c.FloorTime(asked.Start.Time, g.Grain)
	if !timerange.YearFitsLiteral(first) {
		return nil, timerange.InvalidRangeBoundsError("the first period that fill adds begins before the year 1")
	}
	f.FirstBucket = timerange.BoundAt(first).Literal(g.Type)
	if g.Period == nil {
		if f.BucketCount, err = r.countBuckets(group, c, asked); err != nil {
			return nil, err
		}
	}
	if text := in.Query.Fill.Value; text != "" {
		if err := checkFillValueTypes(cols); err != nil {
			return nil, err
		}
		f.Value = coerce.NumberLiteral(text)
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

// findBucketGroup finds the one group with a grain, which carries the field of the range.
func (r gapFillResolver) findBucketGroup() (int, error) {
	var grained []int
	for i, g := range r.groups {
		if g.HasBuckets() && !g.IsRemainder {
			grained = append(grained, i)
		}
	}
	if len(grained) != 1 {
		return 0, r.grainedGroupCountError(grained)
	}
	bounded := len(r.ranges) > 0 && r.ranges[0].Interval.Start.IsSet() && r.ranges[0].Interval.End.IsSet()
	if bounded {
		reads, err := where.RangeFieldGroupFinder{In: r.in, MeasureRefs: r.measureRefs, Asked: r.ranges[0], Key: "fill"}.ReadsRangeField(r.groups[grained[0]])
		if err != nil {
			return 0, err
		}
		bounded = reads
	}
	if !bounded {
		return 0, r.unboundedBucketsError(r.groups[grained[0]])
	}
	return grained[0], nil
}
