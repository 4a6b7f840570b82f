package sqlemit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

var bigquery = &Dialect{
	name: "bigquery", noVersion: true,
	caps: plan.Capabilities{NoFloatPartitions: true, ZonesApart: true, Ranked: allPercentileFuncSet},
	ident: identStyle{quote: '`', escape: '\\', reserved: newWordSet(`all and any array as asc assert_rows_modified at
		between by case cast collate contains create cross cube current default define desc distinct else end enum
		escape except exclude exists extract false fetch following for from full graph_table group grouping groups
		hash having if ignore in inner intersect interval into is join lateral left like limit lookup merge natural
		new no not null nulls of on or order outer over partition preceding proto qualify range recursive respect
		right rollup rows select set some struct tablesample then to treat true unbounded union unnest using when
		where window with within`),
		label: bigqueryColumnLabel,
	},
	lit: literalStyle{
		backslashEscapes: true, quoteByBackslash: true, newlineEscapes: true, wide: keywordAffixes("BIGNUMERIC"),
		date: keywordAffixes("DATE"), clock: keywordAffixes("TIME"), stamp: keywordAffixes("DATETIME"), zoned: literalAffixes{"TIMESTAMP '", "+00:00'"},
	},
	like:  likeStyle{backslashEscapes: true, noEscapeClause: true},
	sort:  nullSortStyle{nullsLast: true, rangeWithoutNullsLast: true},
	limit: limitStyle{unlimited: "9223372036854775807"},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOL", sqlexpr.TypeInt: "INT64", sqlexpr.TypeDecimal: "BIGNUMERIC",
			sqlexpr.TypeFloat: "FLOAT64", sqlexpr.TypeString: "STRING", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "DATETIME", sqlexpr.TypeTimestampTZ: "TIMESTAMP",
			sqlexpr.TypeInterval: "INTERVAL",
		},
		cast:    printBigqueryCast,
		cutText: "LEFT",
	},
	ops: operatorTemplates{
		divide: parseTemplate("$1 / !2"),
		mod:    parseTemplate("MOD($1, !2)"),
		// MOD has no doubles.
		modAny: parseTemplate("MOD(CAST($1 AS BIGNUMERIC), CAST(!2 AS BIGNUMERIC))"), modNegativeZero: true,
		concat: parseTemplate("~1 || ~2"),
		// An outer join needs an equality; equal JSON texts include the null of
		// both sides.
		joinSame: parseTemplate("TO_JSON_STRING($1) = TO_JSON_STRING($2)"),
	}.withStandardTruthTests().withStandardDistinctFrom(),
	time: timeTemplates{
		// A column that is declared as instants may hold days, which DATETIME with a zone rejects.
		instant: toTimestampTemplates(parseTemplate("CAST($1 AS DATETIME)"), parseTemplate("DATETIME(CAST($1 AS TIMESTAMP), 'UTC')")),
		day:     toDayTemplates(parseTemplate("CAST($1 AS DATE)"), parseTemplate("DATE(CAST($1 AS TIMESTAMP), 'UTC')")),
		bucket: templatesForGrains("DATE(DATETIME_TRUNC($1, {UNIT}))").
			withGrainTemplate(sqlexpr.GrainWeek, parseTemplate("DATE(DATETIME_TRUNC($1, ISOWEEK))")),
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     parseTemplate("DATE_DIFF($1, DATE '0001-01-01', DAY)"),
			sqlexpr.GrainWeek:    parseTemplate("DIV(DATE_DIFF($1, DATE '0001-01-01', DAY), 7)"),
			sqlexpr.GrainMonth:   parseTemplate("EXTRACT(YEAR FROM $1) * 12 + EXTRACT(MONTH FROM $1)"),
			sqlexpr.GrainQuarter: parseTemplate("EXTRACT(YEAR FROM $1) * 4 + EXTRACT(QUARTER FROM $1)"),
			sqlexpr.GrainYear:    parseTemplate("EXTRACT(YEAR FROM $1)"),
		},
		trunc: templatesForUnits("DATETIME_TRUNC($1, {UNIT})").
			withPartTemplate(partWeek, parseTemplate("DATETIME_TRUNC($1, ISOWEEK)")),
		zonedTrunc: templatesForUnitsWithinDay("TIMESTAMP_TRUNC(CAST($1 AS TIMESTAMP), {UNIT})"),
		zone:       "DATETIME(CAST($1 AS TIMESTAMP), '{zone}')",
		otherTrunc: templatesForNamedUnits("DATETIME_TRUNC($1, {UNIT})", "millisecond", "microsecond", "isoyear"),
		part: templatesForUnits("EXTRACT({UNIT} FROM $1)").
			withPartTemplate(partWeek, parseTemplate("EXTRACT(ISOWEEK FROM $1)")).
			withPartTemplate(partDayOfYear, parseTemplate("EXTRACT(DAYOFYEAR FROM $1)")).
			withPartTemplate(partDayOfWeek, parseTemplate("EXTRACT(DAYOFWEEK FROM $1) - 1")).
			withPartTemplate(partISODayOfWeek, parseTemplate("MOD(EXTRACT(DAYOFWEEK FROM $1) + 5, 7) + 1")),
		elapsed: parseTemplate("DATETIME_DIFF(CAST($2 AS DATETIME), CAST($1 AS DATETIME), MICROSECOND) / 1000000"),
		diff: templatesForUnits("DATETIME_DIFF(CAST($2 AS DATETIME), CAST($1 AS DATETIME), {UNIT})").
			withPartTemplate(partWeek, parseTemplate("DATETIME_DIFF(CAST($2 AS DATETIME), CAST($1 AS DATETIME), ISOWEEK)")),
		timestamp: toTimestampTemplates(parseTemplate("CAST($1 AS DATETIME)"), parseTemplate("DATETIME($1, 'UTC')")),
		shift:     templatesForUnits("DATETIME_ADD($1, INTERVAL @2 {UNIT})"),
		otherPart: bigqueryDatePartTemplates,
		matches:   parseTemplate("REGEXP_CONTAINS($1, $2)"),
		format:    timeFormatStyle{call: parseTemplate("FORMAT_DATETIME($2, $1)"), codes: strftimeCodes},
		decode:    printTimeCodeDecodeByRegexp,
	},
	sets: groupingSetsStyle{supported: true, dropsTotalOfNoRows: true},
	calls: standardCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
		sqlexpr.FnMedian:              nil,
		sqlexpr.FnApproxCountDistinct: aggregateCallTemplates("APPROX_COUNT_DISTINCT", 1),
		sqlexpr.FnApproxPercentile:    bigqueryApproxQuantilesTemplates,
		sqlexpr.FnListagg:             orderedListaggTemplates("STRING_AGG", false),
		sqlexpr.FnCurrentDate:         newCallTemplates(parseTemplate("CURRENT_DATE('UTC')")),
		sqlexpr.FnCurrentTimestamp:    newCallTemplates(parseTemplate("CURRENT_TIMESTAMP()")),
		sqlexpr.FnCurrentTime:         newCallTemplates(parseTemplate("CURRENT_TIME('UTC')")),
		sqlexpr.FnRegexpLike:          newCallTemplates(parseTemplate("REGEXP_CONTAINS($1, $2)")),
		sqlexpr.FnRegexpCount:         newCallTemplates(regexpCountByLengthTemplate("LENGTH")),
		sqlexpr.FnConcat:              concatByOperatorTemplates,
		sqlexpr.FnTrim:                newCallTemplates(parseTemplate("TRIM($1)"), parseTemplate("TRIM($1, $2)")),
		sqlexpr.FnSplitPart:           newCallTemplates(parseTemplate("CASE WHEN $1 IS NOT NULL THEN COALESCE(SPLIT($1, $2)[SAFE_ORDINAL($3)], '') END")),
		sqlexpr.FnEndsWith:            newCallTemplates(parseTemplate("ENDS_WITH($1, $2)")),
		sqlexpr.FnLog:                 newCallTemplates(parseTemplate("LOG10($1)"), parseTemplate("LN($2) / NULLIF(LN($1), 0)")),
		sqlexpr.FnGreatest:            greatestOrLeastIgnoringNullsTemplates("GREATEST"),
		sqlexpr.FnLeast:               greatestOrLeastIgnoringNullsTemplates("LEAST"),
		sqlexpr.FnCorr:                bigqueryCorrTemplates,
	}),
	window:                printBigqueryWindow,
	union:                 unionTypingStyle{prepare: fitBigqueryUnionTypes},
	rewrite:               rewriteBigqueryComparison,
	outputNamesHideTables: true,
	tables: tableStyle{
		writing: TableWriting{Swap: SwapReplace, Grants: GrantsAfter},
		text:    "STRING", integer: "INT64", timestamp: "DATETIME",
		grant: grantStyle{"GRANT `roles/bigquery.dataViewer` ON TABLE ", " TO ", (*writer).printStringLiteral},
	},
}

// maxBigqueryColumnNameLength is how many characters the name of a column has at most.
const maxBigqueryColumnNameLength = 300

// bigqueryColumnLabel returns a name that BigQuery accepts for a column of a result. Inside a
// statement it accepts any name; the table that holds the result has stricter rules. A
// name that has to change ends in a hash of the original.
func bigqueryColumnLabel(name string) string {
	label := strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.N, unicode.M, unicode.Pc, unicode.Pd) || strings.ContainsRune("&%=+:'<>#| ", r) {
			return r
		}
		return '_'
	}, name)
	upper := strings.ToUpper(label)
	for _, prefix := range []string{"_TABLE_", "_FILE_", "_PARTITION", "_ROW_TIMESTAMP", "__ROOT__", "_COLIDENTIFIER"} {
		if strings.HasPrefix(upper, prefix) {
			label = "x" + label
			break
		}
	}
	if label == name && utf8.RuneCountInString(label) <= maxBigqueryColumnNameLength {
		return name
	}
	mark := "_" + nameHashSuffix(name)
	if runes := []rune(label); len(runes) > maxBigqueryColumnNameLength-len(mark) {
		label = string(runes[:maxBigqueryColumnNameLength-len(mark)])
	}
	return label + mark
}
