package attribution

import "math"

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
