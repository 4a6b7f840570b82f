package diff_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/diff"
)

// byRegion returns the shop with a metric that reads the region behind a name, and a field that does.
func byRegion(t *testing.T, name, relationship string) string {
	return edited(t,
		"  - {name: order_count,", "  - {name: north, expression: {dialects: [{dialect: ANSI_SQL, expression: \"SUM(CASE WHEN "+name+".region = 'north' THEN orders.amount END)\"}]}}\n  - {name: order_count,",
		"      - {name: status,", "      - {name: region, datatype: String, expression: {dialects: [{dialect: ANSI_SQL, expression: "+name+".region}]}}\n      - {name: status,",
		"{name: buyer,", "{name: "+relationship+",")
}

func TestCompare_PathOfAJoinedField(t *testing.T) {
	of := func(list []diff.Entry, object string) bool {
		return slices.ContainsFunc(list, func(e diff.Entry) bool { return string(e.Object)+" "+e.Name == object })
	}
	if got := entries(t, byRegion(t, "customers", "buyer"), byRegion(t, "buyer", "buyer")); len(got) > 0 {
		t.Errorf("the only path, written out, is a change: %+v", got)
	}
	renamed := entries(t, byRegion(t, "buyer", "buyer"), byRegion(t, "client", "client"))
	if of(renamed, "metric north") || of(renamed, "field orders.region") {
		t.Errorf("a renamed relationship changes what it leads to: %+v", renamed)
	}
	both := func(name string) string {
		return strings.Replace(byRegion(t, name, "buyer"), "relationships:\n", "relationships:\n  - {name: payer, from: orders, to: customers, from_columns: [order_id], to_columns: [customer_id]}\n", 1)
	}
	other := entries(t, both("buyer"), both("payer"))
	if !of(other, "metric north") || !of(other, "field orders.region") {
		t.Errorf("another path is no change: %+v", other)
	}
}
