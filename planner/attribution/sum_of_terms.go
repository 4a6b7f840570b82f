package attribution

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
