package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// unifyClickhouseTypes gives values a type that they share. Integers of 64 bits and
// decimals share none with doubles, so beside a fraction or a double all become doubles; and
// unsigned integers, which counts are, share none with negative ones, so beside such a
// number zero is taken from the others, which makes them signed and changes no type
// else.
func unifyClickhouseTypes(w *writer, values []sqlexpr.Expr) []sqlexpr.Expr {
	doubles, negatives := w.isClickhouseDoubleBesideOthers(values), false
	for _, x := range values {
		doubles = doubles || isFractionLiteral(x)
		negatives = negatives || isNegativeLiteral(x)
	}
	if !doubles && !negatives {
		return values
	}
	out := make([]sqlexpr.Expr, len(values))
	for i, x := range values {
		_, null := x.(*sqlexpr.Null)
		_, number := x.(*sqlexpr.Number)
		switch {
		case null || isFractionLiteral(x) || isNegativeLiteral(x) || isClickhouseDouble(w.scope, x):
			out[i] = x
		case doubles:
			out[i] = newCast(x, sqlexpr.TypeFloat)
		case number:
			out[i] = x
		default:
			out[i] = newBinary(sqlexpr.OpSub, x, newIntegerConstant(0))
		}
	}
	return out
}

// isClickhouseDoubleBesideOthers reports whether one of the values is a double, and another is neither a double nor a constant.
func (w *writer) isClickhouseDoubleBesideOthers(values []sqlexpr.Expr) bool {
	doubles, others := false, false
	for _, x := range values {
		declared, ok := x.(*sqlexpr.DeclaredTypeExpr)
		_, null := x.(*sqlexpr.Null)
		switch {
		case ok && declared.Type == sqlexpr.TypeFloat:
			doubles = true
		case isClickhouseDouble(w.scope, x):
			doubles = doubles || !isFractionLiteral(x)
		case w.typeOf(x) == sqlexpr.TypeFloat: // a rounded double
			doubles, others = true, true
		case !null && !isLiteral(x) && !isNegativeLiteral(x):
			others = true
		}
	}
	return doubles && others
}

// isClickhouseDouble reports whether a value is a double: each calculation with a fraction is one, whose literal is a double. A rounded
// quotient may be a decimal.
func isClickhouseDouble(in *columnScope, x sqlexpr.Expr) bool {
	switch e := x.(type) {
	case *sqlexpr.Ref:
		if in.hasColumnID(e.ID) && in.cols[e.ID].expr != nil {
			return isClickhouseDouble(in.cols[e.ID].scope, in.cols[e.ID].expr)
		}
	case *sqlexpr.DeclaredTypeExpr:
		return e.Type != sqlexpr.TypeFloat && isClickhouseDouble(in, e.X) // the column of a declared double may be a decimal
	case *sqlexpr.Call:
		switch {
		case e.Fn == sqlexpr.FnRound || e.Fn == sqlexpr.FnTrunc:
			return false
		case e.Fn == sqlexpr.FnSum || returnsTypeOfFirstArgument(e.Fn):
			return isClickhouseDouble(in, e.Args[0])
		}
	case *sqlexpr.Binary:
		switch e.Op {
		case sqlexpr.OpAdd, sqlexpr.OpSub, sqlexpr.OpMul, sqlexpr.OpMod:
			return slices.ContainsFunc([]sqlexpr.Expr{e.L, e.R}, func(x sqlexpr.Expr) bool { return isFractionLiteral(x) || isClickhouseDouble(in, x) })
		}
	}
	return typeInScope(in, x) == sqlexpr.TypeFloat
}

// printClickhouseCoalesce prints COALESCE of decimals as the first value of an array, whose values get one scale. ClickHouse's own function
// rejects decimals of different scales (seen in 26.7).
func printClickhouseCoalesce(w *writer, c *sqlexpr.Call, min precedence) {
	decimals := 0
	for _, x := range c.Args {
		if kind := w.numberKindOf(w.scope, x); (kind == shortDecimalKind || kind == wideDecimalKind) && !isLiteral(x) {
			decimals++
		}
	}
	if decimals < 2 {
		printCoalesce(w, c, min)
		return
	}
	w.appendText("arrayFirst(x -> isNotNull(x), [")
	w.printExprList(c.Args)
	w.appendText("])")
}

func isNegativeLiteral(x sqlexpr.Expr) bool {
	neg, ok := x.(*sqlexpr.Unary)
	if !ok || neg.Op != sqlexpr.OpNeg {
		return false
	}
	_, ok = neg.X.(*sqlexpr.Number)
	return ok
}

func isFractionLiteral(x sqlexpr.Expr) bool {
	if neg, ok := x.(*sqlexpr.Unary); ok && neg.Op == sqlexpr.OpNeg {
		x = neg.X
	}
	n, ok := x.(*sqlexpr.Number)
	return ok && sqlexpr.TypeOf(n, nil) != sqlexpr.TypeInt
}

// unifyClickhouseArgumentTypes does the same to the arguments of a function that returns one of them.
func unifyClickhouseArgumentTypes(forms []callTemplate) []callTemplate {
	return callTemplatesOfPrintFunc(-1, func(w *writer, c *sqlexpr.Call, min precedence) {
		same := *c
		same.Args = unifyClickhouseTypes(w, c.Args)
		forms[0].emit(w, &same, min)
	})
}

// replaceClickhouseNegativeZeroKey removes the sign of a zero: ClickHouse has a group for each of
// 0 and -0, which a quotient can be.
func replaceClickhouseNegativeZeroKey(in *columnScope, e sqlexpr.Expr) sqlexpr.Expr {
	if typeInScope(in, e) != sqlexpr.TypeFloat {
		return e
	}
	return newBinary(sqlexpr.OpAdd, e, newIntegerConstant(0))
}

// makeClickhouseNullable gives a type with NULL to a key, which would be a zero or an empty text in the rows of
// grouping sets without it.
func makeClickhouseNullable(x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Call{Fn: sqlexpr.FnUnknown, Name: sqlexpr.Name{Text: "toNullable"}, Args: []sqlexpr.Expr{x}}
}

// clickhouseLagOrLeadTemplates prints LAG or LEAD, whose default and value are of one type.
func clickhouseLagOrLeadTemplates(name string) []callTemplate {
	last := parseTemplate(name + "(toNullable($1), $2, $3)")
	return append(newCallTemplates(parseTemplate(name+"(toNullable($1))"), parseTemplate(name+"(toNullable($1), $2)")),
		callTemplatesOfPrintFunc(3, func(w *writer, c *sqlexpr.Call, min precedence) {
			values := unifyClickhouseTypes(w, []sqlexpr.Expr{c.Args[0], c.Args[2]})
			w.printTemplate(&last, min, values[0], c.Args[1], values[1])
		})...)
}

// castClickhouseMembers casts the decimals of IN and the numbers among which they are. ClickHouse casts the value to the type of the
// rows, which cuts digits off (seen in 26.7): 99.99 would be among the integers where 99 is.
func castClickhouseMembers(n *plan.SemiJoin) *plan.SemiJoin {
	column := n.Rows.Schema()[0]
	decimals := n.Type == sqlexpr.TypeDecimal || column.Type == sqlexpr.TypeDecimal
	doubles := n.Type == sqlexpr.TypeFloat || column.Type == sqlexpr.TypeFloat // the plan has cast these
	if !decimals || doubles {
		return n
	}
	out := *n
	out.Value = newWidestClickhouseDecimal(n.Value)
	out.Rows = &plan.Project{Input: n.Rows, Cols: []plan.NamedExpr{
		{Name: column.Name, Expr: newWidestClickhouseDecimal(&sqlexpr.Ref{ID: 0}), Type: sqlexpr.TypeDecimal},
	}}
	return &out
}

// newWidestClickhouseDecimal returns a number as a decimal with 38 digits on each side of the point, which every decimal of 38 digits
// becomes without a loss.
func newWidestClickhouseDecimal(x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Call{
		Fn: sqlexpr.FnUnknown, Name: sqlexpr.Name{Text: "toDecimal256"},
		Args: []sqlexpr.Expr{x, newIntegerConstant(maxClickhouseDecimalDigits / 2)},
	}
}

// newClickhouseIntegerKey returns an integer as one of 128 bits. ClickHouse joins no column of UInt64 with one of signed integers.
func newClickhouseIntegerKey(x sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Call{Fn: sqlexpr.FnUnknown, Name: sqlexpr.Name{Text: "toInt128"}, Args: []sqlexpr.Expr{x}}
}
