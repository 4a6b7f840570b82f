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
	ident: identStyle{quote: '"', reserved: words(`abort action add after all alter always analyze and as asc attach
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
		date: around{"'", "'"}, clock: around{"'", "'"}, stamp: around{"'", "'"}, zoned: around{"'", "'"},
	},
	like: likeStyle{code: sqliteLike},
	sort: sortStyle{nullsLast: true},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "INTEGER", sqlexpr.TypeDecimal: "NUMERIC",
			sqlexpr.TypeFloat: "REAL", sqlexpr.TypeString: "TEXT", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "DATETIME", sqlexpr.TypeTimestampTZ: "DATETIME",
			sqlexpr.TypeInterval: "",
		},
		cast: sqliteCast,
	},
	ops: operatorForms{
		divide: op(precMul, "<1 / !2"), typesOfValues: true,
		mod:      call("MOD($1, !2)"),
		concat:   op(precConcat, "<1 || @2"),
		same:     op(precCompare, "@1 IS @2"),
		differ:   op(precCompare, "@1 IS NOT @2"),
		joinSame: op(precCompare, "@1 IS @2"),
	}.plainTruth(),
	time: timeForms{
		day: perType{
			sqlexpr.TypeUnknown:     call("DATE($1)"),
			sqlexpr.TypeString:      call("DATE($1)"),
			sqlexpr.TypeTimestamp:   call("DATE($1)"),
			sqlexpr.TypeTimestampTZ: call("DATE($1)"),
		},
		bucket: grainForms{
			sqlexpr.GrainWeek:    call("DATE($1, 'weekday 0', '-6 days')"),
			sqlexpr.GrainMonth:   call("DATE($1, 'start of month')"),
			sqlexpr.GrainQuarter: call("DATE($1, 'start of month', '-' || ((STRFTIME('%m', $1) - 1) % 3) || ' months')"),
			sqlexpr.GrainYear:    call("DATE($1, 'start of year')"),
		},
		ordinal: grainForms{
			sqlexpr.GrainDay:     call("CAST(JULIANDAY($1) - 1721425.5 AS INTEGER)"),
			sqlexpr.GrainWeek:    op(precMul, "CAST(JULIANDAY($1) - 1721425.5 AS INTEGER) / 7"),
			sqlexpr.GrainMonth:   op(precAdd, "STRFTIME('%Y', $1) * 12 + STRFTIME('%m', $1)"),
			sqlexpr.GrainQuarter: op(precAdd, "STRFTIME('%Y', $1) * 4 + (STRFTIME('%m', $1) + 2) / 3"),
			sqlexpr.GrainYear:    call("CAST(STRFTIME('%Y', $1) AS INTEGER)"),
		},
		trunc: partForms{
			partSecond: call("STRFTIME('%Y-%m-%d %H:%M:%S', $1)"), partMinute: call("STRFTIME('%Y-%m-%d %H:%M:00', $1)"),
			partHour: call("STRFTIME('%Y-%m-%d %H:00:00', $1)"),
			// Midnight is written as the day alone, so that it equals a date.
			partDay:     call("DATE($1)"),
			partWeek:    call("DATE($1, 'weekday 0', '-6 days')"),
			partMonth:   call("DATE($1, 'start of month')"),
			partQuarter: call("DATE($1, 'start of month', '-' || ((STRFTIME('%m', $1) - 1) % 3) || ' months')"),
			partYear:    call("DATE($1, 'start of year')"),
		},
		otherTrunc: map[string]form{
			"decade":     call("DATE($1, 'start of year', '-' || (STRFTIME('%Y', $1) % 10) || ' years')"),
			"century":    call("DATE($1, 'start of year', '-' || ((STRFTIME('%Y', $1) - 1) % 100) || ' years')"),
			"millennium": call("DATE($1, 'start of year', '-' || ((STRFTIME('%Y', $1) - 1) % 1000) || ' years')"),
		},
		part: partForms{
			partSecond: sqlitePart("%S"), partMinute: sqlitePart("%M"), partHour: sqlitePart("%H"),
			partDay: sqlitePart("%d"), partMonth: sqlitePart("%m"), partYear: sqlitePart("%Y"),
			// The Thursday of the week decides which week of the year it is.
			partWeek:      op(precAdd, "(STRFTIME('%j', DATE($1, '-3 days', 'weekday 4')) - 1) / 7 + 1"),
			partQuarter:   op(precMul, "(STRFTIME('%m', $1) + 2) / 3"),
			partDayOfYear: sqlitePart("%j"), partDayOfWeek: sqlitePart("%w"),
		},
		otherPart: map[string]form{
			"isodow":  op(precAdd, "(STRFTIME('%w', $1) + 6) % 7 + 1"),
			"isoyear": call("CAST(STRFTIME('%Y', DATE($1, '-3 days', 'weekday 4')) AS INTEGER)"),
		},
		diff: partForms{
			partSecond: sqliteElapsed("1"), partMinute: sqliteElapsed("60"), partHour: sqliteElapsed("3600"),
			partDay: call("CAST(JULIANDAY(DATE($2)) - JULIANDAY(DATE($1)) AS INTEGER)"),
			partWeek: op(precAdd, "CAST(JULIANDAY(DATE($2)) - 1721425.5 AS INTEGER) / 7 - "+
				"CAST(JULIANDAY(DATE($1)) - 1721425.5 AS INTEGER) / 7"),
			partMonth: op(precAdd, "STRFTIME('%Y', $2) * 12 + STRFTIME('%m', $2) - STRFTIME('%Y', $1) * 12 - STRFTIME('%m', $1)"),
			partQuarter: op(precAdd, "STRFTIME('%Y', $2) * 4 + (STRFTIME('%m', $2) + 2) / 3 - "+
				"STRFTIME('%Y', $1) * 4 - (STRFTIME('%m', $1) + 2) / 3"),
			partYear: op(precAdd, "STRFTIME('%Y', $2) - STRFTIME('%Y', $1)"),
		},
		shift: partForms{
			partSecond: sqliteLater("seconds", "@2"), partMinute: sqliteLater("minutes", "@2"),
			partHour: sqliteLater("hours", "@2"), partDay: sqliteLater("days", "@2"), partWeek: sqliteLater("days", "(7 * @2)"),
			partMonth: sqliteMonths("@2"), partQuarter: sqliteMonths("(3 * @2)"), partYear: sqliteMonths("(12 * @2)"),
		},
		asNumbers: true,
		decode:    sqliteDecode,
	},
	calls: sqliteCalls,

	union:   unionStyle{moment: sqliteMoment},
	rewrite: sqliteCompare,
}

func sqlitePart(format string) form { return call("CAST(STRFTIME('" + format + "', $1) AS INTEGER)") }

// sqliteElapsed counts boundaries of a span from seconds since the year 1,
// which are never negative.
func sqliteElapsed(seconds string) form {
	return op(precAdd, "(STRFTIME('%s', $2) + 62135596800) / "+seconds+" - (STRFTIME('%s', $1) + 62135596800) / "+seconds)
}

// sqliteLater adds a span; milliseconds stay where there are any.
func sqliteLater(unit, count string) form {
	return call("RTRIM(RTRIM(STRFTIME('%Y-%m-%d %H:%M:%f', $1, " + count + " || ' " + unit + "'), '0'), '.')")
}

// sqliteMonths adds months: a day that the month lacks is its last day, where
// SQLite itself would count on into the next month.
func sqliteMonths(count string) form {
	return call("MIN(DATE($1, " + count + " || ' months'), DATE($1, 'start of month', (" + count +
		" + 1) || ' months', '-1 day')) || SUBSTR(RTRIM(RTRIM(STRFTIME('%Y-%m-%d %H:%M:%f', $1), '0'), '.'), 11)")
}

var sqliteCalls = standard.with(map[sqlexpr.Func][]callForm{
	sqlexpr.FnAvg:        aggregate("AVG", 1),
	sqlexpr.FnStddevPop:  nil,
	sqlexpr.FnStddevSamp: nil,
	sqlexpr.FnVarPop:     nil,
	sqlexpr.FnVarSamp:    nil,
	sqlexpr.FnCovarPop:   nil,
	sqlexpr.FnCovarSamp:  nil,
	sqlexpr.FnCorr:       nil,

	sqlexpr.FnCurrentTimestamp: spelled(call("DATETIME('now')")),
	sqlexpr.FnCurrentDate:      spelled(call("DATE('now')")),
	sqlexpr.FnConcat:           concatTexts,
	sqlexpr.FnTrim:             spelled(call("TRIM($1)"), call("TRIM($1, $2)")),
	sqlexpr.FnLeft:             spelled(call("SUBSTR($1, 1, MAX($2, 0))")),
	sqlexpr.FnRight:            spelled(call("SUBSTR($1, MAX(LENGTH($1) - MAX($2, 0) + 1, 1))")),
	sqlexpr.FnSubstring:        substring("SUBSTR"),
	sqlexpr.FnSplitPart:        nil,
	sqlexpr.FnPosition:         spelled(call("INSTR($2, $1)")),
	sqlexpr.FnContains:         spelled(op(precCompare, "INSTR($1, $2) > 0")),
	sqlexpr.FnStartsWith:       spelled(op(precCompare, "SUBSTR($1, 1, LENGTH($2)) = @2")),
	sqlexpr.FnEndsWith:         spelled(op(precCompare, "SUBSTR($1, MAX(LENGTH($1) - LENGTH($2) + 1, 1)) = @2")),
	sqlexpr.FnRound:            spelled(call("ROUND($1)"), sqliteDigits("ROUND")),
	sqlexpr.FnTrunc:            spelled(call("TRUNC($1)"), sqliteDigits("TRUNC")),
	sqlexpr.FnLog:              spelled(call("LOG10($1)"), op(precMul, "LN($2) / NULLIF(LN($1), 0)")),
	sqlexpr.FnGreatest:         extreme("MAX"),
	sqlexpr.FnLeast:            extreme("MIN"),
})

// sqliteDigits rounds or cuts to a number of digits, which may be negative.
func sqliteDigits(name string) form {
	return op(precMul, name+"($1 * POWER(10, $2)) / POWER(10, $2)")
}

// sqliteLike prints LIKE as GLOB, since LIKE itself takes no notice of case.
func sqliteLike(w *writer, e *sqlexpr.Like, min prec) {
	p := w.paren(precCompare, min)
	w.lowered(e.X, e.Fold)
	if e.Not {
		w.text(" NOT")
	}
	w.text(" GLOB ")
	glob := map[rune]string{anyRun: "*", anyOne: "?", '*': "[*]", '?': "[?]", '[': "[[]"}
	if read, ok := readPattern(e); ok {
		w.lowered(&sqlexpr.String{Value: read.spell(glob)}, e.Fold)
	} else if e.Escape != nil {
		w.unsupported("LIKE with an ESCAPE that is no literal")
	} else {
		pattern := e.Pattern
		for _, r := range []string{"[", "*", "?", "%", "_"} {
			to := glob[rune(r[0])]
			switch r {
			case "%":
				to = "*"
			case "_":
				to = "?"
			}
			pattern = callOf(sqlexpr.FnReplace, pattern, text1(r), text1(to))
		}
		w.lowered(pattern, e.Fold)
	}
	w.done(p)
}

// sqliteCast spells dates through the functions that read them, rounds what is
// cast to a whole number, and rounds decimals to their scale: a cast alone
// only chooses a storage class.
func sqliteCast(w *writer, c *sqlexpr.Cast, min prec) {
	from := w.typeOf(c.X)
	var f form
	switch {
	case c.To.Type == sqlexpr.TypeDate:
		f = call("DATE($1)")
	case c.To.Type == sqlexpr.TypeTimestamp, c.To.Type == sqlexpr.TypeTimestampTZ:
		f = call("RTRIM(RTRIM(STRFTIME('%Y-%m-%d %H:%M:%f', $1), '0'), '.')")
	case c.To.Type == sqlexpr.TypeTime:
		f = call("TIME($1)")
	case c.To.Type == sqlexpr.TypeBool && from == sqlexpr.TypeBool:
		w.expr(c.X, min)
		return
	case c.To.Type == sqlexpr.TypeBool && from.IsNumeric():
		f = boolOfNumber
	case c.To.Type == sqlexpr.TypeBool:
		f = sqliteBoolOfText
	case c.To.Type == sqlexpr.TypeString && from == sqlexpr.TypeBool:
		f = textOfBool
	case c.To.Type == sqlexpr.TypeString && len(c.To.Args) > 0:
		w.text("SUBSTR(CAST(")
		w.expr(c.X, precAny)
		w.text(" AS TEXT), 1, ")
		w.integer(int64(c.To.Args[0]))
		w.byte(')')
		return
	case c.To.Type == sqlexpr.TypeDecimal:
		w.roundedDecimal(c)
		return
	default:
		roundingCast(w, c, min)
		return
	}
	w.fill(&f, min, c.X)
}

var sqliteBoolOfText = call("CASE WHEN LOWER($1) IN ('true', 't', 'yes', 'y', 'on') THEN TRUE " +
	"WHEN LOWER($1) IN ('false', 'f', 'no', 'n', 'off') THEN FALSE ELSE CAST($1 AS INTEGER) <> 0 END")
