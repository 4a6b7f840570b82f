package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// bigqueryWindow puts outside of a window what is done to its aggregate.
func bigqueryWindow(w *writer, e *sqlexpr.Over) {
	if e.Call.Fn != sqlexpr.FnCorr {
		w.windowed(e, func() { w.call(e.Call, precPrimary) })
		return
	}
	notNaN(w, func() {
		w.windowed(e, func() { plainCorr(w, e.Call, precPrimary) })
	})
}

// bigqueryCorr is NULL where nothing varies, not the NaN that BigQuery has for it.
var bigqueryCorr = code(2, func(w *writer, c *sqlexpr.Call, _ prec) {
	notNaN(w, func() { plainCorr(w, c, precPrimary) })
})

var plainCorr = aggregateOfDouble("CORR", 2)[0].emit

// notNaN prints a double that is NULL where it would be NaN, which no decimal is. A
// NaN equals nothing, so NULLIF does not find it.
func notNaN(w *writer, value func()) {
	w.text("CAST(SAFE_CAST(")
	value()
	w.text(" AS BIGNUMERIC) AS FLOAT64)")
}
