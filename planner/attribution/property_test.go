package attribution_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/semlayer/semlayer/planner/attribution"
)

// world is random data of a few measures over a few segments, and its totals.
type world struct {
	leaves   []attribution.LeafMeasure
	segments []attribution.Segment
	totals   []attribution.ValuePair
}

func randomWorld(r *rand.Rand, leaves int, positive bool) world {
	w := world{totals: make([]attribution.ValuePair, leaves)}
	for i := range leaves {
		w.leaves = append(w.leaves, attribution.LeafMeasure{Name: fmt.Sprint("l", i)})
	}
	value := func() float64 {
		switch {
		case r.IntN(5) == 0:
			return math.NaN()
		case positive:
			return float64(r.IntN(1000)) / 4
		default:
			return float64(r.IntN(2000)-1000) / 8
		}
	}
	for s := range 1 + r.IntN(12) {
		seg := attribution.Segment{Text: fmt.Sprint("s", s)}
		for i := range leaves {
			p := attribution.ValuePair{Baseline: value(), Current: value()}
			seg.Leaves = append(seg.Leaves, p)
			if !math.IsNaN(p.Baseline) {
				w.totals[i].Baseline += p.Baseline
			}
			if !math.IsNaN(p.Current) {
				w.totals[i].Current += p.Current
			}
		}
		w.segments = append(w.segments, seg)
	}
	return w
}

func checkDeltas(t *testing.T, r *attribution.Report) {
	t.Helper()
	sum, size := 0.0, math.Abs(float64(r.TotalChange.Delta))
	for _, v := range r.PerDimension["cat"].Values {
		sum += float64(v.Delta)
		size += math.Abs(float64(v.Delta))
		if v.MixEffect != nil && math.Abs(float64(*v.MixEffect+*v.RateEffect-v.Delta)) > 1e-9*math.Max(1, size) {
			t.Errorf("mix %v + rate %v is not the delta %v", *v.MixEffect, *v.RateEffect, v.Delta)
		}
	}
	if math.Abs(sum-float64(r.TotalChange.Delta)) > 1e-9*math.Max(1, size) {
		t.Errorf("the segments change by %v, the total by %v", sum, r.TotalChange.Delta)
	}
	if rec := r.PerDimension["cat"].Reconciliation; rec == nil || !rec.Passed {
		t.Errorf("%+v", rec)
	}
	if f := r.FactorTotals; f != nil && math.Abs(float64(f.Residual)) > 1e-9*math.Max(1, size) {
		t.Errorf("residual %v", f.Residual)
	}
}

func TestDecompose_RandomMetricsAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for i := range 200 {
		n := 1 + r.IntN(4)
		formula := randomFormula(r, i, n)
		w := randomWorld(r, n, formula.Strategy == attribution.MixShiftStrategy)
		if formula.Strategy == attribution.MixShiftStrategy && (w.totals[0].Baseline <= 0 || w.totals[0].Current <= 0) {
			continue // a ratio without a denominator is another test's
		}
		t.Run(fmt.Sprintf("%d %s", i, show(formula)), func(t *testing.T) {
			checkDeltas(t, decompose(t, input(formula, w.leaves, w.totals, w.segments...)))
		})
	}
}

// randomFormula alternates between the three strategies that add up.
func randomFormula(r *rand.Rand, i, leaves int) attribution.MetricFormula {
	linear := func() attribution.LinearCombination {
		var l attribution.LinearCombination
		for leaf := range leaves {
			l.Terms = append(l.Terms, attribution.LinearTerm{Leaf: leaf, Coef: float64(1+r.IntN(9)) - 5.5})
		}
		return l
	}
	switch i % 3 {
	case 0:
		f := attribution.MetricFormula{Strategy: attribution.TermWiseStrategy, Sum: linear()}
		f.Sum.Const = float64(r.IntN(3)) * 10
		return f
	case 1:
		return attribution.MetricFormula{Strategy: attribution.MixShiftStrategy, Num: linear(), Den: attribution.LinearCombination{Terms: []attribution.LinearTerm{{Leaf: 0, Coef: 1}}}}
	default:
		f := attribution.MetricFormula{Strategy: attribution.FactorShapleyStrategy, Coef: float64(1 + r.IntN(4))}
		for range 2 + r.IntN(2) {
			f.Factors = append(f.Factors, linear())
		}
		return f
	}
}

// bruteForce returns the Shapley value by its definition: over every order in which
// the factors change, the mean of what each one's change does.
func bruteForce(coef float64, factors []attribution.ValuePair) []float64 {
	out := make([]float64, len(factors))
	orders := 0
	value := func(changed []bool) float64 {
		v := coef
		for i, f := range factors {
			if changed[i] {
				v *= f.Current
			} else {
				v *= f.Baseline
			}
		}
		return v
	}
	changed := make([]bool, len(factors))
	var walk func(done int, gains []float64)
	walk = func(done int, gains []float64) {
		if done == len(factors) {
			orders++
			for i, g := range gains {
				out[i] += g
			}
			return
		}
		for i := range factors {
			if changed[i] {
				continue
			}
			before := value(changed)
			changed[i] = true
			gains[i] = value(changed) - before
			walk(done+1, gains)
			changed[i] = false
		}
	}
	walk(0, make([]float64, len(factors)))
	for i := range out {
		out[i] /= float64(orders)
	}
	return out
}

func TestShapley_MatchesBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 60 {
		n := 2 + r.IntN(6)
		f := attribution.MetricFormula{Strategy: attribution.FactorShapleyStrategy, Coef: float64(r.IntN(7)) - 3.5}
		leaves := make([]attribution.LeafMeasure, n)
		totals := make([]attribution.ValuePair, n)
		for i := range n {
			f.Factors = append(f.Factors, attribution.LinearCombination{Terms: []attribution.LinearTerm{{Leaf: i, Coef: 1}}})
			totals[i] = attribution.ValuePair{Baseline: r.Float64()*20 - 5, Current: r.Float64()*20 - 5}
		}
		report := decompose(t, input(f, leaves, totals))
		want := bruteForce(f.Coef, totals)
		sum, size := 0.0, 1.0
		for i, got := range report.Factors {
			size = math.Max(size, math.Abs(want[i]))
			if math.Abs(float64(got.Effect)-want[i]) > 1e-9*size {
				t.Errorf("%d factors: effect %d is %v, by brute force %v", n, i, got.Effect, want[i])
			}
			sum += float64(got.Effect)
		}
		if math.Abs(sum-float64(report.TotalChange.Delta)) > 1e-9*size*float64(n) {
			t.Errorf("%d factors: effects sum to %v, the total changes by %v", n, sum, report.TotalChange.Delta)
		}
	}
}

func TestShapley_EightFactorsSumToChange(t *testing.T) {
	f := attribution.MetricFormula{Strategy: attribution.FactorShapleyStrategy, Coef: 1}
	var totals []attribution.ValuePair
	for i := range attribution.MaxProductFactors {
		f.Factors = append(f.Factors, attribution.LinearCombination{Terms: []attribution.LinearTerm{{Leaf: i, Coef: 1}}})
		totals = append(totals, attribution.ValuePair{Baseline: float64(i + 1), Current: float64(i + 2)})
	}
	report := decompose(t, input(f, make([]attribution.LeafMeasure, attribution.MaxProductFactors), totals))
	sum := 0.0
	for _, x := range report.Factors {
		sum += float64(x.Effect)
	}
	if math.Abs(sum-(362880-40320)) > 1e-6 { // 9! - 8!
		t.Errorf("effects sum to %v", sum)
	}
}
