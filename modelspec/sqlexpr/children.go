package sqlexpr

// eachChild calls f for every direct operand of e, in source order. It is the
// one function that lists the operands of each node; Rewrite's
// rebuild mirrors it.
func eachChild(e Expr, f func(Expr)) {
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
		visitEach(e.Items, f)
	case *Like:
		f(e.X)
		f(e.Pattern)
		visitOptional(e.Escape, f)
	case *IsNull:
		f(e.X)
	case *IsTruth:
		f(e.X)
	case *Case:
		visitOptional(e.Operand, f)
		for i := range e.Whens {
			f(e.Whens[i].Cond)
			f(e.Whens[i].Then)
		}
		visitOptional(e.Else, f)
	case *Cast:
		f(e.X)
	case *Extract:
		f(e.X)
	case *Call:
		visitEach(e.Args, f)
	case *Over:
		f(e.Call)
		visitEach(e.Partition, f)
		for i := range e.Order {
			f(e.Order[i].X)
		}
	case *Bucket:
		f(e.X)
	case *Ordinal:
		f(e.X)
	case *Decode:
		f(e.X)
	case *Divide:
		f(e.L)
		f(e.R)
	case *Known:
		f(e.X)
	default:
		eachNativeOperand(e, f)
	}
}

func visitEach(list []Expr, f func(Expr)) {
	for _, e := range list {
		f(e)
	}
}

func visitOptional(e Expr, f func(Expr)) {
	if e != nil {
		f(e)
	}
}
