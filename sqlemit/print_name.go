package sqlemit

import (
	"hash/fnv"
	"strconv"
	"unicode/utf8"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// quoted writes a name in quotes, as it is: aliases, output columns, and names
// that the model quotes.
func (w *writer) quoted(s string) {
	st := &w.d.ident
	s = st.shortenName(s)
	w.byte(st.quote)
	for i := range len(s) {
		switch c := s[i]; {
		case st.escape != 0 && (c == st.quote || c == st.escape):
			w.byte(st.escape)
			w.byte(c)
		case c == st.quote:
			w.byte(c)
			w.byte(c)
		default:
			w.byte(c)
		}
	}
	w.byte(st.quote)
}

// shortenName returns a name of which the engine keeps every byte. A name that is too long ends
// in a hash of the whole, so that two of them stay distinct. The tables and columns of
// the database are not affected: their names are within the limit.
func (st *identStyle) shortenName(s string) string {
	if st.limit == 0 || len(s) <= st.limit {
		return s
	}
	mark := nameHash(s)
	cut := st.limit - 1 - len(mark)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "_" + mark
}

// nameHash distinguishes a name from others that begin alike.
func nameHash(s string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// name writes a name of the model: in quotes where the model has quotes, else
// without, so that the engine folds it as it folded the name when the table
// was made. A reserved word needs quotes, and then the folded letters.
func (w *writer) name(n sqlexpr.Name) {
	switch {
	case n.Quoted || w.d.ident.alwaysQuotes:
		w.quoted(n.Text)
	case isUnquotedName(n.Text) && !w.d.ident.reserved.has(n.Text):
		w.text(n.Text)
	case couldBeUnquoted(n.Text):
		w.quoted(w.d.ident.fold.apply(n.Text))
	default:
		w.quoted(n.Text)
	}
}

// columnPath writes a column: alias.column, or a name alone.
func (w *writer) columnPath(path []sqlexpr.Name) {
	for i, n := range path {
		if i > 0 {
			w.byte('.')
		}
		if i == 0 && len(path) > 1 {
			w.alias(n.Text)
			continue
		}
		w.name(n)
	}
}

// alias writes the alias of a table.
func (w *writer) alias(name string) {
	if other := w.renamed[name]; other != "" {
		name = other
	}
	w.quoted(name)
}

// table writes the parts of a table's name.
func (w *writer) table(parts []sqlexpr.Name) {
	for i, n := range parts {
		if i > 0 {
			w.byte('.')
		}
		w.name(n)
	}
}

func (f letterFold) apply(s string) string {
	switch f {
	case foldLower:
		return asciiMap(s, 'A', 'Z', 'a'-'A')
	case foldUpper:
		return asciiMap(s, 'a', 'z', -('a' - 'A'))
	}
	return s
}

func asciiMap(s string, from, to byte, shift int) string {
	b := []byte(s)
	for i, c := range b {
		if from <= c && c <= to {
			b[i] = byte(int(c) + shift)
		}
	}
	return string(b)
}

// isUnquotedName reports whether every engine reads s as a name without quotes.
func isUnquotedName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !isLetter(c) && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// couldBeUnquoted reports whether s could be a name without quotes in some engine:
// letters of any script count.
func couldBeUnquoted(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !isLetter(c) && c < 0x80 && (i == 0 || (c < '0' || c > '9') && c != '$') {
			return false
		}
	}
	return s != ""
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

// KeepsName reports whether the engine reads a name without quotes as exactly this name: it is
// made of ordinary letters, and the engine does not fold them. Reserved words count as kept,
// because a printed name has quotes where it needs them.
func (d *Dialect) KeepsName(name string) bool {
	return isUnquotedName(name) && d.ident.fold.apply(name) == name
}
