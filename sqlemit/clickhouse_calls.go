package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var clickhouseCalls = standardCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnPercentileCont:      parametricPercentileTemplates("quantileExactInclusiveOrNull"),
	sqlexpr.FnApproxCountDistinct: aggregateCallTemplates("uniq", 1),
	sqlexpr.FnApproxPercentile:    parametricPercentileTemplates("quantileTDigestOrNull"),
	sqlexpr.FnListagg:             clickhouseListaggTemplates,
	sqlexpr.FnSum:                 callTemplatesOfPrintFunc(1, printClickhouseSum),
	sqlexpr.FnCount:               callTemplatesOfPrintFunc(1, printClickhouseCount),
	sqlexpr.FnAvg:                 exactAvgDistinctTemplates("avgOrNull", "toDecimal256($1, 38)", "$1"),
	sqlexpr.FnMin:                 aggregateCallTemplates("minOrNull", 1),
	sqlexpr.FnMax:                 aggregateCallTemplates("maxOrNull", 1),
	sqlexpr.FnStddevPop:           doubleAggregateTemplates("stddevPopStableOrNull", 1),
	sqlexpr.FnStddevSamp:          aggregateWithNaNAsNullTemplates("stddevSampStableOrNull", 1),
	sqlexpr.FnVarPop:              doubleAggregateTemplates("varPopStableOrNull", 1),
	sqlexpr.FnVarSamp:             aggregateWithNaNAsNullTemplates("varSampStableOrNull", 1),
	sqlexpr.FnCovarPop:            doubleAggregateTemplates("covarPopStableOrNull", 2),
	sqlexpr.FnCovarSamp:           aggregateWithNaNAsNullTemplates("covarSampStableOrNull", 2),
	sqlexpr.FnCorr:                aggregateWithNaNAsNullTemplates("corrStableOrNull", 2),

	sqlexpr.FnFirstValue: newCallTemplates(parseTemplate("first_value($1) RESPECT NULLS")),
	sqlexpr.FnLastValue:  newCallTemplates(parseTemplate("last_value($1) RESPECT NULLS")),
	sqlexpr.FnCumeDist:   newCallTemplates(parseTemplate("cume_dist()")),
	sqlexpr.FnNthValue:   newCallTemplates(parseTemplate("nth_value(toNullable($1), $2)")),
	sqlexpr.FnLag:        clickhouseLagOrLeadTemplates("lag"),
	sqlexpr.FnLead:       clickhouseLagOrLeadTemplates("lead"),

	sqlexpr.FnCurrentDate:      newCallTemplates(parseTemplate("toDate32(now('UTC'))")),
	sqlexpr.FnCurrentTimestamp: newCallTemplates(parseTemplate("now64(6, 'UTC')")),
	sqlexpr.FnCurrentTime:      nil,
	sqlexpr.FnRegexpLike:       newCallTemplates(parseTemplate("match($1, $2)")),
	sqlexpr.FnRegexpCount:      newCallTemplates(parseTemplate("toInt64(countMatches($1, $2))")),
	sqlexpr.FnConcat:           concatByOperatorTemplates,
	sqlexpr.FnLength:           newCallTemplates(parseTemplate("lengthUTF8($1)")),
	sqlexpr.FnLower:            newCallTemplates(parseTemplate("lowerUTF8($1)")),
	sqlexpr.FnUpper:            newCallTemplates(parseTemplate("upperUTF8($1)")),
	sqlexpr.FnTrim:             newCallTemplates(parseTemplate("trimBoth($1)"), parseTemplate("trimBoth($1, $2)")),
	sqlexpr.FnLTrim:            newCallTemplates(parseTemplate("trimLeft($1)"), parseTemplate("trimLeft($1, $2)")),
	sqlexpr.FnRTrim:            newCallTemplates(parseTemplate("trimRight($1)"), parseTemplate("trimRight($1, $2)")),
	sqlexpr.FnLeft:             newCallTemplates(parseTemplate("leftUTF8($1, greatest($2, 0))")),
	sqlexpr.FnRight:            newCallTemplates(parseTemplate("rightUTF8($1, greatest($2, 0))")),
	sqlexpr.FnSubstring:        standardSubstringTemplates("substringUTF8"),
	sqlexpr.FnReplace:          newCallTemplates(parseTemplate("replaceAll($1, $2, $3)")),
	sqlexpr.FnSplitPart:        newCallTemplates(parseTemplate("if($1 IS NULL, NULL, splitByString($2, assumeNotNull($1))[$3])")),
	sqlexpr.FnPosition:         newCallTemplates(parseTemplate("positionUTF8($2, $1)")),
	sqlexpr.FnContains:         newCallTemplates(parseTemplate("positionUTF8($1, $2) > 0")),
	sqlexpr.FnStartsWith:       newCallTemplates(parseTemplate("startsWith($1, $2)")),
	sqlexpr.FnEndsWith:         newCallTemplates(parseTemplate("endsWith($1, $2)")),
	sqlexpr.FnRound:            append(callTemplatesOfPrintFunc(1, printClickhouseRound), callTemplatesOfPrintFunc(2, printClickhouseRound)...),
	sqlexpr.FnLog:              newCallTemplates(parseTemplate("log10($1)"), parseTemplate("log($2) / NULLIF(log($1), 0)")),
	sqlexpr.FnGreatest:         unifyClickhouseArgumentTypes(greatestOrLeastIgnoringNullsTemplates("greatest")),
	sqlexpr.FnLeast:            unifyClickhouseArgumentTypes(greatestOrLeastIgnoringNullsTemplates("least")),
	sqlexpr.FnCoalesce:         unifyClickhouseArgumentTypes(callTemplatesOfPrintFunc(-1, printClickhouseCoalesce)),
	sqlexpr.FnIf: callTemplatesOfPrintFunc(3, func(w *writer, c *sqlexpr.Call, _ precedence) {
		w.printCase(&sqlexpr.Case{Whens: []sqlexpr.When{{Cond: c.Args[0], Then: c.Args[1]}}, Else: c.Args[2]})
	}),
})

// printClickhouseCast puts the arguments of a decimal inside Nullable, rounds what
// it casts to an integer or a decimal, and spells conditions out.
func printClickhouseCast(w *writer, c *sqlexpr.Cast, min precedence) {
	if c.To.Type != sqlexpr.TypeDecimal {
		printRoundingCast(w, c, min)
		return
	}
	digits, scale := maxClickhouseDecimalDigits/2, defaultDecimalScale
	switch len(c.To.Args) {
	case 0:
	case 1:
		digits, scale = c.To.Args[0], 0
	default:
		digits, scale = c.To.Args[0], c.To.Args[1]
	}
	if t := w.typeOf(c.X); t == sqlexpr.TypeInt || t == sqlexpr.TypeBool {
		w.printClickhouseDecimalCast(digits, scale, c.X)
		return
	}
	// A cast cuts digits off. One digit more decides to which side a value is rounded.
	w.printClickhouseDecimalCastOf(digits, scale, func() {
		w.appendText("round(")
		w.printClickhouseDecimalCast(maxClickhouseDecimalDigits, scale+1, c.X)
		w.appendText(", ")
		w.printInteger(int64(scale))
		w.appendByte(')')
	})
}

// printClickhouseRound rounds a number as a decimal: doubles round a half to the even neighbour, decimals away from zero.
func printClickhouseRound(w *writer, c *sqlexpr.Call, _ precedence) {
	w.appendText("round(")
	w.printClickhouseDecimalCast(maxClickhouseDecimalDigits/2, defaultDecimalScale, c.Args[0])
	if len(c.Args) > 1 {
		w.appendText(", ")
		w.printExpr(c.Args[1], precAny)
	}
	w.appendByte(')')
}

// maxClickhouseDecimalDigits is how many digits the widest decimal of ClickHouse has.
const maxClickhouseDecimalDigits = 76

// printClickhouseDecimalCast prints a value as a decimal. A NULL that a division made holds an infinity, which the cast of NULL does
// not take (seen in 26.7), so that it is the cast of 0 there:
//
//	if(x / y IS NULL, NULL, CAST(ifNull(x / y, 0) AS Nullable(Decimal(38, 10))))
func (w *writer) printClickhouseDecimalCast(digits, scale int, x sqlexpr.Expr) {
	if !mayHoldQuotient(w.scope, x) {
		w.printClickhouseDecimalCastOf(digits, scale, func() { w.printExpr(x, precAny) })
		return
	}
	w.appendText("if(")
	w.printExpr(&sqlexpr.IsNull{X: x}, precAny)
	w.appendText(", NULL, ")
	w.printClickhouseDecimalCastOf(digits, scale, func() {
		w.appendText("ifNull(")
		w.printExpr(x, precAny)
		w.appendText(", 0)")
	})
	w.appendByte(')')
}

// mayHoldQuotient reports whether an expression holds a quotient outside of aggregates, or a column that may be one of a subquery.
func mayHoldQuotient(in *columnScope, x sqlexpr.Expr) bool {
	found := false
	sqlexpr.Walk(x, func(e sqlexpr.Expr) bool {
		switch e := e.(type) {
		case *sqlexpr.SafeDivide:
			found = true
		case *sqlexpr.Binary:
			found = found || e.Op == sqlexpr.OpDiv
		case *sqlexpr.Call:
			return !found && sqlexpr.InfoOfFunction(e.Fn).Class != sqlexpr.ClassAggregate
		case *sqlexpr.Ref:
			if in.hasColumnID(e.ID) {
				c := &in.cols[e.ID]
				_, plain := c.expr.(*sqlexpr.Column)
				found = found || plain && c.typ == sqlexpr.TypeFloat || c.scope != in && mayHoldQuotient(c.scope, c.expr)
			}
		}
		return !found
	})
	return found
}

func (w *writer) printClickhouseDecimalCastOf(digits, scale int, operand func()) {
	w.appendText("CAST(")
	operand()
	w.appendText(" AS Nullable(Decimal")
	w.printTypeArgs([]int{digits, scale})
	w.appendText("))")
}
