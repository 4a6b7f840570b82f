package integration_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/sqlemit"
)

// sketches lists the metrics whose values an engine estimates. The others have no sketch.
var sketches = map[string][]string{
	"duckdb": {"about_towns", "about_median"}, "snowflake": {"about_towns", "about_median"}, "bigquery": {"about_towns", "about_median"},
	"databricks": {"about_towns", "about_median"}, "trino": {"about_towns", "about_median"}, "clickhouse": {"about_towns", "about_median"},
	"starrocks": {"about_towns", "about_median"}, "doris": {"about_towns", "about_median"}, "redshift": {"about_towns"},
}

func TestAggregates_EstimatedValuesAreMarked(t *testing.T) {
	c := &corpus.Case{Fixture: "parcels"}
	s := subjectOf(t, c)
	for _, dialect := range sqlemit.DialectNames() {
		t.Run(dialect, func(t *testing.T) {
			_, compiled, err := s.compileFor(t.Context(), c, []byte(`{"metrics":["about_towns","parcel_count","about_median"],"group_by":[{"field":"parcels.depot"}]}`), dialect, false)
			if err != nil {
				t.Fatal(err)
			}
			want := sketches[dialect]
			for _, o := range compiled.Outputs {
				if o.Approximate != slices.Contains(want, o.Column) {
					t.Errorf("approximate of %s is %t", o.Column, o.Approximate)
				}
			}
			var columns []string
			for _, w := range compiled.Warnings {
				if w.Code == "approximate" {
					columns = append(columns, w.Columns...)
				}
			}
			if !slices.Equal(columns, want) {
				t.Errorf("the warning names %q, want %q", columns, want)
			}
		})
	}
}

// What does not add up has values and no contributions. A value that is not a number has no total
// either.
func TestAggregates_AttributionOfWhatDoesNotAddUp(t *testing.T) {
	s := subjectOf(t, &corpus.Case{Fixture: "parcels"})
	for _, c := range []struct {
		metric, agg string
		distinct    bool
		january     any // by hand: the weights 2, 4, 4
	}{
		{"weight_median", "median", false, 4.0},
		{"weight_p90", "percentile_cont", false, 4.0},
		{"weight_quarter", "percentile_disc", false, 2.0},
		{"weight_variance", "var_samp", false, 4.0 / 3},
		{"weight_variance_pop", "var_pop", false, 8.0 / 9},
		{"weight_distinct_sum", "sum", true, 6.0},
		{"weight_distinct_mean", "avg", true, 3.0},
		{"about_towns", "approx_count_distinct", false, 2.0},
		{"all_fragile", "bool_and", false, nil},
		{"a_town", "any_value", false, nil},
		{"towns", "listagg", false, nil},
		{"distinct_towns", "listagg", true, nil},
	} {
		t.Run(c.metric, func(t *testing.T) {
			q, err := query.DecodeAttribute([]byte(`{"metric":"` + c.metric + `","dimensions":["parcels.depot"],` + firstMonths + `}`))
			if err != nil {
				t.Fatal(err)
			}
			report, err := s.engine.Attribute(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			wire := wireForm(t, report)
			reason := report.UnsupportedReason
			if report.Strategy != "unsupported" || reason == nil || reason.Code != "non_sum_tier_measure" || reason.Agg != c.agg || reason.Distinct != c.distinct {
				t.Errorf("%s %+v", report.Strategy, reason)
			}
			got := wire["total_change"].(map[string]any)["baseline_value"]
			if number, isNumber := got.(float64); isNumber && c.january != nil {
				if diff := number - c.january.(float64); diff > 1e-9 || diff < -1e-9 {
					t.Errorf("the value of January is %v, want %v", got, c.january)
				}
			} else if fmt.Sprint(got) != fmt.Sprint(c.january) {
				t.Errorf("the value of January is %v, want %v", got, c.january)
			}
		})
	}
}

// A count of rows that meet a condition is a count: its change is split.
func TestAggregates_AttributionOfCountedConditions(t *testing.T) {
	s := subjectOf(t, &corpus.Case{Fixture: "parcels"})
	for _, metric := range []string{"heavy", "heavy_filter", "heavy_case", "oslo_weight"} {
		q, err := query.DecodeAttribute([]byte(`{"metric":"` + metric + `","dimensions":["parcels.depot"],` + firstMonths + `}`))
		if err != nil {
			t.Fatal(err)
		}
		report, err := s.engine.Attribute(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if report.UnsupportedReason != nil || report.Strategy == "unsupported" {
			t.Errorf("%s: %s %+v", metric, report.Strategy, report.UnsupportedReason)
		}
	}
}

// The corpus, whose rows are written by hand, has a group, a total and a recomputed bucket of each aggregate; lists of
// functions and the page name each.
func TestAggregates_EachIsListedAndHasCases(t *testing.T) {
	page, err := os.ReadFile("../docs/model.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[catalog.Agg]map[string]bool{}
	for _, agg := range catalog.Aggregates() {
		shown[agg] = map[string]bool{}
		name := sqlexpr.InfoOfFunction(agg.Function()).Name
		if !slices.Contains(catalog.AggregateFunctionNames(), name) || !slices.Contains(catalog.MeasureAggregateNames(), agg.Name()) {
			t.Errorf("%s is not listed", agg)
		}
		if !strings.Contains(string(page), "`"+name) {
			t.Errorf("docs/model.md has no entry for %s", name)
		}
	}
	for _, c := range cases(t) {
		if c.ExpectsError() || c.IsDetail() {
			continue
		}
		q, err := query.DecodeMetric([]byte(c.QueryJSON()))
		if err != nil {
			continue // a query of a saved one
		}
		for _, name := range q.Metrics {
			m := subjectOf(t, c).catalog.Metric(name)
			if m == nil {
				continue // inline
			}
			for _, leaf := range m.LeafMeasures() {
				marks := shown[leaf.Agg]
				marks["group"] = marks["group"] || len(q.GroupBy) > 0
				marks["total"] = marks["total"] || len(q.Totals) > 0
				marks["recomputed bucket"] = marks["recomputed bucket"] || m.Window != nil && m.Window.Recompute != nil
			}
		}
	}
	for _, agg := range catalog.Aggregates() {
		for _, what := range []string{"group", "total", "recomputed bucket"} {
			if !shown[agg][what] {
				t.Errorf("no case has a %s of %s", what, agg)
			}
		}
	}
}
