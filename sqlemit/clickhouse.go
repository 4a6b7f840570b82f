package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// ClickHouse has NULL only in Nullable types, so casts are to Nullable types,
// aggregates are the OrNull ones, and a setting of the statement makes outer joins
// return NULLs.
var clickhouse = &Dialect{
	name: "clickhouse",
	caps: plan.Capabilities{Ranked: discPercentileFuncSet, SortedArrayLists: true, NoJoinInequality: true},
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
	sort: nullSortStyle{nullsLast: true},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "Nullable(Bool)", sqlexpr.TypeInt: "Nullable(Int64)",
			sqlexpr.TypeDecimal: "Decimal", sqlexpr.TypeFloat: "Nullable(Float64)",
			sqlexpr.TypeString: "Nullable(String)", sqlexpr.TypeDate: "Nullable(Date32)",
			sqlexpr.TypeTime: "", sqlexpr.TypeTimestamp: "Nullable(DateTime64(6, 'UTC'))",
			sqlexpr.TypeTimestampTZ: "Nullable(DateTime64(6, 'UTC'))", sqlexpr.TypeInterval: "",
		},
		cast:          printClickhouseCast,
		rejectsBlanks: true,
		cutText:       "leftUTF8",
	},
	ops: operatorTemplates{
		divide: parseTemplate("$1 / !2"),
		mod:    parseTemplate("$1 % !2"),
		// Of decimals, % takes no notice of scales that differ; of doubles, it
		// leaves the sign to a zero.
		modAny:          parseTemplate("(@1 + !2 * 0) % (!2 + @1 * 0) + 0"),
		modNegativeZero: true,
		concat:          parseTemplate("~1 || ~2"),
		joinSame:        parseTemplate("@1 IS NOT DISTINCT FROM @2"),
		// IN takes a NULL in its list for no value at all.
		inIgnoresNullItems: true,
		inIgnoresNullRows:  true,
	}.withTruthTestsByCoalesce().withDistinctFromByCoalesce(),
	time: timeTemplates{
		instant: templatesByType{
			sqlexpr.TypeUnknown: parseTemplate("toDateTime64($1, 6, 'UTC')"),
			sqlexpr.TypeString:  parseTemplate("toDateTime64($1, 6, 'UTC')"),
			// A column that is declared as instants may hold days, which toTimeZone rejects.
			sqlexpr.TypeTimestampTZ: parseTemplate("toDateTime64($1, 6, 'UTC')"),
		},
		day: toDayTemplates(parseTemplate("toDate32($1)"), parseTemplate("toDate32($1, 'UTC')")),
		bucket: grainTemplates{
			sqlexpr.GrainWeek:    parseTemplate("toDate32(toMonday($1))"),
			sqlexpr.GrainMonth:   parseTemplate("toDate32(toStartOfMonth($1))"),
			sqlexpr.GrainQuarter: parseTemplate("toDate32(toStartOfQuarter($1))"),
			sqlexpr.GrainYear:    parseTemplate("toDate32(toStartOfYear($1))"),
		},
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     parseTemplate("toInt32(toDate32($1))"),
			sqlexpr.GrainWeek:    parseTemplate("toInt32(floor((toInt32(toDate32($1)) + 3) / 7))"),
			sqlexpr.GrainMonth:   parseTemplate("toYear($1) * 12 + toMonth($1)"),
			sqlexpr.GrainQuarter: parseTemplate("toYear($1) * 4 + toQuarter($1)"),
			sqlexpr.GrainYear:    parseTemplate("toYear($1)"),
		},
		// Before 1970 printDateTrunc takes a part of a second for the second after it, and toStartOfSecond does not.
		trunc:              templatesForUnits("toDateTime64(dateTrunc('{unit}', toStartOfSecond(toDateTime64($1, 6, 'UTC'))), 6, 'UTC')"),
		zone:               "toTimeZone(toDateTime64($1, 6, 'UTC'), '{zone}')",
		truncMakesInstants: true,
		otherTrunc:         templatesForNamedUnits("toDateTime64(dateTrunc('{unit}', toDateTime64($1, 6, 'UTC')), 6, 'UTC')", "millisecond", "microsecond"),
		otherPart: map[string]template{
			"isoyear": parseTemplate("toISOYear($1)"),
		},
		part: calendarPartTemplates{
			partSecond: parseTemplate("toSecond($1)"), partMinute: parseTemplate("toMinute($1)"), partHour: parseTemplate("toHour($1)"),
			partDay: parseTemplate("toDayOfMonth($1)"), partWeek: parseTemplate("toISOWeek($1)"), partMonth: parseTemplate("toMonth($1)"),
			partQuarter: parseTemplate("toQuarter($1)"), partYear: parseTemplate("toYear($1)"),
			partDayOfYear: parseTemplate("toDayOfYear($1)"), partDayOfWeek: parseTemplate("toDayOfWeek($1) % 7"), partISODayOfWeek: parseTemplate("toDayOfWeek($1)"),
		},
		elapsed:   parseTemplate("dateDiff('microsecond', toDateTime64($1, 6, 'UTC'), toDateTime64($2, 6, 'UTC')) / 1000000"),
		diff:      templatesForUnits("dateDiff('{unit}', toDateTime64($1, 6, 'UTC'), toDateTime64($2, 6, 'UTC'))"),
		timestamp: toTimestampTemplates(parseTemplate("toDateTime64($1, 6, 'UTC')"), template{}),
		shift: calendarPartTemplates{
			partSecond: parseTemplate("addSeconds($1, $2)"), partMinute: parseTemplate("addMinutes($1, $2)"), partHour: parseTemplate("addHours($1, $2)"),
			partDay: parseTemplate("addDays($1, $2)"), partWeek: parseTemplate("addWeeks($1, $2)"), partMonth: parseTemplate("addMonths($1, $2)"),
			partQuarter: parseTemplate("addQuarters($1, $2)"), partYear: parseTemplate("addYears($1, $2)"),
		},
		shiftKeepsDate:    true,
		datesAddAsNumbers: true,
		matches:           parseTemplate("match($1, $2)"),
		format:            timeFormatStyle{call: parseTemplate("formatDateTime($1, $2)"), codes: clickhouseTimeCodes},
		decode:            printTimeCodeDecodeByRegexp,
	},
	sets:  groupingSetsStyle{supported: true, nullableKey: makeClickhouseNullable},
	calls: clickhouseCalls,

	window:     printClickhouseWindow,
	key:        replaceClickhouseNegativeZeroKey,
	branches:   unifyClickhouseTypes,
	inspect:    inspectDerivedTables,
	integerKey: newClickhouseIntegerKey,
	members:    castClickhouseMembers,
	tables: tableStyle{
		writing: TableWriting{Swap: SwapExchange, Grants: GrantsAfter},
		engine:  " ENGINE = MergeTree ORDER BY tuple()",
		text:    "Nullable(String)", integer: "Nullable(Int64)", timestamp: "Nullable(DateTime64(6, 'UTC'))",
		grant: standardGrant,
	},
	settings: "SETTINGS join_use_nulls = 1, enable_extended_results_for_datetime_functions = 1",
}
