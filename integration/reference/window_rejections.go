package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

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

// refuseCalculationWithoutNumbers refuses a window that calculates with texts or times. Dates have a difference, in days.
func (p *windowPopulation) refuseCalculationWithoutNumbers() {
	switch p.l.window.FunctionOrCalculation() {
	case "value", "min", "max", "count", "":
		return
	}
	if p.l.window.Rank != nil || p.l.window.Value != nil {
		return
	}
	isEmpty := true
	for _, c := range p.groups {
		switch c.value.(type) {
		case nil:
			continue
		case Date, Timestamp, TimestampTZ:
			if p.l.window.FunctionOrCalculation() != catalog.CalculationDelta.String() {
				p.e.addMustRejectCode("not_implemented")
			}
		case string:
			p.e.addMustRejectCode("not_implemented")
		}
		isEmpty = false
	}
	if isEmpty {
		p.e.addMayRejectCode("not_implemented") // the values have a type that no row shows
	}
}
