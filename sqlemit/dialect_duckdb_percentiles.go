package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// duckdbPercentileContTemplates prints PERCENTILE_CONT of integers without a cast to DOUBLE, which takes three times as
// long. A column that is declared to hold integers may be one of decimals, for which DuckDB would round the
// percentile, so the type of the column decides. DuckDB evaluates TYPEOF before it reads a row, and skips the other call:
//
//	COALESCE(PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) FILTER (WHERE TYPEOF(x) IN ('BIGINT', …)),
//	         PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY CAST(x AS DOUBLE)) FILTER (WHERE TYPEOF(x) NOT IN ('BIGINT', …)))
var duckdbPercentileContTemplates = callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
	x := c.Args[0]
	if known, ok := x.(*sqlexpr.DeclaredTypeExpr); !ok || known.Type != sqlexpr.TypeInt {
		w.printOrderedSetAggregate(c, "PERCENTILE_CONT(", w.percentileFractionText(c), func() { w.printCastToDouble(x) })
		return
	}
	percentileWhere := func(operator string, ordered func()) {
		w.printOrderedSetAggregate(c, "PERCENTILE_CONT(", w.percentileFractionText(c), ordered)
		w.appendText(" FILTER (WHERE TYPEOF(")
		w.printExpr(x, precAny)
		w.appendText(operator)
		w.appendText("('BIGINT', 'INTEGER', 'SMALLINT', 'TINYINT'))")
	}
	w.appendText("COALESCE(")
	percentileWhere(") IN ", func() { w.printExpr(x, precAny) })
	w.appendText(", ")
	percentileWhere(") NOT IN ", func() { w.printCastToDouble(x) })
	w.appendByte(')')
})
