package extension

import "github.com/semlayer/semlayer/modelspec/catalog"

// readRecomputeWindow reads the family recompute: how many buckets the metric is computed over.
func (w *windowReader) readRecomputeWindow() {
	r := &catalog.RecomputeWindow{Reset: w.readResetGrain(), RequireFullWindow: w.readBoolOrFalse("require_full_window")}
	w.out.Spec.Recompute = r
	if n := w.findMember("periods"); n != nil && n.kind == jsonString && n.text == "unbounded" && w.findMember("span") == nil {
		r.Unbounded = true
	} else {
		r.Periods, r.Span = w.readPeriodsOrSpan("a recomputed window", `how many buckets the window spans, or "unbounded"`)
	}
	if n := w.findMember("reset"); n != nil && !r.Unbounded {
		w.addInvalidError(n, `reset is for "periods": "unbounded"`)
	}
	if n := w.findMember("require_full_window"); n != nil && (r.Unbounded || r.Span != nil) {
		w.addInvalidError(n, "require_full_window is for a number of periods")
	}
}

// readPeriodsOrSpan reads how far a window reaches: a number of buckets, or in its place a length of time.
func (w *windowReader) readPeriodsOrSpan(subject, absence string) (periods catalog.WindowCountOrParam, span *catalog.WindowSpan) {
	n := w.findMember("span")
	switch {
	case n == nil && w.findMember("periods") == nil:
		w.findRequiredMember("periods", absence)
	case n == nil:
		return w.readCountOrParamSlot("periods", &w.out.Slots), nil
	case w.findMember("periods") != nil:
		w.addInvalidError(n, "%s has periods or a span, not both", subject)
	default:
		if o, ok := w.openMember("span"); ok {
			span = &catalog.WindowSpan{Count: o.readCountOrParamSlot("count", &w.out.Slots)}
			span.Grain, w.out.Granularity = o.readGrainOrPeriod("granularity")
		}
	}
	return periods, span
}
