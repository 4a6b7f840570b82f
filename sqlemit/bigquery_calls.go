package sqlemit

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// bigqueryDatePartTemplates holds the parts that other engines call by these names, and the parts that
// only BigQuery has.
var bigqueryDatePartTemplates = func() map[string]template {
	parts := map[string]template{
		// BigQuery's own count from the second, theirs from the minute.
		"millisecond": parseTemplate("EXTRACT(SECOND FROM $1) * 1000 + EXTRACT(MILLISECOND FROM $1)"),
		"microsecond": parseTemplate("EXTRACT(SECOND FROM $1) * 1000000 + EXTRACT(MICROSECOND FROM $1)"),
		"epoch":       parseTemplate("UNIX_MICROS(CAST($1 AS TIMESTAMP)) / 1000000"),
	}
	for _, p := range []string{"isoyear", "isoweek", "date", "time"} {
		parts[p] = parseTemplate("EXTRACT(" + strings.ToUpper(p) + " FROM $1)")
	}
	return parts
}()

// printBigqueryCast casts a string to a Boolean by the words that the other engines accept;
// BigQuery accepts only true and false. A cast to a decimal takes neither precision nor
// scale.
func printBigqueryCast(w *writer, c *sqlexpr.Cast, min precedence) {
	switch {
	case c.To.Type == sqlexpr.TypeBool && w.typeOf(c.X) == sqlexpr.TypeString:
		w.printTemplate(&bigqueryTextToBoolTemplate, min, c.X)
	case c.To.Type == sqlexpr.TypeDecimal:
		w.printDecimalCastAsRound(w.castBooleanToTextOrNumber(c))
	default:
		printConditionCast(w, c, min)
	}
}

var bigqueryTextToBoolTemplate = parseTemplate("CASE WHEN LOWER($1) IN ('t', 'yes', 'y', 'on', '1') THEN TRUE " +
	"WHEN LOWER($1) IN ('f', 'no', 'n', 'off', '0') THEN FALSE ELSE CAST($1 AS BOOL) END")

// printBigqueryWindow puts outside of a window what is done to its aggregate. Beside a frame
// of RANGE, the order key takes no NULLS LAST.
func printBigqueryWindow(w *writer, e *sqlexpr.WindowCall) {
	e = castBigqueryWindowPartitionKeys(w, e)
	if isRangeFrame(e.Frame) {
		e = partitionByNullOrderKeys(e)
	}
	if e.Call.Fn != sqlexpr.FnCorr {
		w.printUnwrappedWindowCall(e)
		return
	}
	printNullIfNaN(w, func() {
		w.printCallAndWindow(e, func() { printPlainCorr(w, e.Call, precPrimary) })
	})
}

// bigqueryCorrTemplates returns NULL for values that do not vary, where BigQuery returns NaN.
var bigqueryCorrTemplates = callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
	printNullIfNaN(w, func() { printPlainCorr(w, c, precPrimary) })
})

var printPlainCorr = doubleAggregateTemplates("CORR", 2)[0].emit

// printNullIfNaN prints a double that is NULL where it would be NaN: a safe cast of NaN to a
// decimal is NULL. A NaN equals nothing, so NULLIF does not find it.
func printNullIfNaN(w *writer, value func()) {
	w.appendText("CAST(SAFE_CAST(")
	value()
	w.appendText(" AS BIGNUMERIC) AS FLOAT64)")
}

// castBigqueryWindowPartitionKeys casts partition keys that may be doubles to strings, because BigQuery
// does not partition by doubles. A key declared as decimal may be a double in the database,
// and a key of unknown type too.
func castBigqueryWindowPartitionKeys(w *writer, e *sqlexpr.WindowCall) *sqlexpr.WindowCall {
	out := *e
	out.Partition = make([]sqlexpr.Expr, len(e.Partition))
	for i, x := range e.Partition {
		t := w.typeOf(x)
		if r, ok := x.(*sqlexpr.Ref); ok && t == sqlexpr.TypeUnknown && w.scope.hasColumnID(r.ID) {
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
