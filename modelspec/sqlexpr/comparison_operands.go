package sqlexpr

// IsComparison reports whether the operator compares its operands with each other.
func (op BinaryOp) IsComparison() bool {
	switch op {
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe, OpIsDistinctFrom, OpIsNotDistinctFrom:
		return true
	}
	return false
}

// ReplaceComparedValues gives the values that a comparison, a BETWEEN or an IN compares with each
// other to f, and returns the node with what f returned in their places: nil where e is
// no such node, or f returned nil.
func ReplaceComparedValues(e Expr, f func(all ...Expr) []Expr) Expr {
	switch e := e.(type) {
	case *Binary:
		if !e.Op.IsComparison() {
			return nil
		}
		if x := f(e.L, e.R); x != nil {
			return &Binary{Position: e.Position, Op: e.Op, L: x[0], R: x[1]}
		}
	case *Between:
		if x := f(e.X, e.Lo, e.Hi); x != nil {
			return &Between{Position: e.Position, Not: e.Not, X: x[0], Lo: x[1], Hi: x[2]}
		}
	case *In:
		if x := f(append([]Expr{e.X}, e.Items...)...); x != nil {
			return &In{Position: e.Position, Not: e.Not, X: x[0], Items: x[1:]}
		}
	}
	return nil
}
