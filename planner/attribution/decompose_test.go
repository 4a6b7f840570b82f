package attribution_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/semlayer/semlayer/planner/attribution"
)

// The ledger of the worked figures: cat, x and y of January and February.
var (
	ledgerTotals = []attribution.ValuePair{{Baseline: 150, Current: 230}, {Baseline: 30, Current: 90}} // SUM(x), SUM(y)
	ledgerA      = []attribution.ValuePair{{Baseline: 100, Current: 200}, {Baseline: 20, Current: 80}}
	ledgerB      = []attribution.ValuePair{{Baseline: 50, Current: 30}, {Baseline: 10, Current: 10}}
)

var none = math.NaN()

func sums(names ...string) []attribution.LeafMeasure {
	out := make([]attribution.LeafMeasure, len(names))
	for i, n := range names {
		out[i] = attribution.LeafMeasure{Name: n}
	}
	return out
}

func input(f attribution.MetricFormula, leaves []attribution.LeafMeasure, totals []attribution.ValuePair, members ...attribution.Segment) attribution.DecompositionInput {
	return attribution.DecompositionInput{
		Metric: "m", Formula: f, Leaves: leaves,
		Totals:     attribution.SegmentNumbers{Leaves: totals},
		Dimensions: []attribution.DimensionSegments{{Dimension: "cat", Members: members}},
		MaxValues:  500, TopDimensions: 3, TopValues: 10,
	}
}

func member(text string, leaves ...attribution.ValuePair) attribution.Segment {
	return attribution.Segment{Text: text, SegmentNumbers: attribution.SegmentNumbers{Leaves: leaves}}
}

func decompose(t *testing.T, in attribution.DecompositionInput) *attribution.Report {
	t.Helper()
	r, err := attribution.Decompose(in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var approx = cmp.Options{
	cmpopts.EquateApprox(0, 1e-9),
	cmp.Comparer(func(a, b attribution.NullableFloat) bool { return math.Abs(float64(a-b)) <= 1e-9 }),
}

func deltas(r *attribution.Report, dimension string) map[string]float64 {
	out := map[string]float64{}
	for _, v := range r.PerDimension[dimension].Values {
		out[v.Value] = float64(v.Delta)
	}
	return out
}

func TestDecompose_SumsTermByTerm(t *testing.T) {
	f := classify(t, "a - b")
	r := decompose(t, input(f, sums("x", "y"), ledgerTotals, member("a", ledgerA...), member("b", ledgerB...)))
	pct := attribution.NullableFloat(100.0 * 20 / 120)
	want := attribution.Change{BaselineValue: 120, CurrentValue: 140, Delta: 20, PctChange: &pct}
	if d := cmp.Diff(want, r.TotalChange, approx); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]float64{"a": 40, "b": -20}, deltas(r, "cat"), approx); d != "" {
		t.Error(d)
	}
	values := r.PerDimension["cat"].Values
	if values[0].Value != "a" || float64(*values[0].ContributionPct) != 200 || float64(*values[1].ContributionPct) != -100 {
		t.Errorf("%+v", values)
	}
	if score := *r.PerDimension["cat"].Score; score != 2 {
		t.Errorf("score %v, want 40/20", score)
	}
	if rec := r.PerDimension["cat"].Reconciliation; rec == nil || !rec.Passed || rec.BaselineResidual != 0 {
		t.Errorf("%+v", rec)
	}
}

func TestDecompose_AverageIntoMixAndRate(t *testing.T) {
	f := classify(t, "m") // SUM(x) over COUNT(x)
	leaves := []attribution.LeafMeasure{{Name: "x_sum"}, {Name: "x_count", Counts: true}}
	r := decompose(t, input(f, leaves, []attribution.ValuePair{{Baseline: 150, Current: 230}, {Baseline: 2, Current: 3}},
		member("a", attribution.ValuePair{Baseline: 100, Current: 200}, attribution.ValuePair{Baseline: 1, Current: 2}),
		member("b", attribution.ValuePair{Baseline: 50, Current: 30}, attribution.ValuePair{Baseline: 1, Current: 1})))
	if d := cmp.Diff([]float64{75, 230.0 / 3}, []float64{float64(r.TotalChange.BaselineValue), float64(r.TotalChange.CurrentValue)}, approx); d != "" {
		t.Error(d)
	}
	// a: share 1/2 -> 2/3 at a rate of 100 throughout: all mix.
	// b: share 1/2 -> 1/3, rate 50 -> 30: mix -1/6·40, rate -20·5/12.
	type effects struct{ Mix, Rate, Delta, Relative float64 }
	mean := (75 + 230.0/3) / 2
	want := map[string]effects{
		"a": {100.0 / 6, 0, 100.0 / 6, (100 - mean) / 6},
		"b": {-40.0 / 6, -20 * 5.0 / 12, -15, -(40 - mean) / 6},
	}
	got := map[string]effects{}
	for _, v := range r.PerDimension["cat"].Values {
		got[v.Value] = effects{float64(*v.MixEffect), float64(*v.RateEffect), float64(v.Delta), float64(*v.MixEffectRelative)}
	}
	if d := cmp.Diff(want, got, approx); d != "" {
		t.Error(d)
	}
	ft := *r.FactorTotals
	if d := cmp.Diff(attribution.FactorTotals{MixEffect: 10, RateEffect: -100.0 / 12}, ft, approx); d != "" {
		t.Error(d)
	}
}

func TestDecompose_ProductByShapleyValues(t *testing.T) {
	r := decompose(t, input(classify(t, "a * b"), sums("x", "y"), ledgerTotals, member("a", ledgerA...), member("b", ledgerB...)))
	if r.TotalChange.BaselineValue != 4500 || r.TotalChange.CurrentValue != 20700 {
		t.Errorf("%+v", r.TotalChange)
	}
	want := []attribution.Factor{
		{Factor: "x", ComparedValue: attribution.ComparedValue{BaselineValue: 150, CurrentValue: 230, Delta: 80}, Effect: 4800},
		{Factor: "y", ComparedValue: attribution.ComparedValue{BaselineValue: 30, CurrentValue: 90, Delta: 60}, Effect: 11400},
	}
	if d := cmp.Diff(want, r.Factors, approx); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]float64{"a": 17400, "b": -1200}, deltas(r, "cat"), approx); d != "" {
		t.Error(d)
	}
	if a := r.PerDimension["cat"].Values[0]; a.BaselineValue != 2000 || a.CurrentValue != 16000 {
		t.Errorf("a segment's values are its own products: %+v", a)
	}
}

func TestDecompose_SegmentsEnterAndExit(t *testing.T) {
	t.Run("segments of only one period are marked as entered or exited", func(t *testing.T) {
		leaves := []attribution.LeafMeasure{{Name: "x"}, {Name: "n", Counts: true}}
		r := decompose(t, input(classify(t, "a + b"), leaves, []attribution.ValuePair{{Baseline: 8, Current: 6}, {Baseline: 2, Current: 2}},
			member("new", attribution.ValuePair{Baseline: none, Current: 6}, attribution.ValuePair{Baseline: 0, Current: 1}),
			member("gone", attribution.ValuePair{Baseline: 8, Current: none}, attribution.ValuePair{Baseline: 1, Current: 0}),
			member("both", attribution.ValuePair{Baseline: none, Current: none}, attribution.ValuePair{Baseline: 1, Current: 1}),
			member("zero", attribution.ValuePair{Baseline: 0, Current: 0}, attribution.ValuePair{Baseline: 0, Current: 0})))
		got := map[string]attribution.SegmentKind{}
		for _, v := range r.PerDimension["cat"].Values {
			got[v.Value] = v.SegmentKind
		}
		want := map[string]attribution.SegmentKind{"new": attribution.SegmentEntered, "gone": attribution.SegmentExited, "both": attribution.SegmentInBothWindows, "zero": attribution.SegmentInBothWindows}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	})
}

func TestDecompose_RatioSegmentWithoutRate(t *testing.T) {
	t.Run("a ratio counts the whole effect of segments that enter, exit or have no rate", func(t *testing.T) {
		r := decompose(t, input(classify(t, "a / b"), sums("n", "d"), []attribution.ValuePair{{Baseline: 30, Current: 50}, {Baseline: 10, Current: 10}},
			member("kept", attribution.ValuePair{Baseline: 10, Current: 15}, attribution.ValuePair{Baseline: 5, Current: 5}),
			member("new", attribution.ValuePair{Baseline: none, Current: 30}, attribution.ValuePair{Baseline: none, Current: 5}),
			member("gone", attribution.ValuePair{Baseline: 20, Current: none}, attribution.ValuePair{Baseline: 5, Current: none}),
			member("odd", attribution.ValuePair{Baseline: 0, Current: 5}, attribution.ValuePair{Baseline: 0, Current: 0})))
		want := attribution.FactorTotals{MixEffect: 0, RateEffect: 0.5, Entered: 3, Exited: -2, Fallback: 0.5}
		if d := cmp.Diff(want, *r.FactorTotals, approx); d != "" {
			t.Error(d)
		}
		for _, v := range r.PerDimension["cat"].Values {
			if (v.MixEffect != nil) != (v.SegmentKind == attribution.SegmentInBothWindows) {
				t.Errorf("%s: %+v", v.Value, v)
			}
		}
		if d := cmp.Diff(map[string]float64{"kept": 0.5, "new": 3, "gone": -2, "odd": 0.5}, deltas(r, "cat"), approx); d != "" {
			t.Error(d)
		}
	})
}

func TestDecompose_NonPositiveDenominator(t *testing.T) {
	for name, d := range map[string]attribution.ValuePair{
		"empty before": {Baseline: none, Current: 1},
		"zero after":   {Baseline: 1, Current: 0},
		"negative":     {Baseline: -1, Current: 2},
		"both":         {Baseline: 0, Current: none},
	} {
		_, err := attribution.Decompose(input(classify(t, "a / b"), sums("n", "d"), []attribution.ValuePair{{Baseline: 1, Current: 1}, d}))
		var refused *attribution.DenominatorError
		if !errors.As(err, &refused) || refused.Metric != "m" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDecompose_IdenticalPeriods(t *testing.T) {
	same := attribution.ValuePair{Baseline: 150, Current: 150}
	r := decompose(t, input(classify(t, "a"), sums("x"), []attribution.ValuePair{same}, member("a", same)))
	if len(r.Warnings) != 1 || r.Warnings[0].Code != attribution.WarnZeroTotalDelta {
		t.Errorf("%+v", r.Warnings)
	}
	if v := r.PerDimension["cat"].Values[0]; v.ContributionPct != nil || r.PerDimension["cat"].Score != nil {
		t.Errorf("%+v", v)
	}
}

func TestDecompose_UnsupportedShowsValuesOnly(t *testing.T) {
	in := input(attribution.MetricFormula{Strategy: attribution.UnsupportedStrategy}, nil, nil,
		attribution.Segment{Text: "a", SegmentNumbers: attribution.SegmentNumbers{Value: attribution.ValuePair{Baseline: 2, Current: 5}}},
		attribution.Segment{Text: "b", SegmentNumbers: attribution.SegmentNumbers{Value: attribution.ValuePair{Baseline: none, Current: 1}}})
	in.Totals.Value = attribution.ValuePair{Baseline: 2, Current: 5}
	in.Reason = &attribution.UnsupportedReason{Code: attribution.ReasonNonAdditiveMeasure, Message: "…"}
	r := decompose(t, in)
	if r.TotalChange.Delta != 3 || r.UnsupportedReason == nil {
		t.Errorf("%+v", r)
	}
	d := r.PerDimension["cat"]
	if !d.NonAdditive || d.Score != nil || d.Reconciliation != nil || d.Values[0].ContributionPct != nil || d.Values[0].Delta != 3 {
		t.Errorf("%+v", d)
	}
	if !math.IsNaN(float64(d.Values[1].BaselineValue)) || d.Values[1].SegmentKind != attribution.SegmentEntered {
		t.Errorf("%+v", d.Values[1])
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Code != attribution.WarnNonAdditiveDimension || r.Warnings[0].Dimension != "cat" {
		t.Errorf("%+v", r.Warnings)
	}
}

func TestDecompose_KeepsHeaviestValues(t *testing.T) {
	in := input(classify(t, "a"), sums("x"), []attribution.ValuePair{{Baseline: 111, Current: 122}},
		member("moved", attribution.ValuePair{Baseline: 1, Current: 12}),
		member("heavy", attribution.ValuePair{Baseline: 100, Current: 100}),
		member("middle", attribution.ValuePair{Baseline: 10, Current: 10}))
	in.MaxValues = 2
	r := decompose(t, in)
	d := r.PerDimension["cat"]
	var names []string
	for _, v := range d.Values {
		names = append(names, v.Value)
	}
	if diff := cmp.Diff([]string{"heavy", "middle"}, names); diff != "" {
		t.Error(diff)
	}
	if !d.Truncated || d.Reconciliation != nil || len(r.Warnings) != 1 || r.Warnings[0].Code != attribution.WarnTruncated {
		t.Errorf("%+v %+v", d, r.Warnings)
	}
}

func TestDecompose_RanksDimensionsByLargestChange(t *testing.T) {
	total := []attribution.ValuePair{{Baseline: 10, Current: 20}}
	in := input(classify(t, "a"), sums("x"), total)
	in.Dimensions = []attribution.DimensionSegments{
		{Dimension: "even", Members: []attribution.Segment{member("p", attribution.ValuePair{Baseline: 5, Current: 10}), member("q", attribution.ValuePair{Baseline: 5, Current: 10})}},
		{Dimension: "driver", Members: []attribution.Segment{member("r", attribution.ValuePair{Baseline: 1, Current: 10}), member("s", attribution.ValuePair{Baseline: 9, Current: 10})}},
		{Dimension: "opposed", Members: []attribution.Segment{member("t", attribution.ValuePair{Baseline: 0, Current: 20}), member("u", attribution.ValuePair{Baseline: 10, Current: 0})}},
	}
	in.TopDimensions, in.TopValues = 2, 3
	r := decompose(t, in)
	if d := cmp.Diff([]string{"opposed", "driver"}, r.SelectedDimensions); d != "" {
		t.Error(d)
	}
	var scores []float64
	for _, k := range r.DimensionRanking {
		scores = append(scores, float64(*k.Score))
	}
	if d := cmp.Diff([]float64{2, 0.9, 0.5}, scores, approx); d != "" {
		t.Error(d)
	}
	var top []string
	for _, v := range r.TopDimensionValues {
		top = append(top, v.Dimension+"="+v.Value)
	}
	if d := cmp.Diff([]string{"opposed=t", "opposed=u", "driver=r"}, top); d != "" {
		t.Error(d)
	}
}

func TestReconciliation_FailsOnLostRows(t *testing.T) {
	r := decompose(t, input(classify(t, "a"), sums("x"), []attribution.ValuePair{{Baseline: 10, Current: 20}}, member("a", attribution.ValuePair{Baseline: 10, Current: 15})))
	rec := r.PerDimension["cat"].Reconciliation
	if rec.Passed || rec.BaselineResidual != 0 || rec.CurrentResidual != 5 {
		t.Errorf("%+v", rec)
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Code != attribution.WarnReconciliation {
		t.Errorf("%+v", r.Warnings)
	}
}

func TestDecompose_ConstantStaysWithTotal(t *testing.T) {
	r := decompose(t, input(classify(t, "a + 100"), sums("x"), []attribution.ValuePair{{Baseline: 10, Current: 20}}, member("a", attribution.ValuePair{Baseline: 10, Current: 20})))
	if r.TotalChange.BaselineValue != 110 || r.AffineConstant == nil || *r.AffineConstant != 100 {
		t.Errorf("%+v", r)
	}
	d := r.PerDimension["cat"]
	if d.Values[0].BaselineValue != 10 || !d.Reconciliation.Passed {
		t.Errorf("%+v", d)
	}
}

func TestReconciliation_ProductFactorByFactor(t *testing.T) {
	// The product is 0 for every x, and half of x is missing.
	totals := []attribution.ValuePair{{Baseline: 8, Current: 4}, {Baseline: 0, Current: 0}}
	r := decompose(t, input(classify(t, "a * b"), sums("x", "y"), totals, member("a", attribution.ValuePair{Baseline: 4, Current: 2}, attribution.ValuePair{Baseline: 0, Current: 0})))
	if rec := r.PerDimension["cat"].Reconciliation; rec.Passed || rec.BaselineResidual != 0 {
		t.Errorf("%+v", rec)
	}
}
