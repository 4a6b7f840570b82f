package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// SQLite has no dates: they are text in ISO form, which sorts and compares as
// dates do.
var sqlite = &Dialect{
	name:    "sqlite",
	aliases: []string{"sqlite3"},
	caps: plan.Capabilities{
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
		date: affixes{"'", "'"}, clock: affixes{"'", "'"}, stamp: affixes{"'", "'"}, zoned: affixes{"'", "'"},
	},
	like:  likeStyle{code: sqliteLike},
	sort:  sortStyle{nullsLast: true},
	limit: limitStyle{unlimited: "-1"},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "INTEGER", sqlexpr.TypeDecimal: "NUMERIC",
			sqlexpr.TypeFloat: "REAL", sqlexpr.TypeString: "TEXT", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "DATETIME", sqlexpr.TypeTimestampTZ: "DATETIME",
			sqlexpr.TypeInterval: "",
		},
		cast: sqliteCast,
	},
	ops: operatorTemplates{
		divide:   operatorTemplate(precMul, "<1 / !2"),
		mod:      primaryTemplate("MOD($1, !2)"),
		concat:   operatorTemplate(precConcat, "<1 || @2"),
		same:     operatorTemplate(precCompare, "@1 IS @2"),
		differ:   operatorTemplate(precCompare, "@1 IS NOT @2"),
		joinSame: operatorTemplate(precCompare, "@1 IS @2"),
	}.standardTruth(),
	time: timeTemplates{
		day: dayTemplates(primaryTemplate("DATE($1)"), primaryTemplate("DATE($1)")),
		bucket: grainTemplates{
			sqlexpr.GrainWeek:    primaryTemplate("DATE($1, 'weekday 0', '-6 days')"),
			sqlexpr.GrainMonth:   primaryTemplate("DATE($1, 'start of month')"),
			sqlexpr.GrainQuarter: primaryTemplate("DATE($1, 'start of month', '-' || ((STRFTIME('%m', $1) - 1) % 3) || ' months')"),
			sqlexpr.GrainYear:    primaryTemplate("DATE($1, 'start of year')"),
		},
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     primaryTemplate("CAST(JULIANDAY($1) - 1721425.5 AS INTEGER)"),
			sqlexpr.GrainWeek:    operatorTemplate(precMul, "CAST(JULIANDAY($1) - 1721425.5 AS INTEGER) / 7"),
			sqlexpr.GrainMonth:   operatorTemplate(precAdd, "STRFTIME('%Y', $1) * 12 + STRFTIME('%m', $1)"),
			sqlexpr.GrainQuarter: operatorTemplate(precAdd, "STRFTIME('%Y', $1) * 4 + (STRFTIME('%m', $1) + 2) / 3"),
			sqlexpr.GrainYear:    primaryTemplate("CAST(STRFTIME('%Y', $1) AS INTEGER)"),
		},
		trunc: partTemplates{
			partSecond: primaryTemplate("STRFTIME('%Y-%m-%d %H:%M:%S', $1)"), partMinute: primaryTemplate("STRFTIME('%Y-%m-%d %H:%M:00', $1)"),
			partHour: primaryTemplate("STRFTIME('%Y-%m-%d %H:00:00', $1)"),
			// Midnight is written as the day alone, so that it equals a date.
			partDay:     primaryTemplate("DATE($1)"),
			partWeek:    primaryTemplate("DATE($1, 'weekday 0', '-6 days')"),
			partMonth:   primaryTemplate("DATE($1, 'start of month')"),
			partQuarter: primaryTemplate("DATE($1, 'start of month', '-' || ((STRFTIME('%m', $1) - 1) % 3) || ' months')"),
			partYear:    primaryTemplate("DATE($1, 'start of year')"),
		},
		otherTrunc: map[string]template{
			"decade":     primaryTemplate("DATE($1, 'start of year', '-' || (STRFTIME('%Y', $1) % 10) || ' years')"),
			"century":    primaryTemplate("DATE($1, 'start of year', '-' || ((STRFTIME('%Y', $1) - 1) % 100) || ' years')"),
			"millennium": primaryTemplate("DATE($1, 'start of year', '-' || ((STRFTIME('%Y', $1) - 1) % 1000) || ' years')"),
		},
		part: partTemplates{
			partSecond: sqlitePart("%S"), partMinute: sqlitePart("%M"), partHour: sqlitePart("%H"),
			partDay: sqlitePart("%d"), partMonth: sqlitePart("%m"), partYear: sqlitePart("%Y"),
			// The Thursday of the week decides which week of the year it is.
			partWeek:      operatorTemplate(precAdd, "(STRFTIME('%j', DATE($1, '-3 days', 'weekday 4')) - 1) / 7 + 1"),
			partQuarter:   operatorTemplate(precMul, "(STRFTIME('%m', $1) + 2) / 3"),
			partDayOfYear: sqlitePart("%j"), partDayOfWeek: sqlitePart("%w"),
		},
		otherPart: map[string]template{
			"isodow":  operatorTemplate(precAdd, "(STRFTIME('%w', $1) + 6) % 7 + 1"),
			"isoyear": primaryTemplate("CAST(STRFTIME('%Y', DATE($1, '-3 days', 'weekday 4')) AS INTEGER)"),
		},
		diff: partTemplates{
			partSecond: sqliteElapsed("1"), partMinute: sqliteElapsed("60"), partHour: sqliteElapsed("3600"),
			partDay: primaryTemplate("CAST(JULIANDAY(DATE($2)) - JULIANDAY(DATE($1)) AS INTEGER)"),
			partWeek: operatorTemplate(precAdd, "CAST(JULIANDAY(DATE($2)) - 1721425.5 AS INTEGER) / 7 - "+
				"CAST(JULIANDAY(DATE($1)) - 1721425.5 AS INTEGER) / 7"),
			partMonth: operatorTemplate(precAdd, "STRFTIME('%Y', $2) * 12 + STRFTIME('%m', $2) - STRFTIME('%Y', $1) * 12 - STRFTIME('%m', $1)"),
			partQuarter: operatorTemplate(precAdd, "STRFTIME('%Y', $2) * 4 + (STRFTIME('%m', $2) + 2) / 3 - "+
				"STRFTIME('%Y', $1) * 4 - (STRFTIME('%m', $1) + 2) / 3"),
			partYear: operatorTemplate(precAdd, "STRFTIME('%Y', $2) - STRFTIME('%Y', $1)"),
		},
		shift: partTemplates{
			partSecond: sqliteAddSpan("seconds", "@2"), partMinute: sqliteAddSpan("minutes", "@2"),
			partHour: sqliteAddSpan("hours", "@2"), partDay: sqliteAddSpan("days", "@2"), partWeek: sqliteAddSpan("days", "(7 * @2)"),
			partMonth: sqliteMonths("@2"), partQuarter: sqliteMonths("(3 * @2)"), partYear: sqliteMonths("(12 * @2)"),
		},
		datesAddAsNumbers: true,
		decode:            sqliteDecode,
	},
	calls: sqliteCalls,

	union:   unionStyle{prepare: sqliteUnion},
	rewrite: sqliteRewrite,
}
