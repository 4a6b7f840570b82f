package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

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
