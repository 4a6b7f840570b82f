package measure

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/planerr"
)

// calculatesWithNumbers reports whether a window adds, multiplies or divides values.
func calculatesWithNumbers(w *catalog.Window) bool {
	if w.Offset != nil {
		return w.Offset.Calculation == catalog.CalculationPercentChange || w.Offset.Calculation == catalog.CalculationRatio
	}
	switch w.Function() {
	case sqlexpr.FnMin, sqlexpr.FnMax, sqlexpr.FnCount:
		return false
	}
	return w.Rolling != nil || w.Cumulative != nil || w.Frame != nil
}

// checkWindowBaseType rejects a window that calculates with texts or times. Some engines read numbers out of them: the
// sum of two dates is 40480313 there.
func checkWindowBaseType(x *Expander, m *catalog.Metric, owner string, base sqlexpr.Type) error {
	function := m.Window.FunctionOrCalculation()
	switch {
	case base == sqlexpr.TypeString && function == catalog.CalculationDelta.String():
	case base != sqlexpr.TypeString && base != sqlexpr.TypeTime && !base.IsDateOrTimestamp():
		return nil
	case !calculatesWithNumbers(m.Window):
		return nil
	}
	return &planerr.Error{
		Code: planerr.CodeNotImplemented, Metrics: []string{owner}, SuggestedRetry: "leave out " + owner, Fragment: retry.DropMetric(x.in, owner),
		Message: "the window of " + m.Name + " calculates " + function + " of values of type " + base.String() + ", which are not numbers",
	}
}
