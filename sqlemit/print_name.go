package sqlemit

import (
	"hash/fnv"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// printQuotedName writes a name in quotes, as it is: aliases, output columns, and names
// that the model quotes.
func (w *writer) printQuotedName(s string) {
	st := &w.d.ident
	w.lastQuotedAt = len(w.buf)
	if st.limit > 0 && len(s) > st.limit {
		s = st.shortenNameWithHash(s)
	}
	if strings.IndexByte(s, st.quote) < 0 && (st.escape == 0 || strings.IndexByte(s, st.escape) < 0) {
		w.buf = append(append(append(w.buf, st.quote), s...), st.quote)
		return
	}
	w.appendByte(st.quote)
	for i := range len(s) {
		switch c := s[i]; {
		case st.escape != 0 && (c == st.quote || c == st.escape):
			w.appendByte(st.escape)
			w.appendByte(c)
		case c == st.quote:
			w.appendByte(c)
			w.appendByte(c)
		default:
			w.appendByte(c)
		}
	}
	w.appendByte(st.quote)
}

// shortenNameWithHash returns a name of which the engine keeps every byte. A name that is too long ends
// in a hash of the whole, so that two of them stay distinct. The tables and columns of
// the database are not affected: their names are within the limit.
func (st *identStyle) shortenNameWithHash(s string) string {
	if st.limit == 0 || len(s) <= st.limit {
		return s
	}
	mark := nameHashSuffix(s)
	cut := st.limit - 1 - len(mark)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "_" + mark
}

// nameHashSuffix distinguishes a name from others that begin alike.
func nameHashSuffix(s string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// printName writes a name of the model: in quotes where the model has quotes, else
// without, so that the engine folds it as it folded the name when the table
// was made. A reserved word needs quotes, and then the folded letters.
func (w *writer) printName(n sqlexpr.Name) {
	switch {
	case n.Quoted || w.d.ident.alwaysQuotes:
		w.printQuotedName(n.Text)
	case canAlwaysBeUnquoted(n.Text) && !w.d.ident.reserved.containsWord(n.Text):
		w.appendText(n.Text)
	case canSometimesBeUnquoted(n.Text):
		w.printQuotedName(w.d.ident.fold.foldLetters(n.Text))
	default:
		w.printQuotedName(n.Text)
	}
}

// printQualifiedColumn writes a column: alias.column, or a name alone.
func (w *writer) printQualifiedColumn(path []sqlexpr.Name) {
	for i, n := range path {
		if i > 0 {
			w.appendByte('.')
		}
		if i == 0 && len(path) > 1 {
			w.printTableAlias(n.Text)
			continue
		}
		w.printName(n)
	}
}

// printTableAlias writes the alias of a table.
func (w *writer) printTableAlias(name string) {
	if other := w.renamed[name]; other != "" {
		name = other
	}
	w.printQuotedName(name)
}

// printTableName writes the parts of a table's name.
func (w *writer) printTableName(parts []sqlexpr.Name) {
	for i, n := range parts {
		if i > 0 {
			w.appendByte('.')
		}
		w.printName(n)
	}
}

func (f unquotedNameFold) foldLetters(s string) string {
	switch f {
	case foldLower:
		return shiftASCIIRange(s, 'A', 'Z', 'a'-'A')
	case foldUpper:
		return shiftASCIIRange(s, 'a', 'z', -('a' - 'A'))
	}
	return s
}

func shiftASCIIRange(s string, from, to byte, shift int) string {
	b := []byte(s)
	for i, c := range b {
		if from <= c && c <= to {
			b[i] = byte(int(c) + shift)
		}
	}
	return string(b)
}

// canAlwaysBeUnquoted reports whether every engine reads s as a name without quotes.
func canAlwaysBeUnquoted(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !isWordLetter(c) && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// canSometimesBeUnquoted reports whether s could be a name without quotes in some engine:
// letters of any script count.
func canSometimesBeUnquoted(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !isWordLetter(c) && c < 0x80 && (i == 0 || (c < '0' || c > '9') && c != '$') {
			return false
		}
	}
	return s != ""
}

func isWordLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

// KeepsUnquotedName reports whether the engine reads a name without quotes as exactly this name: it is
// made of ordinary letters, and the engine does not fold them. Reserved words count as kept,
// because a printed name has quotes where it needs them.
func (d *Dialect) KeepsUnquotedName(name string) bool {
	return canAlwaysBeUnquoted(name) && d.ident.fold.foldLetters(name) == name
}

// wordSet is a set of words in lower case.
type wordSet map[string]struct{}

func newWordSet(lists ...string) wordSet {
	s := wordSet{}
	for _, l := range lists {
		for _, w := range strings.Fields(l) {
			s[w] = struct{}{}
		}
	}
	return s
}

// maxReservedWordLength bounds the folding buffer of has; no reserved word is longer.
const maxReservedWordLength = 32

func (s wordSet) containsWord(word string) bool {
	if len(word) > maxReservedWordLength {
		return false
	}
	var buf [maxReservedWordLength]byte
	for i := range len(word) {
		c := word[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	_, ok := s[string(buf[:len(word)])]
	return ok
}
