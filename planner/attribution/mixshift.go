package attribution

import "math"

// mixMethod: the total rate N/D is the sum over segments of share times rate,
// where a segment's share is its part of D and its rate its own N/D.
type mixMethod struct {
	plainMethod
	num, den Pair // of the totals; den is above zero
}

func (m mixMethod) total() Pair {
	return Pair{m.num.Baseline / m.den.Baseline, m.num.Current / m.den.Current}
}

// contribution is share times rate. Written as N over the total D it also holds
// where a segment has no rate.
func (m mixMethod) contribution(num Pair) Pair {
	return Pair{num.Baseline / m.den.Baseline, num.Current / m.den.Current}
}

func (m mixMethod) value(s Sample) Value {
	num, den := m.in.Formula.Num.eval(s.Leaves), m.in.Formula.Den.eval(s.Leaves)
	v := comparedValue(m.contribution(num))
	v.SegmentKind = mixKind(num, den)
	share := Pair{den.Baseline / m.den.Baseline, den.Current / m.den.Current}
	rate := Pair{num.Baseline / den.Baseline, num.Current / den.Current}
	v.BaselineShare, v.CurrentShare = optionalNumber(share.Baseline), optionalNumber(share.Current)
	v.BaselineRate, v.CurrentRate = optionalNumber(rate.Baseline), optionalNumber(rate.Current)
	if v.SegmentKind != SegmentNormal || math.IsNaN(rate.Delta()) {
		return v
	}
	shift, mean := share.Delta(), (rate.Baseline+rate.Current)/2
	all := m.total()
	v.MixEffect = optionalNumber(shift * mean)
	v.RateEffect = optionalNumber(rate.Delta() * (share.Baseline + share.Current) / 2)
	v.MixEffectRelative = optionalNumber(shift * (mean - (all.Baseline+all.Current)/2))
	return v
}

// mixKind: a segment without denominator on one side entered or exited, unless
// its numerator is there without it. Then it has no rate for another reason.
func mixKind(num, den Pair) Kind {
	if den.Baseline == 0 && num.Baseline != 0 || den.Current == 0 && num.Current != 0 {
		return Fallback
	}
	return segmentKind(den.Baseline != 0, den.Current != 0)
}

// weight is the numerator's weight: a segment's contribution is in proportion to it.
func (m mixMethod) weight(s Sample) float64 { return m.in.Formula.Num.eval(s.Leaves).weight() }

func (m mixMethod) reconcile(members []Segment) *Reconciliation {
	var sum, size Pair
	for _, s := range members {
		addPair(&sum, &size, m.contribution(m.in.Formula.Num.eval(s.Leaves)))
	}
	return reconcileTotals(m.total(), sum, size)
}

func (m mixMethod) factorTotals(values []Value) *FactorTotals {
	t := &FactorTotals{}
	for _, v := range values {
		switch v.SegmentKind {
		case SegmentEntered:
			t.Entered += v.Delta
		case SegmentExited:
			t.Exited += v.Delta
		case Fallback:
			t.Fallback += v.Delta
		default:
			if v.MixEffect != nil && v.RateEffect != nil {
				t.MixEffect += *v.MixEffect
				t.RateEffect += *v.RateEffect
			}
		}
	}
	t.Residual = NullableFloat(m.total().Delta()) - t.MixEffect - t.RateEffect - t.Entered - t.Exited - t.Fallback
	return t
}
