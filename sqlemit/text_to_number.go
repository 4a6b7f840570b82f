package sqlemit

import (
	"regexp"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// The strings that are numbers. They have classes, groups and counts, which all regular expression engines read alike.
const (
	integerTextPattern = "^ *[-+]?[0-9]+ *$"
	numberTextPattern  = "^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)? *$"
)

var integerText, numberText = regexp.MustCompile(integerTextPattern), regexp.MustCompile(numberTextPattern)

// printCast prints a cast. A string that is not a number is NULL as a number: the engines' own casts return an error, 0, or the
// digits at its beginning. The casts that package sqlemit adds have other operands than a DeclaredTypeExpr.
func (w *writer) printCast(c *sqlexpr.Cast, min precedence) {
	x, declared := c.X.(*sqlexpr.DeclaredTypeExpr)
	if !declared || !c.To.Type.IsNumeric() {
		w.d.types.cast(w, c, min)
		return
	}
	known := w.typeOf(x)
	literal, _ := x.X.(*sqlexpr.String)
	switch {
	case literal != nil && !isTextOfNumber(literal.Value, c.To.Type):
		w.d.types.cast(w, &sqlexpr.Cast{X: &sqlexpr.Null{}, To: c.To}, min)
	case literal != nil:
		// Some engines reject the blanks.
		w.d.types.cast(w, &sqlexpr.Cast{X: newStringLiteral(strings.Trim(literal.Value, " ")), To: c.To}, min)
	case known == sqlexpr.TypeString, known == sqlexpr.TypeUnknown && x.Type == sqlexpr.TypeString:
		w.printCastOfTextToNumber(c, x.X, false)
	case known == sqlexpr.TypeUnknown && x.Type == sqlexpr.TypeUnknown && !w.d.types.notText.isEmpty():
		w.printCastOfTextToNumber(c, x.X, true)
	default:
		w.d.types.cast(w, &sqlexpr.Cast{X: x.X, To: c.To}, min)
	}
}

func isTextOfNumber(text string, to sqlexpr.Type) bool {
	if to == sqlexpr.TypeInt {
		return integerText.MatchString(text)
	}
	return numberText.MatchString(text)
}

// printCastOfTextToNumber prints CASE WHEN x is a number THEN CAST(x) END; mayBeOther lets values pass that are not strings.
func (w *writer) printCastOfTextToNumber(c *sqlexpr.Cast, x sqlexpr.Expr, mayBeOther bool) {
	w.appendText("CASE WHEN ")
	if mayBeOther {
		w.printTemplate(&w.d.types.notText, precOr, x)
		w.appendText(" OR ")
	}
	test, pattern := &w.d.types.isNumber, numberTextPattern
	if c.To.Type == sqlexpr.TypeInt {
		test, pattern = &w.d.types.isInteger, integerTextPattern
	}
	if test.isEmpty() {
		text := x
		if w.typeOf(x) != sqlexpr.TypeString {
			text = newCast(x, sqlexpr.TypeString)
		}
		w.printTemplate(&w.d.time.matches, precOr, text, newStringLiteral(pattern))
	} else {
		w.printTemplate(test, precOr, x)
	}
	w.appendText(" THEN ")
	if w.d.types.rejectsBlanks {
		x = newCall(sqlexpr.FnTrim, x)
	}
	w.d.types.cast(w, &sqlexpr.Cast{X: x, To: c.To}, precAny)
	w.appendText(" END")
}
