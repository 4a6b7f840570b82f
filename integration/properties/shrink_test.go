package properties_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// shrinkTime bounds the search for a smaller failure.
const shrinkTime = 20 * time.Second

// failure is a model and a question on which engine and reference differ.
type failure struct {
	m *model
	q planeQuery
}

// shrinker looks for a smaller failure: it leaves out one thing after the other
// and keeps what still fails.
type shrinker struct {
	ctx   context.Context
	best  failure
	on    []*servers.Server // where it fails; DuckDB is always asked
	kind  string            // of the difference, which stays the same
	until time.Time
}

func shrink(ctx context.Context, m *model, q planeQuery, on []*servers.Server, problem string) failure {
	s := &shrinker{ctx, failure{m, q}, on, kindOfProblem(problem), time.Now().Add(shrinkTime)}
	for again := true; again; {
		again = s.question()
		again = s.rows() || again
		again = s.model() || again
	}
	return s.best
}

// kindOfProblem returns what a difference begins with: the engine that has it, or which side rejects, with the code.
func kindOfProblem(problem string) string {
	kind, _, _ := strings.Cut(problem, "\n")
	words := strings.Fields(kind)
	return strings.Join(words[:min(4, len(words))], " ")
}

// try keeps a candidate that still fails.
func (s *shrinker) try(m *model, q planeQuery) bool {
	if time.Now().After(s.until) {
		return false
	}
	subject, err := open(s.ctx, m, s.on...)
	if err != nil {
		return false
	}
	defer subject.close()
	if v := subject.compareWithReference(s.ctx, q); v.problem == "" || kindOfProblem(v.problem) != s.kind {
		return false
	}
	s.best = failure{m, q}
	return true
}

// without tries to leave out each of n things.
func (s *shrinker) without(n int, candidate func(i int) (*model, planeQuery)) (smaller bool) {
	for i := n - 1; i >= 0; i-- {
		smaller = s.try(candidate(i)) || smaller
	}
	return smaller
}

// question leaves out parts of the query.
func (s *shrinker) question() (smaller bool) {
	for _, part := range s.best.q.parts() {
		smaller = s.without(part.n, func(i int) (*model, planeQuery) { return s.best.m, s.best.q.without(part.edit, i) }) || smaller
	}
	return smaller
}

// part is a list in a query, of which any element can be left out.
type part struct {
	n    int
	edit func(q planeQuery, i int)
}

func (q *question) without(edit func(planeQuery, int), i int) planeQuery {
	c := q.clone()
	edit(c, i)
	return c
}

func (q *question) parts() []part {
	of := func(n int, edit func(q *question, i int)) part {
		return part{n, func(q planeQuery, i int) { edit(q.(*question), i) }}
	}
	names, tags := slices.Sorted(maps.Keys(q.Params)), slices.Sorted(maps.Keys(q.TimeRanges))
	return []part{
		of(max(0, len(q.Metrics)-1), func(q *question, i int) { q.Metrics = slices.Delete(q.Metrics, i, i+1) }),
		of(len(q.GroupBy), func(q *question, i int) { q.GroupBy = slices.Delete(q.GroupBy, i, i+1) }),
		of(len(q.OrderBy), func(q *question, i int) { q.OrderBy = slices.Delete(q.OrderBy, i, i+1) }),
		of(len(conjuncts(q.WhereSQL)), func(q *question, i int) { q.WhereSQL = withoutConjunct(q.WhereSQL, i) }),
		of(len(conjuncts(q.ContextFilter)), func(q *question, i int) { q.ContextFilter = withoutConjunct(q.ContextFilter, i) }),
		of(len(names), func(q *question, i int) { delete(q.Params, names[i]) }),
		of(len(tags), func(q *question, i int) { delete(q.TimeRanges, tags[i]) }),
		of(asInt(q.TimeRange != nil), func(q *question, _ int) { q.TimeRange, q.AsOf = nil, "" }),
		of(asInt(q.FanOut != ""), func(q *question, _ int) { q.FanOut = "" }),
		of(asInt(q.Limit != nil), func(q *question, _ int) { q.Limit = nil }),
		of(asInt(q.Offset != 0), func(q *question, _ int) { q.Offset = 0 }),
		of(len(q.With), func(q *question, i int) { q.With = slices.Delete(q.With, i, i+1) }),
		of(len(q.Totals), func(q *question, i int) { q.Totals = slices.Delete(q.Totals, i, i+1) }),
		of(len(q.Shares), func(q *question, i int) { q.Shares = slices.Delete(q.Shares, i, i+1) }),
		of(asInt(q.Compare != nil), func(q *question, _ int) { q.Compare = nil }),
		of(asInt(q.Top != nil && q.Top.Within != nil), func(q *question, _ int) { q.Top = withoutWithin(q.Top) }),
		of(asInt(q.Top != nil && q.Top.Rank != nil), func(q *question, _ int) { q.Top = withoutRank(q.Top) }),
		of(asInt(q.Top != nil), func(q *question, _ int) { q.Top = nil }),
		of(asInt(q.View != ""), func(q *question, _ int) { q.View, q.Defaults = "", nil }),
		of(asInt(q.Fill != nil), func(q *question, _ int) { q.Fill = nil }),
		of(asInt(q.TimeZone != ""), func(q *question, _ int) { q.TimeZone = "" }),
		of(asInt(q.WeekStart != ""), func(q *question, _ int) { q.WeekStart = "" }),
	}
}

// withoutWithin copies top without the columns for each of whose groups it keeps values.
func withoutWithin(top *query.Top) *query.Top {
	c := *top
	c.Within = nil
	return &c
}

// withoutRank copies top without the ranking by other rows.
func withoutRank(top *query.Top) *query.Top {
	c := *top
	c.Rank = nil
	return &c
}

func (q *detail) without(edit func(planeQuery, int), i int) planeQuery {
	c := *q
	c.Fields, c.OrderBy, c.Params, c.With = slices.Clone(q.Fields), slices.Clone(q.OrderBy), maps.Clone(q.Params), slices.Clone(q.With)
	edit(&c, i)
	return &c
}

func (q *detail) parts() []part {
	of := func(n int, edit func(q *detail, i int)) part {
		return part{n, func(q planeQuery, i int) { edit(q.(*detail), i) }}
	}
	names := slices.Sorted(maps.Keys(q.Params))
	return []part{
		of(len(q.OrderBy), func(q *detail, i int) { q.OrderBy = slices.Delete(q.OrderBy, i, i+1) }),
		of(len(q.Fields)-1, func(q *detail, i int) { q.Fields = slices.Delete(q.Fields, i, i+1) }),
		of(len(conjuncts(q.WhereSQL)), func(q *detail, i int) { q.WhereSQL = withoutConjunct(q.WhereSQL, i) }),
		of(len(names), func(q *detail, i int) { delete(q.Params, names[i]) }),
		of(asInt(q.TimeRange != nil), func(q *detail, _ int) { q.TimeRange, q.AsOf = nil, "" }),
		of(asInt(q.Limit != 0), func(q *detail, _ int) { q.Limit = 0 }),
		of(asInt(q.Offset != 0), func(q *detail, _ int) { q.Offset = 0 }),
		of(len(q.With), func(q *detail, i int) { q.With = slices.Delete(q.With, i, i+1) }),
		of(asInt(q.TimeZone != ""), func(q *detail, _ int) { q.TimeZone = "" }),
		of(asInt(q.WeekStart != ""), func(q *detail, _ int) { q.WeekStart = "" }),
	}
}

func withoutConjunct(text string, i int) string {
	return strings.Join(slices.Delete(conjuncts(text), i, i+1), " AND ")
}

// conjuncts splits a condition at its ANDs; "" has none.
func conjuncts(text string) []string {
	x, err := sqlexpr.Parse(text)
	if text == "" || err != nil {
		return nil
	}
	var out []string
	for _, c := range sqlexpr.SplitConjuncts(x) {
		part := sqlexpr.Format(c)
		if b, ok := c.(*sqlexpr.Binary); ok && b.Op == sqlexpr.OpOr {
			part = parens(part)
		}
		out = append(out, part)
	}
	return out
}

// rows leaves out halves of tables, then quarters, down to single rows.
func (s *shrinker) rows() (smaller bool) {
	for d := range s.best.m.datasets {
		for size := max(1, len(s.best.m.datasets[d].rows)/2); ; size /= 2 {
			for at := 0; at < len(s.best.m.datasets[d].rows); {
				m := s.best.m.clone()
				m.datasets[d].rows = slices.Delete(m.datasets[d].rows, at, min(at+size, len(m.datasets[d].rows)))
				if s.try(m, s.best.q) {
					smaller = true
				} else {
					at += size
				}
			}
			if size <= 1 {
				break
			}
		}
	}
	return smaller
}

// model leaves out metrics, then datasets with all that names them, then fields.
func (s *shrinker) model() (smaller bool) {
	smaller = s.without(len(s.best.m.metrics), func(i int) (*model, planeQuery) {
		m := s.best.m.clone()
		m.metrics = slices.Delete(m.metrics, i, i+1)
		return m, s.best.q
	})
	smaller = s.without(len(s.best.m.datasets), func(i int) (*model, planeQuery) {
		m := s.best.m.clone()
		gone := m.datasets[i]
		m.datasets = slices.Delete(m.datasets, i, i+1)
		m.relations = slices.DeleteFunc(m.relations, func(r *relation) bool { return r.from.name == gone.name || r.to.name == gone.name })
		return m, s.best.q
	}) || smaller
	smaller = s.without(len(s.best.m.relations), func(i int) (*model, planeQuery) {
		m := s.best.m.clone()
		m.relations = slices.Delete(m.relations, i, i+1)
		return m, s.best.q
	}) || smaller
	for d := range s.best.m.datasets {
		smaller = s.without(len(s.best.m.datasets[d].fields), func(i int) (*model, planeQuery) {
			m := s.best.m.clone()
			m.datasets[d].fields = slices.Delete(m.datasets[d].fields, i, i+1)
			return m, s.best.q
		}) || smaller
	}
	return smaller
}

// clone copies a model as deep as the shrinker changes it.
func (m *model) clone() *model {
	c := &model{relations: slices.Clone(m.relations), metrics: slices.Clone(m.metrics), calendar: m.calendar, views: m.views}
	for _, d := range m.datasets {
		e := *d
		e.rows, e.fields = slices.Clone(d.rows), slices.Clone(d.fields)
		c.datasets = append(c.datasets, &e)
	}
	return c
}

// txtar returns the failure as a case of the corpus, with the reference's answer.
func (f failure) txtar(seed uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Found by SEMLAYER_PROPERTY_SEED=%d.\n-- model.yaml --\n%s-- data.sql --\n%s-- data.mysql.sql --\n%s-- %s --\n%s\n",
		seed, f.m.yaml(), f.m.sql("postgres"), f.m.sql("mysql"), section(f.q), f.q.json())
	s, err := open(context.Background(), f.m)
	if err != nil {
		return b.String()
	}
	defer s.close()
	p, err := f.q.plane().prepare(f.q.json())
	if err != nil {
		return b.String()
	}
	want, err := p.answer(s.model, s.data)
	var refusal *reference.Rejection
	switch {
	case errors.As(err, &refusal):
		code, _ := json.Marshal(refusal.Must[0])
		fmt.Fprintf(&b, "-- error.json --\n{\"code\":%s}\n", code)
	case err == nil:
		b.WriteString("-- rows.txt --\n" + readable(want))
	}
	return b.String()
}

// section is where a case has its query.
func section(q planeQuery) string {
	if q.plane() == detailPlane {
		return "select.json"
	}
	return "query.json"
}

// readable returns a result in the form of a rows.txt, with numbers as people write
// them.
func readable(r *reference.Result) string {
	t := &table.Table{Columns: r.Columns}
	for _, values := range r.Rows {
		var row table.Row
		for _, v := range values {
			c := cellOf(v)
			if n, ok := v.(float64); ok {
				c.Text = strconv.FormatFloat(n, 'f', -1, 64)
			}
			row = append(row, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return printed(t)
}
