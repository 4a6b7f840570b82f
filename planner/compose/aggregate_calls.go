package compose

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/ranked"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// checkAggregateFunction checks an aggregate, also one that is a window function.
func (c expressionChecker) checkAggregateFunction(e *sqlexpr.Call) error {
	agg, known := catalog.AggOfCall(e)
	switch {
	case !known:
		return unsupportedFunctionError(e, callName(e)+" is not an aggregate: those are "+strings.Join(catalog.AggregateFunctionNames(), ", "))
	case len(e.Args) == 0:
		return nil
	}
	t := sqlTypeOf(e.Args[0], c.columns)
	problem := ColumnTypeMismatch
	switch {
	case t == sqltype.Unknown:
		return nil
	case agg == catalog.AggBoolAnd, agg == catalog.AggBoolOr:
		if t == sqltype.Boolean {
			return nil
		}
	case isOfNumbers(agg):
		if t.IsNumber() {
			return nil
		}
		if t == sqltype.Text {
			problem = StringArgument
		}
	case hasNoValueOfBooleans(agg):
		if t != sqltype.Boolean {
			return nil
		}
	default:
		return nil
	}
	return &Error{Problem: problem, Message: callName(e) + " of values of type " + t.String(), At: e}
}

// isOfNumbers reports whether an aggregate computes with numbers.
func isOfNumbers(agg catalog.Agg) bool {
	switch agg.Arguments() {
	case catalog.NumberArguments, catalog.NumberOrConditionArguments, catalog.InterpolatedArguments:
		return true
	}
	return false
}

// hasNoValueOfBooleans reports whether an aggregate takes a value by an order, which booleans do not have on every engine.
func hasNoValueOfBooleans(agg catalog.Agg) bool {
	switch agg {
	case catalog.AggMin, catalog.AggMax, catalog.AggPercentileDisc:
		return true
	}
	return false
}

// callOnTarget returns an aggregate as the target computes it.
func (c *Composer) callOnTarget(e *sqlexpr.Call, columns []sizedColumn) (*sqlexpr.Call, error) {
	agg, _ := catalog.AggOfCall(e)
	if c.caps.NoAggregate.Has(e.Fn) {
		return nil, &planerr.Error{Code: planerr.CodeDialectUnsupportedAggregate, Message: "dialect " + c.dialect + " has no aggregate " + callName(e)}
	}
	if len(e.Args) == 0 {
		return e, nil
	}
	declared := aggregates.DeclareArgumentType(&c.caps, agg, e.Args[0], func() sqlexpr.Type { return sqlTypeOf(e.Args[0], columns).Logical() })
	if declared == e.Args[0] {
		return aggregates.ExactWithoutSketch(&c.caps, e), nil
	}
	out := *e
	out.Args = make([]sqlexpr.Expr, len(e.Args))
	for i, arg := range e.Args {
		if out.Args[i] = arg; sqlexpr.Equal(arg, e.Args[0]) {
			out.Args[i] = declared
		}
	}
	return aggregates.ExactWithoutSketch(&c.caps, &out), nil
}

// replaceMissingAggregates returns a grouping whose percentiles and lists the target has.
func (c *Composer) replaceMissingAggregates(n plan.Node) plan.Node {
	return ranked.ReplaceMissingAggregates(n, &c.caps)
}
