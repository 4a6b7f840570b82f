package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

var databricks = &Dialect{
	name: "databricks",
	caps: plan.Capabilities{SortedArrayLists: true},
	ident: identStyle{quote: '`', reserved: newWordSet(`all alter and anti any array as at authorization between both by
		case cast check collate column commit constraint create cross cube current current_date current_time
		current_timestamp current_user default delete describe distinct drop else end escape except exists external
		extract false fetch filter following for foreign from full function global grant group grouping having in
		inner insert intersect interval into is join lateral leading left like local minus natural no not null of on
		only or order out outer overlaps partition position preceding primary qualify range recursive references
		revoke right rollback rollup row rows select semi session_user set some start table tablesample then time to
		trailing true truncate unbounded union unique unknown update user using values when where window with`)},
	lit: literalStyle{
		backslashEscapes: true, quoteByBackslash: true,
		date: keywordAffixes("DATE"), stamp: keywordAffixes("TIMESTAMP"), zoned: literalAffixes{"TIMESTAMP '", "+00:00'"},
	},
	like: likeStyle{backslashEscapes: true, ilike: true},
	sort: nullSortStyle{nullsLast: true},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "DECIMAL",
			sqlexpr.TypeFloat: "DOUBLE", sqlexpr.TypeString: "STRING", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "", sqlexpr.TypeTimestamp: "TIMESTAMP", sqlexpr.TypeTimestampTZ: "TIMESTAMP",
			sqlexpr.TypeInterval: "",
		},
		cast:     printRoundingCast,
		cutText:  "LEFT",
		longText: "STRING",
	},
	ops: operatorTemplates{
		divide:   parseTemplate("$1 / !2"),
		mod:      parseTemplate("$1 % !2"),
		concat:   parseTemplate("~1 || ~2"),
		joinSame: parseTemplate("@1 <=> @2"),
	}.withStandardTruthTests().withStandardDistinctFrom(),
	// The session runs in UTC, where a TIMESTAMP is its own wall clock.
	time: timeTemplates{
		day:    toDayTemplates(parseTemplate("CAST($1 AS DATE)"), parseTemplate("CAST($1 AS DATE)")),
		bucket: templatesForGrains("CAST(DATE_TRUNC('{UNIT}', $1) AS DATE)"),
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     parseTemplate("DATEDIFF($1, DATE '0001-01-01')"),
			sqlexpr.GrainWeek:    parseTemplate("DATEDIFF($1, DATE '0001-01-01') DIV 7"),
			sqlexpr.GrainMonth:   parseTemplate("YEAR($1) * 12 + MONTH($1)"),
			sqlexpr.GrainQuarter: parseTemplate("YEAR($1) * 4 + QUARTER($1)"),
			sqlexpr.GrainYear:    parseTemplate("YEAR($1)"),
		},
		trunc:      templatesForUnits("DATE_TRUNC('{UNIT}', $1)"),
		zone:       "FROM_UTC_TIMESTAMP($1, '{zone}')",
		otherTrunc: templatesForNamedUnits("DATE_TRUNC('{UNIT}', $1)", "millisecond", "microsecond"),
		part: templatesForUnits("{UNIT}($1)").
			withPartTemplate(partWeek, parseTemplate("WEEKOFYEAR($1)")).
			withPartTemplate(partDayOfYear, parseTemplate("DAYOFYEAR($1)")).
			withPartTemplate(partDayOfWeek, parseTemplate("DAYOFWEEK($1) - 1")).
			withPartTemplate(partISODayOfWeek, parseTemplate("EXTRACT(DAYOFWEEK_ISO FROM $1)")),
		otherPart: map[string]template{
			"isoyear":     parseTemplate("EXTRACT(YEAROFWEEK FROM $1)"),
			"epoch":       parseTemplate("UNIX_MICROS(CAST($1 AS TIMESTAMP)) / 1000000"),
			"millisecond": parseTemplate("CAST(FLOOR(EXTRACT(SECOND FROM $1) * 1000) AS BIGINT)"),
			"microsecond": parseTemplate("CAST(EXTRACT(SECOND FROM $1) * 1000000 AS BIGINT)"),
		},
		// TIMESTAMPDIFF counts whole spans; between truncated values these are
		// the boundaries.
		elapsed: parseTemplate("CAST(TIMESTAMPDIFF(MICROSECOND, $1, $2) AS DOUBLE) / 1000000"),
		diff: templatesForUnits("TIMESTAMPDIFF({UNIT}, DATE_TRUNC('{UNIT}', $1), DATE_TRUNC('{UNIT}', $2))").
			withPartTemplate(partDay, parseTemplate("DATEDIFF($2, $1)")),
		timestamp: toTimestampTemplates(parseTemplate("CAST($1 AS TIMESTAMP)"), template{}),
		shift:     templatesForUnits("TIMESTAMPADD({UNIT}, $2, $1)"),
		matches:   parseTemplate("@1 RLIKE @2"),
		format:    timeFormatStyle{call: parseTemplate("DATE_FORMAT($1, $2)"), codes: javaTimeCodes, letters: '\''},
		decode:    printTimeCodeDecodeByRegexp,
	},
	sets: groupingSetsStyle{supported: true, dropsTotalOfNoRows: true},
	calls: standardCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
		sqlexpr.FnPercentileCont:      percentileContTemplates,
		sqlexpr.FnPercentileDisc:      percentileDiscRoundedDownTemplates,
		sqlexpr.FnApproxCountDistinct: aggregateCallTemplates("APPROX_COUNT_DISTINCT", 1),
		sqlexpr.FnApproxPercentile:    approxPercentileTemplates("APPROX_PERCENTILE"),
		sqlexpr.FnListagg:             databricksListaggTemplates,
		sqlexpr.FnCurrentDate:         newCallTemplates(parseTemplate("CURRENT_DATE()")),
		sqlexpr.FnCurrentTime:         nil,
		sqlexpr.FnCurrentTimestamp:    newCallTemplates(parseTemplate("CURRENT_TIMESTAMP()")),
		sqlexpr.FnConcat:              callTemplatesOfPrintFunc(-1, printConcatWS),
		sqlexpr.FnTrim:                newCallTemplates(parseTemplate("TRIM($1)"), parseTemplate("TRIM(BOTH $2 FROM $1)")),
		sqlexpr.FnLTrim:               newCallTemplates(parseTemplate("LTRIM($1)"), parseTemplate("TRIM(LEADING $2 FROM $1)")),
		sqlexpr.FnRTrim:               newCallTemplates(parseTemplate("RTRIM($1)"), parseTemplate("TRIM(TRAILING $2 FROM $1)")),
		sqlexpr.FnLeft:                newCallTemplates(parseTemplate("LEFT($1, $2)")),
		sqlexpr.FnRight:               newCallTemplates(parseTemplate("RIGHT($1, $2)")),
		sqlexpr.FnPosition:            newCallTemplates(parseTemplate("LOCATE($1, $2)")),
		sqlexpr.FnContains:            newCallTemplates(parseTemplate("CONTAINS($1, $2)")),
		sqlexpr.FnStartsWith:          newCallTemplates(parseTemplate("STARTSWITH($1, $2)")),
		sqlexpr.FnEndsWith:            newCallTemplates(parseTemplate("ENDSWITH($1, $2)")),
		// They are BIGINTs, and beyond its range the nearest of them; such a double is
		// whole.
		sqlexpr.FnFloor: newCallTemplates(parseTemplate("CASE WHEN ABS($1) < 9e15 THEN FLOOR($1) ELSE $1 END")),
		sqlexpr.FnCeil:  newCallTemplates(parseTemplate("CASE WHEN ABS($1) < 9e15 THEN CEIL($1) ELSE $1 END")),
		// TRUNC is about dates here.
		sqlexpr.FnTrunc:    newCallTemplates(parseTemplate("SIGN($1) * FLOOR(ABS($1))"), parseTemplate("SIGN($1) * FLOOR(ABS($1), $2)")),
		sqlexpr.FnLog:      newCallTemplates(parseTemplate("LOG10($1)"), parseTemplate("LN($2) / NULLIF(LN($1), 0)")),
		sqlexpr.FnGreatest: withSingleArgumentAsItself(variadicCallTemplates("GREATEST")),
		sqlexpr.FnLeast:    withSingleArgumentAsItself(variadicCallTemplates("LEAST")),
	}),
	tables: tableStyle{
		writing: TableWriting{Swap: SwapReplace, Grants: GrantsAfter},
		text:    "STRING", integer: "BIGINT", timestamp: "TIMESTAMP",
		grant: grantStyle{"GRANT SELECT ON TABLE ", " TO ", (*writer).printQuotedName},
	},
}
