package sqlemit

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

var postgresTime = timeTemplates{
	// A plain date goes through TIMESTAMP, not through the TIMESTAMPTZ that
	// DATE_TRUNC would choose.
	instant: timestampTemplates(call("CAST($1 AS TIMESTAMP)"), op(precUnary, "@1 AT TIME ZONE 'UTC'")),
	day:     dayTemplates(call("CAST($1 AS DATE)"), call("CAST(@1 AT TIME ZONE 'UTC' AS DATE)")),
	bucket:  eachGrain("CAST(DATE_TRUNC('{unit}', $1) AS DATE)"),
	// 0001-01-01 is a Monday before all dates in use, so that division never
	// meets a negative number.
	ordinal: grainTemplates{
		sqlexpr.GrainDay:     op(precAdd, "@1 - DATE '0001-01-01'"),
		sqlexpr.GrainWeek:    op(precMul, "(@1 - DATE '0001-01-01') / 7"),
		sqlexpr.GrainMonth:   call("CAST(EXTRACT(YEAR FROM $1) * 12 + EXTRACT(MONTH FROM $1) AS INTEGER)"),
		sqlexpr.GrainQuarter: call("CAST(EXTRACT(YEAR FROM $1) * 4 + EXTRACT(QUARTER FROM $1) AS INTEGER)"),
		sqlexpr.GrainYear:    call("CAST(EXTRACT(YEAR FROM $1) AS INTEGER)"),
	},
	trunc: eachUnit(precPrimary, "DATE_TRUNC('{unit}', $1)"),
	// A century ends with its hundredth year: 2024 is in the one that began in 2001.
	otherTrunc: eachOther("DATE_TRUNC('{unit}', $1)", "millisecond", "microsecond", "decade", "century", "millennium"),
	part: eachUnit(precPrimary, "CAST(EXTRACT({UNIT} FROM $1) AS INTEGER)").
		with(partSecond, call("CAST(FLOOR(EXTRACT(SECOND FROM $1)) AS INTEGER)")).
		with(partDayOfYear, call("CAST(EXTRACT(DOY FROM $1) AS INTEGER)")).
		with(partDayOfWeek, call("CAST(EXTRACT(DOW FROM $1) AS INTEGER)")),
	diff: partTemplates{
		partSecond:  postgresElapsed("second", "1"),
		partMinute:  postgresElapsed("minute", "60"),
		partHour:    postgresElapsed("hour", "3600"),
		partDay:     op(precAdd, "CAST($2 AS DATE) - CAST($1 AS DATE)"),
		partWeek:    op(precMul, "(CAST($2 AS DATE) - DATE '0001-01-01') / 7 - (CAST($1 AS DATE) - DATE '0001-01-01') / 7"),
		partMonth:   postgresCounted(" * 12", "MONTH"),
		partQuarter: postgresCounted(" * 4", "QUARTER"),
		partYear:    call("CAST(EXTRACT(YEAR FROM CAST($2 AS TIMESTAMP)) - EXTRACT(YEAR FROM CAST($1 AS TIMESTAMP)) AS INTEGER)"),
	},
	timestamp: templatesByType{sqlexpr.TypeString: call("CAST($1 AS TIMESTAMP)")},
	shift: eachUnit(precAdd, "@1 + CAST($2 AS INTEGER) * INTERVAL '1 {unit}'").
		with(partQuarter, op(precAdd, "@1 + CAST($2 AS INTEGER) * INTERVAL '3 month'")),
	matches: op(precCompare, "@1 ~ @2"),
	decode:  decodeByPattern,
	interval: func(w *writer, count string, p part) {
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

// postgresElapsed counts boundaries of a part that has a fixed length.
func postgresElapsed(part, seconds string) template {
	return call("CAST((EXTRACT(EPOCH FROM DATE_TRUNC('" + part + "', CAST($2 AS TIMESTAMP))) - EXTRACT(EPOCH FROM DATE_TRUNC('" +
		part + "', CAST($1 AS TIMESTAMP)))) / " + seconds + " AS BIGINT)")
}

// postgresCounted counts boundaries of a part of the year.
func postgresCounted(perYear, part string) template {
	return call("CAST((EXTRACT(YEAR FROM CAST($2 AS TIMESTAMP)) - EXTRACT(YEAR FROM CAST($1 AS TIMESTAMP)))" + perYear +
		" + EXTRACT(" + part + " FROM CAST($2 AS TIMESTAMP)) - EXTRACT(" + part + " FROM CAST($1 AS TIMESTAMP)) AS INTEGER)")
}
