package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// duckdbPercentileContTemplates prints PERCENTILE_CONT of integers without a cast to DOUBLE, which takes three times as
// long. A column that is declared to hold integers may be one of decimals, for which DuckDB would round the
// percentile, so the type of the column decides. DuckDB evaluates TYPEOF before it reads a row, and does not compute the
// branch that is not taken:
//
//	CASE WHEN TYPEOF(MIN(x)) IN ('BIGINT', …) THEN PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x)
//	     ELSE PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY CAST(x AS DOUBLE)) END
var duckdbPercentileContTemplates = callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
	x := c.Args[0]
	percentile := func(ordered func()) {
		w.printOrderedSetAggregate(c, "PERCENTILE_CONT(", w.percentileFractionText(c), ordered)
	}
	if known, ok := x.(*sqlexpr.DeclaredTypeExpr); !ok || known.Type != sqlexpr.TypeInt {
		percentile(func() { w.printCastToDouble(x) })
		return
	}
	w.appendText("CASE WHEN TYPEOF(MIN(")
	w.printExpr(x, precAny)
	w.appendText(")) IN ('BIGINT', 'INTEGER', 'SMALLINT', 'TINYINT') THEN ")
	percentile(func() { w.printExpr(x, precAny) })
	w.appendText(" ELSE ")
	percentile(func() { w.printCastToDouble(x) })
	w.appendText(" END")
})
