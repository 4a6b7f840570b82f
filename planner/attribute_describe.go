package planner

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/params"
	"github.com/semlayer/semlayer/planner/query"
)

// Attributable reports whether a change of a metric between two months can be
// split between the values of a dimension. Parameters without a default are
// taken at some value that they allow.
func (p *Planner) Attributable(metric string, t Target) bool {
	a := &attributing{planner: p, target: t, out: &Attribution{}, q: &query.AttributeQuery{
		Metric:   metric,
		Baseline: &query.TimeRange{Start: "2024-01-01", End: "2024-02-01"},
		Current:  &query.TimeRange{Start: "2024-02-01", End: "2024-03-01"},
	}}
	if a.findMetric() != nil || a.readWindows() != nil {
		return false
	}
	for _, d := range p.cat.AllParams(a.metric, t.Dialect) {
		if v, ok := params.Example(d); ok && d.Default == nil {
			a.q.Params = append(a.q.Params, query.ParamBinding{Name: d.Name, Values: []query.Value{v}})
		}
	}
	b, err := a.scratch()
	if err != nil {
		return false
	}
	if len(a.metric.Windowed(t.Dialect)) > 0 {
		mapped, err := a.classifyWindow(b)
		return err == nil && mapped
	}
	expr, err := b.value(a.metric, a.env(b))
	if err != nil {
		return false
	}
	a.classify(b, expr, func(id int) (*use, int) { return b.uses[id], 0 })
	return a.out.formula.Strategy != attribution.Unsupported
}

// Coefficients gives the coefficient of each operand of a metric's form, nil
// where the form is no linear combination of them.
func Coefficients(form sqlexpr.Expr, operands int) []float64 {
	formula := attribution.Classify(form, func(id int) attribution.Operand {
		return attribution.Operand{Kind: attribution.Additive, Leaf: id}
	})
	if formula.Strategy != attribution.TermWise {
		return nil
	}
	out := make([]float64, operands)
	for _, t := range formula.Sum.Terms {
		out[t.Leaf] = t.Coef
	}
	return out
}
