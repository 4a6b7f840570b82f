package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var clickhouseCalls = standardCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnPercentileCont:      parametricPercentileTemplates("quantileExactInclusiveOrNull"),
	sqlexpr.FnApproxCountDistinct: aggregateCallTemplates("uniq", 1),
	sqlexpr.FnApproxPercentile:    parametricPercentileTemplates("quantileTDigestOrNull"),
	sqlexpr.FnListagg:             clickhouseListaggTemplates,
	sqlexpr.FnSum:                 callTemplatesOfPrintFunc(1, printClickhouseSum),
	sqlexpr.FnCount:               callTemplatesOfPrintFunc(1, printClickhouseCount),
	sqlexpr.FnAvg:                 doubleAggregateTemplates("avgOrNull", 1),
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
	sqlexpr.FnLag:        newCallTemplates(parseTemplate("lag(toNullable($1))"), parseTemplate("lag(toNullable($1), $2)"), parseTemplate("lag(toNullable($1), $2, $3)")),
	sqlexpr.FnLead:       newCallTemplates(parseTemplate("lead(toNullable($1))"), parseTemplate("lead(toNullable($1), $2)"), parseTemplate("lead(toNullable($1), $2, $3)")),

	sqlexpr.FnCurrentDate:      newCallTemplates(parseTemplate("toDate32(now('UTC'))")),
	sqlexpr.FnCurrentTimestamp: newCallTemplates(parseTemplate("now64(6, 'UTC')")),
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
	// Doubles round a half to the even neighbour, decimals away from zero.
	sqlexpr.FnRound: newCallTemplates(
		parseTemplate("round(CAST($1 AS Nullable(Decimal(38, 10))))"),
		parseTemplate("round(CAST($1 AS Nullable(Decimal(38, 10))), $2)"),
	),
	sqlexpr.FnLog:      newCallTemplates(parseTemplate("log10($1)"), parseTemplate("log($2) / NULLIF(log($1), 0)")),
	sqlexpr.FnGreatest: unifyClickhouseArgumentTypes(greatestOrLeastIgnoringNullsTemplates("greatest")),
	sqlexpr.FnLeast:    unifyClickhouseArgumentTypes(greatestOrLeastIgnoringNullsTemplates("least")),
	sqlexpr.FnCoalesce: unifyClickhouseArgumentTypes(callTemplatesOfPrintFunc(-1, printCoalesce)),
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
		w.printClickhouseDecimalCast(digits, scale, func() { w.printExpr(c.X, precAny) })
		return
	}
	// A cast cuts digits off. One digit more decides to which side a value is rounded.
	w.printClickhouseDecimalCast(digits, scale, func() {
		w.appendText("round(")
		w.printClickhouseDecimalCast(maxClickhouseDecimalDigits, scale+1, func() { w.printExpr(c.X, precAny) })
		w.appendText(", ")
		w.printInteger(int64(scale))
		w.appendByte(')')
	})
}

// maxClickhouseDecimalDigits is how many digits the widest decimal of ClickHouse has.
const maxClickhouseDecimalDigits = 76

func (w *writer) printClickhouseDecimalCast(digits, scale int, operand func()) {
	w.appendText("CAST(")
	operand()
	w.appendText(" AS Nullable(Decimal")
	w.printTypeArgs([]int{digits, scale})
	w.appendText("))")
}
