package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// aggregateCallTemplates prints NAME([DISTINCT ]args).
func aggregateCallTemplates(name string, args int) []callTemplate {
	return aggregateTemplatesWithArgPrinter(name, args, func(w *writer, x sqlexpr.Expr) { w.printExpr(x, precAny) })
}

// doubleAggregateTemplates prints an aggregate over arguments cast to double: AVG and the
// other statistical aggregates are doubles for arguments of every type.
func doubleAggregateTemplates(name string, args int) []callTemplate {
	return aggregateTemplatesWithArgPrinter(name, args, (*writer).printCastToDouble)
}

func aggregateTemplatesWithArgPrinter(name string, args int, arg func(w *writer, x sqlexpr.Expr)) []callTemplate {
	return callTemplatesOfPrintFunc(args, func(w *writer, c *sqlexpr.Call, _ precedence) {
		w.appendText(name)
		w.appendByte('(')
		if c.Distinct {
			w.appendText("DISTINCT ")
		}
		for i, x := range c.Args {
			if i > 0 {
				w.appendText(", ")
			}
			arg(w, x)
		}
		w.appendByte(')')
	})
}

// exactAvgDistinctTemplates prints AVG, whose distinct integers and decimals are compared before they become doubles: 9007199254740992
// and 9007199254740993 are one double. distinct casts a value to a type that keeps every value apart, also doubles of a column
// that the model declares otherwise; double casts the result.
func exactAvgDistinctTemplates(avg, distinct, double string) []callTemplate {
	plain := doubleAggregateTemplates(avg, 1)[0]
	exact := parseTemplate(strings.ReplaceAll(double, "$1", avg+"(DISTINCT "+distinct+")"))
	return callTemplatesOfPrintFunc(1, func(w *writer, c *sqlexpr.Call, min precedence) {
		known, ok := c.Args[0].(*sqlexpr.DeclaredTypeExpr)
		if !c.Distinct || !ok || known.Type != sqlexpr.TypeInt && known.Type != sqlexpr.TypeDecimal {
			plain.emit(w, c, min)
			return
		}
		w.printTemplate(&exact, min, known.X)
	})
}

// printCastToDouble prints x as a double.
func (w *writer) printCastToDouble(x sqlexpr.Expr) {
	if w.typeOf(x) == sqlexpr.TypeFloat {
		w.printExpr(x, precAny)
		return
	}
	w.d.types.cast(w, newCast(x, sqlexpr.TypeFloat), precAny)
}

// variadicCallTemplates prints NAME(args…).
func variadicCallTemplates(name string) []callTemplate { return aggregateCallTemplates(name, -1) }

// datePartTemplates is YEAR(x) and the like.
func datePartTemplates(p calendarPart) []callTemplate {
	return callTemplatesOfPrintFunc(1, func(w *writer, c *sqlexpr.Call, min precedence) { w.printDatePart(p, c.Args[0], min) })
}

// conversionCallAsCastTemplates prints a conversion function as the cast it is.
func conversionCallAsCastTemplates(t sqlexpr.Type) []callTemplate {
	return callTemplatesOfPrintFunc(1, func(w *writer, c *sqlexpr.Call, min precedence) {
		w.d.types.cast(w, newCast(c.Args[0], t), min)
	})
}

// printModAsOperator prints MOD(a, b) as a % b.
func (w *writer) printModAsOperator(c *sqlexpr.Call, min precedence) {
	w.printModulo(c.Args[0], c.Args[1], min)
}

// printCoalesce prints COALESCE; some engines reject it for a single argument.
func printCoalesce(w *writer, c *sqlexpr.Call, min precedence) {
	if len(c.Args) == 1 {
		w.printExpr(c.Args[0], min)
		return
	}
	w.appendText("COALESCE(")
	w.printExprList(c.Args)
	w.appendByte(')')
}

// leftOrRightTemplates prints LEFT or RIGHT. A negative length means "all but" to some engines
// and nothing to others; here it cuts to nothing. GREATEST(n, 0) would be 0 for NULL on some engines.
func leftOrRightTemplates(name string) []callTemplate {
	return callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
		w.appendText(name)
		w.appendByte('(')
		w.printExpr(c.Args[0], precAny)
		w.appendText(", ")
		if _, ok := c.Args[1].(*sqlexpr.Number); ok {
			w.printExpr(c.Args[1], precAny)
		} else {
			w.appendText("CASE WHEN ")
			w.printExpr(c.Args[1], precPrimary)
			w.appendText(" < 0 THEN 0 ELSE ")
			w.printExpr(c.Args[1], precAny)
			w.appendText(" END")
		}
		w.appendByte(')')
	})
}

// withSingleArgumentAsItself prints the only argument in place of a function that needs two.
func withSingleArgumentAsItself(f []callTemplate) []callTemplate {
	return append(callTemplatesOfPrintFunc(1, func(w *writer, c *sqlexpr.Call, min precedence) { w.printExpr(c.Args[0], min) }), f...)
}

// concatByOperatorTemplates prints CONCAT with || where that is all there is: each argument
// as text, and nothing for a NULL.
var concatByOperatorTemplates = callTemplatesOfPrintFunc(-1, func(w *writer, c *sqlexpr.Call, min precedence) {
	p := w.openParenIfNeeded(precConcat, min)
	for i, x := range c.Args {
		if i > 0 {
			w.appendText(" || ")
		}
		if isLiteral(x) {
			w.printCastToText(x)
			continue
		}
		w.appendText("COALESCE(")
		w.printCastToText(x)
		w.appendText(", '')")
	}
	w.closeOpenedParen(p)
})

// printConcatWS skips nulls, which CONCAT does not.
func printConcatWS(w *writer, c *sqlexpr.Call, _ precedence) {
	w.appendText("CONCAT_WS(''")
	for _, x := range c.Args {
		w.appendText(", ")
		w.printExpr(x, precAny)
	}
	w.appendByte(')')
}

// greatestOrLeastIgnoringNullsTemplates prints GREATEST or LEAST so that nulls are skipped: each argument
// that is NULL gives way to another one.
func greatestOrLeastIgnoringNullsTemplates(name string) []callTemplate {
	return callTemplatesOfPrintFunc(-1, func(w *writer, c *sqlexpr.Call, min precedence) {
		if len(c.Args) == 1 {
			w.printExpr(c.Args[0], min)
			return
		}
		w.appendText(name)
		w.appendByte('(')
		for i, x := range c.Args {
			if i > 0 {
				w.appendText(", ")
			}
			if isLiteral(x) {
				w.printExpr(x, precAny)
				continue
			}
			w.appendText("COALESCE(")
			w.printExpr(x, precAny)
			for j := range len(c.Args) - 1 {
				w.appendText(", ")
				w.printExpr(c.Args[(i+j+1)%len(c.Args)], precAny)
			}
			w.appendByte(')')
		}
		w.appendByte(')')
	})
}

// printConditionWindowAsZeroOne prints MIN and MAX of conditions over 1 and 0, where boolMin and
// boolMax take no frame.
func printConditionWindowAsZeroOne(w *writer, e *sqlexpr.WindowCall) {
	if !w.isMinMaxOrAnyValueOfConditions(e.Call) {
		w.printUnwrappedWindowCall(e)
		return
	}
	w.appendByte('(')
	w.printCallAndWindow(e, func() {
		w.appendText(sqlexpr.InfoOfFunction(e.Call.Fn).Name)
		w.appendByte('(')
		w.printTemplate(&boolToNumberTemplate, precAny, e.Call.Args[0])
		w.appendByte(')')
	})
	w.appendText(" = 1)")
}

// regexpCountByLengthTemplate counts the matches in a string: each leaves one character more in the first of two strings in which all
// matches are replaced.
func regexpCountByLengthTemplate(length string) template {
	return parseTemplate(length + "(REGEXP_REPLACE($1, $2, 'xx')) - " + length + "(REGEXP_REPLACE($1, $2, 'x'))")
}

var (
	mysqlRegexpLikeTemplate  = parseTemplate("@1 REGEXP @2")
	mysqlRegexpCountTemplate = regexpCountByLengthTemplate("CHAR_LENGTH")
)

// caseSensitiveRegexpTemplates print a template whose argument 2 is a regular expression that begins with the switch to
// case-sensitive: else the collation of the string decides.
func caseSensitiveRegexpTemplates(f *template) []callTemplate {
	const caseSensitive = "(?-i)"
	return callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, min precedence) {
		pattern := newConcat(newStringLiteral(caseSensitive), c.Args[1])
		if literal, ok := c.Args[1].(*sqlexpr.String); ok {
			pattern = newStringLiteral(caseSensitive + literal.Value)
		}
		w.printTemplate(f, min, c.Args[0], pattern)
	})
}
