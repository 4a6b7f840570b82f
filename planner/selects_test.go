package planner_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

func airlinePlanner(t *testing.T) *planner.Planner {
	t.Helper()
	cat, err := airline()
	if err != nil {
		t.Fatal(err)
	}
	return planner.New(cat)
}

// carrierRows returns the codes of carriers that have a name.
func carrierRows(t *testing.T, p *planner.Planner, field string) *compose.Rows {
	t.Helper()
	planned, err := p.PlanDetailSelect(t.Context(), &planner.DetailSelect{
		Query: &query.DetailQuery{From: "carriers", Fields: []string{field}, WhereSQL: "carrier_name IS NOT NULL"}, Unlimited: true,
	}, duckdb)
	if err != nil {
		t.Fatal(err)
	}
	return compose.New(duckdb).RowsOfQuery(planned, p.ResultTypes(planned))
}

func TestDetailSelect_WithoutALimitHasAllRowsInTheOrderOfItsKeys(t *testing.T) {
	p := airlinePlanner(t)
	large := int64(50_000)
	for name, test := range map[string]struct {
		query query.DetailQuery
		want  string
	}{
		"neither order nor limit": {query.DetailQuery{}, `Project origin = "flights".origin
  Scan flights (flights)
`},
		"an order with nulls first": {query.DetailQuery{OrderBy: []query.OrderBy{{Key: "origin", Desc: true, NullsFirst: true}}}, `Sort origin desc nulls first
  Project origin = "flights".origin
    Scan flights (flights)
`},
		"a limit beyond that of a request": {query.DetailQuery{Limit: &large}, `Limit 50000
  Sort origin
    Project origin = "flights".origin
      Scan flights (flights)
`},
		"an offset alone": {query.DetailQuery{Offset: 5}, `Offset 5
  Sort origin
    Project origin = "flights".origin
      Scan flights (flights)
`},
	} {
		t.Run(name, func(t *testing.T) {
			test.query.From, test.query.Fields = "flights", []string{"origin"}
			planned, err := p.PlanDetailSelect(t.Context(), &planner.DetailSelect{Query: &test.query, Unlimited: true}, duckdb)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(test.want, plan.Explain(planned.Root)); d != "" {
				t.Error(d)
			}
			if diff := cmp.Diff(test.query.Limit, planned.Limit); diff != "" || len(planned.Warnings) > 0 {
				t.Errorf("limit %s, warnings %v", diff, planned.Warnings)
			}
		})
	}
}

func TestDetailSelect_WithQueryAloneIsPlanDetail(t *testing.T) {
	p := airlinePlanner(t)
	q := &query.DetailQuery{From: "flights", Fields: []string{"flight_id", "carriers.label"}, WhereSQL: "seats > 3"}
	want, err := p.PlanDetail(t.Context(), q, duckdb)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.PlanDetailSelect(t.Context(), &planner.DetailSelect{Query: q}, duckdb)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(plan.Explain(want.Root), plan.Explain(got.Root)); d != "" {
		t.Error(d)
	}
}

func TestDetailSelect_JoinsWhatAConditionOnRowsReads(t *testing.T) {
	p := airlinePlanner(t)
	planned, err := p.PlanDetailSelect(t.Context(), &planner.DetailSelect{
		Query:   &query.DetailQuery{From: "bookings", Fields: []string{"booking_id"}},
		Members: []planner.InSubqueryCondition{{Field: "carriers.carrier_code", Not: true, Rows: carrierRows(t, p, "carrier_code")}}, Unlimited: true,
	}, duckdb)
	if err != nil {
		t.Fatal(err)
	}
	want := `Project booking_id = "bookings".booking_id
  SemiJoin [where_sql] "carriers".carrier_code not in carrier_code
    LeftJoin via flown_by (many_to_one) on "flights".carrier_code = "carriers".carrier_code
      LeftJoin via booked_flight (many_to_one) on "bookings".flight_id = "flights".flight_id
        Scan bookings (bookings)
        Scan flights (flights)
      Scan carriers (carriers)
    Project carrier_code = "carriers".carrier_code
      Filter [where_sql] "carriers".carrier_name IS NOT NULL
        Scan carriers (carriers)
`
	if d := cmp.Diff(want, plan.Explain(planned.Root)); d != "" {
		t.Error(d)
	}
	if err := plan.CheckTree(planned.Root); err != nil {
		t.Error(err)
	}
}

func TestSelect_RefusesConditionsOnRowsThatDoNotFit(t *testing.T) {
	p := airlinePlanner(t)
	for name, test := range map[string]struct {
		field, rows, code string
	}{
		"a field of no dataset": {"flights.nope", "carrier_code", planerr.CodeUnknownDimension},
		"not a reference":       {`flights."`, "carrier_code", planerr.CodeUnknownDimension},
		"types that differ":     {"flights.seats", "carrier_code", planerr.CodeUnsupportedFilter},
		"rows that repeat":      {"bookings.booking_id", "seats_flown", planerr.CodeDetailFanout},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := p.PlanDetailSelect(t.Context(), &planner.DetailSelect{
				Query:   &query.DetailQuery{From: "flights", Fields: []string{"flight_id"}},
				Members: []planner.InSubqueryCondition{{Field: test.field, Rows: carrierRows(t, p, test.rows)}},
			}, duckdb)
			var refused *planerr.Error
			if !errors.As(err, &refused) || refused.Code != test.code {
				t.Errorf("got %v, want %s", err, test.code)
			}
		})
	}
}
