package compile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/limits"
)

const shopMetrics = shop + `metrics:
  ~ revenue: SUM(orders.amount)
  ~ orders: COUNT(orders.order_id)
  ~ average: revenue / orders
  ~ broken: SUM(orders.nothing)
`

// inline returns a metric of a query with nothing but an expression.
func inline(name, expression string) compile.QueryMetric {
	return compile.QueryMetric{Location: "metrics/0", Name: name, Expression: expression}
}

// rowField returns a field of a query on customers.
func rowField(name, expression string) compile.QueryField {
	return compile.QueryField{Location: "with/0", Dataset: "customers", Name: name, Expression: expression}
}

// lodField returns a field of a query that aggregates for each customer.
func lodField(name, expression string) compile.QueryField {
	f := rowField(name, expression)
	f.LOD = &compile.QueryLOD{Grain: []string{"customer_id"}}
	return f
}

func extended(t *testing.T, cat *catalog.Catalog, fields []compile.QueryField, metrics ...compile.QueryMetric) *catalog.Catalog {
	t.Helper()
	out, err := compile.ExtendCatalog(t.Context(), cat, fields, metrics)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// faultOf returns the code and the location of what Extend rejects.
func faultOf(t *testing.T, cat *catalog.Catalog, fields []compile.QueryField, metrics ...compile.QueryMetric) string {
	t.Helper()
	_, err := compile.ExtendCatalog(t.Context(), cat, fields, metrics)
	var failure *modelspec.CompileError
	if !errors.As(err, &failure) {
		return fmt.Sprint(err)
	}
	if failure.Message == "" || len(failure.Message) > 1000 {
		t.Errorf("%s: a message of %d bytes", failure.Code, len(failure.Message))
	}
	return failure.Code + " " + failure.Location
}

func TestExtend_MetricEqualsTheSameMetricOfTheModel(t *testing.T) {
	for _, text := range []string{
		"SUM(amount)", "SUM(amount * 2) / COUNT(*)", "COUNT(DISTINCT orders.customer_id)", "revenue / orders", "-average",
		"SUM(CASE WHEN status = 'done' THEN amount END) - SUM(products.unit_cost)", "CASE WHEN revenue > 10 THEN orders ELSE 0 END",
		"MIN(order_date)", "COALESCE(MAX(\"orders\".\"amount\"), 0)", "COUNT(1) + 1",
	} {
		in := inline("asked", text)
		model := shopMetrics + "  ~ asked: " + text + "\n"
		if strings.Contains(text, "COUNT(*)") || strings.Contains(text, "COUNT(1)") {
			in.Dataset = "orders"
			model += `    @ {"v": "1.9", "dataset": "orders"}` + "\n"
		}
		want := compiled(t, model)
		base := compiled(t, shopMetrics)
		got := extended(t, base, nil, in)
		describe := func(c *catalog.Catalog) string {
			m := c.Metric("asked")
			var homes []string
			for _, d := range m.Datasets {
				homes = append(homes, d.Name)
			}
			form := strings.ReplaceAll(showForm(c, m.Forms.Default), "_sum_2 =", "_sum =") // numbers of the model's measures
			return fmt.Sprint(form, m.Kind, m.Type, homes, m.Derive != nil, m.TimeAxisField() != nil, m.Err)
		}
		if d := cmp.Diff(describe(want), describe(got)); d != "" {
			t.Errorf("%s: %s", text, d)
		}
		if base.Metric("asked") != nil || len(base.Metrics) != 4 {
			t.Errorf("%s: the model has changed", text)
		}
	}
}

func TestExtend_FieldEqualsTheSameFieldOfTheModel(t *testing.T) {
	for _, c := range []struct{ text, payload string }{
		{"UPPER(region)", ""},
		{"customers.region || '!'", ""},
		{"CASE WHEN signup_date > DATE '2024-01-01' THEN 'new' ELSE region END", ""},
		{"SUM(orders.amount)", `{"v": "1.9", "lod": {"grain": ["customer_id"]}}`},
		{"COUNT(orders.order_id) > 1", `{"v": "1.9", "lod": {"grain": ["customer_id"], "where": "status = 'done'", "via": ["orders_to_customers"]}}`},
	} {
		f := rowField("asked", c.text)
		model := strings.Replace(shop, "      ~ region: region\n", "      ~ region: region\n      ~ asked: "+c.text+"\n", 1)
		if c.payload != "" {
			f = lodField("asked", c.text)
			model = withField("asked", c.text, c.payload)
		}
		if strings.Contains(c.payload, "where") {
			f.LOD.Where, f.LOD.Via = "status = 'done'", []string{"orders_to_customers"}
		}
		want, got := sound(t, model), extended(t, sound(t, shop), []compile.QueryField{f})
		describe := func(cat *catalog.Catalog) string {
			f := cat.FindDatasetField(cat.Dataset("customers"), "asked")
			out := fmt.Sprint(show(cat, f.Expr.Default), f.Type, f.IsTime, f.Datatype)
			if f.LOD != nil {
				out += fmt.Sprint(showForm(cat, f.LOD.Measures.Default), show(cat, f.LOD.Where), viaNames(f.LOD.Via), f.LOD.Grain[0].QualifiedName())
			}
			return out
		}
		if d := cmp.Diff(describe(want), describe(got)); d != "" {
			t.Errorf("%s: %s", c.text, d)
		}
		if got.Dataset("customers").Field("asked") != nil {
			t.Error("the dataset of the model has changed")
		}
	}
}

func TestExtend_FieldsAndMetricsBuildOnThoseBeforeThem(t *testing.T) {
	cat := extended(t, compiled(t, shopMetrics),
		[]compile.QueryField{lodField("spent", "SUM(orders.amount)"), rowField("big", "spent > 100"), rowField("size", "CASE WHEN big THEN 'big' ELSE region END")},
		inline("buyers", "COUNT(DISTINCT CASE WHEN customers.big THEN customers.customer_id END)"), inline("rate", "buyers / orders"), inline("twice", "2 * rate + AVG(spent)"))
	field := func(name string) *catalog.Field { return cat.FindDatasetField(cat.Dataset("customers"), name) }
	if got, want := show(cat, field("size").Expr.Default), "CASE WHEN customers.spent > 100 THEN 'big' ELSE region END"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if !field("size").ReadsJoinedTables("duckdb") || cat.FieldByID(field("big").ID) != field("big") || len(cat.FieldsNamed("SIZE")) != 1 {
		t.Error("a field is not found")
	}
	if got, want := showForm(cat, cat.Metric("twice").Forms.Default), "2 * rate + {customers_spent_avg = avg(customers.spent) at customers}"; !strings.HasPrefix(got, "2 * rate + {") || !strings.Contains(got, "avg(customers.spent) at customers") {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestExtend_AggregateOfTheModelIsItsMeasure(t *testing.T) {
	base := compiled(t, shopMetrics)
	cat := extended(t, base, nil, inline("again", "sum( AMOUNT )"), inline("other", "SUM(orders.amount + 1)"), inline("third", "SUM(amount+1)"))
	measure := func(name string) catalog.Operand { return cat.Metric(name).Forms.Default.Operands[0] }
	if measure("again") != base.Metric("revenue").Forms.Default.Operands[0] {
		t.Error("the measure of the model is made again")
	}
	if measure("other") != measure("third") || measure("other").(*catalog.Measure).ID < len(base.Measures) {
		t.Error("one aggregate of the query is two measures, or has the number of another")
	}
	if got := measure("other").(*catalog.Measure).Stem; got != "orders_amount_sum" {
		t.Errorf("stem %s", got)
	}
}

func TestExtend_RefusesMetrics(t *testing.T) {
	cat := compiled(t, shopMetrics)
	const at = " metrics/0/expression"
	for _, c := range []struct{ text, want string }{
		{"SUM(", "unparseable_expression" + at},
		{"", "unparseable_expression" + at},
		{"1 + 1", "not_an_aggregate" + at},
		{"orders.amount", "not_an_aggregate" + at},
		{"SUM(SUM(amount))", "nested_aggregate" + at},
		{"SUM(amount) + orders.amount", "bare_column_in_metric" + at},
		{"SUM(1)", "bare_column_in_metric" + at},
		{"SUM(nowhere.amount)", "unknown_dataset" + at},
		{"SUM(orders.nothing)", "unknown_field" + at},
		{"SUM(nothing)", "unknown_column" + at},
		{"SUM(customer_id)", "ambiguous_column" + at},
		{"SUM(customers.customer_id * unit_cost)", "cross_dataset_aggregate" + at},
		{"COUNT(*)", "count_star_needs_dataset" + at},
		{"RANK() OVER (ORDER BY revenue)", "window_in_metric" + at},
		{"SUM(amount) OVER ()", "window_in_metric" + at},
		{"SUM((SELECT 1))", "subquery_in_metric" + at},
		{"revenue + (SELECT MAX(x) FROM t)", "subquery_in_metric" + at},
		{"MODE(amount)", "unsupported_aggregate" + at},
		{"MEDIAN(DISTINCT amount)", "unsupported_aggregate" + at},
		{"STRING_AGG(status, ',')", "unsupported_expression" + at},
		{"1 + LISTAGG(status, ',')", "unsupported_expression" + at},
		{"SUM(pg_sleep(10))", "unsupported_expression" + at},
		{"read_csv('/etc/passwd')", "unsupported_expression" + at},
		{"SUM(amount * :p)", "unsupported_expression" + at},
		{"SUM(CAST(amount AS MYTYPE))", "unsupported_expression" + at},
		{"revenu / 2", "unknown_metric" + at},
		{"amount", "unknown_metric" + at},
		{`SUM(amount) + "REVENUE"`, "unknown_metric" + at},
		{"broken * 2", "unknown_field metrics[3].expression"},
		{"SUM(amount); DROP TABLE orders", "unparseable_expression" + at},
		{"SUM(amount)\x00", "unparseable_expression" + at},
		{"SUM(amount)\xff", "unparseable_expression" + at},
	} {
		if got := faultOf(t, cat, nil, inline("asked", c.text)); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
	for _, c := range []struct {
		metric compile.QueryMetric
		want   string
	}{
		{inline("Revenue", "SUM(amount)"), "duplicate_output_name metrics/0/name"},
		{compile.QueryMetric{Location: "metrics/2", Name: "n", Expression: "COUNT(*)", Dataset: "order"}, "unknown_dataset metrics/2/dataset"},
		{compile.QueryMetric{Location: "metrics/2", Name: "n", Expression: "SUM(amount)", Dataset: "customers"}, "bad_request metrics/2/dataset"},
		{compile.QueryMetric{Location: "metrics/2", Name: "n", Expression: "SUM(amount)", TimeDimension: "status"}, "unknown_dimension metrics/2/time_dimension"},
		{compile.QueryMetric{Location: "metrics/2", Name: "n", Expression: "SUM(amount)", TimeDimension: "nothing"}, "unknown_dimension metrics/2/time_dimension"},
		{compile.QueryMetric{Location: "metrics/2", Name: "n", Expression: "SUM(unit_cost)", TimeDimension: "orders.order_date"}, "bad_request metrics/2/time_dimension"},
		{compile.QueryMetric{Location: "metrics/2", Name: "n", Expression: "SUM(amount)", TimeDimension: "customers.signup_date"}, "<nil>"},
	} {
		if got := faultOf(t, cat, nil, c.metric); got != c.want {
			t.Errorf("%+v: %s, want %s", c.metric, got, c.want)
		}
	}
	if got := faultOf(t, cat, nil, inline("later", "earlier + 1"), inline("earlier", "SUM(amount)")); got != "unknown_metric"+at {
		t.Errorf("a later metric: %s", got)
	}
	if got := faultOf(t, cat, nil, inline("self", "self + 1")); got != "unknown_metric"+at {
		t.Errorf("the metric itself: %s", got)
	}
	if got := faultOf(t, cat, nil, inline("a", "SUM(amount)"), inline("A", "SUM(amount)")); got != "duplicate_output_name metrics/0/name" {
		t.Errorf("one name twice: %s", got)
	}
}

func TestExtend_RefusesFields(t *testing.T) {
	cat := compiled(t, shopMetrics)
	const at = " with/0/expression"
	for _, c := range []struct{ text, want string }{
		{"region +", "unparseable_expression" + at},
		{"ssn", "unknown_column" + at},
		{"customers.ssn", "unknown_field" + at},
		{"orders.amount", "cross_dataset_aggregate" + at},
		{"nowhere.x", "unknown_dataset" + at},
		{"revenue", "unknown_column" + at},
		{"mine", "unknown_column" + at},
		{"SUM(orders.amount)", "unsupported_expression" + at},
		{"ROW_NUMBER() OVER (ORDER BY region)", "unsupported_expression" + at},
		{"(SELECT 1)", "unsupported_expression" + at},
		{"region || :p", "unsupported_expression" + at},
		{"load_extension(region)", "unsupported_expression" + at},
		{"CAST(region AS REGCLASS)", "unsupported_expression" + at},
	} {
		if got := faultOf(t, cat, []compile.QueryField{rowField("mine", c.text)}); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
	lod := func(text string, edit func(*compile.QueryLOD)) compile.QueryField {
		f := lodField("mine", text)
		edit(f.LOD)
		return f
	}
	keep := func(*compile.QueryLOD) {}
	elsewhere := rowField("mine", "region")
	elsewhere.Dataset = "clients"
	for _, c := range []struct {
		field compile.QueryField
		want  string
	}{
		{elsewhere, "unknown_dataset with/0/dataset"},
		{rowField("REGION", "signup_date"), "duplicate_output_name with/0/name"},
		{lod("region", keep), "bad_request with/0/lod"},
		{lod("SUM(orders.nothing)", keep), "unknown_field" + at},
		{lod("SUM(ghost)", keep), "unknown_column" + at},
		{lod("SUM(SUM(amount))", keep), "nested_aggregate" + at},
		{lod("SUM(amount) OVER ()", keep), "window_in_metric" + at},
		{lod("SUM((SELECT 1))", keep), "subquery_in_metric" + at},
		{lod("LISTAGG(status, ',')", keep), "unsupported_expression" + at},
		{lod("revenue", keep), "bad_request with/0/lod"},
		{lod("SUM(products.unit_cost)", keep), "bad_request with/0/lod"},
		{lod("SUM(amount)", func(l *compile.QueryLOD) { l.Grain = nil }), "bad_request with/0/lod/grain"},
		{lod("SUM(amount)", func(l *compile.QueryLOD) { l.Grain = []string{"customer_id", "nope"} }), "unknown_field with/0/lod/grain/1"},
		{lod("SUM(amount)", func(l *compile.QueryLOD) { l.Grain = []string{"mine"} }), "unknown_field with/0/lod/grain/0"},
		{lod("SUM(amount)", func(l *compile.QueryLOD) { l.Via = []string{"nowhere"} }), "unknown_relationship with/0/lod/via/0"},
		{lod("SUM(amount)", func(l *compile.QueryLOD) { l.Via = []string{"orders_to_products"} }), "bad_request with/0/lod/via/0"},
		{lod("SUM(amount)", func(l *compile.QueryLOD) { l.Where = "ghost > 1" }), "unknown_field with/0/lod/where"},
		{lod("SUM(amount)", func(l *compile.QueryLOD) { l.Where = "orders.ghost > 1" }), "unknown_field with/0/lod/where"},
		{lod("SUM(amount)", func(l *compile.QueryLOD) { l.Where = "amount >" }), "bad_request with/0/lod/where"},
		{lod("SUM(amount)", func(l *compile.QueryLOD) { l.Where = "amount + 1" }), "bad_request with/0/lod/where"},
		{lod("SUM(amount)", func(l *compile.QueryLOD) { l.Where = "amount > :p" }), "bad_request with/0/lod/where"},
		{lod("SUM(amount)", func(l *compile.QueryLOD) { l.Where = "SUM(amount) > 1" }), "bad_request with/0/lod/where"},
		{lod("SUM(amount)", func(l *compile.QueryLOD) { l.Where = "amount > (SELECT 1)" }), "bad_request with/0/lod/where"},
		{lod("SUM(amount)", func(l *compile.QueryLOD) { l.Where = "version() = 'x'" }), "bad_request with/0/lod/where"},
	} {
		if got := faultOf(t, cat, []compile.QueryField{c.field}); got != c.want {
			t.Errorf("%+v %+v: %s, want %s", c.field, c.field.LOD, got, c.want)
		}
	}
}

// Texts at the edge of a limit are accepted, and beyond it rejected with one code in every place.
func TestExtend_LimitsOfConditionsHold(t *testing.T) {
	cat := compiled(t, shopMetrics)
	list := func(n int) string { return "1" + strings.Repeat(", 1", n-1) }
	for _, c := range []struct {
		what string
		text func(n int) string // of a condition over status and amount
		most int
	}{
		{"depth", func(n int) string { return strings.Repeat("(", n) + "amount" + strings.Repeat(")", n) + " > 1" }, limits.ConditionDepth - 3},
		{"depth of a chain", func(n int) string { return "amount" + strings.Repeat(" + 1", n) + " > 1" }, limits.ConditionDepth - 6},
		{"IN items", func(n int) string { return "amount IN (" + list(n) + ")" }, limits.ConditionInListItems},
		{"pattern", func(n int) string { return "status LIKE '" + strings.Repeat("x", n) + "'" }, limits.LikePatternBytes},
		{"wildcards", func(n int) string { return "status LIKE '" + strings.Repeat("%x", n) + "'" }, limits.LikePatternWildcards},
		{"growth", func(n int) string {
			return strings.Repeat("REPLACE(", n) + "status" + strings.Repeat(", 'a', 'aaaaaaaa')", n) + " = 'x'"
		}, 1},
	} {
		ask := func(n int) []string {
			text := c.text(n)
			row := compile.QueryField{Location: "with/0", Dataset: "orders", Name: "mine", Expression: text}
			return []string{
				faultOf(t, cat, nil, inline("asked", "SUM(CASE WHEN "+text+" THEN amount END)")),
				faultOf(t, cat, []compile.QueryField{row}),
				faultOf(t, cat, []compile.QueryField{lodField("mine", "SUM(CASE WHEN "+text+" THEN amount END)")}),
			}
		}
		for i, got := range ask(c.most - 2*min(1, c.most/10)) {
			if got != "<nil>" {
				t.Errorf("%s within the limit, text %d: %s", c.what, i, got)
			}
		}
		for i, got := range ask(c.most + 20) {
			if code, _, _ := strings.Cut(got, " "); code != "unsupported_expression" {
				t.Errorf("%s beyond the limit, text %d: %s", c.what, i, got)
			}
		}
	}
	long := "SUM(amount)" + strings.Repeat(" ", limits.ConditionBytes)
	if got := faultOf(t, cat, nil, inline("asked", long)); got != "unsupported_expression metrics/0/expression" {
		t.Errorf("a long text: %s", got)
	}
}

// A chain of short texts that each multiply the one before them is rejected as one text would be.
func TestExtend_ChainsOfGrowingTextsAreRefused(t *testing.T) {
	cat := compiled(t, shopMetrics)
	fields := func(n int, step string) []compile.QueryField {
		out := []compile.QueryField{rowField("f0", "region")}
		for i := range n {
			previous := fmt.Sprintf("f%d", i)
			out = append(out, rowField(fmt.Sprintf("f%d", i+1), strings.ReplaceAll(step, "X", previous)))
		}
		return out
	}
	for _, step := range []string{"X || X", "CONCAT(X, X)", "REPLACE(X, 'a', 'aaaa')", "UPPER(X) || LOWER(X)"} {
		if got := faultOf(t, cat, fields(3, step)); got != "<nil>" {
			t.Errorf("three times %s: %s", step, got)
		}
		if got := faultOf(t, cat, fields(30, step)); got != "unsupported_expression with/0/expression" {
			t.Errorf("thirty times %s: %s", step, got)
		}
	}
	metrics := func(n int) []compile.QueryMetric {
		out := []compile.QueryMetric{inline("m0", "MAX(customers.region)")}
		for i := range n {
			out = append(out, inline(fmt.Sprintf("m%d", i+1), fmt.Sprintf("REPLACE(m%d, 'a', 'aaaa')", i)))
		}
		return out
	}
	if got := faultOf(t, cat, nil, metrics(2)...); got != "<nil>" {
		t.Errorf("two metrics: %s", got)
	}
	if got := faultOf(t, cat, nil, metrics(63)...); got != "unsupported_expression metrics/0/expression" {
		t.Errorf("a chain of metrics: %s", got)
	}
	grown := append(fields(5, "X || X"), compile.QueryField{})[:6]
	if got := faultOf(t, cat, grown, inline("long", "MAX(CONCAT(f5, f5, f5, f5, f5))")); got != "unsupported_expression metrics/0/expression" {
		t.Errorf("a metric over a long field: %s", got)
	}
	doubling := []compile.QueryMetric{inline("d0", "SUM(orders.amount)")}
	for i := range 63 {
		doubling = append(doubling, inline(fmt.Sprintf("d%d", i+1), fmt.Sprintf("d%d + d%d", i, i)))
	}
	if got := faultOf(t, cat, nil, doubling...); got != "<nil>" {
		t.Errorf("sums that double, whose size the planner bounds: %s", got)
	}
	sums := []compile.QueryField{{Location: "with/0", Dataset: "orders", Name: "s0", Expression: "amount"}}
	for i := range 31 {
		sums = append(sums, compile.QueryField{Location: "with/0", Dataset: "orders", Name: fmt.Sprintf("s%d", i+1), Expression: fmt.Sprintf("s%d + s%d", i, i)})
	}
	if got := faultOf(t, cat, sums); got != "unparseable_expression with/0/expression" {
		t.Errorf("fields that double: %s", got)
	}
}

// What a query adds costs the same beside a small model and a large one.
func TestExtend_CostDoesNotGrowWithTheModel(t *testing.T) {
	allocations := func(datasets int) float64 {
		var b strings.Builder
		b.WriteString(shopMetrics)
		for i := range datasets {
			fmt.Fprintf(&b, "  ~ total_%d: SUM(orders.amount + %d)\n", i, i)
		}
		cat := compiled(t, b.String())
		extended(t, cat, nil, inline("asked", "SUM(amount)"))
		return testing.AllocsPerRun(20, func() {
			extended(t, cat, []compile.QueryField{lodField("spent", "SUM(orders.amount)")}, inline("asked", "SUM(amount) / revenue"))
		})
	}
	if small, large := allocations(1), allocations(2000); large > small+2 {
		t.Errorf("%.0f allocations beside a small model, %.0f beside a large one", small, large)
	}
}
