package compile

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// checkAggregateArgumentType rejects arguments that some engines read as numbers or conditions and others do not take.
func (l *metricLowering) checkAggregateArgumentType(call *sqlexpr.Call, agg catalog.Agg, arg sqlexpr.Expr) bool {
	if arg == nil {
		return true
	}
	t := sqlexpr.TypeOf(arg, l.typeOfReferencedField)
	var wanted, hint string
	switch agg.Arguments() {
	case catalog.InterpolatedArguments:
		wanted, hint = "numbers", "PERCENTILE_DISC is one of the values, of any type"
	case catalog.NumberArguments:
		wanted, hint = "numbers", "cast the argument to a number"
	case catalog.NumberOrConditionArguments:
		if t == sqlexpr.TypeBool {
			return true
		}
		wanted, hint = "numbers", sqlexpr.NumberCastHint
	case catalog.ConditionArguments:
		wanted, hint = "conditions", "compare the argument with a value"
	case catalog.AnyArguments:
		return true
	}
	if t == sqlexpr.TypeUnknown || t.IsNumeric() == (wanted == "numbers") && (t == sqlexpr.TypeBool) == (wanted == "conditions") {
		return true
	}
	l.addErrorf(call, CodeUnsupportedAggregate, hint, "%s takes %s, and the argument of %s has the type %s", sqlexpr.InfoOfFunction(call.Fn).Name, wanted, quoteExpr(call), t)
	return false
}
