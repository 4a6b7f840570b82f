package attribute

import (
	"strconv"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/query"
)

// A metric with a window is attributed where its value for a window of the
// request is arithmetic over sums of its base: the request's windows are read
// as buckets, and the sums as sums over those or other windows.
//
//	offset      base here, and base in the window so far away
//	rolling     base over the buckets that end with the window (a sum of sums)
//	cumulative  base from the start of the data, of the reset period or of the window, to the end of the window
//	recompute   as rolling or cumulative, where the base adds up
//
// Every other window has no such reading. Then the totals are the metric's
// value in the last bucket of each window, without contributions.

// windowMetricArithmetic is a window metric read as arithmetic over its base: Ref{ID: i} of the
// expression is the base in the i-th pair of windows.
type windowMetricArithmetic struct {
	expr    sqlexpr.Expr
	windows [][2]query.TimeRange
	note    string
}

func (f querySetBuilder) analyzeWindowMetric(s metricWithBoundParams, params map[string]any) (querySetBuilder, metricArithmetic, error) {
	mapped, read, ok, err := f.classifyWindowMetric(s)
	if err == nil && !ok {
		mapped, read, err = f.useLastBucketForUnmappedWindow(s)
	}
	read.params = params
	return mapped, read, err
}

// classifyWindowMetric reads a metric that is a window as arithmetic; ok is false where that
// cannot be. The queries read other windows then.
func (f querySetBuilder) classifyWindowMetric(s metricWithBoundParams) (out querySetBuilder, read metricArithmetic, ok bool, err error) {
	if f.windows.request.metric.Window == nil {
		return f, read, false, nil
	}
	if measure.IsWindowBaseExpression(f.windows.request.metric, f.windows.request.target.Dialect) {
		return f.classifyRecomputedMetric(s)
	}
	base, err := f.windows.request.findWindowBase(s)
	if err != nil {
		return f, read, false, err
	}
	as, ok := f.windows.arithmeticOfWindowMetric(base)
	if !ok || !f.windows.request.windowsRunOverAxis(s, base.ref.Axis) {
		return f, read, false, nil
	}
	read = f.windows.request.classifyArithmetic(s, as.expr, func(id int) (*measure.Ref, int) { return base.ref, id })
	if read.formula.Strategy == attribution.UnsupportedStrategy {
		return f, read, false, nil
	}
	read.window = &attribution.WindowMapping{Family: f.windows.request.metric.Window.Family(), Calc: f.windows.request.metric.Window.FunctionOrCalculation(), Note: as.note}
	f.mapped, f.windows.ranges = true, f.windows.request.newTaggedRanges(as.windows)
	return f, read, true, nil
}

// windowBaseMeasure is the plain aggregate under the metric's window.
type windowBaseMeasure struct {
	ref *measure.Ref
	n   int
}

func (r *attributionRequest) findWindowBase(s metricWithBoundParams) (windowBaseMeasure, error) {
	at := r.newMetricExpansionContext(s.bound)
	aggregate, where, err := s.x.FilteredAggregateUnderWindow(r.metric, at.Choice)
	if err != nil {
		return windowBaseMeasure{}, err
	}
	n, err := s.x.WindowParameter(r.metric, at.Choice)
	if err != nil {
		return windowBaseMeasure{}, err
	}
	axis := measure.AxisOfMeasure(r.cat, r.metric, aggregate, measure.AxisOfMetric(r.cat, r.metric, nil))
	s.x.AddMeasureRef(measure.Ref{RefKey: measure.RefKey{Measure: aggregate, Axis: axis, Tag: -1}, Where: where}, at.Choice, r.metric.Name)
	uses := s.x.MeasureRefs()
	return windowBaseMeasure{uses[len(uses)-1], n}, nil
}

// windowsRunOverAxis reports whether the windows of the request are over a time axis.
func (r *attributionRequest) windowsRunOverAxis(s metricWithBoundParams, axis *catalog.Field) bool {
	if axis == nil {
		return false
	}
	if r.windowTimeDimension() == scope.MetricTime {
		return true
	}
	g, err := scope.ResolveGroup(s.in, s.sel, query.GroupBy{Field: r.q.TimeDimension})
	return err == nil && g.Ref.Field == axis && len(g.Ref.Prefix) == 0
}

// newTaggedRanges returns ranges that read pairs of windows in place of the request's.
func (r *attributionRequest) newTaggedRanges(windows [][2]query.TimeRange) query.TaggedRanges {
	tags := [][2]string{{"baseline", "current"}, {"baseline_compared", "current_compared"}}
	var out query.TaggedRanges
	for i, pair := range windows {
		for side, t := range pair {
			t.Dimension = r.windowTimeDimension()
			out = append(out, query.TaggedRange{Tag: tags[i][side], TimeRange: t})
		}
	}
	return out
}

func (w attributionWindows) arithmeticOfWindowMetric(base windowBaseMeasure) (windowMetricArithmetic, bool) {
	spec := w.request.metric.Window
	switch {
	case base.ref.Measure.IsSemiAdditive():
		return windowMetricArithmetic{}, false
	case len(spec.CalendarPeriods()) > 0: // of calendars, whose days only the warehouse has
		return windowMetricArithmetic{}, false
	case spec.Offset != nil:
		return w.arithmeticOfOffsetWindow(spec.Offset, base.n)
	case !base.ref.Measure.Agg.Additive():
		return windowMetricArithmetic{}, false
	case spec.Rolling != nil && spec.Rolling.Function == sqlexpr.FnSum && !spec.Rolling.RequireFullWindow:
		if spec.Rolling.Span != nil {
			return w.arithmeticOfSpan(spec.Rolling.Span.Grain, base.n)
		}
		return w.arithmeticOfRollingWindow(base.n)
	case spec.Cumulative != nil && spec.Cumulative.Function == sqlexpr.FnSum:
		return w.arithmeticOfCumulativeWindow(spec.Cumulative.Reset), true
	}
	return windowMetricArithmetic{}, false
}

// arithmeticOfOffsetWindow reads the base in the windows and in those so many periods away.
func (w attributionWindows) arithmeticOfOffsetWindow(o *catalog.OffsetWindow, n int) (windowMetricArithmetic, bool) {
	if !o.Forward {
		n = -n
	}
	var away [2]query.TimeRange
	for side := range away {
		start, ok := shiftTime(w.bounds[side].Start.Time, o.Grain, n)
		end, also := shiftTime(w.bounds[side].End.Time, o.Grain, n)
		if !ok || !also {
			return windowMetricArithmetic{}, false
		}
		away[side] = newTimeRange(start, end)
	}
	here, there := &sqlexpr.Ref{ID: 0}, &sqlexpr.Ref{ID: 1}
	out := windowMetricArithmetic{windows: [][2]query.TimeRange{w.requestedRanges(), away}}
	direction := " before"
	if o.Forward {
		direction = " after"
	}
	out.note = "each window is one bucket, compared with the window " + strconv.Itoa(max(n, -n)) + " " + o.Grain.String() + direction + " it"
	difference := &sqlexpr.Binary{Op: sqlexpr.OpSub, L: here, R: there}
	//exhaustive:enforce
	switch o.Calculation {
	case catalog.CalculationValue:
		out.expr, out.windows = here, out.windows[1:]
	case catalog.CalculationDelta:
		out.expr = difference
	case catalog.CalculationRatio:
		out.expr = &sqlexpr.SafeDivide{L: here, R: there}
	case catalog.CalculationPercentChange:
		out.expr = &sqlexpr.SafeDivide{L: difference, R: there}
	}
	return out, true
}

// arithmeticOfRollingWindow needs to know what the buckets are: windows that are each one
// calendar bucket say so.
func (w attributionWindows) arithmeticOfRollingWindow(n int) (windowMetricArithmetic, bool) {
	grain := grainOfSingleBucket(w.bounds[0].Start.Time, w.bounds[0].End.Time)
	if grain == sqlexpr.GrainNone || grain != grainOfSingleBucket(w.bounds[1].Start.Time, w.bounds[1].End.Time) {
		return windowMetricArithmetic{}, false
	}
	var wide [2]query.TimeRange
	for side := range wide {
		wide[side] = newTimeRange(clock.Clock{}.ShiftTime(w.bounds[side].Start.Time, grain, 1-n), w.bounds[side].End.Time)
	}
	return windowMetricArithmetic{
		expr:    &sqlexpr.Ref{ID: 0},
		windows: [][2]query.TimeRange{wide},
		note:    "each window is one " + grain.String() + ", summed with the " + strconv.Itoa(n-1) + " before it",
	}, true
}

// arithmeticOfSpan reads the base over the units of a span that ends with each window. A span of months begins elsewhere over days than over
// longer buckets, after the day so far back: there the windows say what the buckets are.
func (w attributionWindows) arithmeticOfSpan(unit sqlexpr.Grain, n int) (windowMetricArithmetic, bool) {
	grain := grainOfSingleBucket(w.bounds[0].Start.Time, w.bounds[0].End.Time)
	areBuckets := grain != sqlexpr.GrainNone && grain == grainOfSingleBucket(w.bounds[1].Start.Time, w.bounds[1].End.Time)
	if unit.IsWithinDay() || !areBuckets && unit > sqlexpr.GrainWeek {
		return windowMetricArithmetic{}, false
	}
	var spans [2]query.TimeRange
	for side, b := range w.bounds {
		start := clock.Clock{}.TimePeriodsBefore(b.End.Time, unit, n)
		if areBuckets && grain == sqlexpr.GrainDay {
			start = clock.Clock{}.TimePeriodsBefore(b.Start.Time, unit, n).AddDate(0, 0, 1)
		}
		spans[side] = newTimeRange(start, b.End.Time)
	}
	note := "the sum is over the " + strconv.Itoa(n) + " " + unit.String() + "s that end with "
	if areBuckets {
		note = "each window is one " + grain.String() + ", and " + note + "it"
	} else {
		note += "each window"
	}
	return windowMetricArithmetic{expr: &sqlexpr.Ref{ID: 0}, windows: [][2]query.TimeRange{spans}, note: note}, true
}

// arithmeticOfCumulativeWindow reads the base up to the end of each window: from the beginning of the data or of the period that
// the window ends in. A window whose population is the range begins there at the latest.
func (w attributionWindows) arithmeticOfCumulativeWindow(reset sqlexpr.Grain) windowMetricArithmetic {
	pair, startsWith := w.requestedRanges(), "the data"
	isOfRange := w.request.metric.Window.EffectivePopulation() == catalog.PopulationRange
	if isOfRange {
		startsWith = "the window"
	}
	if reset != sqlexpr.GrainNone {
		startsWith = "the " + reset.String() + " that it ends in"
		if isOfRange {
			startsWith += ", or with the window"
		}
	}
	for side := range pair {
		period := clock.Clock{}.FloorTime(w.bounds[side].End.Add(-1), reset)
		switch {
		case reset != sqlexpr.GrainNone && !(isOfRange && period.Before(w.bounds[side].Start.Time)):
			pair[side] = newTimeRange(period, w.bounds[side].End.Time)
		case !isOfRange:
			pair[side].Start = ""
		}
	}
	return windowMetricArithmetic{
		expr:    &sqlexpr.Ref{ID: 0},
		windows: [][2]query.TimeRange{pair},
		note:    "the running sum at the end of each window, which starts with " + startsWith,
	}
}

// requestedRanges returns the windows of the request.
func (w attributionWindows) requestedRanges() [2]query.TimeRange {
	return [2]query.TimeRange{{Start: w.request.q.Baseline.Start, End: w.request.q.Baseline.End}, {Start: w.request.q.Current.Start, End: w.request.q.Current.End}}
}

func newTimeRange(start, end time.Time) query.TimeRange {
	return query.TimeRange{Start: timerange.BoundAt(start).Text(), End: timerange.BoundAt(end).Text()}
}

// shiftTime returns a time n periods away; ok is false where the calendar has no such
// day.
func shiftTime(t time.Time, g sqlexpr.Grain, n int) (time.Time, bool) {
	out := clock.Clock{}.ShiftTime(t, g, n)
	// A month later that day may not exist, and then AddDate goes past the month.
	days := g <= sqlexpr.GrainWeek
	return out, (days || out.Day() == t.Day()) && timerange.YearFitsLiteral(out)
}

// grainOfSingleBucket returns the grain of which [start, end) is exactly one bucket.
func grainOfSingleBucket(start, end time.Time) sqlexpr.Grain {
	c := clock.Clock{}
	for g := sqlexpr.GrainDay; g <= sqlexpr.GrainYear; g++ {
		if c.FloorTime(start, g).Equal(start) && c.ShiftTime(start, g, 1).Equal(end) {
			return g
		}
	}
	return sqlexpr.GrainNone
}
