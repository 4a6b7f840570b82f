package catalog

import "github.com/semlayer/semlayer/modelspec/sqlexpr"

// Family returns the window's family: pop, offset, rolling, cumulative, frame, rank,
// value or recompute.
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
	case w.Recompute != nil:
		return "recompute"
	}
	return "value"
}

// Function returns the window's function; FnUnknown for an offset, which has a calculation, and for a recomputed
// window, which applies the metric itself.
func (w *Window) Function() sqlexpr.Func {
	switch {
	case w.Rolling != nil:
		return w.Rolling.Function
	case w.Cumulative != nil:
		return w.Cumulative.Function
	case w.Frame != nil:
		return w.Frame.Function
	case w.Rank != nil:
		return w.Rank.Function
	case w.Value != nil:
		return w.Value.Function
	}
	return sqlexpr.FnUnknown
}

// FunctionOrCalculation returns the name of the window's function or of an offset's calculation; "" for a recomputed window.
func (w *Window) FunctionOrCalculation() string {
	if w.Offset != nil {
		return w.Offset.Calculation.String()
	}
	return w.Function().String()
}

// SumsOrAveragesBuckets reports whether the window takes the sum or the mean of the values of
// buckets.
func (w *Window) SumsOrAveragesBuckets() bool {
	if w.Rolling == nil && w.Cumulative == nil && w.Frame == nil {
		return false
	}
	return w.Function() == sqlexpr.FnSum || w.Function() == sqlexpr.FnAvg
}

// EffectiveOrder returns the order of the window, with the family's default; nil
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

// EffectivePartition returns the partition of the window, with the default: all
// dimensions but the excluded ones where there are any, else that of the family.
func (w *Window) EffectivePartition() WindowPartition {
	var p WindowPartition
	switch {
	case w.Frame != nil:
		p = w.Frame.Partition
	case w.Rank != nil:
		p = w.Rank.Partition
	case w.Value != nil:
		p = w.Value.Partition
	}
	switch {
	case p.Mode != PartitionDefault:
	case len(p.Exclude) > 0:
		p.Mode = PartitionDimensionsExcept
	case w.Rank != nil:
		p.Mode = PartitionNone
	default:
		p.Mode = PartitionDimensions
	}
	return p
}

// ResetUnit returns the grain or the period of a calendar at which the window starts again; the zero Unit
// when it never does.
func (w *Window) ResetUnit() GrainOrPeriod {
	switch {
	case w.Cumulative != nil:
		return GrainOrPeriod{w.Cumulative.Reset, w.Cumulative.ResetPeriod}
	case w.Frame != nil:
		return GrainOrPeriod{w.Frame.Reset, w.Frame.ResetPeriod}
	case w.Recompute != nil:
		return GrainOrPeriod{w.Recompute.Reset, w.Recompute.ResetPeriod}
	}
	return GrainOrPeriod{}
}

// Unit returns the unit of an offset.
func (w *OffsetWindow) Unit() GrainOrPeriod { return GrainOrPeriod{w.Grain, w.Period} }

// Unit returns the unit of a span.
func (s *WindowSpan) Unit() GrainOrPeriod { return GrainOrPeriod{s.Grain, s.Period} }

// Span returns the length of time that the window spans; nil for a window that counts buckets.
func (w *Window) Span() *WindowSpan {
	switch {
	case w.Rolling != nil:
		return w.Rolling.Span
	case w.Recompute != nil:
		return w.Recompute.Span
	}
	return nil
}

// CalendarPeriods lists the periods of calendars that the window counts or begins again with.
func (w *Window) CalendarPeriods() []*Period {
	var out []*Period
	if w.Offset != nil && w.Offset.Period != nil {
		out = append(out, w.Offset.Period)
	}
	if span := w.Span(); span != nil && span.Period != nil {
		out = append(out, span.Period)
	}
	if p := w.ResetUnit().Period; p != nil {
		out = append(out, p)
	}
	return out
}

// CountArgument returns the number that the window's family takes; the zero Count when it takes
// none.
func (w *Window) CountArgument() WindowCountOrParam {
	switch {
	case w.Offset != nil:
		return w.Offset.Count
	case w.Span() != nil:
		return w.Span().Count
	case w.Rolling != nil:
		return w.Rolling.Periods
	case w.Frame != nil:
		return w.Frame.Preceding
	case w.Rank != nil:
		return w.Rank.Buckets
	case w.Value != nil:
		return w.Value.N
	case w.Recompute != nil:
		return w.Recompute.Periods
	}
	return WindowCountOrParam{}
}

// IsTimeOrdered reports whether the window has a value at every bucket, whether its metric has data there or not. Any other window
// is about places among the rows with data: a rank, a value at a place, a frame of so many rows.
func (w *Window) IsTimeOrdered() bool {
	f := w.Frame
	return w.Rank == nil && w.Value == nil && (f == nil || f.Range && !f.PartitionScope && w.OrderedByTime())
}

// RequiresFullWindow reports whether the window is NULL unless all its buckets have data.
func (w *Window) RequiresFullWindow() bool {
	return w.Rolling != nil && w.Rolling.RequireFullWindow || w.Frame != nil && w.Frame.RequireFullWindow ||
		w.Recompute != nil && w.Recompute.RequireFullWindow
}

// TakesPopulation reports whether a model may declare the population of the window: it looks at all buckets so far, or at the
// places of all rows.
func (w *Window) TakesPopulation() bool {
	return w.Cumulative != nil || w.Recompute != nil && w.Recompute.Unbounded || w.Frame != nil && (w.Frame.Unbounded || w.Frame.PartitionScope) ||
		w.Rank != nil || w.Value != nil
}

// EffectivePopulation returns the population of the window, with the default of its family.
func (w *Window) EffectivePopulation() WindowPopulation {
	switch {
	case w.Population != PopulationDefault:
		return w.Population
	case w.Rank != nil, w.Value != nil, w.Frame != nil && w.Frame.PartitionScope:
		return PopulationRange
	}
	return PopulationAll
}

// AcceptsExpressionBase reports whether the window takes any expression without windows as its base:
// it adds no values of buckets up.
func (w *Window) AcceptsExpressionBase() bool {
	return w.Offset != nil || w.Rank != nil || w.Value != nil || w.Recompute != nil
}

// RequiresTimeAxis reports whether a query must group by the metric's time axis
// with a grain: the window is ordered by time, split by its buckets, or starts again
// with its periods.
func (w *Window) RequiresTimeAxis() bool {
	return w.OrderedByTime() || w.EffectivePartition().Mode == PartitionTimeBucket || !w.ResetUnit().IsZero()
}

// ResultType returns the logical type of the window's value over a base of a type.
func (w *Window) ResultType(base sqlexpr.Type) sqlexpr.Type {
	switch {
	case w.Recompute != nil, w.Function() == sqlexpr.FnSum:
		return base
	case w.Offset == nil:
		return sqlexpr.ResultTypeOfFunction(w.Function(), base)
	case w.Offset.Calculation == CalculationDelta && base == sqlexpr.TypeDate:
		return sqlexpr.TypeInt // the days between two dates
	case w.Offset.Calculation == CalculationDelta, w.Offset.Calculation == CalculationValue:
		return base
	}
	return sqlexpr.TypeFloat
}
