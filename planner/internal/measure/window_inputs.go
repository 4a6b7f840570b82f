package measure

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// A recomputed window is the metric over all rows whose bucket lies in the window. What a measure's
// class is decides how the rows of several buckets come together:
//
//	within a bucket     a span not longer than a bucket: the rows of the bucket that lie in the span
//	additive, lattice   a window over the values of buckets: their sum, least or greatest
//	algebraic           the same of the measures that it is made of; of a variance see window_variance.go
//	holistic            n buckets: the rows are copied to the buckets that they reach, and aggregated there
//	                    all buckets so far: each distinct value counts in its first bucket, and a sum runs over these

// InputRead is how a window reads a measure of its base.
type InputRead struct {
	Kind InputKind
	// values is what the branch makes distinct; "" where it makes nothing distinct.
	values string
}

// InputKind is what a branch aggregates for a window.
type InputKind uint8

// The kinds of input.
const (
	ReadKindBucketRows        InputKind = iota // the rows of each bucket
	ReadKindSpanRows                           // those of them that lie in the span, which is not longer than a bucket
	ReadKindCopiedValues                       // the distinct values of the buckets in the window
	readKindCopiedRows                         // the rows of the buckets in the window
	ReadKindCopiedAggregates                   // the aggregates of the buckets in the window
	ReadKindFirstOccurrences                   // the values that are in no earlier bucket
	ReadKindCopiedDeviations                   // the squared deviations from the mean of the buckets in the window
	ReadKindRunningDeviations                  // what a bucket adds to the squared deviations of those so far
	ReadKindSpanUnits                          // the values of the units of a span
)

// ReadsOwnBucket reports whether the branch aggregates rows in their own bucket.
func (k InputKind) ReadsOwnBucket() bool { return k == ReadKindBucketRows || k == ReadKindSpanRows }

// HoldsValueOverWholeWindow reports whether the branch has the value over the window, not that of a bucket.
func (k InputKind) HoldsValueOverWholeWindow() bool {
	//exhaustive:enforce
	switch k {
	case ReadKindSpanRows, ReadKindCopiedValues, readKindCopiedRows, ReadKindCopiedAggregates, ReadKindCopiedDeviations, ReadKindSpanUnits:
		return true
	case ReadKindBucketRows, ReadKindFirstOccurrences, ReadKindRunningDeviations:
	}
	return false
}

// AggregatesBeforeCopies reports whether the rows of a bucket, or of a day, are aggregated before they are copied to other buckets.
func (r InputRead) AggregatesBeforeCopies(m *catalog.Measure) bool {
	class := m.Agg.Class()
	return r.Kind == ReadKindCopiedAggregates || r.Kind == ReadKindSpanUnits && (class == catalog.ClassAdditive || class == catalog.ClassLattice)
}

// ReadsSingleRows reports whether the window computes with values of single rows, which no aggregate of a bucket gives.
func (r InputRead) ReadsSingleRows(m *catalog.Measure) bool {
	return r.Kind == ReadKindCopiedDeviations || r.Kind == ReadKindRunningDeviations || r.Kind == ReadKindSpanUnits && !r.AggregatesBeforeCopies(m)
}

func (r InputRead) inputReadKey() string {
	return strconv.Itoa(int(r.Kind)) + ":" + r.values + ":"
}

// recomputedMeasureExpr returns a measure of the base over the rows of a window.
func (b windowBaseExpander) recomputedMeasureExpr(u Ref) sqlexpr.Expr {
	agg := u.Measure.Agg
	//exhaustive:enforce
	switch agg.Decomposition() {
	case catalog.DecomposedAverage:
		return b.recomputedAverage(u, catalog.AggSum, catalog.AggCount)
	case catalog.DecomposedAverageOfDistinct:
		if b.w.Spec.Recompute.Unbounded {
			return b.recomputedAverage(u, catalog.AggSumDistinct, catalog.AggCountDistinct)
		}
	case catalog.DecomposedVariance:
		return b.recomputedVariance(u)
	case catalog.NotDecomposed:
	}
	group := b.x.groups[b.w.AxisGroup]
	_, varies := b.w.MaxCoveredBuckets(group.Grain)
	switch ownBucket := b.w.ReachesOwnBucketAlone(group); {
	case agg.Class() == catalog.ClassHolistic && b.w.Spec.Recompute.Unbounded:
		return b.addInput(u, InputRead{Kind: ReadKindFirstOccurrences, values: aggregatedValuesKey(u)})
	case b.w.Spec.Recompute.Unbounded, ownBucket && !varies:
		return b.addInput(u, InputRead{})
	case ownBucket:
		return b.addInput(u, InputRead{Kind: ReadKindSpanRows})
	case agg.Class() == catalog.ClassHolistic, varies, b.x.in.Target.Caps.NoRangeFrames:
		return b.addInput(u, readOfCopies(u))
	}
	return b.addInput(u, InputRead{})
}

// readOfCopies returns how a window reads a measure whose rows are copied to the buckets that they reach.
func readOfCopies(u Ref) InputRead {
	switch agg := u.Measure.Agg; {
	case agg.Class() != catalog.ClassHolistic:
		return InputRead{Kind: ReadKindCopiedAggregates}
	case agg.DuplicateInsensitive():
		return InputRead{Kind: ReadKindCopiedValues, values: aggregatedValuesKey(u)}
	}
	return InputRead{Kind: readKindCopiedRows, values: aggregatedValuesKey(u)}
}

// recomputedAverage returns an average over the rows of a window: the sum divided by the count.
func (b windowBaseExpander) recomputedAverage(u Ref, sumOf, countOf catalog.Agg) sqlexpr.Expr {
	sum, count := u, u
	sum.Measure, count.Measure = b.sumOrCountOfAverage(u.Measure, sumOf), b.sumOrCountOfAverage(u.Measure, countOf)
	return &sqlexpr.SafeDivide{L: b.recomputedMeasureExpr(sum), R: b.recomputedMeasureExpr(count)}
}

// readsRowsOfOtherBuckets reports whether an input is computed from rows of other buckets.
func (b windowBaseExpander) readsRowsOfOtherBuckets() bool {
	return slices.ContainsFunc(b.w.Base.Inputs, func(i int) bool { return !b.x.out.MeasureRefs[i].Read.Kind.ReadsOwnBucket() })
}

// aggregatedValuesKey names the values that a measure aggregates.
func aggregatedValuesKey(u Ref) string {
	key := "*"
	if u.Measure.Arg != nil {
		key = sqlexpr.Format(u.Measure.Arg)
	}
	if u.Measure.OrderBy != nil {
		key += " order by " + sqlexpr.Format(u.Measure.OrderBy)
	}
	if u.Where != nil {
		key += " where " + sqlexpr.Format(u.Where)
	}
	return key
}

// sumOrCountOfAverage returns the sum or the count that an average is made of. Each is one measure in the query.
func (b windowBaseExpander) sumOrCountOfAverage(avg *catalog.Measure, agg catalog.Agg) *catalog.Measure {
	for _, u := range b.x.out.MeasureRefs {
		if m := u.Measure; m.Agg == agg && m.Home == avg.Home && m.NonAdditive == nil && sqlexpr.Equal(m.Arg, avg.Arg) {
			return m
		}
	}
	return aggregates.SumOrCountOfAverage(b.x.in.Cat, avg, agg)
}

// checkRecomputedWindow rejects a window that reaches over too many buckets, or whose aggregate has no running value.
func (b windowBaseExpander) checkRecomputedWindow() error {
	w := b.w
	r, p := w.Spec.Recompute, b.newGroupByChecker(b.x.out.MeasureRefs[w.Base.Inputs[0]].Axis)
	for _, i := range w.Base.Inputs {
		if m := b.x.out.MeasureRefs[i].Measure; m.NonAdditive != nil {
			return p.NotImplementedError("the window of "+w.Metric.Name+" computes the snapshots of "+m.Name+" again, which is not supported", nil)
		}
	}
	holistic := b.findHolisticInput()
	if r.Unbounded {
		if holistic != nil && !holistic.Agg.CanAccumulateOverBuckets() {
			return p.NotImplementedError(w.Metric.Name+" computes "+holistic.Name+" over all rows so far, which has no running value", nil)
		}
		return nil
	}
	group := p.groups[w.AxisGroup]
	grain := group.Grain
	most, varies := w.MaxCoveredBuckets(grain)
	if err := p.checkSpanFitsAxis(); err != nil {
		return err
	}
	switch {
	case r.Span != nil && !group.CanCountBucketsIn(r.Span.Unit()):
		return p.unsuitableUnitError(group, r.Span.Unit(), "reaches back by the "+r.Span.Unit().String())
	case w.ReachesToSamePlace(group):
		return b.checkPeriodSpanCopiesNoRows(p)
	case most == 0:
		return p.NotImplementedError(w.Metric.Name+" reaches back by "+r.Span.Grain.String()+"s, which are not a number of buckets by "+grain.String(), w.grainsWithFewEnoughBuckets(grain))
	case holistic != nil && r.Span == nil && most > limits.RecomputedHolisticWindowPeriods:
		return b.tooManyPeriodsError(p)
	case (holistic != nil || varies || b.x.in.Target.Caps.NoRangeFrames) && most > limits.RecomputedHolisticWindowPeriods:
		message := w.Metric.Name + " reaches over " + strconv.Itoa(most) + " buckets by " + grain.String() + "; where the rows of each are read again, " + strconv.Itoa(limits.RecomputedHolisticWindowPeriods) + " are the most"
		return p.NotImplementedError(message, w.grainsWithFewEnoughBuckets(grain))
	}
	return nil
}

// ReachesOwnBucketAlone reports whether a recomputed window reads no other bucket than its own, or a part of it.
func (w *Window) ReachesOwnBucketAlone(group scope.Group) bool {
	most, _ := w.MaxCoveredBuckets(group.Grain)
	return w.Spec.Recompute != nil && !w.Spec.Recompute.Unbounded && most == 1 && !w.ReachesToSamePlace(group)
}

// ReachesToSamePlace reports whether the window reaches back by a period of a calendar, over buckets that are another unit:
// to the same place in an earlier period. Only the warehouse has their number.
func (w *Window) ReachesToSamePlace(group scope.Group) bool {
	r := w.Spec.Recompute
	return r != nil && r.Span != nil && r.Span.Period != nil && r.Span.Period != group.Period
}

// checkPeriodSpanCopiesNoRows rejects a span of buckets whose rows would be copied to a number of buckets that only the warehouse has.
func (b windowBaseExpander) checkPeriodSpanCopiesNoRows(p WindowGroupByChecker) error {
	w, unit := b.w, b.w.Spec.Recompute.Span.Unit()
	message := w.Metric.Name + " reaches back by the " + unit.String() + ", and "
	switch copied := b.findInputToCopyToBuckets(); {
	case copied != nil:
		message += "reads the rows of each bucket again for " + copied.Name + ", and only the warehouse has the number of its buckets by " + p.groups[w.AxisGroup].BucketUnit().String()
	case b.x.in.Target.Caps.NoRangeFrames:
		message += "dialect " + b.x.in.Target.Dialect + " has no window frames by distance"
	default:
		return nil
	}
	return &planerr.Error{
		Code: planerr.CodeNotImplemented, Message: message, Metrics: []string{p.Owner},
		Fragment: map[string]any{"group_by": retry.ReplaceGrain(p.In.Query.GroupBy, p.groups[w.AxisGroup], unit)},
	}
}

// findInputToCopyToBuckets returns an input whose rows are copied to the buckets that they reach; nil without one.
func (b windowBaseExpander) findInputToCopyToBuckets() *catalog.Measure {
	for _, i := range b.w.Base.Inputs {
		if u := b.x.out.MeasureRefs[i]; u.Read.Kind.HoldsValueOverWholeWindow() {
			return u.Measure
		}
	}
	return nil
}

// findHolisticInput returns an input that is computed from rows; nil without one.
func (b windowBaseExpander) findHolisticInput() *catalog.Measure {
	for _, i := range b.w.Base.Inputs {
		if m := b.x.out.MeasureRefs[i].Measure; m.Agg.Class() == catalog.ClassHolistic {
			return m
		}
	}
	return nil
}

// grainsWithFewEnoughBuckets returns the grains over which the window reaches over few enough buckets, the finest first.
func (w *Window) grainsWithFewEnoughBuckets(grain sqlexpr.Grain) []sqlexpr.Grain {
	var out []sqlexpr.Grain
	for g := grain + 1; g <= sqlexpr.GrainYear; g++ {
		if most, _ := w.MaxCoveredBuckets(g); w.grainSpan() != nil && most > 0 && most <= limits.RecomputedHolisticWindowPeriods {
			out = append(out, g)
		}
	}
	return out
}

// tooManyPeriodsError returns the error of a number of periods, which a parameter gives, over a holistic measure.
func (b windowBaseExpander) tooManyPeriodsError(p WindowGroupByChecker) error {
	most, metric := strconv.Itoa(limits.RecomputedHolisticWindowPeriods), b.w.Metric
	if i := slices.IndexFunc(metric.Params, func(p *catalog.Param) bool { return p.Name == b.w.Spec.Recompute.Periods.Param }); i >= 0 {
		return b.x.bound.OutOfDomainError(metric.Params[i], "the window of "+metric.Name+" needs an integer from 1 to "+most)
	}
	return p.NotImplementedError("the window of "+metric.Name+" spans more than "+most+" buckets", nil)
}
