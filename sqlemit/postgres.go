package sqlemit

import (
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

var postgres = &Dialect{
	name:    "postgres",
	aliases: []string{"postgresql", "greenplum", "hologres", "gaussdb", "dws", "cockroachdb"},
	caps:    Capabilities{FullJoin: true, GroupingSets: true, RangeFrames: true},
	ident:   identStyle{quote: '"', fold: foldLower, reserved: postgresWords},
	lit: literalStyle{
		date: "DATE ", clock: "TIME ", stamp: "TIMESTAMP ", zoned: "TIMESTAMP WITH TIME ZONE ", zone: "+00:00",
	},
	like:  likeStyle{backslash: true, ilike: true},
	sort:  sortStyle{nullsLast: true},
	types: typeStyle{names: postgresTypes, cast: postgresCast},
	ops: operatorForms{
		divide: op(precMul, "@1 / !2"),
		mod:    op(precMul, "CAST($1 AS NUMERIC) % !2"),
		concat: op(precConcat, "@1 || @2"),
		// || wants a text on one side at least.
		concatAny: op(precConcat, "CAST($1 AS TEXT) || @2"),
		same:      op(precCompare, "@1 IS NOT DISTINCT FROM @2"),
		differ:    op(precCompare, "@1 IS DISTINCT FROM @2"),
		// IS NOT DISTINCT FROM joins by nested loop only; arrays compare their
		// NULLs as equal, and can be hashed and sorted.
		joinSame: op(precCompare, "ARRAY[$1] = ARRAY[$2]"),
		isTrue:   op(precCompare, "@1 IS TRUE"),
		notTrue:  op(precCompare, "@1 IS NOT TRUE"),
		isFalse:  op(precCompare, "@1 IS FALSE"),
		notFalse: op(precCompare, "@1 IS NOT FALSE"),
		boolMin:  call("BOOL_AND($1)"),
		boolMax:  call("BOOL_OR($1)"),
	},
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
	bucket: [...]form{
		sqlexpr.GrainWeek:    call("CAST(DATE_TRUNC('week', $1) AS DATE)"),
		sqlexpr.GrainMonth:   call("CAST(DATE_TRUNC('month', $1) AS DATE)"),
		sqlexpr.GrainQuarter: call("CAST(DATE_TRUNC('quarter', $1) AS DATE)"),
		sqlexpr.GrainYear:    call("CAST(DATE_TRUNC('year', $1) AS DATE)"),
	},
	// 0001-01-01 is a Monday before all dates in use, so that division never
	// meets a negative number.
	ordinal: [...]form{
		sqlexpr.GrainDay:     op(precAdd, "@1 - DATE '0001-01-01'"),
		sqlexpr.GrainWeek:    op(precMul, "(@1 - DATE '0001-01-01') / 7"),
		sqlexpr.GrainMonth:   call("CAST(EXTRACT(YEAR FROM $1) * 12 + EXTRACT(MONTH FROM $1) AS INTEGER)"),
		sqlexpr.GrainQuarter: call("CAST(EXTRACT(YEAR FROM $1) * 4 + EXTRACT(QUARTER FROM $1) AS INTEGER)"),
		sqlexpr.GrainYear:    call("CAST(EXTRACT(YEAR FROM $1) AS INTEGER)"),
	},
	trunc: [partCount]form{
		partSecond: call("DATE_TRUNC('second', $1)"), partMinute: call("DATE_TRUNC('minute', $1)"),
		partHour: call("DATE_TRUNC('hour', $1)"), partDay: call("DATE_TRUNC('day', $1)"),
		partWeek: call("DATE_TRUNC('week', $1)"), partMonth: call("DATE_TRUNC('month', $1)"),
		partQuarter: call("DATE_TRUNC('quarter', $1)"), partYear: call("DATE_TRUNC('year', $1)"),
	},
	part: [partCount]form{
		partSecond: call("CAST(FLOOR(EXTRACT(SECOND FROM $1)) AS INTEGER)"), partMinute: call("CAST(EXTRACT(MINUTE FROM $1) AS INTEGER)"),
		partHour: call("CAST(EXTRACT(HOUR FROM $1) AS INTEGER)"), partDay: call("CAST(EXTRACT(DAY FROM $1) AS INTEGER)"),
		partWeek: call("CAST(EXTRACT(WEEK FROM $1) AS INTEGER)"), partMonth: call("CAST(EXTRACT(MONTH FROM $1) AS INTEGER)"),
		partQuarter: call("CAST(EXTRACT(QUARTER FROM $1) AS INTEGER)"), partYear: call("CAST(EXTRACT(YEAR FROM $1) AS INTEGER)"),
		partDayOfYear: call("CAST(EXTRACT(DOY FROM $1) AS INTEGER)"), partDayOfWeek: call("CAST(EXTRACT(DOW FROM $1) AS INTEGER)"),
	},
	diff: [partCount]form{
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
	shift: [partCount]form{
		partSecond: op(precAdd, "@1 + @2 * INTERVAL '1 second'"), partMinute: op(precAdd, "@1 + @2 * INTERVAL '1 minute'"),
		partHour: op(precAdd, "@1 + @2 * INTERVAL '1 hour'"), partDay: op(precAdd, "@1 + @2 * INTERVAL '1 day'"),
		partWeek: op(precAdd, "@1 + @2 * INTERVAL '7 day'"), partMonth: op(precAdd, "@1 + @2 * INTERVAL '1 month'"),
		partQuarter: op(precAdd, "@1 + @2 * INTERVAL '3 month'"), partYear: op(precAdd, "@1 + @2 * INTERVAL '1 year'"),
	},
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
