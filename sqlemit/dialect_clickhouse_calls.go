package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var clickhouseCalls = standard.with(map[sqlexpr.Func][]callForm{
	sqlexpr.FnSum:        code(1, clickhouseSum),
	sqlexpr.FnCount:      code(1, clickhouseCount),
	sqlexpr.FnAvg:        aggregateOfDouble("avgOrNull", 1),
	sqlexpr.FnMin:        aggregate("minOrNull", 1),
	sqlexpr.FnMax:        aggregate("maxOrNull", 1),
	sqlexpr.FnStddevPop:  aggregateOfDouble("stddevPopOrNull", 1),
	sqlexpr.FnStddevSamp: finite("stddevSampOrNull", 1),
	sqlexpr.FnVarPop:     aggregateOfDouble("varPopOrNull", 1),
	sqlexpr.FnVarSamp:    finite("varSampOrNull", 1),
	sqlexpr.FnCovarPop:   aggregateOfDouble("covarPopOrNull", 2),
	sqlexpr.FnCovarSamp:  finite("covarSampOrNull", 2),
	sqlexpr.FnCorr:       finite("corrOrNull", 2),

	sqlexpr.FnFirstValue: spelled(call("first_value($1) RESPECT NULLS")),
	sqlexpr.FnLastValue:  spelled(call("last_value($1) RESPECT NULLS")),
	sqlexpr.FnCumeDist:   spelled(call("cume_dist()")),
	sqlexpr.FnNthValue:   spelled(call("nth_value(toNullable($1), $2)")),
	sqlexpr.FnLag:        spelled(call("lag(toNullable($1))"), call("lag(toNullable($1), $2)"), call("lag(toNullable($1), $2, $3)")),
	sqlexpr.FnLead:       spelled(call("lead(toNullable($1))"), call("lead(toNullable($1), $2)"), call("lead(toNullable($1), $2, $3)")),

	sqlexpr.FnCurrentDate:      spelled(call("toDate32(now('UTC'))")),
	sqlexpr.FnCurrentTimestamp: spelled(call("now64(6, 'UTC')")),
	sqlexpr.FnConcat:           concatTexts,
	sqlexpr.FnLength:           spelled(call("lengthUTF8($1)")),
	sqlexpr.FnLower:            spelled(call("lowerUTF8($1)")),
	sqlexpr.FnUpper:            spelled(call("upperUTF8($1)")),
	sqlexpr.FnTrim:             spelled(call("trimBoth($1)"), call("trimBoth($1, $2)")),
	sqlexpr.FnLTrim:            spelled(call("trimLeft($1)"), call("trimLeft($1, $2)")),
	sqlexpr.FnRTrim:            spelled(call("trimRight($1)"), call("trimRight($1, $2)")),
	sqlexpr.FnLeft:             spelled(call("leftUTF8($1, greatest($2, 0))")),
	sqlexpr.FnRight:            spelled(call("rightUTF8($1, greatest($2, 0))")),
	sqlexpr.FnSubstring:        substring("substringUTF8"),
	sqlexpr.FnReplace:          spelled(call("replaceAll($1, $2, $3)")),
	sqlexpr.FnSplitPart:        spelled(call("if($1 IS NULL, NULL, splitByString($2, assumeNotNull($1))[$3])")),
	sqlexpr.FnPosition:         spelled(call("positionUTF8($2, $1)")),
	sqlexpr.FnContains:         spelled(op(precCompare, "positionUTF8($1, $2) > 0")),
	sqlexpr.FnStartsWith:       spelled(call("startsWith($1, $2)")),
	sqlexpr.FnEndsWith:         spelled(call("endsWith($1, $2)")),
	// Doubles round a half to the even neighbour, decimals away from zero.
	sqlexpr.FnRound: spelled(
		call("round(CAST($1 AS Nullable(Decimal(38, 10))))"),
		call("round(CAST($1 AS Nullable(Decimal(38, 10))), $2)"),
	),
	sqlexpr.FnLog:      spelled(call("log10($1)"), op(precMul, "log($2) / NULLIF(log($1), 0)")),
	sqlexpr.FnGreatest: alike(extreme("greatest")),
	sqlexpr.FnLeast:    alike(extreme("least")),
	sqlexpr.FnCoalesce: alike(code(-1, coalesce)),
	sqlexpr.FnIf: code(3, func(w *writer, c *sqlexpr.Call, _ prec) {
		w.caseExpr(&sqlexpr.Case{Whens: []sqlexpr.When{{Cond: c.Args[0], Then: c.Args[1]}}, Else: c.Args[2]})
	}),
})

// clickhouseCast puts the arguments of a decimal inside Nullable, rounds what
// it casts to a whole number, and spells conditions out.
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
