package extension

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// readRecomputeWindow reads the family recompute: how many buckets the metric is computed over.
func (w *windowReader) readRecomputeWindow() {
	w.rejectOtherMembers(recomputeWindowShape)
	r := &catalog.RecomputeWindow{Reset: w.readResetGrain(), RequireFullWindow: w.readBoolOrFalse("require_full_window")}
	w.out.Spec.Recompute = r
	periods, span := w.findMember("periods"), w.findMember("span")
	switch {
	case periods != nil && span != nil:
		w.addInvalidError(span, "a recomputed window has periods or a span, not both")
	case span != nil:
		w.readWindowSpan(span, r)
	case periods == nil:
		w.findRequiredMember("periods", `how many buckets the window spans, or "unbounded"`)
	case periods.kind == jsonString && periods.text == "unbounded":
		r.Unbounded = true
	default:
		r.Periods = w.readRecomputeCount(periods)
	}
	if n := w.findMember("reset"); n != nil && !r.Unbounded {
		w.addInvalidError(n, `reset is for "periods": "unbounded"`)
	}
	if n := w.findMember("require_full_window"); n != nil && (r.Unbounded || span != nil) {
		w.addInvalidError(n, "require_full_window is for a number of periods")
	}
}

// readRecomputeCount reads a number of buckets or of units of time, which the limit on recomputed windows holds for.
func (w *windowReader) readRecomputeCount(n *jsonNode) catalog.WindowCountOrParam {
	c := w.readCountOrParamSlot(n, 1, &w.out.Slots)
	if c.N > limits.RecomputedWindowPeriods {
		w.addInvalidError(n, "%s must be an integer of at most %d, is %d", pathForMessage(n), limits.RecomputedWindowPeriods, c.N)
	}
	return c
}

func (w *windowReader) readWindowSpan(n *jsonNode, r *catalog.RecomputeWindow) {
	o, ok := w.payloadObjectReader.payloadReader.openObject(n, windowSpanShape.memberNames()...)
	if !ok {
		return
	}
	r.Span = &catalog.WindowSpan{}
	in := &windowReader{o, w.out}
	if c := in.findRequiredMember("count", "an integer of at least 1"); c != nil {
		r.Span.Count = in.readRecomputeCount(c)
	}
	if in.findRequiredMember("granularity", "a calendar unit") != nil {
		r.Span.Grain, w.out.Granularity = in.readGrainOrPeriod("granularity", sqlexpr.GrainNames())
	}
}
