package attribution

import "math"

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
