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
	num, den := m.in.Formula.Num.at(s.Leaves), m.in.Formula.Den.at(s.Leaves)
	v := valueOf(m.contribution(num))
	v.SegmentKind = mixKind(num, den)
	share := Pair{den.Baseline / m.den.Baseline, den.Current / m.den.Current}
	rate := Pair{num.Baseline / den.Baseline, num.Current / den.Current}
	v.BaselineShare, v.CurrentShare = optional(share.Baseline), optional(share.Current)
	v.BaselineRate, v.CurrentRate = optional(rate.Baseline), optional(rate.Current)
	if v.SegmentKind != Normal || math.IsNaN(rate.Delta()) {
		return v
	}
	shift, mean := share.Delta(), (rate.Baseline+rate.Current)/2
	all := m.total()
	v.MixEffect = optional(shift * mean)
	v.RateEffect = optional(rate.Delta() * (share.Baseline + share.Current) / 2)
	v.MixEffectRelative = optional(shift * (mean - (all.Baseline+all.Current)/2))
	return v
}

// mixKind: a segment without denominator on one side entered or exited, unless
// its numerator is there without it. Then it has no rate for another reason.
func mixKind(num, den Pair) Kind {
	if den.Baseline == 0 && num.Baseline != 0 || den.Current == 0 && num.Current != 0 {
		return Fallback
	}
	return kindOf(den.Baseline != 0, den.Current != 0)
}

// weight is the numerator's weight: a segment's contribution is in proportion to it.
func (m mixMethod) weight(s Sample) float64 { return m.in.Formula.Num.at(s.Leaves).weight() }

func (m mixMethod) reconcile(members []Segment) *Reconciliation {
	var sum, size Pair
	for _, s := range members {
		add(&sum, &size, m.contribution(m.in.Formula.Num.at(s.Leaves)))
	}
	return reconciled(m.total(), sum, size)
}

func (m mixMethod) factorTotals(values []Value) *FactorTotals {
	t := &FactorTotals{}
	for _, v := range values {
		switch v.SegmentKind {
		case Entered:
			t.Entered += v.Delta
		case Exited:
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
	t.Residual = Number(m.total().Delta()) - t.MixEffect - t.RateEffect - t.Entered - t.Exited - t.Fallback
	return t
}
