package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// hasSpanFromEnd reports whether a span is counted back from the end of the bucket. By day and finer it is the buckets
// after the bucket less the span.
func (p *windowPopulation) hasSpanFromEnd() bool {
	return p.l.period == nil && p.l.grain > sqlexpr.GrainDay
}

// evaluateSpanFromEnd returns the base over the rows of a span that ends with the bucket, or with the range.
func (p *windowPopulation) evaluateSpanFromEnd(c *windowGroup, span *catalog.WindowSpan) Value {
	n := p.l.binding.resolveWindowCount(p.m, span.Count)
	return p.base.value(p.rowsOfSpan(c, span.Grain, n, 0))
}

// evaluateRollingSpan applies a function to the values of the units of a span.
func (p *windowPopulation) evaluateRollingSpan(c *windowGroup, w *catalog.RollingWindow, span *catalog.WindowSpan) Value {
	n := p.l.binding.resolveWindowCount(p.m, span.Count)
	var units []*windowGroup
	for i := range n {
		rows := p.rowsOfSpan(c, span.Grain, n-i, n-i-1)
		if len(rows) > 0 {
			units = append(units, &windowGroup{dims: c.dims, rows: rows, value: p.base.value(rows)})
		} else if w.RequireFullWindow {
			return nil
		}
	}
	return p.windowValueOverGroups(w.Function, units)
}

// rowsOfSpan returns the rows from some units before the end of a bucket until fewer units before it.
func (p *windowPopulation) rowsOfSpan(c *windowGroup, unit sqlexpr.Grain, from, until int) rowsByLeaf {
	out := rowsByLeaf{}
	for _, o := range p.groupsOfSamePartition(c) {
		for leaf, rows := range o.rows {
			for _, f := range rows {
				if p.isInSpan(leaf.axis, c.dims[p.axis], f, unit, from, until) {
					out[leaf] = append(out[leaf], f)
					p.read(o)
				}
			}
		}
	}
	return out
}

// isInSpan reports whether a row lies from some units before the end of a bucket until fewer units before it.
func (p *windowPopulation) isInSpan(axis *catalog.Field, bucket Value, f branchRow, unit sqlexpr.Grain, from, until int) bool {
	if !p.hasSpanFromEnd() {
		at := f.dims[p.axis]
		span := func(n int) *catalog.WindowSpan {
			return &catalog.WindowSpan{Count: catalog.WindowCountOrParam{N: n}, Grain: unit}
		}
		return compareNullsLast(at, p.spanStart(bucket, span(from))) > 0 && compareNullsLast(at, p.spanStart(bucket, span(until))) <= 0
	}
	end := p.endOfWindow(bucket)
	first, last := p.e.clock.shiftRange(end, unit, -from), p.e.clock.shiftRange(end, unit, -until)
	s := timeRange{start: first.end, startAt: first.endAt, end: last.end, endAt: last.endAt}
	return p.e.clock.boundsForField(s, axis).containsTimestamp(f.at)
}

// endOfWindow returns a range whose both bounds are the end of the bucket, or that of the range where it cuts the bucket.
func (p *windowPopulation) endOfWindow(bucket Value) timeRange {
	if p.doesEndCut(bucket) && p.population() != catalog.PopulationRange {
		r := p.leafWithRange().timeRange
		return timeRange{start: r.end, startAt: r.endAt, end: r.end, endAt: r.endAt}
	}
	end := p.e.clock.addBuckets(p.l.grain, bucket, 1)
	return timeRange{start: end, end: end}
}

// checkRollingSpan rejects a span whose units are not values that a plan can make.
func (p *windowPopulation) checkRollingSpan(span *catalog.WindowSpan) {
	n := p.l.binding.resolveWindowCount(p.m, span.Count)
	if n > 400 {
		p.e.addMustRejectCode("param_out_of_domain")
		return
	}
	if span.Period != p.l.period {
		p.e.addMustRejectCode("not_implemented") // units that do not count the buckets
		return
	}
	if span.Period != nil {
		return
	}
	readsUnits := p.l.grain != span.Grain
	if p.l.grain <= sqlexpr.GrainDay {
		length := func(g sqlexpr.Grain) int { return secondsOfGrain(g) + 86400*daysPerGrain(g) }
		readsUnits = monthsOfGrain(span.Grain) > 0 || length(span.Grain) > length(p.l.grain)
	}
	buckets, _ := maxBucketsOfSpan(n, span.Grain, p.l.grain)
	isSnapshot := slices.ContainsFunc(p.base.leaves, func(b *measureUnderWindow) bool { return b.measure.NonAdditive != nil })
	switch {
	case buckets == 0, readsUnits && (isSnapshot || buckets > 100):
		p.e.addMustRejectCode("not_implemented")
	case isSnapshot:
		p.e.addMayRejectCode("not_implemented") // where the range cuts the last bucket
	}
}
