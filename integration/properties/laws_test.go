package properties_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/prepare"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

// additive lists the metrics of SUM and COUNT, whose values over parts add up.
func (m *model) additive() []*metric {
	var out []*metric
	for _, x := range m.metrics {
		if x.base != nil && x.payload == "" && (x.base.function == "SUM" || x.base.function == "COUNT") {
			out = append(out, x)
		}
	}
	return out
}

// laws runs a check on random models, without the reference. A check reports
// whether the random choice let it compare anything.
func laws(t *testing.T, perModel int, check func(t *testing.T, r *maker, s *subject) bool) {
	t.Helper()
	lawsOver(t, newMaker, perModel, check)
}

// lawsOver checks a law over the models of a maker.
func lawsOver(t *testing.T, makerOf func(seed uint64) *maker, perModel int, check func(t *testing.T, r *maker, s *subject) bool) {
	t.Helper()
	seed, queries := settings(t)
	models, compared := max(10, queries/200), 0
	least := models * perModel / 4
	for asked := 0; asked < models || compared < least && asked < 4*models; asked++ {
		r := makerOf(seed)
		m := r.model()
		s := openSubject(t, seed, m)
		for range perModel {
			compared += asInt(check(t, r, s))
			if t.Failed() {
				s.close()
				t.Fatalf("SEMLAYER_PROPERTY_SEED=%d", seed)
			}
		}
		s.close()
		seed++
	}
	t.Attr("comparisons", strconv.Itoa(compared))
	t.Attr("broken", strconv.Itoa(asInt(t.Failed())))
	if compared < least {
		t.Errorf("the law was put to the test %d times only", compared)
	}
}

func asInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rows executes a query that must have a result.
func (s *subject) rows(t *testing.T, q *question) *table.Table {
	t.Helper()
	got, sql, err := s.answer(t.Context(), q.json())
	if err != nil {
		t.Fatalf("%s\n%v\n%s", q.json(), err, sql)
	}
	return got
}

func number(t *testing.T, c table.Cell) float64 {
	t.Helper()
	if c.Kind == table.CellKindNull {
		return 0
	}
	n, err := strconv.ParseFloat(c.Text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func nearlyEqual(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b))
}

// total adds up a column.
func total(t *testing.T, rows []table.Row, column int) float64 {
	t.Helper()
	sum := 0.0
	for _, r := range rows {
		sum += number(t, r[column])
	}
	return sum
}

// outer lists what an additive metric can be grouped by so that no row is lost
// or repeated: safe paths without a relationship that drops rows.
func (r *maker) outer(x *metric) []place {
	var out []place
	for _, p := range r.places(x.homes) {
		if p.safe && strings.Count(p.ref, ".") == 1 && !r.drops(x.homes[0], p.ref) && !strings.Contains(p.field.payload, "is_dimension") {
			out = append(out, p)
		}
	}
	return out
}

// drops reports whether an inner relationship may be between a home and a
// field. It looks at all inner relationships there are.
func (r *maker) drops(home *dataset, ref string) bool {
	if strings.HasPrefix(ref, home.name+".") {
		return strings.Contains(ref, "_lod")
	}
	return slices.ContainsFunc(r.m.relations, func(rel *relation) bool { return rel.inner })
}

func (p place) group(r *maker) query.GroupBy {
	g := query.GroupBy{Field: p.ref}
	if p.field.isTime() && p.field.payload == "" && r.chance(70) {
		g.Grain = pick(r, grains)
	}
	return g
}

func TestLaws_SafeGroupByKeepsTheTotal(t *testing.T) {
	t.Parallel()
	laws(t, 8, func(t *testing.T, r *maker, s *subject) bool {
		x := pick(r, r.m.additive())
		places := r.outer(x)
		if len(places) == 0 {
			return false
		}
		q := &question{Metrics: []string{x.name}}
		whole := s.rows(t, q)
		for _, p := range some(r, places, 2) {
			if item := p.group(r); !slices.ContainsFunc(q.GroupBy, func(g query.GroupBy) bool { return strings.HasSuffix(g.Field, "."+p.field.name) }) {
				q.GroupBy = append(q.GroupBy, item)
			}
		}
		parts := s.rows(t, q)
		if a, b := number(t, whole.Rows[0][0]), total(t, parts.Rows, len(q.GroupBy)); !nearlyEqual(a, b) {
			t.Errorf("%s\nthe total is %v, that of the groups %v", q.json(), a, b)
		}
		return true
	})
}

func TestLaws_AdditiveMetricsRollUp(t *testing.T) {
	t.Parallel()
	laws(t, 8, func(t *testing.T, r *maker, s *subject) bool {
		x := pick(r, r.m.additive())
		places := slices.DeleteFunc(r.outer(x), func(p place) bool { return p.field.isTime() })
		pair := some(r, places, 2)
		if len(pair) < 2 || pair[0].name == pair[1].name {
			return false
		}
		coarse := &question{Metrics: []string{x.name}, GroupBy: []query.GroupBy{pair[0].group(r)}}
		fine := coarse.clone()
		fine.GroupBy = append(fine.GroupBy, pair[1].group(r))
		sums := map[string]float64{}
		for _, row := range s.rows(t, fine).Rows {
			sums[cellKey(row[0])] += number(t, row[2])
		}
		for _, row := range s.rows(t, coarse).Rows {
			k := cellKey(row[0])
			if !nearlyEqual(sums[k], number(t, row[1])) {
				t.Errorf("%s\n%s: %v, rolled up %v", fine.json(), k, row[1], sums[k])
			}
			delete(sums, k)
		}
		if len(sums) > 0 {
			t.Errorf("%s\ngroups that the coarser query lacks: %v", fine.json(), sums)
		}
		return true
	})
}

func cellKey(c table.Cell) string {
	if c.Text == "-0" {
		c.Text = "0"
	}
	return fmt.Sprintf("%d:%s", c.Kind, c.Text)
}

func TestLaws_ConditionNegationAndUnknownMakeTheWhole(t *testing.T) {
	t.Parallel()
	laws(t, 8, func(t *testing.T, r *maker, s *subject) bool {
		x := pick(r, r.m.additive())
		places := slices.DeleteFunc(r.outer(x), func(p place) bool { return p.field.kind == code || p.field.encoded != "" })
		if len(places) == 0 {
			return false
		}
		p := pick(r, places)
		condition := r.test(p.field, p.ref)
		if r.chance(40) {
			other := pick(r, places)
			condition = parens(condition) + pick(r, []string{" AND ", " OR "}) + parens(r.test(other.field, other.ref))
		}
		q := &question{Metrics: []string{x.name}}
		whole, parts := number(t, s.rows(t, q).Rows[0][0]), 0.0
		for _, form := range []string{"(%s)", "NOT (%s)", "((%s) IS NULL)"} {
			q.WhereSQL = fmt.Sprintf(form, condition)
			if r.chance(50) && !strings.Contains(x.expr, "_lod") { // which a context would change
				q.WhereSQL, q.ContextFilter = "", q.WhereSQL
			}
			parts += number(t, s.rows(t, q).Rows[0][0])
			q.WhereSQL, q.ContextFilter = "", ""
		}
		if !nearlyEqual(whole, parts) {
			t.Errorf("%s by %s\nthe whole is %v, the three parts are %v", x.name, condition, whole, parts)
		}
		return true
	})
}

func TestLaws_DisjointRangesAddUp(t *testing.T) {
	t.Parallel()
	laws(t, 8, func(t *testing.T, r *maker, s *subject) bool {
		x := pick(r, r.m.additive())
		if !x.homes[0].timed() {
			return false
		}
		q := &question{Metrics: []string{x.name}}
		ask := func(start, end string) float64 {
			q.TimeRange = &query.TimeRange{Start: start, End: end, Dimension: "metric_time"}
			got, _, err := s.answer(t.Context(), q.json())
			if err != nil {
				return math.NaN() // the axis stores coarser periods than the bounds
			}
			return number(t, got.Rows[0][0])
		}
		cuts := []string{"", "2024-01-01", "2024-02-01", "2024-02-29", "2024-04-01", ""}
		from := r.IntN(3)
		to := from + 2 + r.IntN(len(cuts)-from-2)
		sum := 0.0
		for i := from; i < to; i++ {
			sum += ask(cuts[i], cuts[i+1])
		}
		if cuts[from] == "" && cuts[to] == "" {
			return false // no range at all holds rows without a time as well
		}
		whole := ask(cuts[from], cuts[to])
		if math.IsNaN(sum) || math.IsNaN(whole) {
			return false
		}
		if !nearlyEqual(sum, whole) {
			t.Errorf("%s\nfrom %s to %s it is %v, in parts %v", q.json(), cuts[from], cuts[to], whole, sum)
		}
		return true
	})
}

func TestLaws_OrderOfMetricsDoesNotMatter(t *testing.T) {
	t.Parallel()
	laws(t, 8, func(t *testing.T, r *maker, s *subject) bool {
		q := r.question()
		q.Limit, q.OrderBy, q.Offset = nil, nil, 0
		straight, _, err := s.answer(t.Context(), q.json())
		if err != nil || len(q.Params) > 0 || len(q.TimeRanges) > 0 {
			return false
		}
		slices.Reverse(q.Metrics)
		turned := s.rows(t, q)
		n := len(q.GroupBy)
		back := &table.Table{Columns: rotate(turned.Columns, n)}
		for _, row := range turned.Rows {
			back.Rows = append(back.Rows, rotate(row, n))
		}
		if diff := table.Diff(straight, back, false); diff != "" {
			t.Errorf("%s\n%s", q.json(), diff)
		}
		return true
	})
}

// rotate reverses the elements after the first n.
func rotate[S ~[]E, E any](list S, n int) S {
	out := slices.Clone(list)
	slices.Reverse(out[n:])
	return out
}

func TestLaws_SQLDoesNotDependOnModelOrder(t *testing.T) {
	t.Parallel()
	laws(t, 1, func(t *testing.T, r *maker, s *subject) bool {
		var questions []*question
		for range 25 {
			questions = append(questions, r.question())
		}
		shuffled := r.m.clone()
		r.Shuffle(len(shuffled.datasets), func(i, j int) {
			shuffled.datasets[i], shuffled.datasets[j] = shuffled.datasets[j], shuffled.datasets[i]
		})
		r.Shuffle(len(shuffled.metrics), func(i, j int) {
			shuffled.metrics[i], shuffled.metrics[j] = shuffled.metrics[j], shuffled.metrics[i]
		})
		r.Shuffle(len(shuffled.relations), func(i, j int) {
			shuffled.relations[i], shuffled.relations[j] = shuffled.relations[j], shuffled.relations[i]
		})
		other, err := open(t.Context(), shuffled)
		if err != nil {
			t.Fatal(err)
		}
		defer other.close()
		for _, q := range questions {
			a, b := compiled(t, s, q), compiled(t, other, q)
			if a != b {
				t.Errorf("%s\n%s\n%s", q.json(), a, b)
			}
		}
		return true
	})
}

// compiled returns the SQL of a question, or the code of its error.
func compiled(t *testing.T, s *subject, q *question) string {
	t.Helper()
	decoded, err := query.DecodeMetric([]byte(q.json()))
	if err != nil {
		t.Fatal(err)
	}
	c, err := prepare.SQL(t.Context(), s.engine, decoded)
	if err != nil {
		return "refused"
	}
	return c.SQL
}
