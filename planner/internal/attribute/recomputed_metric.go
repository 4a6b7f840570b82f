package attribute

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/measure"
)

// classifyRecomputedMetric reads a recomputed metric, whose base is a sum, as its base over those windows that a rolling or
// a cumulative sum reads; ok is false for any other window over an expression.
func (f querySetBuilder) classifyRecomputedMetric(s metricWithBoundParams) (out querySetBuilder, read metricArithmetic, ok bool, err error) {
	r := f.windows.request.metric.Window.Recompute
	if r == nil || r.Span != nil && r.Span.Period != nil || r.RequireFullWindow {
		return f, read, false, nil
	}
	at := f.windows.request.newMetricExpansionContext(s.bound)
	n, err := s.x.WindowParameter(f.windows.request.metric, at.Choice)
	if err != nil {
		return f, read, false, err
	}
	as, ok := f.windows.arithmeticOfRecomputedWindow(r, n)
	if !ok {
		return f, read, false, nil
	}
	at.Axis = measure.AxisOfMetric(f.windows.request.cat, f.windows.request.metric, nil)
	expr, err := measure.ValueWithoutWindow(s.x, f.windows.request.metric, at)
	if err != nil {
		return f, read, false, err
	}
	uses := s.x.MeasureRefs()
	for ref := range sqlexpr.Refs(expr) {
		if u := uses[ref.ID]; !u.Measure.Agg.Additive() || !f.windows.request.windowsRunOverAxis(s, u.Axis) {
			return f, read, false, nil
		}
	}
	read = f.windows.request.classifyArithmetic(s, expr, func(id int) (*measure.Ref, int) { return uses[id], 0 })
	if read.formula.Strategy != attribution.TermWiseStrategy {
		return f, metricArithmetic{}, false, nil
	}
	read.window = &attribution.WindowMapping{Family: f.windows.request.metric.Window.Family(), Calc: f.windows.request.metric.Window.FunctionOrCalculation(), Note: as.note}
	f.mapped, f.windows.ranges = true, f.windows.request.newTaggedRanges(as.windows)
	return f, read, true, nil
}

func (w attributionWindows) arithmeticOfRecomputedWindow(r *catalog.RecomputeWindow, n int) (windowMetricArithmetic, bool) {
	switch {
	case r.Unbounded:
		return w.arithmeticOfCumulativeWindow(r.Reset), true
	case r.Span != nil:
		return w.arithmeticOfSpan(r.Span.Grain, n)
	}
	return w.arithmeticOfRollingWindow(n)
}
