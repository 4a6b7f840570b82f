package ranked

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// rewriteMeasure returns an aggregating expression over the projected rows. level are the keys of its
// group.
func (r *rankedRows) rewriteMeasure(e sqlexpr.Expr, l missingCapabilities, level []sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		c, ok := x.(*sqlexpr.Call)
		switch {
		case !ok || sqlexpr.InfoOfFunction(c.Fn).Class != sqlexpr.ClassAggregate:
			return nil
		case !l.callNeedsRanks(c):
			return r.plainAggregate(c)
		case c.Fn == sqlexpr.FnListagg:
			return r.rankedListAggregate(c, l, level)
		case c.Fn == sqlexpr.FnPercentileDisc:
			return r.discretePercentile(c, level)
		}
		return r.continuousPercentile(c, level)
	})
}

// plainAggregate returns an aggregate that the target has, over projected columns.
func (r *rankedRows) plainAggregate(c *sqlexpr.Call) sqlexpr.Expr {
	out := *c
	out.Args = make([]sqlexpr.Expr, len(c.Args))
	for i, arg := range c.Args {
		out.Args[i] = r.projectOperand(arg)
	}
	return &out
}

// projectOperand returns an argument as a projected column; a literal stays what it is, and a declared
// type stays known.
func (r *rankedRows) projectOperand(e sqlexpr.Expr) sqlexpr.Expr {
	switch e := e.(type) {
	case *sqlexpr.Number, *sqlexpr.String, *sqlexpr.Bool, *sqlexpr.Null, *sqlexpr.TypedLiteral:
		return e
	case *sqlexpr.DeclaredTypeExpr:
		return &sqlexpr.DeclaredTypeExpr{Position: e.Position, X: r.projectOperand(e.X), Type: e.Type, ReadsClock: e.ReadsClock}
	}
	return r.findOrAddProjectedColumn(e)
}

func newFunctionCall(fn sqlexpr.Func, args ...sqlexpr.Expr) *sqlexpr.Call {
	return &sqlexpr.Call{Fn: fn, Name: sqlexpr.Name{Text: sqlexpr.InfoOfFunction(fn).Name}, Args: args}
}

// addRowNumber numbers the rows of a group by a value, nulls last.
func (r *rankedRows) addRowNumber(level []sqlexpr.Expr, order ...sqlexpr.OrderItem) *sqlexpr.Ref {
	return r.addRankColumn("row_rank", &sqlexpr.WindowCall{Call: newFunctionCall(sqlexpr.FnRowNumber), Partition: level, Order: order})
}

// addGroupCount returns the number of values the group has.
func (r *rankedRows) addGroupCount(level []sqlexpr.Expr, x sqlexpr.Expr) *sqlexpr.Ref {
	return r.addRankColumn("row_count", &sqlexpr.WindowCall{Call: newFunctionCall(sqlexpr.FnCount, x), Partition: level})
}

func newBinary(op sqlexpr.BinaryOp, l, r sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Binary{Op: op, L: l, R: r}
}

func newCaseWhen(cond, then sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: cond, Then: then}}}
}

// percentileFraction returns the fraction of a percentile, num / den.
func percentileFraction(c *sqlexpr.Call) (num, den int64) {
	if len(c.Args) > 1 {
		if n, ok := c.Args[1].(*sqlexpr.Number); ok {
			if f, ok := sqlexpr.ParsePercentileFraction(n.Text); ok {
				return f.Num().Int64(), f.Denom().Int64()
			}
		}
	}
	return 1, 2 // of MEDIAN
}

// discretePercentile returns the first value whose share of the values up to it is at least num / den: of rank k
// among n where k * den ≥ n * num and (k - 1) * den < n * num. All of it is computed in integers.
func (r *rankedRows) discretePercentile(c *sqlexpr.Call, level []sqlexpr.Expr) sqlexpr.Expr {
	x := r.projectOperand(c.Args[0])
	rank := r.addRowNumber(level, sqlexpr.OrderItem{X: x, Desc: c.Desc})
	num, den := percentileFraction(c)
	if num == 0 {
		return newFunctionCall(sqlexpr.FnMax, newCaseWhen(newBinary(sqlexpr.OpEq, rank, newIntegerLiteral(1)), x))
	}
	share := multiplyByInteger(num, r.addGroupCount(level, x))
	return newFunctionCall(sqlexpr.FnMax, newCaseWhen(sqlexpr.And(
		newBinary(sqlexpr.OpGe, multiplyByInteger(den, rank), share),
		newBinary(sqlexpr.OpLt, multiplyByInteger(den, newBinary(sqlexpr.OpSub, rank, newIntegerLiteral(1))), share),
	), x))
}

// continuousPercentile returns the value at position 1 + num / den * (n - 1), between its two neighbours:
//
//	SUM(x * (den - distance)) / den over the rows with distance = |(k - 1) * den - (n - 1) * num| < den
func (r *rankedRows) continuousPercentile(c *sqlexpr.Call, level []sqlexpr.Expr) sqlexpr.Expr {
	x := r.projectOperand(c.Args[0])
	rank := r.addRowNumber(level, sqlexpr.OrderItem{X: x, Desc: c.Desc})
	count := r.addGroupCount(level, x)
	num, den := percentileFraction(c)
	one := newIntegerLiteral(1)
	var distance sqlexpr.Expr
	switch first := multiplyByInteger(den, newBinary(sqlexpr.OpSub, rank, one)); num {
	case 0:
		distance = first
	default:
		distance = newFunctionCall(sqlexpr.FnAbs, newBinary(sqlexpr.OpSub, first, multiplyByInteger(num, newBinary(sqlexpr.OpSub, count, one))))
	}
	double := &sqlexpr.Cast{X: x, To: sqlexpr.TypeName{Type: sqlexpr.TypeFloat}}
	if den == 1 {
		return newFunctionCall(sqlexpr.FnMax, newCaseWhen(newBinary(sqlexpr.OpEq, distance, newIntegerLiteral(0)), double))
	}
	weighted := newBinary(sqlexpr.OpMul, double, newBinary(sqlexpr.OpSub, newIntegerLiteral(den), distance))
	sum := newFunctionCall(sqlexpr.FnSum, newCaseWhen(newBinary(sqlexpr.OpLt, distance, newIntegerLiteral(den)), weighted))
	return &sqlexpr.SafeDivide{L: sum, R: newIntegerLiteral(den)}
}

func multiplyByInteger(n int64, e sqlexpr.Expr) sqlexpr.Expr {
	if n == 1 {
		return e
	}
	return newBinary(sqlexpr.OpMul, newIntegerLiteral(n), e)
}

// rankedListAggregate returns a LISTAGG whose values are made distinct or ordered by ranks.
func (r *rankedRows) rankedListAggregate(c *sqlexpr.Call, l missingCapabilities, level []sqlexpr.Expr) sqlexpr.Expr {
	out, ok := r.plainAggregate(c).(*sqlexpr.Call)
	if !ok {
		return c
	}
	x := out.Args[0]
	known, _ := x.(*sqlexpr.DeclaredTypeExpr)
	if known != nil {
		x = known.X
	}
	if l.orderedListNeedsRanks(c) {
		out.Args[2] = r.addRowNumber(level, sqlexpr.OrderItem{X: out.Args[2], Desc: c.Desc}, sqlexpr.OrderItem{X: x})
		out.Desc = false
	}
	if !l.distinctListNeedsRanks(c) {
		return out
	}
	same := append(append([]sqlexpr.Expr(nil), level...), x)
	first := r.addRowNumber(same, sqlexpr.OrderItem{X: x})
	once := newCaseWhen(newBinary(sqlexpr.OpEq, first, newIntegerLiteral(1)), x)
	if known != nil {
		once = &sqlexpr.DeclaredTypeExpr{X: once, Type: known.Type, ReadsClock: known.ReadsClock}
	}
	out.Distinct, out.Args[0] = false, once
	if len(out.Args) == 3 {
		out.Args[2] = once
	}
	return out
}
