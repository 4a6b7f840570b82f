package extension

import "github.com/semlayer/semlayer/modelspec/catalog"

// readRecomputeWindow reads the family recompute: how many buckets the metric is computed over.
func (w *windowReader) readRecomputeWindow() {
	r := &catalog.RecomputeWindow{Reset: w.readResetGrain(), RequireFullWindow: w.readBoolOrFalse("require_full_window")}
	w.out.Spec.Recompute = r
	periods, span := w.findMember("periods"), w.findMember("span")
	switch {
	case periods != nil && span != nil:
		w.addInvalidError(span, "a recomputed window has periods or a span, not both")
	case span != nil:
		w.readWindowSpan(r)
	case periods == nil:
		w.findRequiredMember("periods", `how many buckets the window spans, or "unbounded"`)
	case periods.kind == jsonString && periods.text == "unbounded":
		r.Unbounded = true
	default:
		r.Periods = w.readCountOrParamSlot("periods", &w.out.Slots)
	}
	if n := w.findMember("reset"); n != nil && !r.Unbounded {
		w.addInvalidError(n, `reset is for "periods": "unbounded"`)
	}
	if n := w.findMember("require_full_window"); n != nil && (r.Unbounded || span != nil) {
		w.addInvalidError(n, "require_full_window is for a number of periods")
	}
}

func (w *windowReader) readWindowSpan(r *catalog.RecomputeWindow) {
	if o, ok := w.openMember("span"); ok {
		r.Span = &catalog.WindowSpan{Count: o.readCountOrParamSlot("count", &w.out.Slots)}
		r.Span.Grain, w.out.Granularity = o.readGrainOrPeriod("granularity")
	}
}
