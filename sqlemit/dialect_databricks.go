package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var databricks = &Dialect{
	name:    "databricks",
	aliases: []string{"spark"},
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
		date: keywordAffixes("DATE"), stamp: keywordAffixes("TIMESTAMP"), zoned: affixes{"TIMESTAMP '", "+00:00'"},
	},
	like: likeStyle{backslashEscapes: true, ilike: true},
	sort: sortStyle{nullsLast: true},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "DECIMAL",
			sqlexpr.TypeFloat: "DOUBLE", sqlexpr.TypeString: "STRING", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "", sqlexpr.TypeTimestamp: "TIMESTAMP", sqlexpr.TypeTimestampTZ: "TIMESTAMP",
			sqlexpr.TypeInterval: "",
		},
		cast:     roundingCast,
		cutText:  "LEFT",
		longText: "STRING",
	},
	ops: operatorTemplates{
		divide:   operatorTemplate(precMul, "<1 / !2"),
		mod:      operatorTemplate(precMul, "<1 % !2"),
		concat:   operatorTemplate(precConcat, "~1 || ~2"),
		joinSame: operatorTemplate(precCompare, "@1 <=> @2"),
	}.standardTruth().standardDistinct(),
	// The session runs in UTC, where a TIMESTAMP is its own wall clock.
	time: timeTemplates{
		day:    dayTemplates(primaryTemplate("CAST($1 AS DATE)"), primaryTemplate("CAST($1 AS DATE)")),
		bucket: eachGrain("CAST(DATE_TRUNC('{UNIT}', $1) AS DATE)"),
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     primaryTemplate("DATEDIFF($1, DATE '0001-01-01')"),
			sqlexpr.GrainWeek:    operatorTemplate(precMul, "DATEDIFF($1, DATE '0001-01-01') DIV 7"),
			sqlexpr.GrainMonth:   operatorTemplate(precAdd, "YEAR($1) * 12 + MONTH($1)"),
			sqlexpr.GrainQuarter: operatorTemplate(precAdd, "YEAR($1) * 4 + QUARTER($1)"),
			sqlexpr.GrainYear:    primaryTemplate("YEAR($1)"),
		},
		trunc:      eachUnit(precPrimary, "DATE_TRUNC('{UNIT}', $1)"),
		otherTrunc: unitTemplates("DATE_TRUNC('{UNIT}', $1)", "millisecond", "microsecond"),
		part: eachUnit(precPrimary, "{UNIT}($1)").
			with(partWeek, primaryTemplate("WEEKOFYEAR($1)")).
			with(partDayOfYear, primaryTemplate("DAYOFYEAR($1)")).
			with(partDayOfWeek, operatorTemplate(precAdd, "DAYOFWEEK($1) - 1")),
		otherPart: map[string]template{
			"isodow":      primaryTemplate("EXTRACT(DAYOFWEEK_ISO FROM $1)"),
			"isoyear":     primaryTemplate("EXTRACT(YEAROFWEEK FROM $1)"),
			"epoch":       operatorTemplate(precMul, "UNIX_MICROS(CAST($1 AS TIMESTAMP)) / 1000000"),
			"millisecond": primaryTemplate("CAST(FLOOR(EXTRACT(SECOND FROM $1) * 1000) AS BIGINT)"),
			"microsecond": primaryTemplate("CAST(EXTRACT(SECOND FROM $1) * 1000000 AS BIGINT)"),
		},
		// TIMESTAMPDIFF counts whole spans; between truncated values these are
		// the boundaries.
		diff: eachUnit(precPrimary, "TIMESTAMPDIFF({UNIT}, DATE_TRUNC('{UNIT}', $1), DATE_TRUNC('{UNIT}', $2))").
			with(partDay, primaryTemplate("DATEDIFF($2, $1)")),
		timestamp: timestampTemplates(primaryTemplate("CAST($1 AS TIMESTAMP)"), template{}),
		shift:     eachUnit(precPrimary, "TIMESTAMPADD({UNIT}, $2, $1)"),
		matches:   operatorTemplate(precCompare, "@1 RLIKE @2"),
		decode:    decodeByPattern,
	},
	calls: standard.with(map[sqlexpr.Func][]callTemplate{
		sqlexpr.FnCurrentDate:      callTemplates(primaryTemplate("CURRENT_DATE()")),
		sqlexpr.FnCurrentTimestamp: callTemplates(primaryTemplate("CURRENT_TIMESTAMP()")),
		sqlexpr.FnConcat:           customCallTemplates(-1, concatWS),
		sqlexpr.FnTrim:             callTemplates(primaryTemplate("TRIM($1)"), primaryTemplate("TRIM(BOTH $2 FROM $1)")),
		sqlexpr.FnLTrim:            callTemplates(primaryTemplate("LTRIM($1)"), primaryTemplate("TRIM(LEADING $2 FROM $1)")),
		sqlexpr.FnRTrim:            callTemplates(primaryTemplate("RTRIM($1)"), primaryTemplate("TRIM(TRAILING $2 FROM $1)")),
		sqlexpr.FnLeft:             callTemplates(primaryTemplate("LEFT($1, $2)")),
		sqlexpr.FnRight:            callTemplates(primaryTemplate("RIGHT($1, $2)")),
		sqlexpr.FnPosition:         callTemplates(primaryTemplate("LOCATE($1, $2)")),
		sqlexpr.FnContains:         callTemplates(primaryTemplate("CONTAINS($1, $2)")),
		sqlexpr.FnStartsWith:       callTemplates(primaryTemplate("STARTSWITH($1, $2)")),
		sqlexpr.FnEndsWith:         callTemplates(primaryTemplate("ENDSWITH($1, $2)")),
		// They are BIGINTs, and beyond its range the nearest of them; such a double is
		// whole.
		sqlexpr.FnFloor: callTemplates(primaryTemplate("CASE WHEN ABS($1) < 9e15 THEN FLOOR($1) ELSE $1 END")),
		sqlexpr.FnCeil:  callTemplates(primaryTemplate("CASE WHEN ABS($1) < 9e15 THEN CEIL($1) ELSE $1 END")),
		// TRUNC is about dates here.
		sqlexpr.FnTrunc:    callTemplates(operatorTemplate(precMul, "SIGN($1) * FLOOR(ABS($1))"), operatorTemplate(precMul, "SIGN($1) * FLOOR(ABS($1), $2)")),
		sqlexpr.FnLog:      callTemplates(primaryTemplate("LOG10($1)"), operatorTemplate(precMul, "LN($2) / NULLIF(LN($1), 0)")),
		sqlexpr.FnGreatest: singleArgument(variadicCall("GREATEST")),
		sqlexpr.FnLeast:    singleArgument(variadicCall("LEAST")),
	}),
}
