package attribution

import (
	"math"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// MaxProductFactors is how many factors a product may have: the exact Shapley value
// takes a sum over all subsets of them.
const MaxProductFactors = 8

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
	OpaqueOperand OperandKind = iota
	AdditiveOperand
	AverageOperand
)

// ClassifyArithmetic finds the kind of a metric's arithmetic. operand gives the meaning
// of each sqlexpr.Ref. A formula of another kind is Unsupported.
//
// Since a missing value counts 0, filling with 0 (COALESCE) and guarding a
// divisor against it (NULLIF) leave the arithmetic as it is.
func ClassifyArithmetic(e sqlexpr.Expr, operand func(id int) Operand) MetricFormula {
	c := arithmeticClassifier{operand}
	v := c.classifyExpr(e)
	switch v.kind {
	case linearShape:
		return MetricFormula{Strategy: TermWiseStrategy, Sum: v.linear}
	case ratioShape:
		if v.linear.isConstant() {
			return MetricFormula{Strategy: UnsupportedStrategy}
		}
		return MetricFormula{Strategy: MixShiftStrategy, Num: v.linear, Den: v.den}
	case productShape:
		return MetricFormula{Strategy: FactorShapleyStrategy, Coef: v.coef, Factors: v.factors}
	default:
		return MetricFormula{Strategy: UnsupportedStrategy}
	}
}

type expressionShapeKind uint8

const (
	unsupportedShapeKind expressionShapeKind = iota
	linearShape
	ratioShape   // linear / den
	productShape // coef · Π factors
)

// expressionShape is the kind of a subexpression with its parts.
type expressionShape struct {
	kind    expressionShapeKind
	linear  LinearCombination
	den     LinearCombination
	coef    float64
	factors []LinearCombination
}

var unsupportedShape = expressionShape{}

func newLinearShape(l LinearCombination) expressionShape {
	return expressionShape{kind: linearShape, linear: l}
}

func (s expressionShape) asConstant() (float64, bool) {
	return s.linear.Const, s.kind == linearShape && s.linear.isConstant()
}

type arithmeticClassifier struct{ operand func(id int) Operand }

func (c arithmeticClassifier) classifyExpr(e sqlexpr.Expr) expressionShape {
	switch e := e.(type) {
	case *sqlexpr.Number:
		v, err := strconv.ParseFloat(e.Text, 64)
		if err != nil || math.IsInf(v, 0) {
			return unsupportedShape
		}
		return newLinearShape(newConstantLinear(v))
	case *sqlexpr.Ref:
		switch o := c.operand(e.ID); o.Kind {
		case AdditiveOperand:
			return newLinearShape(newSingleMeasureLinear(o.Leaf))
		case AverageOperand:
			return expressionShape{kind: ratioShape, linear: newSingleMeasureLinear(o.Leaf), den: newSingleMeasureLinear(o.Over)}
		}
	case *sqlexpr.Unary:
		switch e.Op {
		case sqlexpr.OpNeg:
			return multiplyShapeByConstant(c.classifyExpr(e.X), -1)
		case sqlexpr.OpPlus:
			return c.classifyExpr(e.X)
		}
	case *sqlexpr.SafeDivide:
		return divideShapes(c.classifyExpr(e.L), c.classifyExpr(e.R))
	case *sqlexpr.Binary:
		return c.classifyBinary(e)
	case *sqlexpr.Cast:
		if e.To.Type == sqlexpr.TypeFloat {
			return c.classifyExpr(e.X)
		}
	case *sqlexpr.Call:
		if (e.Fn == sqlexpr.FnCoalesce || e.Fn == sqlexpr.FnNullIf) && len(e.Args) == 2 {
			if zero, ok := c.classifyExpr(e.Args[1]).asConstant(); ok && zero == 0 {
				return c.classifyExpr(e.Args[0])
			}
		}
	}
	return unsupportedShape
}

func (c arithmeticClassifier) classifyBinary(e *sqlexpr.Binary) expressionShape {
	switch e.Op {
	case sqlexpr.OpAdd:
		return addShapes(c.classifyExpr(e.L), c.classifyExpr(e.R))
	case sqlexpr.OpSub:
		return addShapes(c.classifyExpr(e.L), multiplyShapeByConstant(c.classifyExpr(e.R), -1))
	case sqlexpr.OpMul:
		return multiplyShapes(c.classifyExpr(e.L), c.classifyExpr(e.R))
	case sqlexpr.OpDiv:
		return divideShapes(c.classifyExpr(e.L), c.classifyExpr(e.R))
	}
	return unsupportedShape
}

func multiplyShapeByConstant(s expressionShape, by float64) expressionShape {
	if by == 0 || math.IsInf(by, 0) || math.IsNaN(by) {
		if s.kind == linearShape && by == 0 {
			return newLinearShape(newConstantLinear(0))
		}
		return unsupportedShape
	}
	switch s.kind {
	case linearShape, ratioShape:
		s.linear = s.linear.scaled(by)
	case productShape:
		s.coef *= by
	}
	return s
}

// addShapes adds two shapes: ratios over one denominator stay a ratio, and a constant
// is that many times the denominator over it.
func addShapes(l, r expressionShape) expressionShape {
	switch {
	case l.kind == linearShape && r.kind == linearShape:
		return newLinearShape(l.linear.add(r.linear))
	case l.kind == ratioShape && r.kind == ratioShape && l.den.equal(r.den):
		l.linear = l.linear.add(r.linear)
		return l
	case r.kind == ratioShape:
		l, r = r, l
	}
	if k, ok := r.asConstant(); ok {
		if l.kind == ratioShape {
			l.linear = l.linear.add(l.den.scaled(k))
			return l
		}
		if k == 0 {
			return l
		}
	}
	if k, ok := l.asConstant(); ok && k == 0 {
		return r
	}
	return unsupportedShape
}

func multiplyShapes(l, r expressionShape) expressionShape {
	if k, ok := l.asConstant(); ok {
		return multiplyShapeByConstant(r, k)
	}
	if k, ok := r.asConstant(); ok {
		return multiplyShapeByConstant(l, k)
	}
	lc, lf, ok := l.asProduct()
	if !ok {
		return unsupportedShape
	}
	rc, rf, ok := r.asProduct()
	if !ok || len(lf)+len(rf) > MaxProductFactors {
		return unsupportedShape
	}
	return expressionShape{kind: productShape, coef: lc * rc, factors: append(append([]LinearCombination{}, lf...), rf...)}
}

// asProduct sees a shape as a product. A single measure's coefficient goes in
// front, so that the factor is the measure itself.
func (s expressionShape) asProduct() (coef float64, factors []LinearCombination, ok bool) {
	switch {
	case s.kind == productShape:
		return s.coef, s.factors, true
	case s.kind == linearShape && s.linear.hasNoConstant():
		if len(s.linear.Terms) == 1 {
			return s.linear.Terms[0].Coef, []LinearCombination{newSingleMeasureLinear(s.linear.Terms[0].Leaf)}, true
		}
		return 1, []LinearCombination{s.linear}, true
	}
	return 0, nil, false
}

func divideShapes(l, r expressionShape) expressionShape {
	if k, ok := r.asConstant(); ok {
		return multiplyShapeByConstant(l, 1/k)
	}
	if l.kind == linearShape && r.kind == linearShape && l.linear.hasNoConstant() && r.linear.hasNoConstant() {
		return expressionShape{kind: ratioShape, linear: l.linear, den: r.linear}
	}
	return unsupportedShape
}
