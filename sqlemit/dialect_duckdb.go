package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var duckdb = &Dialect{
	name:   "duckdb",
	window: duckdbWindow,
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
		divide:   operatorTemplate(precMul, "<1 / !2"),
		mod:      operatorTemplate(precMul, "<1 % !2"),
		concat:   operatorTemplate(precConcat, "<1 || @2"),
		joinSame: operatorTemplate(precCompare, "@1 IS NOT DISTINCT FROM @2"),
		same:     operatorTemplate(precCompare, "@1 IS NOT DISTINCT FROM @2"),
		// DuckDB 1.5.5 skips row groups of nothing but NULLs for
		// x IS DISTINCT FROM 'a' OR x = 'b', and loses their rows.
		differ: primaryTemplate("COALESCE(@1 <> @2, (@1 IS NULL) <> (@2 IS NULL))"),
	}.standardTruth(),
	time: timeTemplates{
		instant: templatesByType{
			sqlexpr.TypeUnknown:     primaryTemplate("CAST($1 AS TIMESTAMP)"),
			sqlexpr.TypeString:      primaryTemplate("CAST($1 AS TIMESTAMP)"),
			sqlexpr.TypeTimestampTZ: operatorTemplate(precUnary, "@1 AT TIME ZONE 'UTC'"),
		},
		day:    dayTemplates(primaryTemplate("CAST($1 AS DATE)"), primaryTemplate("CAST(@1 AT TIME ZONE 'UTC' AS DATE)")),
		bucket: eachGrain("CAST(DATE_TRUNC('{unit}', $1) AS DATE)"),
		// 0001-01-01 is a Monday before all dates in use, so that division
		// never meets a negative number.
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     operatorTemplate(precAdd, "@1 - DATE '0001-01-01'"),
			sqlexpr.GrainWeek:    operatorTemplate(precMul, "(@1 - DATE '0001-01-01') // 7"),
			sqlexpr.GrainMonth:   operatorTemplate(precAdd, "YEAR($1) * 12 + MONTH($1)"),
			sqlexpr.GrainQuarter: operatorTemplate(precAdd, "YEAR($1) * 4 + QUARTER($1)"),
			sqlexpr.GrainYear:    primaryTemplate("YEAR($1)"),
		},
		trunc:      eachUnit(precPrimary, "DATE_TRUNC('{unit}', $1)"),
		otherTrunc: duckdbOtherTrunc,
		part: partTemplates{
			partSecond: primaryTemplate("SECOND($1)"), partMinute: primaryTemplate("MINUTE($1)"), partHour: primaryTemplate("HOUR($1)"),
			partDay: primaryTemplate("DAY($1)"), partWeek: primaryTemplate("WEEK($1)"), partMonth: primaryTemplate("MONTH($1)"),
			partQuarter: primaryTemplate("QUARTER($1)"), partYear: primaryTemplate("YEAR($1)"),
			partDayOfYear: primaryTemplate("DAYOFYEAR($1)"), partDayOfWeek: primaryTemplate("DAYOFWEEK($1)"),
		},
		// DATEDIFF of weeks counts spans of seven days, not Mondays.
		diff: eachUnit(precPrimary, "DATEDIFF('{unit}', CAST($1 AS TIMESTAMP), CAST($2 AS TIMESTAMP))").
			with(partWeek, operatorTemplate(precMul, "DATEDIFF('day', DATE_TRUNC('week', CAST($1 AS TIMESTAMP)), DATE_TRUNC('week', CAST($2 AS TIMESTAMP))) // 7")),
		timestamp: templatesByType{sqlexpr.TypeString: primaryTemplate("CAST($1 AS TIMESTAMP)")},
		shift:     eachUnit(precAdd, "@1 + TO_{UNIT}S(CAST($2 AS INTEGER))"),
		matches:   primaryTemplate("REGEXP_FULL_MATCH($1, $2)"),
		decode:    decodeByPattern,
		interval: func(w *writer, count string, p calendarPart) {
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
		sqlexpr.FnTrim:     callTemplates(primaryTemplate("TRIM($1)"), primaryTemplate("TRIM($1, $2)")),
		sqlexpr.FnContains: callTemplates(primaryTemplate("CONTAINS($1, $2)")),
		sqlexpr.FnEndsWith: callTemplates(primaryTemplate("ENDS_WITH($1, $2)")),
		sqlexpr.FnPosition: callTemplates(primaryTemplate("STRPOS($2, $1)")),
	}),
}

// duckdbOtherTrunc spells centuries and millennia out: DuckDB's own begin with the year
// 2000, those of PostgreSQL with 2001.
var duckdbOtherTrunc = func() map[string]template {
	units := unitTemplates("DATE_TRUNC('{unit}', $1)", "millisecond", "microsecond", "decade", "isoyear")
	units["century"] = primaryTemplate("CAST(MAKE_DATE((YEAR($1) - 1) // 100 * 100 + 1, 1, 1) AS TIMESTAMP)")
	units["millennium"] = primaryTemplate("CAST(MAKE_DATE((YEAR($1) - 1) // 1000 * 1000 + 1, 1, 1) AS TIMESTAMP)")
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
