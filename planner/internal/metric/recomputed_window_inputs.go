package metric

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// A recomputed window is the metric over all rows whose bucket lies in the window. What a measure's
// class is decides how the rows of several buckets come together:
//
//	additive, lattice   a window over the values of buckets: their sum, least or greatest
//	algebraic           the same of the measures that it is made of; of a variance see recompute_variance.go
//	holistic            n buckets: the rows are copied to the buckets that they reach, and aggregated there
//	                    all buckets so far: each distinct value counts in its first bucket, and a sum runs over these

// windowInputRead is how a window reads a measure of its base.
type windowInputRead struct {
	kind windowInputRowsKind
	// values is what the branch makes distinct; "" where it makes nothing distinct.
	values string
}

// windowInputRowsKind is what a branch aggregates for a window.
type windowInputRowsKind uint8

const (
	readKindBucketRows        windowInputRowsKind = iota // the rows of each bucket
	readKindCopiedValues                                 // the distinct values of the buckets in the window
	readKindCopiedRows                                   // the rows of the buckets in the window
	readKindCopiedAggregates                             // the aggregates of the buckets in the window
	readKindFirstOccurrences                             // the values that are in no earlier bucket
	readKindCopiedDeviations                             // the squared deviations from the mean of the buckets in the window
	readKindRunningDeviations                            // what a bucket adds to the squared deviations of those so far
)

// holdsValueOverWholeWindow reports whether the branch has the value over the window, not that of a bucket.
func (k windowInputRowsKind) holdsValueOverWholeWindow() bool {
	switch k {
	case readKindCopiedValues, readKindCopiedRows, readKindCopiedAggregates, readKindCopiedDeviations:
		return true
	}
	return false
}

// movesRowsToOtherBuckets reports whether rows go to other buckets than their own.
func (k windowInputRowsKind) movesRowsToOtherBuckets() bool {
	return k.holdsValueOverWholeWindow() || k == readKindFirstOccurrences
}

func (r windowInputRead) inputReadKey() string {
	return strconv.Itoa(int(r.kind)) + ":" + r.values + ":"
}

// recomputedMeasureExpr returns a measure of the base over the rows of a window.
func (b windowBaseExpander) recomputedMeasureExpr(u MeasureRef) sqlexpr.Expr {
	agg := u.Measure.Agg
	switch agg.Decomposition() {
	case catalog.DecomposedAverage:
		return b.recomputedAverage(u, catalog.AggSum, catalog.AggCount)
	case catalog.DecomposedAverageOfDistinct:
		if b.w.spec.Recompute.Unbounded {
			return b.recomputedAverage(u, catalog.AggSumDistinct, catalog.AggCountDistinct)
		}
	case catalog.DecomposedVariance:
		return b.recomputedVariance(u)
	case catalog.NotDecomposed:
	}
	switch {
	case agg.Class() == catalog.ClassHolistic && b.w.spec.Recompute.Unbounded:
		return b.addInput(u, windowInputRead{kind: readKindFirstOccurrences, values: aggregatedValuesKey(u)})
	case agg.Class() == catalog.ClassHolistic && agg.DuplicateInsensitive():
		return b.addInput(u, windowInputRead{kind: readKindCopiedValues, values: aggregatedValuesKey(u)})
	case agg.Class() == catalog.ClassHolistic:
		return b.addInput(u, windowInputRead{kind: readKindCopiedRows, values: aggregatedValuesKey(u)})
	case b.w.needsCopiesToReachedBuckets(b.x.groups, b.x.in.Target.Caps.NoRangeFrames):
		return b.addInput(u, windowInputRead{kind: readKindCopiedAggregates})
	}
	return b.addInput(u, windowInputRead{})
}

// recomputedAverage returns an average over the rows of a window: the sum divided by the count.
func (b windowBaseExpander) recomputedAverage(u MeasureRef, sumOf, countOf catalog.Agg) sqlexpr.Expr {
	sum, count := u, u
	sum.Measure, count.Measure = b.sumOrCountOfAverage(u.Measure, sumOf), b.sumOrCountOfAverage(u.Measure, countOf)
	return &sqlexpr.SafeDivide{L: b.recomputedMeasureExpr(sum), R: b.recomputedMeasureExpr(count)}
}

// readsRowsOfOtherBuckets reports whether an input is computed from rows of other buckets.
func (b windowBaseExpander) readsRowsOfOtherBuckets() bool {
	return slices.ContainsFunc(b.w.base.inputs, func(i int) bool { return b.x.out.measureRefs[i].read.kind != readKindBucketRows })
}

// aggregatedValuesKey names the values that a measure aggregates.
func aggregatedValuesKey(u MeasureRef) string {
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
	for _, u := range b.x.out.measureRefs {
		if m := u.Measure; m.Agg == agg && m.Home == avg.Home && m.NonAdditive == nil && sqlexpr.Equal(m.Arg, avg.Arg) {
			return m
		}
	}
	return SumOrCountOfAverage(b.x.in.Cat, avg, agg)
}

// needsCopiesToReachedBuckets reports whether the window reaches over a varying number of buckets, or the target has no
// frames by distance: then the aggregates of buckets are copied to the buckets that they reach.
func (w *metricWindow) needsCopiesToReachedBuckets(groups []scope.Group, noRangeFrames bool) bool {
	r := w.spec.Recompute
	if r.Unbounded {
		return false
	}
	_, varies := w.maxCoveredBuckets(groups[w.axisGroup].Grain)
	return varies || noRangeFrames
}

// maxCoveredBuckets returns the number of buckets of a grain that the window reaches over, the most where it varies;
// 0 where they are not a number of buckets.
func (w *metricWindow) maxCoveredBuckets(grain sqlexpr.Grain) (most int, varies bool) {
	if span := w.spec.Recompute.Span; span != nil && span.Period == nil {
		return bucketCountOfSpan(w.n, span.Grain, grain)
	}
	return w.n, false
}

// bucketCountOfSpan returns the number of buckets begin after a span before another one, the most where the number varies.
// It is 0 where months are over buckets within a day.
func bucketCountOfSpan(n int, span, bucket sqlexpr.Grain) (most int, varies bool) {
	months := map[sqlexpr.Grain]int{sqlexpr.GrainMonth: 1, sqlexpr.GrainQuarter: 3, sqlexpr.GrainYear: 12}
	days := map[sqlexpr.Grain]int{sqlexpr.GrainDay: 1, sqlexpr.GrainWeek: 7}
	atLeast := func(total, length int) int { return (total + length - 1) / length }
	const secondsOfDay = 24 * 60 * 60
	switch {
	case bucket.IsWithinDay() && months[span] > 0:
		return 0, false
	case bucket.IsWithinDay():
		return atLeast(n*max(span.Seconds(), days[span]*secondsOfDay), bucket.Seconds()), false
	case span.IsWithinDay():
		return atLeast(n*span.Seconds(), secondsOfDay*max(days[bucket], 28*months[bucket])), false
	case days[span] > 0 && days[bucket] > 0:
		return atLeast(n*days[span], days[bucket]), false
	case months[span] > 0 && months[bucket] > 0:
		return atLeast(n*months[span], months[bucket]), false
	case months[span] > 0:
		most = min(31*n*months[span], 366*atLeast(n*months[span], 12))
		return atLeast(most, days[bucket]), true
	}
	return atLeast(n*days[span], 28*months[bucket]), true
}

// recomputeLookback returns how far back the window reads.
func (w *metricWindow) recomputeLookback(grain sqlexpr.Grain) scanLookback {
	r := w.spec.Recompute
	if r.Unbounded {
		return newResetLookback(w.spec.ResetUnit())
	}
	if r.Span != nil && r.Span.Period != nil {
		return scanLookback{all: true}
	}
	most, varies := w.maxCoveredBuckets(grain)
	if varies {
		return scanLookback{n: w.n, grain: r.Span.Grain}
	}
	return scanLookback{n: most - 1, grain: grain}.noneIfZero()
}

// checkRecomputedWindow rejects a window that reaches over too many buckets, or whose aggregate has no running value.
func (b windowBaseExpander) checkRecomputedWindow() error {
	w := b.w
	r, p := w.spec.Recompute, b.newGroupByChecker(b.x.out.measureRefs[w.base.inputs[0]].Axis)
	for _, i := range w.base.inputs {
		if m := b.x.out.measureRefs[i].Measure; m.NonAdditive != nil {
			return p.notImplementedError("the window of "+w.metric.Name+" computes the snapshots of "+m.Name+" again, which is not supported", nil)
		}
	}
	holistic := b.findHolisticInput()
	if r.Unbounded {
		if holistic != nil && !holistic.Agg.CanAccumulateOverBuckets() {
			return p.notImplementedError(w.metric.Name+" computes "+holistic.Name+" over all rows so far, which has no running value", nil)
		}
		return nil
	}
	group := p.groups[w.axisGroup]
	grain := group.Grain
	most, varies := w.maxCoveredBuckets(grain)
	switch {
	case r.Span != nil && !group.CanCountBucketsIn(r.Span.Unit()):
		return p.unsuitableUnitError(group, r.Span.Unit(), "reaches back by the "+r.Span.Unit().String())
	case w.reachesToSamePlaceInPeriod(group):
		return b.checkPeriodSpanCopiesNoRows(p)
	case most == 0:
		return p.notImplementedError(w.metric.Name+" reaches back by "+r.Span.Grain.String()+"s, which are not a number of buckets by "+grain.String(), w.grainsWithFewEnoughBuckets(grain))
	case holistic != nil && r.Span == nil && most > limits.RecomputedHolisticWindowPeriods:
		return b.tooManyPeriodsError(p)
	case (holistic != nil || varies || b.x.in.Target.Caps.NoRangeFrames) && most > limits.RecomputedHolisticWindowPeriods:
		message := w.metric.Name + " reaches over " + strconv.Itoa(most) + " buckets by " + grain.String() + "; where the rows of each are read again, " + strconv.Itoa(limits.RecomputedHolisticWindowPeriods) + " are the most"
		return p.notImplementedError(message, w.grainsWithFewEnoughBuckets(grain))
	}
	return nil
}

// reachesToSamePlaceInPeriod reports whether the window reaches back by a period of a calendar, over buckets that are another unit:
// to the same place in an earlier period. Only the warehouse has their number.
func (w *metricWindow) reachesToSamePlaceInPeriod(group scope.Group) bool {
	r := w.spec.Recompute
	return r != nil && r.Span != nil && r.Span.Period != nil && r.Span.Period != group.Period
}

// checkPeriodSpanCopiesNoRows rejects a span of buckets whose rows would be copied to a number of buckets that only the warehouse has.
func (b windowBaseExpander) checkPeriodSpanCopiesNoRows(p windowGroupByChecker) error {
	w, unit := b.w, b.w.spec.Recompute.Span.Unit()
	message := w.metric.Name + " reaches back by the " + unit.String() + ", and "
	switch copied := b.findInputToCopyToBuckets(); {
	case copied != nil:
		message += "reads the rows of each bucket again for " + copied.Name + ", and only the warehouse has the number of its buckets by " + p.groups[w.axisGroup].BucketUnit().String()
	case b.x.in.Target.Caps.NoRangeFrames:
		message += "dialect " + b.x.in.Target.Dialect + " has no window frames by distance"
	default:
		return nil
	}
	return &planerr.Error{
		Code: planerr.CodeNotImplemented, Message: message, Metrics: []string{p.owner},
		Fragment: map[string]any{"group_by": retry.ReplaceGrain(p.in.Query.GroupBy, p.groups[w.axisGroup], unit)},
	}
}

// findInputToCopyToBuckets returns an input whose rows are copied to the buckets that they reach; nil without one.
func (b windowBaseExpander) findInputToCopyToBuckets() *catalog.Measure {
	for _, i := range b.w.base.inputs {
		if u := b.x.out.measureRefs[i]; u.read.kind.holdsValueOverWholeWindow() {
			return u.Measure
		}
	}
	return nil
}

// findHolisticInput returns an input that is computed from rows; nil without one.
func (b windowBaseExpander) findHolisticInput() *catalog.Measure {
	for _, i := range b.w.base.inputs {
		if m := b.x.out.measureRefs[i].Measure; m.Agg.Class() == catalog.ClassHolistic {
			return m
		}
	}
	return nil
}

// grainsWithFewEnoughBuckets returns the grains over which the window reaches over few enough buckets, the finest first.
func (w *metricWindow) grainsWithFewEnoughBuckets(grain sqlexpr.Grain) []sqlexpr.Grain {
	var out []sqlexpr.Grain
	for g := grain + 1; g <= sqlexpr.GrainYear; g++ {
		if most, _ := w.maxCoveredBuckets(g); w.spec.Recompute.Span != nil && w.spec.Recompute.Span.Period == nil && most > 0 && most <= limits.RecomputedHolisticWindowPeriods {
			out = append(out, g)
		}
	}
	return out
}

// tooManyPeriodsError returns the error of a number of periods, which a parameter gives, over a holistic measure.
func (b windowBaseExpander) tooManyPeriodsError(p windowGroupByChecker) error {
	most, metric := strconv.Itoa(limits.RecomputedHolisticWindowPeriods), b.w.metric
	if i := slices.IndexFunc(metric.Params, func(p *catalog.Param) bool { return p.Name == b.w.spec.Recompute.Periods.Param }); i >= 0 {
		return b.x.bound.OutOfDomainError(metric.Params[i], "the window of "+metric.Name+" needs an integer from 1 to "+most)
	}
	return p.notImplementedError("the window of "+metric.Name+" spans more than "+most+" buckets", nil)
}

// recomputeExpr returns the base over the rows of the window. Its inputs are columns of buckets.
func (w windowPlanner) recomputeExpr() sqlexpr.Expr {
	value := sqlexpr.Rewrite(w.win.base.expr, func(e sqlexpr.Expr) sqlexpr.Expr {
		if r, ok := e.(*sqlexpr.Ref); ok {
			return w.inputColumnOverWindow(r.ID)
		}
		return nil
	})
	if w.win.reachesToSamePlaceInPeriod(w.groups[w.win.axisGroup]) {
		number := w.calendar.periodNumberColumn(w.win.spec.Recompute.Span.Period)
		return build.CaseWhen(&sqlexpr.IsNull{Not: true, X: number}, value)
	}
	if !w.win.spec.Recompute.RequireFullWindow {
		return value
	}
	return build.CaseWhen(w.allBucketsPresentCondition(), value)
}

// allBucketsPresentCondition returns the condition that every bucket of the window has rows. A target without frames by distance looks
// at the last rows of the partition, which has one row for each bucket: they are the window where the first of
// them is as far away as the window begins.
func (w windowPlanner) allBucketsPresentCondition() sqlexpr.Expr {
	var bucket sqlexpr.Expr = &sqlexpr.Ref{ID: w.win.axisGroup}
	if w.rowCountMeasure >= 0 {
		bucket = w.measureColumn(w.rowCountMeasure)
	}
	isFull := func(over *sqlexpr.WindowCall) sqlexpr.Expr {
		return &sqlexpr.Binary{Op: sqlexpr.OpEq, L: over, R: build.Integer(w.win.n)}
	}
	count := build.Call(sqlexpr.FnCount, "COUNT", bucket)
	if !w.noRangeFrames {
		return isFull(w.newCallOverWindowBuckets(count))
	}
	frame := &sqlexpr.Frame{Start: sqlexpr.FrameBound{Offset: 1 - w.win.n}}
	overRows := func(call *sqlexpr.Call) *sqlexpr.WindowCall {
		return &sqlexpr.WindowCall{Call: call, Partition: w.partitionKeys(), Order: w.windowOrderKeys(nil, frame), Frame: frame}
	}
	first := overRows(build.Call(sqlexpr.FnMin, "MIN", w.bucketOrdinal()))
	start := &sqlexpr.Binary{Op: sqlexpr.OpSub, L: w.bucketOrdinal(), R: build.Integer((w.win.n - 1) * bucketOrdinalStride(w.bucketGrain()))}
	return sqlexpr.And(&sqlexpr.Binary{Op: sqlexpr.OpEq, L: first, R: start}, isFull(overRows(count)))
}

// inputColumnOverWindow returns a measure over the rows of the window.
func (w windowPlanner) inputColumnOverWindow(ref int) sqlexpr.Expr {
	u, column := w.refs[ref], w.measureColumn(w.inputs[ref])
	value := column
	switch {
	case u.read.kind.holdsValueOverWholeWindow():
	case u.read.kind == readKindBucketRows && u.Measure.Agg.Class() == catalog.ClassLattice:
		value = w.newCallOverWindowBuckets(minOrMaxMeasureOfBucketValues(u.Measure).AggregateCall(column, nil))
	default:
		value = w.newCallOverWindowBuckets(build.Call(sqlexpr.FnSum, "SUM", column))
	}
	if u.Measure.IsZeroOverNoRows() {
		return build.CoalesceToNumber(value, "0")
	}
	return value
}

// minOrMaxMeasureOfBucketValues returns a lattice measure over the values of its parts, which is their least or greatest.
func minOrMaxMeasureOfBucketValues(m *catalog.Measure) *catalog.Measure {
	out := *m
	out.Agg = catalog.AggMin
	if m.Agg == catalog.AggMax || m.Agg == catalog.AggBoolOr {
		out.Agg = catalog.AggMax
	}
	return &out
}

// newCallOverWindowBuckets returns a call over the buckets of the window.
func (w windowPlanner) newCallOverWindowBuckets(call *sqlexpr.Call) *sqlexpr.WindowCall {
	frame := &sqlexpr.Frame{Start: sqlexpr.FrameBound{Unbounded: true}}
	if w.win.reachesToSamePlaceInPeriod(w.groups[w.win.axisGroup]) {
		return w.newCallToSamePlaceInPeriod(call)
	}
	if !w.win.spec.Recompute.Unbounded {
		most, _ := w.win.maxCoveredBuckets(w.bucketGrain())
		frame = &sqlexpr.Frame{Unit: sqlexpr.FrameRange, Start: sqlexpr.FrameBound{Offset: (1 - most) * bucketOrdinalStride(w.bucketGrain())}}
	}
	return &sqlexpr.WindowCall{Call: call, Partition: w.partitionKeys(), Order: w.windowOrderKeys(nil, frame), Frame: frame}
}

// periodPlaceStride is more than a period of a calendar has buckets.
const periodPlaceStride = 1_000_000

// newCallToSamePlaceInPeriod returns a call over the buckets after the one at the same place in an earlier period, up to the current
// one. A place that the earlier period does not have is after its last one.
//
//	… RANGE over period * 1000000 + place, from behind count * 1000000 before
func (w windowPlanner) newCallToSamePlaceInPeriod(call *sqlexpr.Call) *sqlexpr.WindowCall {
	period := w.win.spec.Recompute.Span.Period
	number := &sqlexpr.Binary{Op: sqlexpr.OpMul, L: w.calendar.periodNumberColumn(period), R: build.Integer(periodPlaceStride)}
	place := &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: number, R: w.calendar.placeInPeriodColumn(period)}
	frame := &sqlexpr.Frame{Unit: sqlexpr.FrameRange, Start: sqlexpr.FrameBound{Offset: 1 - w.win.n*periodPlaceStride}}
	return &sqlexpr.WindowCall{Call: call, Partition: w.partitionKeys(), Order: []sqlexpr.OrderItem{{X: place}}, Frame: frame}
}
