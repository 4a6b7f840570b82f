package compile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/extension"
)

func viewModel(views string) string { return expand(viewModelText(views)) }

func viewModelText(views string) string {
	return strings.TrimSpace(rollupShop) + "\n@ {\"v\":\"1.10\",\"views\":[" + views + "]}\n"
}

func viewMembers(v *catalog.View) (metrics, fields []string) {
	for _, m := range v.Metrics {
		metrics = append(metrics, m.Name)
	}
	for _, f := range v.Fields {
		fields = append(fields, f.Text())
	}
	return metrics, fields
}

func TestViews_HaveTheMembersThatTheyList(t *testing.T) {
	for views, want := range map[string]string{
		`{"name":"v"}`: "revenue quantity | orders.order_id orders.customer_id orders.bill_region orders.ship_region orders.status orders.amount orders.note orders.age orders.order_date orders.month items.item_id items.order_id items.quantity regions.region_id regions.region",
		`{"name":"v","metrics":["orders.*"],"fields":["orders.status","bill_to.*"]}`:                                                        "revenue | orders.status bill_to.region_id bill_to.region",
		`{"name":"v","metrics":["quantity","revenue"],"fields":["items.*"],"except":["items.order_id"]}`:                                    "revenue quantity | items.item_id items.quantity",
		`{"name":"v","metrics":[],"fields":["ship_to.region","bill_to.region"],"except":["ship_to.region"]}`:                                " | bill_to.region",
		`{"name":"v","metrics":[],"fields":["ship_to.region","orders.status"],"except":["regions.region"]}`:                                 " | orders.status",
		`{"name":"v","metrics":["revenue"],"fields":["regions.region"],"joins":["bill_to"]}`:                                                "revenue | regions.region",
		`{"name":"v","metrics":["revenue"],"fields":["orders.status"],"where":"bill_to.region = 'x'"}`:                                      "revenue | orders.status",
		`{"name":"v","metrics":["revenue","quantity"],"fields":["orders.status"],"joins":[],"where":"status = 'x' AND items.quantity > 1"}`: "revenue quantity | orders.status",
		`{"name":"v","metrics":["revenue"],"fields":["orders.status"],"hierarchies":[],"labels":{},"folders":[]}`:                           "revenue | orders.status",
		`{"name":"V","metrics":["revenue"],"fields":["orders.status"],"time_range":{"last":{"count":3,"granularity":"month"}}}`:             "revenue | orders.status",
	} {
		cat, err := compile.Compile(t.Context(), load(t, viewModel(views)), compile.Options{})
		if err != nil || len(cat.Errors) > 0 || cat.View("v") == nil {
			t.Fatal(views, err, cat.Errors)
		}
		metrics, fields := viewMembers(cat.View("v"))
		if got := strings.Join(metrics, " ") + " | " + strings.Join(fields, " "); got != want {
			t.Errorf("%s\nhas %s\nwant %s", views, got, want)
		}
	}
}

func TestViews_WriteTheNamesOfTheirConditions(t *testing.T) {
	cat, err := compile.Compile(t.Context(), load(t, viewModel(`{"name":"v","where":"status <> 'test' AND bill_to.region = 'x'","filters":["amount > 0"],`+
		`"labels":{"revenue":"Sales","ship_to.region":"Place"},"folders":[{"name":"a","items":["revenue"],"folders":[{"name":"b","items":["orders.status"],"folders":[{"name":"c","items":["items.quantity"]}]}]}],`+
		`"hierarchies":[{"name":"h","levels":["orders.month","orders.order_date"]}]}`)), compile.Options{})
	if err != nil || len(cat.Errors) > 0 {
		t.Fatal(err, cat.Errors)
	}
	v := cat.Views[0]
	if v.Where.Named != "orders.status <> 'test' AND bill_to.region = 'x'" || len(v.Where.Fields) != 2 || v.Filters[0].Named != "orders.amount > 0" || v.Filters[0].Text != "amount > 0" {
		t.Errorf("%+v %+v", v.Where, v.Filters)
	}
	if v.LabelOf("ship_to.region") != "Place" || v.LabelOf("quantity") != "" || v.Folders[0].Folders[0].Folders[0].Items[0] != "items.quantity" || !slices.Equal(v.Hierarchies[0].Levels, []string{"orders.month", "orders.order_date"}) {
		t.Errorf("%+v", v)
	}
}

func TestViews_WithErrorsDoNotExist(t *testing.T) {
	for member, want := range map[string]string{
		`"metrics":["revenu"]`:                                   `names "revenu", which is not a metric`,
		`"metrics":["order.*"]`:                                  `names "order.*", which is not a dataset with .*`,
		`"fields":["orders.statu"]`:                              `names "orders.statu", which is not a field`,
		`"fields":["status"]`:                                    "not the name of a field with its dataset",
		`"fields":["bil_to.*"]`:                                  "not a dataset or a relationship with .*",
		`"except":["orders.x"]`:                                  "not a field",
		`"joins":["bill"]`:                                       "not a relationship",
		`"where":"SUM(orders.amount) > 1"`:                       "cannot be used",
		`"where":"orders.statu = 'x'"`:                           "cannot be used",
		`"where":"region ="`:                                     "does not parse",
		`"filters":["orders.amount > :n"]`:                       "parameter slot :n",
		`"labels":{"nothing":"x"}`:                               `names "nothing", which is not a metric or a field of the view`,
		`"metrics":["revenue"],"labels":{"quantity":"x"}`:        `names "quantity", which is not a metric or a field of the view`,
		`"folders":[{"name":"a","items":["x"]}]`:                 "not a metric or a field of the view",
		`"hierarchies":[{"name":"a","levels":["orders.month"]}]`: "has 1 levels, and takes 2 to 10",
		`"time_range":"last"`:                                    "must be an object, as in a query",
		`"time_range":{"until":"2024-01-01"}`:                    "until",
		`"ai_context":3`:                                         "must be a string or an object",
		`"metric":[]`:                                            "metric",
	} {
		cat, err := compile.Compile(t.Context(), load(t, viewModel(`{"name":"v",`+member+`},{"name":"w"}`)), compile.Options{})
		if err != nil || len(cat.Errors) == 0 || cat.View("v") != nil || cat.View("w") == nil {
			t.Errorf("%s: %v %v", member, err, cat.Errors)
			continue
		}
		if e := cat.Errors[0]; !strings.Contains(e.Message, want) || !strings.Contains(e.Location, ".data.views[0]") || member[1] != 'w' && e.Code != extension.CodeInvalidPayload {
			t.Errorf("%s: %+v", member, e)
		}
	}
	for name, views := range map[string]string{
		"a dataset": `{"name":"orders"}`, "two views": `{"name":"v"},{"name":"V"}`, "a long name": `{"name":"` + strings.Repeat("a", 64) + `"}`, "a name": `{"name":"a b"}`,
	} {
		cat, err := compile.Compile(t.Context(), load(t, viewModel(views)), compile.Options{})
		if err != nil || len(cat.Errors) != 1 || len(cat.Views) > 0 {
			t.Errorf("%s: %v %v %d", name, err, cat.Errors, len(cat.Views))
		}
	}
}

func TestViews_WithoutOnePathKeepTheirError(t *testing.T) {
	for views, code := range map[string]string{
		`{"name":"v","fields":["regions.region"]}`:                                                                    compile.CodeAmbiguousJoinPath,
		`{"name":"v","metrics":["revenue"],"fields":["regions.*"],"joins":["bill_to","ship_to"]}`:                     compile.CodeAmbiguousJoinPath,
		`{"name":"v","metrics":["revenue"],"fields":["orders.status"],"where":"items.quantity > 1"}`:                  compile.CodeNoJoinPath,
		`{"name":"v","metrics":["revenue"],"fields":["orders.status"],"where":"status = 'x' AND items.quantity > 1"}`: compile.CodeNoJoinPath,
		`{"name":"v","metrics":["revenue"],"fields":["orders.status"],"where":"item_order.status = 'x'"}`:             compile.CodeNoJoinPath, // it leaves items, where no row of orders leads
	} {
		cat, err := compile.Compile(t.Context(), load(t, viewModel(views)), compile.Options{})
		if err != nil || cat.View("v") == nil {
			t.Fatal(views, err, cat.Errors)
		}
		got := ""
		if e := cat.View("v").Err; e != nil {
			got = e.Code
			if !slices.Contains(cat.Errors, e) || e.Hint == "" {
				t.Errorf("%s: %v", views, cat.Errors)
			}
		}
		if got != code {
			t.Errorf("%s: %q, want %q", views, got, code)
		}
	}
}
