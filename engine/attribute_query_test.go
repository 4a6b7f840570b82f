package engine_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// ledger returns the model and the data of the worked figures of attribution.
func ledger(t *testing.T) *engine.Engine {
	t.Helper()
	return open(t, engine.Config{ModelPath: "testdata/ledger.yaml", Setup: []string{read(t, "testdata/ledger.sql")}})
}

const (
	januaryFebruary = `"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}`
	marchApril      = `"baseline":{"start":"2024-03-01","end":"2024-04-01"},"current":{"start":"2024-04-01","end":"2024-05-01"}`
)

func attribute(t *testing.T, e *engine.Engine, body string) *engine.Attribution {
	t.Helper()
	q, err := query.DecodeAttribute([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Attribute(t.Context(), q)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return r
}

// wireOf returns a value as a client reads it from JSON.
func wireOf(t *testing.T, v any) map[string]any {
	t.Helper()
	text, err := engine.MarshalWireJSON(v)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

var closely = cmpopts.EquateApprox(0, 1e-9)

func TestAttribute_Difference(t *testing.T) {
	t.Run("the attribution of a difference has the values worked out by hand", func(t *testing.T) {
		got := wireOf(t, attribute(t, ledger(t), `{"metric":"net","dimensions":["cat"],`+januaryFebruary+`}`))
		value := func(name string, baseline, current, delta, pct float64) map[string]any {
			return map[string]any{
				"dimension": "cat", "value": name, "baseline_value": baseline, "current_value": current, "delta": delta,
				"contribution_pct": pct, "segment_kind": "normal", "drill_down": map[string]any{"where_sql": "ledger.cat = '" + name + "'"},
			}
		}
		a, b := value("a", 80, 120, 40, 200), value("b", 40, 20, -20, -100)
		want := map[string]any{
			"metric": "net", "strategy": "term_wise",
			"total_change":         map[string]any{"baseline_value": 120.0, "current_value": 140.0, "delta": 20.0, "pct_change": 100.0 / 6},
			"dimension_ranking":    []any{map[string]any{"dimension": "cat", "score": 2.0, "non_additive": false, "truncated": false}},
			"selected_dimensions":  []any{"cat"},
			"top_dimension_values": []any{a, b},
			"per_dimension": map[string]any{"cat": map[string]any{
				"values": []any{a, b}, "score": 2.0, "non_additive": false, "truncated": false,
				"reconciliation": map[string]any{"baseline_residual": 0.0, "current_residual": 0.0, "passed": true},
			}},
			"comparison_metadata": map[string]any{
				"baseline":      map[string]any{"start": "2024-01-01", "end": "2024-02-01"},
				"current":       map[string]any{"start": "2024-02-01", "end": "2024-03-01"},
				"baseline_days": 31.0, "current_days": 29.0, "equal_length_windows": false,
				"time_dimension": "ledger.d", "queries_executed": 2.0, "params": map[string]any{},
			},
			"warnings": []any{map[string]any{"code": "unequal_windows",
				"message": "the windows differ in length, 31 days against 29: part of the change is their length"}},
		}
		if d := cmp.Diff(want, got, closely); d != "" {
			t.Error(d)
		}
	})
}

func TestAttribute_Average(t *testing.T) {
	t.Run("the attribution of an average has the values worked out by hand", func(t *testing.T) {
		r := attribute(t, ledger(t), `{"metric":"avg_x","dimensions":["cat"],`+januaryFebruary+`}`)
		if r.Strategy != "mix_shift" || r.TotalChange.BaselineValue != 75 || math.Abs(float64(r.TotalChange.CurrentValue)-230.0/3) > 1e-9 {
			t.Errorf("%+v", r.TotalChange)
		}
		sum := 0.0
		for _, v := range r.PerDimension["cat"].Values {
			if math.Abs(float64(*v.MixEffect+*v.RateEffect-v.Delta)) > 1e-9 {
				t.Errorf("%+v", v)
			}
			sum += float64(v.Delta)
		}
		if math.Abs(sum-float64(r.TotalChange.Delta)) > 1e-9 || math.Abs(float64(r.FactorTotals.Residual)) > 1e-9 {
			t.Errorf("%v, %+v", sum, r.FactorTotals)
		}
	})
}

func TestAttribute_Product(t *testing.T) {
	t.Run("the attribution of a product has the values worked out by hand", func(t *testing.T) {
		r := attribute(t, ledger(t), `{"metric":"x_times_y","dimensions":["cat"],`+januaryFebruary+`}`)
		if r.TotalChange.BaselineValue != 4500 || r.TotalChange.CurrentValue != 20700 {
			t.Errorf("%+v", r.TotalChange)
		}
		effects := map[string]float64{}
		for _, f := range r.Factors {
			effects[f.Factor] = float64(f.Effect)
		}
		if d := cmp.Diff(map[string]float64{"ledger_x_sum": 4800, "ledger_y_sum": 11400}, effects); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff(map[string]float64{"a": 17400, "b": -1200}, deltasOf(r, "cat")); d != "" {
			t.Error(d)
		}
	})
}

func deltasOf(r *engine.Attribution, dimension string) map[string]float64 {
	out := map[string]float64{}
	for _, v := range r.PerDimension[dimension].Values {
		out[v.Value] = float64(v.Delta)
	}
	return out
}

func TestAttribute_DistinctCountUnsupported(t *testing.T) {
	t.Run("a distinct count has totals and values but no contributions", func(t *testing.T) {
		r := attribute(t, ledger(t), `{"metric":"cats","dimensions":["cat"],`+januaryFebruary+`}`)
		reason := r.UnsupportedReason
		if r.Strategy != "unsupported" || reason == nil || reason.Code != "non_sum_tier_measure" || reason.Measure != "ledger_cat_count_distinct" ||
			reason.Agg != "count" || !reason.Distinct {
			t.Errorf("%+v", reason)
		}
		if r.TotalChange.BaselineValue != 2 || r.TotalChange.Delta != 0 {
			t.Errorf("%+v", r.TotalChange)
		}
		if v := r.PerDimension["cat"].Values; len(v) != 2 || v[0].BaselineValue != 1 || v[0].ContributionPct != nil {
			t.Errorf("%+v", v)
		}
	})
}

func TestAttribute_NullAndNullTextDiffer(t *testing.T) {
	t.Run("NULL and the text \"(null)\" are two segments", func(t *testing.T) {
		e := ledger(t)
		r := attribute(t, e, `{"metric":"sum_x","dimensions":["cat"],`+marchApril+`}`)
		got := map[string]float64{}
		for _, v := range r.PerDimension["cat"].Values {
			if v.Value != "(null)" {
				t.Errorf("%+v", v)
			}
			got[v.DrillDown.WhereSQL] = float64(v.Delta)
		}
		if d := cmp.Diff(map[string]float64{"ledger.cat IS NULL": 30, "ledger.cat = '(null)'": 20}, got); d != "" {
			t.Error(d)
		}
		for where, delta := range got {
			drilled := attribute(t, e, `{"metric":"sum_x","dimensions":["entry_id"],"where_sql":"`+where+`",`+marchApril+`}`)
			if float64(drilled.TotalChange.Delta) != delta {
				t.Errorf("%s drills down to %+v, want %v", where, drilled.TotalChange, delta)
			}
		}
	})
}

func TestAttribute_IdenticalPeriods(t *testing.T) {
	t.Run("a comparison of a period with itself has no change", func(t *testing.T) {
		r := attribute(t, ledger(t), `{"metric":"sum_x","dimensions":["cat"],"baseline":{"start":"2024-01-01","end":"2024-02-01"},"current":{"start":"2024-01-01","end":"2024-02-01"}}`)
		if r.TotalChange.Delta != 0 || len(r.Warnings) != 1 || r.Warnings[0].Code != "zero_total_delta" {
			t.Errorf("%+v %+v", r.TotalChange, r.Warnings)
		}
		for _, v := range r.PerDimension["cat"].Values {
			if v.ContributionPct != nil {
				t.Errorf("%+v", v)
			}
		}
	})
}

func TestAttribute_RatioWithoutDenominatorRejected(t *testing.T) {
	q, err := query.DecodeAttribute([]byte(`{"metric":"avg_x","dimensions":["cat"],"baseline":{"start":"2020-01-01","end":"2020-02-01"},"current":{"start":"2024-02-01","end":"2024-03-01"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ledger(t).Attribute(t.Context(), q); codeOf(err) != "denominator_nonpositive" {
		t.Errorf("%v", err)
	}
}

func TestAttribute_FilterBreakdown(t *testing.T) {
	t.Run("a filtered metric is shown with its base metric and the complement", func(t *testing.T) {
		r := attribute(t, ledger(t), `{"metric":"x_above","dimensions":["cat"],"params":{"t":100},`+januaryFebruary+`}`)
		got := wireOf(t, r)["filter_breakdown"]
		plain := func(b, c, d float64) map[string]any {
			return map[string]any{"baseline_value": b, "current_value": c, "delta": d}
		}
		want := map[string]any{"base_metric": "sum_x", "base": plain(150, 230, 80), "filtered": plain(0, 120, 120), "complement": plain(150, 110, -40)}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff(map[string]any{"t": json.Number("100")}, r.ComparisonMetadata.Params); d != "" {
			t.Error(d)
		}
	})
}

func TestAttribute_KeepsHeaviestValues(t *testing.T) {
	r := attribute(t, ledger(t), `{"metric":"sum_x","dimensions":["entry_id"],"max_values_per_dimension":2,"top_n_values":1,`+januaryFebruary+`}`)
	d := r.PerDimension["entry_id"]
	if !d.Truncated || d.Reconciliation != nil {
		t.Errorf("%+v", d)
	}
	if diff := cmp.Diff(map[string]float64{"5": 120, "1": -100}, deltasOf(r, "entry_id")); diff != "" {
		t.Error(diff)
	}
	if len(r.TopDimensionValues) != 1 || r.TopDimensionValues[0].Value != "5" || r.TopDimensionValues[0].SegmentKind != "entered" {
		t.Errorf("%+v", r.TopDimensionValues)
	}
}

func TestAttribute_WindowMetrics(t *testing.T) {
	t.Run("a window metric has the value of its window in each period", func(t *testing.T) {
		e := open(t, engine.Config{ModelPath: "testdata/monthly.yaml", Setup: []string{read(t, "testdata/orders.sql")}})
		for body, want := range map[string][2]float64{
			// February against January, and March against February.
			`{"metric":"revenue_mom","dimensions":["status"],"baseline":{"start":"2024-02-01","end":"2024-03-01"},"current":{"start":"2024-03-01","end":"2024-04-01"}}`: {80.0 / 150, -160.0 / 230},
			// The mean of two months ending with each window: no sums, so no contributions.
			`{"metric":"revenue_rolling_avg_2","dimensions":["status"],` + januaryFebruary + `}`: {150, 190},
			// Conditions on rows hold inside of windows, an OR in one piece.
			`{"metric":"revenue_rolling_avg_2","dimensions":["status"],"where_sql":"status = 'completed' OR amount > 1000",` + januaryFebruary + `}`: {150, 175},
			// Over two months each: the last month of each window counts.
			`{"metric":"revenue_rolling_avg_2","dimensions":["status"],"baseline":{"start":"2024-01-01","end":"2024-03-01"},"current":{"start":"2024-02-01","end":"2024-04-01"}}`: {190, 150},
		} {
			r := attribute(t, e, body)
			got := [2]float64{float64(r.TotalChange.BaselineValue), float64(r.TotalChange.CurrentValue)}
			if d := cmp.Diff(want, got, closely); d != "" {
				t.Errorf("%s\n%s", body, d)
			}
			if r.WindowMapping == nil || r.WindowMapping.Note == "" {
				t.Errorf("%s: %+v", body, r.WindowMapping)
			}
		}
	})
}
