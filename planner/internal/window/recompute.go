package window

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/aggregates"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/measure"
)

// recomputeExpr returns the base over the rows of the window. Its inputs are columns of buckets.
func (w planner) recomputeExpr() sqlexpr.Expr {
	value := sqlexpr.RewriteRefs(w.win.Base.Expr, func(r *sqlexpr.Ref) sqlexpr.Expr { return w.inputColumnOverWindow(r.ID) })
	if w.win.ReachesToSamePlace(w.query.Groups[w.win.AxisGroup]) {
		number := w.calendar.periodNumberColumn(w.win.Spec.Recompute.Span.Period)
		return build.CaseWhen(&sqlexpr.IsNull{Not: true, X: number}, value)
	}
	if !w.win.Spec.Recompute.RequireFullWindow {
		return value
	}
	return build.CaseWhen(w.allBucketsPresentCondition(), value)
}

// allBucketsPresentCondition returns the condition that every bucket of the window has rows. A target without frames by distance looks
// at the last rows of the partition, which has one row for each bucket: they are the window where the first of
// them is as far away as the window begins.
func (w planner) allBucketsPresentCondition() sqlexpr.Expr {
	bucket := w.dataMarker()
	isFull := func(over *sqlexpr.WindowCall) sqlexpr.Expr {
		return &sqlexpr.Binary{Op: sqlexpr.OpEq, L: over, R: build.Integer(w.win.N)}
	}
	count := build.Call(sqlexpr.FnCount, "COUNT", bucket)
	if !w.query.In.Target.Caps.NoRangeFrames {
		return isFull(w.newCallOverWindowBuckets(count))
	}
	frame := &sqlexpr.Frame{Start: sqlexpr.FrameBound{Offset: 1 - w.win.N}}
	overRows := func(call *sqlexpr.Call) *sqlexpr.WindowCall {
		return &sqlexpr.WindowCall{Call: call, Partition: w.partitionKeys(), Order: w.windowOrderKeys(nil, frame), Frame: frame}
	}
	first := overRows(build.Call(sqlexpr.FnMin, "MIN", w.bucketOrdinal()))
	start := &sqlexpr.Binary{Op: sqlexpr.OpSub, L: w.bucketOrdinal(), R: build.Integer((w.win.N - 1) * measure.BucketOrdinalStride(w.bucketGrain()))}
	return sqlexpr.And(&sqlexpr.Binary{Op: sqlexpr.OpEq, L: first, R: start}, isFull(overRows(count)))
}

// inputColumnOverWindow returns a measure over the rows of the window.
func (w planner) inputColumnOverWindow(ref int) sqlexpr.Expr {
	u, column := w.query.Cols.MeasureRefs[ref], w.combined.Column(ref)
	var value sqlexpr.Expr = column
	switch {
	case u.Read.Kind.HoldsValueOverWholeWindow(), w.win.ReachesOwnBucketAlone(w.query.Groups[w.win.AxisGroup]):
	case u.Read.Kind == measure.ReadKindBucketRows && u.Measure.Agg.Class() == catalog.ClassLattice:
		value = w.newCallOverWindowBuckets(aggregates.LeastOrGreatest(u.Measure).AggregateCall(column, nil))
	default:
		value = w.newCallOverWindowBuckets(build.Call(sqlexpr.FnSum, "SUM", column))
	}
	if u.Measure.IsZeroOverNoRows() {
		return build.CoalesceToNumber(value, "0")
	}
	return value
}

// newCallOverWindowBuckets returns a call over the buckets of the window.
func (w planner) newCallOverWindowBuckets(call *sqlexpr.Call) *sqlexpr.WindowCall {
	frame := &sqlexpr.Frame{Start: sqlexpr.FrameBound{Unbounded: true}}
	if w.win.ReachesToSamePlace(w.query.Groups[w.win.AxisGroup]) {
		return w.newCallToSamePlaceInPeriod(call)
	}
	if !w.win.Spec.Recompute.Unbounded {
		most, _ := w.win.MaxCoveredBuckets(w.bucketGrain())
		frame = &sqlexpr.Frame{Unit: sqlexpr.FrameRange, Start: sqlexpr.FrameBound{Offset: (1 - most) * measure.BucketOrdinalStride(w.bucketGrain())}}
	}
	return &sqlexpr.WindowCall{Call: call, Partition: w.partitionKeys(), Order: w.windowOrderKeys(nil, frame), Frame: frame}
}

// periodPlaceStride is more than a period of a calendar has buckets.
const periodPlaceStride = 1_000_000

// newCallToSamePlaceInPeriod returns a call over the buckets after the one at the same place in an earlier period, up to the current
// one. A place that the earlier period does not have is after its last one.
//
//	… RANGE over period * 1000000 + place, from behind count * 1000000 before
func (w planner) newCallToSamePlaceInPeriod(call *sqlexpr.Call) *sqlexpr.WindowCall {
	period := w.win.Spec.Recompute.Span.Period
	number := &sqlexpr.Binary{Op: sqlexpr.OpMul, L: w.calendar.periodNumberColumn(period), R: build.Integer(periodPlaceStride)}
	place := &sqlexpr.Binary{Op: sqlexpr.OpAdd, L: number, R: w.calendar.placeInPeriodColumn(period)}
	frame := &sqlexpr.Frame{Unit: sqlexpr.FrameRange, Start: sqlexpr.FrameBound{Offset: 1 - w.win.N*periodPlaceStride}}
	return &sqlexpr.WindowCall{Call: call, Partition: w.partitionKeys(), Order: []sqlexpr.OrderItem{{X: place}}, Frame: frame}
}
