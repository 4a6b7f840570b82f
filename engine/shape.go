package engine

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
)

// attribution says whether a change of the metric can be attributed exactly.
func (e *Engine) attribution(m *catalog.Metric) string {
	if e.planner.Attributable(m.Name, e.targets[localDialect].planner) {
		return "exact"
	}
	return "unsupported"
}

// linearForm gives the coefficient of each operand of a linear form, nil for
// one that is not linear.
func linearForm(form *catalog.Form) []float64 {
	return planner.Coefficients(form.Expr, len(form.Operands))
}
