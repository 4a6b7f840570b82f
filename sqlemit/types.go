package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// typeStyle is how types are named and casts are written.
type typeStyle struct {
	names [sqlexpr.TypeInterval + 1]string
	// cast prints a cast; most dialects use (*writer).castTo.
	cast func(w *writer, c *sqlexpr.Cast, min prec)
	// cutText: a cast to VARCHAR(n) does not cut the text to n by itself.
	cutText bool
}

// A decimal without arguments has as many digits as every engine can hold, and
// the same scale everywhere: what the engines' own defaults keep differs from
// nothing to everything behind the point.
const decimalArgs = "(38, 10)"

// castTo prints CAST(x AS type).
func (w *writer) castTo(c *sqlexpr.Cast, min prec) {
	if w.full() {
		return
	}
	if c.To.Type == sqlexpr.TypeString && len(c.To.Args) > 0 && w.d.types.cutText {
		whole := sqlexpr.Cast{X: c.X, To: sqlexpr.TypeName{Type: sqlexpr.TypeString}}
		w.text("LEFT(")
		w.castTo(&whole, precAny)
		w.text(", ")
		w.integer(int64(c.To.Args[0]))
		w.byte(')')
		return
	}
	w.text("CAST(")
	w.expr(c.X, precAny)
	w.text(" AS ")
	w.typeName(&c.To)
	w.byte(')')
}

func (w *writer) typeName(t *sqlexpr.TypeName) {
	name := w.d.types.names[t.Type]
	if t.Type == sqlexpr.TypeUnknown {
		name = t.Name
	}
	if name == "" || !isTypeName(name) {
		w.unsupported("a cast to " + t.Type.String())
		return
	}
	w.text(name)
	switch {
	case t.Type == sqlexpr.TypeDecimal && len(t.Args) == 0:
		w.text(decimalArgs)
	case t.Type == sqlexpr.TypeDecimal, t.Type == sqlexpr.TypeUnknown, t.Type == sqlexpr.TypeString:
		w.typeArgs(t.Args)
	}
}

func (w *writer) typeArgs(args []int) {
	for i, a := range args {
		if i == 0 {
			w.byte('(')
		} else {
			w.text(", ")
		}
		w.integer(int64(a))
	}
	if len(args) > 0 {
		w.byte(')')
	}
}

// isTypeName reports whether s is made of the words of a type's name, with an
// argument list at most.
func isTypeName(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && (c < '0' || c > '9') && c != ' ' && c != '(' && c != ')' {
			return false
		}
	}
	return true
}
