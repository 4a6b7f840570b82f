package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var clickhouseCalls = standard.with(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnSum:        customCall(1, clickhouseSum),
	sqlexpr.FnCount:      customCall(1, clickhouseCount),
	sqlexpr.FnAvg:        aggregateOfDouble("avgOrNull", 1),
	sqlexpr.FnMin:        aggregate("minOrNull", 1),
	sqlexpr.FnMax:        aggregate("maxOrNull", 1),
	sqlexpr.FnStddevPop:  aggregateOfDouble("stddevPopOrNull", 1),
	sqlexpr.FnStddevSamp: finiteAggregate("stddevSampOrNull", 1),
	sqlexpr.FnVarPop:     aggregateOfDouble("varPopOrNull", 1),
	sqlexpr.FnVarSamp:    finiteAggregate("varSampOrNull", 1),
	sqlexpr.FnCovarPop:   aggregateOfDouble("covarPopOrNull", 2),
	sqlexpr.FnCovarSamp:  finiteAggregate("covarSampOrNull", 2),
	sqlexpr.FnCorr:       finiteAggregate("corrOrNull", 2),

	sqlexpr.FnFirstValue: callTemplates(call("first_value($1) RESPECT NULLS")),
	sqlexpr.FnLastValue:  callTemplates(call("last_value($1) RESPECT NULLS")),
	sqlexpr.FnCumeDist:   callTemplates(call("cume_dist()")),
	sqlexpr.FnNthValue:   callTemplates(call("nth_value(toNullable($1), $2)")),
	sqlexpr.FnLag:        callTemplates(call("lag(toNullable($1))"), call("lag(toNullable($1), $2)"), call("lag(toNullable($1), $2, $3)")),
	sqlexpr.FnLead:       callTemplates(call("lead(toNullable($1))"), call("lead(toNullable($1), $2)"), call("lead(toNullable($1), $2, $3)")),

	sqlexpr.FnCurrentDate:      callTemplates(call("toDate32(now('UTC'))")),
	sqlexpr.FnCurrentTimestamp: callTemplates(call("now64(6, 'UTC')")),
	sqlexpr.FnConcat:           concatTexts,
	sqlexpr.FnLength:           callTemplates(call("lengthUTF8($1)")),
	sqlexpr.FnLower:            callTemplates(call("lowerUTF8($1)")),
	sqlexpr.FnUpper:            callTemplates(call("upperUTF8($1)")),
	sqlexpr.FnTrim:             callTemplates(call("trimBoth($1)"), call("trimBoth($1, $2)")),
	sqlexpr.FnLTrim:            callTemplates(call("trimLeft($1)"), call("trimLeft($1, $2)")),
	sqlexpr.FnRTrim:            callTemplates(call("trimRight($1)"), call("trimRight($1, $2)")),
	sqlexpr.FnLeft:             callTemplates(call("leftUTF8($1, greatest($2, 0))")),
	sqlexpr.FnRight:            callTemplates(call("rightUTF8($1, greatest($2, 0))")),
	sqlexpr.FnSubstring:        substring("substringUTF8"),
	sqlexpr.FnReplace:          callTemplates(call("replaceAll($1, $2, $3)")),
	sqlexpr.FnSplitPart:        callTemplates(call("if($1 IS NULL, NULL, splitByString($2, assumeNotNull($1))[$3])")),
	sqlexpr.FnPosition:         callTemplates(call("positionUTF8($2, $1)")),
	sqlexpr.FnContains:         callTemplates(op(precCompare, "positionUTF8($1, $2) > 0")),
	sqlexpr.FnStartsWith:       callTemplates(call("startsWith($1, $2)")),
	sqlexpr.FnEndsWith:         callTemplates(call("endsWith($1, $2)")),
	// Doubles round a half to the even neighbour, decimals away from zero.
	sqlexpr.FnRound: callTemplates(
		call("round(CAST($1 AS Nullable(Decimal(38, 10))))"),
		call("round(CAST($1 AS Nullable(Decimal(38, 10))), $2)"),
	),
	sqlexpr.FnLog:      callTemplates(call("log10($1)"), op(precMul, "log($2) / NULLIF(log($1), 0)")),
	sqlexpr.FnGreatest: withOneArgumentType(extremeCall("greatest")),
	sqlexpr.FnLeast:    withOneArgumentType(extremeCall("least")),
	sqlexpr.FnCoalesce: withOneArgumentType(customCall(-1, coalesce)),
	sqlexpr.FnIf: customCall(3, func(w *writer, c *sqlexpr.Call, _ prec) {
		w.caseExpr(&sqlexpr.Case{Whens: []sqlexpr.When{{Cond: c.Args[0], Then: c.Args[1]}}, Else: c.Args[2]})
	}),
})

// clickhouseCast puts the arguments of a decimal inside Nullable, rounds what
// it casts to an integer, and spells conditions out.
func clickhouseCast(w *writer, c *sqlexpr.Cast, min prec) {
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
