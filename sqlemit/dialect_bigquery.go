package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

var bigquery = &Dialect{
	name: "bigquery",
	caps: plan.Capabilities{ZonesApart: true},
	ident: identStyle{quote: '`', escape: '\\', reserved: words(`all and any array as asc assert_rows_modified at
		between by case cast collate contains create cross cube current default define desc distinct else end enum
		escape except exclude exists extract false fetch following for from full graph_table group grouping groups
		hash having if ignore in inner intersect interval into is join lateral left like limit lookup merge natural
		new no not null nulls of on or order outer over partition preceding proto qualify range recursive respect
		right rollup rows select set some struct tablesample then to treat true unbounded union unnest using when
		where window with within`),
		label: bigqueryLabel,
	},
	lit: literalStyle{
		backslashEscapes: true, quoteByBackslash: true, newlineEscapes: true, wide: keywordAffixes("BIGNUMERIC"),
		date: keywordAffixes("DATE"), clock: keywordAffixes("TIME"), stamp: keywordAffixes("DATETIME"), zoned: affixes{"TIMESTAMP '", "+00:00'"},
	},
	like: likeStyle{backslashEscapes: true, noEscapeClause: true},
	sort: sortStyle{nullsLast: true, rangeWithoutNullsLast: true},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOL", sqlexpr.TypeInt: "INT64", sqlexpr.TypeDecimal: "BIGNUMERIC",
			sqlexpr.TypeFloat: "FLOAT64", sqlexpr.TypeString: "STRING", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "DATETIME", sqlexpr.TypeTimestampTZ: "TIMESTAMP",
			sqlexpr.TypeInterval: "INTERVAL",
		},
		cast:    bigqueryCast,
		cutText: "LEFT",
	},
	ops: operatorTemplates{
		divide: op(precMul, "<1 / !2"),
		mod:    call("MOD($1, !2)"),
		// MOD has no doubles.
		modAny: call("MOD(CAST($1 AS BIGNUMERIC), CAST(!2 AS BIGNUMERIC))"), modNegativeZero: true,
		concat: op(precConcat, "~1 || ~2"),
		// An outer join needs an equality; equal JSON texts include the null of
		// both sides.
		joinSame: op(precCompare, "TO_JSON_STRING($1) = TO_JSON_STRING($2)"),
	}.plainTruth().plainSame(),
	time: timeTemplates{
		instant: timestampTemplates(call("CAST($1 AS DATETIME)"), call("DATETIME($1, 'UTC')")),
		day:     dayTemplates(call("CAST($1 AS DATE)"), call("DATE($1, 'UTC')")),
		bucket: eachGrain("DATE(DATETIME_TRUNC($1, {UNIT}))").
			with(sqlexpr.GrainWeek, call("DATE(DATETIME_TRUNC($1, ISOWEEK))")),
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     call("DATE_DIFF($1, DATE '0001-01-01', DAY)"),
			sqlexpr.GrainWeek:    call("DIV(DATE_DIFF($1, DATE '0001-01-01', DAY), 7)"),
			sqlexpr.GrainMonth:   op(precAdd, "EXTRACT(YEAR FROM $1) * 12 + EXTRACT(MONTH FROM $1)"),
			sqlexpr.GrainQuarter: op(precAdd, "EXTRACT(YEAR FROM $1) * 4 + EXTRACT(QUARTER FROM $1)"),
			sqlexpr.GrainYear:    call("EXTRACT(YEAR FROM $1)"),
		},
		trunc: eachUnit(precPrimary, "DATETIME_TRUNC($1, {UNIT})").
			with(partWeek, call("DATETIME_TRUNC($1, ISOWEEK)")),
		otherTrunc: eachOther("DATETIME_TRUNC($1, {UNIT})", "millisecond", "microsecond", "isoyear"),
		part: eachUnit(precPrimary, "EXTRACT({UNIT} FROM $1)").
			with(partWeek, call("EXTRACT(ISOWEEK FROM $1)")).
			with(partDayOfYear, call("EXTRACT(DAYOFYEAR FROM $1)")).
			with(partDayOfWeek, op(precAdd, "EXTRACT(DAYOFWEEK FROM $1) - 1")),
		diff: eachUnit(precPrimary, "DATETIME_DIFF(CAST($2 AS DATETIME), CAST($1 AS DATETIME), {UNIT})").
			with(partWeek, call("DATETIME_DIFF(CAST($2 AS DATETIME), CAST($1 AS DATETIME), ISOWEEK)")),
		timestamp: timestampTemplates(call("CAST($1 AS DATETIME)"), call("DATETIME($1, 'UTC')")),
		shift:     eachUnit(precPrimary, "DATETIME_ADD($1, INTERVAL @2 {UNIT})"),
		otherPart: bigqueryOtherPart,
		matches:   call("REGEXP_CONTAINS($1, $2)"),
		decode:    decodeByPattern,
	},
	calls: standard.with(map[sqlexpr.Func][]callTemplate{
		sqlexpr.FnCurrentDate:      callTemplates(call("CURRENT_DATE('UTC')")),
		sqlexpr.FnCurrentTimestamp: callTemplates(call("CURRENT_TIMESTAMP()")),
		sqlexpr.FnConcat:           concatTexts,
		sqlexpr.FnTrim:             callTemplates(call("TRIM($1)"), call("TRIM($1, $2)")),
		sqlexpr.FnSplitPart:        callTemplates(call("CASE WHEN $1 IS NOT NULL THEN COALESCE(SPLIT($1, $2)[SAFE_ORDINAL($3)], '') END")),
		sqlexpr.FnEndsWith:         callTemplates(call("ENDS_WITH($1, $2)")),
		sqlexpr.FnLog:              callTemplates(call("LOG10($1)"), op(precMul, "LN($2) / NULLIF(LN($1), 0)")),
		sqlexpr.FnGreatest:         extremeCall("GREATEST"),
		sqlexpr.FnLeast:            extremeCall("LEAST"),
		sqlexpr.FnCorr:             bigqueryCorr,
	}),
	window:                bigqueryWindow,
	union:                 unionStyle{prepare: bigqueryUnion},
	rewrite:               bigqueryCompare,
	outputNamesHideTables: true,
}
