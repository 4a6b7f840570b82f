package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var trino = &Dialect{
	name:    "trino",
	aliases: []string{"presto"},
	ident: identStyle{quote: '"', reserved: newWordSet(`alter and as between by case cast constraint create cross cube
		current_catalog current_date current_path current_role current_schema current_time current_timestamp
		current_user deallocate delete describe distinct drop else end escape except execute exists extract false for
		from full group grouping having in inner insert intersect into is join json_array json_exists json_object
		json_query json_table json_value left like listagg localtime localtimestamp natural normalize not null on or
		order outer prepare recursive right rollup select skip table then trim true uescape union unnest using values
		when where with`)},
	lit: literalStyle{
		date: keywordAffixes("DATE"), clock: keywordAffixes("TIME"), stamp: keywordAffixes("TIMESTAMP"),
		zoned: affixes{"TIMESTAMP '", " UTC'"},
	},
	sort:  sortStyle{nullsLast: true},
	limit: limitStyle{offsetFirst: true},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "DECIMAL",
			sqlexpr.TypeFloat: "DOUBLE", sqlexpr.TypeString: "VARCHAR", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "TIME(6)", sqlexpr.TypeTimestamp: "TIMESTAMP(6)",
			sqlexpr.TypeTimestampTZ: "TIMESTAMP(6) WITH TIME ZONE", sqlexpr.TypeInterval: "",
		},
		cast: (*writer).plainCast,
	},
	ops: operatorTemplates{
		divide:  operatorTemplate(precMul, "<1 / !2"),
		mod:     operatorTemplate(precMul, "<1 % !2"),
		concat:  operatorTemplate(precConcat, "~1 || ~2"),
		boolMin: primaryTemplate("BOOL_AND($1)"),
		boolMax: primaryTemplate("BOOL_OR($1)"),
	}.truthByCoalesce().standardDistinct().joinByText("VARCHAR"),
	time: timeTemplates{
		timestampsKeepZones: true,
		instant:             timestampTemplates(primaryTemplate("CAST($1 AS TIMESTAMP(6))"), primaryTemplate("CAST(@1 AT TIME ZONE 'UTC' AS TIMESTAMP(6))")),
		day:                 dayTemplates(primaryTemplate("CAST($1 AS DATE)"), primaryTemplate("CAST(@1 AT TIME ZONE 'UTC' AS DATE)")),
		bucket:              eachGrain("CAST(DATE_TRUNC('{unit}', $1) AS DATE)"),
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     primaryTemplate("DATE_DIFF('day', DATE '0001-01-01', $1)"),
			sqlexpr.GrainWeek:    operatorTemplate(precMul, "DATE_DIFF('day', DATE '0001-01-01', $1) / 7"),
			sqlexpr.GrainMonth:   operatorTemplate(precAdd, "YEAR($1) * 12 + MONTH($1)"),
			sqlexpr.GrainQuarter: operatorTemplate(precAdd, "YEAR($1) * 4 + QUARTER($1)"),
			sqlexpr.GrainYear:    primaryTemplate("YEAR($1)"),
		},
		trunc:      eachUnit(precPrimary, "DATE_TRUNC('{unit}', $1)"),
		otherTrunc: unitTemplates("DATE_TRUNC('{unit}', $1)", "millisecond"),
		part: eachUnit(precPrimary, "{UNIT}($1)").
			with(partDayOfYear, primaryTemplate("DAY_OF_YEAR($1)")).
			with(partDayOfWeek, operatorTemplate(precMul, "DAY_OF_WEEK($1) % 7")),
		otherPart: map[string]template{
			"isodow":      primaryTemplate("DAY_OF_WEEK($1)"),
			"isoyear":     primaryTemplate("YEAR_OF_WEEK($1)"),
			"epoch":       primaryTemplate("TO_UNIXTIME(CAST($1 AS TIMESTAMP(6)))"),
			"millisecond": operatorTemplate(precAdd, "SECOND($1) * 1000 + MILLISECOND($1)"),
		},
		// DATE_DIFF counts whole spans; between truncated values these are the
		// boundaries.
		diff:      eachUnit(precPrimary, "DATE_DIFF('{unit}', DATE_TRUNC('{unit}', CAST($1 AS TIMESTAMP(6))), DATE_TRUNC('{unit}', CAST($2 AS TIMESTAMP(6))))"),
		timestamp: timestampTemplates(primaryTemplate("CAST($1 AS TIMESTAMP(6))"), template{}),
		shift:     eachUnit(precPrimary, "DATE_ADD('{unit}', $2, $1)"),
		matches:   primaryTemplate("REGEXP_LIKE($1, $2)"),
		decode:    decodeByPattern,
	},
	calls: standard.with(map[sqlexpr.Func][]callTemplate{
		sqlexpr.FnConcat: concatTexts,
		// Without characters it trims all white space.
		sqlexpr.FnTrim:  callTemplates(primaryTemplate("TRIM(BOTH ' ' FROM $1)"), primaryTemplate("TRIM(BOTH $2 FROM $1)")),
		sqlexpr.FnLTrim: callTemplates(primaryTemplate("TRIM(LEADING ' ' FROM $1)"), primaryTemplate("TRIM(LEADING $2 FROM $1)")),
		sqlexpr.FnRTrim: callTemplates(primaryTemplate("TRIM(TRAILING ' ' FROM $1)"), primaryTemplate("TRIM(TRAILING $2 FROM $1)")),
		sqlexpr.FnLeft:  callTemplates(primaryTemplate("SUBSTRING($1, 1, GREATEST($2, 0))")),
		sqlexpr.FnRight: callTemplates(primaryTemplate("SUBSTRING($1, GREATEST(LENGTH($1) - @2 + 1, 1))")),
		// A part that is not there is NULL by itself, not ''.
		sqlexpr.FnSplitPart: callTemplates(primaryTemplate("CASE WHEN $1 IS NOT NULL THEN COALESCE(SPLIT_PART($1, $2, $3), '') END")),
		sqlexpr.FnEndsWith:  callTemplates(operatorTemplate(precCompare, "SUBSTRING($1, GREATEST(LENGTH($1) - LENGTH($2) + 1, 1)) = @2")),
		sqlexpr.FnTrunc:     callTemplates(primaryTemplate("TRUNCATE($1)"), primaryTemplate("TRUNCATE(CAST($1 AS DECIMAL(38, 10)), $2)")),
		sqlexpr.FnLog:       callTemplates(primaryTemplate("LOG10($1)"), operatorTemplate(precMul, "LN($2) / NULLIF(LN($1), 0)")),
		sqlexpr.FnGreatest:  greatestOrLeastCall("GREATEST"),
		sqlexpr.FnLeast:     greatestOrLeastCall("LEAST"),
	}),
}
