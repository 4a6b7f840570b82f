package planner

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

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
	intervals := make([]timerange.Interval, len(p.ranges))
	for i, r := range p.ranges {
		intervals[i] = r.Interval
	}
	parts := timerange.Merge(intervals)
	whole := timerange.Interval{Start: parts[0].Start, End: parts[len(parts)-1].End}
	conds = whole.Within(x, ref.Field)
	for i, next := range parts[1:] {
		gap := timerange.Interval{Start: parts[i].End, End: next.Start}
		conds = append(conds, gap.Outside(x, ref.Field))
	}
	if len(conds) == 0 {
		// All of time: what is left out is what has none.
		conds = append(conds, &sqlexpr.IsNull{Not: true, X: x})
	}
	return conds, true, nil
}
