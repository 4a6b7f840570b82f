package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// typeStyle is how types are named and casts are written.
type typeStyle struct {
	names [sqlexpr.TypeInterval + 1]string
	// cast prints a cast; most dialects use (*writer).printPlainCast.
	cast func(w *writer, c *sqlexpr.Cast, min precedence)
	// text is what a cast to text has besides, so that the text compares by code points;
	// only the dialects of WithCodePointCollation have it.
	text textCastCollation
	// cutText is the function that cuts a text where a cast to VARCHAR(n) does not; ""
	// where it does.
	cutText string
	// longText is the name of the text type without a length, where that of
	// names is short by default.
	longText string
	// notText reports whether a value of a type that is known to the engine alone is not a string; absent where a cast
	// of a string that is not a number is an error or NULL.
	notText template
	// isNumber and isInteger report whether a string is written as a number and as an integer; absent where time.matches does.
	isNumber, isInteger template
	// rejectsBlanks: a cast to a number rejects a string with blanks around the number.
	rejectsBlanks bool
	// integerText is the text of an integer, where a computed integer may be a double; absent where a cast
	// has no point.
	integerText template
}

// A decimal without arguments has as many digits as every engine can hold, and
// the same scale everywhere: what the engines' own defaults keep differs from
// nothing to everything after the point.
const (
	defaultDecimalArgs  = "(38, 10)"
	defaultDecimalScale = 10
)

// printPlainCast prints CAST(x AS type).
func (w *writer) printPlainCast(c *sqlexpr.Cast, min precedence) {
	if w.shouldStopPrinting() {
		return
	}
	if c.To.Type == sqlexpr.TypeString && len(c.To.Args) > 0 && w.d.types.cutText != "" {
		w.appendText(w.d.types.cutText)
		w.appendByte('(')
		w.d.types.cast(w, newCast(c.X, sqlexpr.TypeString), precAny)
		w.appendText(", ")
		w.printInteger(int64(c.To.Args[0]))
		w.appendByte(')')
		return
	}
	w.appendText("CAST(")
	w.printExpr(c.X, precAny)
	w.appendText(" AS ")
	w.printTypeName(&c.To)
	if c.To.Type == sqlexpr.TypeString {
		w.appendText(w.d.types.text.charset)
	}
	w.appendByte(')')
	if c.To.Type == sqlexpr.TypeString {
		w.appendText(w.d.types.text.collate)
	}
}

// printConditionCast spells out a condition as text or as a number, to engines that
// reject such a cast, or write it 1.
func printConditionCast(w *writer, c *sqlexpr.Cast, min precedence) {
	if c.To.Type == sqlexpr.TypeString && len(c.To.Args) == 0 && w.typeOf(c.X) == sqlexpr.TypeBool {
		w.printTemplate(&boolToTextTemplate, min, c.X)
		return
	}
	w.printPlainCast(w.castBooleanToTextOrNumber(c), min)
}

// castBooleanToTextOrNumber returns a cast to a text or a number of the word or the digit that a
// condition is.
func (w *writer) castBooleanToTextOrNumber(c *sqlexpr.Cast) *sqlexpr.Cast {
	var yes, no sqlexpr.Expr
	switch {
	case w.typeOf(c.X) != sqlexpr.TypeBool:
		return c
	case c.To.Type == sqlexpr.TypeString:
		yes, no = newStringLiteral("true"), newStringLiteral("false")
	case c.To.Type.IsNumeric():
		yes, no = newIntegerConstant(1), newIntegerConstant(0)
	default:
		return c
	}
	return &sqlexpr.Cast{To: c.To, X: &sqlexpr.Case{Whens: []sqlexpr.When{
		{Cond: c.X, Then: yes}, {Cond: &sqlexpr.Unary{Op: sqlexpr.OpNot, X: c.X}, Then: no},
	}}}
}

// printDecimalCastAsRound prints a cast to DECIMAL(p, s) as a rounding to s digits.
func (w *writer) printDecimalCastAsRound(c *sqlexpr.Cast) {
	scale := defaultDecimalScale
	switch len(c.To.Args) {
	case 1:
		scale = 0
	case 2:
		scale = c.To.Args[1]
	}
	w.appendText("ROUND(CAST(")
	w.printExpr(c.X, precAny)
	w.appendText(" AS ")
	w.appendText(w.d.types.names[sqlexpr.TypeDecimal])
	w.appendText("), ")
	w.printInteger(int64(scale))
	w.appendByte(')')
}

func (w *writer) printTypeName(t *sqlexpr.TypeName) {
	name := w.d.types.names[t.Type]
	if t.Type == sqlexpr.TypeUnknown {
		name = t.Name
	}
	if name == "" || t.Type == sqlexpr.TypeUnknown && !hasOnlyWordsAndSpaces(name) {
		w.recordNotImplemented("a cast to " + t.Type.String())
		return
	}
	if t.Type == sqlexpr.TypeString && len(t.Args) == 0 && w.d.types.longText != "" {
		name = w.d.types.longText
	}
	w.appendText(name)
	switch {
	case t.Type == sqlexpr.TypeDecimal && len(t.Args) == 0:
		w.appendText(defaultDecimalArgs)
	case t.Type == sqlexpr.TypeDecimal, t.Type == sqlexpr.TypeUnknown, t.Type == sqlexpr.TypeString:
		w.printTypeArgs(t.Args)
	}
}

func (w *writer) printTypeArgs(args []int) {
	for i, a := range args {
		if i == 0 {
			w.appendByte('(')
		} else {
			w.appendText(", ")
		}
		w.printInteger(int64(a))
	}
	if len(args) > 0 {
		w.appendByte(')')
	}
}

// hasOnlyWordsAndSpaces reports whether s is made of words.
func hasOnlyWordsAndSpaces(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isWordLetter(c) && (c < '0' || c > '9') && c != ' ' {
			return false
		}
	}
	return true
}

// printRoundingCast rounds what is cast to an integer where the engine would cut
// the fraction off.
func printRoundingCast(w *writer, c *sqlexpr.Cast, min precedence) {
	if t := w.typeOf(c.X); c.To.Type == sqlexpr.TypeInt && (t == sqlexpr.TypeDecimal || t == sqlexpr.TypeFloat) {
		c = newCast(newCall(sqlexpr.FnRound, c.X), sqlexpr.TypeInt)
	}
	printConditionCast(w, c, min)
}

var (
	textToBoolTemplate = parseTemplate("CASE WHEN LOWER(CAST($1 AS CHAR)) IN ('true', 't', 'yes', 'y', 'on', '1') THEN TRUE " +
		"WHEN LOWER(CAST($1 AS CHAR)) IN ('false', 'f', 'no', 'n', 'off', '0') THEN FALSE WHEN COLLATION($1) = 'binary' THEN @1 <> 0 END")
	numberToBoolTemplate = parseTemplate("@1 <> 0")
	boolToNumberTemplate = parseTemplate("CASE WHEN $1 THEN 1 WHEN NOT @1 THEN 0 END")
	boolToTextTemplate   = parseTemplate("CASE WHEN $1 THEN 'true' WHEN NOT @1 THEN 'false' END")
)
