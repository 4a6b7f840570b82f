package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

var snowflake = &Dialect{
	name: "snowflake",
	caps: plan.Capabilities{
		// These take no frame as windows.
		NoWindow: plan.NewFuncSet(sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr),
	},
	ident: identStyle{quote: '"', fold: foldUpper, reserved: newWordSet(`account all alter and any as asof between by case
		cast check column connect connection constraint create cross current current_date current_time
		current_timestamp current_user database default delete distinct drop else exists false following for from full
		grant group gscluster having ilike in increment inner insert intersect into is issue join lateral left like
		localtime localtimestamp match_condition minus natural not null of on or order organization qualify regexp
		revoke right rlike row rows sample schema select set some start table tablesample then to trigger true
		try_cast union unique update using values view when whenever where window with`)},
	lit: literalStyle{
		backslashEscapes: true,
		date:             keywordAffixes("DATE"), clock: keywordAffixes("TIME"),
		stamp: callAffixes("TO_TIMESTAMP_NTZ", ""), zoned: affixes{"TO_TIMESTAMP_TZ('", "+00:00')"},
	},
	like:  likeStyle{ilike: true},
	sort:  sortStyle{nullsLast: true},
	limit: limitStyle{unlimited: "NULL"},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "DECIMAL",
			sqlexpr.TypeFloat: "DOUBLE", sqlexpr.TypeString: "VARCHAR", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "TIMESTAMP_NTZ", sqlexpr.TypeTimestampTZ: "TIMESTAMP_TZ",
			sqlexpr.TypeInterval: "",
		},
		cast: conditionCast,
		// A text that is too long for VARCHAR(n) is an error.
		cutText: "LEFT",
	},
	ops: operatorTemplates{
		divide:   operatorTemplate(precMul, "<1 / !2"),
		mod:      operatorTemplate(precMul, "<1 % !2"),
		concat:   operatorTemplate(precConcat, "<1 || @2"),
		joinSame: primaryTemplate("EQUAL_NULL($1, $2)"),
		boolMin:  primaryTemplate("BOOLAND_AGG($1)"),
		boolMax:  primaryTemplate("BOOLOR_AGG($1)"),
	}.truthByCoalesce().standardDistinct(),
	time: timeTemplates{
		timestampsKeepZones: true,
		instant:             timestampTemplates(primaryTemplate("CAST($1 AS TIMESTAMP_NTZ)"), primaryTemplate("CAST(CONVERT_TIMEZONE('UTC', $1) AS TIMESTAMP_NTZ)")),
		day:                 dayTemplates(primaryTemplate("CAST($1 AS DATE)"), primaryTemplate("CAST(CONVERT_TIMEZONE('UTC', $1) AS DATE)")),
		// The week of DATE_TRUNC, DATEDIFF and DAYOFWEEK is a setting of the
		// account; Monday is taken by arithmetic.
		bucket: eachGrain("CAST(DATE_TRUNC('{unit}', $1) AS DATE)").
			with(sqlexpr.GrainWeek, primaryTemplate("CAST(DATEADD(day, 1 - DAYOFWEEKISO($1), $1) AS DATE)")),
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     primaryTemplate("DATEDIFF(day, DATE '0001-01-01', $1)"),
			sqlexpr.GrainWeek:    primaryTemplate("FLOOR(DATEDIFF(day, DATE '0001-01-01', $1) / 7)"),
			sqlexpr.GrainMonth:   operatorTemplate(precAdd, "YEAR($1) * 12 + MONTH($1)"),
			sqlexpr.GrainQuarter: operatorTemplate(precAdd, "YEAR($1) * 4 + QUARTER($1)"),
			sqlexpr.GrainYear:    primaryTemplate("YEAR($1)"),
		},
		trunc: eachUnit(precPrimary, "DATE_TRUNC('{unit}', $1)").
			with(partWeek, primaryTemplate("DATEADD(day, 1 - DAYOFWEEKISO($1), DATE_TRUNC('day', $1))")),
		otherTrunc: unitTemplates("DATE_TRUNC('{unit}', $1)", "millisecond", "microsecond"),
		part: eachUnit(precPrimary, "{UNIT}($1)").
			with(partWeek, primaryTemplate("WEEKISO($1)")).
			with(partDayOfYear, primaryTemplate("DAYOFYEAR($1)")).
			with(partDayOfWeek, operatorTemplate(precMul, "DAYOFWEEKISO($1) % 7")),
		otherPart: map[string]template{
			"isodow":      primaryTemplate("DAYOFWEEKISO($1)"),
			"isoyear":     primaryTemplate("YEAROFWEEKISO($1)"),
			"epoch":       operatorTemplate(precMul, "DATE_PART(epoch_microsecond, $1) / 1000000"),
			"millisecond": operatorTemplate(precAdd, "SECOND($1) * 1000 + FLOOR(DATE_PART(nanosecond, $1) / 1000000)"),
			"microsecond": operatorTemplate(precAdd, "SECOND($1) * 1000000 + FLOOR(DATE_PART(nanosecond, $1) / 1000)"),
		},
		diff: eachUnit(precPrimary, "DATEDIFF({unit}, CAST($1 AS TIMESTAMP_NTZ), CAST($2 AS TIMESTAMP_NTZ))").
			with(partWeek, operatorTemplate(precAdd, "FLOOR(DATEDIFF(day, DATE '0001-01-01', CAST($2 AS DATE)) / 7) - FLOOR(DATEDIFF(day, DATE '0001-01-01', CAST($1 AS DATE)) / 7)")),
		timestamp:      timestampTemplates(primaryTemplate("CAST($1 AS TIMESTAMP_NTZ)"), template{}),
		shift:          eachUnit(precPrimary, "DATEADD({unit}, $2, $1)"),
		shiftKeepsDate: true,
		matches:        primaryTemplate("REGEXP_LIKE($1, $2)"),
		decode:         decodeByPattern,
	},
	calls: standard.with(map[sqlexpr.Func][]callTemplate{
		sqlexpr.FnConcat:     concatTexts,
		sqlexpr.FnTrim:       callTemplates(primaryTemplate("TRIM($1)"), primaryTemplate("TRIM($1, $2)")),
		sqlexpr.FnPosition:   callTemplates(primaryTemplate("POSITION($1, $2)")),
		sqlexpr.FnContains:   callTemplates(primaryTemplate("CONTAINS($1, $2)")),
		sqlexpr.FnStartsWith: callTemplates(primaryTemplate("STARTSWITH($1, $2)")),
		sqlexpr.FnEndsWith:   callTemplates(primaryTemplate("ENDSWITH($1, $2)")),
		sqlexpr.FnLog:        callTemplates(primaryTemplate("LOG(10, $1)"), operatorTemplate(precMul, "LN($2) / NULLIF(LN($1), 0)")),
		sqlexpr.FnGreatest:   variadicCall("GREATEST_IGNORE_NULLS"),
		sqlexpr.FnLeast:      variadicCall("LEAST_IGNORE_NULLS"),
	}),
	// BOOLAND_AGG and BOOLOR_AGG take no frame.
	window: windowOverZeroOne,
}
