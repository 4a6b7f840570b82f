package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

var snowflake = &Dialect{
	name: "snowflake", version: "CURRENT_VERSION()",
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
		stamp: callAffixes("TO_TIMESTAMP_NTZ", ""), zoned: literalAffixes{"TO_TIMESTAMP_TZ('", "+00:00')"},
	},
	like:  likeStyle{ilike: true},
	sort:  nullSortStyle{nullsLast: true},
	limit: limitStyle{unlimited: "NULL"},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "DECIMAL",
			sqlexpr.TypeFloat: "DOUBLE", sqlexpr.TypeString: "VARCHAR", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "TIMESTAMP_NTZ", sqlexpr.TypeTimestampTZ: "TIMESTAMP_TZ",
			sqlexpr.TypeInterval: "",
		},
		cast: printConditionCast,
		// A text that is too long for VARCHAR(n) is an error.
		cutText: "LEFT",
	},
	ops: operatorTemplates{
		divide:   parseTemplate("$1 / !2"),
		mod:      parseTemplate("$1 % !2"),
		concat:   parseTemplate("<1 || @2"),
		joinSame: parseTemplate("EQUAL_NULL($1, $2)"),
		boolMin:  parseTemplate("BOOLAND_AGG($1)"),
		boolMax:  parseTemplate("BOOLOR_AGG($1)"),
	}.withTruthTestsByCoalesce().withStandardDistinctFrom(),
	time: timeTemplates{
		timestampsKeepZones: true,
		instant:             toTimestampTemplates(parseTemplate("CAST($1 AS TIMESTAMP_NTZ)"), parseTemplate("CAST(CONVERT_TIMEZONE('UTC', $1) AS TIMESTAMP_NTZ)")),
		day:                 toDayTemplates(parseTemplate("CAST($1 AS DATE)"), parseTemplate("CAST(CONVERT_TIMEZONE('UTC', $1) AS DATE)")),
		// The week of DATE_TRUNC, DATEDIFF and DAYOFWEEK is a setting of the
		// account; Monday is taken by arithmetic.
		bucket: templatesForGrains("CAST(DATE_TRUNC('{unit}', $1) AS DATE)").
			withGrainTemplate(sqlexpr.GrainWeek, parseTemplate("CAST(DATEADD(day, 1 - DAYOFWEEKISO($1), $1) AS DATE)")),
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     parseTemplate("DATEDIFF(day, DATE '0001-01-01', $1)"),
			sqlexpr.GrainWeek:    parseTemplate("FLOOR(DATEDIFF(day, DATE '0001-01-01', $1) / 7)"),
			sqlexpr.GrainMonth:   parseTemplate("YEAR($1) * 12 + MONTH($1)"),
			sqlexpr.GrainQuarter: parseTemplate("YEAR($1) * 4 + QUARTER($1)"),
			sqlexpr.GrainYear:    parseTemplate("YEAR($1)"),
		},
		trunc: templatesForUnits("DATE_TRUNC('{unit}', $1)").
			withPartTemplate(partWeek, parseTemplate("DATEADD(day, 1 - DAYOFWEEKISO($1), DATE_TRUNC('day', $1))")),
		zonedTrunc: templatesForUnitsWithinDay("DATE_TRUNC('{unit}', CONVERT_TIMEZONE('UTC', $1))"),
		zone:       "CAST(CONVERT_TIMEZONE('{zone}', CAST($1 AS TIMESTAMP_TZ)) AS TIMESTAMP_NTZ)",
		otherTrunc: templatesForNamedUnits("DATE_TRUNC('{unit}', $1)", "millisecond", "microsecond"),
		part: templatesForUnits("{UNIT}($1)").
			withPartTemplate(partWeek, parseTemplate("WEEKISO($1)")).
			withPartTemplate(partDayOfYear, parseTemplate("DAYOFYEAR($1)")).
			withPartTemplate(partDayOfWeek, parseTemplate("DAYOFWEEKISO($1) % 7")).
			withPartTemplate(partISODayOfWeek, parseTemplate("DAYOFWEEKISO($1)")),
		otherPart: map[string]template{
			"isoyear":     parseTemplate("YEAROFWEEKISO($1)"),
			"epoch":       parseTemplate("DATE_PART(epoch_microsecond, $1) / 1000000"),
			"millisecond": parseTemplate("SECOND($1) * 1000 + FLOOR(DATE_PART(nanosecond, $1) / 1000000)"),
			"microsecond": parseTemplate("SECOND($1) * 1000000 + FLOOR(DATE_PART(nanosecond, $1) / 1000)"),
		},
		elapsed: parseTemplate("CAST(DATEDIFF(microsecond, CAST($1 AS TIMESTAMP_NTZ), CAST($2 AS TIMESTAMP_NTZ)) AS DOUBLE) / 1000000"),
		diff: templatesForUnits("DATEDIFF({unit}, CAST($1 AS TIMESTAMP_NTZ), CAST($2 AS TIMESTAMP_NTZ))").
			withPartTemplate(partWeek, parseTemplate("FLOOR(DATEDIFF(day, DATE '0001-01-01', CAST($2 AS DATE)) / 7) - FLOOR(DATEDIFF(day, DATE '0001-01-01', CAST($1 AS DATE)) / 7)")),
		timestamp:      toTimestampTemplates(parseTemplate("CAST($1 AS TIMESTAMP_NTZ)"), template{}),
		shift:          templatesForUnits("DATEADD({unit}, $2, $1)"),
		shiftKeepsDate: true,
		matches:        parseTemplate("REGEXP_LIKE($1, $2)"),
		format:         postgresTimeFormat,
		decode:         printTimeCodeDecodeByRegexp,
	},
	sets: groupingSetsStyle{supported: true, dropsTotalOfNoRows: true},
	calls: standardCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
		sqlexpr.FnCurrentTime: newCallTemplates(parseTemplate("CAST(CONVERT_TIMEZONE('UTC', CURRENT_TIMESTAMP) AS TIME)")),
		// REGEXP_LIKE wants a match of the whole string.
		sqlexpr.FnRegexpLike:          newCallTemplates(parseTemplate("REGEXP_INSTR($1, $2) > 0")),
		sqlexpr.FnPercentileCont:      percentileContTemplates,
		sqlexpr.FnPercentileDisc:      percentileDiscTemplates,
		sqlexpr.FnApproxCountDistinct: aggregateCallTemplates("APPROX_COUNT_DISTINCT", 1),
		sqlexpr.FnApproxPercentile:    approxPercentileTemplates("APPROX_PERCENTILE"),
		sqlexpr.FnListagg:             listaggTemplates(nullListaggIfEmpty(listaggWithinGroupPrinter(false))),
		sqlexpr.FnConcat:              concatByOperatorTemplates,
		sqlexpr.FnTrim:                newCallTemplates(parseTemplate("TRIM($1)"), parseTemplate("TRIM($1, $2)")),
		sqlexpr.FnPosition:            newCallTemplates(parseTemplate("POSITION($1, $2)")),
		sqlexpr.FnContains:            newCallTemplates(parseTemplate("CONTAINS($1, $2)")),
		sqlexpr.FnStartsWith:          newCallTemplates(parseTemplate("STARTSWITH($1, $2)")),
		sqlexpr.FnEndsWith:            newCallTemplates(parseTemplate("ENDSWITH($1, $2)")),
		sqlexpr.FnLog:                 newCallTemplates(parseTemplate("LOG(10, $1)"), parseTemplate("LN($2) / NULLIF(LN($1), 0)")),
		sqlexpr.FnGreatest:            variadicCallTemplates("GREATEST_IGNORE_NULLS"),
		sqlexpr.FnLeast:               variadicCallTemplates("LEAST_IGNORE_NULLS"),
	}),
	// BOOLAND_AGG and BOOLOR_AGG take no frame.
	window: printConditionWindowAsZeroOne,
	tables: tableStyle{
		writing:  TableWriting{Swap: SwapReplace, Grants: GrantsAfter},
		replaced: " COPY GRANTS",
		text:     "VARCHAR", integer: "BIGINT", timestamp: "TIMESTAMP_NTZ",
		grant: grantStyle{"GRANT SELECT ON TABLE ", " TO ROLE ", (*writer).printRoleName},
	},
}
