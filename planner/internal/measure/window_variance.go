package measure

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/build"
)

// A variance over a window is made of parts of its buckets, which are read once: of each the count n, the mean m and
// the sum q of the squared deviations from that mean. Values far from zero lose no digits: the parts are those of
// x - c, where c is the mean of all rows read.
//
//	n buckets            q + n * (m - mean of the window)², added up over the copies of the buckets
//	all buckets so far   q + n * before / (n + before) * (m - mean before)², which a sum runs over
//
// Every term is at least zero, so that nothing cancels.

// recomputedVariance returns a variance, or its root, over the rows of a window.
func (b windowBaseExpander) recomputedVariance(u Ref) sqlexpr.Expr {
	kind := ReadKindCopiedDeviations
	if b.w.Spec.Recompute.Unbounded {
		kind = ReadKindRunningDeviations
	}
	agg, deviations, count := u.Measure.Agg, u, u
	count.Measure = b.sumOrCountOfAverage(u.Measure, catalog.AggCount)
	deviations.Measure = b.deviationsMeasure(u.Measure, kind)
	n := b.recomputedMeasureExpr(count)
	if agg == catalog.AggVarSamp || agg == catalog.AggStddevSamp {
		n = &sqlexpr.Binary{Op: sqlexpr.OpSub, L: n, R: build.Integer(1)}
	}
	variance := &sqlexpr.SafeDivide{L: b.addInput(deviations, InputRead{Kind: kind}), R: n}
	if agg == catalog.AggStddevPop || agg == catalog.AggStddevSamp {
		return build.Call(sqlexpr.FnSqrt, "SQRT", variance)
	}
	return variance
}

// deviationsMeasure returns the sum of squared deviations that a variance is made of. Each is one measure in the query.
func (b windowBaseExpander) deviationsMeasure(variance *catalog.Measure, kind InputKind) *catalog.Measure {
	for _, u := range b.x.out.MeasureRefs {
		if m := u.Measure; u.Read.Kind == kind && m.Home == variance.Home && sqlexpr.Equal(m.Arg, variance.Arg) {
			return m
		}
	}
	m := aggregates.SumOrCountOfAverage(b.x.in.Cat, variance, catalog.AggVarPop)
	m.Name, m.Type = variance.Name, sqlexpr.TypeFloat
	return m
}
