package sqlemit

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

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
	byDistance := e.Frame != nil && e.Frame.Unit == sqlexpr.FrameRange && measures(e.Frame)
	if byDistance && w.d.caps.NoRangeFrames {
		w.unsupported("a window frame measured by distance")
		return
	}
	call := func() { w.call(e.Call, precPrimary) }
	switch {
	case w.d.window != nil:
		w.d.window(w, e)
	case w.d.ops.boolsByNumber && w.overConditions(e.Call):
		w.byte('(')
		w.windowed(e, func() { w.conditionsByNumber(e.Call) })
		w.text(" = 1)")
	case w.d.nanWindows.Has(e.Call.Fn):
		w.text("NULLIF(")
		w.windowed(e, call)
		w.text(", CAST('NaN' AS DOUBLE))")
	case w.d.shortWindows.Has(e.Call.Fn):
		w.text("CAST(")
		w.windowed(e, call)
		w.text(" AS DOUBLE)")
	default:
		w.windowed(e, call)
	}
}

// windowed prints a call and the window that it looks through.
func (w *writer) windowed(e *sqlexpr.Over, call func()) {
	byDistance := e.Frame != nil && e.Frame.Unit == sqlexpr.FrameRange && measures(e.Frame)
	call()
	w.text(" OVER (")
	sep := ""
	ranged := e.Frame != nil && e.Frame.Unit == sqlexpr.FrameRange
	apart := byDistance && w.d.nullsApart || ranged && w.d.sort.rangeNullsApart
	if len(e.Partition) > 0 || apart {
		w.text("PARTITION BY ")
		for i, x := range e.Partition {
			if i > 0 {
				w.text(", ")
			}
			w.partitionKey(x)
		}
		sep = " "
	}
	if apart {
		for i, o := range e.Order {
			if i > 0 || len(e.Partition) > 0 {
				w.text(", ")
			}
			w.expr(o.X, precConcat)
			w.text(" IS NULL")
		}
	}
	if len(e.Order) > 0 {
		w.text(sep)
		w.text("ORDER BY ")
		for i, o := range e.Order {
			if i > 0 {
				w.text(", ")
			}
			w.windowKey(o, byDistance, ranged)
		}
		sep = " "
	}
	if e.Frame != nil {
		w.text(sep)
		w.frame(e.Frame)
	}
	w.byte(')')
}

// partitionKey prints a partition key. What is declared a decimal may be a double in
// the database, and so may what has no type.
func (w *writer) partitionKey(x sqlexpr.Expr) {
	if !w.d.floatKey.absent() {
		t := w.typeOf(x)
		if r, ok := x.(*sqlexpr.Ref); ok && t == sqlexpr.TypeUnknown && w.in.has(r.ID) {
			t = w.in.cols[r.ID].typ
		}
		switch t {
		case sqlexpr.TypeFloat, sqlexpr.TypeDecimal, sqlexpr.TypeUnknown:
			w.fill(&w.d.floatKey, precAny, x)
			return
		}
	}
	w.expr(x, precAny)
}

// windowKey prints an order key with nulls last. Without NULLS LAST, nulls come
// first in ascending order only. A frame by distance takes a single key, so
// there the order is turned round instead of adding one.
func (w *writer) windowKey(o sqlexpr.OrderItem, byDistance, ranged bool) {
	switch {
	case ranged && w.d.sort.rangeNullsApart:
		w.expr(o.X, precAny)
		if o.Desc {
			w.text(" DESC")
		}
	case w.d.sort.nullsLast:
		w.expr(o.X, precAny)
		if o.Desc {
			w.text(" DESC")
		}
		w.text(" NULLS LAST")
	case o.Desc:
		w.expr(o.X, precAny)
		w.text(" DESC")
	case byDistance:
		w.byte('-')
		w.expr(o.X, precPrimary)
		w.text(" DESC")
	default:
		w.expr(o.X, precConcat)
		w.text(" IS NULL, ")
		w.expr(o.X, precAny)
	}
}

// measures reports whether a frame has an end at a distance.
func measures(f *sqlexpr.Frame) bool {
	return !f.Start.Unbounded && f.Start.Offset != 0 || !f.End.Unbounded && f.End.Offset != 0
}

func (w *writer) frame(f *sqlexpr.Frame) {
	if f.Unit == sqlexpr.FrameRange {
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
