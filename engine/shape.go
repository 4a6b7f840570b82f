package engine

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// shape is what a metric's arithmetic is, as far as attributing a change of it
// to segments is concerned.
type shape uint8

const (
	other    shape = iota // no exact attribution
	constant              // a number
	additive              // a linear combination of sums and counts
	ratio                 // additive over additive
	product               // additive times additive
)

// attribution says whether a change of the metric can be attributed exactly.
func attribution(m *catalog.Metric) string {
	switch metricShape(m, 0) {
	case additive, ratio, product:
		return "exact"
	}
	return "unsupported"
}

// maxMembers bounds the nesting of composed metrics that are looked into.
const maxMembers = 32

func metricShape(m *catalog.Metric, depth int) shape {
	if m.Err != nil || m.Window != nil || depth > maxMembers {
		return other
	}
	if form := m.Forms.Default; form != nil {
		return formShape(form, form.Expr, depth)
	}
	if m.Derive != nil && m.Derive.Base != nil {
		return metricShape(m.Derive.Base, depth+1)
	}
	return other
}

func formShape(form *catalog.Form, e sqlexpr.Expr, depth int) shape {
	switch e := e.(type) {
	case *sqlexpr.Number:
		return constant
	case *sqlexpr.Ref:
		switch o := form.Operands[e.ID].(type) {
		case *catalog.Measure:
			return measureShape(o)
		case *catalog.Metric:
			return metricShape(o, depth+1)
		}
	case *sqlexpr.Unary:
		if e.Op != sqlexpr.OpNot {
			return formShape(form, e.X, depth)
		}
	case *sqlexpr.Divide:
		return quotient(formShape(form, e.L, depth), formShape(form, e.R, depth))
	case *sqlexpr.Binary:
		l, r := formShape(form, e.L, depth), formShape(form, e.R, depth)
		switch e.Op {
		case sqlexpr.OpAdd, sqlexpr.OpSub:
			return sum(l, r)
		case sqlexpr.OpMul:
			return times(l, r)
		case sqlexpr.OpDiv:
			return quotient(l, r)
		}
	}
	return other
}

func measureShape(m *catalog.Measure) shape {
	switch m.Agg {
	case catalog.AggSum, catalog.AggCount:
		return additive
	case catalog.AggAvg:
		return ratio
	}
	return other
}

func sum(l, r shape) shape {
	switch {
	case l == constant && r == constant:
		return constant
	case (l == additive || l == constant) && (r == additive || r == constant):
		return additive
	}
	return other
}

func times(l, r shape) shape {
	switch {
	case l == constant:
		return r
	case r == constant:
		return l
	case (l == additive || l == product) && (r == additive || r == product):
		return product
	}
	return other
}

func quotient(l, r shape) shape {
	switch {
	case r == constant:
		return l
	case l == additive && r == additive:
		return ratio
	}
	return other
}

// linearForm gives the coefficient of each operand of a linear form, nil for
// one that is not linear.
func linearForm(form *catalog.Form) []float64 {
	coefficients, _, ok := linear(form.Expr, len(form.Operands))
	if !ok {
		return nil
	}
	return coefficients
}

func linear(e sqlexpr.Expr, n int) (coefficients []float64, rest float64, ok bool) {
	switch e := e.(type) {
	case *sqlexpr.Number:
		v, err := strconv.ParseFloat(e.Text, 64)
		return make([]float64, n), v, err == nil
	case *sqlexpr.Ref:
		c := make([]float64, n)
		c[e.ID] = 1
		return c, 0, true
	case *sqlexpr.Unary:
		c, k, ok := linear(e.X, n)
		switch e.Op {
		case sqlexpr.OpPlus:
			return c, k, ok
		case sqlexpr.OpNeg:
			return scaled(c, -1), -k, ok
		}
	case *sqlexpr.Divide:
		return linearQuotient(e.L, e.R, n)
	case *sqlexpr.Binary:
		switch e.Op {
		case sqlexpr.OpDiv:
			return linearQuotient(e.L, e.R, n)
		case sqlexpr.OpAdd, sqlexpr.OpSub, sqlexpr.OpMul:
			return linearBinary(e, n)
		}
	}
	return nil, 0, false
}

func linearBinary(e *sqlexpr.Binary, n int) ([]float64, float64, bool) {
	l, lk, lok := linear(e.L, n)
	r, rk, rok := linear(e.R, n)
	switch {
	case !lok || !rok:
		return nil, 0, false
	case e.Op == sqlexpr.OpMul && flat(l):
		return scaled(r, lk), lk * rk, true
	case e.Op == sqlexpr.OpMul && flat(r):
		return scaled(l, rk), lk * rk, true
	case e.Op == sqlexpr.OpMul:
		return nil, 0, false
	case e.Op == sqlexpr.OpSub:
		r, rk = scaled(r, -1), -rk
	}
	for i := range l {
		l[i] += r[i]
	}
	return l, lk + rk, true
}

func linearQuotient(over, by sqlexpr.Expr, n int) ([]float64, float64, bool) {
	l, lk, lok := linear(over, n)
	r, rk, rok := linear(by, n)
	if !lok || !rok || !flat(r) || rk == 0 {
		return nil, 0, false
	}
	return scaled(l, 1/rk), lk / rk, true
}

func flat(c []float64) bool {
	for _, x := range c {
		if x != 0 {
			return false
		}
	}
	return true
}

func scaled(c []float64, by float64) []float64 {
	for i := range c {
		c[i] *= by
	}
	return c
}
