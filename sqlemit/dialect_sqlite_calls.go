package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var sqliteCalls = standard.with(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnAvg:        aggregate("AVG", 1),
	sqlexpr.FnStddevPop:  nil,
	sqlexpr.FnStddevSamp: nil,
	sqlexpr.FnVarPop:     nil,
	sqlexpr.FnVarSamp:    nil,
	sqlexpr.FnCovarPop:   nil,
	sqlexpr.FnCovarSamp:  nil,
	sqlexpr.FnCorr:       nil,

	sqlexpr.FnCurrentTimestamp: callTemplates(primaryTemplate("DATETIME('now')")),
	sqlexpr.FnCurrentDate:      callTemplates(primaryTemplate("DATE('now')")),
	sqlexpr.FnConcat:           concatTexts,
	sqlexpr.FnTrim:             callTemplates(primaryTemplate("TRIM($1)"), primaryTemplate("TRIM($1, $2)")),
	sqlexpr.FnLeft:             callTemplates(primaryTemplate("SUBSTR($1, 1, MAX($2, 0))")),
	sqlexpr.FnRight:            callTemplates(primaryTemplate("SUBSTR($1, MAX(LENGTH($1) - MAX($2, 0) + 1, 1))")),
	sqlexpr.FnSubstring:        substring("SUBSTR"),
	sqlexpr.FnSplitPart:        nil,
	sqlexpr.FnPosition:         callTemplates(primaryTemplate("INSTR($2, $1)")),
	sqlexpr.FnContains:         callTemplates(operatorTemplate(precCompare, "INSTR($1, $2) > 0")),
	sqlexpr.FnStartsWith:       callTemplates(operatorTemplate(precCompare, "SUBSTR($1, 1, LENGTH($2)) = @2")),
	sqlexpr.FnEndsWith:         callTemplates(operatorTemplate(precCompare, "SUBSTR($1, MAX(LENGTH($1) - LENGTH($2) + 1, 1)) = @2")),
	sqlexpr.FnRound:            callTemplates(primaryTemplate("ROUND($1)"), sqliteRoundTemplate("ROUND")),
	sqlexpr.FnTrunc:            callTemplates(primaryTemplate("TRUNC($1)"), sqliteRoundTemplate("TRUNC")),
	sqlexpr.FnLog:              callTemplates(primaryTemplate("LOG10($1)"), operatorTemplate(precMul, "LN($2) / NULLIF(LN($1), 0)")),
	sqlexpr.FnGreatest:         greatestOrLeastCall("MAX"),
	sqlexpr.FnLeast:            greatestOrLeastCall("MIN"),
})

// sqliteRoundTemplate rounds or cuts to a number of digits, which may be negative.
func sqliteRoundTemplate(name string) template {
	return operatorTemplate(precMul, name+"($1 * POWER(10, $2)) / POWER(10, $2)")
}

// sqliteLike prints LIKE as GLOB, since LIKE itself takes no notice of case.
func sqliteLike(w *writer, e *sqlexpr.Like, min precedence) {
	p := w.openParen(precCompare, min)
	w.lowerCaseOperand(e.X, e.Fold)
	if e.Not {
		w.text(" NOT")
	}
	w.text(" GLOB ")
	glob := map[rune]string{anyRun: "*", anyOne: "?", '*': "[*]", '?': "[?]", '[': "[[]"}
	if read, ok := readPattern(e); ok {
		w.lowerCaseOperand(&sqlexpr.String{Value: read.patternText(glob)}, e.Fold)
	} else if e.Escape != nil {
		w.unsupported("LIKE with an ESCAPE that is not a literal")
	} else {
		pattern := e.Pattern
		for _, r := range []string{"[", "*", "?", "%", "_"} {
			to := glob[rune(r[0])]
			switch r {
			case "%":
				to = "*"
			case "_":
				to = "?"
			}
			pattern = newCall(sqlexpr.FnReplace, pattern, textOf(r), textOf(to))
		}
		w.lowerCaseOperand(pattern, e.Fold)
	}
	w.closeParen(p)
}

// sqliteCast spells dates through the functions that read them, rounds what is
// cast to an integer, and rounds decimals to their scale: a cast alone
// only chooses a storage class.
func sqliteCast(w *writer, c *sqlexpr.Cast, min precedence) {
	from := w.typeOf(c.X)
	var f template
	switch {
	case c.To.Type == sqlexpr.TypeDate:
		f = primaryTemplate("DATE($1)")
	case c.To.Type == sqlexpr.TypeTimestamp, c.To.Type == sqlexpr.TypeTimestampTZ:
		f = primaryTemplate("RTRIM(RTRIM(STRFTIME('%Y-%m-%d %H:%M:%f', $1), '0'), '.')")
	case c.To.Type == sqlexpr.TypeTime:
		f = primaryTemplate("TIME($1)")
	case c.To.Type == sqlexpr.TypeBool && from == sqlexpr.TypeBool:
		w.expr(c.X, min)
		return
	case c.To.Type == sqlexpr.TypeBool && from.IsNumeric():
		f = boolOfNumber
	case c.To.Type == sqlexpr.TypeBool:
		f = sqliteBoolOfText
	case c.To.Type == sqlexpr.TypeString && from == sqlexpr.TypeBool:
		f = textOfBool
	case c.To.Type == sqlexpr.TypeString && len(c.To.Args) > 0:
		w.text("SUBSTR(CAST(")
		w.expr(c.X, precAny)
		w.text(" AS TEXT), 1, ")
		w.integer(int64(c.To.Args[0]))
		w.byte(')')
		return
	case c.To.Type == sqlexpr.TypeDecimal:
		w.roundedDecimal(c)
		return
	default:
		roundingCast(w, c, min)
		return
	}
	w.render(&f, min, c.X)
}

var sqliteBoolOfText = primaryTemplate("CASE WHEN LOWER($1) IN ('true', 't', 'yes', 'y', 'on') THEN TRUE " +
	"WHEN LOWER($1) IN ('false', 'f', 'no', 'n', 'off') THEN FALSE ELSE CAST($1 AS INTEGER) <> 0 END")
