package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// ClickHouse has NULL only in Nullable types, so casts are to Nullable types,
// aggregates are the OrNull ones, and a setting of the statement makes outer joins
// return NULLs.
var clickhouse = &Dialect{
	name: "clickhouse",
	ident: identStyle{quote: '"', escape: '\\', reserved: words(`all and anti any array as asc asof between both by case
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
		divide: op(precMul, "<1 / !2"),
		mod:    op(precMul, "<1 % !2"),
		// Of decimals, % takes no notice of scales that differ; of doubles, it
		// leaves the sign to a zero.
		modAny:          op(precAdd, "(@1 + !2 * 0) % (!2 + @1 * 0) + 0"),
		modNegativeZero: true,
		concat:          op(precConcat, "~1 || ~2"),
		joinSame:        op(precCompare, "@1 IS NOT DISTINCT FROM @2"),
		// IN takes a NULL in its list for no value at all.
		inIgnoresNullItems: true,
	}.truthByCoalesce().sameByCoalesce(),
	time: timeTemplates{
		instant: templatesByType{
			sqlexpr.TypeUnknown:     call("toDateTime64($1, 6, 'UTC')"),
			sqlexpr.TypeString:      call("toDateTime64($1, 6, 'UTC')"),
			sqlexpr.TypeTimestampTZ: call("toTimeZone($1, 'UTC')"),
		},
		day: dayTemplates(call("toDate32($1)"), call("toDate32($1, 'UTC')")),
		bucket: grainTemplates{
			sqlexpr.GrainWeek:    call("toDate32(toMonday($1))"),
			sqlexpr.GrainMonth:   call("toDate32(toStartOfMonth($1))"),
			sqlexpr.GrainQuarter: call("toDate32(toStartOfQuarter($1))"),
			sqlexpr.GrainYear:    call("toDate32(toStartOfYear($1))"),
		},
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     call("toInt32(toDate32($1))"),
			sqlexpr.GrainWeek:    call("toInt32(floor((toInt32(toDate32($1)) + 3) / 7))"),
			sqlexpr.GrainMonth:   op(precAdd, "toYear($1) * 12 + toMonth($1)"),
			sqlexpr.GrainQuarter: op(precAdd, "toYear($1) * 4 + toQuarter($1)"),
			sqlexpr.GrainYear:    call("toYear($1)"),
		},
		trunc:      eachUnit(precPrimary, "toDateTime64(dateTrunc('{unit}', $1), 6, 'UTC')"),
		otherTrunc: eachOther("toDateTime64(dateTrunc('{unit}', toDateTime64($1, 6, 'UTC')), 6, 'UTC')", "millisecond", "microsecond"),
		otherPart: map[string]template{
			"isodow":  call("toDayOfWeek($1)"),
			"isoyear": call("toISOYear($1)"),
		},
		part: partTemplates{
			partSecond: call("toSecond($1)"), partMinute: call("toMinute($1)"), partHour: call("toHour($1)"),
			partDay: call("toDayOfMonth($1)"), partWeek: call("toISOWeek($1)"), partMonth: call("toMonth($1)"),
			partQuarter: call("toQuarter($1)"), partYear: call("toYear($1)"),
			partDayOfYear: call("toDayOfYear($1)"), partDayOfWeek: op(precMul, "toDayOfWeek($1) % 7"),
		},
		diff:      eachUnit(precPrimary, "dateDiff('{unit}', toDateTime64($1, 6, 'UTC'), toDateTime64($2, 6, 'UTC'))"),
		timestamp: timestampTemplates(call("toDateTime64($1, 6, 'UTC')"), template{}),
		shift: partTemplates{
			partSecond: call("addSeconds($1, $2)"), partMinute: call("addMinutes($1, $2)"), partHour: call("addHours($1, $2)"),
			partDay: call("addDays($1, $2)"), partWeek: call("addWeeks($1, $2)"), partMonth: call("addMonths($1, $2)"),
			partQuarter: call("addQuarters($1, $2)"), partYear: call("addYears($1, $2)"),
		},
		shiftKeepsDate:    true,
		datesAddAsNumbers: true,
		matches:           call("match($1, $2)"),
		decode:            decodeByPattern,
	},
	calls: clickhouseCalls,

	window:   clickhouseWindow,
	key:      clickhouseKey,
	branches: clickhouseBranches,
	settings: "SETTINGS join_use_nulls = 1, enable_extended_results_for_datetime_functions = 1",
}
