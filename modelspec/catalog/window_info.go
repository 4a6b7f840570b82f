package catalog

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Family is the window's family: pop, offset, rolling, cumulative, frame, rank
// or value.
func (w *Window) Family() string {
	switch {
	case w.Offset != nil && w.Offset.Pop:
		return "pop"
	case w.Offset != nil:
		return "offset"
	case w.Rolling != nil:
		return "rolling"
	case w.Cumulative != nil:
		return "cumulative"
	case w.Frame != nil:
		return "frame"
	case w.Rank != nil:
		return "rank"
	}
	return "value"
}

// Function is the window's function, or an offset's calculation.
func (w *Window) Function() string {
	switch {
	case w.Offset != nil:
		return w.Offset.Calculation
	case w.Rolling != nil:
		return w.Rolling.Function
	case w.Cumulative != nil:
		return w.Cumulative.Function
	case w.Frame != nil:
		return w.Frame.Function
	case w.Rank != nil:
		return w.Rank.Function
	}
	return w.Value.Function
}

// AddsBuckets reports whether the window takes the sum or the mean of the values of
// buckets.
func (w *Window) AddsBuckets() bool {
	if w.Rolling == nil && w.Cumulative == nil && w.Frame == nil {
		return false
	}
	return w.Function() == "sum" || w.Function() == "avg"
}

// EffectiveOrder is what the window orders by, the family's default applied; nil
// when it does not order.
func (w *Window) EffectiveOrder() *WindowOrder {
	var declared *WindowOrder
	switch {
	case w.Frame != nil && w.Frame.PartitionScope:
		return nil
	case w.Frame != nil:
		declared = w.Frame.Order
	case w.Rank != nil:
		declared = w.Rank.Order
	case w.Value != nil:
		declared = w.Value.Order
	}
	switch {
	case declared != nil:
		return declared
	case w.Rank != nil:
		return &WindowOrder{Desc: true}
	}
	return &WindowOrder{ByTime: true}
}

// OrderedByTime reports whether the window orders by time.
func (w *Window) OrderedByTime() bool {
	order := w.EffectiveOrder()
	return order != nil && order.ByTime
}

// EffectivePartition is how the window splits the rows, the default applied: all
// dimensions but the excluded ones where there are any, else that of the family.
func (w *Window) EffectivePartition() Partition {
	var p Partition
	switch {
	case w.Frame != nil:
		p = w.Frame.Partition
	case w.Rank != nil:
		p = w.Rank.Partition
	case w.Value != nil:
		p = w.Value.Partition
	}
	switch {
	case p.Mode != "":
	case len(p.Exclude) > 0:
		p.Mode = "query_dimensions_except"
	case w.Rank != nil:
		p.Mode = "none"
	default:
		p.Mode = "query_dimensions"
	}
	return p
}

// ResetGrain is the calendar period at which the window starts again; GrainNone when it
// never does.
func (w *Window) ResetGrain() sqlexpr.Grain {
	switch {
	case w.Cumulative != nil:
		return w.Cumulative.Reset
	case w.Frame != nil:
		return w.Frame.Reset
	}
	return sqlexpr.GrainNone
}

// Count is the number that the window's family takes; the zero Count when it takes
// none.
func (w *Window) Count() Count {
	switch {
	case w.Offset != nil:
		return w.Offset.Count
	case w.Rolling != nil:
		return w.Rolling.Periods
	case w.Frame != nil:
		return w.Frame.Preceding
	case w.Rank != nil:
		return w.Rank.Buckets
	case w.Value != nil:
		return w.Value.N
	}
	return Count{}
}

// RequiresTimeAxis reports whether a query must group by the metric's time axis
// with a grain: the window is ordered by time, split by its buckets, or starts again
// with its periods.
func (w *Window) RequiresTimeAxis() bool {
	return w.OrderedByTime() || w.EffectivePartition().Mode == "time_bucket" || w.ResetGrain() != sqlexpr.GrainNone
}

// Type is the logical type of the window's value over a base of a type.
func (w *Window) Type(base sqlexpr.Type) sqlexpr.Type {
	switch w.Function() {
	case "value", "delta", "sum", "min", "max", "first_value", "last_value", "nth_value":
		return base
	case "count", "row_number", "rank", "dense_rank", "ntile":
		return sqlexpr.TypeInt
	}
	return sqlexpr.TypeFloat
}
