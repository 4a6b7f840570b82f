package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// standard is the spelling that most engines share. Dialects change what they
// spell otherwise.
var standard = &callTable{
	sqlexpr.FnSum:       aggregate("SUM", 1),
	sqlexpr.FnCount:     aggregate("COUNT", 1),
	sqlexpr.FnAvg:       aggregateOfDouble("AVG", 1),
	sqlexpr.FnMin:       aggregate("MIN", 1),
	sqlexpr.FnMax:       aggregate("MAX", 1),
	sqlexpr.FnStddevPop: aggregateOfDouble("STDDEV_POP", 1), sqlexpr.FnStddevSamp: aggregateOfDouble("STDDEV_SAMP", 1),
	sqlexpr.FnVarPop: aggregateOfDouble("VAR_POP", 1), sqlexpr.FnVarSamp: aggregateOfDouble("VAR_SAMP", 1),
	sqlexpr.FnCovarPop: aggregateOfDouble("COVAR_POP", 2), sqlexpr.FnCovarSamp: aggregateOfDouble("COVAR_SAMP", 2),
	sqlexpr.FnCorr: aggregateOfDouble("CORR", 2),

	sqlexpr.FnRowNumber:   spelled(call("ROW_NUMBER()")),
	sqlexpr.FnRank:        spelled(call("RANK()")),
	sqlexpr.FnDenseRank:   spelled(call("DENSE_RANK()")),
	sqlexpr.FnNtile:       spelled(call("NTILE($1)")),
	sqlexpr.FnPercentRank: spelled(call("PERCENT_RANK()")),
	sqlexpr.FnCumeDist:    spelled(call("CUME_DIST()")),
	sqlexpr.FnFirstValue:  spelled(call("FIRST_VALUE($1)")),
	sqlexpr.FnLastValue:   spelled(call("LAST_VALUE($1)")),
	sqlexpr.FnNthValue:    spelled(call("NTH_VALUE($1, $2)")),
	sqlexpr.FnLag:         spelled(call("LAG($1)"), call("LAG($1, $2)"), call("LAG($1, $2, $3)")),
	sqlexpr.FnLead:        spelled(call("LEAD($1)"), call("LEAD($1, $2)"), call("LEAD($1, $2, $3)")),

	sqlexpr.FnCurrentDate:      spelled(call("CURRENT_DATE")),
	sqlexpr.FnCurrentTimestamp: spelled(call("CURRENT_TIMESTAMP")),
	sqlexpr.FnYear:             partCall(partYear),
	sqlexpr.FnQuarter:          partCall(partQuarter),
	sqlexpr.FnMonth:            partCall(partMonth),
	sqlexpr.FnDay:              partCall(partDay),
	sqlexpr.FnDayOfYear:        partCall(partDayOfYear),
	sqlexpr.FnDayOfWeek:        partCall(partDayOfWeek),
	sqlexpr.FnHour:             partCall(partHour),
	sqlexpr.FnMinute:           partCall(partMinute),
	sqlexpr.FnSecond:           partCall(partSecond),
	sqlexpr.FnDateTrunc:        code(2, (*writer).dateTrunc),
	sqlexpr.FnDateAdd:          code(3, (*writer).dateAdd),
	sqlexpr.FnDateDiff:         code(3, (*writer).dateDiff),
	sqlexpr.FnToDate:           castCall(sqlexpr.TypeDate),
	sqlexpr.FnToTimestamp:      castCall(sqlexpr.TypeTimestamp),

	sqlexpr.FnConcat:     variadic("CONCAT"),
	sqlexpr.FnLength:     spelled(call("LENGTH($1)")),
	sqlexpr.FnLower:      spelled(call("LOWER($1)")),
	sqlexpr.FnUpper:      spelled(call("UPPER($1)")),
	sqlexpr.FnTrim:       spelled(call("TRIM($1)"), call("BTRIM($1, $2)")),
	sqlexpr.FnLTrim:      spelled(call("LTRIM($1)"), call("LTRIM($1, $2)")),
	sqlexpr.FnRTrim:      spelled(call("RTRIM($1)"), call("RTRIM($1, $2)")),
	sqlexpr.FnLeft:       cut("LEFT"),
	sqlexpr.FnRight:      cut("RIGHT"),
	sqlexpr.FnSubstring:  substring("SUBSTRING"),
	sqlexpr.FnReplace:    spelled(call("REPLACE($1, $2, $3)")),
	sqlexpr.FnSplitPart:  spelled(call("SPLIT_PART($1, $2, $3)")),
	sqlexpr.FnPosition:   spelled(call("STRPOS($2, $1)")),
	sqlexpr.FnContains:   spelled(op(precCompare, "STRPOS($1, $2) > 0")),
	sqlexpr.FnStartsWith: spelled(call("STARTS_WITH($1, $2)")),
	sqlexpr.FnEndsWith:   spelled(op(precCompare, "RIGHT($1, LENGTH($2)) = @2")),

	sqlexpr.FnAbs:      spelled(call("ABS($1)")),
	sqlexpr.FnCeil:     spelled(call("CEIL($1)")),
	sqlexpr.FnFloor:    spelled(call("FLOOR($1)")),
	sqlexpr.FnRound:    spelled(call("ROUND($1)"), call("ROUND($1, $2)")),
	sqlexpr.FnTrunc:    spelled(call("TRUNC($1)"), call("TRUNC($1, $2)")),
	sqlexpr.FnMod:      code(2, (*writer).modCall),
	sqlexpr.FnPower:    spelled(call("POWER($1, $2)")),
	sqlexpr.FnSqrt:     spelled(call("SQRT($1)")),
	sqlexpr.FnExp:      spelled(call("EXP($1)")),
	sqlexpr.FnLn:       spelled(call("LN($1)")),
	sqlexpr.FnLog:      spelled(call("LOG($1)"), op(precMul, "LN($2) / NULLIF(LN($1), 0)")),
	sqlexpr.FnSign:     spelled(call("SIGN($1)")),
	sqlexpr.FnGreatest: variadic("GREATEST"),
	sqlexpr.FnLeast:    variadic("LEAST"),

	sqlexpr.FnCoalesce: code(-1, coalesce),
	sqlexpr.FnNullIf:   spelled(call("NULLIF($1, $2)")),
	sqlexpr.FnIf:       spelled(call("CASE WHEN $1 THEN $2 ELSE $3 END")),
}

// castCall prints a conversion function as the cast it is.
func castCall(t sqlexpr.Type) []callForm {
	return code(1, func(w *writer, c *sqlexpr.Call, min prec) {
		cast := sqlexpr.Cast{X: c.Args[0], To: sqlexpr.TypeName{Type: t}}
		w.d.types.cast(w, &cast, min)
	})
}

// modCall prints MOD(a, b) as a % b.
func (w *writer) modCall(c *sqlexpr.Call, min prec) {
	w.modulo(c.Args[0], c.Args[1], min)
}

// coalesce prints COALESCE; some engines refuse it for a single argument.
func coalesce(w *writer, c *sqlexpr.Call, min prec) {
	if len(c.Args) == 1 {
		w.expr(c.Args[0], min)
		return
	}
	w.text("COALESCE(")
	w.list(c.Args)
	w.byte(')')
}

// cut prints LEFT or RIGHT. A negative length means "all but" to some engines
// and nothing to others; here it cuts to nothing.
func cut(name string) []callForm {
	return code(2, func(w *writer, c *sqlexpr.Call, _ prec) {
		w.text(name)
		w.byte('(')
		w.expr(c.Args[0], precAny)
		w.text(", ")
		if _, ok := c.Args[1].(*sqlexpr.Number); ok {
			w.expr(c.Args[1], precAny)
		} else {
			w.text("GREATEST(")
			w.expr(c.Args[1], precAny)
			w.text(", 0)")
		}
		w.byte(')')
	})
}
