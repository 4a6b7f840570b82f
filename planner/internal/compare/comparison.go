package compare

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// Comparisons are those of a query, in its order. All meet on the buckets of one group, or none does.
type Comparisons []*Comparison

// OfTag returns the comparison whose earlier range has a tag; nil for another range, and where the ranges meet on equal groups.
func (all Comparisons) OfTag(tag int) *Comparison {
	if tag < measure.FirstPreviousRangeIndex || !all.MeetOnMovedBuckets() {
		return nil
	}
	return all[tag-measure.FirstPreviousRangeIndex]
}

// MeetOnMovedBuckets reports whether the ranges meet on moved buckets.
func (all Comparisons) MeetOnMovedBuckets() bool { return len(all) > 0 && all[0].BucketGroup >= 0 }

// BucketGroup returns the group whose buckets move; -1 for none.
func (all Comparisons) BucketGroup() int {
	if len(all) == 0 {
		return -1
	}
	return all[0].BucketGroup
}

// AreOverWindows reports whether some compared values are windows, which run over the rows of the earlier ranges.
func (all Comparisons) AreOverWindows() bool { return all.MeetOnMovedBuckets() && all[0].OverWindows }

// ByPeriods returns the comparisons of buckets that move by the periods of a calendar.
func (all Comparisons) ByPeriods() Comparisons {
	var out Comparisons
	for _, one := range all {
		if one.Periods != nil {
			out = append(out, one)
		}
	}
	return out
}

// Comparison is how the values of the earlier range of compare meet those of the current one.
// Without a group of the range's own field, they meet on equal groups: each branch reads both
// ranges at once, as it does those of time_ranges. With one, they meet on moved buckets: a
// branch of the current range meets one of the earlier range.
type Comparison struct {
	Item                int // of compare
	BucketGroup         int // that carries the range's field by a grain; -1 for none
	Move                BucketMove
	buckets             scope.AxisBuckets // of that group
	OverWindows         bool              // some compared values are windows, which run over the rows of the earlier range
	Periods             *PeriodMoves      // in place of move, where periods of a calendar move or are counted
	level               int               // the column of the level
	levelsWithoutBucket []int             // the levels without the group
}

// HasAttributes reports whether group-bys move with the bucket.
func (c *Comparison) HasAttributes(groups []scope.Group) bool {
	for i := range groups {
		if c.buckets.Group >= 0 && c.buckets.IsAttribute(i) {
			return true
		}
	}
	return false
}

// OverGroups returns the comparisons for a query of other group-bys, one of which carries the buckets.
func (all Comparisons) OverGroups(in *scope.Env, bucket int, groups []scope.Group, levels levels.Levels, refs []*measure.Ref) Comparisons {
	out := make(Comparisons, len(all))
	for i := range all {
		one := *all[i]
		one.BucketGroup, one.level, one.levelsWithoutBucket, one.OverWindows = bucket, len(groups), levels.LevelsWithout(bucket), false
		one.buckets = measure.BucketsOfGroup(in, groups, bucket, refs)
		out[i] = &one
	}
	return out
}

// Axis returns the field whose buckets move; nil where no other group-by belongs to them.
func (c *Comparison) Axis() *catalog.Field { return c.buckets.Axis() }

// Resolve finds how the ranges of compare meet; nil for a query without compare.
func Resolve(in *scope.Env, groups []scope.Group, levels levels.Levels, cols measure.Expansion, ranges []where.Range) (Comparisons, error) {
	var out Comparisons
	for i, asked := range in.Query.Compare {
		r := comparisonResolver{in, groups, cols.MeasureRefs, ranges[measure.CurrentRangeIndex], ranges[measure.FirstPreviousRangeIndex+i], i, asked}
		one, err := r.resolve(levels)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// resolve finds how one earlier range meets the current one.
func (r comparisonResolver) resolve(levels levels.Levels) (*Comparison, error) {
	group, err := r.findBucketGroup()
	if err != nil {
		return nil, err
	}
	if err := r.checkOffsetUnit(group); err != nil || group < 0 {
		return &Comparison{Item: r.comparison, BucketGroup: -1}, err
	}
	if err := r.checkTopMergesNoBuckets(group); err != nil {
		return nil, err
	}
	out := &Comparison{
		Item: r.comparison, BucketGroup: group, level: len(r.groups), levelsWithoutBucket: levels.LevelsWithout(group),
		buckets:     measure.BucketsOfGroup(r.in, r.groups, group, r.measureRefs),
		OverWindows: slices.ContainsFunc(r.measureRefs, func(u *measure.Ref) bool { return u.Window != nil && u.Tag > measure.CurrentRangeIndex }),
	}
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

// MatchedPreviousRows returns those rows of the earlier range whose buckets meet one of the current range. The buckets of a calendar
// have moved already, and are NULL where they meet none.
func (c *Comparison) MatchedPreviousRows(in plan.Node) plan.Node {
	bucket := &sqlexpr.Ref{ID: c.BucketGroup}
	conds := []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: bucket}}
	if c.Periods == nil {
		conds = c.Move.MatchConditions(bucket, c.Move.MatchedPrevious, c.Move.DropsPreviousDays, c.Move.Count)
	}
	if len(conds) == 0 {
		return in
	}
	return &plan.Filter{Input: in, Conds: c.ExemptLevelsWithoutBucket(conds), Why: "buckets that meet one of the current range"}
}

// MatchedCurrentConditions are true of a bucket of the current range that meets one of the earlier range.
func (c *Comparison) MatchedCurrentConditions() []sqlexpr.Expr {
	return c.Move.MatchConditions(&sqlexpr.Ref{ID: c.BucketGroup}, c.Move.MatchedCurrent, c.Move.DropsCurrentDays, -c.Move.Count)
}

// MeasureRefsOfCurrentRange returns the measure references of the current range. Those of the earlier ones
// follow them, because the columns of compare are made last.
func (all Comparisons) MeasureRefsOfCurrentRange(refs []*measure.Ref) []*measure.Ref {
	if all == nil {
		return refs
	}
	if i := slices.IndexFunc(refs, func(u *measure.Ref) bool { return u.Tag > measure.CurrentRangeIndex }); i >= 0 {
		return refs[:i]
	}
	return refs
}
