package metric

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

// rangeFilter is the WHERE part of the time ranges: the one range, or with
// tags the union of all, each tag's own part being folded into its measures.
func (p *branchPlan) rangeFilter() ([]sqlexpr.Expr, error) {
	if !p.in.hasTaggedRanges() {
		return p.scanRangeConds(p.ranges[0])
	}
	if p.br.scanRange.tag >= 0 {
		return p.scanRangeConds(p.ranges[p.br.scanRange.tag])
	}
	if conds, ok, err := p.unionConds(); ok || err != nil {
		return conds, err
	}
	var union sqlexpr.Expr
	for _, r := range p.ranges {
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
func (p *branchPlan) rangeConds(r timeRange) ([]sqlexpr.Expr, error) {
	ref := p.br.rangeRef(r)
	x, err := p.bind(ref)
	if err != nil {
		return nil, err
	}
	return r.Within(x, ref.Field), nil
}

// unionConds is the condition that a time lies in one of the tagged ranges: in
// the span of all, and in none of the gaps between them. An engine can skip data
// by the span, which it cannot by an OR of the ranges. ok is false where the
// ranges are not all over one dimension.
func (p *branchPlan) unionConds() (conds []sqlexpr.Expr, ok bool, err error) {
	ref := p.br.rangeRef(p.ranges[0])
	all := make([]timerange.Interval, len(p.ranges))
	for i, r := range p.ranges {
		if !p.br.rangeRef(r).IsSame(ref) {
			return nil, false, nil
		}
		all[i] = r.Interval
	}
	x, err := p.bind(ref)
	if err != nil {
		return nil, false, err
	}
	parts := timerange.Merge(all)
	whole := timerange.Interval{Start: parts[0].Start, End: parts[len(parts)-1].End}
	conds = whole.Within(x, ref.Field)
	for i, next := range parts[1:] {
		gap := timerange.Interval{Start: parts[i].End, End: next.Start}
		conds = append(conds, gap.Outside(x, ref.Field))
	}
	if len(conds) == 0 {
		// All of time: only NULL timestamps are left out.
		conds = append(conds, &sqlexpr.IsNull{Not: true, X: x})
	}
	return conds, true, nil
}

// scanRangeConds is the range as this branch reads it: the shown buckets' rows in
// range, and around them the whole rows of the buckets that windows look at.
func (p *branchPlan) scanRangeConds(r timeRange) ([]sqlexpr.Expr, error) {
	s := p.br.scanRange
	if !s.isExtended() {
		return p.rangeConds(r)
	}
	ref := p.br.rangeRef(r)
	x, err := p.bind(ref)
	if err != nil {
		return nil, err
	}
	outer := r.Interval
	var holes []sqlexpr.Expr
	if r.Start.IsSet() {
		shown := timerange.At(timerange.Floor(r.Start.Time, s.grain))
		outer.Start = s.back.scanStart(shown, r.Start)
		if s.back != (lookback{}) && !shown.Equal(r.Start.Time) {
			holes = append(holes, timerange.Interval{Start: shown, End: r.Start}.Outside(x, ref.Field))
		}
	}
	// Nothing is read beyond a last bucket that ends with the calendar.
	if r.End.IsSet() && timerange.InCalendar(timerange.Ceil(r.End.Time, s.grain)) {
		shown := timerange.BucketEnd(r.End, s.grain)
		outer.End = s.forward.scanEnd(shown, r.End)
		if s.forward != (lookback{}) && !shown.Equal(r.End.Time) {
			holes = append(holes, timerange.Interval{Start: r.End, End: shown}.Outside(x, ref.Field))
		}
	}
	return append(outer.Within(x, ref.Field), holes...), nil
}

// bucketsInRange are the conditions that keep only the buckets in range, over the
// window's schema.
func (p *branchPlan) bucketsInRange() []sqlexpr.Expr {
	s := p.br.scanRange
	if !s.isExtended() {
		return nil
	}
	r := p.ranges[max(s.tag, 0)]
	var shown timerange.Interval
	if r.Start.IsSet() {
		shown.Start = timerange.At(timerange.Floor(r.Start.Time, s.grain))
	}
	if r.End.IsSet() {
		shown.End = timerange.BucketEnd(r.End, s.grain)
	}
	return shown.Within(&sqlexpr.Ref{ID: s.group}, &catalog.Field{Type: sqlexpr.TypeDate})
}
