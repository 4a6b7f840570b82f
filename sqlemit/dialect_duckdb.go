package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var duckdb = &Dialect{
	name:   "duckdb",
	window: duckdbWindow,
	ident: identStyle{
		quote: '"',
		reserved: words(`all analyse analyze and any array as asc asymmetric both case cast check collate column
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
		zoned: affixes{"TIMESTAMPTZ '", "+00:00'"},
	},
	like: likeStyle{ilike: true, code: duckdbLike},
	sort: sortStyle{nullsLast: true},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "DECIMAL",
			sqlexpr.TypeFloat: "DOUBLE", sqlexpr.TypeString: "VARCHAR", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "TIMESTAMP", sqlexpr.TypeTimestampTZ: "TIMESTAMPTZ",
			sqlexpr.TypeInterval: "INTERVAL",
		},
		cast:    (*writer).plainCast,
		cutText: "LEFT",
	},
	ops: operatorTemplates{
		divide:   op(precMul, "<1 / !2"),
		mod:      op(precMul, "<1 % !2"),
		concat:   op(precConcat, "<1 || @2"),
		joinSame: op(precCompare, "@1 IS NOT DISTINCT FROM @2"),
		same:     op(precCompare, "@1 IS NOT DISTINCT FROM @2"),
		// DuckDB 1.5.5 skips row groups of nothing but NULLs for
		// x IS DISTINCT FROM 'a' OR x = 'b', and loses their rows.
		differ: call("COALESCE(@1 <> @2, (@1 IS NULL) <> (@2 IS NULL))"),
	}.plainTruth(),
	time: timeTemplates{
		instant: templatesByType{
			sqlexpr.TypeUnknown:     call("CAST($1 AS TIMESTAMP)"),
			sqlexpr.TypeString:      call("CAST($1 AS TIMESTAMP)"),
			sqlexpr.TypeTimestampTZ: op(precUnary, "@1 AT TIME ZONE 'UTC'"),
		},
		day:    dayTemplates(call("CAST($1 AS DATE)"), call("CAST(@1 AT TIME ZONE 'UTC' AS DATE)")),
		bucket: eachGrain("CAST(DATE_TRUNC('{unit}', $1) AS DATE)"),
		// 0001-01-01 is a Monday before all dates in use, so that division
		// never meets a negative number.
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     op(precAdd, "@1 - DATE '0001-01-01'"),
			sqlexpr.GrainWeek:    op(precMul, "(@1 - DATE '0001-01-01') // 7"),
			sqlexpr.GrainMonth:   op(precAdd, "YEAR($1) * 12 + MONTH($1)"),
			sqlexpr.GrainQuarter: op(precAdd, "YEAR($1) * 4 + QUARTER($1)"),
			sqlexpr.GrainYear:    call("YEAR($1)"),
		},
		trunc:      eachUnit(precPrimary, "DATE_TRUNC('{unit}', $1)"),
		otherTrunc: duckdbOtherTrunc,
		part: partTemplates{
			partSecond: call("SECOND($1)"), partMinute: call("MINUTE($1)"), partHour: call("HOUR($1)"),
			partDay: call("DAY($1)"), partWeek: call("WEEK($1)"), partMonth: call("MONTH($1)"),
			partQuarter: call("QUARTER($1)"), partYear: call("YEAR($1)"),
			partDayOfYear: call("DAYOFYEAR($1)"), partDayOfWeek: call("DAYOFWEEK($1)"),
		},
		// DATEDIFF of weeks counts spans of seven days, not Mondays.
		diff: eachUnit(precPrimary, "DATEDIFF('{unit}', CAST($1 AS TIMESTAMP), CAST($2 AS TIMESTAMP))").
			with(partWeek, op(precMul, "DATEDIFF('day', DATE_TRUNC('week', CAST($1 AS TIMESTAMP)), DATE_TRUNC('week', CAST($2 AS TIMESTAMP))) // 7")),
		timestamp: templatesByType{sqlexpr.TypeString: call("CAST($1 AS TIMESTAMP)")},
		shift:     eachUnit(precAdd, "@1 + TO_{UNIT}S(CAST($2 AS INTEGER))"),
		matches:   call("REGEXP_FULL_MATCH($1, $2)"),
		decode:    decodeByPattern,
		interval: func(w *writer, count string, p part) {
			w.text("INTERVAL '")
			w.text(count)
			w.byte(' ')
			w.text(partNames[p])
			w.byte('\'')
		},
	},
	calls: standard.with(map[sqlexpr.Func][]callTemplate{
		// AVG is a double by itself.
		sqlexpr.FnAvg:      aggregate("AVG", 1),
		sqlexpr.FnTrim:     callTemplates(call("TRIM($1)"), call("TRIM($1, $2)")),
		sqlexpr.FnContains: callTemplates(call("CONTAINS($1, $2)")),
		sqlexpr.FnEndsWith: callTemplates(call("ENDS_WITH($1, $2)")),
		sqlexpr.FnPosition: callTemplates(call("STRPOS($2, $1)")),
	}),
}

// duckdbOtherTrunc spells centuries and millennia out: DuckDB's own begin with the year
// 2000, those of PostgreSQL with 2001.
var duckdbOtherTrunc = func() map[string]template {
	units := eachOther("DATE_TRUNC('{unit}', $1)", "millisecond", "microsecond", "decade", "isoyear")
	units["century"] = call("CAST(MAKE_DATE((YEAR($1) - 1) // 100 * 100 + 1, 1, 1) AS TIMESTAMP)")
	units["millennium"] = call("CAST(MAKE_DATE((YEAR($1) - 1) // 1000 * 1000 + 1, 1, 1) AS TIMESTAMP)")
	return units
}()

// duckdbWindow has NULL for a correlation of values that do not vary, which is NaN
// to a window.
func duckdbWindow(w *writer, e *sqlexpr.Over) {
	if e.Call.Fn != sqlexpr.FnCorr {
		w.plainWindow(e)
		return
	}
	w.text("NULLIF(")
	w.plainWindow(e)
	w.text(", CAST('NaN' AS DOUBLE))")
}
