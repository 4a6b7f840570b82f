package planner_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/internal/plancases"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

var duckdb = planner.Target{Dialect: "duckdb"}

// airline is the model of testdata/detail.yaml: flights with two airports each,
// bookings of flights, employees with managers, sales with unproven tags, and
// islands that nothing leads to.
var airline = sync.OnceValues(func() (*catalog.Catalog, error) { return loadModel("testdata/detail.yaml") })

func loadModel(path string) (*catalog.Catalog, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	cat, err := plancases.Compile(text)
	if err != nil {
		return nil, err
	}
	if len(cat.Errors) > 0 {
		return nil, cat.Errors[0]
	}
	return cat, nil
}

func planDetail(t *testing.T, body string) (*planner.Planned, error) {
	t.Helper()
	cat, err := airline()
	if err != nil {
		t.Fatal(err)
	}
	q, err := query.DecodeDetail([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	planned, err := planner.New(cat).PlanDetail(t.Context(), q, duckdb)
	if err == nil {
		if broken := plan.CheckTree(planned.Root); broken != nil {
			t.Fatalf("%v\n%s", broken, plan.Explain(planned.Root))
		}
	}
	return planned, err
}

func explainDetail(t *testing.T, body string) string {
	t.Helper()
	planned, err := planDetail(t, body)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return plan.Explain(planned.Root)
}

func refuseDetail(t *testing.T, body string) *planerr.Error {
	t.Helper()
	_, err := planDetail(t, body)
	var perr *planerr.Error
	if !errors.As(err, &perr) {
		t.Fatalf("%s: %v", body, err)
	}
	return perr
}

func TestDetail_OneRowPerRootRow(t *testing.T) {
	want := `Limit 100
  Sort flight_id
    Project flight_id = "flights".flight_id, seats = "flights".seats
      Scan flights (flights)
`
	if d := cmp.Diff(want, explainDetail(t, `{"from":"flights","fields":["flight_id","flights.seats"]}`)); d != "" {
		t.Error(d)
	}
}

func TestDetail_JoinsOnlyNeededDatasets(t *testing.T) {
	got := explainDetail(t, `{"from":"bookings","fields":["booking_id","seats","carriers.carrier_name"],
		"where_sql":"carriers.label = 'x' AND price > 10","time_range":{"start":"2024-01-01"}}`)
	want := `Limit 100
  Sort booking_id
    Project booking_id = "bookings".booking_id, seats = "flights".seats, carrier_name = "carriers".carrier_name
      Filter [time_range] "bookings".booked_on >= DATE '2024-01-01'
        Filter [where_sql] CASE WHEN "carriers".carrier_code IS NOT NULL THEN COALESCE("carriers".carrier_name, 'none') END = 'x' AND "bookings".price > 10
          LeftJoin via flown_by (many_to_one) on "flights".carrier_code = "carriers".carrier_code
            LeftJoin via booked_flight (many_to_one) on "bookings".flight_id = "flights".flight_id
              Scan bookings (bookings)
              Scan flights (flights)
            Scan carriers (carriers)
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestDetail_JoinsEachRole(t *testing.T) {
	got := explainDetail(t, `{"from":"flights","fields":["origin_airport.airport_name","destination_airport.airport_name","destination_airport.airport_city.city_name","departed:month"],"limit":5}`)
	for _, part := range []string{
		"Limit 5", "origin_airport__airport_name", "destination_airport__airport_name", "destination_airport__airport_city__city_name", "departed__month",
		"LeftJoin via origin_airport", "LeftJoin via destination_airport", "LeftJoin via airport_city",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
}

func TestDetail_SelfRelationshipIsOneStep(t *testing.T) {
	got := explainDetail(t, `{"from":"employees","fields":["emp_name","manager.emp_name"]}`)
	if !strings.Contains(got, "LeftJoin via manager") || !strings.Contains(got, "manager__emp_name") {
		t.Error(got)
	}
}

func TestDetail_InnerRelationshipDropsRows(t *testing.T) {
	if got := explainDetail(t, `{"from":"employees","fields":["emp_name","carriers.carrier_name"]}`); !strings.Contains(got, "InnerJoin via works_for") {
		t.Error(got)
	}
}

func TestDetail_LODField(t *testing.T) {
	got := explainDetail(t, `{"from":"flights","fields":["flight_id","carriers.seats_flown"],"where_sql":"carriers.big_seats > 5","params":{"least":70}}`)
	for _, part := range []string{"lod carriers.seats_flown", "lod carriers.big_seats", `> 70`} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
}

func TestDetail_OrderIsTotal(t *testing.T) {
	t.Run("the sort order ends with the key or all columns, so that no two rows tie", func(t *testing.T) {
		for body, want := range map[string]string{
			`{"from":"flights","fields":["seats","origin"]}`:                                                            "Sort seats, origin",
			`{"from":"flights","fields":["seats","flight_id","origin"]}`:                                                "Sort seats, flight_id",
			`{"from":"flights","fields":["seats","flight_id"],"order_by":[{"key":"flight_id","desc":true}]}`:            "Sort flight_id desc",
			`{"from":"flights","fields":["seats","origin"],"order_by":[{"key":"origin"},{"key":"origin","desc":true}]}`: "Sort origin, seats",
			`{"from":"bookings","fields":["flights.flight_id","price"]}`:                                                "Sort flight_id, price",
		} {
			if got := explainDetail(t, body); !strings.Contains(got, want+"\n") {
				t.Errorf("%s: no %q in\n%s", body, want, got)
			}
		}
	})
}

func TestDetail_LimitIsBounded(t *testing.T) {
	for limit, want := range map[string]string{``: "Limit 100\n", `,"limit":7`: "Limit 7\n", `,"limit":0`: "Limit 0\n", `,"limit":10001`: "Limit 10000\n", `,"limit":9000000000`: "Limit 10000\n"} {
		if got := explainDetail(t, `{"from":"flights","fields":["seats"]`+limit+`}`); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", limit, got)
		}
	}
}

func TestDetail_TimeRangeDimension(t *testing.T) {
	for body, want := range map[string]string{
		// named
		`{"from":"flights","fields":["seats"],"time_range":{"start":"2024-01-01","dimension":"landed"}}`: `"flights".landed >= TIMESTAMP '2024-01-01 00:00:00'`,
		// the only projected one, of any dataset
		`{"from":"flights","fields":["landed:day","seats","landed"],"time_range":{"end":"2024-01-01"}}`: `"flights".landed < TIMESTAMP '2024-01-01 00:00:00'`,
		`{"from":"bookings","fields":["departed"],"time_range":{"end":"2024-01-01"}}`:                   `"flights".departed < DATE '2024-01-01'`,
		// the root's primary one
		`{"from":"flights","fields":["seats"],"time_range":{"end":"2024-01-01"}}`:             `"flights".departed < DATE '2024-01-01'`,
		`{"from":"flights","fields":["landed","departed"],"time_range":{"end":"2024-01-01"}}`: `"flights".departed < DATE '2024-01-01'`,
		// the root's only one, by its codes
		`{"from":"sales","fields":["sale_id"],"time_range":{"start":"2024-01-01","end":"2024-03-01"}}`: `"sales".sold >= '202401' AND "sales".sold < '202403'`,
	} {
		if got := explainDetail(t, body); !strings.Contains(got, want) {
			t.Errorf("%s: no %s in\n%s", body, want, got)
		}
	}
}

func TestDetail_ErrorsSuggestFix(t *testing.T) {
	for _, c := range []struct {
		name, body, code string
		candidates       []string // nil: not looked at
		retry            string   // JSON; "" when words or nothing
	}{
		{"no root", `{"fields":["seats"]}`, "unknown_dataset", nil, `{"from":"flights"}`},
		{"unknown root", `{"from":"flight","fields":["seats"]}`, "unknown_dataset", []string{"flights"}, `{"from":"flights"}`},
		{"no fields", `{"from":"islands"}`, "unknown_dimension", []string{"islands.island_id", "islands.height"}, `{"fields":["islands.island_id","islands.height"]}`},
		{"blank field", `{"from":"islands","fields":[" "]}`, "unknown_dimension", []string{"islands.island_id", "islands.height"}, `{"fields":["islands.island_id","islands.height"]}`},
		{"unknown field", `{"from":"islands","fields":["hight"]}`, "unknown_dimension", []string{"islands.height", "islands.island_id"}, `{"fields":["islands.height"]}`},
		{"unknown qualifier", `{"from":"islands","fields":["isle.height"]}`, "unknown_dimension", []string{"islands.height", "islands.island_id"}, ""},
		{"unknown relationship", `{"from":"flights","fields":["origin_airports.airport_city.city_name"]}`, "unknown_relationship", []string{"origin_airport"}, `{"fields":["origin_airport.airport_city.city_name"]}`},
		{"path that does not chain", `{"from":"flights","fields":["airport_city.city_name"]}`, "invalid_relationship_path", nil, ""},
		{"ambiguous field", `{"from":"bookings","fields":["label","city_name","airport_name","carrier_code"]}`, "ambiguous_dimension", nil, ""},

		{"metric", `{"from":"flights","fields":["carriers.carrier_name","seats_total","departed:month"]}`, "metric_in_detail_query", nil,
			`{"metrics":["seats_total"],"group_by":[{"field":"carriers.carrier_name"},{"field":"flights.departed","grain":"month"}]}`},
		{"metric with a field it cannot group by", `{"from":"flights","fields":["delay","seats_total","origin"],"where_sql":"seats > 1"}`, "metric_in_detail_query", nil,
			`{"metrics":["seats_total"],"group_by":[{"field":"flights.origin"}]}`},
		{"metric with a grain and a filter", `{"from":"flights","fields":["seats_total:month","flight_count"],"where_sql":"seats > 1"}`, "metric_in_detail_query", nil,
			`{"metrics":["seats_total","flight_count"],"where_sql":"seats > 1"}`},

		{"against the direction", `{"from":"flights","fields":["seats","bookings.price"]}`, "detail_fanout", []string{"booked_flight"}, `{"from":"bookings"}`},
		{"against the direction, bare", `{"from":"flights","fields":["seats","price"]}`, "detail_fanout", []string{"booked_flight"}, `{"from":"bookings"}`},
		{"against the direction, in a filter", `{"from":"flights","fields":["flight_id"],"where_sql":"bookings.price > 1"}`, "detail_fanout", []string{"booked_flight"},
			`{"fields":["flights.flight_id"],"from":"bookings"}`},
		{"against the direction, by a role", `{"from":"flights","fields":["origin_airport.airport_name","bookings.price"]}`, "detail_fanout", []string{"booked_flight"},
			`{"fields":["booked_flight.origin_airport.airport_name","bookings.price"],"from":"bookings"}`},
		{"over a third dataset", `{"from":"carriers","fields":["carrier_name","emp_name","manager.emp_name"]}`, "invalid_relationship_path", nil, `{"fields":["carrier_name","emp_name"],"from":"employees"}`},
		{"unproven", `{"from":"sales","fields":["sale_id","tags.weight"]}`, "detail_fanout", []string{"sale_tag"}, ""},
		{"against unproven", `{"from":"tags","fields":["tag","sales.sale_id"]}`, "detail_fanout", []string{"sale_tag"}, ""},
		{"unconnected", `{"from":"flights","fields":["seats","islands.height"]}`, "no_join_path", nil, `{"fields":["seats"]}`},

		{"two ways", `{"from":"flights","fields":["seats","airports.airport_name"]}`, "ambiguous_join_path", []string{"origin_airport", "destination_airport"},
			`{"fields":["seats","origin_airport.airport_name"]}`},
		{"two ways in a filter", `{"from":"flights","fields":["seats"],"where_sql":"airports.airport_name = 'x' OR seats > 1"}`, "ambiguous_join_path", []string{"origin_airport", "destination_airport"},
			`{"where_sql":"origin_airport.airport_name = 'x' OR seats > 1"}`},
		{"two ways in a range", `{"from":"flights","fields":["seats"],"time_range":{"start":"2024-01-01","dimension":"airports.opened"}}`, "ambiguous_join_path", []string{"origin_airport", "destination_airport"},
			`{"time_range":{"start":"2024-01-01","dimension":"origin_airport.opened"}}`},

		{"grain on text", `{"from":"flights","fields":["origin:day","seats"]}`, "grain_on_non_time_dimension", nil, `{"fields":["origin","seats"]}`},
		{"grain too fine", `{"from":"cities","fields":["month_founded:week"]}`, "grain_too_fine", nil, `{"fields":["month_founded:month"]}`},
		{"unknown grain", `{"from":"flights","fields":["departed:fortnight"]}`, "bad_request", nil, ""},
		{"grain in other case", `{"from":"flights","fields":["departed:Month","seats","departed:WEEK"]}`, "bad_request", []string{"month"},
			`{"fields":["departed:month","seats","departed:week"]}`},
		{"one column twice", `{"from":"flights","fields":["seats","origin","seats"]}`, "duplicate_output_name", nil, `{"fields":["seats","origin"]}`},
		{"two columns of one name", `{"from":"bookings","fields":["flight_id","flights.flight_id"]}`, "duplicate_output_name", nil, `{"fields":["flight_id","booked_flight.flight_id"]}`},

		{"unknown order key", `{"from":"flights","fields":["seats","departed:month"],"order_by":[{"key":"flights.departed"}]}`, "unknown_order_key", nil, `{"order_by":[{"key":"departed__month"}]}`},
		{"order by what is not projected", `{"from":"flights","fields":["seats"],"order_by":[{"key":"origin","desc":true}]}`, "unknown_order_key", []string{"seats"}, `{"order_by":[{"key":"seats","desc":true}]}`},

		{"aggregate in where", `{"from":"flights","fields":["seats"],"where_sql":"SUM(seats) > 1"}`, "aggregate_in_where", nil, ""},
		{"metric in where", `{"from":"flights","fields":["seats"],"where_sql":"seats_total > 1"}`, "unknown_dimension", nil, ""},
		{"string in double quotes", `{"from":"flights","fields":["seats"],"where_sql":"origin = \"BER\" OR \"destination\" IN (\"MUC\", 'CGN')"}`, "unknown_dimension", nil,
			`{"where_sql":"origin = 'BER' OR \"destination\" IN ('MUC', 'CGN')"}`},
		{"misspelt field in double quotes", `{"from":"flights","fields":["seats"],"where_sql":"\"origni\" = 'BER'"}`, "unknown_dimension", nil, ""},
		{"unknown field beside a string in double quotes", `{"from":"flights","fields":["seats"],"where_sql":"origin = \"BER\" AND orgin = 'x'"}`, "unknown_dimension", nil, `{"where_sql":"origin = 'BER' AND flights.origin = 'x'"}`},
		{"string in double quotes as an argument", `{"from":"flights","fields":["seats"],"where_sql":"UPPER(\"ber\") = origin"}`, "unknown_dimension", nil, ""},
		{"codes in where", `{"from":"sales","fields":["sale_id"],"where_sql":"sold = '202401'"}`, "unsupported_filter", nil, ""},
		{"range turned around", `{"from":"flights","fields":["seats"],"time_range":{"start":"2024-02-01","end":"2024-01-01"}}`, "unsupported_filter", nil, ""},
		{"range over text", `{"from":"flights","fields":["seats"],"time_range":{"start":"2024-02-01","dimension":"origin"}}`, "unsupported_filter", nil,
			`{"time_range":{"start":"2024-02-01","dimension":"flights.departed"}}`},
		{"range over a misspelt field", `{"from":"flights","fields":["seats"],"time_range":{"start":"2024-02-01","dimension":"flights.depated"}}`, "unknown_dimension", nil,
			`{"time_range":{"start":"2024-02-01","dimension":"flights.departed"}}`},
		{"range inside a code", `{"from":"sales","fields":["sale_id"],"time_range":{"start":"2024-01-15","end":"2024-03-01"}}`, "grain_too_fine", nil, `{"time_range":{"start":"2024-01-01","end":"2024-03-01"}}`},
		{"range without a dimension", `{"from":"carriers","fields":["carrier_name"],"time_range":{"start":"2024-01-01"}}`, "time_range_needs_dimension", nil, `{"time_range":null}`},
		{"range of several", `{"from":"cities","fields":["city_name"],"time_range":{"start":"2024-01-01"}}`, "time_range_needs_dimension", []string{"cities.founded", "cities.month_founded"},
			`{"time_range":{"start":"2024-01-01","dimension":"cities.founded"}}`},

		{"unknown parameter", `{"from":"flights","fields":["carriers.big_seats"],"params":{"most":1}}`, "unknown_metric_param", []string{"least"}, `{"params":null}`},
		{"misspelt parameter", `{"from":"flights","fields":["carriers.big_seats"],"params":{"Leats":7}}`, "unknown_metric_param", []string{"least"}, `{"params":{"least":7}}`},
		{"number as text", `{"from":"flights","fields":["carriers.big_seats"],"params":{"least":"7"}}`, "param_out_of_domain", nil, `{"params":{"least":7}}`},
		{"list parameter", `{"from":"flights","fields":["carriers.big_seats"],"params":{"least":[1,2]}}`, "param_out_of_domain", nil, `{"params":{"least":1}}`},
		{"parameter out of domain", `{"from":"flights","fields":["carriers.big_seats"],"params":{"least":501}}`, "param_out_of_domain", nil, `{"params":{"least":500}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := refuseDetail(t, c.body)
			if got.Code != c.code {
				t.Fatalf("%s: %s\n%s", got.Code, got.Message, c.body)
			}
			if c.candidates != nil && !cmp.Equal(c.candidates, got.Candidates[:min(len(got.Candidates), len(c.candidates))]) {
				t.Errorf("candidates %v, want %v", got.Candidates, c.candidates)
			}
			if c.retry == "" {
				if strings.HasPrefix(got.SuggestedRetry, "{") {
					t.Errorf("retry %s, want none", got.SuggestedRetry)
				}
				return
			}
			if d := cmp.Diff(c.retry, got.SuggestedRetry); d != "" {
				t.Error(d)
			}
			if c.code != "metric_in_detail_query" {
				followDetail(t, c.body, got)
			}
		})
	}
}

// followDetail merges suggestions until the query plans, in three steps at most.
func followDetail(t *testing.T, body string, e *planerr.Error) {
	t.Helper()
	for range 3 {
		var q, patch map[string]json.RawMessage
		if err := json.Unmarshal([]byte(body), &q); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(e.SuggestedRetry), &patch); err != nil {
			t.Fatalf("%s: %v", e.SuggestedRetry, err)
		}
		for k, v := range patch {
			if q[k] = v; string(v) == "null" {
				delete(q, k)
			}
		}
		merged, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		body = string(merged)
		_, failed := planDetail(t, body)
		if failed == nil {
			return
		}
		if !errors.As(failed, &e) {
			t.Fatal(failed)
		}
	}
	t.Errorf("not settled: %s", body)
}
