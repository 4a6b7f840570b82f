package compile_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
)

// raised is a model and one finding that compiling it must make.
type raised struct{ model, location string }

const (
	payloadOf = ".custom_extensions[0].data"
	x         = "metrics[6]" // the metric that derived adds to base
)

// metricsOf adds metrics to the shop.
func metricsOf(short string) string { return shop + "metrics:\n  " + short + "\n" }

// ledger has two datasets that nothing joins.
const ledger = `
datasets:
  - name: a
    source: a
    fields:
      ~ x: x
  - name: b
    source: b
    fields:
      ~ y: y
metrics:
  ~ ax: SUM(a.x)
  ~ by: SUM(b.y)
`

// cases holds at least two models for every code of the stage.
var cases = map[string][]raised{
	"unparseable_expression": {
		{metricsOf("~ m: SUM(amount"), "metrics[0].expression"},
		{one("~ a: CASE WHEN"), "datasets[0].fields[0].expression"},
		{one("~ a: b\n~ b: a"), "datasets[0].fields[0].expression"},
	},
	"no_sql_dialect": {
		{dialects + "metrics:\n  ~ m: SUM(maql)\n", "datasets[0].fields[3].expression"},
		{dialects + "      ~ user: maql || 'x'\n", "datasets[0].fields[3].expression"},
	},
	"unknown_dataset": {
		{metricsOf("~ m: SUM(order.amount)"), "metrics[0].expression"},
		{one("~ a: e.x"), "datasets[0].fields[0].expression"},
	},
	"unknown_field": {
		{metricsOf("~ m: SUM(orders.amnt)"), "metrics[0].expression"},
		{one("~ a: SUM(x)\n~ b: a"), "datasets[0].fields[1].expression"},
	},
	"unknown_column": {
		{metricsOf("~ m: AVG(amnt)"), "metrics[0].expression"},
		{metricsOf("~ m: SUM(amount) / revenu"), "metrics[0].expression"},
	},
	"ambiguous_column": {
		{metricsOf("~ m: MAX(customer_id)"), "metrics[0].expression"},
		{metricsOf("~ m: COUNT(DISTINCT product_id)"), "metrics[0].expression"},
	},
	"not_an_aggregate": {
		{metricsOf("~ m: amount + 1"), "metrics[0].expression"},
		{metricsOf("~ m: 'text'"), "metrics[0].expression"},
	},
	"nested_aggregate": {
		{metricsOf("~ m: SUM(COUNT(order_id))"), "metrics[0].expression"},
		{metricsOf("~ m: AVG(1 + SUM(amount))"), "metrics[0].expression"},
	},
	"bare_column_in_metric": {
		{metricsOf("~ m: SUM(amount) - status"), "metrics[0].expression"},
		{metricsOf("~ m: MAX(1)"), "metrics[0].expression"},
	},
	"cross_dataset_aggregate": {
		{metricsOf("~ m: SUM(customers.customer_id - unit_cost)"), "metrics[0].expression"},
		{metricsOf("~ m: MIN(customers.region || products.category)"), "metrics[0].expression"},
		{withField("spent", "orders.amount", `{"v": "1.10", "is_dimension": true}`), "datasets[1].fields[2].expression"},
		{derived("SUM(unit_cost)", `{"v": "1.10", "derive": {"type": "filter", "base": "cost", "where": "customers.region = 'x'"}}`), x + payloadOf + ".derive.where"},
	},
	"count_star_needs_dataset": {
		{metricsOf("~ m: COUNT(*)"), "metrics[0].expression"},
		{metricsOf("~ m: SUM(amount) / COUNT(*)"), "metrics[0].expression"},
	},
	"unsupported_aggregate": {
		{metricsOf("~ m: CORR(amount, amount)"), "metrics[0].expression"},
		{metricsOf("~ m: MAX(DISTINCT amount)"), "metrics[0].expression"},
	},
	"window_in_metric": {
		{metricsOf("~ m: SUM(amount) OVER ()"), "metrics[0].expression"},
		{metricsOf("~ m: SUM(LAG(amount) OVER (ORDER BY order_date))"), "metrics[0].expression"},
	},
	"subquery_in_metric": {
		{metricsOf("~ m: (SELECT 1)"), "metrics[0].expression"},
		{metricsOf("~ m: COUNT(CASE WHEN order_id IN (SELECT 1) THEN 1 END)"), "metrics[0].expression"},
	},
	"measure_name_collision": {
		{derived("COUNT(order_id)", `{"v": "1.9", "measure": {"name": "ORDERS_amount_sum"}, "requires": ["measure"]}`), x + payloadOf + ".measure.name"},
		{derived("COUNT(order_date)", `{"v": "1.9", "measure": {"name": "n"}, "requires": ["measure"]}`) +
			"  ~ y: COUNT(status)\n    @ {\"v\": \"1.9\", \"measure\": {\"name\": \"n\"}, \"requires\": [\"measure\"]}\n", "metrics[7]" + payloadOf + ".measure.name"},
		{derived("SUM(amount)", `{"v": "1.9", "measure": {"name": "n"}, "requires": ["measure"]}`) +
			"  ~ y: SUM(amount)\n    @ {\"v\": \"1.9\", \"measure\": {\"name\": \"o\"}, \"requires\": [\"measure\"]}\n", "metrics[7]" + payloadOf + ".measure.name"},
	},
	"metric_reference_cycle": {
		{metricsOf("~ a: b * 2\n  ~ b: 1 + a"), "metrics[0].expression"},
		{derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "compose", "expr": "x + revenue"}}`), x + ".expression"},
		{derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "filter", "base": "x", "where": "TRUE"}}`), x + ".expression"},
	},
	"derive_expression_mismatch": {
		{derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "status = 'x'"}}`), x + ".expression"},
		{derived("SUM(amount) - SUM(unit_cost)", `{"v": "1.9", "derive": {"type": "compose", "expr": "cost - revenue"}}`), x + ".expression"},
		{derived("SUM(amount) + COUNT(status)", `{"v": "1.9", "derive": {"type": "compose", "expr": "revenue + order_count", "fill": 0}}`), x + ".expression"},
		{derived("SUM(CASE WHEN amount > 9 THEN amount END)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "amount > :t"}, "params": [{"name": "t", "type": "int", "default": 5, "min": 0}]}`), x + ".expression"},
	},
	"duplicate_name": {
		{shop + `@ {"v": "1.10", "queries": [{"name": "a", "query": {}}, {"name": "a", "query": {}}]}`, payloadOf[1:] + ".queries[1].name"},
		{shop + `@ {"v": "1.10", "queries": [{"name": "top", "query": {}}, {"name": "b", "select": {}}, {"name": "TOP", "query": {}}]}`, payloadOf[1:] + ".queries[2].name"},
	},
	"invalid_vendor_extension": {
		{shop + `@ {"v": "1.10", "queries": [{"name": "a"}]}`, payloadOf[1:] + ".queries[0]"},
		{derived("SUM(amount)", `{"v": "one"}`), x + payloadOf + ".v"},
		{derived("SUM(amount)", `{"dataset": "order"}`), x + payloadOf + ".dataset"},
		{derived("SUM(amount)", `{"dataset": "products"}`), x + payloadOf + ".dataset"},
		{derived("SUM(amount)", `{"time_dimension": "orders.status"}`), x + payloadOf + ".time_dimension"},
		{derived("SUM(amount)", `{"time_dimension": "order_dat"}`), x + payloadOf + ".time_dimension"},
		{derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenu", "where": "TRUE"}}`), x + payloadOf + ".derive.base"},
		{derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "nothing = 1"}}`), x + payloadOf + ".derive.where"},
		{derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "amount"}}`), x + payloadOf + ".derive.where"},
		{derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "amount > :t"}}`), x + payloadOf + ".derive.where"},
		{derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "compose", "expr": "revenue + amount"}}`), x + payloadOf + ".derive.expr"},
		{derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "compose", "expr": "1 + 1"}}`), x + payloadOf + ".derive.expr"},
		{derived("SUM(amount)", `{"v": "1.9", "window": {"rank": {"function": "rank", "partition": {"exclude": ["orders.nope"]}}}}`), x + payloadOf + ".window.rank.partition.exclude[0]"},
		{derived("SUM(amount)", `{"v": "1.9", "window": {"frame": {"function": "corr", "preceding": 1, "second": "nope"}}}`), x + payloadOf + ".window.frame.second"},
		{derived("SUM(amount)", `{"v": "1.9", "window": {"type": "rolling", "function": "sum", "periods": ":n"}, "params": [{"name": "n", "type": "float", "min": 1}]}`), x + payloadOf + ".window.periods"},
		{derived("SUM(amount) + 1", `{"v": "1.9", "measure": {"name": "n"}, "requires": ["measure"]}`), x + payloadOf + ".measure.name"},
		{one("~ a: a\n  dimension: {is_time: false}\n  @ {\"time_granularity\": \"day\"}"), "datasets[0].fields[0].dimension"},
		{shop + "custom_extensions: [{vendor_name: SEMLAYER, data: '{\"window\": {}}'}]\n", "custom_extensions[0].data.window"},
		{shop + "  - {name: r, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id], cardinality: many_to_one, custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\":\"1.9\",\"cardinality\":\"one_to_one\"}'}]}\n", "relationships[2].cardinality"},
		{shop + "  - {name: r, from: orders, to: customers, from_columns: [customer_id], to_columns: [customer_id], custom_extensions: [{vendor_name: SEMLAYER, data: {v: 1}}]}\n", "relationships[2].custom_extensions[0]"},
	},
	"unsupported_vendor_ext_version": {
		{derived("SUM(amount)", `{"v": "2.0"}`), x + payloadOf + ".v"},
		{one("~ a: a\n  @ {\"v\": \"0.3\"}"), "datasets[0].fields[0]" + payloadOf + ".v"},
	},
	"vendor_ext_key_required": {
		{derived("SUM(amount)", `{"v": "1.9", "requires": ["hologram"]}`), x + payloadOf + ".requires[0]"},
		{one("~ a: a\n  @ {\"v\": \"1.11\", \"requires\": [\"time\", \"space\"]}"), "datasets[0].fields[0]" + payloadOf + ".requires[1]"},
	},
	"not_implemented": {
		{derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "reagg"}}`), x + payloadOf + ".derive.type"},
		{derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "filter", "base": "ratio", "where": "TRUE"}}`), x + payloadOf + ".derive.base"},
		{derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "filter", "base": "running", "where": "TRUE"}}`), x + payloadOf + ".derive.base"},
		{derived("SUM(amount) / COUNT(order_id)", `{"v": "1.9", "window": {"type": "cumulative", "function": "sum"}}`), x + payloadOf + ".window"},
		{derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "compose", "expr": "revenue"}, "window": {"type": "cumulative", "function": "sum"}}`), x + payloadOf + ".window"},
		{derived("SUM(amount)", `{"v": "1.9", "window": {"frame": {"function": "corr", "preceding": 1, "second": "ratio"}}}`), x + payloadOf + ".window.frame.second"},
		{derived("SUM(amount)", `{"v": "1.9", "window": {"frame": {"function": "corr", "preceding": 1, "second": "cost"}}}`), x + payloadOf + ".window.frame.second"},
	},

	"vendor_ext_version_ahead": {
		{derived("SUM(amount)", `{"v": "1.11"}`), x + ".custom_extensions[0]"},
		{one("~ a: a\n  @ {\"v\": \"1.99\", \"glow\": true}"), "datasets[0].fields[0].custom_extensions[0]"},
	},
	"vendor_ext_key_newer_than_declared": {
		{derived("SUM(amount)", `{"v": "1.2", "derive": {"type": "compose", "expr": "revenue"}}`), x + payloadOf + ".derive"},
		{one("~ a: a\n  @ {\"is_dimension\": true}"), "datasets[0].fields[0]" + payloadOf + ".is_dimension"},
	},
	"vendor_ext_requires_missing": {
		{derived("SUM(amount)", `{"v": "1.9", "measure": {"name": "n"}}`), x + payloadOf + ".measure"},
		{one("~ a: a\n  @ {\"v\": \"1.9\", \"time\": {\"format\": \"yyyy\"}, \"requires\": [\"measure\"]}"), "datasets[0].fields[0]" + payloadOf + ".time"},
	},
	"compose_no_conformed_dimensions": {
		{ledger + "  ~ both: ax - by\n", "metrics[2]"},
		{ledger + "  ~ both: SUM(a.x) - SUM(b.y)\n    @ {\"v\": \"1.9\", \"derive\": {\"type\": \"compose\", \"expr\": \"ax - by\"}}\n", "metrics[2]"},
	},
	"vendor_time_format_misplaced": {
		{one("~ a: a\n  datatype: Date\n  @ {\"format\": \"yyyyMMdd\"}"), "datasets[0].fields[0]" + payloadOf + ".format"},
		{one("~ a: a\n  @ {\"format\": \"yyyyMM\", \"time_granularity\": \"month\"}"), "datasets[0].fields[0]" + payloadOf + ".format"},
	},
	"vendor_param_unbounded": {
		{derived("SUM(CASE WHEN amount > 1 THEN amount END)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "amount > :t"}, "params": [{"name": "t", "type": "int", "default": 1}]}`), x + payloadOf + ".params[0]"},
		{withField("f", "SUM(amount)", `{"v": "1.9", "lod": {"grain": ["customer_id"], "where": "amount > :t"}, "params": [{"name": "t", "type": "float"}]}`), "datasets[1].fields[2]" + payloadOf + ".params[0]"},
	},
	"vendor_param_unused": {
		{derived("SUM(amount)", `{"v": "1.9", "params": [{"name": "t", "type": "bool"}]}`), x + payloadOf + ".params[0]"},
		{withField("f", "SUM(amount)", `{"v": "1.9", "lod": {"grain": ["customer_id"]}, "params": [{"name": "t", "type": "bool"}]}`), "datasets[1].fields[2]" + payloadOf + ".params[0]"},
	},
	"vendor_param_opaque_token": {
		{derived("SUM(CASE WHEN status = 'a b' THEN amount END)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "status = :s"}, "params": [{"name": "s", "type": "string", "default": "a b", "allowed": ["a b", "a/b"]}]}`), x + payloadOf + ".params[0].allowed"},
		{derived("SUM(amount)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "status = :s"}, "params": [{"name": "s", "type": "string", "allowed": ["é", "è"]}]}`), x + payloadOf + ".params[0].allowed"},
	},
	"ambiguous_join_path": {
		{roles(`{"v": "1.10", "lod": {"grain": ["day"]}}`), "datasets[1].fields[2]" + payloadOf + ".lod"},
		{roles(`{"v": "1.10", "lod": {"grain": ["day"], "via": ["ordered_on"], "where": "zones.zone = 'x'"}}`), "datasets[1].fields[2]" + payloadOf + ".lod.where"},
	},
	"no_join_path": {
		{viewModelText(`{"name":"v","metrics":["revenue"],"where":"items.quantity > 1"}`), payloadOf[1:] + ".views[0].where"},
		{viewModelText(`{"name":"v","metrics":["orders.*"],"where":"orders.amount > items.quantity"}`), payloadOf[1:] + ".views[0].where"},
	},
	"window_adds_non_additive": {
		{windowOver("COUNT(DISTINCT orders.customer_id)", `{"type": "cumulative", "function": "sum"}`), "metrics[0]" + payloadOf + ".window"},
		{windowOver("AVG(amount)", `{"type": "rolling", "function": "avg", "periods": 3}`), "metrics[0]" + payloadOf + ".window"},
		{windowOver("MAX(amount)", `{"frame": {"function": "sum", "preceding": 2}}`), "metrics[0]" + payloadOf + ".window"},
	},
	"aggregate_field_dropped": {
		{one("~ a: SUM(x)"), "datasets[0].fields[0].expression"},
		{one("~ a: x\n~ b: 1 + MAX(a)"), "datasets[0].fields[1].expression"},
	},
	"underdeclared_field": {
		{one("~ list_price: p\n  datatype: Decimal"), "datasets[0].fields[0]"},
		{one("~ a: a\n~ storeKey: k"), "datasets[0].fields[1]"},
		{one("~ created_at: c"), "datasets[0].fields[0]"},
		{shop, "datasets[0].fields[1]"},
	},
	"no_metrics": {
		{one("~ a: x"), "metrics"},
		{one("~ a: x") + "metrics: []\n", "metrics"},
	},
	"function_not_portable": {
		{one("~ a: REGEXP_LIKE(x, 'a')"), "datasets[0].fields[0].expression"},
		{one("~ a: x") + "metrics:\n  ~ m: SUM(soundex(a))\n", "metrics[0].expression"},
	},
	"dimension_role_conflict": {
		{one("~ a: a\n  @ {\"v\": \"1.6\", \"is_dimension\": true}") + "metrics:\n  ~ m: SUM(a)\n", "datasets[0].fields[0]"},
		{one("~ a: a\n  @ {\"v\": \"1.6\", \"is_dimension\": true}") + "metrics:\n  ~ m: AVG(CASE WHEN TRUE THEN a * 2 END)\n", "datasets[0].fields[0]"},
	},
}

// basicCases are those of the codes that only basic mode raises.
var basicCases = map[string][]raised{
	"ignored_vendor_extension": {
		{derived("SUM(amount)", `{"v": "9.9"}`), x + ".custom_extensions[0]"},
		{one("~ a: a\n  @ nonsense"), "datasets[0].fields[0].custom_extensions[0]"},
	},
}

func findings(c *catalog.Catalog) []string { return append(listed(c.Errors), warned(c.Warnings)...) }

func TestCodes_EachIsRaised(t *testing.T) {
	check := func(all map[string][]raised, opts compile.Options) {
		for code, list := range all {
			for _, r := range list {
				doc := load(t, expand(r.model))
				if issues := validated(t, doc); modelspec.HasErrors(issues) {
					t.Errorf("%s: the model is invalid: %v", code, issues)
					continue
				}
				got := findings(catalogOf(t, doc, opts))
				if !slices.Contains(got, code+" "+r.location) {
					t.Errorf("%s is not raised at %s but %v by\n%s", code, r.location, got, r.model)
				}
			}
		}
	}
	check(cases, compile.Options{Advice: true})
	check(basicCases, compile.Options{Basic: true, Advice: true})
}

func TestCodes_EachHasCases(t *testing.T) {
	for _, info := range compile.Codes() {
		n := len(cases[info.Code]) + len(basicCases[info.Code])
		switch {
		case info.Retired != "" && n > 0:
			t.Errorf("%s is retired and has cases", info.Code)
		case info.Retired == "" && n < 2:
			t.Errorf("%s has %d cases", info.Code, n)
		}
	}
}

func TestCodes_RegistryMatchesContract(t *testing.T) {
	var errors, warnings, retired []string
	for _, info := range compile.Codes() {
		if info.Severity == modelspec.SeverityError {
			errors = append(errors, info.Code)
		} else {
			warnings = append(warnings, info.Code)
		}
		if info.Retired != "" {
			retired = append(retired, info.Code)
		}
		if info.When == "" || info.Since == "" || info.Stage != "compile" {
			t.Errorf("%+v is incomplete", info)
		}
	}
	if d := cmp.Diff([]string{
		"unparseable_expression", "no_sql_dialect", "unknown_dataset", "unknown_field", "unknown_column", "ambiguous_column",
		"not_an_aggregate", "nested_aggregate", "bare_column_in_metric", "cross_dataset_aggregate", "count_star_needs_dataset",
		"unsupported_aggregate", "multi_column_count_distinct", "window_in_metric", "subquery_in_metric", "measure_name_collision",
		"metric_reference_cycle", "derive_expression_mismatch", "ambiguous_join_path", "no_join_path", "invalid_vendor_extension", "duplicate_name", "unsupported_vendor_ext_version",
		"vendor_ext_key_required", "not_implemented",
	}, errors); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{
		"ignored_vendor_extension", "vendor_ext_version_ahead", "vendor_ext_key_newer_than_declared", "vendor_ext_requires_missing",
		"compose_no_conformed_dimensions", "vendor_time_format_misplaced", "vendor_param_unbounded", "vendor_param_unused",
		"window_adds_non_additive", "underdeclared_field", "no_metrics", "dimension_role_conflict", "vendor_param_opaque_token", "aggregate_field_dropped",
		"function_not_portable",
	}, warnings); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"multi_column_count_distinct"}, retired); d != "" {
		t.Error(d)
	}
}

func TestAdvice_OnlyOnRequest(t *testing.T) {
	model := one("~ list_price: p\n  datatype: Decimal\n~ a: a\n  @ {\"v\": \"1.6\", \"is_dimension\": true}") + "metrics:\n  ~ m: SUM(a)\n"
	if got := warned(compiled(t, model).Warnings); len(got) > 0 {
		t.Error(got)
	}
	if got := warned(catalogOf(t, load(t, expand(model)), compile.Options{Basic: true, Advice: true}).Warnings); len(got) != 1 || got[0] != "ignored_vendor_extension datasets[0].fields[1].custom_extensions[0]" {
		t.Error(got)
	}
}

func TestAdvice_NoneOnMeasuresWhileMetricFails(t *testing.T) {
	doc := load(t, expand(one("~ amount: a\n  datatype: Integer\n~ id: i")+"metrics:\n  ~ m: d.amount\n"))
	got := findings(catalogOf(t, doc, compile.Options{Advice: true}))
	want := []string{"not_an_aggregate metrics[0].expression", "underdeclared_field datasets[0].fields[1]"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAdvice_NoneForSoundModel(t *testing.T) {
	doc := load(t, expand(one(`
~ id: id
~ day: day
  datatype: Date
~ region: region
~ amount: amount
  datatype: Decimal
~ code: code
  @ {"v": "1.6", "is_dimension": true}
~ weight: weight
  @ {"v": "1.6", "is_dimension": false}
~ size: size
  dimension: {}
`)+"    primary_key: [id]\nmetrics:\n  ~ m: SUM(amount)\n  ~ n: COUNT(DISTINCT code)\n"))
	cat := catalogOf(t, doc, compile.Options{Advice: true})
	if got := findings(cat); len(got) > 0 {
		t.Error(got)
	}
	var roles []string
	for _, f := range cat.Fields {
		is, source := f.DimensionRoleAndSource()
		roles = append(roles, f.Name+" "+map[bool]string{true: "is", false: "is not"}[is]+" "+source)
	}
	want := []string{
		"id is not inferred:primary_key", "day is inferred:time", "region is inferred", "amount is not inferred:measure",
		"code is declared", "weight is not declared", "size is declared",
	}
	if d := cmp.Diff(want, roles); d != "" {
		t.Error(d)
	}
}
