package properties_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/planner/query"
)

// cutEnds are ends of ranges that cut most buckets longer than a day. The generated rows lie around them.
var cutEnds = []string{"2023-12-18", "2024-01-10", "2024-01-20", "2024-02-15T12:00:00", "2024-02-29", "2024-03-12"}

// Windows by few groups have the rows of the reference where a range cuts the first bucket and the last one. Most other generated questions
// have too many groups for a row to have another one before or after it.
func TestReference_WindowsOverCutBucketsGiveSameRows(t *testing.T) {
	t.Parallel()
	seed, queries := settings(t)
	queries /= 2 // one construct
	others := availableServers(t)
	first, counts, failures := seed, map[string]int{}, 0
	for asked := 0; asked < queries; seed++ {
		r := newMaker(seed)
		m := r.model()
		for range 8 {
			r.windowMetric()
		}
		var on []*servers.Server
		if queries > defaultQueries || seed%modelsPerReplica == 0 {
			on = others
		}
		s := openSubject(t, seed, m, on...)
		for turn := 0; turn < queriesPerModel && asked < queries; turn++ {
			asked++
			q := r.cutWindowsQuestion()
			v := s.compareWithReference(t.Context(), q)
			counts[v.outcome]++
			counts["on servers too"] += asInt(len(on) > 0)
			failed, differs := s.reportProblems(t, seed, m, q, v)
			if failures += asInt(failed); differs {
				break
			}
			if v.err != nil && v.code != "" {
				counts[v.code]++
			}
		}
		s.close()
		if failures >= reportedFailures {
			t.Fatal("there may be more")
		}
	}
	t.Logf("seeds %d to %d: %s", first, seed-1, summary(counts))
	t.Attr("answered", strconv.Itoa(counts["answered"]))
	t.Attr("engines", engineNames(others))
	t.Attr("mismatches", strconv.Itoa(failures))
	if counts["answered"] < queries/3 {
		t.Errorf("of %d questions %d were answered", queries, counts["answered"])
	}
}

// cutWindowsQuestion requests windows by the buckets of their axis, over a range.
func (r *maker) cutWindowsQuestion() *question {
	windows := slices.DeleteFunc(slices.Clone(r.m.metrics), func(x *metric) bool { return !x.windows })
	x := pick(r, windows)
	q := &question{Metrics: []string{x.name}}
	for range r.IntN(3) {
		if o := pick(r, windows); !slices.Contains(q.Metrics, o.name) && slices.Equal(o.homes, x.homes) {
			q.Metrics = append(q.Metrics, o.name)
		}
	}
	q.GroupBy = []query.GroupBy{{Field: "metric_time", Grain: r.unit([]string{"day", "week", "week", "month", "month", "month", "quarter", "year"})}}
	home := x.homes[0]
	if r.chance(25) {
		q.GroupBy = append(q.GroupBy, query.GroupBy{Field: home.name + "." + pick(r, home.fields).name})
	}
	cut := func() query.TimeRange {
		t := query.TimeRange{End: pick(r, cutEnds), Dimension: "metric_time"}
		if start := pick(r, cutEnds); start < t.End {
			t.Start = start
		}
		return t
	}
	if r.chance(15) {
		q.TimeRanges = map[string]query.TimeRange{"now": cut(), "before": cut()}
	} else {
		t := cut()
		q.TimeRange = &t
		if t.Start != "" && r.chance(20) {
			q.Fill = &query.Fill{}
		}
	}
	if r.chance(15) {
		q.Totals = [][]string{{}}
	}
	return q
}
