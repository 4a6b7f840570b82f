package attribution

import (
	"math"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Strategy is how a change is decomposed.
type Strategy string

// The strategies.
const (
	TermWiseStrategy      Strategy = "term_wise"
	MixShiftStrategy      Strategy = "mix_shift"
	FactorShapleyStrategy Strategy = "factor_shapley"
	UnsupportedStrategy   Strategy = "unsupported"
)

// MetricFormula is a metric's arithmetic over its measures, which it names by index.
// Sum belongs to TermWiseStrategy, Num and Den to MixShiftStrategy, Coef and Factors to
// FactorShapleyStrategy. Num, Den and Factors have no constant term.
type MetricFormula struct {
	Strategy Strategy
	Sum      LinearCombination
	Num, Den LinearCombination
	Coef     float64
	Factors  []LinearCombination
}

// LinearCombination is Const + Σ Coef·measure, its terms in the order of the measures,
// none of them zero.
type LinearCombination struct {
	Terms []LinearTerm
	Const float64
}

// LinearTerm is one measure with its coefficient.
type LinearTerm struct {
	Leaf int
	Coef float64
}

// ValuePair is a number in the baseline window and in the current one. NaN means
// that there is none.
type ValuePair struct{ Baseline, Current float64 }

// Delta returns the change.
func (p ValuePair) Delta() float64 { return p.Current - p.Baseline }

// missingAsZero returns the pair with a missing number counted as 0.
func (p ValuePair) missingAsZero() ValuePair {
	if math.IsNaN(p.Baseline) {
		p.Baseline = 0
	}
	if math.IsNaN(p.Current) {
		p.Current = 0
	}
	return p
}

func (p ValuePair) combinedSize() float64 {
	p = p.missingAsZero()
	return math.Abs(p.Baseline) + math.Abs(p.Current)
}

// eval computes the sum, a missing measure counting 0.
func (l LinearCombination) eval(leaves []ValuePair) ValuePair {
	out := ValuePair{l.Const, l.Const}
	for _, t := range l.Terms {
		v := leaves[t.Leaf].missingAsZero()
		out.Baseline += t.Coef * v.Baseline
		out.Current += t.Coef * v.Current
	}
	return out
}

func newConstantLinear(c float64) LinearCombination { return LinearCombination{Const: c} }

func newSingleMeasureLinear(leaf int) LinearCombination {
	return LinearCombination{Terms: []LinearTerm{{Leaf: leaf, Coef: 1}}}
}

// isConstant reports whether no measure is in it.
func (l LinearCombination) isConstant() bool { return len(l.Terms) == 0 }

// hasNoConstant reports whether it is measures alone, without a constant.
func (l LinearCombination) hasNoConstant() bool { return len(l.Terms) > 0 && l.Const == 0 }

func (l LinearCombination) scaled(by float64) LinearCombination {
	out := LinearCombination{Const: l.Const * by}
	for _, t := range l.Terms {
		if c := t.Coef * by; c != 0 {
			out.Terms = append(out.Terms, LinearTerm{t.Leaf, c})
		}
	}
	return out
}

func (l LinearCombination) add(o LinearCombination) LinearCombination {
	out := LinearCombination{Const: l.Const + o.Const}
	a, b := l.Terms, o.Terms
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Leaf < b[0].Leaf:
			out.Terms, a = append(out.Terms, a[0]), a[1:]
		case len(a) == 0 || b[0].Leaf < a[0].Leaf:
			out.Terms, b = append(out.Terms, b[0]), b[1:]
		default:
			if c := a[0].Coef + b[0].Coef; c != 0 {
				out.Terms = append(out.Terms, LinearTerm{a[0].Leaf, c})
			}
			a, b = a[1:], b[1:]
		}
	}
	return out
}

func (l LinearCombination) equal(o LinearCombination) bool {
	if l.Const != o.Const || len(l.Terms) != len(o.Terms) {
		return false
	}
	for i, t := range l.Terms {
		if t != o.Terms[i] {
			return false
		}
	}
	return true
}

// LinearCoefficients returns the coefficient of each operand of a metric's form, or nil
// if the form is not a linear combination of them.
func LinearCoefficients(form sqlexpr.Expr, operands int) []float64 {
	formula := ClassifyArithmetic(form, func(id int) Operand {
		return Operand{Kind: AdditiveOperand, Leaf: id}
	})
	if formula.Strategy != TermWiseStrategy {
		return nil
	}
	out := make([]float64, operands)
	for _, t := range formula.Sum.Terms {
		out[t.Leaf] = t.Coef
	}
	return out
}
