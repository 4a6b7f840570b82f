package compare

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
)

// Comparison is how the values of the earlier range of compare meet those of the current one.
// Without a group of the range's own field, they meet on equal groups: each branch reads both
// ranges at once, as it does those of time_ranges. With one, they meet on moved buckets: a
// branch of the current range meets one of the earlier range.
type Comparison struct {
	BucketGroup         int // that carries the range's field by a grain; -1 for none
	Move                BucketMove
	buckets             scope.AxisBuckets // of that group
	OverWindows         bool              // some compared values are windows, which run over the rows of the earlier range
	Periods             *PeriodMoves      // in place of move, where periods of a calendar move or are counted
	level               int               // the column of the level
	levelsWithoutBucket []int             // the levels without the group
}

// MeetsOnMovedBuckets reports whether the ranges meet on moved buckets.
func (c *Comparison) MeetsOnMovedBuckets() bool { return c != nil && c.BucketGroup >= 0 }

// HasAttributes reports whether group-bys move with the bucket.
func (c *Comparison) HasAttributes(groups []scope.Group) bool {
	for i := range groups {
		if c.buckets.Group >= 0 && c.buckets.IsAttribute(i) {
			return true
		}
	}
	return false
}

// OverGroups returns the comparison for a query of other group-bys, one of which carries the buckets.
func (c *Comparison) OverGroups(in *scope.Env, bucket int, groups []scope.Group, levels levels.Levels, refs []*measure.Ref) *Comparison {
	out := *c
	out.BucketGroup, out.level, out.levelsWithoutBucket, out.OverWindows = bucket, len(groups), levels.LevelsWithout(bucket), false
	out.buckets = measure.BucketsOfGroup(in, groups, bucket, refs)
	return &out
}

// Axis returns the field whose buckets move; nil where no other group-by belongs to them.
func (c *Comparison) Axis() *catalog.Field { return c.buckets.Axis() }

// Resolve finds how the ranges of compare meet; nil for a query without compare.
func Resolve(in *scope.Env, groups []scope.Group, levels levels.Levels, cols measure.Expansion, ranges []where.Range) (*Comparison, error) {
	if in.Query.Compare == nil {
		return nil, nil
	}
	r := comparisonResolver{in, groups, cols.MeasureRefs, ranges[measure.CurrentRangeIndex], ranges[measure.PreviousRangeIndex]}
	group, err := r.findBucketGroup()
	if err != nil {
		return nil, err
	}
	if err := r.checkOffsetUnit(group); err != nil || group < 0 {
		return &Comparison{BucketGroup: -1}, err
	}
	if err := r.checkTopMergesNoBuckets(group); err != nil {
		return nil, err
	}
	out := &Comparison{BucketGroup: group, level: len(groups), levelsWithoutBucket: levels.LevelsWithout(group), buckets: measure.BucketsOfGroup(in, groups, group, cols.MeasureRefs)}
	out.OverWindows = slices.ContainsFunc(cols.MeasureRefs, func(u *measure.Ref) bool { return u.Window != nil && u.Tag == measure.PreviousRangeIndex })
	if r.needsCalendarPeriods(group) {
		if out.OverWindows {
			return nil, r.windowsInCalendarError(group)
		}
		out.Periods, err = r.planCalendarPeriodMoveTable(group)
	} else {
		out.Move, err = r.resolveBucketMove(group)
	}
	return out, err
}

// MeasureRefsOfCurrentRange returns the measure references of the current range. Those of the earlier one
// follow them, because the columns of compare are made last.
func (c *Comparison) MeasureRefsOfCurrentRange(refs []*measure.Ref) []*measure.Ref {
	if c == nil {
		return refs
	}
	if i := slices.IndexFunc(refs, func(u *measure.Ref) bool { return u.Tag == measure.PreviousRangeIndex }); i >= 0 {
		return refs[:i]
	}
	return refs
}
