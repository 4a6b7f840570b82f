package sqlemit

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

var postgres = &Dialect{
	name:    "postgres",
	aliases: []string{"postgresql", "greenplum", "hologres", "gaussdb", "dws", "cockroachdb"},
	ident:   identStyle{quote: '"', limit: 63, fold: foldLower, reserved: postgresWords},
	lit: literalStyle{
		date: keyword("DATE"), clock: keyword("TIME"), stamp: keyword("TIMESTAMP"),
		zoned: around{"TIMESTAMP WITH TIME ZONE '", "+00:00'"},
	},
	like:  likeStyle{backslash: true, ilike: true},
	sort:  sortStyle{nullsLast: true},
	types: typeStyle{names: postgresTypes, cast: postgresCast},
	ops: operatorForms{
		divide: op(precMul, "<1 / !2"),
		mod:    op(precMul, "CAST($1 AS NUMERIC) % !2"),
		modAny: op(precMul, "CAST($1 AS NUMERIC) % NULLIF(CAST($2 AS NUMERIC), 0)"),
		concat: op(precConcat, "<1 || @2"),
		// || wants a text on one side at least.
		concatAny: op(precConcat, "CAST($1 AS TEXT) || @2"),
		// IS NOT DISTINCT FROM joins by nested loop only; arrays compare their
		// NULLs as equal, and can be hashed and sorted.
		joinSame: op(precCompare, "ARRAY[$1] = ARRAY[$2]"),
		boolMin:  call("BOOL_AND($1)"),
		boolMax:  call("BOOL_OR($1)"),
	}.plainSame().plainTruth(),
	time:  postgresTime,
	calls: postgresCalls,
	union: unionStyle{pairwise: true},
}

var postgresWords = words(`all analyse analyze and any array as asc asymmetric authorization binary both case cast
	check collate collation column concurrently constraint create cross current_catalog current_date current_role
	current_schema current_time current_timestamp current_user default deferrable desc distinct do else end except
	false fetch for foreign freeze from full grant group having ilike in initially inner intersect into is isnull join
	lateral leading left like limit localtime localtimestamp natural not notnull null offset on only or order outer
	overlaps placing primary references returning right select session_user similar some symmetric system_user table
	tablesample then to trailing true union unique user using variadic verbose when where window with`)

var postgresTypes = [...]string{
	sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "NUMERIC",
	sqlexpr.TypeFloat: "DOUBLE PRECISION", sqlexpr.TypeString: "VARCHAR", sqlexpr.TypeDate: "DATE",
	sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "TIMESTAMP", sqlexpr.TypeTimestampTZ: "TIMESTAMP WITH TIME ZONE",
	sqlexpr.TypeInterval: "INTERVAL",
}

var postgresTime = timeForms{
	// A plain date goes through TIMESTAMP, not through the TIMESTAMPTZ that
	// DATE_TRUNC would choose.
	instant: perType{
		sqlexpr.TypeUnknown:     call("CAST($1 AS TIMESTAMP)"),
		sqlexpr.TypeString:      call("CAST($1 AS TIMESTAMP)"),
		sqlexpr.TypeDate:        call("CAST($1 AS TIMESTAMP)"),
		sqlexpr.TypeTimestampTZ: op(precUnary, "@1 AT TIME ZONE 'UTC'"),
	},
	day: perType{
		sqlexpr.TypeUnknown:     call("CAST($1 AS DATE)"),
		sqlexpr.TypeString:      call("CAST($1 AS DATE)"),
		sqlexpr.TypeTimestamp:   call("CAST($1 AS DATE)"),
		sqlexpr.TypeTimestampTZ: call("CAST(@1 AT TIME ZONE 'UTC' AS DATE)"),
	},
	bucket: eachGrain("CAST(DATE_TRUNC('{unit}', $1) AS DATE)"),
	// 0001-01-01 is a Monday before all dates in use, so that division never
	// meets a negative number.
	ordinal: grainForms{
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
		but(partSecond, call("CAST(FLOOR(EXTRACT(SECOND FROM $1)) AS INTEGER)")).
		but(partDayOfYear, call("CAST(EXTRACT(DOY FROM $1) AS INTEGER)")).
		but(partDayOfWeek, call("CAST(EXTRACT(DOW FROM $1) AS INTEGER)")),
	diff: partForms{
		partSecond:  postgresElapsed("second", "1"),
		partMinute:  postgresElapsed("minute", "60"),
		partHour:    postgresElapsed("hour", "3600"),
		partDay:     op(precAdd, "CAST($2 AS DATE) - CAST($1 AS DATE)"),
		partWeek:    op(precMul, "(CAST($2 AS DATE) - DATE '0001-01-01') / 7 - (CAST($1 AS DATE) - DATE '0001-01-01') / 7"),
		partMonth:   postgresCounted(" * 12", "MONTH"),
		partQuarter: postgresCounted(" * 4", "QUARTER"),
		partYear:    call("CAST(EXTRACT(YEAR FROM CAST($2 AS TIMESTAMP)) - EXTRACT(YEAR FROM CAST($1 AS TIMESTAMP)) AS INTEGER)"),
	},
	moment: perType{sqlexpr.TypeString: call("CAST($1 AS TIMESTAMP)")},
	shift: eachUnit(precAdd, "@1 + CAST($2 AS INTEGER) * INTERVAL '1 {unit}'").
		but(partQuarter, op(precAdd, "@1 + CAST($2 AS INTEGER) * INTERVAL '3 month'")),
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
func postgresElapsed(part, seconds string) form {
	return call("CAST((EXTRACT(EPOCH FROM DATE_TRUNC('" + part + "', CAST($2 AS TIMESTAMP))) - EXTRACT(EPOCH FROM DATE_TRUNC('" +
		part + "', CAST($1 AS TIMESTAMP)))) / " + seconds + " AS BIGINT)")
}

// postgresCounted counts boundaries of a part of the year.
func postgresCounted(perYear, part string) form {
	return call("CAST((EXTRACT(YEAR FROM CAST($2 AS TIMESTAMP)) - EXTRACT(YEAR FROM CAST($1 AS TIMESTAMP)))" + perYear +
		" + EXTRACT(" + part + " FROM CAST($2 AS TIMESTAMP)) - EXTRACT(" + part + " FROM CAST($1 AS TIMESTAMP)) AS INTEGER)")
}

// ROUND and TRUNC to a number of digits, and %, exist for NUMERIC only.
var postgresCalls = standard.with(map[sqlexpr.Func][]callForm{
	sqlexpr.FnRound: spelled(call("ROUND(CAST($1 AS NUMERIC))"), call("ROUND(CAST($1 AS NUMERIC), $2)")),
	sqlexpr.FnTrunc: spelled(call("TRUNC(CAST($1 AS NUMERIC))"), call("TRUNC(CAST($1 AS NUMERIC), $2)")),
})

// postgresCast knows that a condition casts to INTEGER alone.
func postgresCast(w *writer, c *sqlexpr.Cast, min prec) {
	if c.To.Type.IsNumeric() && w.typeOf(c.X) == sqlexpr.TypeBool {
		c = &sqlexpr.Cast{X: &sqlexpr.Cast{X: c.X, To: sqlexpr.TypeName{Name: "INTEGER"}}, To: c.To}
	}
	w.castTo(c, min)
}
