package sqlexpr

// VisitOperands calls f for every direct operand of e, in source order. A node of another package has none here. It is the
// one function that lists the operands of each node; Rewrite's
// rebuild mirrors it.
func VisitOperands(e Expr, f func(Expr)) {
	switch e := e.(type) {
	case *Unary:
		f(e.X)
	case *Binary:
		f(e.L)
		f(e.R)
	case *Between:
		f(e.X)
		f(e.Lo)
		f(e.Hi)
	case *In:
		f(e.X)
		visitExprList(e.Items, f)
	case *Like:
		f(e.X)
		f(e.Pattern)
		visitOptionalExpr(e.Escape, f)
	case *IsNull:
		f(e.X)
	case *IsTruth:
		f(e.X)
	case *Case:
		visitOptionalExpr(e.Operand, f)
		for i := range e.Whens {
			f(e.Whens[i].Cond)
			f(e.Whens[i].Then)
		}
		visitOptionalExpr(e.Else, f)
	case *Cast:
		f(e.X)
	case *Extract:
		f(e.X)
	case *Call:
		visitExprList(e.Args, f)
	case *WindowCall:
		f(e.Call)
		visitExprList(e.Partition, f)
		for i := range e.Order {
			f(e.Order[i].X)
		}
	case *Bucket:
		f(e.X)
	case *BucketOrdinal:
		f(e.X)
	case *LocalTime:
		f(e.X)
	case *DecodeTimeCodeExpr:
		f(e.X)
	case *SafeDivide:
		f(e.L)
		f(e.R)
	case *DeclaredTypeExpr:
		f(e.X)
	default:
		visitNativeOperands(e, f)
	}
}

func visitExprList(list []Expr, f func(Expr)) {
	for _, e := range list {
		f(e)
	}
}

func visitOptionalExpr(e Expr, f func(Expr)) {
	if e != nil {
		f(e)
	}
}
