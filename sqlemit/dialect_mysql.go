package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

var mysql = &Dialect{
	name:  "mysql",
	caps:  mysqlCaps,
	ident: identStyle{quote: '`', limit: 255, reserved: mysqlWords},
	lit:   mysqlLiterals,
	like:  likeStyle{backslash: true},
	types: mysqlTypes,
	ops:   mysqlOps,
	time:  mysqlTime,
	calls: mysqlCalls,

	windowSpecs: mysqlWindowSpecs,
	codePoints:  "utf8mb4_0900_bin",
}

var mysqlCaps = plan.Capabilities{
	NoWindow: plan.NewFuncSet(sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr),
}

// MariaDB (seen in 10.11) computes wrong ranks when one SELECT holds three
// windows and the keys of one are a prefix of another's: RANK() OVER (ORDER BY
// v), RANK() OVER (PARTITION BY g ORDER BY m), SUM(v) OVER (). Two windows are
// safe. The mysql dialect has the same limit, since it is often what talks to a
// MariaDB.
const mysqlWindowSpecs = 2

// The session's sql_mode is known: neither NO_BACKSLASH_ESCAPES nor ANSI_QUOTES.
var mysqlLiterals = literalStyle{
	backslash: true,
	date:      keyword("DATE"), clock: keyword("TIME"), stamp: keyword("TIMESTAMP"), zoned: keyword("TIMESTAMP"),
}

var mysqlTypes = typeStyle{
	names: [...]string{
		sqlexpr.TypeBool: "SIGNED", sqlexpr.TypeInt: "SIGNED", sqlexpr.TypeDecimal: "DECIMAL",
		sqlexpr.TypeFloat: "DOUBLE", sqlexpr.TypeString: "CHAR", sqlexpr.TypeDate: "DATE",
		sqlexpr.TypeTime: "TIME(6)", sqlexpr.TypeTimestamp: "DATETIME(6)", sqlexpr.TypeTimestampTZ: "DATETIME(6)",
		sqlexpr.TypeInterval: "",
	},
	cast: mysqlCast,
}

var mysqlOps = operatorForms{
	divide: op(precMul, "<1 / !2"),
	mod:    op(precMul, "<1 % !2"),
	// -2.00 % 2 is a -0.00 that MariaDB takes for less than 0.
	modAny: op(precAdd, "@1 % !2 + 0"), negativeZero: true,
	concat:   call("CONCAT($1, $2)"),
	same:     op(precCompare, "@1 <=> @2"),
	differ:   op(precNot, "NOT (@1 <=> @2)"),
	joinSame: op(precCompare, "@1 <=> @2"),
}.plainTruth()

// Values of type DATE come from MAKEDATE and from whole days added to a date;
// the instant of anything else is whatever the date functions read.
var mysqlTime = timeForms{
	day: perType{
		sqlexpr.TypeUnknown:     call("CAST($1 AS DATE)"),
		sqlexpr.TypeString:      call("CAST($1 AS DATE)"),
		sqlexpr.TypeTimestamp:   call("CAST($1 AS DATE)"),
		sqlexpr.TypeTimestampTZ: call("CAST($1 AS DATE)"),
	},
	bucket: grainForms{
		sqlexpr.GrainWeek:    op(precAdd, "CAST($1 AS DATE) - INTERVAL WEEKDAY($1) DAY"),
		sqlexpr.GrainMonth:   call("CAST(DATE_FORMAT($1, '%Y-%m-01') AS DATE)"),
		sqlexpr.GrainQuarter: op(precAdd, "MAKEDATE(YEAR($1), 1) + INTERVAL (QUARTER($1) - 1) QUARTER"),
		sqlexpr.GrainYear:    call("MAKEDATE(YEAR($1), 1)"),
	},
	ordinal: grainForms{
		sqlexpr.GrainDay:     call("TO_DAYS($1)"),
		sqlexpr.GrainWeek:    op(precMul, "(TO_DAYS($1) - 366) DIV 7"),
		sqlexpr.GrainMonth:   op(precAdd, "YEAR($1) * 12 + MONTH($1)"),
		sqlexpr.GrainQuarter: op(precAdd, "YEAR($1) * 4 + QUARTER($1)"),
		sqlexpr.GrainYear:    call("YEAR($1)"),
	},
	trunc: partForms{
		partSecond:  call("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s') AS DATETIME)"),
		partMinute:  call("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:%i:00') AS DATETIME)"),
		partHour:    call("CAST(DATE_FORMAT($1, '%Y-%m-%d %H:00:00') AS DATETIME)"),
		partDay:     call("CAST(CAST($1 AS DATE) AS DATETIME)"),
		partWeek:    call("CAST(CAST($1 AS DATE) - INTERVAL WEEKDAY($1) DAY AS DATETIME)"),
		partMonth:   call("CAST(DATE_FORMAT($1, '%Y-%m-01') AS DATETIME)"),
		partQuarter: call("CAST(MAKEDATE(YEAR($1), 1) + INTERVAL (QUARTER($1) - 1) QUARTER AS DATETIME)"),
		partYear:    call("CAST(MAKEDATE(YEAR($1), 1) AS DATETIME)"),
	},
	otherTrunc: map[string]form{
		"millisecond": call("CAST(LEFT(DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s.%f'), 23) AS DATETIME(6))"),
		"microsecond": call("CAST($1 AS DATETIME(6))"),
		"decade":      call("CAST(MAKEDATE(YEAR($1) DIV 10 * 10, 1) AS DATETIME)"),
		"century":     call("CAST(MAKEDATE((YEAR($1) - 1) DIV 100 * 100 + 1, 1) AS DATETIME)"),
		"millennium":  call("CAST(MAKEDATE((YEAR($1) - 1) DIV 1000 * 1000 + 1, 1) AS DATETIME)"),
	},
	part: partForms{
		partSecond: call("SECOND($1)"), partMinute: call("MINUTE($1)"), partHour: call("HOUR($1)"),
		partDay: call("DAYOFMONTH($1)"), partWeek: call("WEEK($1, 3)"), partMonth: call("MONTH($1)"),
		partQuarter: call("QUARTER($1)"), partYear: call("YEAR($1)"),
		partDayOfYear: call("DAYOFYEAR($1)"), partDayOfWeek: op(precAdd, "DAYOFWEEK($1) - 1"),
	},
	otherPart: mysqlOtherPart,
	diff: partForms{
		partSecond:  call("TIMESTAMPDIFF(SECOND, DATE_FORMAT($1, '%Y-%m-%d %H:%i:%s'), DATE_FORMAT($2, '%Y-%m-%d %H:%i:%s'))"),
		partMinute:  call("TIMESTAMPDIFF(MINUTE, DATE_FORMAT($1, '%Y-%m-%d %H:%i:00'), DATE_FORMAT($2, '%Y-%m-%d %H:%i:00'))"),
		partHour:    call("TIMESTAMPDIFF(HOUR, DATE_FORMAT($1, '%Y-%m-%d %H:00:00'), DATE_FORMAT($2, '%Y-%m-%d %H:00:00'))"),
		partDay:     call("DATEDIFF($2, $1)"),
		partWeek:    op(precAdd, "(TO_DAYS($2) - 366) DIV 7 - (TO_DAYS($1) - 366) DIV 7"),
		partMonth:   call("PERIOD_DIFF(EXTRACT(YEAR_MONTH FROM $2), EXTRACT(YEAR_MONTH FROM $1))"),
		partQuarter: op(precAdd, "YEAR($2) * 4 + QUARTER($2) - YEAR($1) * 4 - QUARTER($1)"),
		partYear:    op(precAdd, "YEAR($2) - YEAR($1)"),
	},
	moment: perType{
		sqlexpr.TypeUnknown: call("CAST($1 AS DATETIME(6))"),
		sqlexpr.TypeString:  call("CAST($1 AS DATETIME(6))"),
		sqlexpr.TypeDate:    call("CAST($1 AS DATETIME(6))"),
	},
	shift:          eachUnit(precAdd, "@1 + INTERVAL @2 {UNIT}"),
	shiftKeepsDate: true,
	asNumbers:      true,
	matches:        op(precCompare, "@1 REGEXP @2"),
	decode:         decodeByPattern,
}

// mysqlOtherPart has what other engines call by these names, and the parts that
// only MySQL has.
var mysqlOtherPart = func() map[string]form {
	parts := map[string]form{
		"isodow":  op(precAdd, "WEEKDAY($1) + 1"),
		"isoyear": op(precMul, "YEARWEEK($1, 3) DIV 100"),
		// MySQL's own counts from the second, theirs from the minute.
		"microsecond": op(precAdd, "SECOND($1) * 1000000 + MICROSECOND($1)"),
	}
	for p := range words(`second_microsecond minute_microsecond minute_second hour_microsecond hour_second
		hour_minute day_microsecond day_second day_minute day_hour year_month`) {
		parts[p] = call("EXTRACT(" + p + " FROM $1)")
	}
	return parts
}()

var mysqlCalls = standard.with(map[sqlexpr.Func][]callForm{
	sqlexpr.FnCovarPop:         nil,
	sqlexpr.FnCovarSamp:        nil,
	sqlexpr.FnCorr:             nil,
	sqlexpr.FnCurrentTimestamp: spelled(call("CURRENT_TIMESTAMP(6)")),
	sqlexpr.FnConcat:           code(-1, mysqlConcat),
	sqlexpr.FnLength:           spelled(call("CHAR_LENGTH($1)")),
	sqlexpr.FnTrim:             mysqlTrim("TRIM", "BOTH"),
	sqlexpr.FnLTrim:            mysqlTrim("LTRIM", "LEADING"),
	sqlexpr.FnRTrim:            mysqlTrim("RTRIM", "TRAILING"),
	sqlexpr.FnLeft:             spelled(call("LEFT($1, $2)")),
	sqlexpr.FnRight:            spelled(call("RIGHT($1, $2)")),
	sqlexpr.FnSplitPart: spelled(call("CASE WHEN $3 > (CHAR_LENGTH($1) - CHAR_LENGTH(REPLACE($1, $2, ''))) / CHAR_LENGTH($2) + 1 " +
		"THEN '' ELSE SUBSTRING_INDEX(SUBSTRING_INDEX($1, $2, $3), $2, -1) END")),
	sqlexpr.FnPosition:   spelled(call("LOCATE($1, $2)")),
	sqlexpr.FnContains:   spelled(op(precCompare, "LOCATE($2, $1) > 0")),
	sqlexpr.FnStartsWith: spelled(op(precCompare, "LEFT($1, CHAR_LENGTH($2)) = @2")),
	sqlexpr.FnEndsWith:   spelled(op(precCompare, "RIGHT($1, CHAR_LENGTH($2)) = @2")),
	sqlexpr.FnRound:      append(code(1, mysqlRound), code(2, mysqlRound)...),
	sqlexpr.FnTrunc:      spelled(call("TRUNCATE($1, 0)"), call("TRUNCATE($1, $2)")),
	sqlexpr.FnLog:        spelled(call("LOG10($1)"), op(precMul, "LN($2) / NULLIF(LN($1), 0)")),
	sqlexpr.FnGreatest:   extreme("GREATEST"),
	sqlexpr.FnLeast:      extreme("LEAST"),
})

// mysqlConcat skips nulls, which CONCAT does not.
func mysqlConcat(w *writer, c *sqlexpr.Call, _ prec) {
	w.text("CONCAT_WS(''")
	for _, x := range c.Args {
		w.text(", ")
		w.expr(x, precAny)
	}
	w.byte(')')
}

// mysqlTrim trims a set of characters. TRIM itself takes a whole text instead,
// which is the same thing for a set of one; a larger set is a regular
// expression, in which case matters whatever the collation.
func mysqlTrim(plain, side string) []callForm {
	return trimOfSet(plain, side, call("TRIM("+side+" $2 FROM $1)"))
}

// trimOfSet is mysqlTrim with another spelling of the set of one character.
func trimOfSet(plain, side string, one form) []callForm {
	return append(spelled(call(plain+"($1)")), code(2, func(w *writer, c *sqlexpr.Call, _ prec) {
		set, ok := c.Args[1].(*sqlexpr.String)
		if !ok {
			w.unsupported("trimming characters that are not given as a literal")
			return
		}
		if len([]rune(set.Value)) == 1 {
			w.fill(&one, precAny, c.Args...)
			return
		}
		if set.Value == "" {
			w.expr(c.Args[0], precAny)
			return
		}
		class := classEscapes.Replace(set.Value)
		leading, trailing := "^["+class+"]+", "["+class+"]+$"
		pattern := "(?-i)(" + leading + "|" + trailing + ")"
		switch side {
		case "LEADING":
			pattern = "(?-i)" + leading
		case "TRAILING":
			pattern = "(?-i)" + trailing
		}
		w.text("REGEXP_REPLACE(")
		w.expr(c.Args[0], precAny)
		w.text(", ")
		w.stringLiteral(pattern)
		w.text(", '')")
	})...)
}

var classEscapes = strings.NewReplacer(`\`, `\\`, "]", `\]`, "[", `\[`, "^", `\^`, "-", `\-`)

// mysqlRound rounds a half away from zero, as decimals do; doubles round it to
// the even neighbour.
func mysqlRound(w *writer, c *sqlexpr.Call, _ prec) {
	w.text("ROUND(")
	if t := w.typeOf(c.Args[0]); t == sqlexpr.TypeInt || t == sqlexpr.TypeDecimal {
		w.expr(c.Args[0], precAny)
	} else {
		w.text("CAST(")
		w.expr(c.Args[0], precAny)
		w.text(" AS DECIMAL(65, 30))")
	}
	if len(c.Args) > 1 {
		w.text(", ")
		w.expr(c.Args[1], precAny)
	}
	w.byte(')')
}

// extreme prints GREATEST or LEAST so that nulls are skipped: each argument
// that is NULL gives way to another one.
func extreme(name string) []callForm {
	return code(-1, func(w *writer, c *sqlexpr.Call, min prec) {
		if len(c.Args) == 1 {
			w.expr(c.Args[0], min)
			return
		}
		w.text(name)
		w.byte('(')
		for i, x := range c.Args {
			if i > 0 {
				w.text(", ")
			}
			if literal(x) {
				w.expr(x, precAny)
				continue
			}
			w.text("COALESCE(")
			w.expr(x, precAny)
			for j := range len(c.Args) - 1 {
				w.text(", ")
				w.expr(c.Args[(i+j+1)%len(c.Args)], precAny)
			}
			w.byte(')')
		}
		w.byte(')')
	})
}

// literal reports whether x is a value that is not NULL.
func literal(x sqlexpr.Expr) bool {
	switch x.(type) {
	case *sqlexpr.Number, *sqlexpr.String, *sqlexpr.Typed, *sqlexpr.Bool:
		return true
	}
	return false
}

var (
	boolOfText = call("CASE WHEN LOWER(CAST($1 AS CHAR)) IN ('true', 't', 'yes', 'y', 'on') THEN TRUE " +
		"WHEN LOWER(CAST($1 AS CHAR)) IN ('false', 'f', 'no', 'n', 'off') THEN FALSE ELSE @1 <> 0 END")
	boolOfNumber = op(precCompare, "@1 <> 0")
	numberOfBool = call("CASE WHEN $1 THEN 1 WHEN NOT @1 THEN 0 END")
	textOfBool   = call("CASE WHEN $1 THEN 'true' WHEN NOT @1 THEN 'false' END")
)

// mysqlCast knows that there is no boolean type: conditions are 0 and 1.
func mysqlCast(w *writer, c *sqlexpr.Cast, min prec) {
	from := w.typeOf(c.X)
	switch {
	case c.To.Type == sqlexpr.TypeBool && from == sqlexpr.TypeBool:
		w.expr(c.X, min)
	case c.To.Type == sqlexpr.TypeBool && from.IsNumeric():
		w.fill(&boolOfNumber, min, c.X)
	case c.To.Type == sqlexpr.TypeBool:
		w.fill(&boolOfText, min, c.X)
	case c.To.Type == sqlexpr.TypeString && from == sqlexpr.TypeBool:
		w.fill(&textOfBool, min, c.X)
	default:
		w.castTo(c, min)
	}
}
