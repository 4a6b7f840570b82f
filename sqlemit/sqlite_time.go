package sqlemit

import (
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// A stored time is a text in one of several forms: 2024-01-05, with a time of day after a blank or a T, with Z or an offset.
// Times are compared in one form, that of timestamps: 2024-01-05 10:00:00.25. A comparison of days alone compares days.
//
// The bounds of a range are mostly seconds without a fraction. Beside them x >= bound and x < bound need no fraction of x either,
// so DATETIME(x) suffices.
const sqliteTimestampLayout = "2006-01-02 15:04:05.999999999"

// rewriteSqliteExpr rewrites comparisons of times in that way. It also casts
// dividends to double: in SQLite each value has its own type, so an expression of doubles
// may return an integer, which would divide as an integer.
func rewriteSqliteExpr(w *writer, e sqlexpr.Expr) sqlexpr.Expr {
	if x := sqlexpr.ReplaceComparedValues(e, func(all ...sqlexpr.Expr) []sqlexpr.Expr {
		return w.sqliteComparableTimes(all, comparesWithoutFraction(e))
	}); x != nil {
		return x
	}
	switch e := e.(type) {
	case *sqlexpr.SafeDivide:
		return &sqlexpr.SafeDivide{L: castToDouble(e.L), R: e.R}
	case *sqlexpr.Binary:
		if e.Op == sqlexpr.OpDiv {
			return &sqlexpr.SafeDivide{L: castToDouble(e.L), R: e.R}
		}
	case *sqlexpr.Case:
		if times := w.sqliteComparableTimes(caseOperands(e), false); times != nil {
			return replaceCaseOperands(e, times)
		}
	case *sqlexpr.Call:
		if e.Fn == sqlexpr.FnGreatest || e.Fn == sqlexpr.FnLeast || e.Fn == sqlexpr.FnNullIf {
			if args := w.sqliteComparableTimes(e.Args, false); args != nil {
				out := *e
				out.Args = args
				return &out
			}
		}
	}
	return e
}

// comparesWithoutFraction reports whether the fraction of a second of x does not matter: x >= bound or x < bound, where the bound has none.
func comparesWithoutFraction(e sqlexpr.Expr) bool {
	b, ok := e.(*sqlexpr.Binary)
	if !ok {
		return false
	}
	bound := b.R
	switch b.Op {
	case sqlexpr.OpGe, sqlexpr.OpLt:
	case sqlexpr.OpLe, sqlexpr.OpGt:
		bound = b.L
	default:
		return false
	}
	literal, ok := bound.(*sqlexpr.TypedLiteral)
	t, isTime := timeOfLiteral(literal)
	return ok && isTime && t.Nanosecond() == 0
}

// sqliteComparableTimes returns values that are compared with each other in one form; nil if none of them is a time, or all
// are days.
func (w *writer) sqliteComparableTimes(all []sqlexpr.Expr, whole bool) []sqlexpr.Expr {
	isTime := func(x sqlexpr.Expr) bool { return isDeclaredTime(x) || w.typeOf(x).IsDateOrTimestamp() }
	isDayOrNull := func(x sqlexpr.Expr) bool {
		_, null := x.(*sqlexpr.Null)
		if d, ok := x.(*sqlexpr.DeclaredTypeExpr); ok && d.Type == sqlexpr.TypeDate {
			return true // a Date is read as a day
		}
		return null || w.typeOf(x) == sqlexpr.TypeDate
	}
	if !slices.ContainsFunc(all, isTime) || !slices.ContainsFunc(all, func(x sqlexpr.Expr) bool { return !isDayOrNull(x) }) {
		return nil
	}
	return w.sqliteTimestamps(all, whole)
}

func (w *writer) sqliteTimestamps(all []sqlexpr.Expr, whole bool) []sqlexpr.Expr {
	out := make([]sqlexpr.Expr, len(all))
	for i, x := range all {
		out[i] = w.sqliteTimestamp(x, whole)
	}
	return out
}

// sqliteTimestamp returns a time as a timestamp; whole leaves out the fraction of its second.
func (w *writer) sqliteTimestamp(x sqlexpr.Expr, whole bool) sqlexpr.Expr {
	switch e := x.(type) {
	case *sqlexpr.Null:
		return x
	case *sqlexpr.DeclaredTypeExpr:
		return w.sqliteTimestamp(e.X, whole)
	case *sqlexpr.TypedLiteral:
		if t, ok := timeOfLiteral(e); ok {
			return &sqlexpr.TypedLiteral{Type: sqlexpr.TypeTimestamp, Value: t.Format(sqliteTimestampLayout)}
		}
	case *sqlexpr.Cast:
		if e.To.Type == sqlexpr.TypeTimestamp || e.To.Type == sqlexpr.TypeTimestampTZ {
			return x
		}
	case *sqlexpr.Case:
		return replaceCaseResults(e, w.sqliteTimestamps(sqlexpr.CaseResults(e), whole))
	case *sqlexpr.Call:
		if e.Fn == sqlexpr.FnCoalesce || e.Fn == sqlexpr.FnGreatest || e.Fn == sqlexpr.FnLeast {
			return newCall(e.Fn, w.sqliteTimestamps(e.Args, whole)...)
		}
	}
	switch {
	case w.typeOf(x) == sqlexpr.TypeDate:
		return newBinary(sqlexpr.OpConcat, x, newStringLiteral(midnightSuffix))
	case whole:
		return newCall(sqlexpr.FnDateTrunc, newStringLiteral("second"), x)
	}
	return newCast(x, sqlexpr.TypeTimestamp)
}

// timeOfLiteral returns the time of a literal that is a date or a timestamp, in UTC.
func timeOfLiteral(l *sqlexpr.TypedLiteral) (t time.Time, ok bool) {
	if l == nil {
		return t, false
	}
	layout := map[sqlexpr.Type]string{
		sqlexpr.TypeDate: time.DateOnly, sqlexpr.TypeTimestamp: sqliteTimestampLayout, sqlexpr.TypeTimestampTZ: sqliteTimestampLayout + "Z07:00",
	}[l.Type]
	t, err := time.Parse(layout, l.Value)
	return t.UTC(), layout != "" && err == nil
}

// castToDouble casts any expression except a division, whose value is always a double.
func castToDouble(x sqlexpr.Expr) sqlexpr.Expr {
	switch e := x.(type) {
	case *sqlexpr.SafeDivide:
		return x
	case *sqlexpr.Binary:
		if e.Op == sqlexpr.OpDiv {
			return x
		}
	}
	return newCast(x, sqlexpr.TypeFloat)
}

// printSqliteTimeCodeDecode has no regular expressions: a code is real when the date made of
// its fields reads back as itself.
func printSqliteTimeCodeDecode(w *writer, d *sqlexpr.DecodeTimeCodeExpr, min precedence) {
	code := d.Code
	if code.Epoch != "" {
		printSqliteEpochDecode(w, d, min)
		return
	}
	text := timeCodeAsText(d)
	glob, limits := sqliteTimeCodeGlobAndLimits(code, text)
	if glob == "" {
		w.recordNotImplemented("the time format " + code.Text)
		return
	}
	w.appendText("CASE WHEN ")
	w.printExpr(text, precConcat)
	w.appendText(" GLOB ")
	w.printStringLiteral(glob)
	for _, l := range limits {
		w.appendText(" AND ")
		w.printExpr(l, precAnd)
	}
	w.appendText(" THEN ")
	switch {
	case d.Grain != sqlexpr.GrainNone:
		w.printTemplate(&sqliteTimestampIfValidTemplate, precAny, isoDateOfTimeCode(code, text), timeOfDayOfTimeCode(d, text))
	case timeCodeHasField(code, "dd"):
		w.printTemplate(&sqliteDateIfValidTemplate, precAny, isoDateOfTimeCode(code, text))
	default:
		w.printExpr(dateOfTimeCode(code, text), precAny)
	}
	w.appendText(" END")
}

// sqliteDateIfValidTemplate is an ISO text as a date; a day that its month lacks turns into
// another one, and is not a date.
var sqliteDateIfValidTemplate = parseTemplate("CASE WHEN DATE($1, '+0 days') = @1 THEN DATE($1) END")

// sqliteTimestampIfValidTemplate is the same with a time of day.
var sqliteTimestampIfValidTemplate = parseTemplate("CASE WHEN DATE($1, '+0 days') = @1 THEN @1 || @2 END")

// sqliteTimeCodeGlobAndLimits returns a pattern of the digits of a layout, and the limits of its
// fields.
func sqliteTimeCodeGlobAndLimits(code *sqlexpr.TimeCode, text sqlexpr.Expr) (glob string, limits []sqlexpr.Expr) {
	var b strings.Builder
	at := 1
	for _, f := range code.Fields {
		for ; at < f.Start; at++ {
			b.WriteByte('?')
		}
		at += f.Len
		var lo, hi string
		switch f.Token {
		case "yyyy":
			lo, hi = "0001", "9999"
		case "MM":
			lo, hi = "01", "12"
		case "dd":
			lo, hi = "01", "31"
		case "HH":
			lo, hi = "00", "23"
		case "mm", "ss":
			lo, hi = "00", "59"
		case "Q":
			lo, hi = "1", "4"
		case "ww":
			lo, hi = "01", "53"
		default:
			return "", nil
		}
		b.WriteString(strings.Repeat("[0-9]", f.Len))
		limits = append(limits, &sqlexpr.Between{X: extractTimeCodeField(code, f.Token, text), Lo: newStringLiteral(lo), Hi: newStringLiteral(hi)})
	}
	if n := len(code.Fields); n == 0 {
		return "", nil
	} else if !strings.HasSuffix(code.Text, code.Fields[n-1].Token) {
		b.WriteByte('*')
	}
	return b.String(), limits
}

var (
	sqliteEpochSecondsToDateTemplate = parseTemplate("CASE WHEN $1 BETWEEN -62135596800 AND 253402300799 THEN DATE($2, 'unixepoch') END")
	sqliteEpochMillisToDateTemplate  = parseTemplate("CASE WHEN $1 BETWEEN -62135596800000 AND 253402300799999 THEN DATE(FLOOR(@2 / 1000.0), 'unixepoch') END")
	sqliteEpochDaysToDateTemplate    = parseTemplate("CASE WHEN $1 BETWEEN -719162 AND 2932896 THEN DATE(@2 * 86400, 'unixepoch') END")
)

func printSqliteEpochDecode(w *writer, d *sqlexpr.DecodeTimeCodeExpr, min precedence) {
	x := sqlexpr.Expr(newCast(d.X, sqlexpr.TypeInt))
	if d.Code.Numeric {
		x = d.X
	}
	if d.Grain != sqlexpr.GrainNone {
		printSqliteInstantDecode(w, d, min, x)
		return
	}
	counted := x // on the clock of the zone
	if d.Zone != nil {
		perSecond := int64(1)
		if d.Code.Epoch == "millis" {
			perSecond = 1000
		}
		counted = newBinary(sqlexpr.OpAdd, x, zoneOffsetAtEpochCount(d.Zone, x, perSecond, perSecond))
	}
	switch d.Code.Epoch {
	case "seconds":
		w.printTemplate(&sqliteEpochSecondsToDateTemplate, min, x, counted)
	case "millis":
		w.printTemplate(&sqliteEpochMillisToDateTemplate, min, x, counted)
	case "days":
		w.printTemplate(&sqliteEpochDaysToDateTemplate, min, x, counted)
	default:
		w.recordNotImplemented("the time format " + d.Code.Text)
	}
}

// sqliteEpochBucketInstantTemplate prints the bucket $2 as an instant where the count $1 is between $3 and $4.
var sqliteEpochBucketInstantTemplate = parseTemplate("CASE WHEN $1 BETWEEN $3 AND $4 THEN DATETIME($2, 'unixepoch') END")

// printSqliteInstantDecode prints the bucket within the day of a count.
func printSqliteInstantDecode(w *writer, d *sqlexpr.DecodeTimeCodeExpr, min precedence, x sqlexpr.Expr) {
	perSecond := int64(1)
	if d.Code.Epoch == "millis" {
		perSecond = 1000
	}
	unit := int64(d.Grain.Seconds())
	counted := x
	if d.Zone != nil {
		counted = newBinary(sqlexpr.OpAdd, x, zoneOffsetAtEpochCount(d.Zone, x, perSecond, perSecond))
	}
	bucket := newBinary(sqlexpr.OpMul, newFloorDivision(counted, perSecond*unit), newIntegerConstant(unit))
	if d.Zone != nil && !d.Local {
		bucket = newBinary(sqlexpr.OpSub, bucket, zoneOffsetAtEpochCount(d.Zone, x, perSecond, 1))
	}
	w.printTemplate(&sqliteEpochBucketInstantTemplate, min, x, bucket, newIntegerConstant(firstSupportedEpochSecond*perSecond), newIntegerConstant(lastSupportedEpochSecond*perSecond+perSecond-1))
}

func sqliteDatePartTemplate(format string) template {
	return parseTemplate("CAST(STRFTIME('" + format + "', $1) AS INTEGER)")
}

// sqliteSpanBoundaryDiffTemplate counts boundaries of a span from seconds since the year 1,
// which are never negative.
func sqliteSpanBoundaryDiffTemplate(seconds string) template {
	return parseTemplate("(STRFTIME('%s', $2) + 62135596800) / " + seconds + " - (STRFTIME('%s', $1) + 62135596800) / " + seconds)
}

// sqliteAddSpanTemplate adds a span; milliseconds stay where there are any.
func sqliteAddSpanTemplate(unit, count string) template {
	return sqliteMillisecondsTemplate("$1, " + count + " || ' " + unit + "'")
}

// sqliteAddMonthsTemplate adds months: a day that the month lacks is its last day, where
// SQLite itself would count on into the next month.
func sqliteAddMonthsTemplate(count string) template {
	return parseTemplate("MIN(DATE($1, " + count + " || ' months'), DATE($1, 'start of month', (" + count +
		" + 1) || ' months', '-1 day')) || SUBSTR(" + sqliteMillisecondsSQL("$1") + ", 11)")
}

// sqliteMillisecondsTemplate is a time in the one form of timestamps, of which SQLite's own functions keep the milliseconds.
func sqliteMillisecondsTemplate(args string) template {
	return parseTemplate(sqliteMillisecondsSQL(args))
}

func sqliteMillisecondsSQL(args string) string {
	return "RTRIM(RTRIM(STRFTIME('%Y-%m-%d %H:%M:%f', " + args + "), '0'), '.')"
}

// sqliteTimestampTemplate is a stored time in the one form of timestamps, 2024-01-05 10:00:00.25, with all digits of its second: DATETIME
// reads every form, and converts an offset. Beside an offset the milliseconds stay.
var sqliteTimestampTemplate = parseTemplate("CASE WHEN @1 GLOB '*[-+]??:??' THEN " + sqliteMillisecondsSQL("$1") +
	" ELSE DATETIME($1) || RTRIM(SUBSTR($1, 20), '.0Zz ') END")

// fitSqliteUnionTimestamps converts a key that is a timestamp in one branch to a timestamp in all
// branches: a midnight may be stored as the day alone, even in a field declared as timestamp.
func fitSqliteUnionTimestamps(w *writer, arms []*selectBlock, _ []outputColumn, keys int) bool {
	for key := range keys {
		timestamps := false
		for _, b := range arms {
			t := b.out.cols[key].typ
			timestamps = timestamps || t == sqlexpr.TypeTimestamp || t == sqlexpr.TypeTimestampTZ
		}
		if !timestamps {
			continue
		}
		for i, b := range arms {
			if arms[i] = w.wrapWithConvertedUnionKey(b, key, sqlexpr.TypeTimestamp, castToTimestamp); arms[i] == nil {
				return false
			}
		}
	}
	return true
}

func castToTimestamp(x sqlexpr.Expr) sqlexpr.Expr { return newCast(x, sqlexpr.TypeTimestamp) }
