package sqlemit

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// over prints a window call.
func (w *writer) over(e *sqlexpr.Over) {
	if e.Call == nil {
		w.invalid("a window without a function")
		return
	}
	if w.d.caps.NoWindow.Has(e.Call.Fn) {
		w.unsupported(callName(e.Call) + " as a window function")
		return
	}
	if isOffsetFrame(e.Frame) && w.d.caps.NoRangeFrames {
		w.unsupported("a window frame measured by distance")
		return
	}
	if w.d.window != nil {
		w.d.window(w, e)
		return
	}
	w.plainWindow(e)
}

// plainWindow prints a call and its window with nothing around them.
func (w *writer) plainWindow(e *sqlexpr.Over) {
	w.windowCall(e, func() { w.call(e.Call, precPrimary) })
}

// windowCall prints a call and the window that it looks through.
func (w *writer) windowCall(e *sqlexpr.Over, call func()) {
	call()
	w.text(" OVER (")
	sep := ""
	if len(e.Partition) > 0 {
		w.text("PARTITION BY ")
		w.list(e.Partition)
		sep = " "
	}
	if len(e.Order) > 0 {
		w.text(sep)
		w.text("ORDER BY ")
		for i, o := range e.Order {
			if i > 0 {
				w.text(", ")
			}
			w.windowKey(o, e.Frame)
		}
		sep = " "
	}
	if e.Frame != nil {
		w.text(sep)
		w.frame(e.Frame)
	}
	w.byte(')')
}

// windowKey prints an order key with nulls last. Without NULLS LAST, nulls come
// first in ascending order only. A frame by distance takes a single key, so
// there the order is turned round instead of adding one.
func (w *writer) windowKey(o sqlexpr.OrderItem, f *sqlexpr.Frame) {
	switch {
	case o.Desc || w.d.sort.nullsLast:
		w.expr(o.X, precAny)
		if o.Desc {
			w.text(" DESC")
		}
		if w.d.sort.nullsLast && !(w.d.sort.rangeWithoutNullsLast && isRange(f)) {
			w.text(" NULLS LAST")
		}
	case isOffsetFrame(f):
		w.byte('-')
		w.expr(o.X, precPrimary)
		w.text(" DESC")
	default:
		w.expr(o.X, precConcat)
		w.text(" IS NULL, ")
		w.expr(o.X, precAny)
	}
}

// partitionByNullKeys puts the rows whose order key is NULL into a separate partition.
func partitionByNullKeys(e *sqlexpr.Over) *sqlexpr.Over {
	out := *e
	out.Partition = slices.Clip(e.Partition)
	for _, o := range e.Order {
		out.Partition = append(out.Partition, &sqlexpr.IsNull{X: o.X})
	}
	return &out
}

func isRange(f *sqlexpr.Frame) bool { return f != nil && f.Unit == sqlexpr.FrameRange }

// isOffsetFrame reports whether a frame has an end at a distance in the order key.
func isOffsetFrame(f *sqlexpr.Frame) bool {
	return isRange(f) && (hasOffset(f.Start) || hasOffset(f.End))
}

func hasOffset(b sqlexpr.Bound) bool { return !b.Unbounded && b.Offset != 0 }

func (w *writer) frame(f *sqlexpr.Frame) {
	if isRange(f) {
		w.text("RANGE BETWEEN ")
	} else {
		w.text("ROWS BETWEEN ")
	}
	w.bound(f.Start, " PRECEDING")
	w.text(" AND ")
	w.bound(f.End, " FOLLOWING")
}

func (w *writer) bound(b sqlexpr.Bound, unboundedSide string) {
	switch {
	case b.Unbounded:
		w.text("UNBOUNDED")
		w.text(unboundedSide)
	case b.Offset == 0:
		w.text("CURRENT ROW")
	case b.Offset < 0:
		w.integer(-int64(b.Offset))
		w.text(" PRECEDING")
	default:
		w.integer(int64(b.Offset))
		w.text(" FOLLOWING")
	}
}
