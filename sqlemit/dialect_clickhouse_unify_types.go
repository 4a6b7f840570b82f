package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

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
		case null || isFractionLiteral(x) || isNegativeLiteral(x) || w.typeOf(x) == sqlexpr.TypeFloat:
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
		case w.typeOf(x) == sqlexpr.TypeFloat:
			doubles = doubles || !isFractionLiteral(x)
		case !null && !isLiteral(x) && !isNegativeLiteral(x):
			others = true
		}
	}
	return doubles && others
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
