package attribution

import (
	"math"
	"strconv"
	"strings"
)

// decompositionMethod is one strategy over one set of totals.
type decompositionMethod interface {
	// totalOfMetric is the metric in both windows.
	totalOfMetric() ValuePair
	// factors are those of a product.
	factors() []Factor
	// decomposedSegmentValue decomposes a segment; dimension, name and percentage are the
	// caller's.
	decomposedSegmentValue(s SegmentNumbers) SegmentValue
	// segmentSize is what a segment counts for when only the heaviest are kept.
	segmentSize(s SegmentNumbers) float64
	// reconcile compares the segments of a complete dimension with the totals;
	// nil where they need not add up.
	compareSegmentSumWithTotals(members []Segment) *TotalsReconciliation
	// factorTotals sums the effects of a ratio's segments.
	factorTotals(values []SegmentValue) *FactorTotals
}

func newDecompositionMethod(in DecompositionInput) (decompositionMethod, error) {
	base := valuesWithoutDecompositionMethod{in}
	switch in.Formula.Strategy {
	case TermWiseStrategy:
		return termWiseMethod{base}, nil
	case MixShiftStrategy:
		m := mixShiftMethod{valuesWithoutDecompositionMethod: base, num: in.Formula.Num.eval(in.Totals.Leaves), den: in.Formula.Den.eval(in.Totals.Leaves)}
		if !(m.den.Baseline > 0) || !(m.den.Current > 0) {
			return nil, &DenominatorError{Metric: in.Metric, Total: m.den}
		}
		return m, nil
	case FactorShapleyStrategy:
		m := factorShapleyMethod{valuesWithoutDecompositionMethod: base}
		for _, f := range in.Formula.Factors {
			m.sides = append(m.sides, f.eval(in.Totals.Leaves))
		}
		m.weights = shapleyWeightsOfFactors(m.sides)
		return m, nil
	default:
		return base, nil
	}
}

// valuesWithoutDecompositionMethod shows values as they are.
type valuesWithoutDecompositionMethod struct{ in DecompositionInput }

func (m valuesWithoutDecompositionMethod) totalOfMetric() ValuePair { return m.in.Totals.Value }

func (valuesWithoutDecompositionMethod) factors() []Factor { return nil }

func (m valuesWithoutDecompositionMethod) decomposedSegmentValue(s SegmentNumbers) SegmentValue {
	v := segmentValueOfPair(s.Value)
	v.SegmentKind = segmentKindByPresence(!math.IsNaN(s.Value.Baseline), !math.IsNaN(s.Value.Current))
	return v
}

func (valuesWithoutDecompositionMethod) segmentSize(s SegmentNumbers) float64 {
	return s.Value.combinedSize()
}

func (valuesWithoutDecompositionMethod) compareSegmentSumWithTotals([]Segment) *TotalsReconciliation {
	return nil
}

func (valuesWithoutDecompositionMethod) factorTotals([]SegmentValue) *FactorTotals { return nil }

func segmentValueOfPair(p ValuePair) SegmentValue {
	return SegmentValue{BaselineValue: NullableFloat(p.Baseline), CurrentValue: NullableFloat(p.Current), Delta: NullableFloat(p.Delta())}
}

func segmentKindByPresence(before, after bool) SegmentKind {
	switch {
	case after && !before:
		return SegmentEntered
	case before && !after:
		return SegmentExited
	default:
		return SegmentInBothWindows
	}
}

// hasValueInWindows reports in which windows some measure has a value for a segment. A count
// always has a value; 0 means that it counted nothing.
func (m valuesWithoutDecompositionMethod) hasValueInWindows(leaves []ValuePair) (before, after bool) {
	for i, l := range leaves {
		zeroIsNone := m.in.Leaves[i].Counts
		before = before || hasValue(l.Baseline, zeroIsNone)
		after = after || hasValue(l.Current, zeroIsNone)
	}
	return before, after
}

func hasValue(x float64, zeroIsNone bool) bool { return !math.IsNaN(x) && (x != 0 || !zeroIsNone) }

// reconcileTotals compares sums with totals; size is what rounding is measured by.
func reconcileTotals(total, sum, size ValuePair) *TotalsReconciliation {
	rest := ValuePair{total.Baseline - sum.Baseline, total.Current - sum.Current}
	return &TotalsReconciliation{
		BaselineResidual: NullableFloat(rest.Baseline),
		CurrentResidual:  NullableFloat(rest.Current),
		Passed: math.Abs(rest.Baseline) <= reconciliationTolerance*math.Max(math.Abs(total.Baseline), size.Baseline) &&
			math.Abs(rest.Current) <= reconciliationTolerance*math.Max(math.Abs(total.Current), size.Current),
	}
}

// reconciliationTolerance is how far sums may be from totals, relative to what is summed.
const reconciliationTolerance = 1e-9

// addPairAndSize sums pairs and, beside them, their sizes.
func addPairAndSize(sum, size *ValuePair, p ValuePair) {
	sum.Baseline += p.Baseline
	sum.Current += p.Current
	size.Baseline += math.Abs(p.Baseline)
	size.Current += math.Abs(p.Current)
}

// termWiseMethod: a segment's change is its contribution. The constant term belongs
// to the total alone.
type termWiseMethod struct {
	valuesWithoutDecompositionMethod
}

func (m termWiseMethod) totalOfMetric() ValuePair { return m.in.Formula.Sum.eval(m.in.Totals.Leaves) }

func (m termWiseMethod) sumOfTerms(s SegmentNumbers) ValuePair {
	l := m.in.Formula.Sum
	l.Const = 0
	return l.eval(s.Leaves)
}

func (m termWiseMethod) decomposedSegmentValue(s SegmentNumbers) SegmentValue {
	v := segmentValueOfPair(m.sumOfTerms(s))
	v.SegmentKind = segmentKindByPresence(m.hasValueInWindows(s.Leaves))
	return v
}

func (m termWiseMethod) segmentSize(s SegmentNumbers) float64 {
	return m.sumOfTerms(s).combinedSize()
}

func (m termWiseMethod) compareSegmentSumWithTotals(members []Segment) *TotalsReconciliation {
	k := m.in.Formula.Sum.Const
	sum, size := ValuePair{k, k}, ValuePair{}
	for _, s := range members {
		addPairAndSize(&sum, &size, m.sumOfTerms(s.SegmentNumbers))
	}
	return reconcileTotals(m.totalOfMetric(), sum, size)
}

// factorShapleyMethod: each factor's effect is its Shapley value, and a segment takes
// of it what is its part of the factor's change.
type factorShapleyMethod struct {
	valuesWithoutDecompositionMethod
	sides   []ValuePair // the factors' totals
	weights []float64
}

func (m factorShapleyMethod) totalOfMetric() ValuePair {
	return multiplyPairs(m.in.Formula.Coef, m.sides)
}

func (m factorShapleyMethod) factors() []Factor {
	out := make([]Factor, len(m.sides))
	for i, p := range m.sides {
		out[i] = Factor{
			Factor:        m.factorName(m.in.Formula.Factors[i]),
			ComparedValue: NewComparedValue(p),
			Effect:        NullableFloat(m.in.Formula.Coef * m.weights[i] * p.Delta()),
		}
	}
	return out
}

// factorName returns the measure's where the factor is one.
func (m factorShapleyMethod) factorName(f LinearCombination) string {
	var b strings.Builder
	for i, t := range f.Terms {
		switch {
		case i == 0 && t.Coef < 0:
			b.WriteString("-")
		case i > 0 && t.Coef < 0:
			b.WriteString(" - ")
		case i > 0:
			b.WriteString(" + ")
		}
		if c := math.Abs(t.Coef); c != 1 {
			b.WriteString(strconv.FormatFloat(c, 'g', -1, 64) + " * ")
		}
		b.WriteString(m.in.Leaves[t.Leaf].Name)
	}
	return b.String()
}

func (m factorShapleyMethod) factorValuePairs(s SegmentNumbers) []ValuePair {
	out := make([]ValuePair, len(m.in.Formula.Factors))
	for i, f := range m.in.Formula.Factors {
		out[i] = f.eval(s.Leaves)
	}
	return out
}

func (m factorShapleyMethod) decomposedSegmentValue(s SegmentNumbers) SegmentValue {
	sides := m.factorValuePairs(s)
	v := segmentValueOfPair(multiplyPairs(m.in.Formula.Coef, sides))
	v.SegmentKind = segmentKindByPresence(m.hasValueInWindows(s.Leaves))
	v.Delta = 0
	for i, p := range sides {
		v.Delta += NullableFloat(m.in.Formula.Coef * m.weights[i] * p.Delta())
	}
	return v
}

func (m factorShapleyMethod) segmentSize(s SegmentNumbers) float64 {
	sum := 0.0
	for _, p := range m.factorValuePairs(s) {
		sum += p.combinedSize()
	}
	return sum
}

// compareSegmentSumWithTotals compares the product of the summed factors with the total, and
// passes where every factor's sum is its total: a product may be right by a
// factor of 0.
func (m factorShapleyMethod) compareSegmentSumWithTotals(members []Segment) *TotalsReconciliation {
	sums := make([]ValuePair, len(m.sides))
	sizes := make([]ValuePair, len(m.sides))
	for _, s := range members {
		for i, p := range m.factorValuePairs(s.SegmentNumbers) {
			addPairAndSize(&sums[i], &sizes[i], p)
		}
	}
	out := reconcileTotals(m.totalOfMetric(), multiplyPairs(m.in.Formula.Coef, sums), multiplyPairs(math.Abs(m.in.Formula.Coef), sizes))
	for i, total := range m.sides {
		out.Passed = out.Passed && reconcileTotals(total, sums[i], sizes[i]).Passed
	}
	return out
}

// mixShiftMethod: the total rate N/D is the sum over segments of share times rate,
// where a segment's share is its part of D and its rate its own N/D.
type mixShiftMethod struct {
	valuesWithoutDecompositionMethod
	num, den ValuePair // of the totals; den is above zero
}

func (m mixShiftMethod) totalOfMetric() ValuePair {
	return ValuePair{m.num.Baseline / m.den.Baseline, m.num.Current / m.den.Current}
}

// contribution is share times rate. Written as N over the total D it also holds
// where a segment has no rate.
func (m mixShiftMethod) contribution(num ValuePair) ValuePair {
	return ValuePair{num.Baseline / m.den.Baseline, num.Current / m.den.Current}
}

func (m mixShiftMethod) decomposedSegmentValue(s SegmentNumbers) SegmentValue {
	num, den := m.in.Formula.Num.eval(s.Leaves), m.in.Formula.Den.eval(s.Leaves)
	v := segmentValueOfPair(m.contribution(num))
	v.SegmentKind = mixShiftSegmentKind(num, den)
	share := ValuePair{den.Baseline / m.den.Baseline, den.Current / m.den.Current}
	rate := ValuePair{num.Baseline / den.Baseline, num.Current / den.Current}
	v.BaselineShare, v.CurrentShare = newOptionalNumber(share.Baseline), newOptionalNumber(share.Current)
	v.BaselineRate, v.CurrentRate = newOptionalNumber(rate.Baseline), newOptionalNumber(rate.Current)
	if v.SegmentKind != SegmentInBothWindows || math.IsNaN(rate.Delta()) {
		return v
	}
	shift, mean := share.Delta(), (rate.Baseline+rate.Current)/2
	all := m.totalOfMetric()
	v.MixEffect = newOptionalNumber(shift * mean)
	v.RateEffect = newOptionalNumber(rate.Delta() * (share.Baseline + share.Current) / 2)
	v.MixEffectRelative = newOptionalNumber(shift * (mean - (all.Baseline+all.Current)/2))
	return v
}

// mixShiftSegmentKind: a segment without denominator on one side entered or exited, unless
// its numerator is there without it. Then it has no rate for another reason.
func mixShiftSegmentKind(num, den ValuePair) SegmentKind {
	if den.Baseline == 0 && num.Baseline != 0 || den.Current == 0 && num.Current != 0 {
		return SegmentWithoutDenominator
	}
	return segmentKindByPresence(den.Baseline != 0, den.Current != 0)
}

// segmentSize returns the numerator's weight: a segment's contribution is in proportion to it.
func (m mixShiftMethod) segmentSize(s SegmentNumbers) float64 {
	return m.in.Formula.Num.eval(s.Leaves).combinedSize()
}

func (m mixShiftMethod) compareSegmentSumWithTotals(members []Segment) *TotalsReconciliation {
	var sum, size ValuePair
	for _, s := range members {
		addPairAndSize(&sum, &size, m.contribution(m.in.Formula.Num.eval(s.Leaves)))
	}
	return reconcileTotals(m.totalOfMetric(), sum, size)
}

func (m mixShiftMethod) factorTotals(values []SegmentValue) *FactorTotals {
	t := &FactorTotals{}
	for _, v := range values {
		switch v.SegmentKind {
		case SegmentEntered:
			t.Entered += v.Delta
		case SegmentExited:
			t.Exited += v.Delta
		case SegmentWithoutDenominator:
			t.Fallback += v.Delta
		default:
			if v.MixEffect != nil && v.RateEffect != nil {
				t.MixEffect += *v.MixEffect
				t.RateEffect += *v.RateEffect
			}
		}
	}
	t.Residual = NullableFloat(m.totalOfMetric().Delta()) - t.MixEffect - t.RateEffect - t.Entered - t.Exited - t.Fallback
	return t
}
