package compile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
)

// followed is a model with a fault, words of the hint that the fault has, and the model
// after the hint was followed.
type followed struct{ kind, before, after string }

// joined is the shop with a query as the source of orders, as a hint demands it: the
// region of the customer is a column of each order.
var joined = strings.Replace(strings.Replace(shop,
	"    source: main.orders\n", "    source: SELECT o.*, c.region FROM main.orders o LEFT JOIN customers c ON c.customer_id = o.customer_id\n", 1),
	"      ~ amount: amount\n", "      ~ region: region\n      ~ amount: amount\n", 1)

// apart is the shop with nothing that leads from orders to customers.
var apart = apartWith("")

func apartWith(field string) string {
	return strings.Replace(withOrderField(field), "  - {name: orders_to_customers, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id]}\n", "", 1)
}

const lodByCustomer = `{"v": "1.10", "lod": {"grain": ["customer_id"]}}`

func withOrderField(short string) string {
	return strings.Replace(shop, "      ~ amount: amount\n", "      "+short+"\n      ~ amount: amount\n", 1)
}

// modelWithMetric returns the shop, or a variant of it, with one metric and its payload.
func modelWithMetric(model, expression, payload string) string {
	text := model + "metrics:\n  ~ revenue: SUM(orders.amount)\n  ~ m: " + expression + "\n"
	if payload != "" {
		text += "    @ " + payload + "\n"
	}
	return text
}

var hints = []followed{
	{"wrap it in SUM(...)", modelWithMetric(shop, "orders.amount * 2", ""), modelWithMetric(shop, "SUM(orders.amount * 2)", "")},
	{"a metric aggregates fields: SUM(dataset.field)", modelWithMetric(shop, "1 + 2", ""), modelWithMetric(shop, "SUM(orders.amount)", "")},
	{"aggregate it: SUM(...)", modelWithMetric(shop, "SUM(orders.amount) - orders.order_id", ""), modelWithMetric(shop, "SUM(orders.amount) - MIN(orders.order_id)", "")},
	{"aggregate a field of a dataset", modelWithMetric(shop, "SUM(1)", ""), modelWithMetric(shop, "SUM(orders.amount)", "")},
	{"as in COUNT(orders.order_id)", modelWithMetric(shop, "COUNT(*)", ""), modelWithMetric(shop, "COUNT(orders.order_id)", "")},
	{"the aggregates are ANY_VALUE", modelWithMetric(shop, "MODE(orders.amount)", ""), modelWithMetric(shop, "AVG(orders.amount)", "")},
	{"qualify it as `dataset.field`", modelWithMetric(shop, "SUM(tax)", ""),
		modelWithMetric(withOrderField("~ tax: tax"), "SUM(orders.tax)", "")},
	{"the key at aggregates the values that a metric has", modelWithMetric(shop, "AVG(revenue)", ""),
		modelWithMetric(shop, "SUM(orders.amount)", `{"v": "1.10", "derive": {"type": "at", "expr": "AVG(revenue)", "include": ["orders.customer_id"]}}`)},
	{"compute the inner value for other groups with the key at", modelWithMetric(shop, "AVG(COUNT(orders.order_id))", ""),
		modelWithMetric(shop, "COUNT(orders.order_id)", `{"v": "1.10", "derive": {"type": "at", "expr": "AVG(COUNT(orders.order_id))", "include": ["orders.customer_id"]}}`)},
	{"or per row in a field with an lod grain", modelWithMetric(shop, "SUM(COUNT(orders.order_id))", ""),
		modelWithMetric(withField("order_total", "COUNT(orders.order_id)", lodByCustomer), "SUM(customers.order_total)", "")},
	{"declare a window on a plain metric", modelWithMetric(shop, "SUM(orders.amount) OVER ()", ""),
		modelWithMetric(shop, "SUM(orders.amount)", `{"v": "1.9", "window": {"frame": {"function": "sum", "scope": "partition"}}}`)},
	{"let the source of the dataset select the value", modelWithMetric(shop, "SUM(LAG(orders.amount) OVER (ORDER BY orders.order_date))", ""),
		modelWithMetric(strings.Replace(withOrderField("~ before: before"), "source: main.orders", "source: SELECT *, LAG(amount) OVER (ORDER BY order_date) AS before FROM main.orders", 1), "SUM(orders.before)", "")},
	{"aggregate fields, or let the source", modelWithMetric(shop, "(SELECT MAX(amount) FROM orders)", ""), modelWithMetric(shop, "MAX(orders.amount)", "")},
	{"declare a derived metric; parameters stand in its where or expr", modelWithMetric(shop, "SUM(orders.amount * :t)", ""),
		modelWithMetric(shop, "SUM(orders.amount)", `{"v": "1.9", "derive": {"type": "compose", "expr": "revenue * :t"}, "params": [{"name": "t", "type": "int", "min": 0}]}`)},

	{"split it into one aggregate per dataset", modelWithMetric(shop, "SUM(customers.customer_id - products.unit_cost)", ""), modelWithMetric(shop, "SUM(customers.customer_id) - SUM(products.unit_cost)", "")},
	{"make the source of customers a query that joins orders and selects the value",
		modelWithMetric(apart, "SUM(CASE WHEN customers.region = 'north' THEN orders.amount END)", ""),
		modelWithMetric(joined, "SUM(CASE WHEN orders.region = 'north' THEN orders.amount END)", "")},
	{"make the source of orders a query that joins customers and selects the value", apartWith("~ region: customers.region"), joined},
	{"make the source of orders a query that joins customers and selects the value", apartWith("~ north: CASE WHEN customers.region = 'north' THEN 1 END"), joined},
	{"make the source of orders a query that joins customers and selects the value",
		modelWithMetric(apart, "SUM(orders.amount)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "customers.region = 'north'"}}`),
		modelWithMetric(joined, "SUM(CASE WHEN orders.region = 'north' THEN orders.amount END)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "region = 'north'"}}`)},
	{"aggregate the rows of orders in a field of customers with an lod block, and name that field", withField("spent", "orders.amount", `{"v": "1.9", "is_dimension": true}`), withField("spent", "SUM(orders.amount)", lodByCustomer)},
	{"give the metric the dataset whose rows it counts, as in \"dataset\": \"orders\"", modelWithMetric(shop, "MIN(customers.region || products.category)", ""),
		modelWithMetric(shop, "MIN(customers.region || products.category)", `{"v": "1.10", "dataset": "orders"}`)},
	{"declare primary_key: [customer_id] on the dataset customers", modelWithMetric(strings.Replace(shop, "    primary_key: [customer_id]\n", "", 1), "SUM(CASE WHEN customers.region = 'x' THEN orders.amount END)", ""),
		modelWithMetric(shop, "SUM(CASE WHEN customers.region = 'x' THEN orders.amount END)", "")},
	{"begin the name with one of the paths: ordered_on.weekday", modelWithMetric(roles(`{"v": "1.10", "lod": {"grain": ["day"], "via": ["ordered_on"]}}`), "SUM(CASE WHEN calendar.weekday = 'x' THEN orders.amount END)", ""),
		modelWithMetric(roles(`{"v": "1.10", "lod": {"grain": ["day"], "via": ["ordered_on"]}}`), "SUM(CASE WHEN ordered_on.weekday = 'x' THEN orders.amount END)", "")},
	{"a path names relationships, each of which leaves the dataset at which the one before it ends", modelWithMetric(roles(`{"v": "1.10", "lod": {"grain": ["day"], "via": ["ordered_on"]}}`), "SUM(CASE WHEN ordered_on.shipped_on.weekday = 'x' THEN orders.amount END)", ""),
		modelWithMetric(roles(`{"v": "1.10", "lod": {"grain": ["day"], "via": ["ordered_on"]}}`), "SUM(CASE WHEN shipped_on.weekday = 'x' THEN orders.amount END)", "")},
	{"leave the field out", withOrderField(`~ region: MAX(customers.region)` + "\n        @ " + `{"v": "1.9", "lod": {"grain": ["order_id"]}}`), shop},
	{"declare primary_key: [customer_id] on the dataset customers", strings.Replace(withField("spent", "SUM(orders.amount)", lodByCustomer), "    primary_key: [customer_id]\n", "", 1),
		withField("spent", "SUM(orders.amount)", lodByCustomer)},
	{"declare a relationship from products to customers", withField("cost", "SUM(products.unit_cost)", lodByCustomer),
		withField("cost", "SUM(products.unit_cost)", lodByCustomer) + "  - {name: made_for, from: products, to: customers, from_columns: [product_id], to_columns: [customer_id]}\n"},
	{`"via": ["ordered_on"]`, roles(`{"v": "1.10", "lod": {"grain": ["day"]}}`), roles(`{"v": "1.10", "lod": {"grain": ["day"], "via": ["ordered_on"]}}`)},
	{"name fields of datasets that one path from orders leads to", roles(`{"v": "1.10", "lod": {"grain": ["day"], "via": ["ordered_on"], "where": "zones.zone = 'x'"}}`),
		roles(`{"v": "1.10", "lod": {"grain": ["day"], "via": ["ordered_on"], "where": "orders.amount > 1"}}`)},

	{"choose one name for each aggregate",
		derived("SUM(amount)", `{"v": "1.9", "measure": {"name": "n"}, "requires": ["measure"]}`) + "  ~ y: SUM(amount)\n    @ {\"v\": \"1.9\", \"measure\": {\"name\": \"o\"}, \"requires\": [\"measure\"]}\n",
		derived("SUM(amount)", `{"v": "1.9", "measure": {"name": "n"}, "requires": ["measure"]}`) + "  ~ y: SUM(amount)\n    @ {\"v\": \"1.9\", \"measure\": {\"name\": \"n\"}, \"requires\": [\"measure\"]}\n"},
	{"break the circle", metricsOf("~ a: b * 2\n  ~ b: 1 + a"), metricsOf("~ a: b * 2\n  ~ b: 1 + SUM(amount)")},
	{"write the expression as `SUM(CASE WHEN orders.status = 'x' THEN orders.amount END)`",
		derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "status = 'x'"}}`),
		derived("SUM(CASE WHEN orders.status = 'x' THEN orders.amount END)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "status = 'x'"}}`)},
	{"filter the aggregates it is made of and combine the results in a compose",
		derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "filter", "base": "ratio", "where": "TRUE"}}`),
		derived("SUM(CASE WHEN TRUE THEN amount END)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "TRUE"}}`) +
			"  ~ y: SUM(CASE WHEN TRUE THEN amount END) / COUNT(order_id)\n    @ {\"v\": \"1.9\", \"derive\": {\"type\": \"compose\", \"expr\": \"x / order_count\"}}\n"},
	{"declare the aggregate as a separate metric with this window, and combine it in a compose",
		metricsOf("~ m: SUM(amount) / COUNT(order_id)\n    @ {\"v\": \"1.9\", \"window\": {\"type\": \"cumulative\"}}"),
		metricsOf("~ so_far: SUM(amount)\n    @ {\"v\": \"1.9\", \"window\": {\"type\": \"cumulative\"}}\n  ~ n: COUNT(order_id)\n  ~ m: so_far / n")},
	{"use the type at, which aggregates the values of other groups", derived("SUM(amount)", `{"v": "1.10", "derive": {"type": "reagg"}}`),
		derived("SUM(amount)", `{"v": "1.10", "derive": {"type": "at", "expr": "AVG(SUM(orders.amount))", "include": ["orders.customer_id"]}}`)},
	{"or an lod field, which aggregates per grain key", derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "reagg"}}`), withField("spent", "SUM(orders.amount)", lodByCustomer)},
	{"add an entry with dialect ANSI_SQL",
		"datasets:\n  - name: d\n    source: t\n    fields:\n      - {name: f, expression: {dialects: [{dialect: MAQL, expression: x}]}}\n      ~ g: f + 1\n",
		"datasets:\n  - name: d\n    source: t\n    fields:\n      - {name: f, expression: {dialects: [{dialect: MAQL, expression: x}, {dialect: ANSI_SQL, expression: x}]}}\n      ~ g: f + 1\n"},
	{"keep one of the two", shop + "  - {name: r, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id], cardinality: many_to_one, custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\":\"1.9\",\"cardinality\":\"one_to_one\"}'}]}\n",
		shop + "  - {name: r, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id], cardinality: many_to_one}\n"},
	{"it belongs on a metric", shop + "custom_extensions: [{vendor_name: SEMLAYER, data: '{\"window\": {\"type\": \"cumulative\"}}'}]\n", windowOver("SUM(amount)", `{"type": "cumulative"}`)},
	{"write the object as JSON in a string", shop + "custom_extensions: [{vendor_name: SEMLAYER, data: {v: \"1.9\"}}]\n", shop + "custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.9\"}'}]\n"},
	{"write a condition over fields that the rows of a metric lead to, or add such a metric",
		viewModelText(`{"name":"v","metrics":["revenue"],"where":"items.quantity > 1"}`), viewModelText(`{"name":"v","metrics":["revenue"],"where":"orders.amount > 1"}`)},
	{`did you mean "window"?`, metricsOf("~ m: SUM(amount)\n    @ {\"v\": \"1.9\", \"widow\": {\"type\": \"cumulative\"}}"), windowOver("SUM(amount)", `{"type": "cumulative"}`)},
	{"the keys are v, requires, dataset", metricsOf("~ m: SUM(amount)\n    @ {\"v\": \"1.9\", \"telepathy\": 1}"), metricsOf("~ m: SUM(amount)\n    @ {\"v\": \"1.9\", \"dataset\": \"orders\"}")},
}

func TestHints_LeadToAModelWithoutTheFault(t *testing.T) {
	for _, h := range hints {
		t.Run(h.kind, func(t *testing.T) {
			before := compiled(t, h.before)
			if !slices.ContainsFunc(hintsOf(before), func(hint string) bool { return strings.Contains(hint, h.kind) }) {
				t.Errorf("no error has the hint, but %q", hintsOf(before))
			}
			sound(t, h.after)
		})
	}
}

func hintsOf(c *catalog.Catalog) []string {
	var out []string
	for _, e := range c.Errors {
		out = append(out, e.Hint)
	}
	return out
}

// Every hint in words of the models that raise the codes is of a kind that the test
// above follows; the others only name a page or the version of the extension.
func TestHints_AreFollowedByKind(t *testing.T) {
	kinds := []string{"the supported major version is", "this engine implements version"}
	for _, h := range hints {
		first, _, _ := strings.Cut(h.kind, "`")
		kinds = append(kinds, strings.TrimSpace(first))
	}
	seen := 0
	for code, list := range cases {
		for _, r := range list {
			for _, hint := range hintsOf(catalogOf(t, load(t, expand(r.model)), compile.Options{})) {
				words, _, _ := strings.Cut(hint, "see docs/")
				if words == "" {
					continue
				}
				seen++
				if !slices.ContainsFunc(kinds, func(kind string) bool { return kind != "" && sameKind(words, kind) }) {
					t.Errorf("%s: nothing follows the hint %q", code, words)
				}
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d hints", seen)
	}
}

// sameKind compares hints without the names of datasets and fields in them.
func sameKind(hint, kind string) bool {
	plain := func(s string) string {
		for _, name := range []string{"orders", "customers", "products", "order_id", "customer_id", "ordered_on"} {
			s = strings.ReplaceAll(s, name, "…")
		}
		return s
	}
	return strings.Contains(plain(hint), plain(kind))
}
