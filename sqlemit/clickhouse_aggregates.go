package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Sums of integers wrap beyond 64 bits in silence. A second sum, of doubles, is
// never far from the first one unless it did:
//
//	sumOrNull(x) + throwIf(abs(toFloat64(sumOrNull(x)) - sumOrNull(toFloat64(x))) > 1e18, '…')
//
// Wider integers would need no such thing, but they cannot be multiplied with a
// double. Columns may hold them: both sums are compared as doubles.
const clickhouseOverflowCheck = " > 1e18, 'SUM exceeds 64 bits')"

var (
	printPlainClickhouseSum    = aggregateCallTemplates("sumOrNull", 1)[0].emit
	clickhouseToDoubleTemplate = parseTemplate("toFloat64($1)")
)

func printClickhouseSum(w *writer, c *sqlexpr.Call, min precedence) {
	w.printOverflowCheckedSum(c.Args[0], min, func() { printPlainClickhouseSum(w, c, precPrimary) }, func() {
		w.appendText("sumOrNull(")
		if c.Distinct {
			w.appendText("DISTINCT ")
		}
		w.printTemplate(&clickhouseToDoubleTemplate, precAny, c.Args...)
		w.appendByte(')')
	})
}

// printOverflowCheckedSum prints a sum with its guard, or alone where it cannot wrap.
func (w *writer) printOverflowCheckedSum(x sqlexpr.Expr, min precedence, sum, doubles func()) {
	if w.typeOf(x) == sqlexpr.TypeFloat || isSmallLiteral(x) {
		sum()
		return
	}
	p := w.openParenIfNeeded(precAdd, min)
	sum()
	w.appendText(" + throwIf(abs(toFloat64(")
	sum()
	w.appendText(") - ")
	doubles()
	w.appendByte(')')
	w.appendText(clickhouseOverflowCheck)
	w.closeOpenedParen(p)
}

// isSmallLiteral reports whether an expression is one of a few short numbers.
func isSmallLiteral(x sqlexpr.Expr) bool {
	const digits = 9
	switch x := x.(type) {
	case *sqlexpr.Number:
		return len(x.Text) <= digits
	case *sqlexpr.Null:
		return true
	case *sqlexpr.Case:
		for _, arm := range x.Whens {
			if !isSmallLiteral(arm.Then) {
				return false
			}
		}
		return x.Else == nil || isSmallLiteral(x.Else)
	}
	return false
}

// aggregateWithNaNAsNullTemplates returns an aggregate of doubles that is NaN where other engines have NULL: for
// too few values, or values that do not vary.
func aggregateWithNaNAsNullTemplates(name string, args int) []callTemplate {
	plain := doubleAggregateTemplates(name, args)[0].emit
	return callTemplatesOfPrintFunc(args, func(w *writer, c *sqlexpr.Call, _ precedence) {
		w.appendText("ifNotFinite(")
		plain(w, c, precPrimary)
		w.appendText(", NULL)")
	})
}

var clickhouseNaNAggregatePrinters = map[sqlexpr.Func]func(w *writer, c *sqlexpr.Call, min precedence){
	sqlexpr.FnStddevSamp: doubleAggregateTemplates("stddevSampStableOrNull", 1)[0].emit,
	sqlexpr.FnVarSamp:    doubleAggregateTemplates("varSampStableOrNull", 1)[0].emit,
	sqlexpr.FnCovarSamp:  doubleAggregateTemplates("covarSampStableOrNull", 2)[0].emit,
	sqlexpr.FnCorr:       doubleAggregateTemplates("corrStableOrNull", 2)[0].emit,
}

// printClickhouseWindow puts outside of a window what is done to its aggregate. A frame by
// distance would take in the rows whose order key is NULL.
func printClickhouseWindow(w *writer, e *sqlexpr.WindowCall) {
	if isOffsetFrame(e.Frame) {
		e = partitionByNullOrderKeys(e)
	}
	if plain := clickhouseNaNAggregatePrinters[e.Call.Fn]; plain != nil {
		w.appendText("ifNotFinite(")
		w.printCallAndWindow(e, func() { plain(w, e.Call, precPrimary) })
		w.appendText(", NULL)")
		return
	}
	if e.Call.Fn != sqlexpr.FnSum {
		w.printUnwrappedWindowCall(e)
		return
	}
	w.printOverflowCheckedSum(e.Call.Args[0], precPrimary,
		func() { w.printCallAndWindow(e, func() { printPlainClickhouseSum(w, e.Call, precPrimary) }) },
		func() {
			w.printCallAndWindow(e, func() {
				w.appendText("sumOrNull(")
				w.printTemplate(&clickhouseToDoubleTemplate, precAny, e.Call.Args...)
				w.appendByte(')')
			})
		})
}

// printClickhouseCount counts the two zeros once.
func printClickhouseCount(w *writer, c *sqlexpr.Call, min precedence) {
	if c.Distinct {
		same := *c
		same.Args = []sqlexpr.Expr{replaceClickhouseNegativeZeroKey(w.scope, c.Args[0])}
		c = &same
	}
	printPlainClickhouseCount(w, c, min)
}

var printPlainClickhouseCount = aggregateCallTemplates("COUNT", 1)[0].emit
