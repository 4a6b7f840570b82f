package attribution

import "math"

// method is one strategy over one set of totals.
type method interface {
	// total is the metric in both windows.
	total() Pair
	// factors are those of a product.
	factors() []Factor
	// value decomposes a segment; dimension, name and percentage are the
	// caller's.
	value(s Sample) Value
	// weight is what a segment counts for when only the heaviest are kept.
	weight(s Sample) float64
	// reconcile compares the segments of a complete dimension with the totals;
	// nil where they need not add up.
	reconcile(members []Segment) *Reconciliation
	// factorTotals sums the effects of a ratio's segments.
	factorTotals(values []Value) *FactorTotals
}

func newMethod(in Input) (method, error) {
	base := plainMethod{in}
	switch in.Formula.Strategy {
	case TermWise:
		return termMethod{base}, nil
	case MixShift:
		m := mixMethod{plainMethod: base, num: in.Formula.Num.eval(in.Totals.Leaves), den: in.Formula.Den.eval(in.Totals.Leaves)}
		if !(m.den.Baseline > 0) || !(m.den.Current > 0) {
			return nil, &DenominatorError{Metric: in.Metric, Total: m.den}
		}
		return m, nil
	case FactorShapley:
		m := productMethod{plainMethod: base}
		for _, f := range in.Formula.Factors {
			m.sides = append(m.sides, f.eval(in.Totals.Leaves))
		}
		m.weights = shapleyWeights(m.sides)
		return m, nil
	default:
		return base, nil
	}
}

// plainMethod shows values as they are.
type plainMethod struct{ in Input }

func (m plainMethod) total() Pair { return m.in.Totals.Value }

func (plainMethod) factors() []Factor { return nil }

func (m plainMethod) value(s Sample) Value {
	v := comparedValue(s.Value)
	v.SegmentKind = segmentKind(!math.IsNaN(s.Value.Baseline), !math.IsNaN(s.Value.Current))
	return v
}

func (plainMethod) weight(s Sample) float64 { return s.Value.weight() }

func (plainMethod) reconcile([]Segment) *Reconciliation { return nil }

func (plainMethod) factorTotals([]Value) *FactorTotals { return nil }

func comparedValue(p Pair) Value {
	return Value{BaselineValue: NullableFloat(p.Baseline), CurrentValue: NullableFloat(p.Current), Delta: NullableFloat(p.Delta())}
}

func segmentKind(before, after bool) Kind {
	switch {
	case after && !before:
		return SegmentEntered
	case before && !after:
		return SegmentExited
	default:
		return SegmentNormal
	}
}

// present reports in which windows some measure has a value for a segment. A count
// always has a value; 0 means that it counted nothing.
func (m plainMethod) present(leaves []Pair) (before, after bool) {
	for i, l := range leaves {
		zeroIsNone := m.in.Leaves[i].Counts
		before = before || isPresent(l.Baseline, zeroIsNone)
		after = after || isPresent(l.Current, zeroIsNone)
	}
	return before, after
}

func isPresent(x float64, zeroIsNone bool) bool { return !math.IsNaN(x) && (x != 0 || !zeroIsNone) }

// reconcileTotals compares sums with totals; size is what rounding is measured by.
func reconcileTotals(total, sum, size Pair) *Reconciliation {
	rest := Pair{total.Baseline - sum.Baseline, total.Current - sum.Current}
	return &Reconciliation{
		BaselineResidual: NullableFloat(rest.Baseline),
		CurrentResidual:  NullableFloat(rest.Current),
		Passed: math.Abs(rest.Baseline) <= tolerance*math.Max(math.Abs(total.Baseline), size.Baseline) &&
			math.Abs(rest.Current) <= tolerance*math.Max(math.Abs(total.Current), size.Current),
	}
}

// tolerance is how far sums may be from totals, relative to what is summed.
const tolerance = 1e-9

// addPair sums pairs and, beside them, their sizes.
func addPair(sum, size *Pair, p Pair) {
	sum.Baseline += p.Baseline
	sum.Current += p.Current
	size.Baseline += math.Abs(p.Baseline)
	size.Current += math.Abs(p.Current)
}
