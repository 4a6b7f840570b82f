package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/rollup"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// rangeComparison is how the values of the earlier range of compare meet those of the current one.
// Without a group of the range's own field, they meet on equal groups: each branch reads both
// ranges at once, as it does those of time_ranges. With one, they meet on moved buckets: a
// branch of the current range meets one of the earlier range.
type rangeComparison struct {
	bucketGroup         int // that carries the range's field by a grain; -1 for none
	move                comparisonBucketMove
	periods             *calendarPeriodMoveTable // in place of move, where periods of a calendar move or are counted
	level               int                      // the column of the level
	levelsWithoutBucket []int                    // the levels without the group
}

// meetsOnMovedBuckets reports whether the ranges meet on moved buckets.
func (c *rangeComparison) meetsOnMovedBuckets() bool { return c != nil && c.bucketGroup >= 0 }

// resolveComparison returns nil for a query without compare.
func resolveComparison(in *scope.Env, groups []scope.Group, levels rollup.Levels, cols Expansion, ranges []timeRange) (*rangeComparison, error) {
	if in.Query.Compare == nil {
		return nil, nil
	}
	r := comparisonResolver{in, groups, cols.measureRefs, ranges[currentRangeIndex], ranges[previousRangeIndex]}
	group, err := r.findBucketGroup()
	if err != nil {
		return nil, err
	}
	if err := r.checkOffsetUnit(group); err != nil || group < 0 {
		return &rangeComparison{bucketGroup: -1}, err
	}
	if err := r.checkTopMergesNoBuckets(group); err != nil {
		return nil, err
	}
	out := &rangeComparison{bucketGroup: group, level: len(groups), levelsWithoutBucket: levels.LevelsWithout(group)}
	if r.needsCalendarPeriods(group) {
		out.periods, err = r.planCalendarPeriodMoveTable(group)
	} else {
		out.move, err = r.resolveBucketMove(group)
	}
	return out, err
}

// measureRefsOfCurrentRange returns the measure references of the current range. Those of the earlier one
// follow them, because the columns of compare are made last.
func (c *rangeComparison) measureRefsOfCurrentRange(refs []*MeasureRef) []*MeasureRef {
	if c == nil {
		return refs
	}
	if i := slices.IndexFunc(refs, func(u *MeasureRef) bool { return u.Tag == previousRangeIndex }); i >= 0 {
		return refs[:i]
	}
	return refs
}

// moveKeysToCurrentRange returns the keys of a branch as the current range has them.
func (p *branchPlanner) moveKeysToCurrentRange(keys []plan.NamedExpr) []plan.NamedExpr {
	if p.kept == nil || !p.movesBuckets() || p.q.compare.periods != nil {
		return keys
	}
	moved := slices.Clone(keys)
	bucket, m := moved[p.q.compare.bucketGroup].Expr, p.q.compare.move
	moved[p.q.compare.bucketGroup].Expr = m.shiftBucket(bucket, m.count)
	if m.dropsPreviousDays {
		moved[p.q.compare.bucketGroup].Expr = build.CaseWhen(m.shiftedMonthHasDayCondition(bucket, m.count), m.shiftBucket(bucket, m.count))
	}
	return moved
}

// movesBuckets reports whether the branch is of the earlier range, and its buckets move.
func (p *branchPlanner) movesBuckets() bool {
	return p.q.compare.meetsOnMovedBuckets() && p.br.scanRange.tag == previousRangeIndex
}

// resultExpr returns the value of a column over the matched branches.
func (c metricColumn) resultExpr(in *CombinedBranches, compare *rangeComparison) sqlexpr.Expr {
	if c.previous == nil {
		return in.RewriteOverColumns(c.expr)
	}
	return c.comparisonColumnExpr(in.RewriteOverColumns(c.expr), compare.previousValue(in, in.RewriteOverColumns(c.previous)))
}

// scanRangeOf returns the scan range of a measure reference.
func (f *branchBuilder) scanRangeOf(u *MeasureRef, axis *catalog.Field) scanRange {
	if u.window == nil && u.inputOf == nil && u.Measure.NonAdditive != nil {
		return scanRange{tag: u.Tag} // each range has its own snapshots
	}
	if f.q.compare == nil || u.window != nil || u.inputOf != nil || f.q.compare.bucketGroup < 0 && f.readsPreviousRange(u, axis) {
		return scanRangeOf(u, f.q.groups, f.q.ranges)
	}
	return scanRange{tag: u.Tag}
}

// readsPreviousRange reports whether compare reads the earlier range of a home and an axis.
func (f *branchBuilder) readsPreviousRange(u *MeasureRef, axis *catalog.Field) bool {
	return slices.ContainsFunc(f.q.cols.measureRefs, func(o *MeasureRef) bool {
		return o.Tag == previousRangeIndex && o.Measure.Home == u.Measure.Home && f.axisOfMeasure(o) == axis
	})
}
