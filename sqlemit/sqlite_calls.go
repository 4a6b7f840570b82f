package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

var sqliteCalls = standardCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnMedian:     nil,
	sqlexpr.FnListagg:    orderedListaggTemplates("GROUP_CONCAT", true),
	sqlexpr.FnAvg:        aggregateCallTemplates("AVG", 1),
	sqlexpr.FnStddevPop:  nil,
	sqlexpr.FnStddevSamp: nil,
	sqlexpr.FnVarPop:     nil,
	sqlexpr.FnVarSamp:    nil,
	sqlexpr.FnCovarPop:   nil,
	sqlexpr.FnCovarSamp:  nil,
	sqlexpr.FnCorr:       nil,

	sqlexpr.FnCurrentTimestamp: newCallTemplates(parseTemplate("DATETIME('now')")),
	sqlexpr.FnCurrentTime:      newCallTemplates(parseTemplate("TIME('now')")),
	sqlexpr.FnRegexpLike:       nil,
	sqlexpr.FnRegexpCount:      nil,
	sqlexpr.FnCurrentDate:      newCallTemplates(parseTemplate("DATE('now')")),
	sqlexpr.FnConcat:           concatByOperatorTemplates,
	sqlexpr.FnTrim:             newCallTemplates(parseTemplate("TRIM($1)"), parseTemplate("TRIM($1, $2)")),
	sqlexpr.FnLeft:             newCallTemplates(parseTemplate("SUBSTR($1, 1, MAX($2, 0))")),
	sqlexpr.FnRight:            newCallTemplates(parseTemplate("SUBSTR($1, MAX(LENGTH($1) - MAX($2, 0) + 1, 1))")),
	sqlexpr.FnSubstring:        standardSubstringTemplates("SUBSTR"),
	sqlexpr.FnSplitPart:        nil,
	sqlexpr.FnPosition:         newCallTemplates(parseTemplate("INSTR($2, $1)")),
	sqlexpr.FnContains:         newCallTemplates(parseTemplate("INSTR($1, $2) > 0")),
	sqlexpr.FnStartsWith:       newCallTemplates(parseTemplate("SUBSTR($1, 1, LENGTH($2)) = @2")),
	sqlexpr.FnEndsWith:         newCallTemplates(parseTemplate("SUBSTR($1, MAX(LENGTH($1) - LENGTH($2) + 1, 1)) = @2")),
	sqlexpr.FnRound:            newCallTemplates(parseTemplate("ROUND($1)"), sqliteRoundTemplate("ROUND")),
	sqlexpr.FnTrunc:            newCallTemplates(parseTemplate("TRUNC($1)"), sqliteRoundTemplate("TRUNC")),
	sqlexpr.FnLog:              newCallTemplates(parseTemplate("LOG10($1)"), parseTemplate("LN($2) / NULLIF(LN($1), 0)")),
	sqlexpr.FnGreatest:         greatestOrLeastIgnoringNullsTemplates("MAX"),
	sqlexpr.FnLeast:            greatestOrLeastIgnoringNullsTemplates("MIN"),
})

// sqliteRoundTemplate rounds or cuts to a number of digits, which may be negative.
func sqliteRoundTemplate(name string) template {
	return parseTemplate(name + "($1 * POWER(10, $2)) / POWER(10, $2)")
}

// printSqliteLike prints LIKE as GLOB, since LIKE itself takes no notice of case.
func printSqliteLike(w *writer, e *sqlexpr.Like, min precedence) {
	p := w.openParenIfNeeded(precCompare, min)
	w.printLikeOrILikeOperand(e.X, e.Fold)
	if e.Not {
		w.appendText(" NOT")
	}
	w.appendText(" GLOB ")
	glob := map[rune]string{likeAnyRun: "*", likeAnyCharacter: "?", '*': "[*]", '?': "[?]", '[': "[[]"}
	if read, ok := parseLikePattern(e); ok {
		w.printLikeOrILikeOperand(&sqlexpr.String{Value: read.spellPattern(glob)}, e.Fold)
	} else if e.Escape != nil {
		w.recordNotImplemented("LIKE with an ESCAPE that is not a literal")
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
			pattern = newCall(sqlexpr.FnReplace, pattern, newStringLiteral(r), newStringLiteral(to))
		}
		w.printLikeOrILikeOperand(pattern, e.Fold)
	}
	w.closeOpenedParen(p)
}

// printSqliteCast spells dates through the functions that read them, rounds what is
// cast to an integer, and rounds decimals to their scale: a cast alone
// only chooses a storage class.
func printSqliteCast(w *writer, c *sqlexpr.Cast, min precedence) {
	from := w.typeOf(c.X)
	var f template
	switch {
	case c.To.Type == sqlexpr.TypeDate:
		f = parseTemplate("DATE($1)")
	case c.To.Type == sqlexpr.TypeTimestamp, c.To.Type == sqlexpr.TypeTimestampTZ:
		f = sqliteMillisecondsTemplate("$1")
		if w.readsColumn(c.X) {
			f = sqliteTimestampTemplate
		}
	case c.To.Type == sqlexpr.TypeTime:
		f = parseTemplate("TIME($1)")
	case c.To.Type == sqlexpr.TypeBool && from == sqlexpr.TypeBool:
		w.printExpr(c.X, min)
		return
	case c.To.Type == sqlexpr.TypeBool && from.IsNumeric():
		f = numberToBoolTemplate
	case c.To.Type == sqlexpr.TypeBool:
		f = sqliteTextToBoolTemplate
	case c.To.Type == sqlexpr.TypeString && from == sqlexpr.TypeBool:
		f = boolToTextTemplate
	case c.To.Type == sqlexpr.TypeString && len(c.To.Args) > 0:
		w.appendText("SUBSTR(CAST(")
		w.printExpr(c.X, precAny)
		w.appendText(" AS TEXT), 1, ")
		w.printInteger(int64(c.To.Args[0]))
		w.appendByte(')')
		return
	case c.To.Type == sqlexpr.TypeDecimal:
		w.printDecimalCastAsRound(c)
		return
	default:
		printRoundingCast(w, c, min)
		return
	}
	w.printTemplate(&f, min, c.X)
}

var sqliteTextToBoolTemplate = parseTemplate("CASE WHEN LOWER($1) IN ('true', 't', 'yes', 'y', 'on', '1') THEN TRUE " +
	"WHEN LOWER($1) IN ('false', 'f', 'no', 'n', 'off', '0') THEN FALSE WHEN TYPEOF($1) <> 'text' THEN @1 <> 0 END")

// readsColumn reports whether an expression prints as the name of a column.
func (w *writer) readsColumn(x sqlexpr.Expr) bool {
	switch e := x.(type) {
	case *sqlexpr.Column:
		return true
	case *sqlexpr.DeclaredTypeExpr:
		return w.readsColumn(e.X)
	case *sqlexpr.Ref:
		if w.scope == nil || e.ID < 0 || e.ID >= len(w.scope.cols) {
			return false
		}
		_, column := w.scope.cols[e.ID].expr.(*sqlexpr.Column)
		return column
	}
	return false
}
