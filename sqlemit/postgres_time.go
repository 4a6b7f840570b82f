package sqlemit

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

var postgresTimeTemplates = timeTemplates{
	// A plain date goes through TIMESTAMP, not through the TIMESTAMPTZ that
	// DATE_TRUNC would choose.
	instant: toTimestampTemplates(parseTemplate("CAST($1 AS TIMESTAMP)"), parseTemplate("@1 AT TIME ZONE 'UTC'")),
	day:     toDayTemplates(parseTemplate("CAST($1 AS DATE)"), parseTemplate("CAST(@1 AT TIME ZONE 'UTC' AS DATE)")),
	bucket:  templatesForGrains("CAST(DATE_TRUNC('{unit}', $1) AS DATE)"),
	// 0001-01-01 is a Monday before all dates in use, so that division never
	// meets a negative number.
	ordinal: grainTemplates{
		sqlexpr.GrainDay:     parseTemplate("@1 - DATE '0001-01-01'"),
		sqlexpr.GrainWeek:    parseTemplate("(@1 - DATE '0001-01-01') / 7"),
		sqlexpr.GrainMonth:   parseTemplate("CAST(EXTRACT(YEAR FROM $1) * 12 + EXTRACT(MONTH FROM $1) AS INTEGER)"),
		sqlexpr.GrainQuarter: parseTemplate("CAST(EXTRACT(YEAR FROM $1) * 4 + EXTRACT(QUARTER FROM $1) AS INTEGER)"),
		sqlexpr.GrainYear:    parseTemplate("CAST(EXTRACT(YEAR FROM $1) AS INTEGER)"),
	},
	trunc:      templatesForUnits("DATE_TRUNC('{unit}', $1)"),
	zone:       "CAST($1 AS TIMESTAMP WITH TIME ZONE) AT TIME ZONE '{zone}'",
	zonedTrunc: templatesForUnitsWithinDay("DATE_TRUNC('{unit}', CAST($1 AS TIMESTAMP WITH TIME ZONE) AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'"),
	// A century ends with its hundredth year: 2024 is in the one that began in 2001.
	otherTrunc: templatesForNamedUnits("DATE_TRUNC('{unit}', $1)", "millisecond", "microsecond", "decade", "century", "millennium"),
	part: templatesForUnits("CAST(EXTRACT({UNIT} FROM $1) AS INTEGER)").
		withPartTemplate(partSecond, parseTemplate("CAST(FLOOR(EXTRACT(SECOND FROM $1)) AS INTEGER)")).
		withPartTemplate(partDayOfYear, parseTemplate("CAST(EXTRACT(DOY FROM $1) AS INTEGER)")).
		withPartTemplate(partDayOfWeek, parseTemplate("CAST(EXTRACT(DOW FROM $1) AS INTEGER)")).
		withPartTemplate(partISODayOfWeek, parseTemplate("CAST(EXTRACT(ISODOW FROM $1) AS INTEGER)")),
	elapsed: parseTemplate("CAST(EXTRACT(EPOCH FROM CAST($2 AS TIMESTAMP) - CAST($1 AS TIMESTAMP)) AS DOUBLE PRECISION)"),
	diff: calendarPartTemplates{
		partSecond:  postgresFixedPartDiffTemplate("second", "1"),
		partMinute:  postgresFixedPartDiffTemplate("minute", "60"),
		partHour:    postgresFixedPartDiffTemplate("hour", "3600"),
		partDay:     parseTemplate("CAST($2 AS DATE) - CAST($1 AS DATE)"),
		partWeek:    parseTemplate("(CAST($2 AS DATE) - DATE '0001-01-01') / 7 - (CAST($1 AS DATE) - DATE '0001-01-01') / 7"),
		partMonth:   postgresYearPartDiffTemplate(" * 12", "MONTH"),
		partQuarter: postgresYearPartDiffTemplate(" * 4", "QUARTER"),
		partYear:    parseTemplate("CAST(EXTRACT(YEAR FROM CAST($2 AS TIMESTAMP)) - EXTRACT(YEAR FROM CAST($1 AS TIMESTAMP)) AS INTEGER)"),
	},
	timestamp: templatesByType{sqlexpr.TypeString: parseTemplate("CAST($1 AS TIMESTAMP)")},
	shift: templatesForUnits("@1 + CAST($2 AS INTEGER) * INTERVAL '1 {unit}'").
		withPartTemplate(partQuarter, parseTemplate("@1 + CAST($2 AS INTEGER) * INTERVAL '3 month'")),
	matches: parseTemplate("@1 ~ @2"),
	format:  postgresTimeFormat,
	decode:  printTimeCodeDecodeByRegexp,
	interval: func(w *writer, count string, p calendarPart) {
		if n, err := strconv.Atoi(count); err == nil && p == partQuarter {
			p, count = partMonth, strconv.Itoa(3*n)
		}
		w.appendText("INTERVAL '")
		w.appendText(count)
		w.appendByte(' ')
		w.appendText(calendarPartNames[p])
		w.appendByte('\'')
	},
}

// postgresFixedPartDiffTemplate counts boundaries of a part that has a fixed length.
func postgresFixedPartDiffTemplate(part, seconds string) template {
	return parseTemplate("CAST((EXTRACT(EPOCH FROM DATE_TRUNC('" + part + "', CAST($2 AS TIMESTAMP))) - EXTRACT(EPOCH FROM DATE_TRUNC('" +
		part + "', CAST($1 AS TIMESTAMP)))) / " + seconds + " AS BIGINT)")
}

// postgresYearPartDiffTemplate counts boundaries of a part of the year.
func postgresYearPartDiffTemplate(perYear, part string) template {
	return parseTemplate("CAST((EXTRACT(YEAR FROM CAST($2 AS TIMESTAMP)) - EXTRACT(YEAR FROM CAST($1 AS TIMESTAMP)))" + perYear +
		" + EXTRACT(" + part + " FROM CAST($2 AS TIMESTAMP)) - EXTRACT(" + part + " FROM CAST($1 AS TIMESTAMP)) AS INTEGER)")
}
