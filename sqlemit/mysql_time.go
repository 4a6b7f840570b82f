package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Values of type DATE come from MAKEDATE and from whole days added to a date;
// the date functions read the instant of any other operand.
var mysqlTimeTemplates = timeTemplates{
	day: toDayTemplates(parseTemplate("CAST($1 AS DATE)"), parseTemplate("CAST($1 AS DATE)")),
	bucket: grainTemplates{
		sqlexpr.GrainWeek:    parseTemplate("CAST($1 AS DATE) - INTERVAL WEEKDAY($1) DAY"),
		sqlexpr.GrainMonth:   parseTemplate("CAST(DATE_FORMAT($1, '%Y-%m-01') AS DATE)"),
		sqlexpr.GrainQuarter: parseTemplate("MAKEDATE(YEAR($1), 1) + INTERVAL (QUARTER($1) - 1) QUARTER"),
		sqlexpr.GrainYear:    parseTemplate("MAKEDATE(YEAR($1), 1)"),
	},
	ordinal: grainTemplates{
		sqlexpr.GrainDay:     parseTemplate("TO_DAYS($1)"),
		sqlexpr.GrainWeek:    parseTemplate("(TO_DAYS($1) - 366) DIV 7"),
		sqlexpr.GrainMonth:   parseTemplate("YEAR($1) * 12 + MONTH($1)"),
		sqlexpr.GrainQuarter: parseTemplate("YEAR($1) * 4 + QUARTER($1)"),
		sqlexpr.GrainYear:    parseTemplate("YEAR($1)"),
	},
	trunc: calendarPartTemplates{
		partSecond:  parseTemplate("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s') AS DATETIME)"),
		partMinute:  parseTemplate("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:%i:00') AS DATETIME)"),
		partHour:    parseTemplate("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:00:00') AS DATETIME)"),
		partDay:     parseTemplate("CAST(CAST($1 AS DATE) AS DATETIME)"),
		partWeek:    parseTemplate("CAST(CAST($1 AS DATE) - INTERVAL WEEKDAY($1) DAY AS DATETIME)"),
		partMonth:   parseTemplate("CAST(DATE_FORMAT($1, '%Y-%m-01') AS DATETIME)"),
		partQuarter: parseTemplate("CAST(MAKEDATE(YEAR($1), 1) + INTERVAL (QUARTER($1) - 1) QUARTER AS DATETIME)"),
		partYear:    parseTemplate("CAST(MAKEDATE(YEAR($1), 1) AS DATETIME)"),
	},
	otherTrunc: map[string]template{
		"millisecond": parseTemplate("CAST(LEFT(DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s.%f'), 23) AS DATETIME(6))"),
		"microsecond": parseTemplate("CAST($1 AS DATETIME(6))"),
		"decade":      parseTemplate("CAST(MAKEDATE(YEAR($1) DIV 10 * 10, 1) AS DATETIME)"),
		"century":     parseTemplate("CAST(MAKEDATE((YEAR($1) - 1) DIV 100 * 100 + 1, 1) AS DATETIME)"),
		"millennium":  parseTemplate("CAST(MAKEDATE((YEAR($1) - 1) DIV 1000 * 1000 + 1, 1) AS DATETIME)"),
	},
	part: calendarPartTemplates{
		partSecond: parseTemplate("SECOND($1)"), partMinute: parseTemplate("MINUTE($1)"), partHour: parseTemplate("HOUR($1)"),
		partDay: parseTemplate("DAYOFMONTH($1)"), partWeek: parseTemplate("WEEK($1, 3)"), partMonth: parseTemplate("MONTH($1)"),
		partQuarter: parseTemplate("QUARTER($1)"), partYear: parseTemplate("YEAR($1)"),
		partDayOfYear: parseTemplate("DAYOFYEAR($1)"), partDayOfWeek: parseTemplate("DAYOFWEEK($1) - 1"), partISODayOfWeek: parseTemplate("WEEKDAY($1) + 1"),
	},
	otherPart: mysqlDatePartTemplates,
	elapsed:   parseTemplate("TIMESTAMPDIFF(MICROSECOND, $1, $2) / 1e6"),
	diff: calendarPartTemplates{
		partSecond:  parseTemplate("TIMESTAMPDIFF(SECOND, DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s'), DATE_FORMAT($2, '%Y-%m-%d %H:%i:%s'))"),
		partMinute:  parseTemplate("TIMESTAMPDIFF(MINUTE, DATE_FORMAT($1, '%Y-%m-%d %H:%i:00'), DATE_FORMAT($2, '%Y-%m-%d %H:%i:00'))"),
		partHour:    parseTemplate("TIMESTAMPDIFF(HOUR, DATE_FORMAT($1, '%Y-%m-%d %H:00:00'), DATE_FORMAT($2, '%Y-%m-%d %H:00:00'))"),
		partDay:     parseTemplate("DATEDIFF($2, $1)"),
		partWeek:    parseTemplate("(TO_DAYS($2) - 366) DIV 7 - (TO_DAYS($1) - 366) DIV 7"),
		partMonth:   parseTemplate("PERIOD_DIFF(EXTRACT(YEAR_MONTH FROM $2), EXTRACT(YEAR_MONTH FROM $1))"),
		partQuarter: parseTemplate("YEAR($2) * 4 + QUARTER($2) - YEAR($1) * 4 - QUARTER($1)"),
		partYear:    parseTemplate("YEAR($2) - YEAR($1)"),
	},
	timestamp:         toTimestampTemplates(parseTemplate("CAST($1 AS DATETIME(6))"), template{}),
	shift:             templatesForUnits("@1 + INTERVAL @2 {UNIT}"),
	shiftKeepsDate:    true,
	datesAddAsNumbers: true,
	matches:           parseTemplate("@1 REGEXP @2"),
	format:            mysqlTimeFormat,
	decode:            printTimeCodeDecodeByRegexp,
}

// mysqlDatePartTemplates has what other engines call by these names, and the parts that
// only MySQL has.
var mysqlDatePartTemplates = func() map[string]template {
	parts := map[string]template{
		"isoyear": parseTemplate("YEARWEEK($1, 3) DIV 100"),
		// MySQL's own counts from the second, theirs from the minute.
		"microsecond": parseTemplate("SECOND($1) * 1000000 + MICROSECOND($1)"),
	}
	for p := range newWordSet(`second_microsecond minute_microsecond minute_second hour_microsecond hour_second
		hour_minute day_microsecond day_second day_minute day_hour year_month`) {
		parts[p] = parseTemplate("EXTRACT(" + p + " FROM $1)")
	}
	return parts
}()
