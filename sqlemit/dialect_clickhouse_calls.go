package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var clickhouseCalls = standardCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnPercentileCont:      paramPercentileTemplates("quantileExactInclusiveOrNull"),
	sqlexpr.FnApproxCountDistinct: aggregateCallTemplates("uniq", 1),
	sqlexpr.FnApproxPercentile:    paramPercentileTemplates("quantileTDigestOrNull"),
	sqlexpr.FnListagg:             clickhouseListTemplates,
	sqlexpr.FnSum:                 customCallTemplates(1, printClickhouseSum),
	sqlexpr.FnCount:               customCallTemplates(1, printClickhouseCount),
	sqlexpr.FnAvg:                 doubleAggregateTemplates("avgOrNull", 1),
	sqlexpr.FnMin:                 aggregateCallTemplates("minOrNull", 1),
	sqlexpr.FnMax:                 aggregateCallTemplates("maxOrNull", 1),
	sqlexpr.FnStddevPop:           doubleAggregateTemplates("stddevPopStableOrNull", 1),
	sqlexpr.FnStddevSamp:          nanFreeAggregateTemplates("stddevSampStableOrNull", 1),
	sqlexpr.FnVarPop:              doubleAggregateTemplates("varPopStableOrNull", 1),
	sqlexpr.FnVarSamp:             nanFreeAggregateTemplates("varSampStableOrNull", 1),
	sqlexpr.FnCovarPop:            doubleAggregateTemplates("covarPopStableOrNull", 2),
	sqlexpr.FnCovarSamp:           nanFreeAggregateTemplates("covarSampStableOrNull", 2),
	sqlexpr.FnCorr:                nanFreeAggregateTemplates("corrStableOrNull", 2),

	sqlexpr.FnFirstValue: callTemplates(parsePrimaryTemplate("first_value($1) RESPECT NULLS")),
	sqlexpr.FnLastValue:  callTemplates(parsePrimaryTemplate("last_value($1) RESPECT NULLS")),
	sqlexpr.FnCumeDist:   callTemplates(parsePrimaryTemplate("cume_dist()")),
	sqlexpr.FnNthValue:   callTemplates(parsePrimaryTemplate("nth_value(toNullable($1), $2)")),
	sqlexpr.FnLag:        callTemplates(parsePrimaryTemplate("lag(toNullable($1))"), parsePrimaryTemplate("lag(toNullable($1), $2)"), parsePrimaryTemplate("lag(toNullable($1), $2, $3)")),
	sqlexpr.FnLead:       callTemplates(parsePrimaryTemplate("lead(toNullable($1))"), parsePrimaryTemplate("lead(toNullable($1), $2)"), parsePrimaryTemplate("lead(toNullable($1), $2, $3)")),

	sqlexpr.FnCurrentDate:      callTemplates(parsePrimaryTemplate("toDate32(now('UTC'))")),
	sqlexpr.FnCurrentTimestamp: callTemplates(parsePrimaryTemplate("now64(6, 'UTC')")),
	sqlexpr.FnConcat:           concatTextTemplates,
	sqlexpr.FnLength:           callTemplates(parsePrimaryTemplate("lengthUTF8($1)")),
	sqlexpr.FnLower:            callTemplates(parsePrimaryTemplate("lowerUTF8($1)")),
	sqlexpr.FnUpper:            callTemplates(parsePrimaryTemplate("upperUTF8($1)")),
	sqlexpr.FnTrim:             callTemplates(parsePrimaryTemplate("trimBoth($1)"), parsePrimaryTemplate("trimBoth($1, $2)")),
	sqlexpr.FnLTrim:            callTemplates(parsePrimaryTemplate("trimLeft($1)"), parsePrimaryTemplate("trimLeft($1, $2)")),
	sqlexpr.FnRTrim:            callTemplates(parsePrimaryTemplate("trimRight($1)"), parsePrimaryTemplate("trimRight($1, $2)")),
	sqlexpr.FnLeft:             callTemplates(parsePrimaryTemplate("leftUTF8($1, greatest($2, 0))")),
	sqlexpr.FnRight:            callTemplates(parsePrimaryTemplate("rightUTF8($1, greatest($2, 0))")),
	sqlexpr.FnSubstring:        standardSubstringTemplates("substringUTF8"),
	sqlexpr.FnReplace:          callTemplates(parsePrimaryTemplate("replaceAll($1, $2, $3)")),
	sqlexpr.FnSplitPart:        callTemplates(parsePrimaryTemplate("if($1 IS NULL, NULL, splitByString($2, assumeNotNull($1))[$3])")),
	sqlexpr.FnPosition:         callTemplates(parsePrimaryTemplate("positionUTF8($2, $1)")),
	sqlexpr.FnContains:         callTemplates(parseOperatorTemplate(precCompare, "positionUTF8($1, $2) > 0")),
	sqlexpr.FnStartsWith:       callTemplates(parsePrimaryTemplate("startsWith($1, $2)")),
	sqlexpr.FnEndsWith:         callTemplates(parsePrimaryTemplate("endsWith($1, $2)")),
	// Doubles round a half to the even neighbour, decimals away from zero.
	sqlexpr.FnRound: callTemplates(
		parsePrimaryTemplate("round(CAST($1 AS Nullable(Decimal(38, 10))))"),
		parsePrimaryTemplate("round(CAST($1 AS Nullable(Decimal(38, 10))), $2)"),
	),
	sqlexpr.FnLog:      callTemplates(parsePrimaryTemplate("log10($1)"), parseOperatorTemplate(precMul, "log($2) / NULLIF(log($1), 0)")),
	sqlexpr.FnGreatest: unifyArgumentTypes(greatestOrLeastTemplates("greatest")),
	sqlexpr.FnLeast:    unifyArgumentTypes(greatestOrLeastTemplates("least")),
	sqlexpr.FnCoalesce: unifyArgumentTypes(customCallTemplates(-1, printCoalesce)),
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
		w.appendText(decimalArgs)
	case 1:
		w.printTypeArgs([]int{c.To.Args[0], 0})
	default:
		w.printTypeArgs(c.To.Args)
	}
	w.appendText("))")
}
