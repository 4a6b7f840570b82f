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
	wide affixes
	// The affixes of the digits of each type. A timestamp with zone is
	// written in UTC.
	date, clock, stamp, zoned affixes
}

// affixes is the text before and after a value.
type affixes struct{ prefix, suffix string }

// keywordAffixes frames a literal as in DATE '…'.
func keywordAffixes(word string) affixes { return affixes{word + " '", "'"} }

// callAffixes frames a literal as the argument of a function.
func callAffixes(name, moreArgs string) affixes { return affixes{name + "('", "'" + moreArgs + ")"} }

// isMissing reports a type without literals.
func (f affixes) isMissing() bool { return f.suffix == "" }

// stringLiteral writes a text value. NUL bytes do not occur: the parser refuses
// them.
func (w *writer) stringLiteral(s string) {
	st := &w.d.lit
	w.byte('\'')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' && st.quoteByBackslash:
			w.text(`\'`)
		case c == '\'':
			w.text("''")
		case c == '\\' && st.backslashEscapes:
			w.text(`\\`)
		case c == '\n' && st.newlineEscapes:
			w.text(`\n`)
		case c == '\r' && st.newlineEscapes:
			w.text(`\r`)
		case c == 0:
			w.invalid("a text literal contains a NUL byte")
		default:
			w.byte(c)
		}
	}
	w.byte('\'')
}

// number writes a numeric literal after checking its spelling once more.
func (w *writer) number(s string) {
	if !isNumber(s) {
		w.invalid("a numeric literal is not a number")
		return
	}
	if wide := w.d.lit.wide; !wide.isMissing() && isWide(s) {
		w.text(wide.prefix)
		w.text(s)
		w.text(wide.suffix)
		return
	}
	if s[0] == '.' {
		w.byte('0')
	}
	dot := strings.IndexByte(s, '.')
	if dot >= 0 && (dot+1 == len(s) || s[dot+1] == 'e' || s[dot+1] == 'E') {
		w.text(s[:dot])
		w.text(".0")
		s = s[dot+1:]
	}
	w.text(s)
}

func (w *writer) integer(n int64) { w.buf = strconv.AppendInt(w.buf, n, 10) }

// typedLiteral writes a literal with a type after checking its digits once more.
func (w *writer) typedLiteral(t sqlexpr.Type, value string) {
	st := &w.d.lit
	var f affixes
	ok := false
	switch t {
	case sqlexpr.TypeDate:
		f, ok = st.date, matchesLayout(value, time.DateOnly)
	case sqlexpr.TypeTime:
		f, ok = st.clock, matchesLayout(value, "15:04:05.999999999")
	case sqlexpr.TypeTimestamp:
		f, ok = st.stamp, matchesLayout(value, "2006-01-02 15:04:05.999999999")
	case sqlexpr.TypeTimestampTZ:
		f = st.zoned
		value, ok = inUTC(value)
	}
	switch {
	case !ok:
		w.invalid("a " + t.String() + " literal is not in normal form")
	case f.isMissing():
		w.unsupported("a " + t.String() + " literal")
	default:
		w.text(f.prefix)
		w.text(value)
		w.text(f.suffix)
	}
}

func matchesLayout(value, layout string) bool {
	_, err := time.Parse(layout, value)
	return err == nil
}

func inUTC(value string) (string, bool) {
	t, err := time.Parse("2006-01-02 15:04:05.999999999Z07:00", value)
	if err != nil {
		return "", false
	}
	return t.UTC().Format("2006-01-02 15:04:05.999999"), true
}
