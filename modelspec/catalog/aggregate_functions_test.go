package catalog_test

import (
	"strings"
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
		if agg.Class().String() == "" {
			t.Errorf("%s has no class", agg)
		}
		// A function whose value is a number of a type that does not depend on the argument computes with numbers.
		if computes := sqlexpr.ResultTypeOfFunction(info.Fn, sqlexpr.TypeString) == sqlexpr.TypeFloat; computes && agg.Arguments() == catalog.AnyArguments {
			t.Errorf("%s computes with numbers, and takes any argument", agg)
		}
		ofGroups := agg.FunctionOfGroups()
		if lattice := ofGroups == sqlexpr.FnMin || ofGroups == sqlexpr.FnMax; lattice != (agg.Class() == catalog.ClassLattice) {
			t.Errorf("%s is %s, and %s combines its values", agg, agg.Class(), ofGroups)
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

// Each aggregate that the reference of the language describes is one of a measure, and its text and its row agree about no rows.
func TestAggregates_AreThoseOfTheReference(t *testing.T) {
	for _, f := range sqlexpr.FunctionReferences() {
		if f.Class != sqlexpr.ClassAggregate || f.Fn == sqlexpr.FnUnknown {
			continue // COUNT_IF is written with another
		}
		agg, ok := catalog.AggOfCall(&sqlexpr.Call{Fn: f.Fn})
		if !ok {
			t.Errorf("%s is no aggregate of a measure", f.Names[0])
			continue
		}
		if text := strings.Contains(f.Nulls, "0 over no values"); text != agg.IsZeroOverNoRows() {
			t.Errorf("%s is 0 over no rows: %v, and its text has %q", f.Names[0], agg.IsZeroOverNoRows(), f.Nulls)
		}
	}
}
