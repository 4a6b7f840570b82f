package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Values of type DATE come from MAKEDATE and from whole days added to a date;
// the date functions read the instant of any other operand.
var mysqlTimeTemplates = timeTemplates{
	day: dayTemplates(primaryTemplate("CAST($1 AS DATE)"), primaryTemplate("CAST($1 AS DATE)")),
	bucket: grainTemplates{
		sqlexpr.GrainWeek:    operatorTemplate(precAdd, "CAST($1 AS DATE) - INTERVAL WEEKDAY($1) DAY"),
		sqlexpr.GrainMonth:   primaryTemplate("CAST(DATE_FORMAT($1, '%Y-%m-01') AS DATE)"),
		sqlexpr.GrainQuarter: operatorTemplate(precAdd, "MAKEDATE(YEAR($1), 1) + INTERVAL (QUARTER($1) - 1) QUARTER"),
		sqlexpr.GrainYear:    primaryTemplate("MAKEDATE(YEAR($1), 1)"),
	},
	ordinal: grainTemplates{
		sqlexpr.GrainDay:     primaryTemplate("TO_DAYS($1)"),
		sqlexpr.GrainWeek:    operatorTemplate(precMul, "(TO_DAYS($1) - 366) DIV 7"),
		sqlexpr.GrainMonth:   operatorTemplate(precAdd, "YEAR($1) * 12 + MONTH($1)"),
		sqlexpr.GrainQuarter: operatorTemplate(precAdd, "YEAR($1) * 4 + QUARTER($1)"),
		sqlexpr.GrainYear:    primaryTemplate("YEAR($1)"),
	},
	trunc: partTemplates{
		partSecond:  primaryTemplate("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s') AS DATETIME)"),
		partMinute:  primaryTemplate("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:%i:00') AS DATETIME)"),
		partHour:    primaryTemplate("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:00:00') AS DATETIME)"),
		partDay:     primaryTemplate("CAST(CAST($1 AS DATE) AS DATETIME)"),
		partWeek:    primaryTemplate("CAST(CAST($1 AS DATE) - INTERVAL WEEKDAY($1) DAY AS DATETIME)"),
		partMonth:   primaryTemplate("CAST(DATE_FORMAT($1, '%Y-%m-01') AS DATETIME)"),
		partQuarter: primaryTemplate("CAST(MAKEDATE(YEAR($1), 1) + INTERVAL (QUARTER($1) - 1) QUARTER AS DATETIME)"),
		partYear:    primaryTemplate("CAST(MAKEDATE(YEAR($1), 1) AS DATETIME)"),
	},
	otherTrunc: map[string]template{
		"millisecond": primaryTemplate("CAST(LEFT(DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s.%f'), 23) AS DATETIME(6))"),
		"microsecond": primaryTemplate("CAST($1 AS DATETIME(6))"),
		"decade":      primaryTemplate("CAST(MAKEDATE(YEAR($1) DIV 10 * 10, 1) AS DATETIME)"),
		"century":     primaryTemplate("CAST(MAKEDATE((YEAR($1) - 1) DIV 100 * 100 + 1, 1) AS DATETIME)"),
		"millennium":  primaryTemplate("CAST(MAKEDATE((YEAR($1) - 1) DIV 1000 * 1000 + 1, 1) AS DATETIME)"),
	},
	part: partTemplates{
		partSecond: primaryTemplate("SECOND($1)"), partMinute: primaryTemplate("MINUTE($1)"), partHour: primaryTemplate("HOUR($1)"),
		partDay: primaryTemplate("DAYOFMONTH($1)"), partWeek: primaryTemplate("WEEK($1, 3)"), partMonth: primaryTemplate("MONTH($1)"),
		partQuarter: primaryTemplate("QUARTER($1)"), partYear: primaryTemplate("YEAR($1)"),
		partDayOfYear: primaryTemplate("DAYOFYEAR($1)"), partDayOfWeek: operatorTemplate(precAdd, "DAYOFWEEK($1) - 1"),
	},
	otherPart: mysqlDateParts,
	diff: partTemplates{
		partSecond:  primaryTemplate("TIMESTAMPDIFF(SECOND, DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s'), DATE_FORMAT($2, '%Y-%m-%d %H:%i:%s'))"),
		partMinute:  primaryTemplate("TIMESTAMPDIFF(MINUTE, DATE_FORMAT($1, '%Y-%m-%d %H:%i:00'), DATE_FORMAT($2, '%Y-%m-%d %H:%i:00'))"),
		partHour:    primaryTemplate("TIMESTAMPDIFF(HOUR, DATE_FORMAT($1, '%Y-%m-%d %H:00:00'), DATE_FORMAT($2, '%Y-%m-%d %H:00:00'))"),
		partDay:     primaryTemplate("DATEDIFF($2, $1)"),
		partWeek:    operatorTemplate(precAdd, "(TO_DAYS($2) - 366) DIV 7 - (TO_DAYS($1) - 366) DIV 7"),
		partMonth:   primaryTemplate("PERIOD_DIFF(EXTRACT(YEAR_MONTH FROM $2), EXTRACT(YEAR_MONTH FROM $1))"),
		partQuarter: operatorTemplate(precAdd, "YEAR($2) * 4 + QUARTER($2) - YEAR($1) * 4 - QUARTER($1)"),
		partYear:    operatorTemplate(precAdd, "YEAR($2) - YEAR($1)"),
	},
	timestamp:         timestampTemplates(primaryTemplate("CAST($1 AS DATETIME(6))"), template{}),
	shift:             eachUnit(precAdd, "@1 + INTERVAL @2 {UNIT}"),
	shiftKeepsDate:    true,
	datesAddAsNumbers: true,
	matches:           operatorTemplate(precCompare, "@1 REGEXP @2"),
	decode:            decodeByPattern,
}

// mysqlDateParts has what other engines call by these names, and the parts that
// only MySQL has.
var mysqlDateParts = func() map[string]template {
	parts := map[string]template{
		"isodow":  operatorTemplate(precAdd, "WEEKDAY($1) + 1"),
		"isoyear": operatorTemplate(precMul, "YEARWEEK($1, 3) DIV 100"),
		// MySQL's own counts from the second, theirs from the minute.
		"microsecond": operatorTemplate(precAdd, "SECOND($1) * 1000000 + MICROSECOND($1)"),
	}
	for p := range newWordSet(`second_microsecond minute_microsecond minute_second hour_microsecond hour_second
		hour_minute day_microsecond day_second day_minute day_hour year_month`) {
		parts[p] = primaryTemplate("EXTRACT(" + p + " FROM $1)")
	}
	return parts
}()
