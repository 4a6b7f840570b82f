package sqlemit

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

var mysqlCalls = standardCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnMedian:           nil,
	sqlexpr.FnAvg:              exactAvgDistinctTemplates("AVG", "CAST($1 AS DECIMAL(65, 30))", "CAST($1 AS DOUBLE)"),
	sqlexpr.FnListagg:          groupConcatTemplates,
	sqlexpr.FnCovarPop:         nil,
	sqlexpr.FnCovarSamp:        nil,
	sqlexpr.FnCorr:             nil,
	sqlexpr.FnCurrentTimestamp: newCallTemplates(parseTemplate("CURRENT_TIMESTAMP(6)")),
	sqlexpr.FnCurrentTime:      newCallTemplates(parseTemplate("CURRENT_TIME(6)")),
	sqlexpr.FnRegexpLike:       caseSensitiveRegexpTemplates(&mysqlRegexpLikeTemplate),
	sqlexpr.FnRegexpCount:      caseSensitiveRegexpTemplates(&mysqlRegexpCountTemplate),
	sqlexpr.FnConcat:           callTemplatesOfPrintFunc(-1, printConcatWS),
	sqlexpr.FnLength:           newCallTemplates(parseTemplate("CHAR_LENGTH($1)")),
	sqlexpr.FnTrim:             mysqlTrimTemplates("TRIM", "BOTH"),
	sqlexpr.FnLTrim:            mysqlTrimTemplates("LTRIM", "LEADING"),
	sqlexpr.FnRTrim:            mysqlTrimTemplates("RTRIM", "TRAILING"),
	sqlexpr.FnLeft:             newCallTemplates(parseTemplate("LEFT($1, $2)")),
	sqlexpr.FnRight:            newCallTemplates(parseTemplate("RIGHT($1, $2)")),
	sqlexpr.FnSplitPart: newCallTemplates(parseTemplate("CASE WHEN $3 > (CHAR_LENGTH($1) - CHAR_LENGTH(REPLACE($1, $2, ''))) / CHAR_LENGTH($2) + 1 " +
		"THEN '' ELSE SUBSTRING_INDEX(SUBSTRING_INDEX($1, $2, $3), $2, -1) END")),
	sqlexpr.FnPosition:   newCallTemplates(parseTemplate("LOCATE($1, $2)")),
	sqlexpr.FnContains:   newCallTemplates(parseTemplate("LOCATE($2, $1) > 0")),
	sqlexpr.FnStartsWith: newCallTemplates(parseTemplate("LEFT($1, CHAR_LENGTH($2)) = @2")),
	sqlexpr.FnEndsWith:   newCallTemplates(parseTemplate("RIGHT($1, CHAR_LENGTH($2)) = @2")),
	sqlexpr.FnRound:      append(callTemplatesOfPrintFunc(1, printMysqlRound), callTemplatesOfPrintFunc(2, printMysqlRound)...),
	sqlexpr.FnTrunc:      newCallTemplates(parseTemplate("TRUNCATE($1, 0)"), parseTemplate("TRUNCATE($1, $2)")),
	sqlexpr.FnLog:        newCallTemplates(parseTemplate("LOG10($1)"), parseTemplate("LN($2) / NULLIF(LN($1), 0)")),
	sqlexpr.FnGreatest:   greatestOrLeastIgnoringNullsTemplates("GREATEST"),
	sqlexpr.FnLeast:      greatestOrLeastIgnoringNullsTemplates("LEAST"),
})

// mysqlTrimTemplates trims a set of characters. TRIM itself trims a whole string instead,
// which is the same for a set of one; a larger set is a regular expression, which
// is case-sensitive under every collation.
func mysqlTrimTemplates(plain, side string) []callTemplate {
	return mysqlTrimTemplatesWithCharacterForm(plain, side, parseTemplate("TRIM("+side+" $2 FROM $1)"))
}

// mysqlTrimTemplatesWithCharacterForm is mysqlTrimTemplates with another spelling of the set of one character.
func mysqlTrimTemplatesWithCharacterForm(plain, side string, one template) []callTemplate {
	return append(newCallTemplates(parseTemplate(plain+"($1)")), callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
		set, ok := c.Args[1].(*sqlexpr.String)
		if !ok {
			w.recordNotImplemented("trimming characters that are not given as a literal")
			return
		}
		if len([]rune(set.Value)) == 1 {
			w.printTemplate(&one, precAny, c.Args...)
			return
		}
		if set.Value == "" {
			w.printExpr(c.Args[0], precAny)
			return
		}
		class := regexpCharacterClassEscaper.Replace(set.Value)
		leading, trailing := "^["+class+"]+", "["+class+"]+$"
		pattern := "(?-i)(" + leading + "|" + trailing + ")"
		switch side {
		case "LEADING":
			pattern = "(?-i)" + leading
		case "TRAILING":
			pattern = "(?-i)" + trailing
		}
		w.appendText("REGEXP_REPLACE(")
		w.printExpr(c.Args[0], precAny)
		w.appendText(", ")
		w.printStringLiteral(pattern)
		w.appendText(", '')")
	})...)
}

var regexpCharacterClassEscaper = strings.NewReplacer(`\`, `\\`, "]", `\]`, "[", `\[`, "^", `\^`, "-", `\-`)

// printMysqlRound rounds a half away from zero, as decimals do; doubles round it to
// the even neighbour.
func printMysqlRound(w *writer, c *sqlexpr.Call, _ precedence) {
	w.appendText("ROUND(")
	if t := w.typeOf(c.Args[0]); t == sqlexpr.TypeInt || t == sqlexpr.TypeDecimal {
		w.printExpr(c.Args[0], precAny)
	} else {
		w.appendText("CAST(")
		w.printExpr(c.Args[0], precAny)
		w.appendText(" AS DECIMAL(65, 30))")
	}
	if len(c.Args) > 1 {
		w.appendText(", ")
		w.printExpr(c.Args[1], precAny)
	}
	w.appendByte(')')
}

// addZeroToMysqlBits makes a number of an integer or a condition that is computed from nothing but columns, which may be those of type
// BIT. MariaDB declares the result to be bits too and sends its digits, so that 2 reads as 50 (seen in 10.11.19). MySQL sends a number,
// and has the same SQL because a connection of its type often leads to MariaDB.
func addZeroToMysqlBits(c *outputColumn) sqlexpr.Expr {
	if c.typ != sqlexpr.TypeInt && c.typ != sqlexpr.TypeBool {
		return c.expr
	}
	if bits, computed := mayBeBits(c.scope, c.expr); bits && computed {
		return newBinary(sqlexpr.OpAdd, c.expr, newIntegerConstant(0))
	}
	return c.expr
}

// mayBeBits reports whether an expression has the type of columns, and whether it is more than a column.
func mayBeBits(in *columnScope, e sqlexpr.Expr) (bits, computed bool) {
	switch e := e.(type) {
	case *sqlexpr.Column:
		return true, false
	case *sqlexpr.Ref:
		if in.hasColumnID(e.ID) && in.cols[e.ID].scope != in {
			return mayBeBits(in.cols[e.ID].scope, in.cols[e.ID].expr)
		}
	case *sqlexpr.DeclaredTypeExpr:
		return mayBeBits(in, e.X)
	case *sqlexpr.Case:
		return allMayBeBits(in, sqlexpr.CaseResults(e)), true
	case *sqlexpr.Call:
		switch {
		case isMinMaxOrAnyValue(e), e.Fn == sqlexpr.FnBoolAnd, e.Fn == sqlexpr.FnBoolOr, e.Fn == sqlexpr.FnNullIf:
			return allMayBeBits(in, e.Args[:1]), true
		}
		return allMayBeBits(in, sqlexpr.ChosenArgs(e)), true
	}
	return false, true
}

func allMayBeBits(in *columnScope, values []sqlexpr.Expr) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(x sqlexpr.Expr) bool {
		_, null := x.(*sqlexpr.Null)
		bits, _ := mayBeBits(in, x)
		return !null && !bits
	})
}

// MariaDB (seen in 10.11) takes the deviations of rows without groups for NULL where IS NULL, or HAVING with it,
// asks for them directly: it looks at the value before it is computed. A sum with zero is computed first. MySQL has
// the same code, and its dialect is often what talks to a MariaDB.
var mysqlAndMariadbCalls = mysqlCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
	sqlexpr.FnStddevPop: zeroPlusCallTemplates(sqlexpr.FnStddevPop), sqlexpr.FnStddevSamp: zeroPlusCallTemplates(sqlexpr.FnStddevSamp),
	sqlexpr.FnVarPop: zeroPlusCallTemplates(sqlexpr.FnVarPop), sqlexpr.FnVarSamp: zeroPlusCallTemplates(sqlexpr.FnVarSamp),
})

// zeroPlusCallTemplates prints 0e0 + f(x).
func zeroPlusCallTemplates(fn sqlexpr.Func) []callTemplate {
	plain := mysqlCalls[fn][0].emit
	return callTemplatesOfPrintFunc(1, func(w *writer, c *sqlexpr.Call, min precedence) {
		p := w.openParenIfNeeded(precAdd, min)
		w.appendText("0e0 + ")
		plain(w, c, precPrimary)
		w.closeOpenedParen(p)
	})
}

// printMysqlWindowWithPlainStddev prints a call as it is beside its window.
func printMysqlWindowWithPlainStddev(w *writer, e *sqlexpr.WindowCall) {
	switch fn := e.Call.Fn; fn {
	case sqlexpr.FnStddevPop, sqlexpr.FnStddevSamp, sqlexpr.FnVarPop, sqlexpr.FnVarSamp:
		w.printCallAndWindow(e, func() { mysqlCalls[fn][0].emit(w, e.Call, precPrimary) })
	default:
		w.printUnwrappedWindowCall(e)
	}
}
