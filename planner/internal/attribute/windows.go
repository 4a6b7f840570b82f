package attribute

import (
	"cmp"
	"time"

	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/query"
)

// attributionWindows are the two windows of an attribution, baseline and current.
type attributionWindows struct {
	request *attributionRequest
	bounds  [2]timerange.Interval
	ranges  query.TaggedRanges
}

// readWindows reads the two windows, both of which need both ends.
func (r *attributionRequest) readWindows() (attributionWindows, error) {
	w := attributionWindows{request: r}
	for i, asked := range []struct {
		key string
		r   *query.TimeRange
	}{{"baseline", r.q.Baseline}, {"current", r.q.Current}} {
		if asked.r == nil || asked.r.Start == "" || asked.r.End == "" {
			return w, timerange.InvalidRangeBoundsError(asked.key + " needs a start and an end")
		}
		interval, err := timerange.ParseBounds(asked.key, *asked.r)
		if err != nil {
			return w, err
		}
		w.bounds[i] = interval
		w.ranges = append(w.ranges, query.TaggedRange{Tag: asked.key, TimeRange: query.TimeRange{
			Start: asked.r.Start, End: asked.r.End, Dimension: r.windowTimeDimension(),
		}})
	}
	return w, nil
}

// windowTimeDimension returns the time field of the windows: the request's dimension, else
// each measure's own axis.
func (r *attributionRequest) windowTimeDimension() string {
	if r.q.TimeDimension != "" {
		return r.q.TimeDimension
	}
	return scope.MetricTime
}

// newComparisonSummary describes the windows in the report.
func (w attributionWindows) newComparisonSummary() attribution.ComparisonSummary {
	days := func(i int) attribution.NullableFloat {
		return attribution.NullableFloat(w.bounds[i].End.Sub(w.bounds[i].Start.Time).Hours() / (24 * time.Hour).Hours())
	}
	return attribution.ComparisonSummary{
		Baseline:           attribution.Window{Start: w.request.q.Baseline.Start, End: w.request.q.Baseline.End},
		Current:            attribution.Window{Start: w.request.q.Current.Start, End: w.request.q.Current.End},
		BaselineDays:       days(0),
		CurrentDays:        days(1),
		EqualLengthWindows: days(0) == days(1),
		TimeZone:           cmp.Or(w.request.q.TimeZone, w.request.cat.TimeZone),
	}
}
