package integration_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/corpus"
	"github.com/semlayer/semlayer/integration/internal/floor"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// inWords are the codes whose suggestion no part of a query can say, with why.
var inWords = map[string]string{
	planerr.CodeAggregateInWhere:                 "the metric has to be declared first",
	planerr.CodeDialectUnsupportedWindowFunction: "another engine has to be asked",
	planerr.CodeTimeRangeRequired:                "only the asker knows which range is meant",
	planerr.CodeDimensionsRequired:               "of attributions, whose suggestions TestSuggestedRetry_AttributionWorks follows",
}

// TestSuggestedRetry_EveryCodeHasCase: TestSuggestedRetry_LeadsToWorkingQuery follows
// the suggestions of the cases, and attributions have separate tests. This test checks
// that no code is left out of them.
func TestSuggestedRetry_EveryCodeHasCase(t *testing.T) {
	queries := map[string]int{}
	for _, c := range cases(t) {
		if !c.ExpectsError() {
			continue
		}
		dialect := "duckdb"
		if len(c.Dialects) > 0 {
			dialect = c.Dialects[0]
		}
		_, _, err := subjectOf(t, c).compileFor(t.Context(), c, []byte(c.QueryJSON()), dialect, false)
		if err == nil {
			continue // TestCorpus_Errors complains
		}
		got, err := wireError(err)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(got.SuggestedRetry, "{") {
			queries[got.Code]++
		}
	}
	covered := 0
	for _, code := range planerr.Codes() {
		if code.Retired != "" || !slices.Contains(code.Extras, planerr.ExtraSuggestedRetry) {
			continue
		}
		_, words := inWords[code.Code]
		if words == (queries[code.Code] > 0) {
			t.Errorf("%s: %d cases suggest a query", code.Code, queries[code.Code])
			continue
		}
		covered++
	}
	floor.CheckCount(t, "codes", covered, 25)
}

// attributionsRefused are queries without a result, each with the code
// of its error.
var attributionsRefused = []struct{ code, fixture, body string }{
	{"dimensions_required", "retail", `{"metric":"revenue",` + halves + `}`},
	{"dimensions_required", "ledger", `{"metric":"avg_x","dimensions":[],` + firstMonths + `}`},
	{"dimensions_required", "roles", `{"metric":"flights_flown","dimensions":[],` + firstMonths + `}`},
	{"unknown_metric", "retail", `{"metric":"revenu","dimensions":["customers.region"],` + halves + `}`},
	{"unknown_dimension", "retail", `{"metric":"revenue","dimensions":["customers.regoin"],` + halves + `}`},
	{"unknown_dimension", "retail", `{"metric":"revenue","dimensions":["customers.region"],"time_dimension":"order.order_day",` + halves + `}`},
	{"ambiguous_dimension", "retail", `{"metric":"revenue","dimensions":["customer_id"],` + halves + `}`},
	{"unknown_relationship", "retail", `{"metric":"revenue","dimensions":["order_customr.order_store.country"],` + halves + `}`},
	{"no_join_path", "retail", `{"metric":"revenue","dimensions":["visits.pages"],` + halves + `}`},
	{"unsupported_filter", "retail", `{"metric":"revenue","dimensions":["customers.region"],"where_sql":"customers.region =",` + halves + `}`},
	{"unsupported_filter", "retail", `{"metric":"revenue","dimensions":["customers.region"],"time_dimension":"customers.region",` + halves + `}`},
	{"aggregate_in_where", "retail", `{"metric":"revenue","dimensions":["customers.region"],"where_sql":"SUM(order.amount) > 1",` + halves + `}`},
	{"unknown_query_key", "retail", `{"metric":"revenue","dimension":["customers.region"],` + halves + `}`},
	{"unknown_metric_param", "ledger", `{"metric":"x_above","dimensions":["cat"],"params":{"threshold":50},` + firstMonths + `}`},
	{"param_out_of_domain", "ledger", `{"metric":"x_above","dimensions":["cat"],"params":{"t":60},` + firstMonths + `}`},
	{"param_out_of_domain", "ledger", `{"metric":"x_above","dimensions":["cat"],"params":{"t":[50,100]},` + firstMonths + `}`},
	{"bad_request", "retail", `{"metric":"revenue","dimensions":["customers.region"],"dialect":"oracle",` + halves + `}`},
}

// TestSuggestedRetry_AttributionWorks does for attributions what TestSuggestedRetry_LeadsToWorkingQuery
// does for queries: it merges the suggested JSON, and the attribution works.
func TestSuggestedRetry_AttributionWorks(t *testing.T) {
	followed := 0
	for _, a := range attributionsRefused {
		t.Run(a.code+" "+a.body, func(t *testing.T) {
			s := subjectOf(t, &corpus.Case{Fixture: a.fixture})
			body := []byte(a.body)
			var codes []string
			for {
				q, err := query.DecodeAttribute(body)
				if err == nil {
					_, err = s.engine.Attribute(t.Context(), q)
				}
				if err == nil {
					followed += len(codes)
					break
				}
				got, err := wireError(err)
				if err != nil {
					t.Fatal(err)
				}
				if len(codes) == 0 && got.Code != a.code {
					t.Fatalf("refused with %+v", got)
				}
				if slices.Contains(codes, got.Code) || len(codes) >= 1 && len(codes) == maxSteps(codes[0]) {
					t.Fatalf("%s comes after %v\n%s", got.Code, codes, body)
				}
				if codes = append(codes, got.Code); strings.HasPrefix(got.SuggestedRetry, "{") {
					body = merge(t, body, got.SuggestedRetry)
					continue
				}
				if len(codes) > 1 {
					t.Fatalf("the suggestions end in %+v\n%s", got, body)
				}
				return
			}
			if len(codes) == 0 {
				t.Fatalf("%v\n%s", codes, body)
			}
		})
	}
	floor.CheckCount(t, "suggestions", followed, 8)
}
