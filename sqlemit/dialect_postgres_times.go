package sqlemit

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

var postgresTimeTemplates = timeTemplates{
	// A plain date goes through TIMESTAMP, not through the TIMESTAMPTZ that
	// DATE_TRUNC would choose.
	instant: timestampTemplates(primaryTemplate("CAST($1 AS TIMESTAMP)"), operatorTemplate(precUnary, "@1 AT TIME ZONE 'UTC'")),
	day:     dayTemplates(primaryTemplate("CAST($1 AS DATE)"), primaryTemplate("CAST(@1 AT TIME ZONE 'UTC' AS DATE)")),
	bucket:  eachGrain("CAST(DATE_TRUNC('{unit}', $1) AS DATE)"),
	// 0001-01-01 is a Monday before all dates in use, so that division never
	// meets a negative number.
	ordinal: grainTemplates{
		sqlexpr.GrainDay:     operatorTemplate(precAdd, "@1 - DATE '0001-01-01'"),
		sqlexpr.GrainWeek:    operatorTemplate(precMul, "(@1 - DATE '0001-01-01') / 7"),
		sqlexpr.GrainMonth:   primaryTemplate("CAST(EXTRACT(YEAR FROM $1) * 12 + EXTRACT(MONTH FROM $1) AS INTEGER)"),
		sqlexpr.GrainQuarter: primaryTemplate("CAST(EXTRACT(YEAR FROM $1) * 4 + EXTRACT(QUARTER FROM $1) AS INTEGER)"),
		sqlexpr.GrainYear:    primaryTemplate("CAST(EXTRACT(YEAR FROM $1) AS INTEGER)"),
	},
	trunc: eachUnit(precPrimary, "DATE_TRUNC('{unit}', $1)"),
	// A century ends with its hundredth year: 2024 is in the one that began in 2001.
	otherTrunc: unitTemplates("DATE_TRUNC('{unit}', $1)", "millisecond", "microsecond", "decade", "century", "millennium"),
	part: eachUnit(precPrimary, "CAST(EXTRACT({UNIT} FROM $1) AS INTEGER)").
		with(partSecond, primaryTemplate("CAST(FLOOR(EXTRACT(SECOND FROM $1)) AS INTEGER)")).
		with(partDayOfYear, primaryTemplate("CAST(EXTRACT(DOY FROM $1) AS INTEGER)")).
		with(partDayOfWeek, primaryTemplate("CAST(EXTRACT(DOW FROM $1) AS INTEGER)")),
	diff: partTemplates{
		partSecond:  postgresSecondDiff("second", "1"),
		partMinute:  postgresSecondDiff("minute", "60"),
		partHour:    postgresSecondDiff("hour", "3600"),
		partDay:     operatorTemplate(precAdd, "CAST($2 AS DATE) - CAST($1 AS DATE)"),
		partWeek:    operatorTemplate(precMul, "(CAST($2 AS DATE) - DATE '0001-01-01') / 7 - (CAST($1 AS DATE) - DATE '0001-01-01') / 7"),
		partMonth:   postgresMonthDiff(" * 12", "MONTH"),
		partQuarter: postgresMonthDiff(" * 4", "QUARTER"),
		partYear:    primaryTemplate("CAST(EXTRACT(YEAR FROM CAST($2 AS TIMESTAMP)) - EXTRACT(YEAR FROM CAST($1 AS TIMESTAMP)) AS INTEGER)"),
	},
	timestamp: templatesByType{sqlexpr.TypeString: primaryTemplate("CAST($1 AS TIMESTAMP)")},
	shift: eachUnit(precAdd, "@1 + CAST($2 AS INTEGER) * INTERVAL '1 {unit}'").
		with(partQuarter, operatorTemplate(precAdd, "@1 + CAST($2 AS INTEGER) * INTERVAL '3 month'")),
	matches: operatorTemplate(precCompare, "@1 ~ @2"),
	decode:  decodeByPattern,
	interval: func(w *writer, count string, p calendarPart) {
		if n, err := strconv.Atoi(count); err == nil && p == partQuarter {
			p, count = partMonth, strconv.Itoa(3*n)
		}
		w.text("INTERVAL '")
		w.text(count)
		w.byte(' ')
		w.text(partNames[p])
		w.byte('\'')
	},
}

// postgresSecondDiff counts boundaries of a part that has a fixed length.
func postgresSecondDiff(part, seconds string) template {
	return primaryTemplate("CAST((EXTRACT(EPOCH FROM DATE_TRUNC('" + part + "', CAST($2 AS TIMESTAMP))) - EXTRACT(EPOCH FROM DATE_TRUNC('" +
		part + "', CAST($1 AS TIMESTAMP)))) / " + seconds + " AS BIGINT)")
}

// postgresMonthDiff counts boundaries of a part of the year.
func postgresMonthDiff(perYear, part string) template {
	return primaryTemplate("CAST((EXTRACT(YEAR FROM CAST($2 AS TIMESTAMP)) - EXTRACT(YEAR FROM CAST($1 AS TIMESTAMP)))" + perYear +
		" + EXTRACT(" + part + " FROM CAST($2 AS TIMESTAMP)) - EXTRACT(" + part + " FROM CAST($1 AS TIMESTAMP)) AS INTEGER)")
}
