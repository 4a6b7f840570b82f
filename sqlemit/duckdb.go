package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

var duckdb = &Dialect{
	name:   "duckdb",
	caps:   plan.Capabilities{RoundsDecimalPercentiles: true},
	window: printDuckdbWindow, rewrite: castDuckdbMixedDecimalsToDouble, inspect: inspectDerivedTables, unionsRoundDecimals: true,
	ident: identStyle{
		quote: '"',
		reserved: newWordSet(`all analyse analyze and any array as asc asymmetric both case cast check collate column
			constraint create default deferrable desc describe distinct do else end except false fetch for foreign
			from grant group having in initially intersect into lambda lateral leading limit not null offset on only
			or order pivot pivot_longer pivot_wider placing primary qualify references returning select show some
			summarize symmetric table then to trailing true union unique unpivot using variadic when where window
			with`, `anti asof at authorization binary by collation columns concurrently cross freeze full generated
			glob ilike inner is isnull join left like map natural notnull outer overlaps positional right semi
			similar struct tablesample try_cast unpack verbose values`),
	},
	lit: literalStyle{
		date: keywordAffixes("DATE"), clock: keywordAffixes("TIME"), stamp: keywordAffixes("TIMESTAMP"),
		zoned: literalAffixes{"TIMESTAMPTZ '", "+00:00'"},
	},
	like: likeStyle{ilike: true, code: printDuckdbLikeWithoutBacktracking},
	sort: nullSortStyle{nullsLast: true},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "DECIMAL",
			sqlexpr.TypeFloat: "DOUBLE", sqlexpr.TypeString: "VARCHAR", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "TIMESTAMP", sqlexpr.TypeTimestampTZ: "TIMESTAMPTZ",
			sqlexpr.TypeInterval: "INTERVAL",
		},
		cast:    (*writer).printPlainCast,
		cutText: "LEFT",
	},
	ops: operatorTemplates{
		divide:   parseTemplate("$1 / !2"),
		mod:      parseTemplate("$1 % !2"),
		concat:   parseTemplate("<1 || @2"),
		joinSame: parseTemplate("@1 IS NOT DISTINCT FROM @2"),
		same:     parseTemplate("@1 IS NOT DISTINCT FROM @2"),
		// DuckDB 1.5.5 skips row groups of nothing but NULLs for
		// x IS DISTINCT FROM 'a' OR x = 'b', and loses their rows.
		differ: parseTemplate("COALESCE(@1 <> @2, (@1 IS NULL) <> (@2 IS NULL))"),
	}.withStandardTruthTests(),
	// A LEFT join with any other condition than comparisons is a nested loop in DuckDB 1.5.5.
	validity: joinValidityStyle{
		first: templatesByType{
			sqlexpr.TypeDate: parseTemplate("DATE '-infinity'"), sqlexpr.TypeTimestamp: parseTemplate("TIMESTAMP '-infinity'"),
			sqlexpr.TypeTimestampTZ: parseTemplate("TIMESTAMPTZ '-infinity'"),
		},
		last: templatesByType{
			sqlexpr.TypeDate: parseTemplate("DATE 'infinity'"), sqlexpr.TypeTimestamp: parseTemplate("TIMESTAMP 'infinity'"),
			sqlexpr.TypeTimestampTZ: parseTemplate("TIMESTAMPTZ 'infinity'"),
		},
	},
	time: timeTemplates{
		instant: templatesByType{
			sqlexpr.TypeUnknown:     parseTemplate("CAST($1 AS TIMESTAMP)"),
			sqlexpr.TypeString:      parseTemplate("CAST($1 AS TIMESTAMP)"),
			sqlexpr.TypeTimestampTZ: parseTemplate("@1 AT TIME ZONE 'UTC'"),
		},
		day:    toDayTemplates(parseTemplate("CAST($1 AS DATE)"), parseTemplate("CAST(@1 AT TIME ZONE 'UTC' AS DATE)")),
		bucket: templatesForGrains("CAST(DATE_TRUNC('{unit}', $1) AS DATE)"),
		// 0001-01-01 is a Monday before all dates in use, so that division
		// never meets a negative number.
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     parseTemplate("@1 - DATE '0001-01-01'"),
			sqlexpr.GrainWeek:    parseTemplate("(@1 - DATE '0001-01-01') // 7"),
			sqlexpr.GrainMonth:   parseTemplate("YEAR($1) * 12 + MONTH($1)"),
			sqlexpr.GrainQuarter: parseTemplate("YEAR($1) * 4 + QUARTER($1)"),
			sqlexpr.GrainYear:    parseTemplate("YEAR($1)"),
		},
		trunc:      templatesForUnits("DATE_TRUNC('{unit}', $1)"),
		zonedTrunc: templatesForUnitsWithinDay("DATE_TRUNC('{unit}', CAST($1 AS TIMESTAMPTZ) AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'"),
		zone:       "CAST($1 AS TIMESTAMPTZ) AT TIME ZONE '{zone}'",
		otherTrunc: duckdbOtherUnitTruncTemplates,
		part: calendarPartTemplates{
			partSecond: parseTemplate("SECOND($1)"), partMinute: parseTemplate("MINUTE($1)"), partHour: parseTemplate("HOUR($1)"),
			partDay: parseTemplate("DAY($1)"), partWeek: parseTemplate("WEEK($1)"), partMonth: parseTemplate("MONTH($1)"),
			partQuarter: parseTemplate("QUARTER($1)"), partYear: parseTemplate("YEAR($1)"),
			partDayOfYear: parseTemplate("DAYOFYEAR($1)"), partDayOfWeek: parseTemplate("DAYOFWEEK($1)"), partISODayOfWeek: parseTemplate("ISODOW($1)"),
		},
		// DATEDIFF of weeks counts spans of seven days, not Mondays.
		elapsed: parseTemplate("DATEDIFF('microsecond', CAST($1 AS TIMESTAMP), CAST($2 AS TIMESTAMP)) / 1e6"),
		diff: templatesForUnits("DATEDIFF('{unit}', CAST($1 AS TIMESTAMP), CAST($2 AS TIMESTAMP))").
			withPartTemplate(partWeek, parseTemplate("DATEDIFF('day', DATE_TRUNC('week', CAST($1 AS TIMESTAMP)), DATE_TRUNC('week', CAST($2 AS TIMESTAMP))) // 7")),
		timestamp: templatesByType{sqlexpr.TypeString: parseTemplate("CAST($1 AS TIMESTAMP)")},
		shift:     templatesForUnits("@1 + TO_{UNIT}S(CAST($2 AS INTEGER))"),
		matches:   parseTemplate("REGEXP_FULL_MATCH($1, $2)"),
		format:    timeFormatStyle{call: parseTemplate("STRFTIME($1, $2)"), codes: strftimeCodes},
		decode:    printTimeCodeDecodeByRegexp,
		interval: func(w *writer, count string, p calendarPart) {
			w.appendText("INTERVAL '")
			w.appendText(count)
			w.appendByte(' ')
			w.appendText(calendarPartNames[p])
			w.appendByte('\'')
		},
	},
	sets: groupingSetsStyle{supported: true},
	calls: standardCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
		sqlexpr.FnPercentileCont:      duckdbPercentileContTemplates,
		sqlexpr.FnPercentileDisc:      percentileDiscTemplates,
		sqlexpr.FnApproxCountDistinct: aggregateCallTemplates("APPROX_COUNT_DISTINCT", 1),
		sqlexpr.FnApproxPercentile:    approxPercentileTemplates("APPROX_QUANTILE"),
		sqlexpr.FnListagg:             orderedListaggTemplates("STRING_AGG", true),
		// AVG is a double by itself.
		sqlexpr.FnAvg:         aggregateCallTemplates("AVG", 1),
		sqlexpr.FnTrim:        newCallTemplates(parseTemplate("TRIM($1)"), parseTemplate("TRIM($1, $2)")),
		sqlexpr.FnRegexpLike:  newCallTemplates(parseTemplate("REGEXP_MATCHES($1, $2)")),
		sqlexpr.FnRegexpCount: newCallTemplates(parseTemplate("LEN(REGEXP_EXTRACT_ALL($1, $2))")),
		sqlexpr.FnContains:    newCallTemplates(parseTemplate("CONTAINS($1, $2)")),
		sqlexpr.FnEndsWith:    newCallTemplates(parseTemplate("ENDS_WITH($1, $2)")),
		sqlexpr.FnPosition:    newCallTemplates(parseTemplate("STRPOS($2, $1)")),
	}),
	tables: standardTables,
}

// duckdbOtherUnitTruncTemplates spells centuries and millennia out: DuckDB's own begin with the year
// 2000, those of PostgreSQL with 2001.
var duckdbOtherUnitTruncTemplates = func() map[string]template {
	units := templatesForNamedUnits("DATE_TRUNC('{unit}', $1)", "millisecond", "microsecond", "decade", "isoyear")
	units["century"] = parseTemplate("CAST(MAKE_DATE((YEAR($1) - 1) // 100 * 100 + 1, 1, 1) AS TIMESTAMP)")
	units["millennium"] = parseTemplate("CAST(MAKE_DATE((YEAR($1) - 1) // 1000 * 1000 + 1, 1, 1) AS TIMESTAMP)")
	return units
}()

// printDuckdbWindow has NULL for a correlation of values that do not vary, which is NaN
// to a window.
func printDuckdbWindow(w *writer, e *sqlexpr.WindowCall) {
	if e.Call.Fn != sqlexpr.FnCorr {
		w.printUnwrappedWindowCall(e)
		return
	}
	w.appendText("NULLIF(")
	w.printUnwrappedWindowCall(e)
	w.appendText(", CAST('NaN' AS DOUBLE))")
}

// duckdbPercentileContTemplates prints PERCENTILE_CONT of integers without a cast to DOUBLE, which takes three times as
// long. A column that is declared to hold integers may be one of decimals, for which DuckDB would round the
// percentile, so the type of the column decides. DuckDB evaluates TYPEOF before it reads a row, and does not compute the
// branch that is not taken:
//
//	CASE WHEN TYPEOF(MIN(x)) IN ('BIGINT', …) THEN PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x)
//	     ELSE PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY CAST(x AS DOUBLE)) END
var duckdbPercentileContTemplates = callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
	x := c.Args[0]
	percentile := func(ordered func()) {
		w.printOrderedSetAggregate(c, "PERCENTILE_CONT(", w.percentileFractionText(c), ordered)
	}
	if known, ok := x.(*sqlexpr.DeclaredTypeExpr); !ok || known.Type != sqlexpr.TypeInt {
		percentile(func() { w.printCastToDouble(x) })
		return
	}
	w.appendText("CASE WHEN TYPEOF(MIN(")
	w.printExpr(x, precAny)
	w.appendText(")) IN ('BIGINT', 'INTEGER', 'SMALLINT', 'TINYINT') THEN ")
	percentile(func() { w.printExpr(x, precAny) })
	w.appendText(" ELSE ")
	percentile(func() { w.printCastToDouble(x) })
	w.appendText(" END")
})
