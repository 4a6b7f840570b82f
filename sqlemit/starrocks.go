package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// StarRocks and Doris come from one code base: MySQL's protocol and quoting
// over an engine of their own.
var starrocks = &Dialect{
	name: "starrocks",
	caps: Capabilities{
		FullJoin: true, GroupingSets: true,
		NoWindow: funcSet(sqlexpr.FnNthValue),
	},
	ident: identStyle{quote: '`', reserved: words(mysqlCommonWords, starrocksMoreWords)},
	lit:   starrocksLiterals,
	like:  likeStyle{backslash: true, fixed: true},
	sort:  sortStyle{nullsLast: true},
	types: starrocksTypes,
	ops:   starrocksOps,
	time:  starrocksTime,
	calls: starrocksCalls.with(map[sqlexpr.Func][]callForm{sqlexpr.FnNthValue: nil}),
}

const starrocksMoreWords = `array bitmap boolean catalog cube current_role datetime dense_rank except first_value full
	function grouping grouping_id groups hll intersect json largeint last_value lead lag lateral merge ntile of over
	partition percentile qualify rank returns row row_number rows system_user text timestamp except map struct window`

var starrocksLiterals = literalStyle{
	backslash: true,
	date:      keyword("DATE"),
	stamp:     conversion("CAST", " AS DATETIME"),
	zoned:     conversion("CAST", " AS DATETIME"),
}

var starrocksTypes = typeStyle{
	names: [...]string{
		sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "DECIMAL",
		sqlexpr.TypeFloat: "DOUBLE", sqlexpr.TypeString: "VARCHAR", sqlexpr.TypeDate: "DATE",
		sqlexpr.TypeTime: "", sqlexpr.TypeTimestamp: "DATETIME", sqlexpr.TypeTimestampTZ: "DATETIME",
		sqlexpr.TypeInterval: "",
	},
	cast:    conditionCast,
	cutText: true,
}

var starrocksOps = operatorForms{
	divide:   op(precMul, "<1 / !2"),
	mod:      op(precMul, "<1 % !2"),
	concat:   call("CONCAT($1, $2)"),
	same:     op(precCompare, "@1 <=> @2"),
	differ:   op(precNot, "NOT (@1 <=> @2)"),
	joinSame: op(precCompare, "@1 <=> @2"),
}.truthByCoalesce()

var starrocksTime = timeForms{
	instant: perType{
		sqlexpr.TypeUnknown: call("CAST($1 AS DATETIME)"),
		sqlexpr.TypeString:  call("CAST($1 AS DATETIME)"),
		sqlexpr.TypeDate:    call("CAST($1 AS DATETIME)"),
	},
	day: perType{
		sqlexpr.TypeUnknown:     call("CAST($1 AS DATE)"),
		sqlexpr.TypeString:      call("CAST($1 AS DATE)"),
		sqlexpr.TypeTimestamp:   call("CAST($1 AS DATE)"),
		sqlexpr.TypeTimestampTZ: call("CAST($1 AS DATE)"),
	},
	bucket: eachGrain("CAST(DATE_TRUNC('{unit}', $1) AS DATE)"),
	ordinal: grainForms{
		sqlexpr.GrainDay:     call("TO_DAYS($1)"),
		sqlexpr.GrainWeek:    call("CAST(FLOOR((TO_DAYS($1) - 366) / 7) AS BIGINT)"),
		sqlexpr.GrainMonth:   op(precAdd, "YEAR($1) * 12 + MONTH($1)"),
		sqlexpr.GrainQuarter: op(precAdd, "YEAR($1) * 4 + QUARTER($1)"),
		sqlexpr.GrainYear:    call("YEAR($1)"),
	},
	trunc: eachUnit(precPrimary, "DATE_TRUNC('{unit}', $1)"),
	part:  mysqlTime.part,
	diff: partForms{
		partSecond:  starrocksElapsed("SECOND", "second"),
		partMinute:  starrocksElapsed("MINUTE", "minute"),
		partHour:    starrocksElapsed("HOUR", "hour"),
		partDay:     call("DATEDIFF($2, $1)"),
		partWeek:    call("CAST(FLOOR((TO_DAYS($2) - 366) / 7) - FLOOR((TO_DAYS($1) - 366) / 7) AS BIGINT)"),
		partMonth:   op(precAdd, "YEAR($2) * 12 + MONTH($2) - YEAR($1) * 12 - MONTH($1)"),
		partQuarter: op(precAdd, "YEAR($2) * 4 + QUARTER($2) - YEAR($1) * 4 - QUARTER($1)"),
		partYear:    op(precAdd, "YEAR($2) - YEAR($1)"),
	},
	moment: perType{
		sqlexpr.TypeUnknown: call("CAST($1 AS DATETIME)"),
		sqlexpr.TypeString:  call("CAST($1 AS DATETIME)"),
		sqlexpr.TypeDate:    call("CAST($1 AS DATETIME)"),
	},
	shift: eachUnit(precPrimary, "DATE_ADD($1, INTERVAL @2 {UNIT})").
		but(partQuarter, call("DATE_ADD($1, INTERVAL (3 * @2) MONTH)")),
	asNumbers: true,
	matches:   op(precCompare, "@1 REGEXP @2"),
	decode:    decodeByPattern,
}

// starrocksElapsed counts boundaries: TIMESTAMPDIFF counts whole spans.
func starrocksElapsed(unit, trunc string) form {
	return call("TIMESTAMPDIFF(" + unit + ", DATE_TRUNC('" + trunc + "', CAST($1 AS DATETIME)), DATE_TRUNC('" + trunc + "', CAST($2 AS DATETIME)))")
}

var starrocksCalls = mysqlCalls.with(map[sqlexpr.Func][]callForm{
	sqlexpr.FnCovarPop:         standard[sqlexpr.FnCovarPop],
	sqlexpr.FnCovarSamp:        standard[sqlexpr.FnCovarSamp],
	sqlexpr.FnCorr:             standard[sqlexpr.FnCorr],
	sqlexpr.FnCurrentTimestamp: spelled(call("CURRENT_TIMESTAMP()")),
	sqlexpr.FnCurrentDate:      spelled(call("CURRENT_DATE()")),
	// A part that is not there is NULL by itself, not ''.
	sqlexpr.FnSplitPart:  spelled(call("CASE WHEN $1 IS NOT NULL THEN COALESCE(SPLIT_PART($1, $2, $3), '') END")),
	sqlexpr.FnStartsWith: spelled(call("STARTS_WITH($1, $2)")),
	sqlexpr.FnEndsWith:   spelled(call("ENDS_WITH($1, $2)")),
	sqlexpr.FnRound:      standard[sqlexpr.FnRound],
})
