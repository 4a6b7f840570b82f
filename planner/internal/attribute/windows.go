package attribute

import (
	"time"

	"github.com/semlayer/semlayer/planner/attribution"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/query"
)

// windows are the two windows of an attribution, baseline and current.
type windows struct {
	*request
	bounds [2]timerange.Interval
	ranges query.TaggedRanges
}

// windows reads the two windows, both of which need both ends.
func (r *request) windows() (windows, error) {
	w := windows{request: r}
	for i, asked := range []struct {
		key string
		r   *query.TimeRange
	}{{"baseline", r.q.Baseline}, {"current", r.q.Current}} {
		if asked.r == nil || asked.r.Start == "" || asked.r.End == "" {
			return w, timerange.UnsupportedBoundsError(asked.key + " needs a start and an end")
		}
		interval, err := timerange.Parse(asked.key, *asked.r)
		if err != nil {
			return w, err
		}
		w.bounds[i] = interval
		w.ranges = append(w.ranges, query.TaggedRange{Tag: asked.key, TimeRange: query.TimeRange{
			Start: asked.r.Start, End: asked.r.End, Dimension: r.timeDimension(),
		}})
	}
	return w, nil
}

// timeDimension is what the windows are over: the request's dimension, else
// each measure's own axis.
func (r *request) timeDimension() string {
	if r.q.TimeDimension != "" {
		return r.q.TimeDimension
	}
	return metric.MetricTime
}

// comparison describes the windows in the report.
func (w windows) comparison() attribution.Comparison {
	days := func(i int) attribution.NullableFloat {
		return attribution.NullableFloat(w.bounds[i].End.Sub(w.bounds[i].Start.Time).Hours() / (24 * time.Hour).Hours())
	}
	return attribution.Comparison{
		Baseline:           attribution.Window{Start: w.q.Baseline.Start, End: w.q.Baseline.End},
		Current:            attribution.Window{Start: w.q.Current.Start, End: w.q.Current.End},
		BaselineDays:       days(0),
		CurrentDays:        days(1),
		EqualLengthWindows: days(0) == days(1),
	}
}
