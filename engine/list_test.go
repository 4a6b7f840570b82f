package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

func TestModel_Counts(t *testing.T) {
	want := engine.ModelInfo{
		Name: "shop", Path: "testdata/orders.yaml", Mode: "vendor", SpecVersion: "0.2.0.dev0", ExtensionVersion: "1.10",
		Datasets: 3, Fields: 14, Metrics: 7, Relationships: 2,
	}
	got := shop(t).Model()
	if len(got.Revision) != 12 || time.Since(got.LoadedAt) > time.Hour || got.LoadedAt.Location() != time.UTC {
		t.Errorf("revision %q of %s", got.Revision, got.LoadedAt)
	}
	got.Warnings, got.Revision, got.LoadedAt = 0, "", time.Time{}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDatasets_ListKeysAndTimeFields(t *testing.T) {
	got := wire(t, shop(t).Datasets())
	want := `[` +
		`{"name":"orders","source":"orders","primary_key":["order_id"],"fields":8,"time_dimensions":["orders.order_date"],"primary_time_dimension":"orders.order_date"},` +
		`{"name":"customers","source":"customers","primary_key":["customer_id"],"fields":3,"time_dimensions":["customers.signup_date"],"primary_time_dimension":"customers.signup_date"},` +
		`{"name":"products","source":"products","primary_key":["product_id"],"fields":3,"time_dimensions":[]}]`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestMetrics_ListComposition(t *testing.T) {
	got := wire(t, metricsOf(t, shop(t)))
	want := `[` +
		`{"name":"revenue","kind":"aggregate","datasets":["orders"],"measures":["orders_amount_sum"],"additivity":"additive","time_dimension":"orders.order_date","definition":"SUM(orders.amount)","attribution":"exact"},` +
		`{"name":"order_count","kind":"aggregate","datasets":["orders"],"measures":["orders_order_id_count"],"additivity":"additive","time_dimension":"orders.order_date","definition":"COUNT(orders.order_id)","attribution":"exact"},` +
		`{"name":"unique_customers","kind":"aggregate","datasets":["orders"],"measures":["orders_customer_id_count_distinct"],"additivity":"non_additive","time_dimension":"orders.order_date","definition":"COUNT(DISTINCT orders.customer_id)","attribution":"unsupported"},` +
		`{"name":"avg_order_value","kind":"ratio","datasets":["orders"],"measures":["orders_amount_sum","orders_order_id_count"],"additivity":"non_additive","time_dimension":"orders.order_date","definition":"SUM(orders.amount) / COUNT(orders.order_id)","attribution":"exact"},` +
		`{"name":"total_margin","kind":"expression","datasets":["orders","products"],"measures":["orders_amount_sum","products_unit_cost_sum"],"additivity":"additive","time_dimension":"orders.order_date","definition":"SUM(orders.amount) - SUM(products.unit_cost)","attribution":"exact"},` +
		`{"name":"customers","kind":"aggregate","datasets":["customers"],"measures":["customers_customer_id_count"],"additivity":"additive","time_dimension":"customers.signup_date","definition":"COUNT(customers.customer_id)","attribution":"exact"},` +
		`{"name":"unfinished","kind":"expression","datasets":[],"measures":[],"additivity":"non_additive","attribution":"unsupported"}]`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestFields_ListRoles(t *testing.T) {
	found, err := shop(t).Dimensions(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		Name, Source string
		Is, Time     bool
		Grains       int
	}
	var got []row
	for _, d := range found {
		got = append(got, row{d.Name, d.Source, d.IsDimension, d.IsTime, len(d.Grains)})
	}
	want := []row{
		{"orders.order_id", "inferred:primary_key", false, false, 0},
		{"orders.customer_id", "inferred", true, false, 0},
		{"orders.product_id", "inferred", true, false, 0},
		{"orders.order_date", "inferred:time", true, true, 5},
		{"orders.status", "inferred", true, false, 0},
		{"orders.amount", "inferred:measure", false, false, 0},
		{"orders.is_large", "inferred", true, false, 0},
		{"orders.broken", "inferred", true, false, 0},
		{"customers.customer_id", "inferred:primary_key", false, false, 0},
		{"customers.region", "inferred", true, false, 0},
		{"customers.signup_date", "inferred:time", true, true, 5},
		{"products.product_id", "inferred:primary_key", false, false, 0},
		{"products.category", "inferred", true, false, 0},
		{"products.unit_cost", "inferred:measure", false, false, 0},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDimensions_OfMetric(t *testing.T) {
	e := shop(t)
	names := func(metric string) []string {
		found, err := e.Dimensions(t.Context(), metric)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, d := range found {
			out = append(out, d.Name)
		}
		return out
	}
	want := []string{"metric_time", "customers.customer_id", "customers.region", "customers.signup_date"}
	if d := cmp.Diff(want, names("customers")); d != "" {
		t.Error(d)
	}
	if got := names("REVENUE"); len(got) != 14 || got[0] != "metric_time" { // all 14 fields but the broken one, and metric_time
		t.Errorf("%d: %v", len(got), got)
	}
	if _, err := e.Dimensions(t.Context(), "revenu"); codeOf(err) != "unknown_metric" {
		t.Errorf("%v", err)
	}
	if _, err := e.Dimensions(t.Context(), "unfinished"); codeOf(err) != "not_an_aggregate" {
		t.Errorf("%v", err)
	}
}

// Two paths lead from trips to cities: a listed name contains the path.
const twoRoles = `
version: 0.2.0.dev0
name: m
datasets:
  - name: trips
    source: trips
    primary_key: [id]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: origin, expression: {dialects: [{dialect: ANSI_SQL, expression: origin}]}}
      - {name: target, expression: {dialects: [{dialect: ANSI_SQL, expression: target}]}}
      - {name: month, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: month}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_granularity": "month"}'}]}
  - name: cities
    source: cities
    primary_key: [id]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: country, expression: {dialects: [{dialect: ANSI_SQL, expression: country}]}}
relationships:
  - {name: departure, from: trips, to: cities, from_columns: [origin], to_columns: [id]}
  - {name: arrival, from: trips, to: cities, from_columns: [target], to_columns: [id]}
metrics:
  - {name: trips, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(trips.id)}]}}
`

func TestDimensions_ListedOnesCompile(t *testing.T) {
	t.Run("the listed dimensions of a metric are exactly the fields that compile with it", func(t *testing.T) {
		e := open(t, engine.Config{ModelText: []byte(twoRoles)})
		found, err := e.Dimensions(t.Context(), "trips")
		if err != nil {
			t.Fatal(err)
		}
		type row struct {
			Name   string
			Grains []string
		}
		var got []row
		for _, d := range found {
			got = append(got, row{d.Name, d.Grains})
			q := &query.MetricQuery{Metrics: []string{"trips"}, GroupBy: []query.GroupBy{{Field: d.Name}}}
			if _, err := askSQL(context.Background(), e, q); err != nil {
				t.Errorf("%s: %v", d.Name, err)
			}
		}
		months := []string{"month", "quarter", "year"}
		want := []row{
			{"metric_time", months}, {"trips.id", nil}, {"trips.origin", nil}, {"trips.target", nil}, {"trips.month", months},
			{"departure.id", nil}, {"arrival.id", nil}, {"departure.country", nil}, {"arrival.country", nil},
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	})
}

// A window over time is grouped by its axis, under either name of it.
const windowed = `
version: 0.2.0.dev0
name: m
datasets:
  - name: orders
    source: orders
    primary_key: [id]
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_dimension": "day"}'}]
    fields:
      - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
      - {name: day, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: day}]}}
      - {name: shipped, datatype: Date, expression: {dialects: [{dialect: ANSI_SQL, expression: shipped}]}}
      - {name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
metrics:
  - name: so_far
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "window": {"type": "cumulative", "function": "sum"}}'}]
  - name: quarterly
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "window": {"type": "pop", "offset": "1 quarter"}}'}]
  - {name: both, expression: {dialects: [{dialect: ANSI_SQL, expression: so_far - quarterly}]}}
`

func TestDimensions_ListTheTimeAxisOfAWindowUnderBothNames(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(windowed)})
	all := []string{"day", "week", "month", "quarter", "year"}
	offset := []string{"day", "month", "quarter"} // a week or a year is not a multiple of a quarter
	for metric, want := range map[string][]string{"so_far": all, "quarterly": offset, "both": offset} {
		found, err := e.Dimensions(t.Context(), metric)
		if err != nil {
			t.Fatal(err)
		}
		grains := map[string][]string{}
		for _, d := range found {
			grains[d.Name] = d.Grains
		}
		for _, axis := range []string{"metric_time", "orders.day"} {
			if d := cmp.Diff(want, grains[axis]); d != "" {
				t.Errorf("%s by %s: %s", metric, axis, d)
			}
		}
		if d := cmp.Diff(all, grains["orders.shipped"]); d != "" {
			t.Errorf("%s by a time field that is not its axis: %s", metric, d)
		}
	}
}

func TestCapabilities_ListDialectsAndKeys(t *testing.T) {
	c := open(t, engine.Config{ModelText: []byte(twoRoles), Version: "v9"}).Capabilities()
	if c.EngineVersion != "v9" || c.SpecVersion != "0.2.0.dev0" || c.Extension.Version != "1.10" || c.Extension.Minimum != "1.0" || len(c.Extension.Keys) < 18 {
		t.Errorf("%+v", c)
	}
	executes := map[string]bool{}
	for _, d := range c.Dialects {
		executes[d.Name] = d.Executes
	}
	for _, name := range []string{"duckdb", "postgres", "redshift", "mysql", "mariadb"} {
		if does, listed := executes[name]; !listed || !does {
			t.Errorf("%s: listed %v, executes %v", name, listed, does)
		}
	}
	if does, listed := executes["snowflake"]; !listed || does {
		t.Errorf("snowflake: listed %v, executes %v", listed, does)
	}
	if types := strings.Join(c.ConnectionTypes, " "); !strings.HasPrefix(types, "duckdb sqlite postgres ") || strings.Contains(types, "snowflake") {
		t.Errorf("connection types %s", types)
	}
}

func wire(t *testing.T, v any) string {
	t.Helper()
	text, err := engine.MarshalWireJSON(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A metric over the orders of customers, of which a level-of-detail field needs a
// parameter, and a ranking of the orders above a threshold.
const measuredByLevel = `
  - {name: served, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(customers.large)}]}}
  - {name: above_rank, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(CASE WHEN orders.amount > 0 THEN orders.amount END)}]},
     custom_extensions: [{vendor_name: SEMLAYER, data: '{"v":"1.9","derive":{"type":"filter","base":"revenue","where":"amount > 0"},"window":{"rank":{"function":"rank"}}}'}]}
`

func TestMetrics_ListUsedMeasuresAndParams(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(classed + measuredByLevel), Setup: []string{classedRows}})
	served, err := e.Metric(t.Context(), "served")
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := served.ParamSchema["least"]; !ok || !p.Required || len(served.ParamSchema) != 1 {
		t.Errorf("params: %v", served.ParamSchema)
	}
	if _, err := askSQL(context.Background(), e, metricQuery(t, `{"metrics":["served"],"params":{"least":60}}`)); err != nil {
		t.Error(err)
	}
	rank, err := e.Metric(t.Context(), "above_rank")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"orders_amount_sum"}
	if !cmp.Equal(rank.Measures, want) || !cmp.Equal(rank.LeafMeasures, want) {
		t.Errorf("measures %v, leaf measures %v", rank.Measures, rank.LeafMeasures)
	}
}

// The time axis of a metric over metrics is the one that its members share.
func TestMetrics_ShareTheAxisOfTheirMembers(t *testing.T) {
	const model = `
version: 0.2.0.dev0
semantic_model:
  - name: pottery
    datasets:
      - name: pots
        source: pots
        primary_key: [id]
        fields:
          - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}, datatype: Integer}
          - {name: thrown, expression: {dialects: [{dialect: ANSI_SQL, expression: thrown}]}, datatype: Date, dimension: {is_time: true}}
          - {name: sold, expression: {dialects: [{dialect: ANSI_SQL, expression: sold}]}, datatype: Date, dimension: {is_time: true}}
          - {name: price, expression: {dialects: [{dialect: ANSI_SQL, expression: price}]}, datatype: Decimal}
    metrics:
      - {name: made, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(pots.id)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_dimension": "thrown"}'}]}
      - {name: sales, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(pots.price)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_dimension": "sold"}'}]}
      - {name: best, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(pots.price)}]}, custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.9", "time_dimension": "sold"}'}]}
      - {name: price_of_made, expression: {dialects: [{dialect: ANSI_SQL, expression: sales / made}]}}
      - {name: share_of_best, expression: {dialects: [{dialect: ANSI_SQL, expression: best / sales}]}}
      - {name: beside_best, expression: {dialects: [{dialect: ANSI_SQL, expression: sales - best}]}}
`
	e := open(t, engine.Config{ModelText: []byte(model)})
	metrics, err := e.Metrics(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][2]string{}
	for _, m := range metrics {
		got[m.Name] = [2]string{m.Kind, m.TimeDimension}
	}
	if d := cmp.Diff(map[string][2]string{
		"made": {"aggregate", "pots.thrown"}, "sales": {"aggregate", "pots.sold"}, "best": {"aggregate", "pots.sold"},
		"price_of_made": {"ratio", ""}, "share_of_best": {"ratio", "pots.sold"}, "beside_best": {"expression", "pots.sold"},
	}, got); d != "" {
		t.Error(d)
	}
}
