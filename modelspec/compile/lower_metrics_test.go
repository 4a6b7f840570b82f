package compile_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

func TestMetrics_LowerToMeasures(t *testing.T) {
	for _, c := range []struct{ expression, form, kind, datasets string }{
		{"SUM(orders.amount)", "{orders_amount_sum = sum(orders.amount) at orders}", "aggregate", "orders"},
		{"sum(amount)", "{orders_amount_sum = sum(orders.amount) at orders}", "aggregate", "orders"},
		{"COUNT(DISTINCT orders.customer_id)", "{orders_customer_id_count_distinct = count_distinct(orders.customer_id) at orders}", "aggregate", "orders"},
		{"SUM(orders.amount) / COUNT(orders.order_id)", "{orders_amount_sum = sum(orders.amount) at orders} / {orders_order_id_count = count(orders.order_id) at orders}", "ratio", "orders"},
		{"SUM(orders.amount) - SUM(products.unit_cost)", "{orders_amount_sum = sum(orders.amount) at orders} - {products_unit_cost_sum = sum(products.unit_cost) at products}", "expression", "orders products"},
		{"SUM(products.unit_cost) - SUM(orders.amount)", "{products_unit_cost_sum = sum(products.unit_cost) at products} - {orders_amount_sum = sum(orders.amount) at orders}", "expression", "orders products"},
		{"SUM(amount) - SUM(amount)", "{orders_amount_sum = sum(orders.amount) at orders} - {orders_amount_sum = sum(orders.amount) at orders}", "expression", "orders"},
		{"COALESCE(SUM(amount), 0)", "COALESCE({orders_amount_sum = sum(orders.amount) at orders}, 0)", "expression", "orders"},
		{"SUM(amount) * 2", "{orders_amount_sum = sum(orders.amount) at orders} * 2", "expression", "orders"},
		{"SUM(amount * 2)", "{orders_amount_sum = sum(orders.amount * 2) at orders}", "aggregate", "orders"},
		{"SUM(CASE WHEN status = 'done' THEN amount END)", "{orders_status_amount_sum = sum(CASE WHEN orders.status = 'done' THEN orders.amount END) at orders}", "aggregate", "orders"},
		{"MAX(order_date)", "{orders_order_date_max = max(orders.order_date) at orders}", "aggregate", "orders"},
	} {
		t.Run(c.expression, func(t *testing.T) {
			cat := sound(t, shop+"metrics:\n  ~ m: "+c.expression)
			m := cat.Metric("M")
			if d := cmp.Diff(c.form, showForm(cat, m.Forms.Default)); d != "" {
				t.Error(d)
			}
			datasets := ""
			for i, d := range m.Datasets {
				if i > 0 {
					datasets += " "
				}
				datasets += d.Name
			}
			if string(m.Kind) != c.kind || datasets != c.datasets {
				t.Errorf("%s over %s, want %s over %s", m.Kind, datasets, c.kind, c.datasets)
			}
		})
	}
}

func TestMetrics_ShareEqualMeasure(t *testing.T) {
	cat := sound(t, shop+`metrics:
  ~ a: SUM(orders.amount)
  ~ b: sum( AMOUNT ) / COUNT(order_id)
  ~ c: SUM(amount + 1)
  ~ d: SUM(amount + 2)
`)
	measure := func(name string) *catalog.Measure {
		return cat.Metric(name).Forms.Default.Operands[0].(*catalog.Measure)
	}
	if measure("a") != measure("b") {
		t.Error("a and b hold different measures")
	}
	got := []string{measure("a").Name, measure("c").Name, measure("d").Name}
	if d := cmp.Diff([]string{"orders_amount_sum", "orders_amount_sum_2", "orders_amount_sum_3"}, got); d != "" {
		t.Error(d)
	}
}

func TestMetrics_ReferToMetricsOutsideAggregates(t *testing.T) {
	cat := sound(t, shop+`metrics:
  ~ ratio: revenue / order_count
  ~ revenue: SUM(amount)
  ~ order_count: COUNT(order_id)
  ~ amount: AVG(amount)
  ~ mixed: amount - MIN(amount)
`)
	for name, want := range map[string]string{
		"ratio":  "revenue / order_count",
		"amount": "{orders_amount_avg = avg(orders.amount) at orders}",
		"mixed":  "amount - {orders_amount_min = min(orders.amount) at orders}",
	} {
		if got := showForm(cat, cat.Metric(name).Forms.Default); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if m := cat.Metric("ratio"); m.Kind != catalog.KindRatio || m.Datasets[0].Name != "orders" || m.Type.String() != "double" {
		t.Errorf("ratio: kind %s, datasets %v, type %s", m.Kind, m.Datasets, m.Type)
	}
}

func TestMetrics_Types(t *testing.T) {
	cat := sound(t, shop+`metrics:
  ~ decimals: SUM(amount)
  ~ integers: SUM(unit_cost)
  ~ rows: COUNT(order_id)
  ~ mean: AVG(unit_cost)
  ~ latest: MAX(order_date)
  ~ unknown: SUM(customers.customer_id)
  ~ declared: SUM(customers.customer_id)
    datatype: Integer
`)
	got := map[string]string{}
	for _, m := range cat.Metrics {
		got[m.Name] = m.Type.String()
	}
	want := map[string]string{
		"decimals": "decimal", "integers": "integer", "rows": "integer", "mean": "double",
		"latest": "date", "unknown": "unknown", "declared": "integer",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestMetrics_CountStarFindsHome(t *testing.T) {
	single := sound(t, "datasets:\n  - {name: order, source: t}\nmetrics:\n  ~ n: COUNT(*)\n")
	if got := showForm(single, single.Metric("n").Forms.Default); got != "{order_count = count() at order}" {
		t.Error(got)
	}
	for _, expression := range []string{"COUNT(*)", "COUNT(1)"} {
		cat := sound(t, shop+"metrics:\n  ~ n: "+expression+"\n    @ {\"dataset\": \"Customers\"}\n")
		if got := showForm(cat, cat.Metric("n").Forms.Default); got != "{customers_count = count() at customers}" {
			t.Errorf("%s: %s", expression, got)
		}
	}
}

func TestMetrics_ReservedWordsQualify(t *testing.T) {
	t.Run("a reserved word works as the qualifier of a field", func(t *testing.T) {
		cat := sound(t, `
datasets:
  - name: order
    source: t
    fields:
      ~ amount: amount
  - name: group
    source: t
    fields:
      ~ amount: amount
metrics:
  ~ n: SUM(order.amount) / SUM(group.amount)
`)
		if got := showForm(cat, cat.Metric("n").Forms.Default); got != "{order_amount_sum = sum(order.amount) at order} / {group_amount_sum = sum(group.amount) at group}" {
			t.Error(got)
		}
	})
}

func TestMetrics_Invalid(t *testing.T) {
	for _, c := range []struct {
		what, metrics string
		want          []string
	}{
		{"no SQL", "~ m: SUM(", []string{"unparseable_expression metrics[0].expression"}},
		{"a statement", "~ m: SELECT 1", []string{"unparseable_expression metrics[0].expression"}},
		{"a parameter", "~ m: SUM(amount + :t)", []string{"unparseable_expression metrics[0].expression"}},
		{"unknown dataset", "~ m: SUM(order.amount)", []string{"unknown_dataset metrics[0].expression"}},
		{"unknown dataset of three parts", "~ m: SUM(main.orders.amount)", []string{"unknown_dataset metrics[0].expression"}},
		{"unknown field", "~ m: SUM(orders.amoun)", []string{"unknown_field metrics[0].expression"}},
		{"a quoted name is exact", `~ m: SUM(orders."AMOUNT")`, []string{"unknown_field metrics[0].expression"}},
		{"unknown column", "~ m: SUM(nothing)", []string{"unknown_column metrics[0].expression"}},
		{"unknown name outside of aggregates", "~ m: SUM(amount) / nothing", []string{"unknown_column metrics[0].expression"}},
		{"ambiguous column", "~ m: SUM(customer_id)", []string{"ambiguous_column metrics[0].expression"}},
		{"ambiguous column in COUNT DISTINCT", "~ m: COUNT(DISTINCT product_id)", []string{"ambiguous_column metrics[0].expression"}},
		{"a column alone", "~ m: orders.amount", []string{"not_an_aggregate metrics[0].expression"}},
		{"a number", "~ m: 42", []string{"not_an_aggregate metrics[0].expression"}},
		{"a nested aggregate", "~ m: SUM(AVG(amount))", []string{"nested_aggregate metrics[0].expression"}},
		{"a nested aggregate deep inside", "~ m: SUM(COALESCE(1 + MAX(amount), 0))", []string{"nested_aggregate metrics[0].expression"}},
		{"a column beside an aggregate", "~ m: SUM(amount) / orders.amount", []string{"bare_column_in_metric metrics[0].expression"}},
		{"an ambiguous column beside an aggregate", "~ m: SUM(amount) / customer_id", []string{"bare_column_in_metric metrics[0].expression"}},
		{"an aggregate of a literal", "~ m: SUM(1)", []string{"bare_column_in_metric metrics[0].expression"}},
		{"COUNT(1)", "~ m: COUNT(1)", []string{"bare_column_in_metric metrics[0].expression"}},
		{"two datasets in one aggregate", "~ m: SUM(customers.customer_id * products.unit_cost)", []string{"cross_dataset_aggregate metrics[0].expression"}},
		{"two datasets in one CASE", "~ m: COUNT(CASE WHEN customers.region = 'x' THEN products.product_id END)", []string{"cross_dataset_aggregate metrics[0].expression"}},
		{"COUNT(*) in a model of several datasets", "~ m: COUNT(*)", []string{"count_star_needs_dataset metrics[0].expression"}},
		{"COUNT(*) in a ratio", "~ m: SUM(amount) / COUNT(*)", []string{"count_star_needs_dataset metrics[0].expression"}},
		{"a window aggregate", "~ m: COVAR_POP(amount, amount)", []string{"unsupported_aggregate metrics[0].expression"}},
		{"MODE", "~ m: MODE(amount)", []string{"unsupported_aggregate metrics[0].expression"}},
		{"a median of days", "~ m: MEDIAN(order_date)", []string{"unsupported_aggregate metrics[0].expression"}},
		{"a variance of texts", "~ m: VAR_POP(orders.status)", []string{"unsupported_aggregate metrics[0].expression"}},
		{"a distinct sum of conditions", "~ m: SUM(DISTINCT amount > 1)", []string{"unsupported_aggregate metrics[0].expression"}},
		{"a condition that is a number", "~ m: BOOL_OR(amount)", []string{"unsupported_aggregate metrics[0].expression"}},
		{"MIN DISTINCT", "~ m: MIN(DISTINCT amount)", []string{"unsupported_aggregate metrics[0].expression"}},
		{"COUNT DISTINCT over two columns", "~ m: COUNT(DISTINCT orders.customer_id, orders.status)", []string{"unparseable_expression metrics[0].expression"}},
		{"a window", "~ m: SUM(amount) OVER (PARTITION BY status)", []string{"window_in_metric metrics[0].expression"}},
		{"a window around an aggregate", "~ m: RANK() OVER (ORDER BY SUM(amount))", []string{"window_in_metric metrics[0].expression"}},
		{"a subquery", "~ m: SUM(amount) / (SELECT COUNT(*) FROM customers)", []string{"subquery_in_metric metrics[0].expression"}},
		{"a subquery in an aggregate", "~ m: SUM((SELECT 1))", []string{"subquery_in_metric metrics[0].expression"}},
		{"a circle of two", "~ a: b + 1\n  ~ b: a - 1", []string{"metric_reference_cycle metrics[0].expression"}},
		{"a circle of one", "~ a: a", []string{"metric_reference_cycle metrics[0].expression"}},
		{"several flaws", "~ m: SUM(nope.x) + AVG(orders.y)\n  ~ n: COUNT(*)", []string{"unknown_dataset metrics[0].expression", "unknown_field metrics[0].expression", "count_star_needs_dataset metrics[1].expression"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			cat := compiled(t, shop+"metrics:\n  "+c.metrics)
			if d := cmp.Diff(c.want, listed(cat.Errors)); d != "" {
				t.Fatal(d)
			}
			if m := cat.Metrics[0]; m.Err != cat.Errors[0] || m.Forms.Default != nil {
				t.Errorf("the metric stays with error %v and form %v", m.Err, m.Forms.Default)
			}
		})
	}
}

func TestMetrics_ErrorsSuggestFix(t *testing.T) {
	for _, c := range []struct {
		expression string
		candidates []string
		hint       string
	}{
		{"SUM(order.amount)", []string{"orders", "products", "customers"}, ""},
		{"SUM(customers.regon)", []string{"region", "customer_id", "signup_date"}, ""},
		{"SUM(unit_costs)", []string{"products.unit_cost"}, "declare it as a field of a dataset, and qualify it as `dataset.field`"},
		{"SUM(customer_id)", []string{"customers.customer_id", "orders.customer_id"}, ""},
		{"orders.amount", nil, "wrap it in SUM(...) or another aggregate"},
		{"SUM(amount) + status", nil, "aggregate it: SUM(...), MIN(...), …"},
		{"COUNT(*)", nil, "count a key column of the dataset that is meant, as in COUNT(orders.order_id)"},
	} {
		t.Run(c.expression, func(t *testing.T) {
			e := compiled(t, shop+"metrics:\n  ~ m: "+c.expression).Errors[0]
			got := e.Candidates
			if len(c.candidates) == 1 && len(got) > 1 {
				got = got[:1]
			}
			if d := cmp.Diff(c.candidates, got); d != "" {
				t.Error(d)
			}
			if e.Hint != c.hint {
				t.Errorf("hint %q, want %q", e.Hint, c.hint)
			}
		})
	}
}

func TestErrors_PointIntoExpression(t *testing.T) {
	cat := compiled(t, shop+"metrics:\n  ~ m: SUM(amount) + SUM(oops)")
	e := cat.Errors[0]
	// The expression begins after `expression: {dialects: [{dialect: ANSI_SQL, expression: '`.
	const start = len("    expression: {dialects: [{dialect: ANSI_SQL, expression: '") + 1
	if want := start + len("SUM(amount) + SUM("); e.Position.Column != want {
		t.Errorf("column %d, want %d", e.Position.Column, want)
	}
}

func TestMetrics_DependentsShareError(t *testing.T) {
	cat := compiled(t, shop+`metrics:
  ~ outer: inner * 2
  ~ inner: SUM(oops)
  ~ fine: SUM(amount)
`)
	if d := cmp.Diff([]string{"unknown_column metrics[1].expression"}, listed(cat.Errors)); d != "" {
		t.Error(d)
	}
	if cat.Metric("outer").Err != cat.Errors[0] || cat.Metric("fine").Err != nil {
		t.Errorf("outer: %v, fine: %v", cat.Metric("outer").Err, cat.Metric("fine").Err)
	}
}

func TestMetrics_CircleShowsPath(t *testing.T) {
	cat := compiled(t, shop+"metrics:\n  ~ start: a\n  ~ a: b\n  ~ b: c\n  ~ c: a\n")
	want := "the metrics refer to each other in a circle: a → b → c → a"
	if len(cat.Errors) != 1 || cat.Errors[0].Message != want {
		t.Fatalf("%v", cat.Errors)
	}
	for _, m := range cat.Metrics {
		if m.Err != cat.Errors[0] {
			t.Errorf("%s: %v", m.Name, m.Err)
		}
	}
}

func TestMeasure_EqualNamesCollide(t *testing.T) {
	cat := compiled(t, `
datasets:
  - name: a_b
    source: t
    fields:
      ~ c: c
  - name: a
    source: t
    fields:
      ~ b_c: b_c
metrics:
  ~ first: SUM(a_b.c)
  ~ second: SUM(a.b_c)
  ~ third: 1 + second
`)
	if d := cmp.Diff([]string{"measure_name_collision metrics[1].expression"}, listed(cat.Errors)); d != "" {
		t.Error(d)
	}
	got := fmt.Sprint(cat.Metric("first").Err == nil, cat.Metric("second").Err != nil, cat.Metric("third").Err != nil)
	if got != "true true true" {
		t.Error(got)
	}
}
