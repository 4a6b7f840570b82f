package access

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A reader has the part of a view that they may see. Where that is empty, or a condition of the view needs a hidden field, the view does not
// exist.
func TestViews_AreThePartOfAReader(t *testing.T) {
	const atMetrics = "    metrics:\n"
	withViews := func(views string) string {
		return "    custom_extensions:\n      - vendor_name: SEMLAYER\n        data: >-\n          {\"v\": \"1.10\", \"views\": [" + views + "]}\n" + atMetrics
	}
	db := engines["duckdb"](t)
	declared := openWith(t, db, withoutAmountPolicies, atMetrics, withViews(`
            {"name": "sales", "metrics": ["revenue", "order_count"], "fields": ["orders.status", "orders.amount", "products.category"], "joins": ["orders_products"],
             "labels": {"orders.amount": "Amount", "orders.status": "Status"}, "folders": [{"name": "Money", "items": ["revenue"]}], "where": "orders.status <> 'test'"},
            {"name": "money", "metrics": ["revenue"], "fields": ["orders.amount"]},
            {"name": "large", "metrics": ["order_count"], "where": "orders.amount > 100"},
            {"name": "costs", "metrics": ["order_count"], "filters": ["products.unit_cost > 1"]},
            {"name": "goods", "metrics": [], "fields": ["products.*"]}`))
	reader, err := as(t, declared, withoutAmountPolicies, `{"roles": ["r"]}`)
	if err != nil {
		t.Fatal(err)
	}
	reduced := openWith(t, db, "version: 1\n", atMetrics, withViews(`
            {"name": "sales", "metrics": ["order_count"], "fields": ["orders.status"], "joins": [], "labels": {"orders.status": "Status"}, "where": "orders.status <> 'test'"}`))
	if diff := cmp.Diff(textOf(t, reduced.Views()), textOf(t, reader.Views())); diff != "" {
		t.Errorf("- is a model without what is hidden\n%s", diff)
	}
	relations := map[string]bool{}
	for _, r := range reader.Relations() {
		relations[r.Name] = true
		if r.Name == "sales" && len(r.Columns) != 3 {
			t.Errorf("%+v", r.Columns)
		}
	}
	if !relations["sales"] || relations["money"] || relations["large"] || relations["costs"] || relations["goods"] {
		t.Errorf("%v", relations)
	}
	for body, want := range map[string]string{
		`{"view":"sales","metrics":["order_count"],"group_by":[{"field":"status"}],"order_by":[{"key":"status"}]}`: `[{"status":"cancelled","order_count":2},{"status":"completed","order_count":4}]`,
		`{"view":"sales","metrics":["revenue"]}`:                                                "unknown_metric",
		`{"view":"sales","metrics":["order_count"],"where_sql":"orders.amount > 1"}`:            "unknown_dimension",
		`{"view":"sales","metrics":["order_count"],"group_by":[{"field":"products.category"}]}`: "unknown_dimension",
		`{"view":"money","metrics":["order_count"]}`:                                            "unknown_view",
		`{"view":"large","metrics":["order_count"]}`:                                            "unknown_view",
		`{"view":"costs","metrics":["order_count"]}`:                                            "unknown_view",
	} {
		if got := ask(t, reader, body); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	if got := ask(t, reader, `{"sql":"SELECT status, order_count FROM sales GROUP BY 1 ORDER BY 1"}`); got != `[{"status":"cancelled","order_count":2},{"status":"completed","order_count":4}]` {
		t.Error(got)
	}
}
