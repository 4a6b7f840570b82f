package sqlemit

import (
	"math"
	"math/big"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// BOOL_AND and BOOL_OR are the least and the greatest condition, ANY_VALUE is the least value.
var (
	boolAndTemplates       = boolAggregateTemplates(sqlexpr.FnMin, func(d *Dialect) *template { return &d.ops.boolMin })
	boolOrTemplates        = boolAggregateTemplates(sqlexpr.FnMax, func(d *Dialect) *template { return &d.ops.boolMax })
	anyValueAsMinTemplates = renamedCallTemplates(sqlexpr.FnMin)
)

func boolAggregateTemplates(fn sqlexpr.Func, own func(*Dialect) *template) []callTemplate {
	return callTemplatesOfPrintFunc(1, func(w *writer, c *sqlexpr.Call, min precedence) {
		if f := own(w.d); !f.isEmpty() {
			w.printTemplate(f, min, c.Args[0])
			return
		}
		w.printCall(newCall(fn, c.Args[0]), min)
	})
}

// renamedCallTemplates prints a call as one of another function with the same arguments.
func renamedCallTemplates(fn sqlexpr.Func) []callTemplate {
	return callTemplatesOfPrintFunc(-1, func(w *writer, c *sqlexpr.Call, min precedence) { w.printCall(newCall(fn, c.Args...), min) })
}

// medianAsPercentileContTemplates prints MEDIAN as PERCENTILE_CONT(0.5).
var medianAsPercentileContTemplates = callTemplatesOfPrintFunc(1, func(w *writer, c *sqlexpr.Call, min precedence) {
	w.printCall(newCall(sqlexpr.FnPercentileCont, c.Args[0], &sqlexpr.Number{Text: "0.5"}), min)
})

// percentileContTemplates prints PERCENTILE_CONT(p) WITHIN GROUP (ORDER BY x), of which the
// value is a double.
var percentileContTemplates = callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
	w.printOrderedSetAggregate(c, "PERCENTILE_CONT(", w.percentileFractionText(c), func() { w.printCastToDouble(c.Args[0]) })
})

// percentileDiscTemplates prints PERCENTILE_DISC(p) WITHIN GROUP (ORDER BY x).
var percentileDiscTemplates = callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
	w.printOrderedSetAggregate(c, "PERCENTILE_DISC(", w.percentileFractionText(c), func() { w.printExpr(c.Args[0], precAny) })
})

// percentileDiscRoundedDownTemplates is percentileDiscTemplates where the engine multiplies the fraction as a
// double with the number of rows and takes the next integer: 0.07 of 100 rows is
// 7.000000000000001 there, and would be the eighth row.
var percentileDiscRoundedDownTemplates = callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
	w.printOrderedSetAggregate(c, "PERCENTILE_DISC(", percentileFractionRoundedDown(w.percentileFractionText(c)), func() { w.printExpr(c.Args[0], precAny) })
})

// printOrderedSetAggregate prints an aggregate with its order. The first value downward is the last one upward:
// DuckDB negates the fraction for DESC, and takes -0 for 0 upward.
func (w *writer) printOrderedSetAggregate(c *sqlexpr.Call, head, fraction string, x func()) {
	desc := c.Desc
	if desc && fraction == "0" {
		fraction, desc = "1", false
	}
	w.appendText(head)
	w.appendText(fraction)
	w.appendText(") WITHIN GROUP (ORDER BY ")
	x()
	if desc {
		w.appendText(" DESC")
	}
	w.appendByte(')')
}

// percentileFractionText returns the fraction of a percentile as text.
func (w *writer) percentileFractionText(c *sqlexpr.Call) string {
	n, ok := c.Args[1].(*sqlexpr.Number)
	if !ok {
		w.recordInternalError("a percentile without a fraction")
		return ""
	}
	return fractionWithoutExponent(n.Text)
}

// maxPercentileFractionDigits is how many digits a fraction has at most.
const maxPercentileFractionDigits = 9

// fractionWithoutExponent returns a fraction without an exponent.
func fractionWithoutExponent(text string) string {
	f, ok := sqlexpr.ParsePercentileFraction(text)
	if !ok {
		return text
	}
	if f.IsInt() {
		return f.Num().String()
	}
	s := f.FloatString(maxPercentileFractionDigits)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	return s
}

// percentileFractionRoundedDown returns a fraction as a number whose double times a number of rows is never above
// the exact product.
func percentileFractionRoundedDown(text string) string {
	exact, ok := sqlexpr.ParsePercentileFraction(text)
	if !ok || exact.Sign() == 0 {
		return text
	}
	double, _ := exact.Float64()
	above := new(big.Rat).SetFloat64(double)
	above.Sub(above, exact)
	// An error below half of the relative distance of doubles is rounded away.
	const harmless = 1 << 55
	if above.Mul(above, big.NewRat(harmless, 1)).Cmp(exact) < 0 {
		return text
	}
	return strconv.FormatFloat(math.Nextafter(double, 0), 'f', -1, 64)
}

// approxPercentileTemplates prints a sketch of doubles, NAME(x, p).
func approxPercentileTemplates(name string) []callTemplate {
	return callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
		w.appendText(name)
		w.appendByte('(')
		w.printCastToDouble(c.Args[0])
		w.appendText(", ")
		w.appendText(w.percentileFractionText(c))
		w.appendByte(')')
	})
}

// parametricPercentileTemplates prints NAME(p)(x), of which the value is a double.
func parametricPercentileTemplates(name string) []callTemplate {
	return callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
		fraction := w.percentileFractionText(c)
		if f, ok := sqlexpr.ParsePercentileFraction(fraction); ok && c.Desc {
			fraction = fractionWithoutExponent(f.Sub(big.NewRat(1, 1), f).FloatString(maxPercentileFractionDigits))
		}
		w.appendText("toFloat64(")
		w.appendText(name)
		w.appendByte('(')
		w.appendText(fraction)
		w.appendText(")(")
		w.printCastToDouble(c.Args[0])
		w.appendText("))")
	})
}

// bigqueryApproxQuantilesTemplates is one of ten thousand equal parts.
var bigqueryApproxQuantilesTemplates = callTemplatesOfPrintFunc(2, func(w *writer, c *sqlexpr.Call, _ precedence) {
	const parts = 10000
	f, ok := sqlexpr.ParsePercentileFraction(w.percentileFractionText(c))
	if !ok {
		w.recordInternalError("a percentile without a fraction")
		return
	}
	at, _ := f.Mul(f, big.NewRat(parts, 1)).Float64()
	w.appendText("APPROX_QUANTILES(")
	w.printCastToDouble(c.Args[0])
	w.appendText(", 10000)[OFFSET(")
	w.printInteger(int64(math.Round(at)))
	w.appendText(")]")
})
