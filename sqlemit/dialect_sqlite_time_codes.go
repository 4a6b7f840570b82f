package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// sqliteDecode has no regular expressions: a code is real when the date made of
// its fields reads back as itself.
func sqliteDecode(w *writer, d *sqlexpr.Decode, min precedence) {
	code := d.Code
	if code.Epoch != "" {
		sqliteDecodeEpoch(w, d, min)
		return
	}
	text := textOfCode(d)
	glob, limits := sqliteCodeFields(code, text)
	if glob == "" {
		w.unsupported("the time format " + code.Text)
		return
	}
	w.text("CASE WHEN ")
	w.expr(text, precConcat)
	w.text(" GLOB ")
	w.stringLiteral(glob)
	for _, l := range limits {
		w.text(" AND ")
		w.expr(l, precAnd)
	}
	w.text(" THEN ")
	if codeHasField(code, "dd") {
		iso := concat(extractCodeField(code, "yyyy", text), textOf("-"), extractCodeField(code, "MM", text), textOf("-"), extractCodeField(code, "dd", text))
		w.render(&sqliteValidDate, precAny, iso)
	} else {
		w.expr(dateOfCode(code, text), precAny)
	}
	w.text(" END")
}

// sqliteValidDate is an ISO text as a date; a day that its month lacks turns into
// another one, and is not a date.
var sqliteValidDate = primaryTemplate("CASE WHEN DATE($1, '+0 days') = @1 THEN DATE($1) END")

// sqliteCodeFields is a pattern of the digits of a layout, and the limits of its
// fields.
func sqliteCodeFields(code *sqlexpr.TimeCode, text sqlexpr.Expr) (glob string, limits []sqlexpr.Expr) {
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
		limits = append(limits, &sqlexpr.Between{X: extractCodeField(code, f.Token, text), Lo: textOf(lo), Hi: textOf(hi)})
	}
	if n := len(code.Fields); n == 0 {
		return "", nil
	} else if !strings.HasSuffix(code.Text, code.Fields[n-1].Token) {
		b.WriteByte('*')
	}
	return b.String(), limits
}

var (
	sqliteSeconds = primaryTemplate("CASE WHEN $1 BETWEEN -62135596800 AND 253402300799 THEN DATE($1, 'unixepoch') END")
	sqliteMillis  = primaryTemplate("CASE WHEN $1 BETWEEN -62135596800000 AND 253402300799999 THEN DATE(FLOOR($1 / 1000.0), 'unixepoch') END")
	sqliteDays    = primaryTemplate("CASE WHEN $1 BETWEEN -719162 AND 2932896 THEN DATE($1 * 86400, 'unixepoch') END")
)

func sqliteDecodeEpoch(w *writer, d *sqlexpr.Decode, min precedence) {
	x := sqlexpr.Expr(castTo(d.X, sqlexpr.TypeInt))
	if d.Code.Numeric {
		x = d.X
	}
	switch d.Code.Epoch {
	case "seconds":
		w.render(&sqliteSeconds, min, x)
	case "millis":
		w.render(&sqliteMillis, min, x)
	case "days":
		w.render(&sqliteDays, min, x)
	default:
		w.unsupported("the time format " + d.Code.Text)
	}
}
