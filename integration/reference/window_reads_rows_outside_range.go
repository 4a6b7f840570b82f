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

// readsRowOutsideRange reports whether the window sees a row outside the time range: some
// windows read other buckets in full, and none reads more of a shown bucket.
func (p *windowPopulation) readsRowOutsideRange(f branchRow) bool {
	s := p.l.timeRange
	if !s.onAxis && !s.equals(fieldTarget{field: p.l.axis}) || p.axis < 0 {
		return false
	}
	bucket := f.dims[p.axis]
	if bucket == nil || p.e.bucketOverlapsRange(s, p.l.axis, p.l.grain, p.l.period, bucket) {
		return false
	}
	return p.readsBucketsOutsideRange()
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
