package properties_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

// recomputedMetric adds a metric that is computed over the rows of a window: of a plain aggregate, filtered or not,
// or of arithmetic over homes.
func (r *maker) recomputedMetric() {
	base := pick(r, r.timedFirst(r.windowBases()))
	if statistics := r.statistics(); len(statistics) > 0 && r.chance(40) {
		base = pick(r, r.timedFirst(statistics))
	}
	x := &metric{name: "again", expr: base.expr, homes: base.homes, windows: true, number: base.number, value: max(base.value, rounded)}
	var window string
	switch r.IntN(5) {
	case 0, 1:
		window = `"periods": ` + r.count(x, 1) + r.full()
	case 2:
		window = r.span(x)
	default:
		window = `"periods": "unbounded"`
		if r.chance(40) {
			window += `, "reset": "` + r.unit(resetGrains) + `"`
		}
	}
	x.payload = `"window": {"recompute": {` + window + `}}`
	if base.base != nil && r.chance(20) {
		r.filterUnderWindow(x, base)
	}
	x.payload += paramsOf(x.params)
	r.add(x)
}

// runningMetric adds a plain aggregate over all buckets so far.
func (r *maker) runningMetric() {
	base := pick(r, r.timedFirst(slices.DeleteFunc(r.plain(), func(x *metric) bool {
		return x.value == tolerant || x.base.isStatistic()
	})))
	r.add(&metric{name: "running", expr: base.expr, homes: base.homes, windows: true, number: true, value: base.value, payload: runningPayload})
}

const (
	runningPayload = `"window": {"recompute": {"periods": "unbounded"}}`
	singlePayload  = `"window": {"recompute": {"periods": 1}}`
)

// sumWindows are windows of sums that have the same value in two families.
var sumWindows = [][2]string{
	{runningPayload, `"window": {"type": "cumulative"}`},
	{`"window": {"recompute": {"periods": 3}}`, `"window": {"type": "rolling", "function": "sum", "periods": 3}`},
}

// windowPairs adds metrics for the laws about recomputed windows: one aggregate over one bucket, and a sum in
// windows of two families.
func (r *maker) windowPairs() {
	base := pick(r, r.timedFirst(r.plain()))
	r.add(&metric{name: "single", expr: base.expr, homes: base.homes, windows: true, number: true, value: base.value, payload: singlePayload})
	sum := pick(r, r.timedFirst(slices.DeleteFunc(r.plain(), func(x *metric) bool { return x.base.function != "SUM" })))
	for _, pair := range sumWindows {
		for _, payload := range pair {
			r.add(&metric{name: "sums", expr: sum.expr, homes: sum.homes, windows: true, number: true, value: sum.value, payload: payload})
		}
	}
}

// expressionWindow adds a window, of those that add nothing up, over arithmetic.
func (r *maker) expressionWindow() {
	bases := slices.DeleteFunc(r.windowBases(), func(x *metric) bool { return x.base != nil || x.value == tolerant || !x.number })
	if len(bases) == 0 {
		return
	}
	base := pick(r, r.timedFirst(bases))
	x := &metric{name: "moved", expr: base.expr, homes: base.homes, windows: true, number: true, value: base.value}
	window := r.offsetWindow(x)
	if base.exactOrder() {
		switch r.IntN(3) {
		case 0:
			window = r.rankWindow(x)
		case 1:
			window = r.valueWindow(x)
		}
	}
	x.payload = `"window": ` + window + paramsOf(x.params)
	r.add(x)
}

// offsetOfWindow adds an offset of a metric with a window over time.
func (r *maker) offsetOfWindow() {
	bases := slices.DeleteFunc(slices.Clone(r.m.metrics), func(x *metric) bool { return !x.isWindowOverTime() || len(x.params) > 0 })
	if len(bases) == 0 {
		return
	}
	base := pick(r, bases)
	x := &metric{name: "earlier", expr: base.name, homes: base.homes, needs: []string{base.name}, windows: true, number: true, value: base.value}
	x.payload = `"window": ` + r.offsetWindow(x) + paramsOf(x.params)
	if base.value == tolerant {
		x.value = tolerant
	}
	r.add(x)
}

// isWindowOverTime reports whether a metric is a window over time of numbers.
func (x *metric) isWindowOverTime() bool {
	for _, family := range []string{`{"type": "rolling"`, `{"type": "cumulative"`, `{"type": "pop"`, `{"recompute"`, `{"offset"`} {
		if x.number && strings.Contains(x.payload, `"window": `+family) {
			return true
		}
	}
	return false
}

// exactOrder reports whether the values of a metric are the same on every engine, to the last digit.
func (x *metric) exactOrder() bool { return x.value == exact }

// windowBases lists the metrics without windows and parameters whose expression a window may be over.
func (r *maker) windowBases() []*metric {
	var out []*metric
	for _, x := range r.m.metrics {
		if !x.windows && len(x.params) == 0 && x.payload == "" && (x.base != nil || x.expr != "") {
			out = append(out, x)
		}
	}
	return out
}

// statistics lists the metrics of one aggregate that is neither a sum, nor a count, nor a mean, nor an extreme.
func (r *maker) statistics() []*metric {
	return slices.DeleteFunc(r.windowBases(), func(x *metric) bool { return x.base == nil || !x.base.isStatistic() })
}

func TestLaws_LastUnboundedBucketEqualsTheQueryOverTheRange(t *testing.T) {
	holdLawOver(t, newRunningMaker, recomputedLaw)
}

// recomputedLaw: the last bucket of a window over all buckets so far has the metric over the whole range.
func recomputedLaw(r *maker, ask asker) (problem string, held bool) {
	for _, x := range r.m.metrics {
		at := slices.IndexFunc(r.m.metrics, func(o *metric) bool { return o.base != nil && o.payload == "" && o.expr == x.expr })
		if at < 0 || x.payload != runningPayload || !x.number || x.value == tolerant {
			continue
		}
		all := &query.TimeRange{Start: "1990-01-01", End: "2050-01-01", Dimension: "metric_time"}
		whole, err := ask(&question{Metrics: []string{r.m.metrics[at].name}, TimeRange: all})
		if err != nil {
			continue
		}
		q := &question{Metrics: []string{x.name}, TimeRange: all, GroupBy: []query.GroupBy{{Field: "metric_time", Grain: "month"}}, OrderBy: []query.OrderBy{{Key: "metric_time__month"}}}
		buckets, err := ask(q)
		if err != nil || len(buckets.Rows) == 0 {
			continue
		}
		final := buckets.Rows[len(buckets.Rows)-1]
		if final[0].Kind == table.CellKindNull {
			continue // a code that is in the range as text, and is not a time: no bucket has its rows
		}
		held = true
		last, total := final[1], whole.Rows[0][0]
		if last.Kind != total.Kind || !sameNumber(last.Text, total.Text) {
			return fmt.Sprintf("%s\nthe last bucket has %v, the range %v", q.json(), last, total), true
		}
	}
	return "", held
}

func TestLaws_OneRecomputedBucketEqualsThePlainMetric(t *testing.T) {
	holdLawOver(t, newRunningMaker, singleBucketLaw)
}

// singleBucketLaw: a metric that is computed again over one bucket has the value of the metric without a window, where no range begins
// within the bucket.
func singleBucketLaw(r *maker, ask asker) (problem string, held bool) {
	for _, x := range r.m.metrics {
		at := slices.IndexFunc(r.m.metrics, func(o *metric) bool { return o.base != nil && o.payload == "" && o.expr == x.expr })
		if at < 0 || x.payload != singlePayload {
			continue
		}
		if problem, held = r.sameColumns(r.m.metrics[at], x, ask); held {
			return problem, held
		}
	}
	return "", false
}

func TestLaws_RecomputedSumsEqualRollingAndCumulativeOnes(t *testing.T) {
	holdLawOver(t, newRunningMaker, sumWindowsLaw)
}

// sumWindowsLaw: a sum over n buckets is the rolling sum, and one over all buckets so far the cumulative sum.
func sumWindowsLaw(r *maker, ask asker) (problem string, held bool) {
	for _, pair := range sumWindows {
		for _, x := range r.m.metrics {
			at := slices.IndexFunc(r.m.metrics, func(o *metric) bool { return o.payload == pair[1] && o.expr == x.expr })
			if at < 0 || x.payload != pair[0] {
				continue
			}
			var compared bool
			if problem, compared = r.sameColumns(r.m.metrics[at], x, ask); problem != "" {
				return problem, true
			}
			held = held || compared
		}
	}
	return "", held
}

// sameColumns compares two metrics in each bucket of time. The NULL bucket has no window.
func (r *maker) sameColumns(a, b *metric, ask asker) (problem string, held bool) {
	q := &question{Metrics: []string{a.name, b.name}, GroupBy: []query.GroupBy{{Field: "metric_time", Grain: pick(r, []string{"week", "month", "quarter"})}}}
	if r.chance(40) {
		q.TimeRange = &query.TimeRange{Start: "2024-01-01", End: "2024-06-01", Dimension: "metric_time"}
	}
	got, err := ask(q)
	if err != nil {
		return "", false
	}
	for _, row := range got.Rows {
		if row[0].Kind == table.CellKindNull {
			continue
		}
		held = true
		if row[1].Kind != row[2].Kind && (row[1].Kind == table.CellKindNull || row[2].Kind == table.CellKindNull) || !sameNumber(row[1].Text, row[2].Text) {
			return fmt.Sprintf("%s\nin %s %s is %v, and %s is %v", q.json(), row[0].Text, a.name, row[1], b.name, row[2]), true
		}
	}
	return "", held
}

// sameNumber reports whether two texts are equal, or nearly equal numbers.
func sameNumber(a, b string) bool {
	var x, y float64
	if _, err := fmt.Sscan(a, &x); err != nil {
		return strings.EqualFold(a, b)
	}
	if _, err := fmt.Sscan(b, &y); err != nil {
		return false
	}
	return math.Abs(x-y) <= 1e-6*max(1, math.Abs(x))
}

func TestLaws_TotalsByBucketsAreTheBucketsAlone(t *testing.T) {
	holdLawOver(t, newCalendarMaker, bucketTotalsLaw)
}

// bucketTotalsLaw: where a query groups by two buckets of one time, the total by the finer ones, or by the first of two equal
// ones, has the rows of the query that groups by these alone.
func bucketTotalsLaw(r *maker, ask asker) (problem string, held bool) {
	var windows []*metric
	for _, x := range r.m.metrics {
		if x.windows && len(x.params) == 0 && len(r.fieldParams(x)) == 0 && x.value != tolerant {
			windows = append(windows, x)
		}
	}
	if len(windows) == 0 {
		return "", false
	}
	recomputed := slices.DeleteFunc(slices.Clone(windows), func(x *metric) bool { return !strings.Contains(x.payload, `"recompute": {"periods": `) })
	if len(recomputed) > 0 && r.chance(80) {
		windows = recomputed
	}
	x, bucket := pick(r, windows), pick(r, append([]string{"day", "day", "month"}, periodNames...))
	other := bucket
	if bucket == "day" && r.chance(60) {
		other = pick(r, append([]string{"week", "month", "year"}, periodNames...))
	}
	first := query.GroupBy{Field: "metric_time", Grain: bucket, Name: "bucket"}
	alone := &question{Metrics: []string{x.name}, GroupBy: []query.GroupBy{first}}
	both := &question{Metrics: alone.Metrics, Totals: [][]string{{"bucket"}, {"other"}}, GroupBy: []query.GroupBy{first, {Field: "metric_time", Grain: other, Name: "other"}}}
	if r.chance(30) {
		alone.TimeRange = &query.TimeRange{Start: "2023-12-20", End: "2024-02-10", Dimension: "metric_time"}
		both.TimeRange = alone.TimeRange
	}
	want, err := ask(alone)
	if err != nil {
		return "", false
	}
	got, err := ask(both)
	if err != nil {
		return "", false
	}
	totals := &table.Table{Columns: want.Columns}
	for _, row := range got.Rows {
		if row[3].Text == "1" {
			totals.Rows = append(totals.Rows, table.Row{row[0], row[2]})
		}
	}
	return compareTables(both, want, totals), len(want.Rows) > 0
}
