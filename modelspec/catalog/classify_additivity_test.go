package catalog_test

import (
	"testing"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// expressionAdditivityKind returns a metric of the expression over operands that it names a, b, c.
func expressionAdditivityKind(t *testing.T, text string, operands ...catalog.Operand) *catalog.Metric {
	t.Helper()
	e, err := sqlexpr.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	form := &catalog.ArithmeticOverOperands{Operands: operands, Expr: sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		if c, ok := x.(*sqlexpr.Column); ok {
			return &sqlexpr.Ref{ID: int(c.Path[0].Text[0] - 'a')}
		}
		return nil
	})}
	return &catalog.Metric{Name: text, Forms: catalog.DialectVariants[*catalog.ArithmeticOverOperands]{Default: form}}
}

func TestMetric_AdditivityIsLinearityInAdditiveMeasures(t *testing.T) {
	of := func(agg catalog.Agg) *catalog.Measure { return &catalog.Measure{Agg: agg} }
	sum, count, avg := of(catalog.AggSum), of(catalog.AggCount), of(catalog.AggAvg)
	revenue := expressionAdditivityKind(t, "a", sum)
	filled := expressionAdditivityKind(t, "a", sum)
	filled.Fill = "5"
	zeroFilled := expressionAdditivityKind(t, "a", sum)
	zeroFilled.Fill = "-0.0"
	windowed := expressionAdditivityKind(t, "a", sum)
	windowed.Window = &catalog.Window{Cumulative: &catalog.CumulativeWindow{Function: sqlexpr.FnSum}}
	circle := expressionAdditivityKind(t, "a + b", sum)
	circle.Forms.Default.Operands = append(circle.Forms.Default.Operands, circle)
	for _, c := range []struct {
		metric   *catalog.Metric
		additive bool
	}{
		{revenue, true},
		{expressionAdditivityKind(t, "a", count), true},
		{expressionAdditivityKind(t, "a", avg), false},
		{expressionAdditivityKind(t, "a", of(catalog.AggMin)), false},
		{expressionAdditivityKind(t, "a", of(catalog.AggMax)), false},
		{expressionAdditivityKind(t, "a", of(catalog.AggCountDistinct)), false},
		{expressionAdditivityKind(t, "a - b", sum, count), true},
		{expressionAdditivityKind(t, "-a * 2 + b / 4", sum, count), true},
		{expressionAdditivityKind(t, "COALESCE(a, 0)", sum), true},
		{expressionAdditivityKind(t, "COALESCE(a, 1)", sum), false},
		{expressionAdditivityKind(t, "COALESCE(a, b)", sum, count), false},
		{expressionAdditivityKind(t, "a + 1", sum), false}, // the one is added in each group
		{expressionAdditivityKind(t, "2 * 3"), false},
		{expressionAdditivityKind(t, "a * b", sum, count), false},
		{expressionAdditivityKind(t, "a / b", sum, count), false},
		{expressionAdditivityKind(t, "4 / a", sum), false},
		{expressionAdditivityKind(t, "ABS(a)", sum), false},
		{expressionAdditivityKind(t, "a - b", sum, avg), false},
		{expressionAdditivityKind(t, "a + b", revenue, sum), true},
		{expressionAdditivityKind(t, "a + b", revenue, windowed), false},
		{filtered("f", revenue), true},
		{filtered("f", expressionAdditivityKind(t, "a", avg)), false},
		{filled, false},
		{zeroFilled, true},
		{windowed, false},
		{circle, false},
		{&catalog.Metric{Name: "failed", Err: &modelspec.CompileError{}}, false},
	} {
		if got := c.metric.Additivity() == catalog.AdditiveMetric; got != c.additive {
			t.Errorf("%s: additive is %v", c.metric.Name, got)
		}
	}
}

func TestAgg_ClassesAndDuplicates(t *testing.T) {
	for agg, want := range map[catalog.Agg]struct {
		class     catalog.AggregateClass
		duplicate bool
	}{
		catalog.AggSum: {catalog.ClassAdditive, false}, catalog.AggCount: {catalog.ClassAdditive, false},
		catalog.AggAvg: {catalog.ClassAlgebraic, false}, catalog.AggMin: {catalog.ClassLattice, true}, catalog.AggMax: {catalog.ClassLattice, true},
		catalog.AggCountDistinct: {catalog.ClassHolistic, true},
	} {
		if agg.Class() != want.class || agg.DuplicateInsensitive() != want.duplicate {
			t.Errorf("%s: %s, %v", agg, agg.Class(), agg.DuplicateInsensitive())
		}
	}
}
