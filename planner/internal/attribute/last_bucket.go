package attribute

import (
	"errors"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// lastBucket is where in a time series a window metric's value for a window is: in
// the bucket that the window ends with. Grain is GrainNone for
// windows that need no time axis, whose value is that of the whole window.
type lastBucket struct {
	grain sqlexpr.Grain
	days  [2]string // first days of the last buckets of baseline and current
}

// lastBucketCondition keeps the last buckets alone. It is a condition on result rows, so that
// windows still see the others.
func (l *lastBucket) lastBucketCondition() sqlexpr.Expr {
	in := &sqlexpr.In{X: &sqlexpr.Column{Path: []sqlexpr.Name{{Text: scope.MetricTime + "__" + l.grain.String()}}}}
	for _, day := range l.days {
		in.Items = append(in.Items, &sqlexpr.TypedLiteral{Type: sqlexpr.TypeDate, Value: day})
	}
	return in
}

// useLastBucketForUnmappedWindow evaluates the metric as it is.
func (f querySetBuilder) useLastBucketForUnmappedWindow(s metricWithBoundParams) (querySetBuilder, metricArithmetic, error) {
	windowed := f.windows.request.metric.WindowedMetrics(f.windows.request.target.Dialect)[0]
	family, calc := windowed.Window.Family(), windowed.Window.FunctionOrCalculation()
	read := metricArithmetic{formula: attribution.MetricFormula{Strategy: attribution.UnsupportedStrategy}, reason: &attribution.UnsupportedReason{
		Code:    attribution.ReasonWindowNotMapped,
		Message: "the " + family + " window of " + windowed.Name + " is not arithmetic over sums of two windows, so a change of it cannot be split between values",
	}}
	if r := reasonOfUnsupportedMetric(s.x.MeasureRefs(), f.windows.request.metric); r.Code == attribution.ReasonNonAdditiveMeasure && f.windows.request.metric.Window != nil {
		read.reason = r
	}
	last, err := f.chooseBucketGrain()
	if err != nil {
		return f, read, f.translateMetricError(err, -1)
	}
	read.last = last
	note := "the metric's value over each whole window"
	if last.grain != sqlexpr.GrainNone {
		note = "the metric's value in the last " + last.grain.String() + " of each window"
	}
	read.window = &attribution.WindowMapping{Family: family, Calc: calc, Note: note}
	f.mapped = true
	return f, read, nil
}

// chooseBucketGrain chooses the grain of the buckets: none if the metric needs none, else the
// coarsest grain that divides both windows evenly, else days.
func (f querySetBuilder) chooseBucketGrain() (*lastBucket, error) {
	_, err := f.windows.request.planMetricQuery(f.newLastBucketQuery(&lastBucket{}, ""))
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
		for side, w := range f.windows.bounds {
			whole = whole && clock.Clock{}.FloorTime(w.Start.Time, g).Equal(w.Start.Time) && clock.Clock{}.FloorTime(w.End.Time, g).Equal(w.End.Time)
			l.days[side] = clock.Clock{}.FloorTime(w.End.Add(-1), g).Format(time.DateOnly)
		}
		if !whole && g != sqlexpr.GrainDay {
			continue
		}
		if _, err = f.windows.request.planMetricQuery(f.newLastBucketQuery(l, "")); err == nil {
			return l, nil
		}
	}
	return nil, err
}

// newLastBucketQuery returns the metric by its buckets, in both windows.
func (f querySetBuilder) newLastBucketQuery(l *lastBucket, dimension string) *query.MetricQuery {
	q := f.newMetricQuery(dimension)
	if l.grain != sqlexpr.GrainNone {
		q.GroupBy = append(q.GroupBy, query.GroupBy{Field: scope.MetricTime, Grain: l.grain.String()})
		q.WhereSQL = sqlexpr.Format(sqlexpr.And(f.where, l.lastBucketCondition()))
	}
	return q
}

// planLastBucket plans the metric by a dimension ("" for none) and finds its columns.
func (f querySetBuilder) planLastBucket(last *lastBucket, dimension string) (*plan.PlannedQuery, resultColumnLayout, error) {
	q := f.newLastBucketQuery(last, dimension)
	planned, err := f.windows.request.planMetricQuery(q)
	if err != nil {
		return nil, resultColumnLayout{}, err
	}
	l := resultColumnLayout{value: &windowColumnPair{}, bucket: -1}
	for i, c := range planned.Columns {
		switch c.TimeRange {
		case "baseline":
			l.value.baseline = i
		case "current":
			l.value.current = i
		}
	}
	if last.grain != sqlexpr.GrainNone {
		l.bucket = len(q.GroupBy) - 1
	}
	return planned, l, nil
}

func (f querySetBuilder) planLastBucketDimension(last *lastBucket, name string) (dimensionQuery, error) {
	planned, l, err := f.planLastBucket(last, name)
	if err != nil {
		return dimensionQuery{}, err
	}
	s, err := f.windows.request.newMetricWithBoundParams()
	if err != nil {
		return dimensionQuery{}, err
	}
	g, err := scope.ResolveGroup(s.in, s.sel, query.GroupBy{Field: name})
	if err != nil {
		return dimensionQuery{}, err
	}
	return newDimensionQueryFromPlan(name, g, planned, l), nil
}
