package compile_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// base holds the metrics that the derived metrics of the tests use.
const base = shop + `metrics:
  ~ revenue: SUM(orders.amount)
  ~ order_count: COUNT(orders.order_id)
  ~ lines: COUNT(*)
    @ {"dataset": "orders"}
  ~ cost: SUM(products.unit_cost)
  ~ ratio: SUM(amount) / COUNT(order_id)
  ~ running: SUM(amount)
    @ {"window": {"type": "cumulative", "function": "sum"}}
`

// derived adds a metric with a payload to base; it is the last one.
func derived(expression, payload string) string {
	return base + "  ~ x: " + expression + "\n    @ " + payload + "\n"
}

func last(c *catalog.Catalog) *catalog.Metric { return c.Metrics[len(c.Metrics)-1] }

func TestDerive_FilterFoldsPredicate(t *testing.T) {
	cat := sound(t, derived("SUM(CASE WHEN status = 'done' AND amount > 5 THEN amount END)",
		`{"v": "1.9", "derive": {"type": "filter", "base": "Revenue", "where": "orders.status = 'done' AND :t < amount"}, "params": [{"name": "t", "type": "int", "default": 5, "max": 9}]}`))
	m := last(cat)
	if m.Derive.Base != cat.Metric("revenue") || m.Derive.Compose || m.Forms.Default != nil || m.Kind != catalog.KindAggregate {
		t.Errorf("%+v", m)
	}
	if got, want := show(cat, m.Derive.Where), "orders.status = 'done' AND :t < orders.amount"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if m.Datasets[0].Name != "orders" || m.Type.String() != "decimal" || m.Params[0].Name != "t" || m.Derive.Text != "orders.status = 'done' AND :t < amount" {
		t.Errorf("%v %s %v %q", m.Datasets, m.Type, m.Params, m.Derive.Text)
	}
}

func TestDerive_ComposeResolvesMembers(t *testing.T) {
	cat := sound(t, derived("SUM(amount) - 2 * COUNT(order_id)",
		`{"v": "1.4", "derive": {"type": "compose", "expr": "revenue - 2 * ORDER_COUNT"}}`))
	m := last(cat)
	if got, want := showForm(cat, m.Forms.Default), "revenue - 2 * order_count"; got != want || !m.Derive.Compose {
		t.Errorf("%s, want %s", got, want)
	}
	var leaves []string
	for _, l := range m.LeafMeasures() {
		leaves = append(leaves, l.Name)
	}
	if d := cmp.Diff([]string{"orders_amount_sum", "orders_order_id_count"}, leaves); d != "" {
		t.Error(d)
	}
}

func TestDerive_EquivalentFallbacksAccepted(t *testing.T) {
	filter := func(where string) string {
		return `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "` + where + `"}}`
	}
	compose := func(expr string) string {
		return `{"v": "1.9", "derive": {"type": "compose", "expr": "` + expr + `"}}`
	}
	for _, c := range []struct{ expression, payload string }{
		{"SUM(CASE WHEN orders.status = 'x' THEN orders.amount END)", filter("status = 'x'")},
		{"SUM(CASE WHEN ('x' = status) THEN amount ELSE NULL END)", filter("status = 'x'")},
		{"SUM(CASE status WHEN 'x' THEN amount END)", filter("status = 'x'")},
		{"SUM(IFF(status = 'x', amount, NULL))", filter("status = 'x'")},
		{"SUM(CASE WHEN amount > 1 AND status = 'x' THEN amount END)", filter("status = 'x' AND 1 < amount")},
		{"SUM(CASE WHEN (status = 'x') = TRUE THEN amount END)", filter("status = 'x'")},
		{"COUNT(CASE WHEN status = 'x' THEN 1 END)", `{"v": "1.9", "derive": {"type": "filter", "base": "lines", "where": "status = 'x'"}}`},
		{"COUNT(CASE WHEN status = 'x' THEN 'yes' END)", `{"v": "1.9", "derive": {"type": "filter", "base": "lines", "where": "status = 'x'"}}`},
		{"COUNT(order_id) + SUM(amount)", compose("revenue + order_count")},
		{"SUM(amount) / NULLIF(COUNT(order_id), 0)", compose("revenue / order_count")},
		{"order_count + revenue", compose("revenue + order_count")},
		{"(SUM(amount) / COUNT(order_id)) * 2", compose("2 * ratio")},
		{"COALESCE(SUM(amount), 0) - COALESCE(SUM(unit_cost), 0)", `{"v": "1.9", "derive": {"type": "compose", "expr": "revenue - cost", "fill": 0}}`},
		{"COALESCE(SUM(amount), 0) / COUNT(order_id)", `{"v": "1.9", "derive": {"type": "compose", "expr": "revenue / order_count", "fill": 0}}`},
		// A fill defines how members meet; the expression may omit it.
		{"SUM(amount) - SUM(unit_cost)", `{"v": "1.9", "derive": {"type": "compose", "expr": "revenue - cost", "fill": 0}}`},
		{"revenue - cost", `{"v": "1.9", "derive": {"type": "compose", "expr": "revenue - cost", "fill": 0}}`},
		// Nothing to compare with: a window, a parameter without a default.
		{"SUM(amount)", compose("running - revenue")},
		{"SUM(amount)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "amount > :t"}, "params": [{"name": "t", "type": "int", "min": 0}]}`},
		{"SUM(CASE WHEN amount > 50 THEN amount END)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "amount > :t"}, "params": [{"name": "t", "type": "int", "default": 50, "allowed": [0, 50, 100]}]}`},
		{"SUM(CASE WHEN order_date >= DATE '2024-01-01' THEN amount END)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "order_date >= :d"}, "params": [{"name": "d", "type": "date", "default": "2024-01-01"}]}`},
	} {
		t.Run(c.expression, func(t *testing.T) { sound(t, derived(c.expression, c.payload)) })
	}
}

func TestDerive_FallbackOfChainsAndFills(t *testing.T) {
	sound(t, base+`  ~ done: SUM(CASE WHEN status = 'done' THEN amount END)
    @ {"v": "1.9", "fill_nulls_with": 0, "derive": {"type": "filter", "base": "revenue", "where": "status = 'done'"}}
  ~ big: SUM(CASE WHEN amount > 9 AND status = 'done' THEN amount END)
    @ {"v": "1.9", "derive": {"type": "filter", "base": "done", "where": "amount > 9"}}
  ~ share: SUM(CASE WHEN status = 'done' THEN amount END) / SUM(amount)
    @ {"v": "1.9", "derive": {"type": "compose", "expr": "done / revenue"}}
  ~ filled: COALESCE(SUM(CASE WHEN status = 'done' THEN amount END), 0) / SUM(amount)
    @ {"v": "1.9", "derive": {"type": "compose", "expr": "done / revenue"}}
  ~ nested: 1 - done / revenue
    @ {"v": "1.9", "derive": {"type": "compose", "expr": "1 - share"}}
`)
}

func TestDerive_MismatchSuggestsExpression(t *testing.T) {
	cat := compiled(t, derived("SUM(CASE WHEN status = 'y' THEN amount END)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "status = 'x'"}}`)+
		"  ~ user: x + 1\n")
	if d := cmp.Diff([]string{"derive_expression_mismatch metrics[6].expression"}, listed(cat.Errors)); d != "" {
		t.Fatal(d)
	}
	want := "write the expression as `SUM(CASE WHEN orders.status = 'x' THEN orders.amount END)`; see docs/extension.md#derive"
	if cat.Errors[0].Hint != want {
		t.Errorf("%q, want %q", cat.Errors[0].Hint, want)
	}
	if last(cat).Err != cat.Errors[0] {
		t.Errorf("what uses it has the error %v", last(cat).Err)
	}
}

func TestDerive_ComparisonIsBounded(t *testing.T) {
	t.Run("the comparison of a fallback takes linear time even when members share their members", func(t *testing.T) {
		text := base + "  ~ m0: SUM(amount)\n"
		for i := 1; i < 60; i++ {
			text += fmt.Sprintf("  ~ m%d: m%d + m%d\n", i, i-1, i-1)
		}
		sound(t, text+"  ~ x: m59\n    @ {\"v\": \"1.9\", \"derive\": {\"type\": \"compose\", \"expr\": \"m59 + 0\"}}\n")
	})
}

func TestWindow_UsesSharedMeasure(t *testing.T) {
	cat := sound(t, derived("SUM(amount)", `{"v": "1.9", "window": {"rank": {"function": "rank", "partition": {"exclude": ["customers.region", "status"]}}}}`))
	m := last(cat)
	if m.Window.Base.Default != cat.Metric("revenue").Forms.Default.Operands[0] {
		t.Error("the base is not the shared measure")
	}
	var exclude []string
	for _, f := range m.Window.Rank.Partition.Exclude {
		exclude = append(exclude, f.QualifiedName())
	}
	if d := cmp.Diff([]string{"customers.region", "orders.status"}, exclude); d != "" {
		t.Error(d)
	}
	if m.Type.String() != "integer" || m.Window.RequiresTimeAxis() || m.Window.Family() != "rank" || m.Window.Function() != sqlexpr.FnRank {
		t.Errorf("type %s, axis %v, %s %s", m.Type, m.Window.RequiresTimeAxis(), m.Window.Family(), m.Window.Function())
	}
}

func TestWindow_OverFilterAndSecondInput(t *testing.T) {
	cat := sound(t, derived("SUM(CASE WHEN status = 'x' THEN amount END)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "status = 'x'"}, "window": {"type": "rolling", "function": "avg", "periods": 2}}`)+
		"  ~ y: SUM(amount)\n    @ {\"v\": \"1.9\", \"window\": {\"frame\": {\"function\": \"corr\", \"preceding\": 3, \"second\": \"order_count\"}}}\n")
	x, y := cat.Metric("x"), cat.Metric("y")
	if x.Window.Base.Default != nil || x.Derive.Base != cat.Metric("revenue") || !x.Window.RequiresTimeAxis() {
		t.Errorf("%+v", x.Window)
	}
	if y.Window.Frame.Second.Name != "orders_order_id_count" {
		t.Errorf("%+v", y.Window.Frame)
	}
}

func TestDerive_BasicModeUsesFallback(t *testing.T) {
	doc := load(t, expand(derived("SUM(CASE WHEN status = 'y' THEN amount END)", `{"v": "1.9", "derive": {"type": "filter", "base": "revenue", "where": "status = 'x'"}}`)))
	cat := catalogOf(t, doc, compile.Options{Basic: true, Advice: true})
	if d := cmp.Diff([]string{"count_star_needs_dataset metrics[2].expression"}, listed(cat.Errors)); d != "" {
		t.Error(d)
	}
	want := []string{
		"ignored_vendor_extension metrics[2].custom_extensions[0]",
		"ignored_vendor_extension metrics[5].custom_extensions[0]",
		"ignored_vendor_extension metrics[6].custom_extensions[0]",
	}
	if d := cmp.Diff(want, warned(cat.Warnings)); d != "" {
		t.Error(d)
	}
	if m := last(cat); m.Derive != nil || m.Forms.Default == nil {
		t.Errorf("%+v", m)
	}
}

func TestMeasure_DeclaredName(t *testing.T) {
	cat := sound(t, derived("SUM(amount)", `{"v": "1.9", "measure": {"name": "turnover"}, "requires": ["measure"]}`))
	for _, name := range []string{"x", "revenue"} {
		if got := cat.Metric(name).Forms.Default.Operands[0].(*catalog.Measure).Name; got != "turnover" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestTimeAxis_ResolvesName(t *testing.T) {
	for payload, want := range map[string]string{
		`{"time_dimension": "customers.signup_date"}`: "customers.signup_date",
		`{"time_dimension": "ORDER_DATE"}`:            "orders.order_date",
		`{"time_dimension": "signup_date"}`:           "customers.signup_date",
	} {
		cat := sound(t, derived("SUM(amount)", payload))
		if got := last(cat).TimeAxis.QualifiedName(); got != want {
			t.Errorf("%s: %s", payload, got)
		}
	}
	cat := sound(t, base)
	if got := cat.Metric("revenue").TimeAxisField().QualifiedName(); got != "orders.order_date" {
		t.Error(got)
	}
	if cat.Metric("cost").TimeAxisField() != nil {
		t.Error("products have no time")
	}
}
