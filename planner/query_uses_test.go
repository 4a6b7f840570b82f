package planner_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// Planning names what a query uses, without values, and of a rejected query what it had met. The trials of a suggested retry add nothing.
func TestUses_AreTheNamesOfTheQuery(t *testing.T) {
	cat, err := airline()
	if err != nil {
		t.Fatal(err)
	}
	p := planner.New(cat)
	for name, c := range map[string]struct {
		body     string
		want     plan.Uses
		datasets []string
		rejected bool
	}{
		"fields with grain and a condition": {
			body:     `{"from":"flights","fields":["flights.flight_id","departed:month","origin_airport.airport_name"],"where_sql":"flights.seats > 120 AND carriers.carrier_name = 'secret'"}`,
			want:     plan.Uses{Dimensions: []string{"flights.flight_id", "flights.departed:month", "origin_airport.airport_name"}, Filtered: []string{"flights.seats", "carriers.carrier_name"}},
			datasets: []string{"flights", "airports", "carriers"},
		},
		"an unknown field is as it was written": {
			body:     `{"from":"flights","fields":["flights.flight_id","flights.salary:month","flights.seats"]}`,
			want:     plan.Uses{Dimensions: []string{"flights.flight_id", "flights.salary:month", "flights.seats"}},
			rejected: true,
		},
		"a condition on an unknown field": {
			body:     `{"from":"flights","fields":["flights.flight_id"],"where_sql":"flights.seat > 3"}`,
			want:     plan.Uses{Dimensions: []string{"flights.flight_id"}, Filtered: []string{"flights.seat"}},
			rejected: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var uses plan.Uses
			target := duckdb
			target.Uses = &uses
			planned, err := p.PlanDetail(t.Context(), decoded(t, query.DecodeDetail, c.body), target)
			if (err != nil) != c.rejected {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, uses); d != "" {
				t.Error(d)
			}
			if err == nil {
				if d := cmp.Diff(c.datasets, plan.ScannedDatasets(planned.Root)); d != "" {
					t.Error(d)
				}
			}
		})
	}
}

func TestUses_OfMetricQueries(t *testing.T) {
	cat, err := shop()
	if err != nil {
		t.Fatal(err)
	}
	var uses plan.Uses
	target := duckdb
	target.Uses = &uses
	body := `{"metrics":["revenue"],"group_by":[{"field":"metric_time","grain":"month"},{"field":"products.category"}],"where_sql":"products.category <> 'x' AND revenue > 3"}`
	if _, err := planner.New(cat).PlanMetrics(t.Context(), decoded(t, query.DecodeMetric, body), target); err != nil {
		t.Fatal(err)
	}
	want := plan.Uses{Metrics: []string{"revenue"}, Dimensions: []string{"metric_time:month", "products.category"}, Filtered: []string{"products.category"}}
	if d := cmp.Diff(want, uses); d != "" {
		t.Error(d)
	}
}
