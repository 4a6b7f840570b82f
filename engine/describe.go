package engine

import "context"

// Metric describes one metric. An unknown one is a *PlanError of code
// unknown_metric; one that did not compile is its *CompileError; the end of ctx is an
// *ExecuteError of code timeout.
func (e *Engine) Metric(ctx context.Context, name string) (info MetricInfo, err error) {
	defer e.contain(&err)
	m := e.cat.Metric(name)
	switch {
	case m == nil:
		return MetricInfo{}, e.unknownMetric(name)
	case m.Err != nil:
		return MetricInfo{}, m.Err
	}
	if err := ctx.Err(); err != nil {
		return MetricInfo{}, e.unplanned(ctx, err)
	}
	return e.metricInfo(m), nil
}

// AIContext is what the model's author tells programs that ask questions in
// words: a text or an object, as the document has it; nil when there is none.
func (e *Engine) AIContext() any { return e.cat.AIContext }
