package planner

import (
	"strconv"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
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

// mapped is a window metric read as arithmetic over its base: Ref{ID: i} of the
// expression is the base in the i-th pair of windows.
type mapped struct {
	expr    sqlexpr.Expr
	windows [][2]query.TimeRange
	note    string
}

func (a *attributing) analyseWindow(b *build) error {
	mapped, err := a.classifyWindow(b)
	if err != nil || mapped {
		return err
	}
	return a.withoutMapping(b)
}

// classifyWindow reads a metric that is a window as arithmetic, and reports
// whether that can be.
func (a *attributing) classifyWindow(b *build) (bool, error) {
	if a.metric.Window == nil {
		return false, nil
	}
	base, err := a.windowBase(b)
	if err != nil {
		return false, err
	}
	read, ok := a.mapWindow(base)
	if !ok || !a.overAxis(b, base.axis) {
		return false, nil
	}
	a.classify(b, read.expr, func(id int) (*use, int) { return base.use, id })
	if a.out.formula.Strategy == attribution.Unsupported {
		return false, nil
	}
	a.readIn(read.windows)
	a.out.window = &attribution.WindowMapping{Family: a.metric.Window.Family(), Calc: a.metric.Window.Function(), Note: read.note}
	return true, nil
}

// windowBase is the plain aggregate under the metric's window.
type windowBase struct {
	*use
	axis *catalog.Field
	n    int
}

func (a *attributing) windowBase(b *build) (windowBase, error) {
	e := a.env(b)
	measure, where, err := b.windowBase(a.metric, e)
	if err != nil {
		return windowBase{}, err
	}
	n, err := b.windowCount(a.metric, e)
	if err != nil {
		return windowBase{}, err
	}
	axis := b.measureAxis(a.metric, measure, b.metricAxis(a.metric, nil))
	b.useMeasure(use{useKey: useKey{measure: measure, axis: axis, tag: -1}, where: where}, e.params, a.metric.Name)
	return windowBase{b.uses[len(b.uses)-1], axis, n}, nil
}

// overAxis reports whether the windows of the request are over a time axis.
func (a *attributing) overAxis(b *build, axis *catalog.Field) bool {
	if axis == nil {
		return false
	}
	if a.q.TimeDimension == "" || a.q.TimeDimension == metricTime {
		return true
	}
	g, err := b.group(query.GroupBy{Field: a.q.TimeDimension})
	return err == nil && g.ref.Field == axis && len(g.ref.Prefix) == 0
}

// readIn makes the queries read pairs of windows in place of the request's.
func (a *attributing) readIn(windows [][2]query.TimeRange) {
	tags := [][2]string{{"baseline", "current"}, {"baseline_compared", "current_compared"}}
	a.ranges = a.ranges[:0]
	for i, pair := range windows {
		for side, r := range pair {
			r.Dimension = a.timeDimension()
			a.ranges = append(a.ranges, query.TaggedRange{Tag: tags[i][side], TimeRange: r})
		}
	}
}

func (a *attributing) mapWindow(base windowBase) (mapped, bool) {
	w := a.metric.Window
	switch {
	case w.Offset != nil:
		return a.mapOffset(w.Offset, base.n)
	case base.measure.Agg != catalog.AggSum && base.measure.Agg != catalog.AggCount:
		return mapped{}, false
	case w.Rolling != nil && w.Rolling.Function == "sum" && !w.Rolling.RequireFullWindow:
		return a.mapRolling(base.n)
	case w.Cumulative != nil && w.Cumulative.Function == "sum":
		return a.mapCumulative(w.Cumulative.Reset)
	}
	return mapped{}, false
}

// mapOffset reads the base in the windows and in those so many periods away.
func (a *attributing) mapOffset(o *catalog.OffsetWindow, n int) (mapped, bool) {
	if !o.Forward {
		n = -n
	}
	var away [2]query.TimeRange
	for side := range away {
		start, ok := moved(a.start[side].Time, o.Grain, n)
		end, also := moved(a.end[side].Time, o.Grain, n)
		if !ok || !also {
			return mapped{}, false
		}
		away[side] = rangeOf(start, end)
	}
	here, there := &sqlexpr.Ref{ID: 0}, &sqlexpr.Ref{ID: 1}
	out := mapped{windows: [][2]query.TimeRange{a.asked(), away}}
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
func (a *attributing) mapRolling(n int) (mapped, bool) {
	grain := bucketOf(a.start[0].Time, a.end[0].Time)
	if grain == sqlexpr.GrainNone || grain != bucketOf(a.start[1].Time, a.end[1].Time) {
		return mapped{}, false
	}
	var wide [2]query.TimeRange
	for side := range wide {
		wide[side] = rangeOf(timerange.Shift(a.start[side].Time, grain, 1-n), a.end[side].Time)
	}
	return mapped{
		expr:    &sqlexpr.Ref{ID: 0},
		windows: [][2]query.TimeRange{wide},
		note:    "each window is one " + grain.String() + ", summed with the " + strconv.Itoa(n-1) + " before it",
	}, true
}

func (a *attributing) mapCumulative(reset sqlexpr.Grain) (mapped, bool) {
	out := mapped{expr: &sqlexpr.Ref{ID: 0}, note: "the running sum at the end of each window, which starts with the window"}
	pair := a.asked()
	if reset != sqlexpr.GrainNone {
		out.note = "the running sum at the end of each window, which starts with the " + reset.String() + " that it ends in"
		for side := range pair {
			pair[side] = rangeOf(timerange.Floor(a.end[side].Add(-1), reset), a.end[side].Time)
		}
	}
	out.windows = [][2]query.TimeRange{pair}
	return out, true
}

// asked are the windows of the request.
func (a *attributing) asked() [2]query.TimeRange {
	return [2]query.TimeRange{{Start: a.q.Baseline.Start, End: a.q.Baseline.End}, {Start: a.q.Current.Start, End: a.q.Current.End}}
}

func rangeOf(start, end time.Time) query.TimeRange {
	return query.TimeRange{Start: timerange.At(start).Text(), End: timerange.At(end).Text()}
}

// moved is a time n periods away; ok is false where the calendar has no such
// day.
func moved(t time.Time, g sqlexpr.Grain, n int) (time.Time, bool) {
	out := timerange.Shift(t, g, n)
	// A month later there may be no such day, and then AddDate goes past the month.
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
