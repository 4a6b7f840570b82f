package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
)

// windowFunctionsOfNumbers are the functions and calculations of windows that add, multiply or divide values.
var windowFunctionsOfNumbers = []string{
	"sum", "avg", "stddev_pop", "stddev_samp", "var_pop", "var_samp", "covar_pop", "covar_samp", "corr", "percent_change", "ratio",
}

// checkWindowBaseType rejects a window that calculates with texts or times. Some engines read numbers out of them: the
// sum of two dates is 40480313 there.
func checkWindowBaseType(x *Expander, m *catalog.Metric, owner string, base sqlexpr.Type) error {
	function := m.Window.Function()
	switch {
	case base == sqlexpr.TypeString && function == "delta":
	case base != sqlexpr.TypeString && base != sqlexpr.TypeTime && !base.IsDateOrTimestamp():
		return nil
	case !slices.Contains(windowFunctionsOfNumbers, function):
		return nil
	}
	return &planerr.Error{
		Code: planerr.CodeNotImplemented, Metrics: []string{owner}, SuggestedRetry: "leave out " + owner, Fragment: dropMetricRetry(x.in, owner),
		Message: "the window of " + m.Name + " calculates " + function + " of values of type " + base.String() + ", which are not numbers",
	}
}

// bucketDifference returns the value of a bucket less that of another one: for dates the days between them.
func (w windowPlanner) bucketDifference(value, other sqlexpr.Expr) sqlexpr.Expr {
	switch t := w.baseType; {
	case t == sqlexpr.TypeDate:
		return sqlexpr.DaysBetween(sqlexpr.Position(value.Pos()), other, value)
	case t.IsDateOrTimestamp() || t == sqlexpr.TypeTime:
		// A dialect without a difference of timestamps rejects operands of this type.
		return &sqlexpr.Binary{Op: sqlexpr.OpSub, L: castToType(value, t), R: castToType(other, t)}
	}
	return &sqlexpr.Binary{Op: sqlexpr.OpSub, L: value, R: other}
}

func castToType(x sqlexpr.Expr, t sqlexpr.Type) sqlexpr.Expr {
	return &sqlexpr.Cast{X: x, To: sqlexpr.TypeName{Type: t}}
}
