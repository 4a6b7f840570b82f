package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var databricks = &Dialect{
	name:    "databricks",
	aliases: []string{"spark"},
	ident: identStyle{quote: '`', reserved: words(`all alter and anti any array as at authorization between both by
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
		divide:   op(precMul, "<1 / !2"),
		mod:      op(precMul, "<1 % !2"),
		concat:   op(precConcat, "~1 || ~2"),
		joinSame: op(precCompare, "@1 <=> @2"),
	}.plainTruth().plainSame(),
	// The session runs in UTC, where a TIMESTAMP is its own wall clock.
	time: timeTemplates{
		day:    dayTemplates(call("CAST($1 AS DATE)"), call("CAST($1 AS DATE)")),
		bucket: eachGrain("CAST(DATE_TRUNC('{UNIT}', $1) AS DATE)"),
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     call("DATEDIFF($1, DATE '0001-01-01')"),
			sqlexpr.GrainWeek:    op(precMul, "DATEDIFF($1, DATE '0001-01-01') DIV 7"),
			sqlexpr.GrainMonth:   op(precAdd, "YEAR($1) * 12 + MONTH($1)"),
			sqlexpr.GrainQuarter: op(precAdd, "YEAR($1) * 4 + QUARTER($1)"),
			sqlexpr.GrainYear:    call("YEAR($1)"),
		},
		trunc:      eachUnit(precPrimary, "DATE_TRUNC('{UNIT}', $1)"),
		otherTrunc: eachOther("DATE_TRUNC('{UNIT}', $1)", "millisecond", "microsecond"),
		part: eachUnit(precPrimary, "{UNIT}($1)").
			with(partWeek, call("WEEKOFYEAR($1)")).
			with(partDayOfYear, call("DAYOFYEAR($1)")).
			with(partDayOfWeek, op(precAdd, "DAYOFWEEK($1) - 1")),
		otherPart: map[string]template{
			"isodow":      call("EXTRACT(DAYOFWEEK_ISO FROM $1)"),
			"isoyear":     call("EXTRACT(YEAROFWEEK FROM $1)"),
			"epoch":       op(precMul, "UNIX_MICROS(CAST($1 AS TIMESTAMP)) / 1000000"),
			"millisecond": call("CAST(FLOOR(EXTRACT(SECOND FROM $1) * 1000) AS BIGINT)"),
			"microsecond": call("CAST(EXTRACT(SECOND FROM $1) * 1000000 AS BIGINT)"),
		},
		// TIMESTAMPDIFF counts whole spans; between truncated values these are
		// the boundaries.
		diff: eachUnit(precPrimary, "TIMESTAMPDIFF({UNIT}, DATE_TRUNC('{UNIT}', $1), DATE_TRUNC('{UNIT}', $2))").
			with(partDay, call("DATEDIFF($2, $1)")),
		timestamp: timestampTemplates(call("CAST($1 AS TIMESTAMP)"), template{}),
		shift:     eachUnit(precPrimary, "TIMESTAMPADD({UNIT}, $2, $1)"),
		matches:   op(precCompare, "@1 RLIKE @2"),
		decode:    decodeByPattern,
	},
	calls: standard.with(map[sqlexpr.Func][]callTemplate{
		sqlexpr.FnCurrentDate:      callTemplates(call("CURRENT_DATE()")),
		sqlexpr.FnCurrentTimestamp: callTemplates(call("CURRENT_TIMESTAMP()")),
		sqlexpr.FnConcat:           customCall(-1, concatWS),
		sqlexpr.FnTrim:             callTemplates(call("TRIM($1)"), call("TRIM(BOTH $2 FROM $1)")),
		sqlexpr.FnLTrim:            callTemplates(call("LTRIM($1)"), call("TRIM(LEADING $2 FROM $1)")),
		sqlexpr.FnRTrim:            callTemplates(call("RTRIM($1)"), call("TRIM(TRAILING $2 FROM $1)")),
		sqlexpr.FnLeft:             callTemplates(call("LEFT($1, $2)")),
		sqlexpr.FnRight:            callTemplates(call("RIGHT($1, $2)")),
		sqlexpr.FnPosition:         callTemplates(call("LOCATE($1, $2)")),
		sqlexpr.FnContains:         callTemplates(call("CONTAINS($1, $2)")),
		sqlexpr.FnStartsWith:       callTemplates(call("STARTSWITH($1, $2)")),
		sqlexpr.FnEndsWith:         callTemplates(call("ENDSWITH($1, $2)")),
		// They are BIGINTs, and beyond its range the nearest of them; such a double is
		// whole.
		sqlexpr.FnFloor: callTemplates(call("CASE WHEN ABS($1) < 9e15 THEN FLOOR($1) ELSE $1 END")),
		sqlexpr.FnCeil:  callTemplates(call("CASE WHEN ABS($1) < 9e15 THEN CEIL($1) ELSE $1 END")),
		// TRUNC is about dates here.
		sqlexpr.FnTrunc:    callTemplates(op(precMul, "SIGN($1) * FLOOR(ABS($1))"), op(precMul, "SIGN($1) * FLOOR(ABS($1), $2)")),
		sqlexpr.FnLog:      callTemplates(call("LOG10($1)"), op(precMul, "LN($2) / NULLIF(LN($1), 0)")),
		sqlexpr.FnGreatest: singleArgument(variadic("GREATEST")),
		sqlexpr.FnLeast:    singleArgument(variadic("LEAST")),
	}),
}
