package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

var bigquery = &Dialect{
	name: "bigquery",
	caps: plan.Capabilities{ZonesApart: true},
	ident: identStyle{quote: '`', escape: '\\', reserved: newWordSet(`all and any array as asc assert_rows_modified at
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
	like:  likeStyle{backslashEscapes: true, noEscapeClause: true},
	sort:  sortStyle{nullsLast: true, rangeWithoutNullsLast: true},
	limit: limitStyle{unlimited: "9223372036854775807"},
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
		divide: operatorTemplate(precMul, "<1 / !2"),
		mod:    primaryTemplate("MOD($1, !2)"),
		// MOD has no doubles.
		modAny: primaryTemplate("MOD(CAST($1 AS BIGNUMERIC), CAST(!2 AS BIGNUMERIC))"), modNegativeZero: true,
		concat: operatorTemplate(precConcat, "~1 || ~2"),
		// An outer join needs an equality; equal JSON texts include the null of
		// both sides.
		joinSame: operatorTemplate(precCompare, "TO_JSON_STRING($1) = TO_JSON_STRING($2)"),
	}.standardTruth().standardDistinct(),
	time: timeTemplates{
		instant: timestampTemplates(primaryTemplate("CAST($1 AS DATETIME)"), primaryTemplate("DATETIME($1, 'UTC')")),
		day:     dayTemplates(primaryTemplate("CAST($1 AS DATE)"), primaryTemplate("DATE($1, 'UTC')")),
		bucket: eachGrain("DATE(DATETIME_TRUNC($1, {UNIT}))").
			with(sqlexpr.GrainWeek, primaryTemplate("DATE(DATETIME_TRUNC($1, ISOWEEK))")),
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     primaryTemplate("DATE_DIFF($1, DATE '0001-01-01', DAY)"),
			sqlexpr.GrainWeek:    primaryTemplate("DIV(DATE_DIFF($1, DATE '0001-01-01', DAY), 7)"),
			sqlexpr.GrainMonth:   operatorTemplate(precAdd, "EXTRACT(YEAR FROM $1) * 12 + EXTRACT(MONTH FROM $1)"),
			sqlexpr.GrainQuarter: operatorTemplate(precAdd, "EXTRACT(YEAR FROM $1) * 4 + EXTRACT(QUARTER FROM $1)"),
			sqlexpr.GrainYear:    primaryTemplate("EXTRACT(YEAR FROM $1)"),
		},
		trunc: eachUnit(precPrimary, "DATETIME_TRUNC($1, {UNIT})").
			with(partWeek, primaryTemplate("DATETIME_TRUNC($1, ISOWEEK)")),
		otherTrunc: unitTemplates("DATETIME_TRUNC($1, {UNIT})", "millisecond", "microsecond", "isoyear"),
		part: eachUnit(precPrimary, "EXTRACT({UNIT} FROM $1)").
			with(partWeek, primaryTemplate("EXTRACT(ISOWEEK FROM $1)")).
			with(partDayOfYear, primaryTemplate("EXTRACT(DAYOFYEAR FROM $1)")).
			with(partDayOfWeek, operatorTemplate(precAdd, "EXTRACT(DAYOFWEEK FROM $1) - 1")),
		diff: eachUnit(precPrimary, "DATETIME_DIFF(CAST($2 AS DATETIME), CAST($1 AS DATETIME), {UNIT})").
			with(partWeek, primaryTemplate("DATETIME_DIFF(CAST($2 AS DATETIME), CAST($1 AS DATETIME), ISOWEEK)")),
		timestamp: timestampTemplates(primaryTemplate("CAST($1 AS DATETIME)"), primaryTemplate("DATETIME($1, 'UTC')")),
		shift:     eachUnit(precPrimary, "DATETIME_ADD($1, INTERVAL @2 {UNIT})"),
		otherPart: bigqueryDateParts,
		matches:   primaryTemplate("REGEXP_CONTAINS($1, $2)"),
		decode:    decodeByPattern,
	},
	calls: standard.with(map[sqlexpr.Func][]callTemplate{
		sqlexpr.FnCurrentDate:      callTemplates(primaryTemplate("CURRENT_DATE('UTC')")),
		sqlexpr.FnCurrentTimestamp: callTemplates(primaryTemplate("CURRENT_TIMESTAMP()")),
		sqlexpr.FnConcat:           concatTexts,
		sqlexpr.FnTrim:             callTemplates(primaryTemplate("TRIM($1)"), primaryTemplate("TRIM($1, $2)")),
		sqlexpr.FnSplitPart:        callTemplates(primaryTemplate("CASE WHEN $1 IS NOT NULL THEN COALESCE(SPLIT($1, $2)[SAFE_ORDINAL($3)], '') END")),
		sqlexpr.FnEndsWith:         callTemplates(primaryTemplate("ENDS_WITH($1, $2)")),
		sqlexpr.FnLog:              callTemplates(primaryTemplate("LOG10($1)"), operatorTemplate(precMul, "LN($2) / NULLIF(LN($1), 0)")),
		sqlexpr.FnGreatest:         greatestOrLeastCall("GREATEST"),
		sqlexpr.FnLeast:            greatestOrLeastCall("LEAST"),
		sqlexpr.FnCorr:             bigqueryCorrCall,
	}),
	window:                bigqueryWindow,
	union:                 unionStyle{prepare: bigqueryUnion},
	rewrite:               bigqueryCompare,
	outputNamesHideTables: true,
}
