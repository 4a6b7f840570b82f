package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// ClickHouse has NULL only in Nullable types, so casts are to Nullable types,
// aggregates are the OrNull ones, and a setting of the statement makes outer joins
// return NULLs.
var clickhouse = &Dialect{
	name: "clickhouse",
	ident: identStyle{quote: '"', escape: '\\', reserved: newWordSet(`all and anti any array as asc asof between both by case
		cast collate cross cube date delete desc describe distinct div else end escape except exists extract false
		fetch final first for format from full global group having if ilike in inner insert interval intersect into is
		join key last leading left like limit mod natural not null nulls offset on or order outer over partition
		prewhere primary qualify range right rollup row rows sample select semi settings substring table then ties
		timestamp to top totals trailing trim true union using values when where window with`)},
	lit: literalStyle{
		backslashEscapes: true,
		date:             callAffixes("toDate32", ""),
		stamp:            callAffixes("toDateTime64", ", 6, 'UTC'"),
		zoned:            callAffixes("toDateTime64", ", 6, 'UTC'"),
	},
	like: likeStyle{backslashEscapes: true, noEscapeClause: true, ilike: true},
	sort: sortStyle{nullsLast: true},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "Nullable(Bool)", sqlexpr.TypeInt: "Nullable(Int64)",
			sqlexpr.TypeDecimal: "Decimal", sqlexpr.TypeFloat: "Nullable(Float64)",
			sqlexpr.TypeString: "Nullable(String)", sqlexpr.TypeDate: "Nullable(Date32)",
			sqlexpr.TypeTime: "", sqlexpr.TypeTimestamp: "Nullable(DateTime64(6, 'UTC'))",
			sqlexpr.TypeTimestampTZ: "Nullable(DateTime64(6, 'UTC'))", sqlexpr.TypeInterval: "",
		},
		cast:    clickhouseCast,
		cutText: "leftUTF8",
	},
	ops: operatorTemplates{
		divide: operatorTemplate(precMul, "<1 / !2"),
		mod:    operatorTemplate(precMul, "<1 % !2"),
		// Of decimals, % takes no notice of scales that differ; of doubles, it
		// leaves the sign to a zero.
		modAny:          operatorTemplate(precAdd, "(@1 + !2 * 0) % (!2 + @1 * 0) + 0"),
		modNegativeZero: true,
		concat:          operatorTemplate(precConcat, "~1 || ~2"),
		joinSame:        operatorTemplate(precCompare, "@1 IS NOT DISTINCT FROM @2"),
		// IN takes a NULL in its list for no value at all.
		inIgnoresNullItems: true,
	}.truthByCoalesce().sameByCoalesce(),
	time: timeTemplates{
		instant: templatesByType{
			sqlexpr.TypeUnknown:     primaryTemplate("toDateTime64($1, 6, 'UTC')"),
			sqlexpr.TypeString:      primaryTemplate("toDateTime64($1, 6, 'UTC')"),
			sqlexpr.TypeTimestampTZ: primaryTemplate("toTimeZone($1, 'UTC')"),
		},
		day: dayTemplates(primaryTemplate("toDate32($1)"), primaryTemplate("toDate32($1, 'UTC')")),
		bucket: grainTemplates{
			sqlexpr.GrainWeek:    primaryTemplate("toDate32(toMonday($1))"),
			sqlexpr.GrainMonth:   primaryTemplate("toDate32(toStartOfMonth($1))"),
			sqlexpr.GrainQuarter: primaryTemplate("toDate32(toStartOfQuarter($1))"),
			sqlexpr.GrainYear:    primaryTemplate("toDate32(toStartOfYear($1))"),
		},
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     primaryTemplate("toInt32(toDate32($1))"),
			sqlexpr.GrainWeek:    primaryTemplate("toInt32(floor((toInt32(toDate32($1)) + 3) / 7))"),
			sqlexpr.GrainMonth:   operatorTemplate(precAdd, "toYear($1) * 12 + toMonth($1)"),
			sqlexpr.GrainQuarter: operatorTemplate(precAdd, "toYear($1) * 4 + toQuarter($1)"),
			sqlexpr.GrainYear:    primaryTemplate("toYear($1)"),
		},
		trunc:      eachUnit(precPrimary, "toDateTime64(dateTrunc('{unit}', $1), 6, 'UTC')"),
		otherTrunc: unitTemplates("toDateTime64(dateTrunc('{unit}', toDateTime64($1, 6, 'UTC')), 6, 'UTC')", "millisecond", "microsecond"),
		otherPart: map[string]template{
			"isodow":  primaryTemplate("toDayOfWeek($1)"),
			"isoyear": primaryTemplate("toISOYear($1)"),
		},
		part: partTemplates{
			partSecond: primaryTemplate("toSecond($1)"), partMinute: primaryTemplate("toMinute($1)"), partHour: primaryTemplate("toHour($1)"),
			partDay: primaryTemplate("toDayOfMonth($1)"), partWeek: primaryTemplate("toISOWeek($1)"), partMonth: primaryTemplate("toMonth($1)"),
			partQuarter: primaryTemplate("toQuarter($1)"), partYear: primaryTemplate("toYear($1)"),
			partDayOfYear: primaryTemplate("toDayOfYear($1)"), partDayOfWeek: operatorTemplate(precMul, "toDayOfWeek($1) % 7"),
		},
		diff:      eachUnit(precPrimary, "dateDiff('{unit}', toDateTime64($1, 6, 'UTC'), toDateTime64($2, 6, 'UTC'))"),
		timestamp: timestampTemplates(primaryTemplate("toDateTime64($1, 6, 'UTC')"), template{}),
		shift: partTemplates{
			partSecond: primaryTemplate("addSeconds($1, $2)"), partMinute: primaryTemplate("addMinutes($1, $2)"), partHour: primaryTemplate("addHours($1, $2)"),
			partDay: primaryTemplate("addDays($1, $2)"), partWeek: primaryTemplate("addWeeks($1, $2)"), partMonth: primaryTemplate("addMonths($1, $2)"),
			partQuarter: primaryTemplate("addQuarters($1, $2)"), partYear: primaryTemplate("addYears($1, $2)"),
		},
		shiftKeepsDate:    true,
		datesAddAsNumbers: true,
		matches:           primaryTemplate("match($1, $2)"),
		decode:            decodeByPattern,
	},
	calls: clickhouseCalls,

	window:   clickhouseWindow,
	key:      clickhouseKey,
	branches: clickhouseBranches,
	settings: "SETTINGS join_use_nulls = 1, enable_extended_results_for_datetime_functions = 1",
}
