package attribution

import (
	"math"
	"strconv"
	"strings"
)

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
