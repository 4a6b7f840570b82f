package metricflow_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/importer/metricflow"
)

func importTexts(t *testing.T, options importer.Options, texts ...string) (*modelspec.SemanticModel, []*importer.ReportEntry) {
	t.Helper()
	result := settleTexts(t, options, texts...)
	doc, err := modelspec.Parse(result.Model)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Model(), result.Entries
}

// settleTexts imports texts to a model that compiles.
func settleTexts(t *testing.T, options importer.Options, texts ...string) *importer.Result {
	t.Helper()
	options.ModelName = "shop"
	var sources []importer.SourceFile
	for i, text := range texts {
		sources = append(sources, importer.SourceFile{Name: fmt.Sprintf("f%d.yml", i+1), Text: []byte(text)})
	}
	imported, err := metricflow.Read(sources, options)
	if err != nil {
		t.Fatal(err)
	}
	result, err := importer.FinishImport(context.Background(), imported, func(context.Context, []byte) (map[string]string, error) { return nil, nil })
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// losses lists what is not kept whole.
func losses(entries []*importer.ReportEntry) string {
	var out []string
	for _, e := range entries {
		if e.Outcome != importer.OutcomeExact {
			out = append(out, fmt.Sprintf("%s %s %s: %s", e.Outcome, e.Construct, e.Name, e.Reason))
		}
	}
	return strings.Join(out, "; ")
}

// found finds the entry of a construct.
func found(t *testing.T, entries []*importer.ReportEntry, construct, name string) *importer.ReportEntry {
	t.Helper()
	var out []*importer.ReportEntry
	for _, e := range entries {
		if e.Construct == construct && e.Name == name {
			out = append(out, e)
		}
	}
	if len(out) != 1 {
		t.Fatalf("%d entries of %s %s", len(out), construct, name)
	}
	return out[0]
}

// expression returns the expression of a metric, "" where the model does not have it.
func expression(m *modelspec.SemanticModel, metric string) string {
	for _, x := range m.Metrics {
		if x.Name.Value == metric {
			return x.Expression.Entries[0].Expression.Value
		}
	}
	return ""
}

func payload(m *modelspec.SemanticModel, metric string) string {
	for _, x := range m.Metrics {
		if x.Name.Value == metric && len(x.Extensions) > 0 {
			return x.Extensions[0].Data.Value
		}
	}
	return ""
}

// orders is a semantic model; a test appends metrics.
const orders = `
semantic_models:
  - name: orders
    model: ref('fct_orders')
    defaults: {agg_time_dimension: ordered_on}
    entities:
      - {name: order, type: primary, expr: order_id}
      - {name: customer, type: foreign, expr: customer_id}
    dimensions:
      - {name: ordered_on, type: time, type_params: {time_granularity: day}}
      - {name: shipped_on, type: time, type_params: {time_granularity: month}}
      - {name: loaded_at, type: time, type_params: {time_granularity: hour}}
      - {name: status, type: categorical, expr: order_status}
      - {name: amount, type: categorical, expr: amount * 2}
    measures:
      - {name: revenue, agg: sum, expr: price}
      - {name: order_count, agg: sum, expr: 1}
      - {name: items, agg: count, expr: item_id}
      - {name: buyers, agg: count_distinct, expr: customer_id}
      - {name: mean_price, agg: average, expr: price}
      - {name: cheapest, agg: min, expr: price}
      - {name: dearest, agg: max, expr: price}
      - {name: urgent, agg: sum_boolean, expr: is_urgent}
      - {name: shipped, agg: sum, expr: price, agg_time_dimension: shipped_on}
      - {name: middle, agg: median, expr: price}
      - {name: upper, agg: percentile, expr: price, agg_params: {percentile: 0.9}}
      - {name: upper_price, agg: percentile, expr: price, agg_params: {percentile: 0.9, use_discrete_percentile: true}}
      - {name: about_upper, agg: percentile, expr: price, agg_params: {percentile: 0.9, use_approximate_percentile: true}}
      - {name: about_upper_price, agg: percentile, expr: price, agg_params: {percentile: 0.9, use_discrete_percentile: true, use_approximate_percentile: true}}
      - {name: beyond, agg: percentile, expr: price, agg_params: {percentile: 90}}
      - {name: without, agg: percentile, expr: price}
      - {name: hidden, agg: sum, expr: amount + 1}
      - {name: snapshot, agg: sum, expr: price, non_additive_dimension: {name: ordered_on}}
      - {name: balance, agg: sum, expr: price, non_additive_dimension: {name: ordered_on, window_choice: max, window_groupings: [customer]}}
      - {name: other_axis, agg: sum, expr: price, agg_time_dimension: shipped_on, non_additive_dimension: {name: ordered_on}}
      - {name: by_status, agg: sum, expr: price, non_additive_dimension: {name: status}}
      - {name: per_nothing, agg: sum, expr: price, non_additive_dimension: {name: ordered_on, window_groupings: [nothing]}}
      - {name: by_average, agg: sum, expr: price, non_additive_dimension: {name: ordered_on, window_choice: average}}
      - {name: by_key, agg: sum, expr: price, non_additive_dimension: {name: ordered_on, order: 1}}
      - {name: by_none, agg: sum, expr: price, non_additive_dimension: {window_choice: max}}
      - {name: direct, agg: max, expr: price, create_metric: true, create_metric_display_name: Direct price}
  - name: customers
    model: source('crm', 'customers')
    entities:
      - {name: customer, type: primary, expr: id}
    dimensions:
      - {name: region, type: categorical}
metrics:
`

func TestMetrics_KeepTheirMeaning(t *testing.T) {
	const entry = `  - {name: m, type: %s, type_params: %s}` + "\n"
	const helper = "  - {name: total, type: simple, type_params: {measure: revenue}}\n  - {name: n, type: simple, type_params: {measure: {name: order_count, fill_nulls_with: 0}}}\n"
	for _, c := range []struct {
		name, kind, params, expression, payload string
		outcome                                 importer.Outcome
		reason                                  string
	}{
		{"sum", "simple", `{measure: revenue}`, "SUM(orders.price)", "", importer.OutcomeExact, ""},
		{"a constant", "simple", `{measure: order_count}`, "SUM(orders.order_count)", "", importer.OutcomeExact, ""},
		{"count", "simple", `{measure: items}`, "COUNT(orders.item_id)", "", importer.OutcomeExact, ""},
		{"count_distinct", "simple", `{measure: buyers}`, "COUNT(DISTINCT orders.customer)", "", importer.OutcomeExact, ""},
		{"average", "simple", `{measure: mean_price}`, "AVG(orders.price)", "", importer.OutcomeExact, ""},
		{"min", "simple", `{measure: cheapest}`, "MIN(orders.price)", "", importer.OutcomeExact, ""},
		{"max", "simple", `{measure: dearest}`, "MAX(orders.price)", "", importer.OutcomeExact, ""},
		{"sum_boolean", "simple", `{measure: urgent}`, "SUM(CASE WHEN orders.is_urgent THEN 1 ELSE 0 END)", "", importer.OutcomeExact, ""},
		{"a time dimension of its own", "simple", `{measure: shipped}`, "SUM(orders.price)", `"time_dimension": "orders.shipped_on"`, importer.OutcomeExact, ""},
		{"fill_nulls_with", "simple", `{measure: {name: revenue, fill_nulls_with: 7}}`, "SUM(orders.price)", `"fill_nulls_with": 7`, importer.OutcomeExact, ""},
		{"join_to_timespine", "simple", `{measure: {name: revenue, join_to_timespine: true}}`, "SUM(orders.price)", "", importer.OutcomeApproximated, "times without data"},
		{"median", "simple", `{measure: middle}`, "MEDIAN(orders.price)", "", importer.OutcomeExact, ""},
		{"percentile", "simple", `{measure: upper}`, "PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY orders.price)", "", importer.OutcomeExact, ""},
		{"discrete percentile", "simple", `{measure: upper_price}`, "PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY orders.price)", "", importer.OutcomeExact, ""},
		{"approximate percentile", "simple", `{measure: about_upper}`, "APPROX_PERCENTILE(orders.price, 0.9)", "", importer.OutcomeExact, ""},
		{"approximate discrete percentile", "simple", `{measure: about_upper_price}`, "PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY orders.price)", "", importer.OutcomeExact, ""},
		{"percentile beyond 1", "simple", `{measure: beyond}`, "", "", importer.OutcomeDropped, "a number from 0 to 1"},
		{"percentile without a fraction", "simple", `{measure: without}`, "", "", importer.OutcomeDropped, "a number from 0 to 1"},
		{"percentile of filtered rows", "simple", `{measure: {name: upper, filter: "{{ Dimension('order__status') }} = 'open'"}}`,
			"PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY CASE WHEN orders.status = 'open' THEN orders.price END)", "", importer.OutcomeExact, ""},
		{"first snapshot", "simple", `{measure: snapshot}`, "SUM(orders.price)",
			`"requires": ["non_additive"], "non_additive": {"by": "ordered_on", "take": "first"}`, importer.OutcomeApproximated, "in MetricFlow those of its first day"},
		{"last snapshot of each customer", "simple", `{measure: balance}`, "SUM(orders.price)",
			`"non_additive": {"by": "ordered_on", "take": "last", "per": ["customer"]}`, importer.OutcomeApproximated, "rows without customer count"},
		{"snapshots of another time than the axis", "simple", `{measure: other_axis}`, "", "", importer.OutcomeDropped, "another agg_time_dimension"},
		{"snapshots of a text", "simple", `{measure: by_status}`, "", "", importer.OutcomeDropped, "status is not a time dimension"},
		{"snapshots of an unknown entity", "simple", `{measure: per_nothing}`, "", "", importer.OutcomeDropped, "nothing, which is not an entity"},
		{"snapshots with an unknown choice", "simple", `{measure: by_average}`, "", "", importer.OutcomeDropped, "window_choice average"},
		{"snapshots with an unknown key", "simple", `{measure: by_key}`, "", "", importer.OutcomeDropped, "the key order of a non_additive_dimension"},
		{"snapshots without a time", "simple", `{measure: by_none}`, "", "", importer.OutcomeDropped, "has no name"},
		{"a filtered snapshot", "simple", `{measure: {name: snapshot, filter: "{{ Dimension('order__status') }} = 'open'"}}`, "", "", importer.OutcomeDropped, "moves its snapshot"},
		{"a cumulative snapshot", "cumulative", `{measure: snapshot}`, "", "", importer.OutcomeDropped, "a cumulative metric over a measure that is not additive"},
		{"a column that a dimension hides", "simple", `{measure: hidden}`, "SUM(orders.hidden)", "", importer.OutcomeExact, ""},
		{"no such measure", "simple", `{measure: nothing}`, "", "", importer.OutcomeDropped, "the measure nothing is not in the input"},
		{"no measure", "simple", `{}`, "", "", importer.OutcomeDropped, "names no measure"},
		{"unknown type", "magic", `{measure: revenue}`, "", "", importer.OutcomeDropped, "the type magic"},
		{"no type", "\"\"", `{measure: revenue}`, "", "", importer.OutcomeDropped, "it has no type"},

		{"filter", "simple", `{measure: {name: revenue, filter: "{{ Dimension('order__status') }} = 'open'"}}`,
			"SUM(CASE WHEN orders.status = 'open' THEN orders.price END)", "", importer.OutcomeExact, ""},
		{"filters", "simple", `{measure: {name: buyers, filter: ["{{ Dimension('order__status') }} = 'open' OR {{Dimension('order__status')}} IS NULL", "{{ Entity('customer') }} > 3"]}}`,
			"COUNT(DISTINCT CASE WHEN (orders.status = 'open' OR orders.status IS NULL) AND (orders.customer > 3) THEN orders.customer END)", "", importer.OutcomeExact, ""},
		{"filter by time", "simple", `{measure: {name: urgent, filter: "{{ TimeDimension('order__ordered_on', 'month') }} >= '2024-01-01' AND {{ TimeDimension('metric_time') }} < '2025-01-01'"}}`,
			"SUM(CASE WHEN DATE_TRUNC('month', orders.ordered_on) >= '2024-01-01' AND DATE_TRUNC('day', orders.ordered_on) < '2025-01-01' THEN CASE WHEN orders.is_urgent THEN 1 ELSE 0 END END)", "", importer.OutcomeExact, ""},
		{"filter with grain()", "simple", `{measure: {name: revenue, filter: "{{ Dimension('order__ordered_on').grain('year') }} = '2024-01-01'"}}`,
			"SUM(CASE WHEN DATE_TRUNC('year', orders.ordered_on) = '2024-01-01' THEN orders.price END)", "", importer.OutcomeExact, ""},
		{"filter with an entity path", "simple", `{measure: {name: revenue, filter: "{{ Dimension('status', entity_path=['order']) }} = 'open'"}}`,
			"SUM(CASE WHEN orders.status = 'open' THEN orders.price END)", "", importer.OutcomeExact, ""},
		{"filter of another dataset", "simple", `{measure: {name: revenue, filter: "{{ Dimension('customer__region') }} = 'north'"}}`,
			"SUM(CASE WHEN orders_customers.region = 'north' THEN orders.price END)", "", importer.OutcomeExact, ""},
		{"filter behind two entities", "simple", `{measure: {name: revenue, filter: "{{ Dimension('customer__town__region') }} = 'north'"}}`, "", "", importer.OutcomeDropped, "not a dimension of the measure's own dataset"},
		{"filter of an unknown dimension of another dataset", "simple", `{measure: {name: revenue, filter: "{{ Dimension('customer__nothing') }} = 'north'"}}`, "", "", importer.OutcomeDropped, "not a dimension of the measure's own dataset"},
		{"filter by a metric", "simple", `{measure: {name: revenue, filter: "{{ Metric('total', ['customer']) }} > 1"}}`, "", "", importer.OutcomeDropped, "has no counterpart"},
		{"filter with date_part", "simple", `{measure: {name: revenue, filter: "{{ Dimension('order__ordered_on').date_part('year') }} = 2024"}}`, "", "", importer.OutcomeDropped, "date_part"},
		{"filter with a bare column", "simple", `{measure: {name: revenue, filter: "order_status = 'open'"}}`, "", "", importer.OutcomeDropped, "order_status without Dimension"},
		{"filter with a loop", "simple", `{measure: {name: revenue, filter: "{% for x in y %} 1 = 1 {% endfor %}"}}`, "", "", importer.OutcomeDropped, "Jinja"},
		{"filter in hours", "simple", `{measure: {name: revenue, filter: "{{ TimeDimension('order__loaded_at') }} > '2024-01-01'"}}`,
			"SUM(CASE WHEN DATE_TRUNC('hour', orders.loaded_at) > '2024-01-01' THEN orders.price END)", "", importer.OutcomeExact, ""},
		{"filter finer than a second", "simple", `{measure: {name: revenue, filter: "{{ TimeDimension('order__loaded_at', 'millisecond') }} > '2024-01-01'"}}`, "", "", importer.OutcomeDropped, "finer than a second"},

		{"ratio", "ratio", `{numerator: total, denominator: n}`, "total / n", "", importer.OutcomeExact, ""},
		{"ratio with a filter", "ratio", `{numerator: {name: total, filter: "{{ Dimension('order__status') }} = 'open'"}, denominator: total}`,
			"SUM(CASE WHEN orders.status = 'open' THEN orders.price END) / total", "", importer.OutcomeExact, ""},
		{"a filtered member that fills", "ratio", `{numerator: total, denominator: {name: n, filter: "{{ Dimension('order__status') }} = 'open'"}}`,
			"total / COALESCE(SUM(CASE WHEN orders.status = 'open' THEN orders.order_count END), 0)", "", importer.OutcomeExact, ""},
		{"derived", "derived", `{expr: "t * 100 - n / 2", metrics: [{name: total, alias: t}, n]}`, "total * 100 - n / 2", "", importer.OutcomeExact, ""},
		{"derived of an unnamed metric", "derived", `{expr: "t + other", metrics: [{name: total, alias: t}]}`, "", "", importer.OutcomeDropped, "names other"},
		{"derived of itself", "derived", `{expr: "m + 1", metrics: [m]}`, "", "", importer.OutcomeDropped, "made of itself"},
		{"offset by days", "derived", `{expr: "t - before", metrics: [{name: total, alias: t}, {name: total, alias: before, offset_window: 7 days}]}`, "total - m_before", "", importer.OutcomeExact, ""},
		{"offset by months", "derived", `{expr: "t - before", metrics: [{name: total, alias: t}, {name: total, alias: before, offset_window: 1 month}]}`, "total - m_before", "", importer.OutcomeApproximated, "has no such day"},
		{"offset_to_grain", "derived", `{expr: "t", metrics: [{name: total, alias: t, offset_to_grain: month}]}`, "m_t", "", importer.OutcomeApproximated, "grouped by day"},
		{"offset_to_grain of an hour", "derived", `{expr: "t", metrics: [{name: total, alias: t, offset_to_grain: hour}]}`, "", "", importer.OutcomeDropped, "period of hour"},
		{"offset_to_grain and offset_window", "derived", `{expr: "t", metrics: [{name: total, alias: t, offset_to_grain: month, offset_window: 1 day}]}`, "", "", importer.OutcomeDropped, "only one can hold"},
		{"offset_to_grain of a metric that fills", "derived", `{expr: "t", metrics: [{name: n, alias: t, offset_to_grain: month}]}`, "", "", importer.OutcomeDropped, "fills nulls"},
		{"offset in hours", "derived", `{expr: "t", metrics: [{name: total, alias: t, offset_window: 3 hours}]}`, "m_t", "", importer.OutcomeExact, ""},
		{"offset by periods that are not known", "derived", `{expr: "t", metrics: [{name: total, alias: t, offset_window: 1 fortnight}]}`, "", "", importer.OutcomeDropped, "granularity fortnight"},

		{"cumulative", "cumulative", `{measure: revenue}`, "SUM(orders.price)", `"window": {"recompute": {"periods": "unbounded"}}`, importer.OutcomeApproximated, "by day"},
		{"rolling", "cumulative", `{measure: revenue, window: 7 days}`, "SUM(orders.price)", `"window": {"recompute": {"span": {"count": 7, "granularity": "day"}}}`, importer.OutcomeApproximated, "grouped by day; a coarser period has the value of its last day, and in MetricFlow that of its first day"},
		{"cumulative with the last value", "cumulative", `{measure: revenue, cumulative_type_params: {period_agg: last}}`, "SUM(orders.price)", `"window": {"recompute": {"periods": "unbounded"}}`, importer.OutcomeExact, ""},
		{"week to date with the last value", "cumulative", `{measure: revenue, cumulative_type_params: {grain_to_date: week, period_agg: last}}`, "SUM(orders.price)", `"reset": "week"`, importer.OutcomeExact, ""},
		{"month to date with the last value", "cumulative", `{measure: revenue, cumulative_type_params: {grain_to_date: month, period_agg: last}}`, "SUM(orders.price)", `"reset": "month"`, importer.OutcomeApproximated, "begins with the first week of the month"},
		{"a window of months with the last value", "cumulative", `{measure: revenue, cumulative_type_params: {window: 2 months, period_agg: last}}`, "SUM(orders.price)", `"span": {"count": 2, "granularity": "month"}`, importer.OutcomeApproximated, "up to three days later"},
		{"a window finer than its time", "cumulative", `{measure: revenue, window: 3 hours}`, "", "", importer.OutcomeDropped, "finer than its time"},
		{"month to date", "cumulative", `{measure: dearest, cumulative_type_params: {grain_to_date: month}}`, "MAX(orders.price)", `"window": {"recompute": {"periods": "unbounded", "reset": "month"}}`, importer.OutcomeApproximated, "by day"},
		{"decade to date", "cumulative", `{measure: dearest, cumulative_type_params: {grain_to_date: decade}}`, "", "", importer.OutcomeDropped, "granularity decade"},
		{"a cumulative average", "cumulative", `{measure: mean_price, window: 7 days}`, "AVG(orders.price)", `"span": {"count": 7, "granularity": "day"}`, importer.OutcomeApproximated, "grouped by day"},
		{"distinct over a window", "cumulative", `{measure: buyers, cumulative_type_params: {window: 7 days, period_agg: average}}`, "COUNT(DISTINCT orders.customer)", `"span": {"count": 7, "granularity": "day"}`, importer.OutcomeApproximated, "in MetricFlow the mean of all of them"},
		{"a cumulative metric of a metric", "cumulative", `{cumulative_type_params: {metric: {name: total}, window: {count: 2, granularity: week}, period_agg: last}}`, "SUM(orders.price)", `"span": {"count": 2, "granularity": "week"}`, importer.OutcomeApproximated, "whose last window has no rows is null"},
		{"conversion", "conversion", `{conversion_type_params: {entity: customer, base_measure: revenue, conversion_measure: revenue}}`,
			"SUM(CASE WHEN last_orders_before_orders.ordered_on IS NOT NULL THEN orders_after_orders.conversion_revenue END) / SUM(orders.price)", `"time_dimension": "orders.ordered_on"`, importer.OutcomeApproximated, "a condition or a range of a query leaves out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, entries := importTexts(t, importer.Options{}, orders+helper+fmt.Sprintf(entry, c.kind, c.params))
			e := found(t, entries, "metric", "m")
			if e.Outcome != c.outcome || !strings.Contains(e.Reason, c.reason) || (e.Reason == "") != (c.outcome == importer.OutcomeExact) {
				t.Errorf("%+v", e)
			}
			if got := expression(m, "m"); got != c.expression {
				t.Errorf("expression %s", got)
			}
			if got := payload(m, "m"); !strings.Contains(got, c.payload) || c.payload == "" && got != "" {
				t.Errorf("payload %s", got)
			}
		})
	}
}

// A measure that asks for a metric has the entry of both.
func TestMeasures_WithAMetricOfTheirOwnReportItsLosses(t *testing.T) {
	m, entries := importTexts(t, importer.Options{}, strings.Replace(orders, "window_groupings: [customer]}", "window_groupings: [customer]}, create_metric: true", 1))
	e := found(t, entries, "measure", "orders.balance")
	if e.Outcome != importer.OutcomeApproximated || !strings.Contains(e.Reason, "conditions of a query do not move it; rows without customer count") {
		t.Errorf("%+v", e)
	}
	if diff := cmp.Diff(importer.ObjectPaths{importer.MetricPath("balance")}, e.Became); diff != "" {
		t.Error(diff)
	}
	if got := payload(m, "balance"); !strings.Contains(got, `"per": ["customer"]`) {
		t.Errorf("payload %s", got)
	}
}

func TestSemanticModels_BecomeDatasets(t *testing.T) {
	m, entries := importTexts(t, importer.Options{}, orders+"  - {name: total, type: simple, type_params: {measure: revenue}}\n")
	d := m.Datasets[0]
	if d.Source.Value != "fct_orders" || m.Datasets[1].Source.Value != "crm.customers" || d.PrimaryKey[0].Value != "order_id" || m.Datasets[1].PrimaryKey[0].Value != "id" {
		t.Errorf("%+v", d)
	}
	r := m.Relationships[0]
	if len(m.Relationships) != 1 || r.Name.Value != "orders_customers" || r.From.Value != "orders" || r.FromColumns[0].Value != "customer" || r.ToColumns[0].Value != "customer" {
		t.Errorf("%+v", r)
	}
	var fields []string
	for _, f := range d.Fields {
		fields = append(fields, f.Name.Value+"="+f.Expression.Entries[0].Expression.Value)
	}
	want := []string{"ordered_on=ordered_on", "shipped_on=CAST(DATE_TRUNC('month', shipped_on) AS DATE)", "loaded_at=DATE_TRUNC('hour', loaded_at)", "status=order_status", "amount=amount * 2", "order=order_id", "customer=customer_id", "price=price"}
	if diff := cmp.Diff(want, fields); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if e := found(t, entries, "dimension", "orders.loaded_at"); e.Outcome != importer.OutcomeExact {
		t.Errorf("%+v", e)
	}
	if e := found(t, entries, "measure", "orders.direct"); e.Outcome != importer.OutcomeExact || e.Became[0] != "metrics.direct" || expression(m, "direct") != "MAX(orders.price)" {
		t.Errorf("%+v", e)
	}
	if e := found(t, entries, "measure", "orders.by_average"); e.Outcome != importer.OutcomeDropped {
		t.Errorf("%+v", e)
	}
}

func TestSource_TakesThePrefixAndTheRelation(t *testing.T) {
	const text = `
semantic_models:
  - {name: a, model: "ref('x')", dimensions: [{name: f, type: categorical}]}
  - {name: b, model: "ref('package', 'y')", dimensions: [{name: f, type: categorical}]}
  - {name: c, node_relation: {alias: z, schema_name: s, database: d}, dimensions: [{name: f, type: categorical}]}
  - {name: d, node_relation: {alias: z, schema_name: s, relation_name: '"d"."s"."z"'}, dimensions: [{name: f, type: categorical}]}
  - {name: e, node_relation: {alias: z, schema_name: s, relation_name: '` + "`d`.`s`.`z`" + `'}, dimensions: [{name: f, type: categorical}]}
  - {name: f, model: "{{ this }}", dimensions: [{name: f, type: categorical}]}
`
	for _, c := range []struct {
		prefix string
		want   []string
	}{
		{"", []string{"x", "y", "d.s.z", `"d"."s"."z"`, `"d"."s"."z"`}},
		{"main.marts", []string{"main.marts.x", "main.marts.y", "main.marts.z", "main.marts.z", "main.marts.z"}},
	} {
		m, entries := importTexts(t, importer.Options{SourcePrefix: c.prefix}, text)
		var got []string
		for _, d := range m.Datasets {
			got = append(got, d.Source.Value)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		if e := found(t, entries, "semantic_model", "f"); e.Outcome != importer.OutcomeDropped {
			t.Errorf("%+v", e)
		}
	}
}

func TestRelationships_FollowEntities(t *testing.T) {
	const model = "  - {name: %s, model: \"ref('%s')\", entities: [%s], dimensions: [%s]}\n"
	join := func(models ...[3]string) string {
		text := "semantic_models:\n"
		for _, m := range models {
			text += fmt.Sprintf(model, m[0], m[0], m[1], m[2])
		}
		return text
	}
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"each target", join([3]string{"a", "{name: k, type: foreign}"}, [3]string{"b", "{name: k, type: primary}"}, [3]string{"c", "{name: k, type: unique}"}), []string{"a>b", "a>c"}},
		{"keys alone join the first", join([3]string{"a", "{name: k, type: primary}"}, [3]string{"b", "{name: k, type: primary}"}, [3]string{"c", "{name: k, type: unique}"}), []string{"b>a", "c>a"}},
		{"natural", join([3]string{"a", "{name: k, type: foreign}"}, [3]string{"b", "{name: k, type: natural}"}), nil},
		{"validity", join([3]string{"a", "{name: k, type: foreign}"}, [3]string{"b", "{name: k, type: primary}", "{name: v, type: time, type_params: {time_granularity: day, validity_params: {is_start: true}}}"}), nil},
		{"partition", join([3]string{"a", "{name: k, type: foreign}"}, [3]string{"b", "{name: k, type: primary}", "{name: v, type: time, is_partition: true, type_params: {time_granularity: day}}"}), nil},
		{"foreign alone", join([3]string{"a", "{name: k, type: foreign}"}, [3]string{"b", "{name: k, type: foreign}"}), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, entries := importTexts(t, importer.Options{}, c.text)
			var got []string
			for _, r := range m.Relationships {
				got = append(got, r.From.Value+">"+r.To.Value)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			lossy := slices.ContainsFunc(entries, func(e *importer.ReportEntry) bool { return e.Outcome != importer.OutcomeExact })
			if want := c.name == "natural" || c.name == "validity" || c.name == "partition" || c.name == "each target"; lossy != want {
				t.Errorf("lossy %t: %+v", lossy, entries)
			}
		})
	}
}

func TestReport_HasEachConstructOnce(t *testing.T) {
	const text = `
version: 2
models: [{name: fct_orders, columns: [{name: order_id}]}]
semantic_models:
  - name: orders
    label: Purchases
    description: One row per order.
    model: ref('orders')
    colour: red
    config: {meta: {owner: finance, tags: [a, b]}, group: x}
    entities: [{name: order, type: primary, expr: order_id, role: buyer}]
    dimensions:
      - {name: status, type: categorical, label: State, colour: blue}
      - {name: twice, type: categorical}
      - {name: twice, type: categorical}
      - [not, a, map]
    measures: [{name: n, agg: count, expr: order_id, agg_params: {percentile: 0.5}}]
    primary_entity: order
metrics:
  - {name: n, type: simple, label: Number, type_params: {measure: n}, time_granularity: month, config: {enabled: true}}
  - {name: n, type: simple, type_params: {measure: n}}
  - {name: off, type: simple, type_params: {measure: n}, config: {enabled: false}}
  - {type: simple}
saved_queries: [{name: q}]
project_configuration: {time_spines: [{node_relation: {alias: spine}}]}
exposures: []
wishes: [a]
`
	m, entries := importTexts(t, importer.Options{}, text)
	var got []string
	for _, e := range entries {
		got = append(got, fmt.Sprintf("%d %s %s %s", e.Line, e.Outcome, e.Construct, e.Name))
	}
	want := []string{
		"3 exact models models",
		"5 exact semantic_model orders",
		"9 dropped semantic_model key orders.colour",
		"10 dropped semantic_model key orders.config.group",
		"11 dropped entity key order.role",
		"11 exact entity orders.order",
		"13 dropped dimension key status.colour",
		"13 exact dimension orders.status",
		"14 exact dimension orders.twice",
		"15 dropped dimension orders.twice",
		"16 dropped dimension ",
		"17 exact measure orders.n",
		"20 dropped metric key n.time_granularity",
		"20 exact metric n",
		"21 dropped metric n",
		"22 dropped metric off",
		"23 dropped metric ",
		"24 dropped saved_query q",
		"25 dropped time_spine spine",
		"26 exact exposures exposures",
		"27 dropped document key wishes",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	context := map[string]any{"owner": "finance", "tags": []any{"a", "b"}}
	if diff := cmp.Diff(context, m.Datasets[0].AIContext); diff != "" || m.Datasets[0].Description != "One row per order." {
		t.Errorf("-want +got\n%s", diff)
	}
}

// A manifest has all keys of all types, most of them null, and newer ones have the
// aggregate in the metric.
func TestManifest_IsRead(t *testing.T) {
	const text = `{
 "semantic_models": [{"name": "arr", "defaults": {"agg_time_dimension": "month"}, "description": null, "label": null, "metadata": null, "config": null, "primary_entity": "customer",
  "node_relation": {"alias": "arr", "schema_name": "marts", "database": null, "relation_name": "marts.arr"},
  "entities": [], "measures": [],
  "dimensions": [{"name": "month", "type": "time", "expr": "date_month", "is_partition": false, "type_params": {"time_granularity": "month", "validity_params": null}, "metadata": null},
                 {"name": "plan", "type": "categorical", "expr": null, "type_params": null}]}],
 "metrics": [
  {"name": "arr", "type": "simple", "filter": {"where_filters": [{"where_sql_template": "{{ Dimension('customer__plan') }} = 'pro'"}]}, "type_params": {"measure": null, "numerator": null, "metrics": [], "window": null,
   "metric_aggregation_params": {"semantic_model": "arr", "agg": "sum", "expr": "amount", "agg_time_dimension": "month", "non_additive_dimension": null}, "fill_nulls_with": 0, "join_to_timespine": false}},
  {"name": "twice", "type": "derived", "type_params": {"expr": "arr * 2", "metrics": [{"name": "arr", "alias": null, "filter": null, "offset_window": null}]}}],
 "project_configuration": {"time_spines": [], "time_spine_table_configurations": [], "dsi_package_version": {}},
 "saved_queries": []}`
	m, entries := importTexts(t, importer.Options{}, text)
	if got := expression(m, "arr"); got != "SUM(CASE WHEN arr.plan = 'pro' THEN arr.amount END)" || !strings.Contains(payload(m, "arr"), `"fill_nulls_with": 0`) {
		t.Errorf("%s, %s", got, payload(m, "arr"))
	}
	if got := expression(m, "twice"); got != "arr * 2" {
		t.Errorf("%s", got)
	}
	for _, e := range entries {
		if (e.Outcome == importer.OutcomeExact) == (e.Construct == "project_configuration") {
			t.Errorf("%+v", e)
		}
	}
}

// Members with filters are written out; those of members multiply.
func TestFilters_OfDeepMetricsAreBounded(t *testing.T) {
	text := orders + "  - {name: d0, type: simple, type_params: {measure: revenue}}\n"
	for i := 1; i < 60; i++ {
		text += fmt.Sprintf("  - {name: d%d, type: derived, type_params: {expr: \"a + a + a\", metrics: [{name: d%d, alias: a}]}}\n", i, i-1)
		text += fmt.Sprintf("  - {name: r%d, type: ratio, type_params: {numerator: %s%d, denominator: %s%d}}\n", i, map[bool]string{true: "d", false: "r"}[i == 1], i-1, map[bool]string{true: "d", false: "r"}[i == 1], i-1)
	}
	text += "  - {name: wide, type: derived, filter: \"{{ Dimension('order__status') }} = 'a'\", type_params: {expr: d59, metrics: [d59]}}\n"
	text += "  - {name: deep, type: derived, filter: \"{{ Dimension('order__status') }} = 'a'\", type_params: {expr: r59, metrics: [r59]}}\n"
	_, entries := importTexts(t, importer.Options{}, text)
	for _, name := range []string{"wide", "deep"} {
		if e := found(t, entries, "metric", name); e.Outcome != importer.OutcomeDropped {
			t.Errorf("%+v", e)
		}
	}
}

func TestRead_BoundsRelationships(t *testing.T) {
	var text strings.Builder
	text.WriteString("semantic_models:\n")
	for i := range 300 {
		fmt.Fprintf(&text, "  - {name: m%d, entities: [{name: k, type: %s}]}\n", i, []string{"foreign", "primary"}[i%2])
	}
	_, err := metricflow.Read([]importer.SourceFile{{Name: "f", Text: []byte(text.String())}}, importer.Options{})
	if e := (*importer.Error)(nil); !errors.As(err, &e) || !strings.Contains(e.Message, "relationships") {
		t.Errorf("%v", err)
	}
}

// FuzzRead: any text is an error of the importer, or a model that validates and a report.
func FuzzRead(f *testing.F) {
	f.Add([]byte(orders))
	f.Add([]byte(orders + "  - {name: m, type: derived, filter: \"{{ Dimension('order__status') }} = 'a'\", type_params: {expr: direct / 2, metrics: [direct]}}\n"))
	f.Add([]byte(`{"semantic_models": [{"name": "a", "entities": [{"name": "k", "type": "primary"}]}], "metrics": [{"name": "m", "type": "simple"}]}`))
	f.Add([]byte("models: [{name: a, semantic_model: true, columns: [{name: k, entity: primary}, {name: d, granularity: day, dimension: time}], metrics: [{name: m, type: simple, agg: sum, expr: x}, {name: r, type: ratio, numerator: m, denominator: {name: m}}]}]"))
	f.Add([]byte("semantic_model: {name: a, dimensions: [{name: x, type: time}]}\n---\nmetric: {name: m}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		imported, err := metricflow.Read([]importer.SourceFile{{Name: "f", Text: text}}, importer.Options{ModelName: "m"})
		if err == nil {
			_, err = importer.FinishImport(context.Background(), imported, func(context.Context, []byte) (map[string]string, error) { return nil, nil })
		}
		if e := (*importer.Error)(nil); err != nil && !errors.As(err, &e) {
			t.Fatalf("%T: %v", err, err)
		}
		if e := (*importer.Error)(nil); errors.As(err, &e) && (strings.Contains(e.Message, "not valid") || strings.Contains(e.Message, "cannot be read:")) {
			t.Fatalf("the imported model is broken: %v", err)
		}
	})
}

// Each metric is made of the one before twice, an unlike time earlier: the parts double with each.
func TestOffsets_OfOffsetsAreBounded(t *testing.T) {
	var text strings.Builder
	text.WriteString(orders + "  - {name: m0, type: simple, type_params: {measure: revenue}}\n")
	for i := range 24 {
		fmt.Fprintf(&text, "  - {name: m%d, type: derived, type_params: {expr: a + b, metrics: [{name: m%d, alias: a, offset_window: %d days}, {name: m%d, alias: b, offset_window: 1 day}]}}\n", i+1, i, 1<<i+1, i)
	}
	m, entries := importTexts(t, importer.Options{}, text.String())
	if len(m.Metrics) > 10_100 {
		t.Errorf("%d metrics", len(m.Metrics))
	}
	if e := found(t, entries, "metric", "m3"); e.Outcome != importer.OutcomeExact {
		t.Errorf("%+v", e)
	}
	if e := found(t, entries, "metric", "m24"); e.Outcome != importer.OutcomeDropped {
		t.Errorf("%+v", e)
	}
}

// The parts of an offset of an offset are as much earlier as both, in one unit.
func TestOffsets_OfOffsetsAddUp(t *testing.T) {
	for _, c := range []struct{ inner, outer, payload, reason string }{
		{"5 days", "2 days", `"offset": {"count": 7, "granularity": "day"}`, ""},
		{"2 weeks", "3 days", `"offset": {"count": 17, "granularity": "day"}`, ""},
		{"1 month", "1 month", `"offset": {"count": 2, "granularity": "month"}`, ""},
		{"soon", "1 day", "", `the window "soon"`},
	} {
		m, entries := importTexts(t, importer.Options{}, orders+`
  - {name: total, type: simple, type_params: {measure: revenue}}
  - {name: rest, type: simple, type_params: {measure: revenue}}
  - {name: share, type: ratio, type_params: {numerator: {name: total, offset_window: `+c.inner+`}, denominator: rest}}
  - {name: m, type: derived, type_params: {expr: s * 2, metrics: [{name: share, alias: s, offset_window: `+c.outer+`}]}}
`)
		if c.reason != "" {
			if e := found(t, entries, "metric", "m"); e.Outcome != importer.OutcomeDropped || !strings.Contains(e.Reason, c.reason) {
				t.Errorf("%+v", e)
			}
			continue
		}
		if got := expression(m, "m"); got != "m_s_total / m_s_rest * 2" {
			t.Errorf("expression %s", got)
		}
		if got := payload(m, "m_s_total"); !strings.Contains(got, c.payload) {
			t.Errorf("payload %s", got)
		}
	}
}
