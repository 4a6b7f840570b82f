package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// StarRocks and Doris come from one code base: MySQL's protocol and quoting
// over a different engine.
// halfInt64 is a LIMIT that no result reaches and to which an OFFSET can be added in 64 bits.
const halfInt64 = "4611686018427387904"

var starrocks = &Dialect{
	name: "starrocks",
	caps: plan.Capabilities{
		NoRangeFrames: true,
		NoWindow:      plan.NewFuncSet(sqlexpr.FnNthValue),
	},
	ident: identStyle{quote: '`', alwaysQuotes: true},
	lit:   starrocksLiterals("DATETIME"),
	like:  likeStyle{backslashEscapes: true, noEscapeClause: true},
	sort:  sortStyle{nullsLast: true},
	limit: limitStyle{unlimited: halfInt64, needsOrder: true},
	types: starrocksTypeStyle("DATETIME"),
	ops:   starrocksOps,
	time:  starrocksTimeTemplates("DATETIME"),
	calls: starrocksCalls.with(map[sqlexpr.Func][]callTemplate{sqlexpr.FnNthValue: nil}),
}

// The name of the type of timestamps differs: DATETIME keeps microseconds here, and
// whole seconds in Doris.
func starrocksLiterals(timestamp string) literalStyle {
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
		cast:    roundingCast,
		cutText: "LEFT",
	}
}

var starrocksOps = operatorTemplates{
	divide:   operatorTemplate(precMul, "<1 / !2"),
	mod:      operatorTemplate(precMul, "<1 % !2"),
	concat:   primaryTemplate("CONCAT($1, $2)"),
	same:     operatorTemplate(precCompare, "@1 <=> @2"),
	differ:   operatorTemplate(precNot, "NOT (@1 <=> @2)"),
	joinSame: operatorTemplate(precCompare, "@1 <=> @2"),
}.truthByCoalesce()

func starrocksTimeTemplates(timestamp string) timeTemplates {
	return timeTemplates{
		instant: timestampTemplates(primaryTemplate("CAST($1 AS "+timestamp+")"), template{}),
		day:     dayTemplates(primaryTemplate("CAST($1 AS DATE)"), primaryTemplate("CAST($1 AS DATE)")),
		bucket:  eachGrain("CAST(DATE_TRUNC('{unit}', $1) AS DATE)"),
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     primaryTemplate("TO_DAYS($1)"),
			sqlexpr.GrainWeek:    primaryTemplate("CAST(FLOOR((TO_DAYS($1) - 366) / 7) AS BIGINT)"),
			sqlexpr.GrainMonth:   operatorTemplate(precAdd, "YEAR($1) * 12 + MONTH($1)"),
			sqlexpr.GrainQuarter: operatorTemplate(precAdd, "YEAR($1) * 4 + QUARTER($1)"),
			sqlexpr.GrainYear:    primaryTemplate("YEAR($1)"),
		},
		trunc:      eachUnit(precPrimary, "DATE_TRUNC('{unit}', $1)"),
		otherTrunc: unitTemplates("DATE_TRUNC('{unit}', $1)", "millisecond", "microsecond"),
		part:       mysqlTimeTemplates.part,
		otherPart: map[string]template{
			"isodow":  operatorTemplate(precAdd, "(DAYOFWEEK($1) + 5) % 7 + 1"),
			"isoyear": primaryTemplate("YEAR(DATE_ADD(CAST($1 AS DATE), INTERVAL (3 - (DAYOFWEEK($1) + 5) % 7) DAY))"),
		},
		diff: partTemplates{
			partSecond:  starrocksElapsed("SECOND", "second", timestamp),
			partMinute:  starrocksElapsed("MINUTE", "minute", timestamp),
			partHour:    starrocksElapsed("HOUR", "hour", timestamp),
			partDay:     primaryTemplate("DATEDIFF($2, $1)"),
			partWeek:    primaryTemplate("CAST(FLOOR((TO_DAYS($2) - 366) / 7) - FLOOR((TO_DAYS($1) - 366) / 7) AS BIGINT)"),
			partMonth:   operatorTemplate(precAdd, "YEAR($2) * 12 + MONTH($2) - YEAR($1) * 12 - MONTH($1)"),
			partQuarter: operatorTemplate(precAdd, "YEAR($2) * 4 + QUARTER($2) - YEAR($1) * 4 - QUARTER($1)"),
			partYear:    operatorTemplate(precAdd, "YEAR($2) - YEAR($1)"),
		},
		timestamp: timestampTemplates(primaryTemplate("CAST($1 AS "+timestamp+")"), template{}),
		shift: eachUnit(precPrimary, "DATE_ADD($1, INTERVAL @2 {UNIT})").
			with(partQuarter, primaryTemplate("DATE_ADD($1, INTERVAL (3 * @2) MONTH)")),
		datesAddAsNumbers: true,
		matches:           operatorTemplate(precCompare, "@1 REGEXP @2"),
		decode:            decodeByPattern,
	}
}

// starrocksElapsed counts boundaries: TIMESTAMPDIFF counts whole spans.
func starrocksElapsed(unit, trunc, timestamp string) template {
	return primaryTemplate("TIMESTAMPDIFF(" + unit + ", DATE_TRUNC('" + trunc + "', CAST($1 AS " + timestamp + ")), DATE_TRUNC('" + trunc + "', CAST($2 AS " + timestamp + ")))")
}

var starrocksCalls = mysqlCalls.with(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnCovarPop:         standard[sqlexpr.FnCovarPop],
	sqlexpr.FnCovarSamp:        standard[sqlexpr.FnCovarSamp],
	sqlexpr.FnCorr:             standard[sqlexpr.FnCorr],
	sqlexpr.FnCurrentTimestamp: callTemplates(primaryTemplate("CURRENT_TIMESTAMP()")),
	sqlexpr.FnCurrentDate:      callTemplates(primaryTemplate("CURRENT_DATE()")),
	// SPLIT_PART returns NULL if the string does not contain the delimiter, or has too
	// few parts.
	sqlexpr.FnSplitPart: callTemplates(primaryTemplate("CASE WHEN $1 IS NULL THEN NULL WHEN LOCATE($2, $1) = 0 AND $3 IN (1, -1) THEN $1 " +
		"ELSE COALESCE(SPLIT_PART($1, $2, $3), '') END")),
	// There is no TRIM(BOTH x FROM y).
	sqlexpr.FnTrim:       trimCharacters("TRIM", "BOTH", primaryTemplate("TRIM($1, $2)")),
	sqlexpr.FnLTrim:      trimCharacters("LTRIM", "LEADING", primaryTemplate("LTRIM($1, $2)")),
	sqlexpr.FnRTrim:      trimCharacters("RTRIM", "TRAILING", primaryTemplate("RTRIM($1, $2)")),
	sqlexpr.FnStartsWith: callTemplates(primaryTemplate("STARTS_WITH($1, $2)")),
	sqlexpr.FnEndsWith:   callTemplates(primaryTemplate("ENDS_WITH($1, $2)")),
	sqlexpr.FnRound:      standard[sqlexpr.FnRound],
})
