package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Sums of integers wrap beyond 64 bits in silence. A second sum, of doubles, is
// never far from the first one unless it did:
//
//	sumOrNull(x) + throwIf(abs(sumOrNull(x) - sumOrNull(toFloat64(x))) > 1e18, '…')
//
// Wider integers would need no such thing, but they cannot be multiplied with a
// double.
const clickhouseOverflow = " > 1e18, 'SUM exceeds 64 bits')"

var (
	clickhousePlainSum = aggregate("sumOrNull", 1)[0].emit
	clickhouseDouble   = primaryTemplate("toFloat64($1)")
)

func clickhouseSum(w *writer, c *sqlexpr.Call, min precedence) {
	w.guardedSum(c.Args[0], min, func() { clickhousePlainSum(w, c, precPrimary) }, func() {
		w.text("sumOrNull(")
		if c.Distinct {
			w.text("DISTINCT ")
		}
		w.render(&clickhouseDouble, precAny, c.Args...)
		w.byte(')')
	})
}

// guardedSum prints a sum with its guard, or alone where it cannot wrap.
func (w *writer) guardedSum(x sqlexpr.Expr, min precedence, sum, doubles func()) {
	if w.typeOf(x) == sqlexpr.TypeFloat || isSmallLiteral(x) {
		sum()
		return
	}
	p := w.openParen(precAdd, min)
	sum()
	w.text(" + throwIf(abs(")
	sum()
	w.text(" - ")
	doubles()
	w.byte(')')
	w.text(clickhouseOverflow)
	w.closeParen(p)
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

// aggregateWithoutNaN is an aggregate of doubles that is NaN where other engines have NULL: for
// too few values, or values that do not vary.
func aggregateWithoutNaN(name string, args int) []callTemplate {
	plain := aggregateOfDouble(name, args)[0].emit
	return customCallTemplates(args, func(w *writer, c *sqlexpr.Call, _ precedence) {
		w.text("ifNotFinite(")
		plain(w, c, precPrimary)
		w.text(", NULL)")
	})
}

var clickhouseNaN = map[sqlexpr.Func]func(w *writer, c *sqlexpr.Call, min precedence){
	sqlexpr.FnStddevSamp: aggregateOfDouble("stddevSampOrNull", 1)[0].emit,
	sqlexpr.FnVarSamp:    aggregateOfDouble("varSampOrNull", 1)[0].emit,
	sqlexpr.FnCovarSamp:  aggregateOfDouble("covarSampOrNull", 2)[0].emit,
	sqlexpr.FnCorr:       aggregateOfDouble("corrOrNull", 2)[0].emit,
}

// clickhouseWindow puts outside of a window what is done to its aggregate. A frame by
// distance would take in the rows whose order key is NULL.
func clickhouseWindow(w *writer, e *sqlexpr.Over) {
	if isOffsetFrame(e.Frame) {
		e = partitionByNullKeys(e)
	}
	if plain := clickhouseNaN[e.Call.Fn]; plain != nil {
		w.text("ifNotFinite(")
		w.windowCall(e, func() { plain(w, e.Call, precPrimary) })
		w.text(", NULL)")
		return
	}
	if e.Call.Fn != sqlexpr.FnSum {
		w.plainWindow(e)
		return
	}
	w.guardedSum(e.Call.Args[0], precPrimary,
		func() { w.windowCall(e, func() { clickhousePlainSum(w, e.Call, precPrimary) }) },
		func() {
			w.windowCall(e, func() {
				w.text("sumOrNull(")
				w.render(&clickhouseDouble, precAny, e.Call.Args...)
				w.byte(')')
			})
		})
}

// clickhouseCount counts the two zeros once.
func clickhouseCount(w *writer, c *sqlexpr.Call, min precedence) {
	if c.Distinct {
		same := *c
		same.Args = []sqlexpr.Expr{clickhouseKey(w.scope, c.Args[0])}
		c = &same
	}
	clickhousePlainCount(w, c, min)
}

var clickhousePlainCount = aggregate("COUNT", 1)[0].emit
