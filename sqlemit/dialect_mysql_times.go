package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Values of type DATE come from MAKEDATE and from whole days added to a date;
// the date functions read the instant of any other operand.
var mysqlTime = timeTemplates{
	day: dayTemplates(call("CAST($1 AS DATE)"), call("CAST($1 AS DATE)")),
	bucket: grainTemplates{
		sqlexpr.GrainWeek:    op(precAdd, "CAST($1 AS DATE) - INTERVAL WEEKDAY($1) DAY"),
		sqlexpr.GrainMonth:   call("CAST(DATE_FORMAT($1, '%Y-%m-01') AS DATE)"),
		sqlexpr.GrainQuarter: op(precAdd, "MAKEDATE(YEAR($1), 1) + INTERVAL (QUARTER($1) - 1) QUARTER"),
		sqlexpr.GrainYear:    call("MAKEDATE(YEAR($1), 1)"),
	},
	ordinal: grainTemplates{
		sqlexpr.GrainDay:     call("TO_DAYS($1)"),
		sqlexpr.GrainWeek:    op(precMul, "(TO_DAYS($1) - 366) DIV 7"),
		sqlexpr.GrainMonth:   op(precAdd, "YEAR($1) * 12 + MONTH($1)"),
		sqlexpr.GrainQuarter: op(precAdd, "YEAR($1) * 4 + QUARTER($1)"),
		sqlexpr.GrainYear:    call("YEAR($1)"),
	},
	trunc: partTemplates{
		partSecond:  call("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s') AS DATETIME)"),
		partMinute:  call("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:%i:00') AS DATETIME)"),
		partHour:    call("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:00:00') AS DATETIME)"),
		partDay:     call("CAST(CAST($1 AS DATE) AS DATETIME)"),
		partWeek:    call("CAST(CAST($1 AS DATE) - INTERVAL WEEKDAY($1) DAY AS DATETIME)"),
		partMonth:   call("CAST(DATE_FORMAT($1, '%Y-%m-01') AS DATETIME)"),
		partQuarter: call("CAST(MAKEDATE(YEAR($1), 1) + INTERVAL (QUARTER($1) - 1) QUARTER AS DATETIME)"),
		partYear:    call("CAST(MAKEDATE(YEAR($1), 1) AS DATETIME)"),
	},
	otherTrunc: map[string]template{
		"millisecond": call("CAST(LEFT(DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s.%f'), 23) AS DATETIME(6))"),
		"microsecond": call("CAST($1 AS DATETIME(6))"),
		"decade":      call("CAST(MAKEDATE(YEAR($1) DIV 10 * 10, 1) AS DATETIME)"),
		"century":     call("CAST(MAKEDATE((YEAR($1) - 1) DIV 100 * 100 + 1, 1) AS DATETIME)"),
		"millennium":  call("CAST(MAKEDATE((YEAR($1) - 1) DIV 1000 * 1000 + 1, 1) AS DATETIME)"),
	},
	part: partTemplates{
		partSecond: call("SECOND($1)"), partMinute: call("MINUTE($1)"), partHour: call("HOUR($1)"),
		partDay: call("DAYOFMONTH($1)"), partWeek: call("WEEK($1, 3)"), partMonth: call("MONTH($1)"),
		partQuarter: call("QUARTER($1)"), partYear: call("YEAR($1)"),
		partDayOfYear: call("DAYOFYEAR($1)"), partDayOfWeek: op(precAdd, "DAYOFWEEK($1) - 1"),
	},
	otherPart: mysqlOtherPart,
	diff: partTemplates{
		partSecond:  call("TIMESTAMPDIFF(SECOND, DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s'), DATE_FORMAT($2, '%Y-%m-%d %H:%i:%s'))"),
		partMinute:  call("TIMESTAMPDIFF(MINUTE, DATE_FORMAT($1, '%Y-%m-%d %H:%i:00'), DATE_FORMAT($2, '%Y-%m-%d %H:%i:00'))"),
		partHour:    call("TIMESTAMPDIFF(HOUR, DATE_FORMAT($1, '%Y-%m-%d %H:00:00'), DATE_FORMAT($2, '%Y-%m-%d %H:00:00'))"),
		partDay:     call("DATEDIFF($2, $1)"),
		partWeek:    op(precAdd, "(TO_DAYS($2) - 366) DIV 7 - (TO_DAYS($1) - 366) DIV 7"),
		partMonth:   call("PERIOD_DIFF(EXTRACT(YEAR_MONTH FROM $2), EXTRACT(YEAR_MONTH FROM $1))"),
		partQuarter: op(precAdd, "YEAR($2) * 4 + QUARTER($2) - YEAR($1) * 4 - QUARTER($1)"),
		partYear:    op(precAdd, "YEAR($2) - YEAR($1)"),
	},
	timestamp:         timestampTemplates(call("CAST($1 AS DATETIME(6))"), template{}),
	shift:             eachUnit(precAdd, "@1 + INTERVAL @2 {UNIT}"),
	shiftKeepsDate:    true,
	datesAddAsNumbers: true,
	matches:           op(precCompare, "@1 REGEXP @2"),
	decode:            decodeByPattern,
}

// mysqlOtherPart has what other engines call by these names, and the parts that
// only MySQL has.
var mysqlOtherPart = func() map[string]template {
	parts := map[string]template{
		"isodow":  op(precAdd, "WEEKDAY($1) + 1"),
		"isoyear": op(precMul, "YEARWEEK($1, 3) DIV 100"),
		// MySQL's own counts from the second, theirs from the minute.
		"microsecond": op(precAdd, "SECOND($1) * 1000000 + MICROSECOND($1)"),
	}
	for p := range words(`second_microsecond minute_microsecond minute_second hour_microsecond hour_second
		hour_minute day_microsecond day_second day_minute day_hour year_month`) {
		parts[p] = call("EXTRACT(" + p + " FROM $1)")
	}
	return parts
}()
