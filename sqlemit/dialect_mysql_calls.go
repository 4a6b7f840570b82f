package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

var mysqlCalls = standard.with(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnCovarPop:         nil,
	sqlexpr.FnCovarSamp:        nil,
	sqlexpr.FnCorr:             nil,
	sqlexpr.FnCurrentTimestamp: callTemplates(primaryTemplate("CURRENT_TIMESTAMP(6)")),
	sqlexpr.FnConcat:           customCallTemplates(-1, concatWS),
	sqlexpr.FnLength:           callTemplates(primaryTemplate("CHAR_LENGTH($1)")),
	sqlexpr.FnTrim:             mysqlTrim("TRIM", "BOTH"),
	sqlexpr.FnLTrim:            mysqlTrim("LTRIM", "LEADING"),
	sqlexpr.FnRTrim:            mysqlTrim("RTRIM", "TRAILING"),
	sqlexpr.FnLeft:             callTemplates(primaryTemplate("LEFT($1, $2)")),
	sqlexpr.FnRight:            callTemplates(primaryTemplate("RIGHT($1, $2)")),
	sqlexpr.FnSplitPart: callTemplates(primaryTemplate("CASE WHEN $3 > (CHAR_LENGTH($1) - CHAR_LENGTH(REPLACE($1, $2, ''))) / CHAR_LENGTH($2) + 1 " +
		"THEN '' ELSE SUBSTRING_INDEX(SUBSTRING_INDEX($1, $2, $3), $2, -1) END")),
	sqlexpr.FnPosition:   callTemplates(primaryTemplate("LOCATE($1, $2)")),
	sqlexpr.FnContains:   callTemplates(operatorTemplate(precCompare, "LOCATE($2, $1) > 0")),
	sqlexpr.FnStartsWith: callTemplates(operatorTemplate(precCompare, "LEFT($1, CHAR_LENGTH($2)) = @2")),
	sqlexpr.FnEndsWith:   callTemplates(operatorTemplate(precCompare, "RIGHT($1, CHAR_LENGTH($2)) = @2")),
	sqlexpr.FnRound:      append(customCallTemplates(1, mysqlRound), customCallTemplates(2, mysqlRound)...),
	sqlexpr.FnTrunc:      callTemplates(primaryTemplate("TRUNCATE($1, 0)"), primaryTemplate("TRUNCATE($1, $2)")),
	sqlexpr.FnLog:        callTemplates(primaryTemplate("LOG10($1)"), operatorTemplate(precMul, "LN($2) / NULLIF(LN($1), 0)")),
	sqlexpr.FnGreatest:   greatestOrLeastCall("GREATEST"),
	sqlexpr.FnLeast:      greatestOrLeastCall("LEAST"),
})

// mysqlTrim trims a set of characters. TRIM itself trims a whole string instead,
// which is the same for a set of one; a larger set is a regular expression, which
// is case-sensitive under every collation.
func mysqlTrim(plain, side string) []callTemplate {
	return trimCharacters(plain, side, primaryTemplate("TRIM("+side+" $2 FROM $1)"))
}

// trimCharacters is mysqlTrim with another spelling of the set of one character.
func trimCharacters(plain, side string, one template) []callTemplate {
	return append(callTemplates(primaryTemplate(plain+"($1)")), customCallTemplates(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
		set, ok := c.Args[1].(*sqlexpr.String)
		if !ok {
			w.unsupported("trimming characters that are not given as a literal")
			return
		}
		if len([]rune(set.Value)) == 1 {
			w.render(&one, precAny, c.Args...)
			return
		}
		if set.Value == "" {
			w.expr(c.Args[0], precAny)
			return
		}
		class := characterClassEscaper.Replace(set.Value)
		leading, trailing := "^["+class+"]+", "["+class+"]+$"
		pattern := "(?-i)(" + leading + "|" + trailing + ")"
		switch side {
		case "LEADING":
			pattern = "(?-i)" + leading
		case "TRAILING":
			pattern = "(?-i)" + trailing
		}
		w.text("REGEXP_REPLACE(")
		w.expr(c.Args[0], precAny)
		w.text(", ")
		w.stringLiteral(pattern)
		w.text(", '')")
	})...)
}

var characterClassEscaper = strings.NewReplacer(`\`, `\\`, "]", `\]`, "[", `\[`, "^", `\^`, "-", `\-`)

// mysqlRound rounds a half away from zero, as decimals do; doubles round it to
// the even neighbour.
func mysqlRound(w *writer, c *sqlexpr.Call, _ precedence) {
	w.text("ROUND(")
	if t := w.typeOf(c.Args[0]); t == sqlexpr.TypeInt || t == sqlexpr.TypeDecimal {
		w.expr(c.Args[0], precAny)
	} else {
		w.text("CAST(")
		w.expr(c.Args[0], precAny)
		w.text(" AS DECIMAL(65, 30))")
	}
	if len(c.Args) > 1 {
		w.text(", ")
		w.expr(c.Args[1], precAny)
	}
	w.byte(')')
}
