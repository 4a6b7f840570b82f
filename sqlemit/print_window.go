package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// printWindowCallForDialect prints a window call.
func (w *writer) printWindowCallForDialect(e *sqlexpr.WindowCall) {
	if e.Call == nil {
		w.recordInternalError("a window without a function")
		return
	}
	if w.d.caps.NoWindow.Has(e.Call.Fn) {
		w.recordNotImplemented(callNameForError(e.Call) + " as a window function")
		return
	}
	if isOffsetFrame(e.Frame) && w.d.caps.NoRangeFrames {
		w.recordNotImplemented("a window frame measured by distance")
		return
	}
	if w.d.framesOfRows && e.Frame == nil && len(e.Order) > 0 && sqlexpr.InfoOfFunction(e.Call.Fn).Class == sqlexpr.ClassAggregate {
		w.recordNotImplemented("a window with an order and without a frame of ROWS")
		return
	}
	if w.d.window != nil {
		w.d.window(w, e)
		return
	}
	w.printUnwrappedWindowCall(e)
}

// printUnwrappedWindowCall prints a call and its window with nothing around them.
func (w *writer) printUnwrappedWindowCall(e *sqlexpr.WindowCall) {
	w.printCallAndWindow(e, func() { w.printCall(e.Call, precPrimary) })
}

// printCallAndWindow prints a call and the window that it looks through.
func (w *writer) printCallAndWindow(e *sqlexpr.WindowCall, call func()) {
	call()
	w.appendText(" OVER (")
	sep := ""
	if len(e.Partition) > 0 {
		w.appendText("PARTITION BY ")
		w.printExprList(e.Partition)
		sep = " "
	}
	if len(e.Order) > 0 {
		w.appendText(sep)
		w.appendText("ORDER BY ")
		for i, o := range e.Order {
			if i > 0 {
				w.appendText(", ")
			}
			w.printWindowOrderKey(o, e.Frame)
		}
		sep = " "
	}
	if e.Frame != nil {
		w.appendText(sep)
		w.printWindowFrame(e.Frame)
	}
	w.appendByte(')')
}

// printWindowOrderKey prints an order key with nulls last. Without NULLS LAST, nulls come
// first in ascending order only. A frame by distance takes a single key, so
// there the order is turned round instead of adding one.
func (w *writer) printWindowOrderKey(o sqlexpr.OrderItem, f *sqlexpr.Frame) {
	switch {
	case o.Desc || w.d.sort.nullsLast:
		w.printExpr(o.X, precAny)
		if o.Desc {
			w.appendText(" DESC")
		}
		if w.d.sort.nullsLast && !(w.d.sort.rangeWithoutNullsLast && isRangeFrame(f)) {
			w.appendText(" NULLS LAST")
		}
	case isOffsetFrame(f):
		w.appendByte('-')
		w.printExpr(o.X, precPrimary)
		w.appendText(" DESC")
	default:
		w.printExpr(o.X, precConcat)
		w.appendText(" IS NULL, ")
		w.printExpr(o.X, precAny)
	}
}

// partitionByNullOrderKeys puts the rows whose order key is NULL into a separate partition.
func partitionByNullOrderKeys(e *sqlexpr.WindowCall) *sqlexpr.WindowCall {
	out := *e
	out.Partition = slices.Clip(e.Partition)
	for _, o := range e.Order {
		out.Partition = append(out.Partition, &sqlexpr.IsNull{X: o.X})
	}
	return &out
}

func isRangeFrame(f *sqlexpr.Frame) bool { return f != nil && f.Unit == sqlexpr.FrameRange }

// isOffsetFrame reports whether a frame has an end at a distance in the order key.
func isOffsetFrame(f *sqlexpr.Frame) bool {
	return isRangeFrame(f) && (isOffsetBound(f.Start) || isOffsetBound(f.End))
}

func isOffsetBound(b sqlexpr.FrameBound) bool { return !b.Unbounded && b.Offset != 0 }

func (w *writer) printWindowFrame(f *sqlexpr.Frame) {
	if isRangeFrame(f) {
		w.appendText("RANGE BETWEEN ")
	} else {
		w.appendText("ROWS BETWEEN ")
	}
	w.printFrameBound(f.Start, " PRECEDING")
	w.appendText(" AND ")
	w.printFrameBound(f.End, " FOLLOWING")
}

func (w *writer) printFrameBound(b sqlexpr.FrameBound, unboundedSide string) {
	switch {
	case b.Unbounded:
		w.appendText("UNBOUNDED")
		w.appendText(unboundedSide)
	case b.Offset == 0:
		w.appendText("CURRENT ROW")
	case b.Offset < 0:
		w.printInteger(-int64(b.Offset))
		w.appendText(" PRECEDING")
	default:
		w.printInteger(int64(b.Offset))
		w.appendText(" FOLLOWING")
	}
}
