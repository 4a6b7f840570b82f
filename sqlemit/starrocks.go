package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// StarRocks and Doris come from one code base: MySQL's protocol and quoting
// over a different engine.
// starrocksUnlimitedRows is a LIMIT that no result reaches and to which an OFFSET can be added in 64 bits.
const starrocksUnlimitedRows = "4611686018427387904"

var starrocks = &Dialect{
	name: "starrocks",
	caps: plan.Capabilities{
		NoRangeFrames: true,
		Ranked:        allPercentileFuncSet,
		NoWindow:      plan.NewFuncSet(sqlexpr.FnNthValue),
	},
	ident: identStyle{quote: '`', alwaysQuotes: true},
	lit:   starrocksLiteralStyle("DATETIME"),
	like:  likeStyle{backslashEscapes: true, noEscapeClause: true},
	sort:  nullSortStyle{nullsLast: true},
	limit: limitStyle{unlimited: starrocksUnlimitedRows, needsOrder: true},
	types: starrocksTypeStyle("DATETIME"),
	ops:   starrocksOps,
	time:  starrocksTimeTemplates("DATETIME"),
	sets:  groupingSetsStyle{supported: true, dropsTotalOfNoRows: true},
	calls: starrocksCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{sqlexpr.FnNthValue: nil}),
}

// The name of the type of timestamps differs: DATETIME keeps microseconds here, and
// whole seconds in Doris.
func starrocksLiteralStyle(timestamp string) literalStyle {
	return literalStyle{
		backslashEscapes: true,
		date:             keywordAffixes("DATE"),
		stamp:            callAffixes("CAST", " AS "+timestamp),
		zoned:            callAffixes("CAST", " AS "+timestamp),
	}
}

func starrocksTypeStyle(timestamp string) typeStyle {
	return typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "DECIMAL",
			sqlexpr.TypeFloat: "DOUBLE", sqlexpr.TypeString: "VARCHAR", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "", sqlexpr.TypeTimestamp: timestamp, sqlexpr.TypeTimestampTZ: timestamp,
			sqlexpr.TypeInterval: "",
		},
		cast:    printRoundingCast,
		cutText: "LEFT",
	}
}

var starrocksOps = operatorTemplates{
	divide:   parseTemplate("$1 / !2"),
	mod:      parseTemplate("$1 % !2"),
	concat:   parseTemplate("CONCAT($1, $2)"),
	same:     parseTemplate("@1 <=> @2"),
	differ:   parseTemplate("NOT (@1 <=> @2)"),
	joinSame: parseTemplate("@1 <=> @2"),
}.withTruthTestsByCoalesce()

func starrocksTimeTemplates(timestamp string) timeTemplates {
	return timeTemplates{
		instant: toTimestampTemplates(parseTemplate("CAST($1 AS "+timestamp+")"), template{}),
		day:     toDayTemplates(parseTemplate("CAST($1 AS DATE)"), parseTemplate("CAST($1 AS DATE)")),
		bucket:  templatesForGrains("CAST(DATE_TRUNC('{unit}', $1) AS DATE)"),
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     parseTemplate("TO_DAYS($1)"),
			sqlexpr.GrainWeek:    parseTemplate("CAST(FLOOR((TO_DAYS($1) - 366) / 7) AS BIGINT)"),
			sqlexpr.GrainMonth:   parseTemplate("YEAR($1) * 12 + MONTH($1)"),
			sqlexpr.GrainQuarter: parseTemplate("YEAR($1) * 4 + QUARTER($1)"),
			sqlexpr.GrainYear:    parseTemplate("YEAR($1)"),
		},
		trunc:      templatesForUnits("DATE_TRUNC('{unit}', $1)"),
		otherTrunc: templatesForNamedUnits("DATE_TRUNC('{unit}', $1)", "millisecond", "microsecond"),
		part:       mysqlTimeTemplates.part.withPartTemplate(partISODayOfWeek, parseTemplate("(DAYOFWEEK($1) + 5) % 7 + 1")),
		otherPart: map[string]template{
			"isoyear": parseTemplate("YEAR(DATE_ADD(CAST($1 AS DATE), INTERVAL (3 - (DAYOFWEEK($1) + 5) % 7) DAY))"),
		},
		elapsed: parseTemplate("CAST(DATE_DIFF('millisecond', $2, $1) AS DOUBLE) / 1000"),
		diff: calendarPartTemplates{
			partSecond:  starrocksDateDiffTemplate("SECOND", "second", timestamp),
			partMinute:  starrocksDateDiffTemplate("MINUTE", "minute", timestamp),
			partHour:    starrocksDateDiffTemplate("HOUR", "hour", timestamp),
			partDay:     parseTemplate("DATEDIFF($2, $1)"),
			partWeek:    parseTemplate("CAST(FLOOR((TO_DAYS($2) - 366) / 7) - FLOOR((TO_DAYS($1) - 366) / 7) AS BIGINT)"),
			partMonth:   parseTemplate("YEAR($2) * 12 + MONTH($2) - YEAR($1) * 12 - MONTH($1)"),
			partQuarter: parseTemplate("YEAR($2) * 4 + QUARTER($2) - YEAR($1) * 4 - QUARTER($1)"),
			partYear:    parseTemplate("YEAR($2) - YEAR($1)"),
		},
		timestamp: toTimestampTemplates(parseTemplate("CAST($1 AS "+timestamp+")"), template{}),
		shift: templatesForUnits("DATE_ADD($1, INTERVAL @2 {UNIT})").
			withPartTemplate(partQuarter, parseTemplate("DATE_ADD($1, INTERVAL (3 * @2) MONTH)")),
		datesAddAsNumbers: true,
		matches:           parseTemplate("@1 REGEXP @2"),
		format:            mysqlTimeFormat,
		decode:            printTimeCodeDecodeByRegexp,
	}
}

// starrocksDateDiffTemplate counts boundaries: TIMESTAMPDIFF counts whole spans.
func starrocksDateDiffTemplate(unit, trunc, timestamp string) template {
	return parseTemplate("TIMESTAMPDIFF(" + unit + ", DATE_TRUNC('" + trunc + "', CAST($1 AS " + timestamp + ")), DATE_TRUNC('" + trunc + "', CAST($2 AS " + timestamp + ")))")
}

var starrocksCalls = mysqlCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnAvg:                 doubleAggregateTemplates("AVG", 1),
	sqlexpr.FnApproxCountDistinct: aggregateCallTemplates("APPROX_COUNT_DISTINCT", 1),
	sqlexpr.FnApproxPercentile:    approxPercentileTemplates("PERCENTILE_APPROX"),
	sqlexpr.FnCovarPop:            standardCalls[sqlexpr.FnCovarPop],
	sqlexpr.FnCovarSamp:           standardCalls[sqlexpr.FnCovarSamp],
	sqlexpr.FnCorr:                standardCalls[sqlexpr.FnCorr],
	sqlexpr.FnCurrentTime:         nil,
	sqlexpr.FnRegexpLike:          newCallTemplates(mysqlRegexpLikeTemplate),
	sqlexpr.FnRegexpCount:         newCallTemplates(mysqlRegexpCountTemplate),
	sqlexpr.FnCurrentTimestamp:    newCallTemplates(parseTemplate("CURRENT_TIMESTAMP()")),
	sqlexpr.FnCurrentDate:         newCallTemplates(parseTemplate("CURRENT_DATE()")),
	// SPLIT_PART returns NULL if the string does not contain the delimiter, or has too
	// few parts.
	sqlexpr.FnSplitPart: newCallTemplates(parseTemplate("CASE WHEN $1 IS NULL THEN NULL WHEN LOCATE($2, $1) = 0 AND $3 IN (1, -1) THEN $1 " +
		"ELSE COALESCE(SPLIT_PART($1, $2, $3), '') END")),
	// There is no TRIM(BOTH x FROM y).
	sqlexpr.FnTrim:       mysqlTrimTemplatesWithCharacterForm("TRIM", "BOTH", parseTemplate("TRIM($1, $2)")),
	sqlexpr.FnLTrim:      mysqlTrimTemplatesWithCharacterForm("LTRIM", "LEADING", parseTemplate("LTRIM($1, $2)")),
	sqlexpr.FnRTrim:      mysqlTrimTemplatesWithCharacterForm("RTRIM", "TRAILING", parseTemplate("RTRIM($1, $2)")),
	sqlexpr.FnStartsWith: newCallTemplates(parseTemplate("STARTS_WITH($1, $2)")),
	sqlexpr.FnEndsWith:   newCallTemplates(parseTemplate("ENDS_WITH($1, $2)")),
	sqlexpr.FnRound:      standardCalls[sqlexpr.FnRound],
})
