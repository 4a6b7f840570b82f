package planner

import (
	"errors"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// lastBucket says where in a time series a window metric's value for a window
// stands: in the bucket that the window ends with. Grain is GrainNone for
// windows that need no time axis, whose value is that of the whole window.
type lastBucket struct {
	grain sqlexpr.Grain
	days  [2]string // first days of the last buckets of baseline and current
}

// shown keeps the last buckets alone. It is a condition on result rows, so that
// windows still see the others.
func (l *lastBucket) shown() sqlexpr.Expr {
	in := &sqlexpr.In{X: &sqlexpr.Column{Path: []sqlexpr.Name{{Text: metricTime + "__" + l.grain.String()}}}}
	for _, day := range l.days {
		in.Items = append(in.Items, &sqlexpr.Typed{Type: sqlexpr.TypeDate, Value: day})
	}
	return in
}

// withoutMapping evaluates the metric as it is.
func (a *attributing) withoutMapping(b *build) error {
	windowed := a.metric.Windowed(a.target.Dialect)[0]
	family, calc := windowed.Window.Family(), windowed.Window.Function()
	a.out.formula = attribution.Formula{Strategy: attribution.Unsupported}
	a.out.leaves = nil
	a.out.reason = &attribution.Reason{
		Code:    attribution.ReasonWindow,
		Message: "the " + family + " window of " + windowed.Name + " is no arithmetic over sums of two windows, so a change of it cannot be split between values",
	}
	if r := reasonOf(b, a.metric); r.Code == attribution.ReasonNonSumTier && a.metric.Window != nil {
		a.out.reason = r
	}
	last, err := a.findLast()
	if err != nil {
		return a.inTerms(err, -1)
	}
	a.last = last
	a.out.lastDays = [2]any{last.days[0], last.days[1]}
	note := "the metric's value over each whole window"
	if last.grain != sqlexpr.GrainNone {
		note = "the metric's value in the last " + last.grain.String() + " of each window"
	}
	a.out.window = &attribution.WindowMapping{Family: family, Calc: calc, Note: note}
	return nil
}

// findLast chooses the buckets: none where the metric can do without, else the
// coarsest of which both windows are whole numbers, else days.
func (a *attributing) findLast() (*lastBucket, error) {
	_, err := a.planner.planMetrics(a.ctx, a.asMetricQuery(&lastBucket{}, ""), a.target)
	var perr *planerr.Error
	if err == nil {
		return &lastBucket{}, nil
	}
	if !errors.As(err, &perr) || perr.Code != planerr.CodeUnknownDimension {
		return nil, err
	}
	for g := sqlexpr.GrainYear; g >= sqlexpr.GrainDay; g-- {
		l := &lastBucket{grain: g}
		whole := true
		for side := range l.days {
			end := a.end[side].Time
			whole = whole && timerange.Floor(a.start[side].Time, g).Equal(a.start[side].Time) && timerange.Floor(end, g).Equal(end)
			l.days[side] = timerange.Floor(end.Add(-1), g).Format(time.DateOnly)
		}
		if !whole && g != sqlexpr.GrainDay {
			continue
		}
		if _, err = a.planner.planMetrics(a.ctx, a.asMetricQuery(l, ""), a.target); err == nil {
			return l, nil
		}
	}
	return nil, err
}

// asMetricQuery is the metric by its buckets, in both windows.
func (a *attributing) asMetricQuery(l *lastBucket, dimension string) *query.MetricQuery {
	q := a.query(dimension)
	if l.grain != sqlexpr.GrainNone {
		q.GroupBy = append(q.GroupBy, query.GroupBy{Field: metricTime, Grain: l.grain.String()})
		q.WhereSQL = sqlexpr.Format(sqlexpr.And(a.out.where, l.shown()))
	}
	return q
}

// planLast plans the metric by a dimension ("" for none) and finds its columns.
func (a *attributing) planLast(dimension string) (*Planned, layout, error) {
	q := a.asMetricQuery(a.last, dimension)
	planned, err := a.planner.planMetrics(a.ctx, q, a.target)
	if err != nil {
		return nil, layout{}, err
	}
	l := layout{value: &cells{}, bucket: -1}
	for i, c := range planned.Columns {
		switch c.TimeRange {
		case "baseline":
			l.value.baseline = i
		case "current":
			l.value.current = i
		}
	}
	if a.last.grain != sqlexpr.GrainNone {
		l.bucket = len(q.GroupBy) - 1
	}
	return planned, l, nil
}

func (a *attributing) planLastTotals() error {
	planned, l, err := a.planLast("")
	if err != nil {
		return a.inTerms(err, -1)
	}
	a.out.Totals, a.out.totals = planned, l
	return nil
}

func (a *attributing) planLastDimension(name string) error {
	planned, l, err := a.planLast(name)
	if err != nil {
		return err
	}
	b, err := a.scratch()
	if err != nil {
		return err
	}
	g, err := b.group(query.GroupBy{Field: name})
	if err != nil {
		return err
	}
	a.addDimension(name, g, planned, l)
	return nil
}
