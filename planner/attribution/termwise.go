package attribution

// termMethod: a segment's change is its contribution. The constant term belongs
// to the total alone.
type termMethod struct{ plainMethod }

func (m termMethod) total() Pair { return m.in.Formula.Sum.at(m.in.Totals.Leaves) }

func (m termMethod) of(s Sample) Pair {
	l := m.in.Formula.Sum
	l.Const = 0
	return l.at(s.Leaves)
}

func (m termMethod) value(s Sample) Value {
	v := valueOf(m.of(s))
	v.SegmentKind = kindOf(m.present(s.Leaves))
	return v
}

func (m termMethod) weight(s Sample) float64 { return m.of(s).weight() }

func (m termMethod) reconcile(members []Segment) *Reconciliation {
	k := m.in.Formula.Sum.Const
	sum, size := Pair{k, k}, Pair{}
	for _, s := range members {
		add(&sum, &size, m.of(s.Sample))
	}
	return reconciled(m.total(), sum, size)
}
