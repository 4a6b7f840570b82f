package attribute

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/params"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// IsAttributable reports whether a change of a metric between two months can be
// split between the values of a dimension. Parameters without a default are
// taken at some value that they allow. It is false too when ctx ends first.
func IsAttributable(ctx context.Context, cat *catalog.Catalog, name string, t plan.Target) bool {
	q := &query.AttributeQuery{
		Metric:   name,
		Baseline: &query.TimeRange{Start: "2024-01-01", End: "2024-02-01"},
		Current:  &query.TimeRange{Start: "2024-02-01", End: "2024-03-01"},
	}
	if m := cat.Metric(name); m != nil {
		for _, d := range cat.ParamsOfMetric(m, t.Dialect) {
			if v, ok := params.ExampleValue(d); ok && d.Default == nil {
				q.Params = append(q.Params, query.ParamBinding{Name: d.Name, Values: []query.ParamValue{v}})
			}
		}
	}
	r, err := newAttributionRequest(ctx, cat, q, t)
	if err != nil {
		return false
	}
	w, err := r.readWindows()
	if err != nil {
		return false
	}
	s, err := r.newMetricWithBoundParams()
	if err != nil {
		return false
	}
	if len(r.metric.WindowedMetrics(t.Dialect)) > 0 {
		_, _, mapped, err := querySetBuilder{windows: w}.classifyWindowMetric(s)
		return err == nil && mapped
	}
	expr, err := s.x.MetricValue(r.metric, r.newMetricExpansionContext(s.bound))
	if err != nil {
		return false
	}
	read := r.classifyArithmetic(s, expr, func(id int) (*measure.Ref, int) { return s.x.MeasureRefs()[id], 0 })
	return read.formula.Strategy != attribution.UnsupportedStrategy
}
