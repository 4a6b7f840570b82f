package catalog

import (
	"math/big"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Linear folds the form into coefficients of its operands and a constant term:
// `2 * (revenue - refunds) + 1` is 2, -2 and 1. ok is false when the form is
// not linear, or holds parameters.
func (f *Form) Linear() (coefficients []float64, constant float64, ok bool) {
	t, ok := f.linear(f.Expr)
	if !ok {
		return nil, 0, false
	}
	coefficients = make([]float64, len(f.Operands))
	for i := range coefficients {
		coefficients[i], _ = t.of(i).Float64()
	}
	constant, _ = t.constant.Float64()
	return coefficients, constant, true
}

// term is a linear combination of operands, exact.
type term struct {
	constant *big.Rat
	operands map[int]*big.Rat
}

func (t term) of(i int) *big.Rat {
	if c := t.operands[i]; c != nil {
		return c
	}
	return new(big.Rat)
}

// scale multiplies every part.
func (t term) scale(by *big.Rat) term {
	out := term{new(big.Rat).Mul(t.constant, by), make(map[int]*big.Rat, len(t.operands))}
	for i, c := range t.operands {
		out.operands[i] = new(big.Rat).Mul(c, by)
	}
	return out
}

func (t term) add(u term) term {
	out := term{new(big.Rat).Add(t.constant, u.constant), make(map[int]*big.Rat, len(t.operands)+len(u.operands))}
	for i, c := range t.operands {
		out.operands[i] = new(big.Rat).Add(c, u.of(i))
	}
	for i, c := range u.operands {
		if out.operands[i] == nil {
			out.operands[i] = c
		}
	}
	return out
}

func (f *Form) linear(e sqlexpr.Expr) (term, bool) {
	switch e := e.(type) {
	case *sqlexpr.Number:
		value, ok := LiteralRat(e)
		return term{constant: value}, ok
	case *sqlexpr.Ref:
		return term{new(big.Rat), map[int]*big.Rat{e.ID: big.NewRat(1, 1)}}, true
	case *sqlexpr.Unary:
		t, ok := f.linear(e.X)
		switch {
		case !ok || e.Op == sqlexpr.OpNot:
			return term{}, false
		case e.Op == sqlexpr.OpNeg:
			return t.scale(big.NewRat(-1, 1)), true
		}
		return t, true
	case *sqlexpr.Binary:
		return f.linearBinary(e)
	}
	return term{}, false
}

func (f *Form) linearBinary(e *sqlexpr.Binary) (term, bool) {
	l, ok := f.linear(e.L)
	if !ok {
		return term{}, false
	}
	r, ok := f.linear(e.R)
	if !ok {
		return term{}, false
	}
	switch {
	case e.Op == sqlexpr.OpAdd:
		return l.add(r), true
	case e.Op == sqlexpr.OpSub:
		return l.add(r.scale(big.NewRat(-1, 1))), true
	case e.Op == sqlexpr.OpMul && len(l.operands) == 0:
		return r.scale(l.constant), true
	case e.Op == sqlexpr.OpMul && len(r.operands) == 0:
		return l.scale(r.constant), true
	case e.Op == sqlexpr.OpDiv && len(r.operands) == 0 && r.constant.Sign() != 0:
		return l.scale(new(big.Rat).Inv(r.constant)), true
	}
	return term{}, false
}
