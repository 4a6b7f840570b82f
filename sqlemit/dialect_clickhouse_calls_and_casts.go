package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var clickhouseCalls = standardCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnPercentileCont:      parametricPercentileTemplates("quantileExactInclusiveOrNull"),
	sqlexpr.FnApproxCountDistinct: aggregateCallTemplates("uniq", 1),
	sqlexpr.FnApproxPercentile:    parametricPercentileTemplates("quantileTDigestOrNull"),
	sqlexpr.FnListagg:             clickhouseListaggTemplates,
	sqlexpr.FnSum:                 customCallTemplates(1, printClickhouseSum),
	sqlexpr.FnCount:               customCallTemplates(1, printClickhouseCount),
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

	sqlexpr.FnFirstValue: newCallTemplates(parsePrimaryTemplate("first_value($1) RESPECT NULLS")),
	sqlexpr.FnLastValue:  newCallTemplates(parsePrimaryTemplate("last_value($1) RESPECT NULLS")),
	sqlexpr.FnCumeDist:   newCallTemplates(parsePrimaryTemplate("cume_dist()")),
	sqlexpr.FnNthValue:   newCallTemplates(parsePrimaryTemplate("nth_value(toNullable($1), $2)")),
	sqlexpr.FnLag:        newCallTemplates(parsePrimaryTemplate("lag(toNullable($1))"), parsePrimaryTemplate("lag(toNullable($1), $2)"), parsePrimaryTemplate("lag(toNullable($1), $2, $3)")),
	sqlexpr.FnLead:       newCallTemplates(parsePrimaryTemplate("lead(toNullable($1))"), parsePrimaryTemplate("lead(toNullable($1), $2)"), parsePrimaryTemplate("lead(toNullable($1), $2, $3)")),

	sqlexpr.FnCurrentDate:      newCallTemplates(parsePrimaryTemplate("toDate32(now('UTC'))")),
	sqlexpr.FnCurrentTimestamp: newCallTemplates(parsePrimaryTemplate("now64(6, 'UTC')")),
	sqlexpr.FnConcat:           concatByOperatorTemplates,
	sqlexpr.FnLength:           newCallTemplates(parsePrimaryTemplate("lengthUTF8($1)")),
	sqlexpr.FnLower:            newCallTemplates(parsePrimaryTemplate("lowerUTF8($1)")),
	sqlexpr.FnUpper:            newCallTemplates(parsePrimaryTemplate("upperUTF8($1)")),
	sqlexpr.FnTrim:             newCallTemplates(parsePrimaryTemplate("trimBoth($1)"), parsePrimaryTemplate("trimBoth($1, $2)")),
	sqlexpr.FnLTrim:            newCallTemplates(parsePrimaryTemplate("trimLeft($1)"), parsePrimaryTemplate("trimLeft($1, $2)")),
	sqlexpr.FnRTrim:            newCallTemplates(parsePrimaryTemplate("trimRight($1)"), parsePrimaryTemplate("trimRight($1, $2)")),
	sqlexpr.FnLeft:             newCallTemplates(parsePrimaryTemplate("leftUTF8($1, greatest($2, 0))")),
	sqlexpr.FnRight:            newCallTemplates(parsePrimaryTemplate("rightUTF8($1, greatest($2, 0))")),
	sqlexpr.FnSubstring:        standardSubstringTemplates("substringUTF8"),
	sqlexpr.FnReplace:          newCallTemplates(parsePrimaryTemplate("replaceAll($1, $2, $3)")),
	sqlexpr.FnSplitPart:        newCallTemplates(parsePrimaryTemplate("if($1 IS NULL, NULL, splitByString($2, assumeNotNull($1))[$3])")),
	sqlexpr.FnPosition:         newCallTemplates(parsePrimaryTemplate("positionUTF8($2, $1)")),
	sqlexpr.FnContains:         newCallTemplates(parseOperatorTemplate(precCompare, "positionUTF8($1, $2) > 0")),
	sqlexpr.FnStartsWith:       newCallTemplates(parsePrimaryTemplate("startsWith($1, $2)")),
	sqlexpr.FnEndsWith:         newCallTemplates(parsePrimaryTemplate("endsWith($1, $2)")),
	// Doubles round a half to the even neighbour, decimals away from zero.
	sqlexpr.FnRound: newCallTemplates(
		parsePrimaryTemplate("round(CAST($1 AS Nullable(Decimal(38, 10))))"),
		parsePrimaryTemplate("round(CAST($1 AS Nullable(Decimal(38, 10))), $2)"),
	),
	sqlexpr.FnLog:      newCallTemplates(parsePrimaryTemplate("log10($1)"), parseOperatorTemplate(precMul, "log($2) / NULLIF(log($1), 0)")),
	sqlexpr.FnGreatest: unifyClickhouseArgumentTypes(greatestOrLeastIgnoringNullsTemplates("greatest")),
	sqlexpr.FnLeast:    unifyClickhouseArgumentTypes(greatestOrLeastIgnoringNullsTemplates("least")),
	sqlexpr.FnCoalesce: unifyClickhouseArgumentTypes(customCallTemplates(-1, printCoalesce)),
	sqlexpr.FnIf: customCallTemplates(3, func(w *writer, c *sqlexpr.Call, _ precedence) {
		w.printCase(&sqlexpr.Case{Whens: []sqlexpr.When{{Cond: c.Args[0], Then: c.Args[1]}}, Else: c.Args[2]})
	}),
})

// printClickhouseCast puts the arguments of a decimal inside Nullable, rounds what
// it casts to an integer, and spells conditions out.
func printClickhouseCast(w *writer, c *sqlexpr.Cast, min precedence) {
	if c.To.Type != sqlexpr.TypeDecimal {
		printRoundingCast(w, c, min)
		return
	}
	w.appendText("CAST(")
	w.printExpr(c.X, precAny)
	w.appendText(" AS Nullable(Decimal")
	switch len(c.To.Args) {
	case 0:
		w.appendText(defaultDecimalArgs)
	case 1:
		w.printTypeArgs([]int{c.To.Args[0], 0})
	default:
		w.printTypeArgs(c.To.Args)
	}
	w.appendText("))")
}
