package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// evaluateRecomputeWindow returns the base over all rows of the buckets in the window.
func (p *windowPopulation) evaluateRecomputeWindow(c *windowGroup, w *catalog.RecomputeWindow) Value {
	takes := func(o *windowGroup) bool { return compareNullsLast(o.dims[p.axis], c.dims[p.axis]) <= 0 }
	n := p.l.binding.resolveWindowCount(p.m, w.Periods)
	switch {
	case w.Span != nil && w.Span.Period != nil:
		takes = p.periodSpanFilter(c, w.Span)
	case w.Span != nil && p.hasSpanFromEnd():
		return p.evaluateSpanFromEnd(c, w.Span)
	case w.Span != nil:
		start := p.spanStart(c.dims[p.axis], w.Span)
		upTo := takes
		takes = func(o *windowGroup) bool { return upTo(o) && compareNullsLast(o.dims[p.axis], start) > 0 }
	case !w.Unbounded && p.l.period != nil:
		periods := p.precedingPeriods(c.dims[p.axis], n)
		takes = func(o *windowGroup) bool {
			first, ok := o.dims[p.axis].(Date)
			return ok && slices.Contains(periods, first)
		}
	case !w.Unbounded:
		first := p.e.clock.addBuckets(p.l.grain, c.dims[p.axis], 1-n)
		upTo := takes
		takes = func(o *windowGroup) bool { return upTo(o) && compareNullsLast(o.dims[p.axis], first) >= 0 }
	}
	within := p.frameGroups(c, takes)
	if w.Span != nil && w.Span.Period != nil && !takes(c) {
		return nil // a bucket beside all periods
	}
	if w.RequireFullWindow && len(within) < n {
		return nil
	}
	if p.e.fault == FaultWindowSumsBuckets {
		return p.windowValueOverGroups(sqlexpr.FnSum, within)
	}
	p.read(within...)
	rows := rowsByLeaf{}
	for _, o := range within {
		for leaf, list := range o.rows {
			rows[leaf] = append(rows[leaf], list...)
		}
	}
	return p.base.value(rows)
}

// periodSpanFilter takes the buckets after the one at the same place in an earlier period of a calendar, up to the
// current one. Where the earlier period has fewer places, its last one is before the window.
func (p *windowPopulation) periodSpanFilter(c *windowGroup, span *catalog.WindowSpan) func(o *windowGroup) bool {
	all := p.e.readCalendarPeriods(span.Period)
	starts := all.days
	if p.l.period != nil {
		starts = p.e.readCalendarPeriods(p.l.period).starts
	}
	// A bucket belongs to the period of its first day.
	placeOf := func(bucket Value) (period, place int, ok bool) {
		day, isDay := bucket.(Date)
		first, known := all.of[day]
		if !isDay || !known {
			return 0, 0, false
		}
		for _, d := range starts {
			if f, ok := all.of[d]; ok && f == first && d < day {
				place++
			}
		}
		return slices.Index(all.starts, first), place, true
	}
	period, place, ok := placeOf(c.dims[p.axis])
	n := p.l.binding.resolveWindowCount(p.m, span.Count)
	return func(o *windowGroup) bool {
		q, at, known := placeOf(o.dims[p.axis])
		if !ok || !known || q > period || q == period && at > place {
			return false
		}
		return q > period-n || q == period-n && at > place
	}
}

// spanStart returns the time before which, and at which, no bucket of a span begins.
func (p *windowPopulation) spanStart(bucket Value, span *catalog.WindowSpan) Value {
	n := p.l.binding.resolveWindowCount(p.m, span.Count)
	day, isDay := bucket.(Date)
	if !isDay {
		at, _ := p.e.clock.shiftBucket(bucket, span.Grain, -n)
		return at
	}
	if secondsOfGrain(span.Grain) > 0 {
		return day - Date((n*secondsOfGrain(span.Grain)+86399)/86400) // of which no day begins later
	}
	at, exists := shiftDate(day, span.Grain, -n)
	if exists {
		return at
	}
	y, m, _ := day.toTime().Date()
	first := dateOfTime(firstDayOfMonth(y, int(m)-n*monthsOfGrain(span.Grain)+1))
	return first - 1
}

// checkRecomputeWindow rejects a window that reaches over too many buckets, or has no running value.
func (p *windowPopulation) checkRecomputeWindow(w *catalog.RecomputeWindow) {
	holistic := slices.ContainsFunc(p.base.leaves, func(b *measureUnderWindow) bool { return b.measure.Agg.Class() == catalog.ClassHolistic })
	n := p.l.binding.resolveWindowCount(p.m, w.Periods)
	if slices.ContainsFunc(p.base.leaves, func(b *measureUnderWindow) bool { return b.measure.NonAdditive != nil }) {
		p.e.addMustRejectCode("not_implemented")
		return
	}
	switch {
	case w.Unbounded:
		if slices.ContainsFunc(p.base.leaves, func(b *measureUnderWindow) bool { return !canAccumulateOverBuckets(b.measure.Agg) }) {
			p.e.addMustRejectCode("not_implemented")
		}
		return
	case w.Span == nil:
		if n > 400 || holistic && n > 100 {
			p.e.addMustRejectCode("param_out_of_domain")
		}
		return
	}
	n = p.l.binding.resolveWindowCount(p.m, w.Span.Count)
	if n > 400 {
		p.e.addMustRejectCode("param_out_of_domain")
		return
	}
	if !p.canCountBucketsByUnit(w.Span.Period) {
		p.e.addMustRejectCode("not_implemented") // of a unit that does not count the buckets
		return
	}
	if w.Span.Period != nil {
		if w.Span.Period != p.l.period && p.aggregatesRowsAgain() {
			p.e.addMustRejectCode("not_implemented") // the warehouse alone has the number of buckets
		} else if holistic && n > 100 {
			p.e.addMustRejectCode("not_implemented")
		}
		return
	}
	buckets, varies := maxBucketsOfSpan(n, w.Span.Grain, p.l.grain)
	if buckets == 0 || (varies || holistic) && buckets > 100 {
		p.e.addMustRejectCode("not_implemented")
	}
}

// aggregatesRowsAgain reports whether a part of the base is aggregated from the rows of all buckets of the window, and not from
// their values.
func (p *windowPopulation) aggregatesRowsAgain() bool {
	return slices.ContainsFunc(p.base.leaves, func(b *measureUnderWindow) bool {
		agg := b.measure.Agg
		return agg.Class() == catalog.ClassHolistic || agg.Class() == catalog.ClassAlgebraic && agg != catalog.AggAvg
	})
}

func canAccumulateOverBuckets(agg catalog.Agg) bool {
	return agg.Class() != catalog.ClassHolistic || slices.Contains([]catalog.Agg{catalog.AggCountDistinct, catalog.AggSumDistinct, catalog.AggAvgDistinct}, agg)
}

// maxBucketsOfSpan returns the most buckets of a grain that a span reaches over, and whether their number varies; 0 where
// months are over buckets within a day.
func maxBucketsOfSpan(n int, span, bucket sqlexpr.Grain) (most int, varies bool) {
	atLeast := func(total, length int) int { return (total + length - 1) / length }
	switch {
	case secondsOfGrain(bucket) > 0 && monthsOfGrain(span) > 0:
		return 0, false
	case secondsOfGrain(bucket) > 0:
		return atLeast(n*(secondsOfGrain(span)+86400*daysPerGrain(span)), secondsOfGrain(bucket)), false
	case secondsOfGrain(span) > 0:
		return atLeast(n*secondsOfGrain(span), 86400*max(1, daysPerGrain(bucket)+28*monthsOfGrain(bucket))), false
	case daysPerGrain(span) > 0 && daysPerGrain(bucket) > 0:
		return atLeast(n*daysPerGrain(span), daysPerGrain(bucket)), false
	case monthsOfGrain(span) > 0 && monthsOfGrain(bucket) > 0:
		return atLeast(n*monthsOfGrain(span), monthsOfGrain(bucket)), false
	case monthsOfGrain(span) > 0:
		days := min(31*n*monthsOfGrain(span), 366*atLeast(n*monthsOfGrain(span), 12))
		return atLeast(days, daysPerGrain(bucket)), true
	}
	return atLeast(n*daysPerGrain(span), 28*monthsOfGrain(bucket)), true
}
