package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// typeStyle is how types are named and casts are written.
type typeStyle struct {
	names [sqlexpr.TypeInterval + 1]string
	// cast prints a cast; most dialects use (*writer).plainCast.
	cast func(w *writer, c *sqlexpr.Cast, min precedence)
	// text is what a cast to text has besides, so that the text compares by code points;
	// only the dialects of ByCodePoint have it.
	text collation
	// cutText is the function that cuts a text where a cast to VARCHAR(n) does not; ""
	// where it does.
	cutText string
	// longText is the name of the text type without a length, where that of
	// names is short by default.
	longText string
}

// A decimal without arguments has as many digits as every engine can hold, and
// the same scale everywhere: what the engines' own defaults keep differs from
// nothing to everything behind the point.
const (
	decimalArgs  = "(38, 10)"
	decimalScale = 10
)

// plainCast prints CAST(x AS type).
func (w *writer) plainCast(c *sqlexpr.Cast, min precedence) {
	if w.shouldStop() {
		return
	}
	if c.To.Type == sqlexpr.TypeString && len(c.To.Args) > 0 && w.d.types.cutText != "" {
		w.text(w.d.types.cutText)
		w.byte('(')
		w.d.types.cast(w, castTo(c.X, sqlexpr.TypeString), precAny)
		w.text(", ")
		w.integer(int64(c.To.Args[0]))
		w.byte(')')
		return
	}
	w.text("CAST(")
	w.expr(c.X, precAny)
	w.text(" AS ")
	w.typeName(&c.To)
	if c.To.Type == sqlexpr.TypeString {
		w.text(w.d.types.text.charset)
	}
	w.byte(')')
	if c.To.Type == sqlexpr.TypeString {
		w.text(w.d.types.text.collate)
	}
}

// conditionCast spells out a condition as text or as a number, to engines that
// refuse to cast one or write it 1.
func conditionCast(w *writer, c *sqlexpr.Cast, min precedence) {
	if c.To.Type == sqlexpr.TypeString && len(c.To.Args) == 0 && w.typeOf(c.X) == sqlexpr.TypeBool {
		w.render(&textOfBool, min, c.X)
		return
	}
	w.plainCast(w.withoutCondition(c), min)
}

// withoutCondition is a cast to a text or a number of the word or the digit that a
// condition is.
func (w *writer) withoutCondition(c *sqlexpr.Cast) *sqlexpr.Cast {
	var yes, no sqlexpr.Expr
	switch {
	case w.typeOf(c.X) != sqlexpr.TypeBool:
		return c
	case c.To.Type == sqlexpr.TypeString:
		yes, no = textOf("true"), textOf("false")
	case c.To.Type.IsNumeric():
		yes, no = integerExpr(1), integerExpr(0)
	default:
		return c
	}
	return &sqlexpr.Cast{To: c.To, X: &sqlexpr.Case{Whens: []sqlexpr.When{
		{Cond: c.X, Then: yes}, {Cond: &sqlexpr.Unary{Op: sqlexpr.OpNot, X: c.X}, Then: no},
	}}}
}

// roundedDecimal prints a cast to DECIMAL(p, s) as a rounding to s digits.
func (w *writer) roundedDecimal(c *sqlexpr.Cast) {
	scale := decimalScale
	switch len(c.To.Args) {
	case 1:
		scale = 0
	case 2:
		scale = c.To.Args[1]
	}
	w.text("ROUND(CAST(")
	w.expr(c.X, precAny)
	w.text(" AS ")
	w.text(w.d.types.names[sqlexpr.TypeDecimal])
	w.text("), ")
	w.integer(int64(scale))
	w.byte(')')
}

func (w *writer) typeName(t *sqlexpr.TypeName) {
	name := w.d.types.names[t.Type]
	if t.Type == sqlexpr.TypeUnknown {
		name = t.Name
	}
	if name == "" || t.Type == sqlexpr.TypeUnknown && !isTypeName(name) {
		w.unsupported("a cast to " + t.Type.String())
		return
	}
	if t.Type == sqlexpr.TypeString && len(t.Args) == 0 && w.d.types.longText != "" {
		name = w.d.types.longText
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

// isTypeName reports whether s is made of words.
func isTypeName(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && (c < '0' || c > '9') && c != ' ' {
			return false
		}
	}
	return true
}

// roundingCast rounds what is cast to an integer where the engine would cut
// the fraction off.
func roundingCast(w *writer, c *sqlexpr.Cast, min precedence) {
	if t := w.typeOf(c.X); c.To.Type == sqlexpr.TypeInt && (t == sqlexpr.TypeDecimal || t == sqlexpr.TypeFloat) {
		c = castTo(newCall(sqlexpr.FnRound, c.X), sqlexpr.TypeInt)
	}
	conditionCast(w, c, min)
}

var (
	boolOfText = primaryTemplate("CASE WHEN LOWER(CAST($1 AS CHAR)) IN ('true', 't', 'yes', 'y', 'on') THEN TRUE " +
		"WHEN LOWER(CAST($1 AS CHAR)) IN ('false', 'f', 'no', 'n', 'off') THEN FALSE ELSE @1 <> 0 END")
	boolOfNumber = operatorTemplate(precCompare, "@1 <> 0")
	numberOfBool = primaryTemplate("CASE WHEN $1 THEN 1 WHEN NOT @1 THEN 0 END")
	textOfBool   = primaryTemplate("CASE WHEN $1 THEN 'true' WHEN NOT @1 THEN 'false' END")
)
