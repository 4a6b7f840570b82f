package compile

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// checkAggregateArgumentType rejects arguments that some engines read as numbers or conditions and others do not take. Sums and means
// without DISTINCT take conditions too, which all engines but PostgreSQL read as 1 and 0.
func (l *metricLowering) checkAggregateArgumentType(call *sqlexpr.Call, agg catalog.Agg, arg sqlexpr.Expr) bool {
	if arg == nil {
		return true
	}
	t := sqlexpr.TypeOf(arg, l.typeOfReferencedField)
	var wanted, hint string
	switch agg {
	case catalog.AggMedian, catalog.AggPercentileCont, catalog.AggApproxPercentile:
		wanted, hint = "numbers", "PERCENTILE_DISC is one of the values, of any type"
	case catalog.AggStddevPop, catalog.AggStddevSamp, catalog.AggVarPop, catalog.AggVarSamp, catalog.AggSumDistinct, catalog.AggAvgDistinct:
		wanted, hint = "numbers", "cast the argument to a number"
	case catalog.AggSum, catalog.AggAvg:
		if t == sqlexpr.TypeBool {
			return true
		}
		wanted, hint = "numbers", "cast the argument to a number: CAST(x AS DECIMAL) is null where a string is not a number"
	case catalog.AggBoolAnd, catalog.AggBoolOr:
		wanted, hint = "conditions", "compare the argument with a value"
	default:
		return true
	}
	if t == sqlexpr.TypeUnknown || t.IsNumeric() == (wanted == "numbers") && (t == sqlexpr.TypeBool) == (wanted == "conditions") {
		return true
	}
	l.addErrorf(call, CodeUnsupportedAggregate, hint, "%s takes %s, and the argument of %s has the type %s", sqlexpr.InfoOfFunction(call.Fn).Name, wanted, quoteExpr(call), t)
	return false
}
