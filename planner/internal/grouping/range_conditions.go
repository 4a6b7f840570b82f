package grouping

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/internal/where"
)

// RangeConditions is what the time ranges of a query mean for the rows and buckets of one branch.
type RangeConditions struct{ branch *Planner }

// NewBranchRangeConditions returns what the time ranges mean for the branch.
func (p *Planner) NewBranchRangeConditions() RangeConditions {
	return RangeConditions{p}
}

// timeRangeConditions returns the WHERE part of the time ranges: the one range, or with
// tags the union of all, each tag's own part being folded into its measures.
func (rc RangeConditions) timeRangeConditions() ([]sqlexpr.Expr, error) {
	switch {
	case len(rc.branch.Q.Ranges) == 0:
		return rc.scanConditions()
	case !rc.branch.Q.In.HasSeveralRanges():
		return rc.givenAndScanConditions(rc.branch.Q.Ranges[0])
	}
	if rc.branch.Calendars.readsWholeEarlierPeriods() {
		key, err := rc.branch.groupKey(rc.branch.Q.Compare.BucketGroup())
		return []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: key.Expr}}, err
	}
	if rc.branch.Br.ScanRange.Tag >= 0 {
		return rc.givenAndScanConditions(rc.branch.Q.Ranges[rc.branch.Br.ScanRange.Tag])
	}
	if conds, ok, err := rc.timeInAnyTaggedRangeConditions(); ok || err != nil {
		return conds, err
	}
	var union sqlexpr.Expr
	for _, r := range rc.branch.Br.ScanRange.RangesRead(rc.branch.Q.Ranges) {
		conds, err := rc.rangeConds(r)
		if err != nil {
			return nil, err
		}
		one := sqlexpr.And(conds...)
		if union == nil {
			union = one
		} else {
			union = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: union, R: one}
		}
	}
	return []sqlexpr.Expr{union}, nil
}

// rangeConds bounds the range's dimension as this branch reads it.
func (rc RangeConditions) rangeConds(r where.Range) ([]sqlexpr.Expr, error) {
	ref := rc.branch.Br.RangeRef(r)
	return rc.withinConditions(r.Interval.OnClock(rc.clockOfRef(ref)), ref)
}

// clockOfRef returns the clock of the times of a reference.
func (rc RangeConditions) clockOfRef(ref resolve.Ref) clock.Clock {
	return rc.branch.Q.In.Times.Clock.ForField(ref.Field)
}

// timeInAnyTaggedRangeConditions returns the condition that a time lies in one of the tagged ranges: in
// the span of all, and in none of the gaps between them. An engine can skip data
// by the span, which it cannot by an OR of the ranges. ok is false where the
// ranges are not all over one dimension.
func (rc RangeConditions) timeInAnyTaggedRangeConditions() (conds []sqlexpr.Expr, ok bool, err error) {
	ranges := rc.branch.Br.ScanRange.RangesRead(rc.branch.Q.Ranges)
	ref := rc.branch.Br.RangeRef(ranges[0])
	all := make([]timerange.Interval, len(ranges))
	for i, r := range ranges {
		if !rc.branch.Br.RangeRef(r).IsSame(ref) {
			return nil, false, nil
		}
		all[i] = r.Interval.OnClock(rc.clockOfRef(ref))
	}
	x, field := rc.branch.rolled.bucketsOfRange(ref)
	if field != nil {
		for i := range all {
			all[i] = all[i].OfBuckets(rc.clockOfRef(ref), field.Type)
		}
	} else {
		field = ref.Field
		if x, err = rc.branch.exprOfRef(ref); err != nil {
			return nil, false, err
		}
	}
	parts := timerange.MergeIntervals(all)
	whole := timerange.Interval{Start: parts[0].Start, End: parts[len(parts)-1].End}
	conds = append(whole.WithinConditions(x, field), timerange.GapConditions(parts, x, field, rc.branch.Q.Compare != nil && len(ranges) > 2)...)
	if len(conds) == 0 {
		// All of time: only NULL timestamps are left out.
		conds = append(conds, &sqlexpr.IsNull{Not: true, X: sqlexpr.StoredTime(x)})
	}
	return conds, true, nil
}

// givenAndScanConditions returns a range of the query as this branch reads it: with the rows around it that windows look at. A
// range over another field than the one whose buckets are shown is a condition on the rows.
func (rc RangeConditions) givenAndScanConditions(given where.Range) ([]sqlexpr.Expr, error) {
	s := rc.branch.Br.ScanRange
	if s.Beyond && rc.branch.Br.RangeRef(given).IsSame(rc.branch.Br.RangeRef(s.Range())) {
		return rc.scanConditions()
	}
	conds, err := rc.rangeConds(given)
	if err != nil || !s.Beyond {
		return conds, err
	}
	scanned, err := rc.scanConditions()
	return append(conds, scanned...), err
}

// scanConditions returns the bounds of what the branch reads for its windows; none where it reads no more than is shown.
func (rc RangeConditions) scanConditions() ([]sqlexpr.Expr, error) {
	s := rc.branch.Br.ScanRange
	if !s.Beyond {
		return nil, nil
	}
	return rc.withinConditions(s.Interval(), rc.branch.Br.RangeRef(s.Range()))
}

// timeBoundsRead returns the part of the time line that the branch reads of a reference: all of it where no
// range, or more than one, is over it.
func (rc RangeConditions) timeBoundsRead(ref resolve.Ref) clock.TimeBounds {
	c, s := rc.clockOfRef(ref), rc.branch.Br.ScanRange
	switch {
	case !c.HasZone():
		return clock.TimeBounds{}
	case s.Beyond && rc.branch.Br.RangeRef(s.Range()).IsSame(ref):
		return s.Interval().TimeBounds()
	case len(rc.branch.Q.Ranges) == 0, s.Tag < 0 && len(rc.branch.Q.Ranges) > 1:
		return clock.TimeBounds{}
	}
	r := rc.branch.Q.Ranges[max(s.Tag, 0)]
	if !rc.branch.Br.RangeRef(r).IsSame(ref) {
		return clock.TimeBounds{}
	}
	return r.Interval.OnClock(c).TimeBounds()
}

// BucketsInRangeConditions returns the conditions that keep the buckets in range alone, over columns that begin with the
// group-bys.
func (rc RangeConditions) BucketsInRangeConditions() []sqlexpr.Expr {
	s := rc.branch.Br.ScanRange
	ref := rc.branch.Br.GroupRef(rc.branch.Q.Groups[s.Group])
	return s.Range().BucketsInRange(rc.branch.Q.In, s.Grain, ref.Field, &sqlexpr.Ref{ID: s.Group})
}
