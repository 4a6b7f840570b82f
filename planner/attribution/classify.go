package attribution

import (
	"math"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// MaxFactors is how many factors a product may have: the exact Shapley value
// takes a sum over all subsets of them.
const MaxFactors = 8

// Operand is what a reference in a metric's expression stands for.
type Operand struct {
	Kind OperandKind
	Leaf int // the measure; of an average its sum
	Over int // of an average its count
}

// OperandKind is how an operand's values add up over segments.
type OperandKind uint8

// The kinds: a sum or count adds up, an average is a sum over a count, anything
// else does neither.
const (
	Opaque OperandKind = iota
	Additive
	Average
)

// Classify finds the kind of a metric's arithmetic. operand gives the meaning
// of each sqlexpr.Ref. A formula of another kind is Unsupported.
//
// Since a missing value counts 0, filling with 0 (COALESCE) and guarding a
// divisor against it (NULLIF) leave the arithmetic as it is.
func Classify(e sqlexpr.Expr, operand func(id int) Operand) Formula {
	c := classifier{operand}
	v := c.of(e)
	switch v.kind {
	case linearShape:
		return Formula{Strategy: TermWise, Sum: v.linear}
	case ratioShape:
		if v.linear.isConstant() {
			return Formula{Strategy: Unsupported}
		}
		return Formula{Strategy: MixShift, Num: v.linear, Den: v.den}
	case productShape:
		return Formula{Strategy: FactorShapley, Coef: v.coef, Factors: v.factors}
	default:
		return Formula{Strategy: Unsupported}
	}
}

type shapeKind uint8

const (
	otherShape shapeKind = iota
	linearShape
	ratioShape   // linear / den
	productShape // coef · Π factors
)

// expressionShape is the kind of a subexpression with its parts.
type expressionShape struct {
	kind    shapeKind
	linear  Linear
	den     Linear
	coef    float64
	factors []Linear
}

var nonLinearShape = expressionShape{}

func linearOf(l Linear) expressionShape { return expressionShape{kind: linearShape, linear: l} }

func (s expressionShape) constant() (float64, bool) {
	return s.linear.Const, s.kind == linearShape && s.linear.isConstant()
}

type classifier struct{ operand func(id int) Operand }

func (c classifier) of(e sqlexpr.Expr) expressionShape {
	switch e := e.(type) {
	case *sqlexpr.Number:
		v, err := strconv.ParseFloat(e.Text, 64)
		if err != nil || math.IsInf(v, 0) {
			return nonLinearShape
		}
		return linearOf(constant(v))
	case *sqlexpr.Ref:
		switch o := c.operand(e.ID); o.Kind {
		case Additive:
			return linearOf(singleLeaf(o.Leaf))
		case Average:
			return expressionShape{kind: ratioShape, linear: singleLeaf(o.Leaf), den: singleLeaf(o.Over)}
		}
	case *sqlexpr.Unary:
		switch e.Op {
		case sqlexpr.OpNeg:
			return scaleShape(c.of(e.X), -1)
		case sqlexpr.OpPlus:
			return c.of(e.X)
		}
	case *sqlexpr.Divide:
		return quotient(c.of(e.L), c.of(e.R))
	case *sqlexpr.Binary:
		return c.binary(e)
	case *sqlexpr.Cast:
		if e.To.Type == sqlexpr.TypeFloat {
			return c.of(e.X)
		}
	case *sqlexpr.Call:
		if (e.Fn == sqlexpr.FnCoalesce || e.Fn == sqlexpr.FnNullIf) && len(e.Args) == 2 {
			if zero, ok := c.of(e.Args[1]).constant(); ok && zero == 0 {
				return c.of(e.Args[0])
			}
		}
	}
	return nonLinearShape
}

func (c classifier) binary(e *sqlexpr.Binary) expressionShape {
	switch e.Op {
	case sqlexpr.OpAdd:
		return sum(c.of(e.L), c.of(e.R))
	case sqlexpr.OpSub:
		return sum(c.of(e.L), scaleShape(c.of(e.R), -1))
	case sqlexpr.OpMul:
		return multiplyShapes(c.of(e.L), c.of(e.R))
	case sqlexpr.OpDiv:
		return quotient(c.of(e.L), c.of(e.R))
	}
	return nonLinearShape
}

func scaleShape(s expressionShape, by float64) expressionShape {
	if by == 0 || math.IsInf(by, 0) || math.IsNaN(by) {
		if s.kind == linearShape && by == 0 {
			return linearOf(constant(0))
		}
		return nonLinearShape
	}
	switch s.kind {
	case linearShape, ratioShape:
		s.linear = s.linear.scaled(by)
	case productShape:
		s.coef *= by
	}
	return s
}

// sum adds two shapes: ratios over one denominator stay a ratio, and a constant
// is that many times the denominator over it.
func sum(l, r expressionShape) expressionShape {
	switch {
	case l.kind == linearShape && r.kind == linearShape:
		return linearOf(l.linear.add(r.linear))
	case l.kind == ratioShape && r.kind == ratioShape && l.den.equal(r.den):
		l.linear = l.linear.add(r.linear)
		return l
	case r.kind == ratioShape:
		l, r = r, l
	}
	if k, ok := r.constant(); ok {
		if l.kind == ratioShape {
			l.linear = l.linear.add(l.den.scaled(k))
			return l
		}
		if k == 0 {
			return l
		}
	}
	if k, ok := l.constant(); ok && k == 0 {
		return r
	}
	return nonLinearShape
}

func multiplyShapes(l, r expressionShape) expressionShape {
	if k, ok := l.constant(); ok {
		return scaleShape(r, k)
	}
	if k, ok := r.constant(); ok {
		return scaleShape(l, k)
	}
	lc, lf, ok := l.product()
	if !ok {
		return nonLinearShape
	}
	rc, rf, ok := r.product()
	if !ok || len(lf)+len(rf) > MaxFactors {
		return nonLinearShape
	}
	return expressionShape{kind: productShape, coef: lc * rc, factors: append(append([]Linear{}, lf...), rf...)}
}

// product sees a shape as a product. A single measure's coefficient goes in
// front, so that the factor is the measure itself.
func (s expressionShape) product() (coef float64, factors []Linear, ok bool) {
	switch {
	case s.kind == productShape:
		return s.coef, s.factors, true
	case s.kind == linearShape && s.linear.hasNoConstant():
		if len(s.linear.Terms) == 1 {
			return s.linear.Terms[0].Coef, []Linear{singleLeaf(s.linear.Terms[0].Leaf)}, true
		}
		return 1, []Linear{s.linear}, true
	}
	return 0, nil, false
}

func quotient(l, r expressionShape) expressionShape {
	if k, ok := r.constant(); ok {
		return scaleShape(l, 1/k)
	}
	if l.kind == linearShape && r.kind == linearShape && l.linear.hasNoConstant() && r.linear.hasNoConstant() {
		return expressionShape{kind: ratioShape, linear: l.linear, den: r.linear}
	}
	return nonLinearShape
}
