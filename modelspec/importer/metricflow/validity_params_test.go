package metricflow_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// prices are sales, and prices of a key that hold for a time. A test replaces parts of them.
const prices = `
semantic_models:
  - name: sales
    model: ref('sales')
    defaults: {agg_time_dimension: sold_on}
    entities: [{name: sale, type: primary}, {name: sku, type: foreign}]
    dimensions: [{name: sold_on, type: time, type_params: {time_granularity: day}}]
    measures: [{name: sold, agg: sum}]
  - name: price
    model: ref('price')
    entities: [{name: sku, type: natural, expr: code}]
    dimensions:
      - {name: since, type: time, type_params: {time_granularity: day, validity_params: {is_start: true}}}
      - {name: until, type: time, type_params: {time_granularity: day, validity_params: {is_end: true}}}
      - {name: class, type: categorical}
metrics:
  - {name: sold, type: simple, type_params: {measure: sold}}
  - {name: sold_dear, type: simple, type_params: {measure: sold}, filter: "{{ Dimension('sku__class') }} = 'dear'"}
`

// A natural entity of rows that hold for a time is a relationship with a validity.
func TestValidity_IsThatOfARelationship(t *testing.T) {
	result := settleTexts(t, importer.Options{}, prices)
	want := `      - name: sales_price
        from: sales
        to: price
        from_columns: [sku]
        to_columns: [sku]
        custom_extensions:
          - vendor_name: SEMLAYER
            data: '{"v": "1.10", "valid": {"at": "sold_on", "from": "since", "to": "until"}}'
`
	if !strings.Contains(string(result.Model), want) {
		t.Errorf("want\n%s\nin\n%s", want, result.Model)
	}
	if n := strings.Count(string(result.Model), "datatype: Date\n"); n != 3 {
		t.Errorf("%d dates, want sold_on, since and until, in\n%s", n, result.Model)
	}
	if !strings.Contains(string(result.Model), "CASE WHEN sales_price.class = 'dear' THEN sales.sold END") {
		t.Errorf("no condition on the class in\n%s", result.Model)
	}
	want = "approximated validity_params since: a row without since is valid from the beginning of time, and MetricFlow never finds it"
	if diff := cmp.Diff(want, losses(result.Entries)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// A time whose column other elements read keeps the times of the column: another field has its days.
func TestValidity_ComparesDaysOfASharedColumn(t *testing.T) {
	result := settleTexts(t, importer.Options{}, strings.Replace(prices, "agg: sum}", "agg: sum}, {name: latest, agg: max, expr: sold_on}", 1))
	if want := `"valid": {"at": "valid_sold_on", "from": "since", "to": "until"}`; !strings.Contains(string(result.Model), want) {
		t.Errorf("no %s in\n%s", want, result.Model)
	}
	_, sales, _ := strings.Cut(string(result.Model), "name: sales\n")
	_, field, _ := strings.Cut(sales, "name: sold_on\n")
	if own, _, _ := strings.Cut(field, "- name:"); strings.Contains(own, "datatype: Date\n") {
		t.Errorf("sold_on is a day in\n%s", result.Model)
	}
	_, field, _ = strings.Cut(sales, "name: valid_sold_on\n")
	if own, _, _ := strings.Cut(field, "- name:"); !strings.Contains(own, "datatype: Date\n") {
		t.Errorf("valid_sold_on is no day in\n%s", result.Model)
	}
}

// Where a key and a time find no row in the way of MetricFlow, no relationship leads to the rows.
func TestValidity_ReportsLosses(t *testing.T) {
	const without = "dropped entity price.sku: a natural entity finds a row for a time only; "
	const missing = "a row that holds for a time is not found by a key: no relationship leads to the dataset, which has no "
	for _, c := range []struct{ name, old, replacement, want string }{
		{"no end", "validity_params: {is_end: true}", "", without + "dropped validity_params since: " + missing + "dimension that is the start, and another one that is the end"},
		{"one dimension", "since, type: time, type_params: {time_granularity: day, validity_params: {is_start: true}", "since, type: time, type_params: {time_granularity: day, validity_params: {is_start: true, is_end: true}",
			without + "dropped validity_params since: " + missing + "dimension that is the start, and another one that is the end; dropped validity_params until: " + missing + "dimension that is the start, and another one that is the end"},
		{"no natural entity", "type: natural", "type: unique", "approximated entity price.sku: the field is not a key: a row is found with a time as well; " +
			"dropped validity_params since: " + missing + "natural entity; dropped validity_params until: " + missing + "natural entity"},
		{"weeks", "day, validity_params: {is_start: true}", "week, validity_params: {is_start: true}",
			without + "dropped validity_params since: " + missing + "times in days or a finer granularity as start and end; dropped validity_params until: " + missing + "times in days or a finer granularity as start and end"},
		{"no time of measures", "defaults: {agg_time_dimension: sold_on}", "", "approximated entity sales.sku: no relationship leads to price, whose rows hold for a time: sales has no time of measures in days or a finer granularity; " +
			"approximated validity_params since: a row without since is valid from the beginning of time, and MetricFlow never finds it"},
		{"another time", "measures: [", "measures: [{name: n, agg: count, expr: sku, agg_time_dimension: paid_on}, ", "approximated entity sales.sku: the rows of price are those that are valid at sold_on, in MetricFlow at the agg_time_dimension of each measure; " +
			"approximated validity_params since: a row without since is valid from the beginning of time, and MetricFlow never finds it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(prices, c.old) {
				t.Fatalf("no %s", c.old)
			}
			_, entries := importTexts(t, importer.Options{}, strings.Replace(prices, c.old, c.replacement, 1))
			got := losses(entries)
			for _, want := range strings.Split(c.want, "; ") {
				if !strings.Contains(got, want) {
					t.Errorf("want %s\ngot  %s", want, got)
				}
			}
		})
	}
}
