package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// bigqueryWindow puts outside of a window what is done to its aggregate. Beside a frame
// of RANGE, the order key takes no NULLS LAST.
func bigqueryWindow(w *writer, e *sqlexpr.Over) {
	e = bigqueryPartitions(w, e)
	if isRange(e.Frame) {
		e = partitionByNullKeys(e)
	}
	if e.Call.Fn != sqlexpr.FnCorr {
		w.plainWindow(e)
		return
	}
	nullIfNaN(w, func() {
		w.windowCall(e, func() { plainCorr(w, e.Call, precPrimary) })
	})
}

// bigqueryCorrCall returns NULL for values that do not vary, where BigQuery returns NaN.
var bigqueryCorrCall = customCallTemplates(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
	nullIfNaN(w, func() { plainCorr(w, c, precPrimary) })
})

var plainCorr = aggregateOfDouble("CORR", 2)[0].emit

// nullIfNaN prints a double that is NULL where it would be NaN: a safe cast of NaN to a
// decimal is NULL. A NaN equals nothing, so NULLIF does not find it.
func nullIfNaN(w *writer, value func()) {
	w.text("CAST(SAFE_CAST(")
	value()
	w.text(" AS BIGNUMERIC) AS FLOAT64)")
}

// bigqueryPartitions casts partition keys that may be doubles to strings, because BigQuery
// does not partition by doubles. A key declared as decimal may be a double in the database,
// and a key of unknown type too.
func bigqueryPartitions(w *writer, e *sqlexpr.Over) *sqlexpr.Over {
	out := *e
	out.Partition = make([]sqlexpr.Expr, len(e.Partition))
	for i, x := range e.Partition {
		t := w.typeOf(x)
		if r, ok := x.(*sqlexpr.Ref); ok && t == sqlexpr.TypeUnknown && w.scope.has(r.ID) {
			t = w.scope.cols[r.ID].typ
		}
		switch t {
		case sqlexpr.TypeFloat, sqlexpr.TypeDecimal, sqlexpr.TypeUnknown:
			x = &sqlexpr.Call{Name: sqlexpr.Name{Text: "TO_JSON_STRING"}, Args: []sqlexpr.Expr{x}}
		}
		out.Partition[i] = x
	}
	return &out
}
