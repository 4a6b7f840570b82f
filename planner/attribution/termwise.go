package attribution

// termMethod: a segment's change is its contribution. The constant term belongs
// to the total alone.
type termMethod struct{ plainMethod }

func (m termMethod) total() Pair { return m.in.Formula.Sum.eval(m.in.Totals.Leaves) }

func (m termMethod) of(s Sample) Pair {
	l := m.in.Formula.Sum
	l.Const = 0
	return l.eval(s.Leaves)
}

func (m termMethod) value(s Sample) Value {
	v := comparedValue(m.of(s))
	v.SegmentKind = segmentKind(m.present(s.Leaves))
	return v
}

func (m termMethod) weight(s Sample) float64 { return m.of(s).weight() }

func (m termMethod) reconcile(members []Segment) *Reconciliation {
	k := m.in.Formula.Sum.Const
	sum, size := Pair{k, k}, Pair{}
	for _, s := range members {
		addPair(&sum, &size, m.of(s.Sample))
	}
	return reconcileTotals(m.total(), sum, size)
}
