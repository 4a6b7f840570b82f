package catalog

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Additivity is whether the values of a metric over parts of its rows add up.
type Additivity string

// The additivities.
const (
	AdditiveMetric     Additivity = "additive"
	SemiAdditiveMetric Additivity = "semi_additive" // over every dimension but time
	NonAdditiveMetric  Additivity = "non_additive"
)

// Additivity reports whether the metric's values of several groups add up to that of all
// their rows: it is a sum of additive measures, each times a constant. With such measures at a
// snapshot, the values of groups of one bucket add up. The default form decides.
func (m *Metric) Additivity() Additivity {
	a := additivityClassifier{}
	switch a.classifyMetric(m) {
	case arithmeticMeasureSum:
		return AdditiveMetric
	case arithmeticSnapshotSum:
		return SemiAdditiveMetric
	}
	return NonAdditiveMetric
}

// additivityClassifier remembers the metrics that it has seen: composes share their members.
type additivityClassifier map[*Metric]expressionAdditivityKind

// classifyMetric returns the arithmetic that the metric's values are made of.
func (a additivityClassifier) classifyMetric(m *Metric) expressionAdditivityKind {
	if seen, ok := a[m]; ok {
		return seen
	}
	a[m] = arithmeticOther // a circle adds up to nothing
	switch {
	case m.Err != nil, m.At != nil, m.Window != nil, !isEmptyOrZeroFill(m.Fill), m.Derive != nil && !isEmptyOrZeroFill(m.Derive.Fill):
	case m.Derive != nil && m.Derive.Base != nil:
		a[m] = a.classifyMetric(m.Derive.Base)
	case m.Forms.Default != nil:
		a[m] = a.classifyExpr(m.Forms.Default, m.Forms.Default.Expr)
	}
	return a[m]
}

// isEmptyOrZeroFill reports whether a number that fills missing values leaves sums as they are.
func isEmptyOrZeroFill(fill string) bool { return strings.Trim(fill, "-0.") == "" }

// expressionAdditivityKind is what an expression over operands is.
type expressionAdditivityKind uint8

const (
	arithmeticOther expressionAdditivityKind = iota
	arithmeticConstant
	arithmeticMeasureSum  // each times a constant
	arithmeticSnapshotSum // so, and some of them are over the rows of one snapshot
)

func (a additivityClassifier) classifyExpr(form *ArithmeticOverOperands, e sqlexpr.Expr) expressionAdditivityKind {
	of := func(x sqlexpr.Expr) expressionAdditivityKind { return a.classifyExpr(form, x) }
	switch e := e.(type) {
	case *sqlexpr.Ref:
		return a.classifyOperand(form.Operands[e.ID])
	case *sqlexpr.Number, *sqlexpr.Param:
		return arithmeticConstant
	case *sqlexpr.DeclaredTypeExpr:
		return of(e.X)
	case *sqlexpr.Unary:
		if e.Op != sqlexpr.OpNot {
			return of(e.X)
		}
	case *sqlexpr.SafeDivide:
		return classifyQuotient(of(e.L), of(e.R))
	case *sqlexpr.Binary:
		return classifyBinaryOperation(e.Op, of(e.L), of(e.R))
	case *sqlexpr.Call:
		if e.Fn == sqlexpr.FnCoalesce && len(e.Args) == 2 && isZeroLiteral(e.Args[1]) {
			return of(e.Args[0])
		}
	}
	return arithmeticOther
}

func (a additivityClassifier) classifyOperand(o Operand) expressionAdditivityKind {
	switch o := o.(type) {
	case *Measure:
		switch {
		case o.Additive():
			return arithmeticMeasureSum
		case o.Agg.Additive() && o.NonAdditive.Take.SelectsOneSnapshot():
			return arithmeticSnapshotSum
		}
	case *Metric:
		if v := a.classifyMetric(o); v != arithmeticConstant {
			return v
		}
	}
	return arithmeticOther
}

// classifyBinaryOperation returns the number kind of the result of an operator. A constant that is added is
// added once for each group.
func classifyBinaryOperation(op sqlexpr.BinaryOp, l, r expressionAdditivityKind) expressionAdditivityKind {
	switch op {
	case sqlexpr.OpAdd, sqlexpr.OpSub:
		switch {
		case l == r:
			return l
		case min(l, r) == arithmeticMeasureSum:
			return arithmeticSnapshotSum
		}
	case sqlexpr.OpMul:
		if l == arithmeticConstant {
			return r
		}
		if r == arithmeticConstant {
			return l
		}
	case sqlexpr.OpDiv:
		return classifyQuotient(l, r)
	}
	return arithmeticOther
}

func classifyQuotient(l, r expressionAdditivityKind) expressionAdditivityKind {
	if r == arithmeticConstant {
		return l
	}
	return arithmeticOther
}

func isZeroLiteral(e sqlexpr.Expr) bool {
	n, ok := e.(*sqlexpr.Number)
	return ok && n.Text == "0"
}
