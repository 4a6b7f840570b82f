package planner_test

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// shop is the model of testdata/attribution.yaml: orders with customers and
// products, and refunds with a separate time axis.
var shop = sync.OnceValues(func() (*catalog.Catalog, error) { return loadModel("testdata/attribution.yaml") })

const months = `"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}`

func planAttribution(t *testing.T, body string) (*planner.PlannedAttribution, error) {
	t.Helper()
	cat, err := shop()
	if err != nil {
		t.Fatal(err)
	}
	q, err := query.DecodeAttribute([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	a, err := planner.New(cat).PlanAttribution(t.Context(), q, duckdb)
	if err == nil {
		for _, p := range a.Queries() {
			if broken := plan.CheckTree(p.Root); broken != nil {
				t.Fatalf("%v\n%s", broken, plan.Explain(p.Root))
			}
		}
	}
	return a, err
}

func attribute(t *testing.T, body string) *planner.PlannedAttribution {
	t.Helper()
	a, err := planAttribution(t, body)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return a
}

func TestAttribute_OneScanForBothPeriods(t *testing.T) {
	t.Run("one scan reads the baseline and the current period", func(t *testing.T) {
		a := attribute(t, `{"metric":"margin","dimensions":["status"],`+months+`}`)
		want := `Limit 501
  Sort weight desc, status
    Project status, v0 = orders_amount_sum__baseline, v1 = orders_amount_sum__current, v2 = orders_cost_sum__baseline, v3 = orders_cost_sum__current, weight = ABS(COALESCE(orders_amount_sum__baseline, 0) + -1 * COALESCE(orders_cost_sum__baseline, 0)) + ABS(COALESCE(orders_amount_sum__current, 0) + -1 * COALESCE(orders_cost_sum__current, 0))
`
		if got := plan.Explain(a.Dimensions[0].Root); !strings.HasPrefix(got, want) || strings.Count(got, "Scan") != 1 {
			t.Errorf("%s", got)
		}
		if got := plan.Explain(a.Totals.Root); strings.Count(got, "Scan") != 1 || strings.Contains(got, "Limit") {
			t.Errorf("%s", got)
		}
	})
}

func TestAttribute_StrategyFollowsArithmetic(t *testing.T) {
	for metric, want := range map[string]string{
		"revenue": "term_wise", "margin": "term_wise", "order_count": "term_wise", "revenue_paid": "term_wise", "padded": "term_wise",
		"net_of_refunds": "term_wise", "weighted": "term_wise", "revenue_or_zero": "term_wise",
		"mean_amount": "mix_shift", "aov": "mix_shift", "paid_share": "mix_shift", "growth_rate": "mix_shift", "mean_paid": "mix_shift",
		"spend":  "factor_shapley",
		"buyers": "unsupported", "largest": "unsupported", "odd": "unsupported",
		"revenue_pop": "mix_shift", "revenue_delta": "term_wise", "revenue_before": "term_wise", "revenue_ratio": "mix_shift",
		"revenue_3m": "term_wise", "revenue_running": "term_wise", "revenue_qtd": "term_wise",
		"revenue_avg_3m": "unsupported", "revenue_rank": "unsupported",
	} {
		a := attribute(t, `{"metric":"`+metric+`","dimensions":["customers.region"],`+months+`}`)
		rows := []planner.QueryResultRows{{fullRow(a.Totals)}, {}}
		r, err := a.Report(rows)
		if err != nil {
			t.Errorf("%s: %v", metric, err)
			continue
		}
		if string(r.Strategy) != want {
			t.Errorf("%s: %s, want %s", metric, r.Strategy, want)
		}
		if (r.UnsupportedReason != nil) != (want == "unsupported") {
			t.Errorf("%s: %+v", metric, r.UnsupportedReason)
		}
	}
}

func TestAttributable_PerMetric(t *testing.T) {
	cat, err := shop()
	if err != nil {
		t.Fatal(err)
	}
	for metric, want := range map[string]bool{
		"revenue": true, "aov": true, "spend": true, "revenue_above": true, "net_of_refunds": true, "revenue_pop": true, "revenue_qtd": true,
		"buyers": false, "odd": false, "revenue_avg_3m": false, "revenue_rank": false, "no_such_metric": false,
	} {
		if got := planner.New(cat).IsAttributable(t.Context(), metric, duckdb); got != want {
			t.Errorf("%s: %v", metric, got)
		}
	}
}

// fullRow has the number 8 in every column.
func fullRow(p *planner.Planned) []any {
	row := make([]any, len(p.Columns))
	for i := range row {
		row[i] = json.Number("8")
	}
	return row
}

func TestAttribute_WindowMetricReadsOtherPeriods(t *testing.T) {
	for metric, want := range map[string][]string{
		// January and February, and the windows a month before each.
		"revenue_pop": {`DATE '2023-12-01'`, `DATE '2024-01-01'`, `DATE '2024-02-01'`, `DATE '2024-03-01'`},
		// Only the windows before are read.
		"revenue_before": {`DATE '2023-12-01'`, `DATE '2024-01-01'`, `DATE '2024-02-01'`},
		// Three months that end with January, and with February.
		"revenue_3m": {`DATE '2023-11-01'`, `DATE '2023-12-01'`, `DATE '2024-02-01'`, `DATE '2024-03-01'`},
		// From the start of the quarter.
		"revenue_qtd": {`DATE '2024-01-01'`, `DATE '2024-02-01'`, `DATE '2024-03-01'`},
	} {
		text := plan.Explain(attribute(t, `{"metric":"`+metric+`","dimensions":["status"],`+months+`}`).Totals.Root)
		for _, date := range []string{`DATE '2023-11-01'`, `DATE '2023-12-01'`, `DATE '2024-01-01'`, `DATE '2024-02-01'`, `DATE '2024-03-01'`} {
			wanted := false
			for _, w := range want {
				wanted = wanted || w == date
			}
			if strings.Contains(text, date) != wanted {
				t.Errorf("%s: %s in the plan: %v\n%s", metric, date, !wanted, text)
			}
		}
	}
}

func TestAttribute_ReportFromRows(t *testing.T) {
	a := attribute(t, `{"metric":"net_of_refunds","dimensions":["customers.region"],"where_sql":"customers.region <> 'x'",`+months+`}`)
	n := func(s string) json.Number { return json.Number(s) }
	// revenue, refunds in both windows, then the members.
	totals := planner.QueryResultRows{{n("100"), n("140"), n("10"), n("30"), n("100"), n("140"), n("10"), n("30")}}
	regions := planner.QueryResultRows{
		{"east", n("60"), n("100"), n("10"), n("5"), n("175")},
		{nil, n("40"), n("40"), nil, n("25"), n("105")},
	}
	r, err := a.Report([]planner.QueryResultRows{totals, regions})
	if err != nil {
		t.Fatal(err)
	}
	if r.TotalChange.BaselineValue != 90 || r.TotalChange.CurrentValue != 110 {
		t.Errorf("%+v", r.TotalChange)
	}
	got := map[string]string{}
	for _, v := range r.PerDimension["customers.region"].Values {
		got[v.Value] = v.DrillDown.WhereSQL
	}
	want := map[string]string{
		"east":   "customers.region <> 'x' AND customers.region = 'east'",
		"(null)": "customers.region <> 'x' AND customers.region IS NULL",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	text, err := json.Marshal(r.MemberBreakdown)
	if err != nil {
		t.Fatal(err)
	}
	members := `[{"metric":"revenue","coefficient":1,"baseline_value":100,"current_value":140,"delta":40,"weighted_delta":40},` +
		`{"metric":"refunded","coefficient":-1,"baseline_value":10,"current_value":30,"delta":20,"weighted_delta":-20}]`
	if d := cmp.Diff(members, string(text)); d != "" {
		t.Error(d)
	}
	if m := r.ComparisonMetadata; m.QueriesExecuted != 2 || m.BaselineDays != 31 || m.CurrentDays != 29 || m.EqualLengthWindows || m.TimeDimension != "metric_time" {
		t.Errorf("%+v", m)
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Code != "unequal_windows" {
		t.Errorf("%+v", r.Warnings)
	}
}

func TestAttribute_ReportsUsedParams(t *testing.T) {
	for params, want := range map[string]any{``: json.Number("50"), `,"params":{"least":7}`: json.Number("7")} {
		a := attribute(t, `{"metric":"revenue_above","dimensions":["status"]`+params+`,`+months+`}`)
		r, err := a.Report([]planner.QueryResultRows{{fullRow(a.Totals)}, {}})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(map[string]any{"least": want}, r.ComparisonMetadata.Params); d != "" {
			t.Error(d)
		}
		if b := r.FilterBreakdown; b == nil || b.BaseMetric != "revenue" {
			t.Errorf("%+v", b)
		}
		if r.ComparisonMetadata.TimeDimension != "orders.order_date" {
			t.Errorf("%+v", r.ComparisonMetadata)
		}
	}
}

func TestAttribute_ErrorsSuggestFix(t *testing.T) {
	const dims = `"dimensions":["status"]`
	for _, c := range []struct {
		name, body, code string
		candidates       []string
		retry            string
	}{
		{"no metric", `{` + dims + `,` + months + `}`, "empty_query", nil, ""},
		{"unknown metric", `{"metric":"revenu",` + dims + `,` + months + `}`, "unknown_metric", []string{"revenue"}, `{"metric":"revenue"}`},
		{"no dimensions", `{"metric":"revenue",` + months + `}`, "dimensions_required", []string{"customers.region", "orders.status", "orders.express", "products.category", "orders.note"},
			`{"dimensions":["customers.region","orders.status","orders.express"]}`},
		{"blank dimension", `{"metric":"revenue","dimensions":["status"," "],` + months + `}`, "dimensions_required", nil,
			`{"dimensions":["customers.region","orders.status","orders.express"]}`},
		{"dimension twice", `{"metric":"revenue","dimensions":["status","status"],` + months + `}`, "duplicate_output_name", nil, `{"dimensions":["status"]}`},
		{"dimension in two spellings", `{"metric":"revenue","dimensions":["orders.status","customers.region","STATUS"],` + months + `}`, "duplicate_output_name", nil, `{"dimensions":["orders.status","customers.region"]}`},
		{"unknown dimension", `{"metric":"revenue","dimensions":["stat"],` + months + `}`, "unknown_dimension", nil, ""},
		{"metric_time as dimension", `{"metric":"revenue","dimensions":["metric_time"],` + months + `}`, "unknown_dimension", nil, ""},
		{"no dimension", `{"metric":"revenue","dimensions":["orders.amount"],` + months + `}`, "unknown_dimension", nil, ""},
		{"unreachable dimension", `{"metric":"revenue","dimensions":["status","refunds.reason"],` + months + `}`, "fan_out_risk", nil, `{"dimensions":["status"]}`},
		{"only an unreachable dimension", `{"metric":"revenue","dimensions":["refunds.reason"],` + months + `}`, "fan_out_risk", nil,
			`{"dimensions":["customers.region","orders.status","orders.express"]}`},
		{"no baseline", `{"metric":"revenue",` + dims + `,"current":{"start":"2024-02-01","end":"2024-03-01"}}`, "unsupported_filter", nil, ""},
		{"open window", `{"metric":"revenue",` + dims + `,"baseline":{"start":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`, "unsupported_filter", nil, ""},
		{"window turned around", `{"metric":"revenue",` + dims + `,"baseline":{"start":"2024-02-01","end":"2024-01-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`, "unsupported_filter", nil, ""},
		{"list of values", `{"metric":"revenue_above",` + dims + `,"params":{"least":[1,2]},` + months + `}`, "param_out_of_domain", nil, `{"params":{"least":1}}`},
		{"empty list", `{"metric":"revenue_above",` + dims + `,"params":{"least":[]},` + months + `}`, "param_out_of_domain", nil, `{"params":{"least":50}}`},
		{"value out of domain", `{"metric":"revenue_above",` + dims + `,"params":{"least":-1},` + months + `}`, "param_out_of_domain", nil, `{"params":{"least":0}}`},
		{"unknown parameter", `{"metric":"revenue",` + dims + `,"params":{"t":1},` + months + `}`, "unknown_metric_param", nil, `{"params":null}`},
		{"metric in where", `{"metric":"revenue",` + dims + `,"where_sql":"revenue > 1",` + months + `}`, "unsupported_filter", nil, ""},
		{"other metric in where", `{"metric":"revenue",` + dims + `,"where_sql":"order_count > 1",` + months + `}`, "unsupported_filter", nil, ""},
		{"column of the queries in where", `{"metric":"revenue",` + dims + `,"where_sql":"v0 > 1",` + months + `}`, "unknown_dimension", nil, ""},
		{"aggregate in where", `{"metric":"revenue",` + dims + `,"where_sql":"SUM(amount) > 1",` + months + `}`, "aggregate_in_where", nil, ""},
		{"string in double quotes", `{"metric":"revenue",` + dims + `,"where_sql":"customers.region <> \"north\" AND status = \"open\"",` + months + `}`, "unknown_dimension", nil,
			`{"where_sql":"customers.region <> 'north' AND status = 'open'"}`},
		{"no values", `{"metric":"revenue",` + dims + `,"max_values_per_dimension":0,` + months + `}`, "bad_request", nil, ""},
		{"more values than there may be", `{"metric":"revenue",` + dims + `,"max_values_per_dimension":1001,` + months + `}`, "bad_request", nil, ""},
		{"no time axis", `{"metric":"customer_count","dimensions":["customers.region"],` + months + `}`, "no_primary_time_dimension", nil, `{"time_dimension":"customers.signup_date"}`},
		{"unconformed dimension", `{"metric":"net_of_refunds","dimensions":["customers.region","refunds.reason"],` + months + `}`, "unconformed_dimension", nil, `{"dimensions":["customers.region"]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := planAttribution(t, c.body)
			var got *planerr.Error
			if !errors.As(err, &got) {
				t.Fatalf("%v", err)
			}
			if got.Code != c.code {
				t.Fatalf("%s: %s", got.Code, got.Message)
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
		})
	}
}
