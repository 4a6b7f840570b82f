package sqlemit

import (
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// literalStyle is how values are written.
type literalStyle struct {
	// backslashEscapes: a backslash in a text literal escapes the next character.
	backslashEscapes bool
	// quoteByBackslash: a quote inside a text literal takes a backslash, not a
	// second quote.
	quoteByBackslash bool
	// newlineEscapes: a text literal takes line breaks as escapes only.
	newlineEscapes bool
	// wide holds the affixes of an integer of more than 64 bits, empty if it needs none.
	wide literalAffixes
	// The affixes of the digits of each type. A timestamp with zone is
	// written in UTC.
	date, clock, stamp, zoned literalAffixes
}

// literalAffixes is the text before and after a value.
type literalAffixes struct{ prefix, suffix string }

// keywordAffixes frames a literal as in DATE '…'.
func keywordAffixes(word string) literalAffixes { return literalAffixes{word + " '", "'"} }

// callAffixes frames a literal as the argument of a function.
func callAffixes(name, moreArgs string) literalAffixes {
	return literalAffixes{name + "('", "'" + moreArgs + ")"}
}

// hasNoLiterals reports a type without literals.
func (f literalAffixes) hasNoLiterals() bool { return f.suffix == "" }

// printStringLiteral writes a text value. NUL bytes do not occur: the parser rejects
// them.
func (w *writer) printStringLiteral(s string) {
	st := &w.d.lit
	w.appendByte('\'')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' && st.quoteByBackslash:
			w.appendText(`\'`)
		case c == '\'':
			w.appendText("''")
		case c == '\\' && st.backslashEscapes:
			w.appendText(`\\`)
		case c == '\n' && st.newlineEscapes:
			w.appendText(`\n`)
		case c == '\r' && st.newlineEscapes:
			w.appendText(`\r`)
		case c == 0:
			w.recordInternalError("a text literal contains a NUL byte")
		default:
			w.appendByte(c)
		}
	}
	w.appendByte('\'')
}

// printNumericLiteral writes a numeric literal after checking its spelling once more.
func (w *writer) printNumericLiteral(s string) {
	if !isNumericText(s) {
		w.recordInternalError("a numeric literal is not a number")
		return
	}
	if wide := w.d.lit.wide; !wide.hasNoLiterals() && isWiderThanInt64(s) {
		w.appendText(wide.prefix)
		w.appendText(s)
		w.appendText(wide.suffix)
		return
	}
	if s[0] == '.' {
		w.appendByte('0')
	}
	dot := strings.IndexByte(s, '.')
	if dot >= 0 && (dot+1 == len(s) || s[dot+1] == 'e' || s[dot+1] == 'E') {
		w.appendText(s[:dot])
		w.appendText(".0")
		s = s[dot+1:]
	}
	w.appendText(s)
}

func (w *writer) printInteger(n int64) { w.buf = strconv.AppendInt(w.buf, n, 10) }

// printTypedLiteral writes a literal with a type after checking its digits once more.
func (w *writer) printTypedLiteral(t sqlexpr.Type, value string) {
	st := &w.d.lit
	var f literalAffixes
	ok := false
	switch t {
	case sqlexpr.TypeDate:
		f, ok = st.date, matchesTimeLayout(value, time.DateOnly)
	case sqlexpr.TypeTime:
		f, ok = st.clock, matchesTimeLayout(value, "15:04:05.999999999")
	case sqlexpr.TypeTimestamp:
		f, ok = st.stamp, matchesTimeLayout(value, "2006-01-02 15:04:05.999999999")
	case sqlexpr.TypeTimestampTZ:
		f = st.zoned
		value, ok = convertLiteralTextToUTC(value)
	}
	switch {
	case !ok:
		w.recordInternalError("a " + t.String() + " literal is not in normal form")
	case f.hasNoLiterals():
		w.recordNotImplemented("a " + t.String() + " literal")
	default:
		w.appendText(f.prefix)
		w.appendText(value)
		w.appendText(f.suffix)
	}
}

func matchesTimeLayout(value, layout string) bool {
	_, err := time.Parse(layout, value)
	return err == nil
}

func convertLiteralTextToUTC(value string) (string, bool) {
	t, err := time.Parse("2006-01-02 15:04:05.999999999Z07:00", value)
	if err != nil {
		return "", false
	}
	return t.UTC().Format("2006-01-02 15:04:05.999999"), true
}
