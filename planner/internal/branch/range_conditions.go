package branch

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/measure"
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
func (p RangeConditions) timeRangeConditions() ([]sqlexpr.Expr, error) {
	if !p.branch.Q.In.HasSeveralRanges() {
		return p.rangeCondsWithWindowLookback(p.branch.Q.Ranges[0])
	}
	if p.branch.Calendars.readsWholeEarlierPeriods() {
		key, err := p.branch.groupKey(p.branch.Q.Compare.BucketGroup)
		return []sqlexpr.Expr{&sqlexpr.IsNull{Not: true, X: key.Expr}}, err
	}
	if p.branch.Br.ScanRange.Tag >= 0 {
		return p.rangeCondsWithWindowLookback(p.branch.Q.Ranges[p.branch.Br.ScanRange.Tag])
	}
	if conds, ok, err := p.timeInAnyTaggedRangeConditions(); ok || err != nil {
		return conds, err
	}
	var union sqlexpr.Expr
	for _, r := range p.branch.Q.Ranges {
		conds, err := p.rangeConds(r)
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
func (p RangeConditions) rangeConds(r where.Range) ([]sqlexpr.Expr, error) {
	ref := p.branch.Br.rangeRef(r)
	x, err := p.branch.exprOfRef(ref)
	if err != nil {
		return nil, err
	}
	return r.Interval.OnClock(p.clockOfRef(ref)).WithinConditions(x, ref.Field), nil
}

// clockOfRef returns the clock of the times of a reference.
func (p RangeConditions) clockOfRef(ref resolve.Ref) clock.Clock {
	return p.branch.Q.In.Times.Clock.ForField(ref.Field)
}

// timeInAnyTaggedRangeConditions returns the condition that a time lies in one of the tagged ranges: in
// the span of all, and in none of the gaps between them. An engine can skip data
// by the span, which it cannot by an OR of the ranges. ok is false where the
// ranges are not all over one dimension.
func (p RangeConditions) timeInAnyTaggedRangeConditions() (conds []sqlexpr.Expr, ok bool, err error) {
	ref := p.branch.Br.rangeRef(p.branch.Q.Ranges[0])
	all := make([]timerange.Interval, len(p.branch.Q.Ranges))
	for i, r := range p.branch.Q.Ranges {
		if !p.branch.Br.rangeRef(r).IsSame(ref) {
			return nil, false, nil
		}
		all[i] = r.Interval.OnClock(p.clockOfRef(ref))
	}
	x, err := p.branch.exprOfRef(ref)
	if err != nil {
		return nil, false, err
	}
	parts := timerange.MergeIntervals(all)
	whole := timerange.Interval{Start: parts[0].Start, End: parts[len(parts)-1].End}
	conds = whole.WithinConditions(x, ref.Field)
	for i, next := range parts[1:] {
		gap := timerange.Interval{Start: parts[i].End, End: next.Start}
		conds = append(conds, gap.OutsideCondition(x, ref.Field))
	}
	if len(conds) == 0 {
		// All of time: only NULL timestamps are left out.
		conds = append(conds, &sqlexpr.IsNull{Not: true, X: x})
	}
	return conds, true, nil
}

// rangeCondsWithWindowLookback returns the range as this branch reads it: the shown buckets' rows in
// range, and around them the whole rows of the buckets that windows look at.
func (p RangeConditions) rangeCondsWithWindowLookback(r where.Range) ([]sqlexpr.Expr, error) {
	s := p.branch.Br.ScanRange
	if !s.ReadsBeyondRange() {
		return p.rangeConds(r)
	}
	ref := p.branch.Br.rangeRef(r)
	x, err := p.branch.exprOfRef(ref)
	if err != nil {
		return nil, err
	}
	if p.branch.Calendars.ScansPeriodsOutsideRange() {
		if _, err := p.branch.groupKey(s.Group); err != nil { // which joins the table of its periods
			return nil, err
		}
		return p.scannedPeriodConditions(x, ref, r), nil
	}
	outer, holes := p.scanIntervalAndHoles(r, p.clockOfRef(ref))
	conds := outer.WithinConditions(x, ref.Field)
	for _, hole := range holes {
		conds = append(conds, hole.OutsideCondition(x, ref.Field))
	}
	return conds, nil
}

// scannedPeriodConditions returns the range as a branch of periods reads it: the rows in range, and on the sides where
// windows look the whole rows of the periods that have no day in range.
func (p RangeConditions) scannedPeriodConditions(x sqlexpr.Expr, ref resolve.Ref, r where.Range) []sqlexpr.Expr {
	s, c := p.branch.Br.ScanRange, p.clockOfRef(ref)
	asked := r.Interval.OnClock(c)
	outer, _ := p.scanIntervalAndHoles(r, c)
	t := p.branch.Calendars.calendarTableOf(s.Group)
	outside := sqlexpr.And(&sqlexpr.IsNull{Not: true, X: t.days.FirstDayOfPeriod()}, &sqlexpr.IsNull{X: t.days.InIntervalMark()})
	inside := asked.WithinConditions(x, ref.Field)
	return append(outer.WithinConditions(x, ref.Field), &sqlexpr.Binary{Op: sqlexpr.OpOr, L: outside, R: sqlexpr.And(inside...)})
}

// scanIntervalAndHoles returns what the branch reads of a range, and the parts of it that it leaves out.
func (p RangeConditions) scanIntervalAndHoles(r where.Range, c clock.Clock) (outer timerange.Interval, holes []timerange.Interval) {
	s := p.branch.Br.ScanRange
	asked := r.Interval.OnClock(c)
	outer = asked
	if p.branch.Calendars.ScansPeriodsOutsideRange() {
		if s.Back.All {
			outer.Start = timerange.RangeBound{}
		}
		if s.Forward.All {
			outer.End = timerange.RangeBound{}
		}
		return outer, nil
	}
	if asked.Start.IsSet() {
		shown := timerange.NewClampedBound(c.FloorTime(asked.Start.Time, s.Grain))
		outer.Start = s.Back.ScanStart(c, shown, asked.Start)
		if s.Back != (measure.ScanLookback{}) && !shown.Equal(asked.Start.Time) {
			holes = append(holes, timerange.Interval{Start: shown, End: asked.Start})
		}
	}
	// Nothing is read beyond a last bucket that ends with the calendar.
	if asked.End.IsSet() && timerange.YearFitsLiteral(c.CeilTime(asked.End.Time, s.Grain)) {
		shown := timerange.BucketEnd(c, asked.End, s.Grain)
		outer.End = s.Forward.ScanEnd(c, shown, asked.End)
		if s.Forward != (measure.ScanLookback{}) && !shown.Equal(asked.End.Time) {
			holes = append(holes, timerange.Interval{Start: asked.End, End: shown})
		}
	}
	return outer, holes
}

// timeBoundsRead returns the part of the time line that the branch reads of a reference: all of it where no
// range, or more than one, is over it.
func (p RangeConditions) timeBoundsRead(ref resolve.Ref) clock.TimeBounds {
	c := p.clockOfRef(ref)
	tag := p.branch.Br.ScanRange.Tag
	switch {
	case !c.HasZone() || len(p.branch.Q.Ranges) == 0, tag < 0 && len(p.branch.Q.Ranges) > 1:
		return clock.TimeBounds{}
	}
	r := p.branch.Q.Ranges[max(tag, 0)]
	if !p.branch.Br.rangeRef(r).IsSame(ref) {
		return clock.TimeBounds{}
	}
	if !p.branch.Br.ScanRange.ReadsBeyondRange() {
		return r.Interval.OnClock(c).TimeBounds()
	}
	outer, _ := p.scanIntervalAndHoles(r, c)
	return outer.TimeBounds()
}

// BucketsInRangeConditions returns the conditions that keep only the buckets in range, over the
// window's schema.
func (p RangeConditions) BucketsInRangeConditions() []sqlexpr.Expr {
	s := p.branch.Br.ScanRange
	if !s.ReadsBeyondRange() {
		return nil
	}
	ref := p.branch.Br.groupRef(p.branch.Q.Groups[s.Group])
	c := p.clockOfRef(ref)
	asked := p.branch.Q.Ranges[max(s.Tag, 0)].Interval.OnClock(c)
	var shown timerange.Interval
	if asked.Start.IsSet() {
		shown.Start = timerange.BoundAt(p.bucketStartAsStored(c, c.FloorTime(asked.Start.Time, s.Grain)))
	}
	if asked.End.IsSet() {
		shown.End = timerange.BucketEnd(c, asked.End, s.Grain)
		shown.End.Time = p.bucketStartAsStored(c, shown.End.Time)
	}
	return shown.WithinConditions(&sqlexpr.Ref{ID: s.Group}, &catalog.Field{Type: ref.Field.BucketType(s.Grain)})
}

// bucketStartAsStored returns the start of a shown bucket as the column of buckets holds it: days are those of
// the clock.
func (p RangeConditions) bucketStartAsStored(c clock.Clock, start time.Time) time.Time {
	if p.branch.Br.ScanRange.Grain.IsWithinDay() {
		return start
	}
	return c.LocalTimeOfInstant(start)
}
