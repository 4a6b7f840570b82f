package metricflow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/importer"
)

const savedModels = `
semantic_models:
  - name: orders
    model: ref('orders')
    defaults: {agg_time_dimension: day}
    entities: [{name: order, type: primary, expr: id}, {name: customer, type: foreign, expr: customer_id}]
    dimensions:
      - {name: day, type: time, type_params: {time_granularity: day}}
      - {name: hour, type: time, type_params: {time_granularity: hour}}
      - {name: status, type: categorical}
    measures:
      - {name: n, agg: count, expr: id, create_metric: true}
      - {name: hourly, agg: count, expr: id, agg_time_dimension: hour, create_metric: true}
      - {name: middle, agg: mode, expr: id, create_metric: true}
  - name: customers
    model: ref('customers')
    entities: [{name: customer, type: primary, expr: id}]
    dimensions: [{name: region, type: categorical}, {name: status, type: categorical}]
    measures: [{name: people, agg: count, expr: id, create_metric: true}]
  - name: more_customers
    model: ref('more')
    entities: [{name: customer, type: unique, expr: id}]
    dimensions: [{name: status, type: categorical}]
metrics:
  - {name: filled, type: simple, type_params: {measure: {name: n, join_to_timespine: true}}}
  - name: change
    type: derived
    type_params: {expr: n - b, metrics: [n, {name: n, alias: b, offset_window: 1 day}]}
`

// What a saved query has without a counterpart drops it, or makes it approximated.
func TestSavedQueries_KeepTheirMeaningOrAreDropped(t *testing.T) {
	for _, c := range []struct {
		params  string
		outcome importer.Outcome
		reason  string
	}{
		{`{metrics: [n], group_by: ["Dimension('customer__region')"]}`, importer.OutcomeExact, ""},
		{`{metrics: [n], group_by: ["Dimension('metric_time')"], order_by: ["Dimension('metric_time')"]}`, importer.OutcomeExact, ""},
		{`{metrics: [n], group_by: ["TimeDimension('order__day', 'month').descending(True)"]}`, importer.OutcomeDropped, "descending"},
		{`{metrics: []}`, importer.OutcomeDropped, "no metrics"},
		{`{metrics: [middle]}`, importer.OutcomeDropped, "middle is not imported"},
		{`{metrics: [missing]}`, importer.OutcomeDropped, "missing is not imported"},
		{`{metrics: [filled]}`, importer.OutcomeApproximated, "its metrics are approximated: filled"},
		{`{metrics: [change], group_by: ["TimeDimension('metric_time', 'day')"]}`, importer.OutcomeExact, ""},
		{`{metrics: [change], group_by: ["TimeDimension('metric_time', 'day')"], where: "{{ Dimension('order__status') }} = 'x'"}`, importer.OutcomeApproximated, "periods"},
		{`{metrics: [n], group_by: ["Dimension('customer__status')"]}`, importer.OutcomeDropped, "several semantic models"},
		{`{metrics: [n], group_by: ["Dimension('order__customer__region')"]}`, importer.OutcomeDropped, "several entities"},
		{`{metrics: [n], group_by: ["Dimension('region')"]}`, importer.OutcomeDropped, "without an entity"},
		{`{metrics: [n], group_by: ["Dimension('order__missing')"]}`, importer.OutcomeDropped, "not imported"},
		{`{metrics: [n], group_by: ["order__status"]}`, importer.OutcomeDropped, "is not Dimension"},
		{`{metrics: [n], group_by: ["TimeDimension('order__hour')"]}`, importer.OutcomeExact, ""},
		{`{metrics: [n], group_by: ["TimeDimension('order__hour', 'millisecond')"]}`, importer.OutcomeDropped, "finer than its granularity"},
		{`{metrics: [n], group_by: ["TimeDimension('order__day', 'hour')"]}`, importer.OutcomeDropped, "finer than its granularity"},
		{`{metrics: [hourly], group_by: ["Dimension('metric_time')"]}`, importer.OutcomeExact, ""},
		{`{metrics: [people], group_by: ["TimeDimension('metric_time', 'day')"]}`, importer.OutcomeDropped, "no time dimension"},
		{`{metrics: [n], group_by: ["Dimension('order__status').grain('day')"]}`, importer.OutcomeDropped, "not a time dimension"},
		{`{metrics: [n, people], group_by: ["Entity('customer')"]}`, importer.OutcomeDropped, "entity customer"},
		{`{metrics: [n, hourly], where: "{{ TimeDimension('metric_time', 'day') }} > '2024-01-01'"}`, importer.OutcomeDropped, "several time dimensions"},
		{`{metrics: [people], where: "{{ TimeDimension('metric_time', 'day') }} > '2024-01-01'"}`, importer.OutcomeDropped, "no time dimension"},
		{`{metrics: [n], where: "{{ Metric('n', group_by=['customer']) }} > 1"}`, importer.OutcomeDropped, "no counterpart"},
		{`{metrics: [n], where: "status = 'x'"}`, importer.OutcomeDropped, "the column status"},
		{`{metrics: [n], where: "{{ Dimension('order__status') }} = :s"}`, importer.OutcomeDropped, ""},
		{`{metrics: [n], order_by: ["Metric('people')"]}`, importer.OutcomeDropped, "does not have"},
		{`{metrics: [n], order_by: ["Dimension('order__status')"]}`, importer.OutcomeDropped, "does not group"},
		{`{metrics: [n], order_by: ["-n"]}`, importer.OutcomeDropped, "not a call"},
		{`{metrics: [n], order_by: ["Metric('n')"], limit: 3}`, importer.OutcomeApproximated, "nulls"},
		{`{metrics: [n], limit: -1}`, importer.OutcomeDropped, "limit"},
	} {
		_, entries := importTexts(t, importer.Options{}, savedModels+"saved_queries: [{name: q, query_params: "+c.params+"}]\n")
		if e := found(t, entries, "saved_query", "q"); e.Outcome != c.outcome || !strings.Contains(e.Reason, c.reason) {
			t.Errorf("%s: %s %q", c.params, e.Outcome, e.Reason)
		}
	}
}

// The payload of the model has each saved query once, with a name that requests can use.
func TestSavedQueries_AreReadBack(t *testing.T) {
	m, entries := importTexts(t, importer.Options{}, savedModels+`
saved_queries:
  - name: q
    label: Orders
    description: Open orders.
    tags: []
    exports: [{name: file}]
    config: {meta: {owner: finance}}
    query_params:
      metrics: [n]
      group_by: ["Dimension('customer__region')"]
      where: {where_filters: [{where_sql_template: "{{ Dimension('order__status') }} = 'a'"}, {where_sql_template: "{{ TimeDimension('metric_time', 'year') }} < '2024-01-01'"}]}
      order_by: ["Metric('n').descending(True)", "Dimension('customer__region')"]
      limit: 5
  - {name: Q, query_params: {metrics: [n]}}
  - {name: a b, query_params: {metrics: [n]}}
  - {name: off, query_params: {metrics: [n]}, config: {enabled: false}}
`)
	payload, found := extension.ReadModel(m.Place, m.Extensions)
	if found.FirstError() != nil || len(payload.Queries) != 1 {
		t.Fatalf("%+v, %d queries", found, len(payload.Queries))
	}
	q := payload.Queries[0]
	if q.Err != nil || q.Name != "q" || q.Description != "Open orders." || len(q.Synonyms) != 1 || q.Synonyms[0] != "Orders" {
		t.Errorf("%+v", q)
	}
	var body strings.Builder
	for _, key := range q.Body {
		fmt.Fprintf(&body, "%s=%v;", key.Name, key.Parts)
	}
	for _, want := range []string{`customers.region`, `(orders.status = 'a') AND (DATE_TRUNC('year', orders.day) < '2024-01-01')`, `customer__region`} {
		if !strings.Contains(body.String(), want) {
			t.Errorf("no %s in %s", want, body.String())
		}
	}
	lost := map[string]bool{}
	for _, e := range entries {
		if e.Outcome == importer.OutcomeDropped {
			lost[e.Construct+" "+e.Name] = true
		}
	}
	for _, want := range []string{"export q.file", "saved_query key q.meta", "saved_query Q", "saved_query a b", "saved_query off"} {
		if !lost[want] {
			t.Errorf("%s is not dropped: %v", want, lost)
		}
	}
}
