package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

var trino = &Dialect{
	name: "trino",
	caps: plan.Capabilities{Ranked: allPercentileFuncSet},
	ident: identStyle{quote: '"', reserved: newWordSet(`alter and as between by case cast constraint create cross cube
		current_catalog current_date current_path current_role current_schema current_time current_timestamp
		current_user deallocate delete describe distinct drop else end escape except execute exists extract false for
		from full group grouping having in inner insert intersect into is join json_array json_exists json_object
		json_query json_table json_value left like listagg localtime localtimestamp natural normalize not null on or
		order outer prepare recursive right rollup select skip table then trim true uescape union unnest using values
		when where with`)},
	lit: literalStyle{
		date: keywordAffixes("DATE"), clock: keywordAffixes("TIME"), stamp: keywordAffixes("TIMESTAMP"),
		zoned: literalAffixes{"TIMESTAMP '", " UTC'"},
	},
	sort:  nullSortStyle{nullsLast: true},
	limit: limitStyle{offsetFirst: true},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "DECIMAL",
			sqlexpr.TypeFloat: "DOUBLE", sqlexpr.TypeString: "VARCHAR", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "TIME(6)", sqlexpr.TypeTimestamp: "TIMESTAMP(6)",
			sqlexpr.TypeTimestampTZ: "TIMESTAMP(6) WITH TIME ZONE", sqlexpr.TypeInterval: "",
		},
		cast: (*writer).printPlainCast, rejectsBlanks: true,
	},
	ops: operatorTemplates{
		divide:  parseTemplate("$1 / !2"),
		mod:     parseTemplate("$1 % !2"),
		concat:  parseTemplate("~1 || ~2"),
		boolMin: parseTemplate("BOOL_AND($1)"),
		boolMax: parseTemplate("BOOL_OR($1)"),
	}.withTruthTestsByCoalesce().withStandardDistinctFrom().withTextJoinEquality("VARCHAR"),
	time: timeTemplates{
		timestampsKeepZones: true,
		instant:             toTimestampTemplates(parseTemplate("CAST($1 AS TIMESTAMP(6))"), parseTemplate("CAST(@1 AT TIME ZONE 'UTC' AS TIMESTAMP(6))")),
		day:                 toDayTemplates(parseTemplate("CAST($1 AS DATE)"), parseTemplate("CAST(@1 AT TIME ZONE 'UTC' AS DATE)")),
		bucket:              templatesForGrains("CAST(DATE_TRUNC('{unit}', $1) AS DATE)"),
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     parseTemplate("DATE_DIFF('day', DATE '0001-01-01', $1)"),
			sqlexpr.GrainWeek:    parseTemplate("DATE_DIFF('day', DATE '0001-01-01', $1) / 7"),
			sqlexpr.GrainMonth:   parseTemplate("YEAR($1) * 12 + MONTH($1)"),
			sqlexpr.GrainQuarter: parseTemplate("YEAR($1) * 4 + QUARTER($1)"),
			sqlexpr.GrainYear:    parseTemplate("YEAR($1)"),
		},
		trunc:      templatesForUnits("DATE_TRUNC('{unit}', $1)"),
		zonedTrunc: templatesForUnitsWithinDay("DATE_TRUNC('{unit}', @1 AT TIME ZONE 'UTC')"),
		zone:       "CAST(CAST($1 AS TIMESTAMP(6) WITH TIME ZONE) AT TIME ZONE '{zone}' AS TIMESTAMP(6))",
		otherTrunc: templatesForNamedUnits("DATE_TRUNC('{unit}', $1)", "millisecond"),
		part: templatesForUnits("{UNIT}($1)").
			withPartTemplate(partDayOfYear, parseTemplate("DAY_OF_YEAR($1)")).
			withPartTemplate(partDayOfWeek, parseTemplate("DAY_OF_WEEK($1) % 7")).
			withPartTemplate(partISODayOfWeek, parseTemplate("DAY_OF_WEEK($1)")),
		otherPart: map[string]template{
			"isoyear":     parseTemplate("YEAR_OF_WEEK($1)"),
			"epoch":       parseTemplate("TO_UNIXTIME(CAST($1 AS TIMESTAMP(6)))"),
			"millisecond": parseTemplate("SECOND($1) * 1000 + MILLISECOND($1)"),
		},
		// DATE_DIFF counts whole spans; between truncated values these are the
		// boundaries.
		elapsed:   parseTemplate("CAST(DATE_DIFF('millisecond', CAST($1 AS TIMESTAMP(6)), CAST($2 AS TIMESTAMP(6))) AS DOUBLE) / 1000"),
		diff:      templatesForUnits("DATE_DIFF('{unit}', DATE_TRUNC('{unit}', CAST($1 AS TIMESTAMP(6))), DATE_TRUNC('{unit}', CAST($2 AS TIMESTAMP(6))))"),
		timestamp: toTimestampTemplates(parseTemplate("CAST($1 AS TIMESTAMP(6))"), template{}),
		shift:     templatesForUnits("DATE_ADD('{unit}', $2, $1)"),
		matches:   parseTemplate("REGEXP_LIKE($1, $2)"),
		format:    mysqlTimeFormat,
		decode:    printTimeCodeDecodeByRegexp,
	},
	sets: groupingSetsStyle{supported: true},
	calls: standardCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
		sqlexpr.FnCurrentTime:         newCallTemplates(parseTemplate("CAST(CURRENT_TIMESTAMP AT TIME ZONE 'UTC' AS TIME(6))")),
		sqlexpr.FnMedian:              nil,
		sqlexpr.FnApproxCountDistinct: aggregateCallTemplates("APPROX_DISTINCT", 1),
		sqlexpr.FnApproxPercentile:    approxPercentileTemplates("APPROX_PERCENTILE"),
		sqlexpr.FnListagg:             listaggTemplates(listaggWithinGroupPrinter(true)),
		sqlexpr.FnConcat:              concatByOperatorTemplates,
		// Without characters it trims all white space.
		sqlexpr.FnTrim:  newCallTemplates(parseTemplate("TRIM(BOTH ' ' FROM $1)"), parseTemplate("TRIM(BOTH $2 FROM $1)")),
		sqlexpr.FnLTrim: newCallTemplates(parseTemplate("TRIM(LEADING ' ' FROM $1)"), parseTemplate("TRIM(LEADING $2 FROM $1)")),
		sqlexpr.FnRTrim: newCallTemplates(parseTemplate("TRIM(TRAILING ' ' FROM $1)"), parseTemplate("TRIM(TRAILING $2 FROM $1)")),
		sqlexpr.FnLeft:  newCallTemplates(parseTemplate("SUBSTRING($1, 1, GREATEST($2, 0))")),
		sqlexpr.FnRight: newCallTemplates(parseTemplate("SUBSTRING($1, GREATEST(LENGTH($1) - @2 + 1, 1))")),
		// A part that is not there is NULL by itself, not ''.
		sqlexpr.FnSplitPart: newCallTemplates(parseTemplate("CASE WHEN $1 IS NOT NULL THEN COALESCE(SPLIT_PART($1, $2, $3), '') END")),
		sqlexpr.FnEndsWith:  newCallTemplates(parseTemplate("SUBSTRING($1, GREATEST(LENGTH($1) - LENGTH($2) + 1, 1)) = @2")),
		sqlexpr.FnTrunc:     newCallTemplates(parseTemplate("TRUNCATE($1)"), parseTemplate("TRUNCATE(CAST($1 AS DECIMAL(38, 10)), $2)")),
		sqlexpr.FnLog:       newCallTemplates(parseTemplate("LOG10($1)"), parseTemplate("LN($2) / NULLIF(LN($1), 0)")),
		sqlexpr.FnGreatest:  greatestOrLeastIgnoringNullsTemplates("GREATEST"),
		sqlexpr.FnLeast:     greatestOrLeastIgnoringNullsTemplates("LEAST"),
	}),
}
