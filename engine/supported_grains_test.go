package engine_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// throwing has a metric for days and weeks, one for weeks and months, and one that is made of both.
const throwing = `
version: 0.2.0.dev0
name: pottery
datasets:
  - name: pots
    source: pots
    primary_key: [pot_id]
    fields:
      - {name: pot_id, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: pot_id}]}}
      - {name: thrown_on, datatype: Date, dimension: {}, expression: {dialects: [{dialect: ANSI_SQL, expression: thrown_on}]}}
      - {name: clay, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: clay}]}}
metrics:
  - {name: pot_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(pots.pot_id)}]}}
  - name: daily_pots
    expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(pots.pot_id)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "grains": ["day", "week"]}'}]
  - name: daily_clay_so_far
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(pots.clay)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "grains": ["day", "week"], "window": {"type": "cumulative"}}'}]
  - name: weekly_clay
    expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(pots.clay)}]}
    custom_extensions: [{vendor_name: SEMLAYER, data: '{"v": "1.10", "grains": ["week", "month"]}'}]
  - {name: clay_of_a_pot, expression: {dialects: [{dialect: ANSI_SQL, expression: weekly_clay / daily_pots}]}}
`

func TestSupportedGrains_AreListedWithMetrics(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(throwing)})
	metrics, err := e.Metrics(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, m := range metrics {
		got[m.Name] = m.Grains
	}
	want := map[string][]string{
		"pot_count": nil, "daily_pots": {"day", "week"}, "daily_clay_so_far": {"day", "week"}, "weekly_clay": {"week", "month"}, "clay_of_a_pot": {"week"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSupportedGrains_DecideWhatIsCompatible(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(throwing)})
	monthly, err := e.CompatibleItems(t.Context(), &query.CompatibleQuery{MetricQuery: query.MetricQuery{Metrics: []string{"pot_count"}, GroupBy: []query.GroupBy{{Field: "metric_time", Grain: "month"}}}, PageLimit: 50})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"weekly_clay"}, monthly.Metrics); diff != "" {
		t.Error(diff)
	}
	beside, err := e.CompatibleItems(t.Context(), &query.CompatibleQuery{MetricQuery: query.MetricQuery{Metrics: []string{"clay_of_a_pot"}}, PageLimit: 50})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range beside.Dimensions {
		if (d.Name == "metric_time" || d.Name == "pots.thrown_on") && !slices.Equal(d.Grains, []string{"week"}) {
			t.Errorf("%s has the grains %v", d.Name, d.Grains)
		}
	}
}

func TestSupportedGrains_AreThoseOfUse(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(throwing)})
	for _, c := range []struct {
		query query.FindQuery
		want  engine.QueryUse
	}{
		{query.FindQuery{Text: "daily clay so far", Limit: 1}, engine.QueryUse{Metrics: []string{"daily_clay_so_far"}, GroupBy: []engine.GroupByUse{{Field: "metric_time", Grain: "day"}}}},
		{query.FindQuery{Text: "thrown on", Metrics: []string{"daily_pots"}, Limit: 1}, engine.QueryUse{GroupBy: []engine.GroupByUse{{Field: "pots.thrown_on", Grain: "day"}}}},
		{query.FindQuery{Text: "thrown on", Limit: 1}, engine.QueryUse{GroupBy: []engine.GroupByUse{{Field: "pots.thrown_on", Grain: "month"}}}},
	} {
		found, err := e.Find(t.Context(), &c.query)
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Hits) == 0 {
			t.Errorf("%s is not found", c.query.Text)
			continue
		}
		if diff := cmp.Diff(c.want, found.Hits[0].Use); diff != "" {
			t.Errorf("%s: %s", c.query.Text, diff)
		}
	}
}

func TestSupportedGrains_AreThoseOfDimensions(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(throwing)})
	dimensions, err := e.Dimensions(t.Context(), "clay_of_a_pot")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, d := range dimensions {
		if d.IsTime {
			got[d.Name] = d.Grains
		}
	}
	if diff := cmp.Diff(map[string][]string{"metric_time": {"week"}, "pots.thrown_on": {"week"}}, got); diff != "" {
		t.Error(diff)
	}
}

// The parts of a time are listed with its grains. Those of days have no hour, and the grains of a metric do not matter.
func TestTimeParts_AreListedWithDimensions(t *testing.T) {
	e := open(t, engine.Config{ModelText: []byte(throwing)})
	want := []string{"day_of_week", "day_of_month", "day_of_year", "week_of_year", "month_of_year", "quarter_of_year"}
	for _, metric := range []string{"", "clay_of_a_pot"} {
		dimensions, err := e.Dimensions(t.Context(), metric)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range dimensions {
			if d.IsTime != (len(d.Parts) > 0) || d.IsTime && !slices.Equal(d.Parts, want) {
				t.Errorf("%s of %q has the parts %v", d.Name, metric, d.Parts)
			}
		}
	}
	fits, err := e.CompatibleItems(t.Context(), &query.CompatibleQuery{MetricQuery: query.MetricQuery{Metrics: []string{"clay_of_a_pot"}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range fits.Dimensions {
		if isTime := len(d.Grains) > 0; isTime != (len(d.Parts) > 0) || isTime && !slices.Equal(d.Parts, want) {
			t.Errorf("%s is compatible with the parts %v", d.Name, d.Parts)
		}
	}
}
