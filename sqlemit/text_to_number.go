package sqlemit

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// The strings that are numbers. They have classes, groups and counts, which all regular expression engines read alike. An integer has at
// most the digits of 64 bits.
const (
	integerTextPattern = "^ *[-+]?0*[0-9]{1,19} *$"
	maxIntegerDigits   = 19
	numberTextPattern  = "^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)? *$"
)

var integerText, numberText = regexp.MustCompile(integerTextPattern), regexp.MustCompile(numberTextPattern)

// printCast prints a cast. A string that is not a number is NULL as a number: the engines' own casts return an error, 0, or the
// digits at its beginning. The casts that package sqlemit adds have other operands than a DeclaredTypeExpr.
func (w *writer) printCast(c *sqlexpr.Cast, min precedence) {
	if c.Try {
		w.printTryCast(c, min)
		return
	}
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
		_, err := strconv.ParseInt(strings.Trim(text, " "), 10, 64)
		return err == nil && integerText.MatchString(text)
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
	isInt := c.To.Type == sqlexpr.TypeInt
	test, pattern := &w.d.types.isNumber, numberTextPattern
	if isInt {
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
	cast := &sqlexpr.Cast{X: x, To: c.To}
	if isInt && test.isEmpty() {
		// Casts of larger integers are an error, or the nearest integer of 64 bits.
		digits := &sqlexpr.Cast{X: x, To: sqlexpr.TypeName{Type: sqlexpr.TypeDecimal, Args: []int{maxIntegerDigits, 0}}}
		w.appendText("CASE WHEN ")
		w.printExpr(&sqlexpr.Between{X: digits, Lo: newIntegerConstant(math.MinInt64), Hi: newIntegerConstant(math.MaxInt64)}, precAny)
		w.appendText(" THEN ")
		w.d.types.cast(w, cast, precAny)
		w.appendText(" END END")
		return
	}
	w.d.types.cast(w, cast, precAny)
	w.appendText(" END")
}
