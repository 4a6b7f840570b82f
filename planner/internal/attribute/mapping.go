package attribute

import (
	"strconv"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/query"
)

// A metric with a window is attributed where its value for a window of the
// request is arithmetic over sums of its base: the request's windows are read
// as buckets, and the sums as sums over those or other windows.
//
//	offset      base here, and base in the window so far away
//	rolling     base over the buckets that end with the window (a sum of sums)
//	cumulative  base over the window, or from the start of the reset period
//
// Every other window has no such reading. Then the totals are the metric's
// value in the last bucket of each window, without contributions.

// windowMapping is a window metric read as arithmetic over its base: Ref{ID: i} of the
// expression is the base in the i-th pair of windows.
type windowMapping struct {
	expr    sqlexpr.Expr
	windows [][2]query.TimeRange
	note    string
}

func (f querySet) analyzeWindow(s boundMetric, params map[string]any) (querySet, analysis, error) {
	mapped, read, ok, err := f.classifyWindow(s)
	if err == nil && !ok {
		mapped, read, err = f.analyzeLastBucket(s)
	}
	read.params = params
	return mapped, read, err
}

// classifyWindow reads a metric that is a window as arithmetic; ok is false where that
// cannot be. The queries read other windows then.
func (f querySet) classifyWindow(s boundMetric) (out querySet, read analysis, ok bool, err error) {
	if f.metric.Window == nil {
		return f, read, false, nil
	}
	base, err := f.windowBase(s)
	if err != nil {
		return f, read, false, err
	}
	as, ok := f.mapWindow(base)
	if !ok || !f.runsOverAxis(s, base.Axis) {
		return f, read, false, nil
	}
	read = f.classify(s, as.expr, func(id int) (*metric.MeasureRef, int) { return base.MeasureRef, id })
	if read.formula.Strategy == attribution.Unsupported {
		return f, read, false, nil
	}
	read.window = &attribution.WindowMapping{Family: f.metric.Window.Family(), Calc: f.metric.Window.Function(), Note: as.note}
	f.mapped, f.ranges = true, f.taggedRanges(as.windows)
	return f, read, true, nil
}

// windowBase is the plain aggregate under the metric's window.
type windowBase struct {
	*metric.MeasureRef
	n int
}

func (r *request) windowBase(s boundMetric) (windowBase, error) {
	at := r.evalContext(s.bound)
	measure, where, err := s.x.WindowBase(r.metric, at.Choice)
	if err != nil {
		return windowBase{}, err
	}
	n, err := s.x.WindowCount(r.metric, at.Choice)
	if err != nil {
		return windowBase{}, err
	}
	axis := metric.MeasureAxis(r.cat, r.metric, measure, metric.MetricAxis(r.cat, r.metric, nil))
	s.x.AddMeasureRef(metric.MeasureRef{MeasureKey: metric.MeasureKey{Measure: measure, Axis: axis, Tag: -1}, Where: where}, at.Choice, r.metric.Name)
	uses := s.x.MeasureRefs()
	return windowBase{uses[len(uses)-1], n}, nil
}

// runsOverAxis reports whether the windows of the request are over a time axis.
func (r *request) runsOverAxis(s boundMetric, axis *catalog.Field) bool {
	if axis == nil {
		return false
	}
	if r.timeDimension() == metric.MetricTime {
		return true
	}
	g, err := metric.ResolveGroup(s.in, s.sel, query.GroupBy{Field: r.q.TimeDimension})
	return err == nil && g.Ref.Field == axis && len(g.Ref.Prefix) == 0
}

// taggedRanges are ranges that read pairs of windows in place of the request's.
func (r *request) taggedRanges(windows [][2]query.TimeRange) query.TaggedRanges {
	tags := [][2]string{{"baseline", "current"}, {"baseline_compared", "current_compared"}}
	var out query.TaggedRanges
	for i, pair := range windows {
		for side, t := range pair {
			t.Dimension = r.timeDimension()
			out = append(out, query.TaggedRange{Tag: tags[i][side], TimeRange: t})
		}
	}
	return out
}

func (w windows) mapWindow(base windowBase) (windowMapping, bool) {
	spec := w.metric.Window
	switch {
	case spec.Offset != nil:
		return w.mapOffset(spec.Offset, base.n)
	case base.Measure.Agg != catalog.AggSum && base.Measure.Agg != catalog.AggCount:
		return windowMapping{}, false
	case spec.Rolling != nil && spec.Rolling.Function == "sum" && !spec.Rolling.RequireFullWindow:
		return w.mapRolling(base.n)
	case spec.Cumulative != nil && spec.Cumulative.Function == "sum":
		return w.mapCumulative(spec.Cumulative.Reset)
	}
	return windowMapping{}, false
}

// mapOffset reads the base in the windows and in those so many periods away.
func (w windows) mapOffset(o *catalog.OffsetWindow, n int) (windowMapping, bool) {
	if !o.Forward {
		n = -n
	}
	var away [2]query.TimeRange
	for side := range away {
		start, ok := shiftTime(w.bounds[side].Start.Time, o.Grain, n)
		end, also := shiftTime(w.bounds[side].End.Time, o.Grain, n)
		if !ok || !also {
			return windowMapping{}, false
		}
		away[side] = rangeOf(start, end)
	}
	here, there := &sqlexpr.Ref{ID: 0}, &sqlexpr.Ref{ID: 1}
	out := windowMapping{windows: [][2]query.TimeRange{w.requestedRanges(), away}}
	direction := " before"
	if o.Forward {
		direction = " after"
	}
	out.note = "each window is one bucket, compared with the window " + strconv.Itoa(max(n, -n)) + " " + o.Grain.String() + direction + " it"
	difference := &sqlexpr.Binary{Op: sqlexpr.OpSub, L: here, R: there}
	switch o.Calculation {
	case "value":
		out.expr, out.windows = here, out.windows[1:]
	case "delta":
		out.expr = difference
	case "ratio":
		out.expr = &sqlexpr.Divide{L: here, R: there}
	default:
		out.expr = &sqlexpr.Divide{L: difference, R: there}
	}
	return out, true
}

// mapRolling needs to know what the buckets are: windows that are each one
// calendar bucket say so.
func (w windows) mapRolling(n int) (windowMapping, bool) {
	grain := bucketOf(w.bounds[0].Start.Time, w.bounds[0].End.Time)
	if grain == sqlexpr.GrainNone || grain != bucketOf(w.bounds[1].Start.Time, w.bounds[1].End.Time) {
		return windowMapping{}, false
	}
	var wide [2]query.TimeRange
	for side := range wide {
		wide[side] = rangeOf(timerange.Shift(w.bounds[side].Start.Time, grain, 1-n), w.bounds[side].End.Time)
	}
	return windowMapping{
		expr:    &sqlexpr.Ref{ID: 0},
		windows: [][2]query.TimeRange{wide},
		note:    "each window is one " + grain.String() + ", summed with the " + strconv.Itoa(n-1) + " before it",
	}, true
}

func (w windows) mapCumulative(reset sqlexpr.Grain) (windowMapping, bool) {
	out := windowMapping{expr: &sqlexpr.Ref{ID: 0}, note: "the running sum at the end of each window, which starts with the window"}
	pair := w.requestedRanges()
	if reset != sqlexpr.GrainNone {
		out.note = "the running sum at the end of each window, which starts with the " + reset.String() + " that it ends in"
		for side := range pair {
			pair[side] = rangeOf(timerange.Floor(w.bounds[side].End.Add(-1), reset), w.bounds[side].End.Time)
		}
	}
	out.windows = [][2]query.TimeRange{pair}
	return out, true
}

// requestedRanges are the windows of the request.
func (w windows) requestedRanges() [2]query.TimeRange {
	return [2]query.TimeRange{{Start: w.q.Baseline.Start, End: w.q.Baseline.End}, {Start: w.q.Current.Start, End: w.q.Current.End}}
}

func rangeOf(start, end time.Time) query.TimeRange {
	return query.TimeRange{Start: timerange.At(start).Text(), End: timerange.At(end).Text()}
}

// shiftTime is a time n periods away; ok is false where the calendar has no such
// day.
func shiftTime(t time.Time, g sqlexpr.Grain, n int) (time.Time, bool) {
	out := timerange.Shift(t, g, n)
	// A month later that day may not exist, and then AddDate goes past the month.
	days := g <= sqlexpr.GrainWeek
	return out, (days || out.Day() == t.Day()) && timerange.InCalendar(out)
}

// bucketOf is the grain of which [start, end) is exactly one bucket.
func bucketOf(start, end time.Time) sqlexpr.Grain {
	for g := sqlexpr.GrainDay; g <= sqlexpr.GrainYear; g++ {
		if timerange.Floor(start, g).Equal(start) && timerange.Shift(start, g, 1).Equal(end) {
			return g
		}
	}
	return sqlexpr.GrainNone
}
