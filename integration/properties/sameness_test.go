package properties_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

// comparedDialects are the dialects whose texts are compared with themselves.
var comparedDialects = []string{"duckdb", "postgres", "mysql", "bigquery", "snowflake", "clickhouse"}

func TestLaws_OrderOfConditionsDoesNotMatter(t *testing.T) {
	t.Parallel()
	laws(t, 8, func(t *testing.T, r *maker, s *subject) bool {
		q := r.question()
		places := r.places(homesOf(r.metricsOf(q)))
		for range 2 {
			q.WhereSQL = strings.Join(present([]string{q.WhereSQL, r.inputCondition(places)}), " AND ")
		}
		parts := conjuncts(q.WhereSQL)
		straight, _, err := s.answer(t.Context(), q.json())
		if err != nil || len(parts) < 2 {
			return false
		}
		other := q.clone()
		slices.Reverse(parts)
		other.WhereSQL = strings.Join(append(parts, parts[0]), " AND ") // one of them twice
		if diff := table.Diff(straight, s.rows(t, other), q.Limit != nil); diff != "" {
			t.Errorf("%s\n%s\n%s", q.json(), other.json(), diff)
		}
		return true
	})
}

// metricsOf returns the metrics that a question names.
func (r *maker) metricsOf(q *question) []*metric {
	var out []*metric
	for _, x := range r.m.metrics {
		if slices.Contains(q.Metrics, x.name) {
			out = append(out, x)
		}
	}
	return out
}

func TestLaws_ConditionOnGroupsHidesWindowRows(t *testing.T) {
	t.Parallel()
	laws(t, 12, func(t *testing.T, r *maker, s *subject) bool {
		windows := slices.DeleteFunc(slices.Clone(r.m.metrics), func(x *metric) bool { return !x.windows || len(x.homes) > 1 })
		if len(windows) == 0 {
			return false
		}
		x := pick(r, windows)
		q := &question{Metrics: []string{x.name}}
		if x.homes[0].timed() && r.chance(70) {
			q.GroupBy = append(q.GroupBy, query.GroupBy{Field: "metric_time", Grain: "month"})
		}
		p := place{field: pick(r, x.homes[0].fieldsOf(text, whole, truth))}
		p.ref = x.homes[0].name + "." + p.field.name
		q.GroupBy = append(q.GroupBy, query.GroupBy{Field: p.ref})
		all, _, err := s.answer(t.Context(), q.json())
		if err != nil {
			return false
		}
		q.WhereSQL = r.test(p.field, p.ref)
		for _, row := range s.rows(t, q).Rows {
			if !contains(all.Rows, row) {
				t.Errorf("%s\nwithout the condition there is no row %v", q.json(), row)
			}
		}
		return true
	})
}

func TestLaws_TwoCompilationsGiveTheSameSQL(t *testing.T) {
	t.Parallel()
	laws(t, 1, func(t *testing.T, r *maker, s *subject) bool {
		again := openSubject(t, 0, r.m)
		defer again.close()
		for range 25 {
			q := r.asked()
			for _, dialect := range comparedDialects {
				first := compiledFor(t, s, q, dialect)
				for _, other := range []*subject{s, again} {
					if text := compiledFor(t, other, q, dialect); text != first {
						t.Errorf("%s\n%s\n%s", q.json(), first, text)
					}
				}
			}
		}
		return true
	})
}

// compiledFor returns the SQL of a query in a dialect, or its whole error.
func compiledFor(t *testing.T, s *subject, q planeQuery, dialect string) string {
	t.Helper()
	p, err := q.plane().prepare(q.json())
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.compile(t.Context(), s.engine, dialect)
	if err == nil {
		return c.SQL
	}
	var coded engine.CodedError
	if !errors.As(err, &coded) {
		t.Fatalf("%s\nan error without a code: %v", q.json(), err)
	}
	wire, err := engine.MarshalWireJSON(coded)
	if err != nil {
		t.Fatal(err)
	}
	return string(wire)
}

func TestLaws_TaggedRangeEqualsTheRangeAlone(t *testing.T) {
	t.Parallel()
	laws(t, 8, func(t *testing.T, r *maker, s *subject) bool {
		x := pick(r, r.m.metrics)
		if x.windows || x.homes == nil || !x.homes[0].timed() {
			return false
		}
		q := &question{Metrics: []string{x.name}, TimeRanges: map[string]query.TimeRange{}}
		if places := r.outer(x); len(places) > 0 && r.chance(70) {
			q.GroupBy = append(q.GroupBy, query.GroupBy{Field: pick(r, places).ref})
		}
		for _, tag := range []string{"a", "b"} {
			span := r.someRange(nil)
			span.Dimension = "metric_time"
			q.TimeRanges[tag] = span
		}
		tagged, _, err := s.answer(t.Context(), q.json())
		if err != nil {
			return false
		}
		n := len(q.GroupBy)
		for i, tag := range []string{"a", "b"} {
			alone := &question{Metrics: q.Metrics, GroupBy: q.GroupBy}
			span := q.TimeRanges[tag]
			alone.TimeRange = &span
			column := beside(tagged, n, n+i)
			for _, want := range s.rows(t, alone).Rows {
				if !contains(column, want) {
					t.Errorf("%s\n%s has the row %v", q.json(), alone.json(), want)
				}
			}
		}
		return true
	})
}

// beside returns the first columns of a table beside one more.
func beside(of *table.Table, first, column int) []table.Row {
	var out []table.Row
	for _, row := range of.Rows {
		out = append(out, append(slices.Clone(row[:first]), row[column]))
	}
	return out
}

func contains(rows []table.Row, row table.Row) bool {
	columns := make([]string, len(row))
	want := &table.Table{Columns: columns, Rows: []table.Row{row}}
	return slices.ContainsFunc(rows, func(r table.Row) bool {
		return table.Diff(want, &table.Table{Columns: columns, Rows: []table.Row{r}}, true) == ""
	})
}

func TestLaws_ListOfValuesEqualsEachValueAlone(t *testing.T) {
	t.Parallel()
	laws(t, 12, func(t *testing.T, r *maker, s *subject) bool {
		bound := slices.DeleteFunc(slices.Clone(r.m.metrics), func(x *metric) bool { return len(x.params) == 0 })
		if len(bound) == 0 {
			return false
		}
		x := pick(r, bound)
		p := x.params[0]
		q := &question{Metrics: []string{x.name}, Params: map[string]json.RawMessage{}}
		r.groupBy(q, r.places(x.homes), x.windows, x.homes[0].timed())
		values := some(r, p.values, 2)
		q.Params[p.name] = json.RawMessage("[" + strings.Join(values, ", ") + "]")
		both, _, err := s.answer(t.Context(), q.json())
		if n := len(q.GroupBy); err != nil || len(values) < 2 || len(both.Columns) != n+2 {
			return false
		}
		for i, value := range values {
			q.Params[p.name] = json.RawMessage(value)
			alone := s.rows(t, q)
			n := len(q.GroupBy)
			alone.Columns = append(alone.Columns[:n:n], both.Columns[n+i])
			column := &table.Table{Columns: alone.Columns, Rows: beside(both, n, n+i)}
			if diff := table.Diff(alone, column, false); diff != "" {
				t.Errorf("%s\n%s", q.json(), diff)
			}
		}
		return true
	})
}

func TestLaws_DerivedFilterEqualsACondition(t *testing.T) {
	t.Parallel()
	laws(t, 12, func(t *testing.T, r *maker, s *subject) bool {
		filtered := slices.DeleteFunc(r.filtered(), func(x *metric) bool { return x.windows })
		if len(filtered) == 0 {
			return false
		}
		x := pick(r, filtered)
		plain := slices.IndexFunc(r.m.metrics, func(o *metric) bool { return o.base == x.base && o.filter == "" && o.payload == "" })
		if plain < 0 {
			return false
		}
		q := &question{Metrics: []string{x.name}}
		if places := r.outer(x); len(places) > 0 && r.chance(70) {
			q.GroupBy = append(q.GroupBy, pick(r, places).group(r))
		}
		under := q.clone()
		under.Metrics = []string{r.m.metrics[plain].name}
		under.WhereSQL = x.filter
		all := s.rows(t, q)
		for _, want := range s.rows(t, under).Rows {
			if !contains(all.Rows, want) {
				t.Errorf("%s\n%s has the row %v", q.json(), under.json(), want)
			}
		}
		return true
	})
}

func TestLaws_LimitKeepsTheFirstRows(t *testing.T) {
	t.Parallel()
	laws(t, 8, func(t *testing.T, r *maker, s *subject) bool {
		q := r.question()
		none := 10000
		for range 12 {
			if len(q.OrderBy) == 0 {
				r.orderBy(q, r.metricsOf(q))
			}
		}
		q.Limit = &none
		all, _, err := s.answer(t.Context(), q.json())
		if err != nil || len(all.Rows) < 2 {
			return false
		}
		few := 1 + r.IntN(len(all.Rows)-1)
		q.Limit = &few
		all.Rows = all.Rows[:few]
		if diff := table.Diff(all, s.rows(t, q), true); diff != "" {
			t.Errorf("%s\n%s", q.json(), diff)
		}
		return true
	})
}

func TestLaws_PagesMakeTheWholeAnswer(t *testing.T) {
	t.Parallel()
	laws(t, 8, func(t *testing.T, r *maker, s *subject) bool {
		q := r.question()
		whole := 10000
		q.Limit, q.Offset = &whole, 0
		all, _, err := s.answer(t.Context(), q.json())
		if err != nil || len(all.Rows) < 2 {
			return false
		}
		size := 1 + r.IntN(len(all.Rows)-1)
		pages := &table.Table{Columns: all.Columns}
		for q.Offset < len(all.Rows) {
			// The last page has no limit.
			q.Limit = &size
			if q.Offset+size >= len(all.Rows) {
				q.Limit = nil
			}
			pages.Rows = append(pages.Rows, s.rows(t, q).Rows...)
			q.Offset += size
		}
		if diff := table.Diff(all, pages, true); diff != "" {
			t.Errorf("pages of %d rows of %s\n%s", size, q.json(), diff)
		}
		return true
	})
}

func TestLaws_LastRunningSumIsTheTotal(t *testing.T) {
	t.Parallel()
	laws(t, 8, func(t *testing.T, r *maker, s *subject) bool {
		d := pick(r, r.m.datasets)
		sums := slices.DeleteFunc(r.m.additive(), func(x *metric) bool { return x.homes[0] != d || x.base.function != "SUM" })
		if len(sums) == 0 || !d.timed() {
			return false
		}
		running := &metric{
			name: "running", expr: sums[0].expr, homes: sums[0].homes, number: true, windows: true,
			payload: `"window": {"type": "cumulative", "function": "sum"}`,
		}
		m := r.m.clone()
		m.metrics = append(m.metrics, running)
		with := openSubject(t, 0, m)
		defer with.close()
		grain := pick(r, grains)
		q := &question{
			Metrics: []string{"running", sums[0].name}, GroupBy: []query.GroupBy{{Field: "metric_time", Grain: grain}},
			OrderBy: []query.OrderBy{{Key: "metric_time__" + grain}},
		}
		got, _, err := with.answer(t.Context(), q.json())
		if err != nil {
			return false // the axis stores coarser periods
		}
		dated := slices.DeleteFunc(got.Rows, func(row table.Row) bool { return row[0].Kind == table.CellKindNull })
		if len(dated) == 0 {
			return false
		}
		if a, b := number(t, dated[len(dated)-1][1]), total(t, dated, 2); !nearlyEqual(a, b) {
			t.Errorf("%s\nthe running sum ends at %v, the buckets have %v", q.json(), a, b)
		}
		return true
	})
}
