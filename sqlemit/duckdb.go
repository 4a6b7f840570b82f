package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var duckdb = &Dialect{
	name: "duckdb",
	caps: Capabilities{FullJoin: true, GroupingSets: true, RangeFrames: true},
	ident: identStyle{
		quote: '"',
		reserved: words(`all analyse analyze and any array as asc asymmetric both case cast check collate column
			constraint create default deferrable desc describe distinct do else end except false fetch for foreign
			from grant group having in initially intersect into lambda lateral leading limit not null offset on only
			or order pivot pivot_longer pivot_wider placing primary qualify references returning select show some
			summarize symmetric table then to trailing true union unique unpivot using variadic when where window
			with`, `anti asof at authorization binary by collation columns concurrently cross freeze full generated
			glob ilike inner is isnull join left like map natural notnull outer overlaps positional right semi
			similar struct tablesample try_cast unpack verbose values`),
	},
	lit: literalStyle{
		date: "DATE ", clock: "TIME ", stamp: "TIMESTAMP ", zoned: "TIMESTAMPTZ ", zone: "+00:00",
	},
	like: likeStyle{ilike: true},
	sort: sortStyle{nullsLast: true},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "DECIMAL",
			sqlexpr.TypeFloat: "DOUBLE", sqlexpr.TypeString: "VARCHAR", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "TIMESTAMP", sqlexpr.TypeTimestampTZ: "TIMESTAMPTZ",
			sqlexpr.TypeInterval: "INTERVAL",
		},
		cast:    (*writer).castTo,
		cutText: true,
	},
	ops: operatorForms{
		divide:   op(precMul, "@1 / !2"),
		mod:      op(precMul, "@1 % !2"),
		concat:   op(precConcat, "@1 || @2"),
		same:     op(precCompare, "@1 IS NOT DISTINCT FROM @2"),
		differ:   op(precCompare, "@1 IS DISTINCT FROM @2"),
		joinSame: op(precCompare, "@1 IS NOT DISTINCT FROM @2"),
		isTrue:   op(precCompare, "@1 IS TRUE"),
		notTrue:  op(precCompare, "@1 IS NOT TRUE"),
		isFalse:  op(precCompare, "@1 IS FALSE"),
		notFalse: op(precCompare, "@1 IS NOT FALSE"),
	},
	time: timeForms{
		instant: perType{
			sqlexpr.TypeUnknown:     call("CAST($1 AS TIMESTAMP)"),
			sqlexpr.TypeString:      call("CAST($1 AS TIMESTAMP)"),
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
		// 0001-01-01 is a Monday before all dates in use, so that division
		// never meets a negative number.
		ordinal: [...]form{
			sqlexpr.GrainDay:     op(precAdd, "@1 - DATE '0001-01-01'"),
			sqlexpr.GrainWeek:    op(precMul, "(@1 - DATE '0001-01-01') // 7"),
			sqlexpr.GrainMonth:   op(precAdd, "YEAR($1) * 12 + MONTH($1)"),
			sqlexpr.GrainQuarter: op(precAdd, "YEAR($1) * 4 + QUARTER($1)"),
			sqlexpr.GrainYear:    call("YEAR($1)"),
		},
		trunc: [partCount]form{
			partSecond: call("DATE_TRUNC('second', $1)"), partMinute: call("DATE_TRUNC('minute', $1)"),
			partHour: call("DATE_TRUNC('hour', $1)"), partDay: call("CAST(DATE_TRUNC('day', $1) AS TIMESTAMP)"),
			partWeek: call("CAST(DATE_TRUNC('week', $1) AS TIMESTAMP)"), partMonth: call("CAST(DATE_TRUNC('month', $1) AS TIMESTAMP)"),
			partQuarter: call("CAST(DATE_TRUNC('quarter', $1) AS TIMESTAMP)"), partYear: call("CAST(DATE_TRUNC('year', $1) AS TIMESTAMP)"),
		},
		part: [partCount]form{
			partSecond: call("SECOND($1)"), partMinute: call("MINUTE($1)"), partHour: call("HOUR($1)"),
			partDay: call("DAY($1)"), partWeek: call("WEEK($1)"), partMonth: call("MONTH($1)"),
			partQuarter: call("QUARTER($1)"), partYear: call("YEAR($1)"),
			partDayOfYear: call("DAYOFYEAR($1)"), partDayOfWeek: call("DAYOFWEEK($1)"),
		},
		// DATEDIFF of weeks counts spans of seven days, not Mondays.
		diff: [partCount]form{
			partSecond:  call("DATEDIFF('second', CAST($1 AS TIMESTAMP), CAST($2 AS TIMESTAMP))"),
			partMinute:  call("DATEDIFF('minute', CAST($1 AS TIMESTAMP), CAST($2 AS TIMESTAMP))"),
			partHour:    call("DATEDIFF('hour', CAST($1 AS TIMESTAMP), CAST($2 AS TIMESTAMP))"),
			partDay:     call("DATEDIFF('day', CAST($1 AS DATE), CAST($2 AS DATE))"),
			partWeek:    op(precMul, "DATEDIFF('day', DATE_TRUNC('week', CAST($1 AS TIMESTAMP)), DATE_TRUNC('week', CAST($2 AS TIMESTAMP))) // 7"),
			partMonth:   call("DATEDIFF('month', CAST($1 AS DATE), CAST($2 AS DATE))"),
			partQuarter: call("DATEDIFF('quarter', CAST($1 AS DATE), CAST($2 AS DATE))"),
			partYear:    call("DATEDIFF('year', CAST($1 AS DATE), CAST($2 AS DATE))"),
		},
		moment: perType{sqlexpr.TypeString: call("CAST($1 AS TIMESTAMP)")},
		shift: [partCount]form{
			partSecond: op(precAdd, "@1 + TO_SECONDS($2)"), partMinute: op(precAdd, "@1 + TO_MINUTES(CAST($2 AS BIGINT))"),
			partHour: op(precAdd, "@1 + TO_HOURS(CAST($2 AS BIGINT))"), partDay: op(precAdd, "@1 + TO_DAYS(CAST($2 AS INTEGER))"),
			partWeek: op(precAdd, "@1 + TO_WEEKS(CAST($2 AS INTEGER))"), partMonth: op(precAdd, "@1 + TO_MONTHS(CAST($2 AS INTEGER))"),
			partQuarter: op(precAdd, "@1 + TO_QUARTERS(CAST($2 AS INTEGER))"), partYear: op(precAdd, "@1 + TO_YEARS(CAST($2 AS INTEGER))"),
		},
		matches: call("REGEXP_FULL_MATCH($1, $2)"),
		decode:  decodeByPattern,
		interval: func(w *writer, count string, p part) {
			w.text("INTERVAL '")
			w.text(count)
			w.byte('\'')
			w.byte(' ')
			w.text(intervalUnits[p])
		},
	},
	calls: standard.with(map[sqlexpr.Func][]callForm{
		// AVG is a double by itself.
		sqlexpr.FnAvg:      aggregate("AVG", 1),
		sqlexpr.FnTrim:     spelled(call("TRIM($1)"), call("TRIM($1, $2)")),
		sqlexpr.FnContains: spelled(call("CONTAINS($1, $2)")),
		sqlexpr.FnEndsWith: spelled(call("ENDS_WITH($1, $2)")),
		sqlexpr.FnPosition: spelled(call("STRPOS($2, $1)")),
	}),
}

var intervalUnits = [partCount]string{
	partSecond: "SECOND", partMinute: "MINUTE", partHour: "HOUR", partDay: "DAY",
	partWeek: "WEEK", partMonth: "MONTH", partQuarter: "QUARTER", partYear: "YEAR",
}
