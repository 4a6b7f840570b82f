package reference

import "slices"

// allowRejectionOfOtherAxes permits to reject a window for the buckets of another axis, where a part of the base lies on it.
func (p *windowPopulation) allowRejectionOfOtherAxes() {
	if slices.ContainsFunc(p.e.groups, func(g groupByItem) bool { return p.hasReset() && p.resetGrain() < g.grain }) {
		p.e.addMayRejectCode("window_reset_too_fine")
	}
	if p.l.window.Offset != nil {
		p.e.addMayRejectCode("not_implemented") // the offset does not count these buckets
	}
}

// readsBucketsOutsideRange reports whether the window looks at buckets outside of a range.
func (p *windowPopulation) readsBucketsOutsideRange() bool {
	switch w := p.l.window; {
	case w.Offset != nil, w.Rolling != nil, w.Recompute != nil && !w.Recompute.Unbounded:
		return true
	case w.Frame != nil && p.isOrderedByTime():
		return !w.Frame.Unbounded || p.hasReset()
	}
	return p.hasReset()
}
