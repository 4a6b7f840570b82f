package planner

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// interval is a part of the time line; a zero bound is open.
type interval struct{ start, end instant }

// mergeRanges merges the intervals of ranges into those that neither meet nor
// overlap, in order of time.
func mergeRanges(ranges []timeRange) []interval {
	all := make([]interval, len(ranges))
	for i, r := range ranges {
		all[i] = interval{r.start, r.end}
	}
	slices.SortStableFunc(all, func(a, b interval) int { return a.start.Compare(b.start.Time) })
	out := all[:1]
	for _, next := range all[1:] {
		last := &out[len(out)-1]
		switch {
		case last.end.given() && next.start.After(last.end.Time):
			out = append(out, next)
		case last.end.given() && (!next.end.given() || next.end.After(last.end.Time)):
			last.end = next.end
		}
	}
	return out
}

// unionConds is the condition that a time lies in one of the tagged ranges: in
// the span of all, and in none of the gaps between them. An engine can skip data
// by the span, which it cannot by an OR of the ranges. ok is false where the
// ranges are not all over one dimension.
func (p *branchPlan) unionConds() (conds []sqlexpr.Expr, ok bool, err error) {
	ref := p.br.rangeRef(p.ranges[0])
	for _, r := range p.ranges[1:] {
		if !p.br.rangeRef(r).Same(ref) {
			return nil, false, nil
		}
	}
	x, err := p.bind(ref)
	if err != nil {
		return nil, false, err
	}
	parts := mergeRanges(p.ranges)
	span := timeRange{start: parts[0].start, end: parts[len(parts)-1].end}
	conds = span.within(x, ref.Field)
	for i, next := range parts[1:] {
		conds = append(conds, outsideOf(x, parts[i].end, next.start, ref.Field))
	}
	if len(conds) == 0 {
		// All of time: what is left out is what has none.
		conds = append(conds, &sqlexpr.IsNull{Not: true, X: x})
	}
	return conds, true, nil
}
