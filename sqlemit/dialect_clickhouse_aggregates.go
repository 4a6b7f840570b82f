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
	clickhouseDouble   = call("toFloat64($1)")
)

func clickhouseSum(w *writer, c *sqlexpr.Call, min prec) {
	w.guarded(c.Args[0], min, func() { clickhousePlainSum(w, c, precPrimary) }, func() {
		w.text("sumOrNull(")
		if c.Distinct {
			w.text("DISTINCT ")
		}
		w.fill(&clickhouseDouble, precAny, c.Args...)
		w.byte(')')
	})
}

// guarded prints a sum with its guard, or alone where it cannot wrap.
func (w *writer) guarded(x sqlexpr.Expr, min prec, sum, doubles func()) {
	if w.typeOf(x) == sqlexpr.TypeFloat || small(x) {
		sum()
		return
	}
	p := w.paren(precAdd, min)
	sum()
	w.text(" + throwIf(abs(")
	sum()
	w.text(" - ")
	doubles()
	w.byte(')')
	w.text(clickhouseOverflow)
	w.done(p)
}

// small reports whether an expression is one of a few short numbers.
func small(x sqlexpr.Expr) bool {
	const digits = 9
	switch x := x.(type) {
	case *sqlexpr.Number:
		return len(x.Text) <= digits
	case *sqlexpr.Null:
		return true
	case *sqlexpr.Case:
		for _, arm := range x.Whens {
			if !small(arm.Then) {
				return false
			}
		}
		return x.Else == nil || small(x.Else)
	}
	return false
}

// finite is an aggregate of doubles that is NaN where other engines have NULL: for
// too few values, or values that do not vary.
func finite(name string, args int) []callForm {
	plain := aggregateOfDouble(name, args)[0].emit
	return code(args, func(w *writer, c *sqlexpr.Call, _ prec) {
		w.text("ifNotFinite(")
		plain(w, c, precPrimary)
		w.text(", NULL)")
	})
}

var clickhouseNaN = map[sqlexpr.Func]func(w *writer, c *sqlexpr.Call, min prec){
	sqlexpr.FnStddevSamp: aggregateOfDouble("stddevSampOrNull", 1)[0].emit,
	sqlexpr.FnVarSamp:    aggregateOfDouble("varSampOrNull", 1)[0].emit,
	sqlexpr.FnCovarSamp:  aggregateOfDouble("covarSampOrNull", 2)[0].emit,
	sqlexpr.FnCorr:       aggregateOfDouble("corrOrNull", 2)[0].emit,
}

// clickhouseWindow puts outside of a window what is done to its aggregate. A frame by
// distance would take in the rows whose order key is NULL.
func clickhouseWindow(w *writer, e *sqlexpr.Over) {
	if byDistance(e.Frame) {
		e = nullsApart(e)
	}
	if plain := clickhouseNaN[e.Call.Fn]; plain != nil {
		w.text("ifNotFinite(")
		w.windowed(e, func() { plain(w, e.Call, precPrimary) })
		w.text(", NULL)")
		return
	}
	if e.Call.Fn != sqlexpr.FnSum {
		w.plainWindow(e)
		return
	}
	w.guarded(e.Call.Args[0], precPrimary,
		func() { w.windowed(e, func() { clickhousePlainSum(w, e.Call, precPrimary) }) },
		func() {
			w.windowed(e, func() {
				w.text("sumOrNull(")
				w.fill(&clickhouseDouble, precAny, e.Call.Args...)
				w.byte(')')
			})
		})
}

// clickhouseCount counts the two zeros once.
func clickhouseCount(w *writer, c *sqlexpr.Call, min prec) {
	if c.Distinct {
		same := *c
		same.Args = []sqlexpr.Expr{clickhouseKey(w.in, c.Args[0])}
		c = &same
	}
	clickhousePlainCount(w, c, min)
}

var clickhousePlainCount = aggregate("COUNT", 1)[0].emit
