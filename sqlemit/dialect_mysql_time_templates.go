package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Values of type DATE come from MAKEDATE and from whole days added to a date;
// the date functions read the instant of any other operand.
var mysqlTimeTemplates = timeTemplates{
	day: toDayTemplates(parseTemplateOfPrimaryPrecedence("CAST($1 AS DATE)"), parseTemplateOfPrimaryPrecedence("CAST($1 AS DATE)")),
	bucket: grainTemplates{
		sqlexpr.GrainWeek:    parseOperatorTemplate(precAdd, "CAST($1 AS DATE) - INTERVAL WEEKDAY($1) DAY"),
		sqlexpr.GrainMonth:   parseTemplateOfPrimaryPrecedence("CAST(DATE_FORMAT($1, '%Y-%m-01') AS DATE)"),
		sqlexpr.GrainQuarter: parseOperatorTemplate(precAdd, "MAKEDATE(YEAR($1), 1) + INTERVAL (QUARTER($1) - 1) QUARTER"),
		sqlexpr.GrainYear:    parseTemplateOfPrimaryPrecedence("MAKEDATE(YEAR($1), 1)"),
	},
	ordinal: grainTemplates{
		sqlexpr.GrainDay:     parseTemplateOfPrimaryPrecedence("TO_DAYS($1)"),
		sqlexpr.GrainWeek:    parseOperatorTemplate(precMul, "(TO_DAYS($1) - 366) DIV 7"),
		sqlexpr.GrainMonth:   parseOperatorTemplate(precAdd, "YEAR($1) * 12 + MONTH($1)"),
		sqlexpr.GrainQuarter: parseOperatorTemplate(precAdd, "YEAR($1) * 4 + QUARTER($1)"),
		sqlexpr.GrainYear:    parseTemplateOfPrimaryPrecedence("YEAR($1)"),
	},
	trunc: calendarPartTemplates{
		partSecond:  parseTemplateOfPrimaryPrecedence("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s') AS DATETIME)"),
		partMinute:  parseTemplateOfPrimaryPrecedence("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:%i:00') AS DATETIME)"),
		partHour:    parseTemplateOfPrimaryPrecedence("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:00:00') AS DATETIME)"),
		partDay:     parseTemplateOfPrimaryPrecedence("CAST(CAST($1 AS DATE) AS DATETIME)"),
		partWeek:    parseTemplateOfPrimaryPrecedence("CAST(CAST($1 AS DATE) - INTERVAL WEEKDAY($1) DAY AS DATETIME)"),
		partMonth:   parseTemplateOfPrimaryPrecedence("CAST(DATE_FORMAT($1, '%Y-%m-01') AS DATETIME)"),
		partQuarter: parseTemplateOfPrimaryPrecedence("CAST(MAKEDATE(YEAR($1), 1) + INTERVAL (QUARTER($1) - 1) QUARTER AS DATETIME)"),
		partYear:    parseTemplateOfPrimaryPrecedence("CAST(MAKEDATE(YEAR($1), 1) AS DATETIME)"),
	},
	otherTrunc: map[string]template{
		"millisecond": parseTemplateOfPrimaryPrecedence("CAST(LEFT(DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s.%f'), 23) AS DATETIME(6))"),
		"microsecond": parseTemplateOfPrimaryPrecedence("CAST($1 AS DATETIME(6))"),
		"decade":      parseTemplateOfPrimaryPrecedence("CAST(MAKEDATE(YEAR($1) DIV 10 * 10, 1) AS DATETIME)"),
		"century":     parseTemplateOfPrimaryPrecedence("CAST(MAKEDATE((YEAR($1) - 1) DIV 100 * 100 + 1, 1) AS DATETIME)"),
		"millennium":  parseTemplateOfPrimaryPrecedence("CAST(MAKEDATE((YEAR($1) - 1) DIV 1000 * 1000 + 1, 1) AS DATETIME)"),
	},
	part: calendarPartTemplates{
		partSecond: parseTemplateOfPrimaryPrecedence("SECOND($1)"), partMinute: parseTemplateOfPrimaryPrecedence("MINUTE($1)"), partHour: parseTemplateOfPrimaryPrecedence("HOUR($1)"),
		partDay: parseTemplateOfPrimaryPrecedence("DAYOFMONTH($1)"), partWeek: parseTemplateOfPrimaryPrecedence("WEEK($1, 3)"), partMonth: parseTemplateOfPrimaryPrecedence("MONTH($1)"),
		partQuarter: parseTemplateOfPrimaryPrecedence("QUARTER($1)"), partYear: parseTemplateOfPrimaryPrecedence("YEAR($1)"),
		partDayOfYear: parseTemplateOfPrimaryPrecedence("DAYOFYEAR($1)"), partDayOfWeek: parseOperatorTemplate(precAdd, "DAYOFWEEK($1) - 1"),
	},
	otherPart: mysqlDatePartTemplates,
	diff: calendarPartTemplates{
		partSecond:  parseTemplateOfPrimaryPrecedence("TIMESTAMPDIFF(SECOND, DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s'), DATE_FORMAT($2, '%Y-%m-%d %H:%i:%s'))"),
		partMinute:  parseTemplateOfPrimaryPrecedence("TIMESTAMPDIFF(MINUTE, DATE_FORMAT($1, '%Y-%m-%d %H:%i:00'), DATE_FORMAT($2, '%Y-%m-%d %H:%i:00'))"),
		partHour:    parseTemplateOfPrimaryPrecedence("TIMESTAMPDIFF(HOUR, DATE_FORMAT($1, '%Y-%m-%d %H:00:00'), DATE_FORMAT($2, '%Y-%m-%d %H:00:00'))"),
		partDay:     parseTemplateOfPrimaryPrecedence("DATEDIFF($2, $1)"),
		partWeek:    parseOperatorTemplate(precAdd, "(TO_DAYS($2) - 366) DIV 7 - (TO_DAYS($1) - 366) DIV 7"),
		partMonth:   parseTemplateOfPrimaryPrecedence("PERIOD_DIFF(EXTRACT(YEAR_MONTH FROM $2), EXTRACT(YEAR_MONTH FROM $1))"),
		partQuarter: parseOperatorTemplate(precAdd, "YEAR($2) * 4 + QUARTER($2) - YEAR($1) * 4 - QUARTER($1)"),
		partYear:    parseOperatorTemplate(precAdd, "YEAR($2) - YEAR($1)"),
	},
	timestamp:         toTimestampTemplates(parseTemplateOfPrimaryPrecedence("CAST($1 AS DATETIME(6))"), template{}),
	shift:             templatesForUnits(precAdd, "@1 + INTERVAL @2 {UNIT}"),
	shiftKeepsDate:    true,
	datesAddAsNumbers: true,
	matches:           parseOperatorTemplate(precCompare, "@1 REGEXP @2"),
	decode:            printTimeCodeDecodeByRegexp,
}

// mysqlDatePartTemplates has what other engines call by these names, and the parts that
// only MySQL has.
var mysqlDatePartTemplates = func() map[string]template {
	parts := map[string]template{
		"isodow":  parseOperatorTemplate(precAdd, "WEEKDAY($1) + 1"),
		"isoyear": parseOperatorTemplate(precMul, "YEARWEEK($1, 3) DIV 100"),
		// MySQL's own counts from the second, theirs from the minute.
		"microsecond": parseOperatorTemplate(precAdd, "SECOND($1) * 1000000 + MICROSECOND($1)"),
	}
	for p := range newWordSet(`second_microsecond minute_microsecond minute_second hour_microsecond hour_second
		hour_minute day_microsecond day_second day_minute day_hour year_month`) {
		parts[p] = parseTemplateOfPrimaryPrecedence("EXTRACT(" + p + " FROM $1)")
	}
	return parts
}()
