package catalog_test

import (
	"testing"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func TestAggregates_EachRowIsComplete(t *testing.T) {
	names := map[string]bool{}
	for _, agg := range catalog.Aggregates() {
		if agg.String() == "" || agg.Noun() == "" || agg.Function() == sqlexpr.FnUnknown || names[agg.String()] {
			t.Errorf("the aggregate %d has no name of its own, no noun or no function", agg)
		}
		names[agg.String()] = true
		info := sqlexpr.InfoOfFunction(agg.Function())
		if info.Class != sqlexpr.ClassAggregate || sqlexpr.ResultTypeOfFunction(info.Fn, sqlexpr.TypeInt) == sqlexpr.TypeUnknown {
			t.Errorf("%s: the function %s is not an aggregate with a type", agg, info.Name)
		}
		if agg.Class() == catalog.ClassAlgebraic && agg.Decomposition() == catalog.NotDecomposed {
			t.Errorf("%s is algebraic, and has no parts", agg)
		}
		call := &sqlexpr.Call{Fn: agg.Function(), Distinct: (&catalog.Measure{Agg: agg}).AggregateCall(nil, nil).Distinct}
		if found, ok := catalog.AggOfCall(call); !ok || found != agg {
			t.Errorf("%s: its call is the one of %s", agg, found)
		}
	}
}
