package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var clickhouseCalls = standard.with(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnSum:        customCallTemplates(1, clickhouseSum),
	sqlexpr.FnCount:      customCallTemplates(1, clickhouseCount),
	sqlexpr.FnAvg:        aggregateOfDouble("avgOrNull", 1),
	sqlexpr.FnMin:        aggregate("minOrNull", 1),
	sqlexpr.FnMax:        aggregate("maxOrNull", 1),
	sqlexpr.FnStddevPop:  aggregateOfDouble("stddevPopOrNull", 1),
	sqlexpr.FnStddevSamp: aggregateWithoutNaN("stddevSampOrNull", 1),
	sqlexpr.FnVarPop:     aggregateOfDouble("varPopOrNull", 1),
	sqlexpr.FnVarSamp:    aggregateWithoutNaN("varSampOrNull", 1),
	sqlexpr.FnCovarPop:   aggregateOfDouble("covarPopOrNull", 2),
	sqlexpr.FnCovarSamp:  aggregateWithoutNaN("covarSampOrNull", 2),
	sqlexpr.FnCorr:       aggregateWithoutNaN("corrOrNull", 2),

	sqlexpr.FnFirstValue: callTemplates(primaryTemplate("first_value($1) RESPECT NULLS")),
	sqlexpr.FnLastValue:  callTemplates(primaryTemplate("last_value($1) RESPECT NULLS")),
	sqlexpr.FnCumeDist:   callTemplates(primaryTemplate("cume_dist()")),
	sqlexpr.FnNthValue:   callTemplates(primaryTemplate("nth_value(toNullable($1), $2)")),
	sqlexpr.FnLag:        callTemplates(primaryTemplate("lag(toNullable($1))"), primaryTemplate("lag(toNullable($1), $2)"), primaryTemplate("lag(toNullable($1), $2, $3)")),
	sqlexpr.FnLead:       callTemplates(primaryTemplate("lead(toNullable($1))"), primaryTemplate("lead(toNullable($1), $2)"), primaryTemplate("lead(toNullable($1), $2, $3)")),

	sqlexpr.FnCurrentDate:      callTemplates(primaryTemplate("toDate32(now('UTC'))")),
	sqlexpr.FnCurrentTimestamp: callTemplates(primaryTemplate("now64(6, 'UTC')")),
	sqlexpr.FnConcat:           concatTexts,
	sqlexpr.FnLength:           callTemplates(primaryTemplate("lengthUTF8($1)")),
	sqlexpr.FnLower:            callTemplates(primaryTemplate("lowerUTF8($1)")),
	sqlexpr.FnUpper:            callTemplates(primaryTemplate("upperUTF8($1)")),
	sqlexpr.FnTrim:             callTemplates(primaryTemplate("trimBoth($1)"), primaryTemplate("trimBoth($1, $2)")),
	sqlexpr.FnLTrim:            callTemplates(primaryTemplate("trimLeft($1)"), primaryTemplate("trimLeft($1, $2)")),
	sqlexpr.FnRTrim:            callTemplates(primaryTemplate("trimRight($1)"), primaryTemplate("trimRight($1, $2)")),
	sqlexpr.FnLeft:             callTemplates(primaryTemplate("leftUTF8($1, greatest($2, 0))")),
	sqlexpr.FnRight:            callTemplates(primaryTemplate("rightUTF8($1, greatest($2, 0))")),
	sqlexpr.FnSubstring:        substring("substringUTF8"),
	sqlexpr.FnReplace:          callTemplates(primaryTemplate("replaceAll($1, $2, $3)")),
	sqlexpr.FnSplitPart:        callTemplates(primaryTemplate("if($1 IS NULL, NULL, splitByString($2, assumeNotNull($1))[$3])")),
	sqlexpr.FnPosition:         callTemplates(primaryTemplate("positionUTF8($2, $1)")),
	sqlexpr.FnContains:         callTemplates(operatorTemplate(precCompare, "positionUTF8($1, $2) > 0")),
	sqlexpr.FnStartsWith:       callTemplates(primaryTemplate("startsWith($1, $2)")),
	sqlexpr.FnEndsWith:         callTemplates(primaryTemplate("endsWith($1, $2)")),
	// Doubles round a half to the even neighbour, decimals away from zero.
	sqlexpr.FnRound: callTemplates(
		primaryTemplate("round(CAST($1 AS Nullable(Decimal(38, 10))))"),
		primaryTemplate("round(CAST($1 AS Nullable(Decimal(38, 10))), $2)"),
	),
	sqlexpr.FnLog:      callTemplates(primaryTemplate("log10($1)"), operatorTemplate(precMul, "log($2) / NULLIF(log($1), 0)")),
	sqlexpr.FnGreatest: withOneArgumentType(greatestOrLeastCall("greatest")),
	sqlexpr.FnLeast:    withOneArgumentType(greatestOrLeastCall("least")),
	sqlexpr.FnCoalesce: withOneArgumentType(customCallTemplates(-1, coalesce)),
	sqlexpr.FnIf: customCallTemplates(3, func(w *writer, c *sqlexpr.Call, _ precedence) {
		w.caseExpr(&sqlexpr.Case{Whens: []sqlexpr.When{{Cond: c.Args[0], Then: c.Args[1]}}, Else: c.Args[2]})
	}),
})

// clickhouseCast puts the arguments of a decimal inside Nullable, rounds what
// it casts to an integer, and spells conditions out.
func clickhouseCast(w *writer, c *sqlexpr.Cast, min precedence) {
	if c.To.Type != sqlexpr.TypeDecimal {
		roundingCast(w, c, min)
		return
	}
	w.text("CAST(")
	w.expr(c.X, precAny)
	w.text(" AS Nullable(Decimal")
	switch len(c.To.Args) {
	case 0:
		w.text(decimalArgs)
	case 1:
		w.typeArgs([]int{c.To.Args[0], 0})
	default:
		w.typeArgs(c.To.Args)
	}
	w.text("))")
}
