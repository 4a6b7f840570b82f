package attribution

import (
	"math"
	"strconv"
	"strings"
)

// productMethod: each factor's effect is its Shapley value, and a segment takes
// of it what is its part of the factor's change.
type productMethod struct {
	plainMethod
	sides   []Pair // the factors' totals
	weights []float64
}

func (m productMethod) total() Pair { return product(m.in.Formula.Coef, m.sides) }

func (m productMethod) factors() []Factor {
	out := make([]Factor, len(m.sides))
	for i, p := range m.sides {
		out[i] = Factor{
			Factor:        m.name(m.in.Formula.Factors[i]),
			ComparedValue: NewComparedValue(p),
			Effect:        NullableFloat(m.in.Formula.Coef * m.weights[i] * p.Delta()),
		}
	}
	return out
}

// name is the measure's where the factor is one.
func (m productMethod) name(f Linear) string {
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

func (m productMethod) sidesOf(s Sample) []Pair {
	out := make([]Pair, len(m.in.Formula.Factors))
	for i, f := range m.in.Formula.Factors {
		out[i] = f.eval(s.Leaves)
	}
	return out
}

func (m productMethod) value(s Sample) Value {
	sides := m.sidesOf(s)
	v := comparedValue(product(m.in.Formula.Coef, sides))
	v.SegmentKind = segmentKind(m.present(s.Leaves))
	v.Delta = 0
	for i, p := range sides {
		v.Delta += NullableFloat(m.in.Formula.Coef * m.weights[i] * p.Delta())
	}
	return v
}

func (m productMethod) weight(s Sample) float64 {
	sum := 0.0
	for _, p := range m.sidesOf(s) {
		sum += p.weight()
	}
	return sum
}

// reconcile compares the product of the summed factors with the total, and
// passes where every factor's sum is its total: a product may be right by a
// factor of 0.
func (m productMethod) reconcile(members []Segment) *Reconciliation {
	sums := make([]Pair, len(m.sides))
	sizes := make([]Pair, len(m.sides))
	for _, s := range members {
		for i, p := range m.sidesOf(s.Sample) {
			addPair(&sums[i], &sizes[i], p)
		}
	}
	out := reconcileTotals(m.total(), product(m.in.Formula.Coef, sums), product(math.Abs(m.in.Formula.Coef), sizes))
	for i, total := range m.sides {
		out.Passed = out.Passed && reconcileTotals(total, sums[i], sizes[i]).Passed
	}
	return out
}
