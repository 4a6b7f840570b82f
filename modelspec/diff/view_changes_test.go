package diff_test

import (
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/diff"
)

const shopView = `{"name":"sales","metrics":["revenue"],"fields":["orders.status","orders.amount"]}`

// withViews returns the shop with views.
func withViews(views string) string {
	if views == "" {
		return shop
	}
	return shop + "custom_extensions:\n  - {vendor_name: SEMLAYER, data: '{\"v\":\"1.10\",\"views\":[" + strings.ReplaceAll(views, "'", "''") + "]}'}\n"
}

func TestCompare_ChangesOfAView(t *testing.T) {
	with := func(member string) string { return strings.TrimSuffix(shopView, "}") + "," + member + "}" }
	for _, c := range []struct {
		before, after, want string
		class               diff.ChangeClass
	}{
		{"", shopView, "sales added ", diff.ClassCompatible},
		{shopView, "", "sales removed ", diff.ClassBreaking},
		{shopView, strings.Replace(shopView, `"orders.status",`, "", 1), "sales fields orders.status, orders.amount > orders.amount", diff.ClassBreaking},
		{strings.Replace(shopView, `"orders.status",`, "", 1), shopView, "sales fields orders.amount > orders.status, orders.amount", diff.ClassCompatible},
		{shopView, strings.Replace(shopView, `"revenue"`, "", 1), "sales metrics revenue > ", diff.ClassBreaking},
		{strings.Replace(shopView, `"revenue"`, "", 1), shopView, "sales metrics  > revenue", diff.ClassCompatible},
		{shopView, with(`"joins":[]`), "sales joins all > ", diff.ClassChanged},
		{shopView, with(`"where":"orders.status = 'paid'"`), "sales filter  > orders.status = 'paid'", diff.ClassChanged},
		{shopView, with(`"filters":["orders.amount > 1"]`), "sales filters  > orders.amount > 1", diff.ClassChanged},
		{shopView, with(`"time_range":{"start":"2024-01-01"}`), `sales time_range  > {"start":"2024-01-01"}`, diff.ClassChanged},
		{shopView, with(`"label":"Sales"`), "sales label  > Sales", diff.ClassCompatible},
		{shopView, with(`"description":"for people"`), "sales description  > for people", diff.ClassCompatible},
		{shopView, with(`"labels":{"revenue":"R"}`), `sales labels  > [{"Of":"revenue","Text":"R"}]`, diff.ClassCompatible},
		{shopView, with(`"hierarchies":[{"name":"h","levels":["orders.status","orders.amount"]}]`), `sales hierarchies  > [{"Name":"h","Levels":["orders.status","orders.amount"]}]`, diff.ClassCompatible},
	} {
		found := entries(t, withViews(c.before), withViews(c.after))
		if len(found) != 1 {
			t.Errorf("%s: %d changes: %+v", c.want, len(found), found)
			continue
		}
		e := found[0]
		got := e.Name + " " + string(e.Property) + " " + e.Old
		if e.New != "" || strings.HasSuffix(c.want, " > ") {
			got += " > " + e.New
		}
		if got != c.want || e.Class != c.class || e.Object != diff.ObjectView || !strings.Contains(e.Location, ".data.views[0]") {
			t.Errorf("%s\n\tis the %s change of a %s at %s: %s", c.want, e.Class, e.Object, e.Location, got)
		}
	}
}
