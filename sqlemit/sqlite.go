package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// SQLite has no dates: they are text in ISO form, which sorts and compares as
// dates do.
var sqlite = &Dialect{
	name:    "sqlite",
	version: "sqlite_version()",
	caps: plan.Capabilities{
		NoAggregate:       stddevAndVarianceFuncSet,
		Ranked:            allPercentileFuncSet,
		NoSketch:          approximateAggregateFuncSet,
		NoDistinctList:    true,
		JoinsByIndexAlone: true,
		AnyColumnType:     true,
		NoWindow: plan.NewFuncSet(sqlexpr.FnStddevPop, sqlexpr.FnStddevSamp, sqlexpr.FnVarPop, sqlexpr.FnVarSamp,
			sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr),
	},
	ident: identStyle{quote: '"', reserved: newWordSet(`abort action add after all alter always analyze and as asc attach
		autoincrement before begin between by cascade case cast check collate column commit conflict constraint create
		cross current current_date current_time current_timestamp database default deferrable deferred delete desc
		detach distinct do drop each else end escape except exclude exclusive exists explain fail filter first following
		for foreign from full generated glob group groups having if ignore immediate in index indexed initially inner
		insert instead intersect into is isnull join key last left like limit match materialized natural no not nothing
		notnull null nulls of offset on or order others outer over partition plan pragma preceding primary query raise
		range recursive references regexp reindex release rename replace restrict returning right rollback row rows
		savepoint select set table temp temporary then ties to transaction trigger unbounded union unique update using
		vacuum values view virtual when where window with without`)},
	lit: literalStyle{
		date: literalAffixes{"'", "'"}, clock: literalAffixes{"'", "'"}, stamp: literalAffixes{"'", "'"}, zoned: literalAffixes{"'", "'"},
	},
	like:  likeStyle{code: printSqliteLike},
	sort:  nullSortStyle{nullsLast: true},
	limit: limitStyle{unlimited: "-1"},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "INTEGER", sqlexpr.TypeDecimal: "NUMERIC",
			sqlexpr.TypeFloat: "REAL", sqlexpr.TypeString: "TEXT", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "DATETIME", sqlexpr.TypeTimestampTZ: "DATETIME",
			sqlexpr.TypeInterval: "",
		},
		cast: printSqliteCast, integerText: parseTemplate("CAST(CASE WHEN $1 = CAST($1 AS INTEGER) THEN CAST($1 AS INTEGER) ELSE $1 END AS TEXT)"),
		// A comparison reads a string as a number if all of it is one, and a cast reads the digits at its beginning.
		notText: parseTemplate("TYPEOF($1) <> 'text'"), isNumber: parseTemplate("$1 = CAST($1 AS NUMERIC)"),
		isInteger: parseTemplate("$1 = CAST($1 AS INTEGER) AND TYPEOF($1 + 0) = 'integer'"),
	},
	ops: operatorTemplates{
		divide:   parseTemplate("$1 / !2"),
		mod:      parseTemplate("MOD($1, !2)"),
		concat:   parseTemplate("<1 || @2"),
		same:     parseTemplate("@1 IS @2"),
		differ:   parseTemplate("@1 IS NOT @2"),
		joinSame: parseTemplate("@1 IS @2"),
	}.withStandardTruthTests(),
	validity: joinValidityStyle{comparand: templatesByType{
		sqlexpr.TypeTimestamp: sqliteTimestampTemplate, sqlexpr.TypeTimestampTZ: sqliteTimestampTemplate,
	}},
	time: timeTemplates{
		day: toDayTemplates(parseTemplate("DATE($1)"), parseTemplate("DATE($1)")),
		bucket: grainTemplates{
			sqlexpr.GrainWeek:    parseTemplate("DATE($1, 'weekday 0', '-6 days')"),
			sqlexpr.GrainMonth:   parseTemplate("DATE($1, 'start of month')"),
			sqlexpr.GrainQuarter: parseTemplate("DATE($1, 'start of month', '-' || ((STRFTIME('%m', $1) - 1) % 3) || ' months')"),
			sqlexpr.GrainYear:    parseTemplate("DATE($1, 'start of year')"),
		},
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     parseTemplate("CAST(JULIANDAY($1) - 1721425.5 AS INTEGER)"),
			sqlexpr.GrainWeek:    parseTemplate("CAST(JULIANDAY($1) - 1721425.5 AS INTEGER) / 7"),
			sqlexpr.GrainMonth:   parseTemplate("STRFTIME('%Y', $1) * 12 + STRFTIME('%m', $1)"),
			sqlexpr.GrainQuarter: parseTemplate("STRFTIME('%Y', $1) * 4 + (STRFTIME('%m', $1) + 2) / 3"),
			sqlexpr.GrainYear:    parseTemplate("CAST(STRFTIME('%Y', $1) AS INTEGER)"),
		},
		trunc: calendarPartTemplates{
			partSecond: parseTemplate("DATETIME($1)"), partMinute: parseTemplate("STRFTIME('%Y-%m-%d %H:%M:00', $1)"),
			partHour: parseTemplate("STRFTIME('%Y-%m-%d %H:00:00', $1)"),
			// Midnight is written as the day alone, so that it equals a date.
			partDay:     parseTemplate("DATE($1)"),
			partWeek:    parseTemplate("DATE($1, 'weekday 0', '-6 days')"),
			partMonth:   parseTemplate("DATE($1, 'start of month')"),
			partQuarter: parseTemplate("DATE($1, 'start of month', '-' || ((STRFTIME('%m', $1) - 1) % 3) || ' months')"),
			partYear:    parseTemplate("DATE($1, 'start of year')"),
		},
		otherTrunc: map[string]template{
			"decade":     parseTemplate("DATE($1, 'start of year', '-' || (STRFTIME('%Y', $1) % 10) || ' years')"),
			"century":    parseTemplate("DATE($1, 'start of year', '-' || ((STRFTIME('%Y', $1) - 1) % 100) || ' years')"),
			"millennium": parseTemplate("DATE($1, 'start of year', '-' || ((STRFTIME('%Y', $1) - 1) % 1000) || ' years')"),
		},
		part: calendarPartTemplates{
			partSecond: sqliteDatePartTemplate("%S"), partMinute: sqliteDatePartTemplate("%M"), partHour: sqliteDatePartTemplate("%H"),
			partDay: sqliteDatePartTemplate("%d"), partMonth: sqliteDatePartTemplate("%m"), partYear: sqliteDatePartTemplate("%Y"),
			// The Thursday of the week decides which week of the year it is.
			partWeek:      parseTemplate("(STRFTIME('%j', DATE($1, '-3 days', 'weekday 4')) - 1) / 7 + 1"),
			partQuarter:   parseTemplate("(STRFTIME('%m', $1) + 2) / 3"),
			partDayOfYear: sqliteDatePartTemplate("%j"), partDayOfWeek: sqliteDatePartTemplate("%w"), partISODayOfWeek: parseTemplate("(STRFTIME('%w', $1) + 6) % 7 + 1"),
		},
		otherPart: map[string]template{
			"isoyear": parseTemplate("CAST(STRFTIME('%Y', DATE($1, '-3 days', 'weekday 4')) AS INTEGER)"),
		},
		elapsed: parseTemplate("ROUND(STRFTIME('%s', $2) - STRFTIME('%s', $1) + (STRFTIME('%f', $2) - STRFTIME('%S', $2)) - (STRFTIME('%f', $1) - STRFTIME('%S', $1)), 3)"),
		diff: calendarPartTemplates{
			partSecond: sqliteSpanBoundaryDiffTemplate("1"), partMinute: sqliteSpanBoundaryDiffTemplate("60"), partHour: sqliteSpanBoundaryDiffTemplate("3600"),
			partDay: parseTemplate("CAST(JULIANDAY(DATE($2)) - JULIANDAY(DATE($1)) AS INTEGER)"),
			partWeek: parseTemplate("CAST(JULIANDAY(DATE($2)) - 1721425.5 AS INTEGER) / 7 - " +
				"CAST(JULIANDAY(DATE($1)) - 1721425.5 AS INTEGER) / 7"),
			partMonth: parseTemplate("STRFTIME('%Y', $2) * 12 + STRFTIME('%m', $2) - STRFTIME('%Y', $1) * 12 - STRFTIME('%m', $1)"),
			partQuarter: parseTemplate("STRFTIME('%Y', $2) * 4 + (STRFTIME('%m', $2) + 2) / 3 - " +
				"STRFTIME('%Y', $1) * 4 - (STRFTIME('%m', $1) + 2) / 3"),
			partYear: parseTemplate("STRFTIME('%Y', $2) - STRFTIME('%Y', $1)"),
		},
		shift: calendarPartTemplates{
			partSecond: sqliteAddSpanTemplate("seconds", "@2"), partMinute: sqliteAddSpanTemplate("minutes", "@2"),
			partHour: sqliteAddSpanTemplate("hours", "@2"), partDay: sqliteAddSpanTemplate("days", "@2"), partWeek: sqliteAddSpanTemplate("days", "(7 * @2)"),
			partMonth: sqliteAddMonthsTemplate("@2"), partQuarter: sqliteAddMonthsTemplate("(3 * @2)"), partYear: sqliteAddMonthsTemplate("(12 * @2)"),
		},
		datesAddAsNumbers: true,
		format:            timeFormatStyle{call: parseTemplate("STRFTIME($2, $1)"), codes: strftimeCodes},
		decode:            printSqliteTimeCodeDecode,
	},
	calls: sqliteCalls,

	union:   unionTypingStyle{prepare: fitSqliteUnionTimestamps},
	rewrite: rewriteSqliteExpr,

	leftCollationDecides: true,
	tables: tableStyle{
		// The lock of a transaction cannot be taken later while others write.
		writing: TableWriting{Swap: SwapRename, Begin: "BEGIN IMMEDIATE", Partial: true, Indexes: true},
		text:    "VARCHAR(255)", integer: "BIGINT", timestamp: "TEXT",
		indexInSchema: true,
	},
}
