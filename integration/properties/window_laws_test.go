package properties_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/planner/query"
)

// TestWindowLaws_HoldAndFindFaults checks the laws over the reference, and that each finds the fault
// that breaks it.
func TestWindowLaws_HoldAndFindFaults(t *testing.T) {
	for _, law := range windowLaws {
		t.Run(law.name, func(t *testing.T) {
			t.Parallel()
			seed, queries := settings(t)
			compared := 0
			for at := seed; at < seed+uint64(max(10, queries/20)); at++ {
				problem, n := holdWindowLaw(t, at, 20, reference.NoFault, law.holds)
				if compared += n; problem != "" {
					t.Fatalf("SEMLAYER_PROPERTY_SEED=%d %s", at, problem)
				}
			}
			t.Attr("comparisons", strconv.Itoa(compared))
			if compared < max(10, queries/20) {
				t.Errorf("the law was put to the test %d times only", compared)
			}
			for at := uint64(1); ; at++ {
				if problem, _ := holdWindowLaw(t, at, 20, law.fault, law.holds); problem != "" {
					break
				}
				if at == 200 {
					t.Fatalf("the law does not find the fault %q", law.fault)
				}
			}
		})
	}
}

// windowLaws are what the value of a window does not depend on, each with the fault that breaks it.
var windowLaws = []struct {
	name  string
	holds func(r *maker, ask asker) (problem string, held bool)
	fault reference.InjectedFault
}{
	{"company", companyLaw, reference.FaultWindowNeedsOwnRow},
	{"fill", filledWindowLaw, reference.FaultFilledRowEntersWindows},
	{"range", rangeLaw, reference.FaultRunningTotalOfRange},
	{"spelling", spellingLaw, reference.FaultConditionOnBucketsFiltersInput},
}

// TestLaws_WindowsDependOnNothingButTheQuestion holds the laws on DuckDB and on the servers that are there, each with as many
// queries as SEMLAYER_PROPERTY_QUERIES requests. Up to the usual number, the servers are asked about some of the models.
func TestLaws_WindowsDependOnNothingButTheQuestion(t *testing.T) {
	t.Parallel()
	others := availableServers(t)
	for _, law := range windowLaws {
		t.Run(law.name, func(t *testing.T) {
			t.Parallel()
			l := windowLawRun{holds: law.holds, queries: map[string]int{}, comparisons: map[string]int{}}
			first, queries := settings(t)
			for seed := first; l.queries["duckdb"] < queries; seed++ {
				var on []*servers.Server
				if queries > defaultQueries || (seed-first)%modelsPerReplica == 0 {
					on = others
				}
				l.holdOnModel(t, seed, on)
				if t.Failed() {
					t.Fatalf("SEMLAYER_PROPERTY_SEED=%d", seed)
				}
			}
			fewest, compared := math.MaxInt, math.MaxInt
			for _, engine := range strings.Split(engineNames(others), ", ") {
				n, comparisons := l.queries[engine], l.comparisons[engine]
				fewest, compared = min(fewest, n), min(compared, comparisons)
				if n == 0 || comparisons < n/20 {
					t.Errorf("%s: the law was put to the test %d times only, by %d answers", engine, comparisons, n)
				}
			}
			t.Attr("broken", strconv.Itoa(asInt(t.Failed())))
			t.Attr("queries", strconv.Itoa(fewest))
			t.Attr("comparisons", strconv.Itoa(compared))
			t.Attr("engines", engineNames(others))
		})
	}
}

// windowLawRun counts, for each engine, the queries that it answered for a law and the comparisons that they made.
type windowLawRun struct {
	holds                func(r *maker, ask asker) (problem string, held bool)
	queries, comparisons map[string]int
}

// holdOnModel asks every engine the same questions about one model.
func (l windowLawRun) holdOnModel(t *testing.T, seed uint64, on []*servers.Server) {
	t.Helper()
	m := newRunningMaker(seed).model()
	s := openSubject(t, seed, m, on...)
	defer s.close()
	engines := map[string]asker{"duckdb": func(q *question) (*table.Table, error) {
		got, _, err := s.answer(t.Context(), q.json())
		return got, err
	}}
	for _, replica := range s.replicas {
		engines[replica.server.Dialect] = func(q *question) (*table.Table, error) {
			p, err := prepareMetric([]byte(q.json()))
			if err != nil {
				return nil, err
			}
			got, _, err := s.ask(t.Context(), replica, p)
			return got, err
		}
	}
	for engine, ask := range engines {
		r := newRunningMaker(seed)
		r.model()
		for range 3 * queriesPerModel { // a model is loaded into every server
			problem, held := l.holds(r, func(q *question) (*table.Table, error) {
				got, err := ask(q)
				l.queries[engine] += asInt(err == nil)
				return got, err
			})
			if problem != "" {
				t.Errorf("SEMLAYER_PROPERTY_SEED=%d on %s\n%s", seed, engine, problem)
				return
			}
			l.comparisons[engine] += asInt(held)
		}
	}
}

// holdWindowLaw checks a law over some questions to one model. It returns how the law is broken, and how often it
// compared answers.
func holdWindowLaw(t *testing.T, seed uint64, questions int, fault reference.InjectedFault, holds func(r *maker, ask asker) (string, bool)) (problem string, compared int) {
	t.Helper()
	r := newRunningMaker(seed)
	m := r.model()
	known, err := reference.CompileModel(t.Context(), []byte(m.yaml()))
	if err != nil {
		t.Fatal(err)
	}
	data := m.data()
	ask := func(q *question) (*table.Table, error) {
		p, err := query.DecodeMetric([]byte(q.json()))
		if err != nil {
			return nil, err
		}
		got, err := reference.AnswerMetricQueryWithFault(known, data, p, fault)
		if err != nil {
			return nil, err
		}
		return tableOf(got), nil
	}
	for range questions {
		problem, held := holds(r, ask)
		if problem != "" {
			return problem, compared
		}
		compared += asInt(held)
	}
	return "", compared
}

// windowQuestion asks for windows by buckets of metric_time, without an order and a limit; nil where the choice has no
// axis.
func (r *maker) windowQuestion() *question {
	q := &question{}
	windows := slices.DeleteFunc(slices.Clone(r.timedFirst(r.m.metrics)), func(x *metric) bool { return !x.windows })
	metrics := r.chosen()
	if len(windows) > 0 && r.chance(85) {
		metrics = []*metric{pick(r, windows)}
		if r.chance(50) {
			metrics = append(metrics, slices.DeleteFunc(slices.Clone(r.chosen()), func(x *metric) bool { return x == metrics[0] })...)
		}
	}
	for _, x := range metrics {
		q.Metrics = append(q.Metrics, x.name)
	}
	homes := homesOf(metrics)
	if slices.ContainsFunc(homes, func(d *dataset) bool { return !d.timed() }) {
		return nil
	}
	places := r.places(homes)
	grouped, _ := r.groupBy(q, places, true, true)
	if !slices.ContainsFunc(q.GroupBy, func(g query.GroupBy) bool { return g.Field == "metric_time" && g.Grain != "" }) {
		return nil
	}
	switch r.IntN(6) {
	case 0: // mostly an attribute of the bucket
		item := query.GroupBy{Field: "metric_time", Name: "part"}
		if item.Grain = pick(r, []string{"year", "quarter", ""}); item.Grain == "" {
			item.Part = pick(r, []string{"month_of_year", "quarter_of_year", "day_of_week"})
		}
		q.GroupBy = append(q.GroupBy, item)
	case 1:
		if x, ok := r.expressionOf(places); ok {
			q.GroupBy = append(q.GroupBy, query.GroupBy{Name: "x1", Expression: x})
		}
	}
	r.bind(q, metrics)
	r.filters(q, places, grouped, nil, metrics)
	q.TimeZone, q.WeekStart = r.clock()
	return q
}

// boundedRange is a range of metric_time with both bounds.
func (r *maker) boundedRange() *query.TimeRange {
	t := query.TimeRange{Start: pick(r, bounds), End: pick(r, bounds), Dimension: "metric_time"}
	if t.Start > t.End {
		t.Start, t.End = t.End, t.Start
	}
	if t.Start == t.End {
		t.End = "2025-02-01"
	}
	return &t
}

// companyLaw: another metric adds columns and rows. No cell that was there changes, and the new rows hold the values that
// the metrics have there with fill.
func companyLaw(r *maker, ask asker) (string, bool) {
	q := r.windowQuestion()
	if q == nil {
		return "", false
	}
	if r.chance(60) {
		q.TimeRange = r.boundedRange()
	}
	x := pick(r, r.m.metrics)
	if slices.Contains(q.Metrics, x.name) {
		return "", false
	}
	wide := q.clone()
	wide.Metrics = append(wide.Metrics, x.name)
	alone, err := ask(q)
	if err != nil {
		return "", false
	}
	together, err := ask(wide)
	if err != nil {
		return "", false
	}
	both := columnsOf(together, alone.Columns)
	if problem := missingRow(q, wide, alone, both, func(table.Row) bool { return true }); problem != "" {
		return problem, true
	}
	if q.TimeRange == nil {
		return "", len(alone.Rows) > 0
	}
	filled := q.clone()
	filled.Fill = &query.Fill{}
	dense, err := ask(filled)
	if err != nil {
		return "", len(alone.Rows) > 0
	}
	known := groupsOf(dense, len(q.GroupBy))
	return missingRow(wide, filled, both, dense, func(row table.Row) bool { return known[groupOf(row, len(q.GroupBy))] }), true
}

// filledWindowLaw: with and without fill the rows that both have are equal.
func filledWindowLaw(r *maker, ask asker) (string, bool) {
	q := r.windowQuestion()
	if q == nil {
		return "", false
	}
	q.TimeRange = r.boundedRange()
	filled := q.clone()
	filled.Fill = &query.Fill{}
	plain, err := ask(q)
	if err != nil {
		return "", false
	}
	dense, err := ask(filled)
	if err != nil {
		return "", false
	}
	return missingRow(q, filled, plain, dense, func(table.Row) bool { return true }), len(plain.Rows) > 0
}

// rangeLaw: a narrower range removes rows. No cell that stays changes, but for the rows of buckets that a range cuts and
// for windows whose population is the range.
func rangeLaw(r *maker, ask asker) (string, bool) {
	q := r.windowQuestion()
	if q == nil || slices.ContainsFunc(q.Metrics, r.takesRangeAsPopulation) {
		return "", false
	}
	bucket, narrow := -1, q.clone()
	for i, g := range q.GroupBy {
		if g.Field == "metric_time" && slices.Contains(grainsByLength, g.Grain) && (bucket < 0 || slices.Index(grainsByLength, g.Grain) < slices.Index(grainsByLength, q.GroupBy[bucket].Grain)) {
			bucket = i
		}
	}
	if bucket < 0 || q.TimeZone != "" {
		return "", false
	}
	if narrow.TimeRange = r.boundedRange(); r.chance(60) {
		q.TimeRange = &query.TimeRange{Start: "2023-12-18", End: "2025-02-01", Dimension: "metric_time"}
		if narrow.TimeRange.Start < q.TimeRange.Start {
			q.TimeRange.Start = narrow.TimeRange.Start
		}
	}
	wide, err := ask(q)
	if err != nil {
		return "", false
	}
	got, err := ask(narrow)
	if err != nil {
		return "", false
	}
	whole := func(t *query.TimeRange) func(row table.Row) bool {
		return func(row table.Row) bool {
			return t == nil || isBucketWithin(row[bucket], q.GroupBy[bucket].Grain, t)
		}
	}
	inBoth := func(row table.Row) bool { return whole(q.TimeRange)(row) && whole(narrow.TimeRange)(row) }
	if problem := missingRow(narrow, q, got, wide, inBoth); problem != "" {
		return problem, true
	}
	return missingRow(q, narrow, wide, got, inBoth), len(got.Rows) > 0
}

// spellingLaw: conditions that say the same give the same rows.
func spellingLaw(r *maker, ask asker) (string, bool) {
	var asked *question
	var want *table.Table
	for _, other := range r.spelledQuestions() {
		got, err := ask(other)
		if err != nil {
			return "", false
		}
		if want == nil {
			asked, want = other, got
			continue
		}
		if diff := table.Diff(want, got, false); diff != "" {
			return asked.json() + "\n" + other.json() + "\n" + diff, true
		}
	}
	return "", want != nil && len(want.Rows) > 0
}

// spelledQuestions returns questions for windows whose conditions on times say the same; none where the choice has no such spellings.
func (r *maker) spelledQuestions() []*question {
	q := r.windowQuestion()
	if q == nil {
		return nil
	}
	var first *metric
	for _, x := range r.m.metrics {
		if first == nil && slices.Contains(q.Metrics, x.name) {
			first = x
		}
		if slices.Contains(q.Metrics, x.name) && (len(x.homes) > 1 || x.homes[0] != first.homes[0] || r.hasOtherAxis(x.name)) {
			return nil
		}
	}
	axis := first.homes[0].axis()
	if axis == nil || axis.encoded != "" || !axis.typed || q.TimeZone != "" {
		return nil
	}
	name := first.homes[0].name + "." + axis.name
	spellings := r.rangeSpellings(axis, name)
	if windows := slices.ContainsFunc(r.metricsOf(q), func(x *metric) bool { return x.windows }); windows && r.chance(50) {
		spellings = r.bucketSpellings(q, name)
	}
	out := make([]*question, len(spellings))
	for i, spell := range spellings {
		out[i] = q.clone()
		spell(out[i])
	}
	return out
}

// and adds a conjunct to a question.
func (q *question) and(format string, args ...any) {
	q.WhereSQL = strings.Join(present([]string{q.WhereSQL, fmt.Sprintf(format, args...)}), " AND ")
}

// rangeSpellings returns ways to ask for one range of an axis: as the range of the question, and as conditions.
func (r *maker) rangeSpellings(axis *field, name string) []func(q *question) {
	t := r.boundedRange()
	out := []func(q *question){
		func(q *question) { q.TimeRange = t },
		func(q *question) { q.and("%s >= '%s' AND %s < '%s'", name, t.Start, name, t.End) },
		func(q *question) {
			q.TimeRange = &query.TimeRange{Start: t.Start, Dimension: "metric_time"}
			q.and("CAST('%s' AS TIMESTAMP) > %s", strings.Replace(t.End, "T", " ", 1), name)
		},
	}
	if r.chance(40) {
		return out
	}
	month, next := time.Date(2023, time.Month(12+r.IntN(5)), 1, 0, 0, 0, 0, time.UTC), 1+r.IntN(2)
	t = &query.TimeRange{Start: month.Format(time.DateOnly), End: month.AddDate(0, next, 0).Format(time.DateOnly), Dimension: "metric_time"}
	var months []string
	for i := range next {
		months = append(months, "DATE '"+month.AddDate(0, i, 0).Format(time.DateOnly)+"'")
	}
	out = append(out,
		func(q *question) { q.and("DATE_TRUNC('month', %s) IN (%s)", name, strings.Join(months, ", ")) },
		func(q *question) { q.and("DATE_TRUNC('month', %s) BETWEEN %s AND %s", name, months[0], months[next-1]) },
		func(q *question) {
			q.and("CAST(%s AS DATE) BETWEEN %s AND DATE '%s'", name, months[0], month.AddDate(0, next, -1).Format(time.DateOnly))
		})
	if axis.kind == day {
		out = append(out, func(q *question) {
			q.and("%s BETWEEN %s AND DATE '%s'", name, months[0], month.AddDate(0, next, -1).Format(time.DateOnly))
		})
	}
	return out
}

// bucketSpellings returns ways to write a condition on buckets, by the name of their column and by the field; none where
// the buckets have no such expression.
func (r *maker) bucketSpellings(q *question, name string) []func(q *question) {
	grain := ""
	for _, g := range q.GroupBy {
		if g.Field == "metric_time" && g.Grain != "" && g.Name == "" {
			if grain != "" {
				return nil
			}
			grain = g.Grain
		}
	}
	if q.WeekStart != "" || !slices.Contains([]string{"day", "week", "month", "quarter", "year"}, grain) {
		return nil
	}
	column, expr := "metric_time__"+grain, fmt.Sprintf("DATE_TRUNC('%s', %s)", grain, name)
	bucket := map[string]string{"day": "2024-02-29", "week": "2024-02-26", "month": "2024-02-01", "quarter": "2024-01-01", "year": "2024-01-01"}[grain]
	return []func(q *question){
		func(q *question) { q.and("%s <> DATE '%s'", column, bucket) },
		func(q *question) { q.and("%s <> DATE '%s'", expr, bucket) },
		func(q *question) { q.and("NOT (%s = DATE '%s')", column, bucket) },
		func(q *question) { q.and("%s NOT IN (DATE '%s')", expr, bucket) },
		func(q *question) {
			end := timeOf(bucket)
			end = map[string]time.Time{"day": end.AddDate(0, 0, 1), "week": end.AddDate(0, 0, 7), "month": end.AddDate(0, 1, 0), "quarter": end.AddDate(0, 3, 0), "year": end.AddDate(1, 0, 0)}[grain]
			q.and("(%s < '%s' OR %s >= '%s')", name, bucket, name, end.Format(time.DateOnly))
		},
	}
}

// axis returns the primary time of a dataset; nil when it has none.
func (d *dataset) axis() *field {
	var found *field
	for _, f := range d.fields {
		if f.name == d.primary || d.primary == "" && f.isTime() {
			found = f
		}
	}
	return found
}

// takesRangeAsPopulation reports whether a metric is, or is made of, a window whose population is the range.
func (r *maker) takesRangeAsPopulation(name string) bool {
	return r.hasPayload(name, `{"rank": `, `{"value": `, `"scope": "partition"`)
}

// hasOtherAxis reports whether a metric, or a part of it, may have another axis than its dataset.
func (r *maker) hasOtherAxis(name string) bool {
	return r.hasPayload(name, "time_dimension", "non_additive")
}

// hasPayload reports whether the extension of a metric, or of one that it is made of, has one of some keys.
func (r *maker) hasPayload(name string, keys ...string) bool {
	return slices.ContainsFunc(r.m.metrics, func(x *metric) bool {
		has := func(key string) bool { return strings.Contains(x.payload, key) }
		return x.name == name && (slices.ContainsFunc(keys, has) || slices.ContainsFunc(x.needs, func(member string) bool { return r.hasPayload(member, keys...) }))
	})
}

var grainsByLength = []string{"second", "minute", "hour", "day", "week", "month", "quarter", "year"}

// isBucketWithin reports whether a bucket lies within a range.
func isBucketWithin(bucket table.Cell, grain string, of *query.TimeRange) bool {
	if bucket.Kind == table.CellKindNull {
		return false
	}
	start, from, to := timeOf(bucket.Text), timeOf(of.Start), timeOf(of.End)
	end := map[string]time.Time{
		"second": start.Add(time.Second), "minute": start.Add(time.Minute), "hour": start.Add(time.Hour),
		"day": start.AddDate(0, 0, 1), "week": start.AddDate(0, 0, 7), "month": start.AddDate(0, 1, 0), "quarter": start.AddDate(0, 3, 0), "year": start.AddDate(1, 0, 0),
	}[grain]
	return !start.Before(from) && !end.After(to)
}

func timeOf(text string) time.Time {
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05", time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t
		}
	}
	panic("not a time: " + text)
}

// missingRow describes the first row of a result, of those that count, that another result lacks.
func missingRow(q, other *question, from, in *table.Table, counts func(table.Row) bool) string {
	for _, row := range from.Rows {
		if counts(row) && !contains(in.Rows, row) {
			same := ""
			for _, o := range in.Rows {
				if groupOf(o, len(q.GroupBy)) == groupOf(row, len(q.GroupBy)) {
					same += fmt.Sprint(o)
				}
			}
			return fmt.Sprintf("%s\n%s\n%v\nthe row %v of the first is not in the second, which has %s", q.json(), other.json(), from.Columns, row, same)
		}
	}
	return ""
}

// columnsOf returns some columns of a result.
func columnsOf(t *table.Table, columns []string) *table.Table {
	out := &table.Table{Columns: columns}
	for _, row := range t.Rows {
		var cells table.Row
		for _, name := range columns {
			cells = append(cells, row[slices.Index(t.Columns, name)])
		}
		out.Rows = append(out.Rows, cells)
	}
	return out
}

// groupOf names the group of a row.
func groupOf(row table.Row, groups int) string { return fmt.Sprint(row[:groups]) }

func groupsOf(t *table.Table, groups int) map[string]bool {
	out := map[string]bool{}
	for _, row := range t.Rows {
		out[groupOf(row, groups)] = true
	}
	return out
}
