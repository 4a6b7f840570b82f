package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// timeFormatStyle is how a dialect writes a time as a string: the call of a timestamp $1 and a format $2, the codes of
// the tokens, and the character that surrounds letters between them, 0 where they stand alone.
type timeFormatStyle struct {
	call    template
	codes   map[string]string
	letters byte
}

var (
	postgresTimeFormat = timeFormatStyle{
		call: parseTemplate("TO_CHAR($1, $2)"), letters: '"',
		codes: map[string]string{"YYYY": "YYYY", "MM": "MM", "DD": "DD", "HH24": "HH24", "HH12": "HH12", "MI": "MI", "SS": "SS", "AM": "AM"},
	}
	// Codes of strftime in C.
	strftimeCodes = map[string]string{"YYYY": "%Y", "MM": "%m", "DD": "%d", "HH24": "%H", "HH12": "%I", "MI": "%M", "SS": "%S", "AM": "%p"}
	// Codes of MySQL.
	mysqlTimeCodes = map[string]string{"YYYY": "%Y", "MM": "%m", "DD": "%d", "HH24": "%H", "HH12": "%h", "MI": "%i", "SS": "%s", "AM": "%p"}
	// Codes of java.time.
	javaTimeCodes = map[string]string{"YYYY": "yyyy", "MM": "MM", "DD": "dd", "HH24": "HH", "HH12": "hh", "MI": "mm", "SS": "ss", "AM": "a"}
	// Codes of ClickHouse, where %M is the name of the month.
	clickhouseTimeCodes = map[string]string{"YYYY": "%Y", "MM": "%m", "DD": "%d", "HH24": "%H", "HH12": "%I", "MI": "%i", "SS": "%S", "AM": "%p"}

	mysqlTimeFormat = timeFormatStyle{call: parseTemplate("DATE_FORMAT($1, $2)"), codes: mysqlTimeCodes}
)

// printToChar prints TO_CHAR: the string of a time on the clock of UTC.
func printToChar(w *writer, c *sqlexpr.Call, min precedence) {
	style := &w.d.time.format
	literal, ok := c.Args[1].(*sqlexpr.String)
	var parts []sqlexpr.TimeFormatPart
	if ok {
		parts, ok = sqlexpr.ParseTimeFormat(literal.Value)
	}
	if !ok || style.call.isEmpty() {
		w.recordNotImplemented("TO_CHAR with that format")
		return
	}
	var format strings.Builder
	for _, p := range parts {
		switch {
		case p.Token != "":
			format.WriteString(style.codes[p.Token])
		case style.letters != 0 && strings.ContainsFunc(p.Literal, isLetterOrDigit):
			format.WriteByte(style.letters)
			format.WriteString(p.Literal)
			format.WriteByte(style.letters)
		default:
			format.WriteString(p.Literal)
		}
	}
	x := templateOperand{x: c.Args[0], template: &w.d.time.instant[w.typeOf(c.Args[0])]}
	w.printTemplateOfOperands(&style.call, min, x, templateOperand{x: newStringLiteral(format.String())})
}

func isLetterOrDigit(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// conversionByFormatTemplates prints TO_DATE and TO_TIMESTAMP of a string of a format: NULL for another string, where the engines' own
// functions return an error or guess.
func conversionByFormatTemplates(t sqlexpr.Type) []callTemplate {
	return append(conversionCallAsCastTemplates(t), callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, min precedence) {
		decode := sqlexpr.DecodeByFormat(c)
		if decode == nil {
			w.recordNotImplemented(callNameForError(c) + " with that format")
			return
		}
		w.printExpr(decode, min)
	})...)
}
