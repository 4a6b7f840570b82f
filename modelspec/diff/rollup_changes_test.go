package diff_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/diff"
)

const shopRollup = `{"name":"daily","of":"orders","source":"agg.daily","group_by":[{"field":"orders.ordered_on","grain":"month"}],"measures":[{"expression":"SUM(orders.amount)","column":"a"}]}`

// withRollups returns the shop with rollups.
func withRollups(t testing.TB, rollups string) string {
	t.Helper()
	if rollups == "" {
		return shop
	}
	return shop + "custom_extensions:\n  - {vendor_name: SEMLAYER, data: '{\"v\":\"1.10\",\"rollups\":[" + strings.ReplaceAll(rollups, "'", "''") + "]}'}\n"
}

// No change of a rollup changes a result, not even one that has an error.
func TestCompare_EveryChangeOfARollupIsCompatible(t *testing.T) {
	with := func(member string) string { return strings.TrimSuffix(shopRollup, "}") + "," + member + "}" }
	for _, c := range []struct{ before, after, want string }{
		{"", shopRollup, "daily added "},
		{shopRollup, "", "daily removed "},
		{shopRollup, strings.Replace(shopRollup, `"orders"`, `"order"`, 1), "daily removed "},
		{shopRollup, strings.Replace(shopRollup, "agg.daily", "agg.other", 1), "daily source agg.daily > agg.other"},
		{shopRollup, strings.Replace(shopRollup, "month", "year", 1), "daily group_by orders.ordered_on by month as ordered_on__month > orders.ordered_on by year as ordered_on__year"},
		{shopRollup, strings.Replace(shopRollup, `"a"`, `"b"`, 1), "daily measures SUM(orders.amount) as a > SUM(orders.amount) as b"},
		{shopRollup, with(`"where":"orders.status = 'paid'"`), "daily filter  > orders.status = 'paid'"},
		{shopRollup, with(`"as_of":"MIN(built_at)"`), "daily as_of  > MIN(built_at)"},
		{shopRollup, with(`"max_age":60`), "daily max_age  > 60"},
		{shopRollup, with(`"rows":1000`), "daily rows  > 1000"},
		{shopRollup, with(`"connections":[""]`), `daily connections  > ""`},
		{shopRollup, with(`"store":"local"`), "daily store connection > local"},
		{with(`"refresh":{"partition":"month"}`), with(`"refresh":{"partition":"year","lookback":2,"fresh":true,"indexes":[["a"]]}`), "daily refresh by month, lookback 1 > by year, lookback 2, fresh, index over a"},
		{shopRollup, with(`"description":"by day"`), "daily description  > by day"},
	} {
		found := entries(t, withRollups(t, c.before), withRollups(t, c.after))
		if len(found) != 1 {
			t.Errorf("%s: %d changes: %+v", c.want, len(found), found)
			continue
		}
		e := found[0]
		got := e.Name + " " + string(e.Property) + " " + e.Old
		if e.New != "" {
			got += " > " + e.New
		}
		if got != c.want || e.Class != diff.ClassCompatible || e.Object != diff.ObjectRollup || !strings.Contains(e.Location, ".data.rollups[0]") {
			t.Errorf("%s\n\tis the %s change of a %s at %s: %s", c.want, e.Class, e.Object, e.Location, got)
		}
	}
}
