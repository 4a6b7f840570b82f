package properties_test

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/planner/query"
)

// asker runs a question: an engine, or the reference with a fault or without one.
type asker func(q *question) (*table.Table, error)

// constructLaws are rules about the results of some keys. Each describes how the results break it,
// "" when they do not; held is false where the random choice let nothing be compared.
var constructLaws = []func(r *maker, ask asker) (problem string, held bool){
	totalRowLaw, sharesLaw, topLaw, previousLaw, zoneLaw, fillLaw, distinctLaw, inlineLaw, relativeLaw, joinedLaw,
	snapshotSumLaw, oneSnapshotLaw, validLaw,
	rankLaw, recomputedLaw, aggregatesLaw, pairsLaw, onceLaw, singleBucketLaw, sumWindowsLaw, levelLaw,
}

func TestLaws_TotalRowEqualsTheQueryWithoutItsDimensions(t *testing.T) {
	holdLaw(t, totalRowLaw)
}

func TestLaws_SharesAddToOneAndStayUnderConditions(t *testing.T) { holdLaw(t, sharesLaw) }

func TestLaws_OtherTopAndNullMakeTheTotal(t *testing.T) { holdLaw(t, topLaw) }

func TestLaws_PreviousEqualsTheQueryOverThePreviousRange(t *testing.T) {
	holdLaw(t, previousLaw)
}

func TestLaws_DaysOfAZoneAddToTheRange(t *testing.T) { holdLaw(t, zoneLaw) }

func TestLaws_FilledAndPlainAgreeOnUnfilledRows(t *testing.T) { holdLaw(t, fillLaw) }

func TestLaws_DistinctEqualsTheGroupsOfACount(t *testing.T) { holdLaw(t, distinctLaw) }

func TestLaws_InlineMetricEqualsTheMetricOfTheModel(t *testing.T) { holdLaw(t, inlineLaw) }

func TestLaws_RelativeRangeEqualsItsBounds(t *testing.T) { holdLaw(t, relativeLaw) }

func TestLaws_LastAddsUpOverDimensionsButTime(t *testing.T) {
	holdLawOver(t, newSnapshotMaker, snapshotSumLaw)
}

func TestLaws_OneSnapshotEqualsThePlainMetric(t *testing.T) {
	holdLawOver(t, newSnapshotMaker, oneSnapshotLaw)
}

// holdLaw checks a law on the engine.
func holdLaw(t *testing.T, holds func(r *maker, ask asker) (string, bool)) {
	t.Helper()
	holdLawOver(t, newMaker, holds)
}

// holdLawOver checks a law on the engine, over the models of a maker.
func holdLawOver(t *testing.T, makerOf func(seed uint64) *maker, holds func(r *maker, ask asker) (string, bool)) {
	t.Helper()
	t.Parallel()
	lawsOver(t, makerOf, 8, func(t *testing.T, r *maker, s *subject) bool {
		for range 4 { // the random choice of one question may let nothing be compared
			problem, held := holds(r, func(q *question) (*table.Table, error) {
				got, _, err := s.answer(t.Context(), q.json())
				return got, err
			})
			if problem != "" {
				t.Error(problem)
			}
			if held || problem != "" {
				return held
			}
		}
		return false
	})
}

// TestLaws_FindFaults checks the laws themselves: over a reference with a fault one of them breaks,
// and over the reference without one none does.
func TestLaws_FindFaults(t *testing.T) {
	t.Parallel()
	for _, fault := range append([]reference.InjectedFault{reference.NoFault}, reference.InjectedFaults()...) {
		t.Run(fault.String(), func(t *testing.T) {
			t.Parallel()
			broken := ""
			for seed := uint64(1); seed <= 40 && broken == ""; seed++ {
				r := newMaker(seed)
				m := r.model()
				known, err := reference.CompileModel(t.Context(), []byte(m.yaml()))
				if err != nil {
					t.Fatal(err)
				}
				ask := func(q *question) (*table.Table, error) {
					p, err := query.DecodeMetric([]byte(q.json()))
					if err != nil {
						return nil, err
					}
					got, err := reference.AnswerMetricQueryWithFault(known, m.data(), p, fault)
					if err != nil {
						return nil, err
					}
					return tableOf(got), nil
				}
				for _, holds := range constructLaws {
					for range 6 {
						if problem, _ := holds(r, ask); problem != "" {
							broken = fmt.Sprintf("SEMLAYER_PROPERTY_SEED=%d %s", seed, problem)
						}
					}
				}
			}
			switch {
			case fault == reference.NoFault && broken != "":
				t.Errorf("the reference breaks a law: %s", broken)
			case fault != reference.NoFault && broken == "":
				t.Errorf("no law finds the fault %q", fault)
			}
			t.Logf("%s", broken)
		})
	}
}

// compareTables describes how two answers differ.
func compareTables(q *question, want, got *table.Table) string {
	if diff := table.Diff(want, got, false); diff != "" {
		return q.json() + "\n" + diff
	}
	return ""
}

// plainMetric returns a metric without a window, a parameter or a declared axis.
func (r *maker) plainMetric() (*metric, bool) {
	x := pick(r, r.m.metrics)
	return x, !x.windows && len(x.params) == 0 && len(r.fieldParams(x)) == 0 && len(x.homes) == 1 && !strings.Contains(x.payload, "time_dimension")
}

// outerGroups adds group-bys that lose and repeat no row of a metric.
func (r *maker) outerGroups(q *question, x *metric, n int) {
	for _, p := range some(r, r.outer(x), n) {
		if item := p.group(r); !slices.Contains(r.groupNames(q), r.groupName(item)) {
			q.GroupBy = append(q.GroupBy, item)
		}
	}
}

func totalRowLaw(r *maker, ask asker) (string, bool) {
	x, ok := r.plainMetric()
	q := &question{Metrics: []string{x.name}}
	if r.outerGroups(q, x, 2); !ok || len(q.GroupBy) == 0 {
		return "", false
	}
	keep := r.IntN(len(q.GroupBy))
	q.Totals = [][]string{r.groupNames(q)[:keep]}
	all, err := ask(q)
	if err != nil {
		return "", false
	}
	coarse := q.clone()
	coarse.Totals, coarse.GroupBy = nil, q.GroupBy[:keep]
	want, err := ask(coarse)
	if err != nil {
		return err.Error(), true
	}
	got := &table.Table{Columns: want.Columns}
	for _, row := range all.Rows {
		if row[len(row)-1].Text != "0" && row[len(row)-1].Text != decimal(0) {
			got.Rows = append(got.Rows, append(slices.Clone(row[:keep]), row[len(q.GroupBy)]))
		}
	}
	return compareTables(q, want, got), true
}

func sharesLaw(r *maker, ask asker) (string, bool) {
	x := pick(r, r.m.additive())
	q := &question{Metrics: []string{x.name}, Shares: []query.ShareRequest{{Metric: x.name}}}
	if r.outerGroups(q, x, 2); len(q.GroupBy) == 0 {
		return "", false
	}
	all, err := ask(q)
	if err != nil || len(all.Rows) == 0 {
		return "", false
	}
	sum, n := 0.0, len(q.GroupBy)
	for _, row := range all.Rows {
		if row[n+1].Kind == table.CellKindNull {
			return "", false // nothing to divide, or nothing to divide by
		}
		sum += cellNumber(row[n+1])
	}
	if !nearlyEqual(sum, 1) {
		return fmt.Sprintf("%s\nthe shares add to %v", q.json(), sum), true
	}
	q.WhereSQL = x.name + " > 2.137"
	some, err := ask(q)
	if err != nil {
		return err.Error(), true
	}
	for _, row := range some.Rows {
		if !contains(all.Rows, row) {
			return fmt.Sprintf("%s\nwithout the condition there is no row %v", q.json(), row), true
		}
	}
	return "", true
}

// cellNumber is 0 for NULL.
func cellNumber(c table.Cell) float64 {
	var n float64
	if c.Kind == table.CellKindNull {
		return 0
	}
	if _, err := fmt.Sscan(c.Text, &n); err != nil {
		return math.NaN()
	}
	return n
}

// topLaw ranks the groups of a plain answer.
func topLaw(r *maker, ask asker) (string, bool) {
	x := pick(r, r.m.additive())
	q := &question{Metrics: []string{x.name}}
	if r.outerGroups(q, x, 1); len(q.GroupBy) == 0 || x.value != exact {
		return "", false
	}
	plain, err := ask(q)
	if err != nil || len(plain.Rows) < 3 {
		return "", false
	}
	rows := slices.Clone(plain.Rows)
	null := slices.IndexFunc(rows, func(row table.Row) bool { return row[0].Kind == table.CellKindNull })
	var want []table.Row
	if null >= 0 {
		want = append(want, rows[null])
		rows = slices.Delete(rows, null, null+1)
	}
	numeric := rows[0][0].Kind == table.CellKindNumber
	sort.Slice(rows, func(i, j int) bool {
		a, b := rows[i], rows[j]
		switch {
		case (a[1].Kind == table.CellKindNull) != (b[1].Kind == table.CellKindNull):
			return b[1].Kind == table.CellKindNull
		case cellNumber(a[1]) != cellNumber(b[1]):
			return cellNumber(a[1]) > cellNumber(b[1])
		case numeric:
			return cellNumber(a[0]) < cellNumber(b[0])
		}
		return a[0].Text < b[0].Text
	})
	n := 1 + r.IntN(len(rows))
	rest, filled := 0.0, 0
	for i, row := range rows {
		if i < n {
			want = append(want, row)
			continue
		}
		rest += cellNumber(row[1])
		filled += asInt(row[1].Kind != table.CellKindNull)
	}
	q.Top = &query.Top{Dimension: r.groupNames(q)[0], N: int64(n)}
	got, err := ask(q)
	if err != nil {
		return err.Error(), true
	}
	var kept []table.Row
	for _, row := range got.Rows {
		if row[1].Text == "false" {
			kept = append(kept, table.Row{row[0], row[2]})
			continue
		}
		if n >= len(rows) || !nearlyEqual(cellNumber(row[2]), rest) || (row[2].Kind == table.CellKindNull) != (filled == 0) {
			return fmt.Sprintf("%s\nthe others have %v, not %v", q.json(), row, rest), true
		}
	}
	if len(got.Rows) != len(kept)+asInt(n < len(rows)) {
		return fmt.Sprintf("%s\nthe row of the others is missing, or there without others", q.json()), true
	}
	columns := make([]string, 2)
	return compareTables(q, &table.Table{Columns: columns, Rows: want}, &table.Table{Columns: columns, Rows: kept}), true
}

// previousLaw compares months and days with the month before.
func previousLaw(r *maker, ask asker) (string, bool) {
	x, ok := r.plainMetric()
	grain := pick(r, []string{"", "day", "day", "month"})
	if !ok && x.isWindowOverTime() && len(x.params) == 0 && len(x.homes) == 1 && grain != "" {
		ok = !strings.Contains(x.payload, "time_dimension") && len(r.fieldParams(x)) == 0
	}
	if !ok || !x.number || x.value == tolerant || !x.homes[0].timed() {
		return "", false
	}
	q := &question{Metrics: []string{x.name}}
	span := func(q *question, start, end string) {
		q.TimeRange = &query.TimeRange{Start: start, End: end, Dimension: "metric_time"}
	}
	if grain != "" {
		q.GroupBy = []query.GroupBy{{Field: "metric_time", Grain: grain}}
	}
	before := q.clone()
	current := pick(r, []time.Month{2, 3, 4, 5})
	day := func(m time.Month) string { return time.Date(2024, m, 1, 0, 0, 0, 0, time.UTC).Format(time.DateOnly) }
	span(q, day(current), day(current+1))
	span(before, day(current-1), day(current))
	q.Compare = query.Comparisons{{Offset: &query.PeriodOffset{Count: 1, Unit: "month"}}}
	got, err := ask(q)
	if err != nil {
		return "", false
	}
	earlier, err := ask(before)
	if err != nil {
		return err.Error(), true
	}
	n := len(q.GroupBy)
	if n == 0 {
		if table.Diff(&table.Table{Rows: earlier.Rows}, &table.Table{Rows: []table.Row{{got.Rows[0][1]}}}, true) != "" {
			return fmt.Sprintf("%s\n%v, the earlier range has %v", q.json(), got.Rows[0], earlier.Rows[0]), true
		}
		return "", true
	}
	for _, row := range got.Rows {
		b, err := time.Parse(time.DateOnly, row[0].Text)
		if err != nil {
			return err.Error(), true
		}
		partner := b.AddDate(0, -1, 0)
		at := slices.IndexFunc(earlier.Rows, func(e table.Row) bool { return e[0].Text == partner.Format(time.DateOnly) })
		switch {
		case partner.Day() != b.Day() && row[2].Kind != table.CellKindNull:
			return fmt.Sprintf("%s\n%v compares with a day that does not exist", q.json(), row), true
		case partner.Day() != b.Day() || at < 0:
			continue
		case !contains([]table.Row{{earlier.Rows[at][1]}}, table.Row{row[2]}):
			return fmt.Sprintf("%s\n%v has the previous value of %v", q.json(), row, earlier.Rows[at]), true
		}
	}
	for _, e := range earlier.Rows {
		b, err := time.Parse(time.DateOnly, e[0].Text)
		if err != nil {
			return err.Error(), true
		}
		next := b.AddDate(0, 1, 0)
		if next.Day() == b.Day() && !slices.ContainsFunc(got.Rows, func(row table.Row) bool { return row[0].Text == next.Format(time.DateOnly) }) {
			return fmt.Sprintf("%s\nno row has the previous value of %v", q.json(), e), true
		}
	}
	return "", true
}

// zoneLaw adds the days of a zone up.
func zoneLaw(r *maker, ask asker) (string, bool) {
	var x *metric
	var instants []*field
	for _, candidate := range some(r, r.m.additive(), 100) {
		for _, f := range candidate.homes[0].fieldsOf(zoned) {
			if f.payload == "" && f.typed {
				x, instants = candidate, append(instants, f)
			}
		}
		if len(instants) > 0 {
			break
		}
	}
	if len(instants) == 0 {
		return "", false
	}
	ref := x.homes[0].name + "." + pick(r, instants).name
	start, end := "2024-01-01", pick(r, []string{"2024-02-01", "2024-03-31", "2024-04-01"})
	q := &question{Metrics: []string{x.name}, TimeZone: pick(r, zones), TimeRange: &query.TimeRange{Start: start, End: end, Dimension: ref}}
	whole, err := ask(q)
	if err != nil {
		return "", false
	}
	q.GroupBy = []query.GroupBy{{Field: ref, Grain: "day"}}
	days, err := ask(q)
	if err != nil {
		return err.Error(), true
	}
	sum := 0.0
	for _, row := range days.Rows {
		if row[0].Text < start || row[0].Text >= end {
			return fmt.Sprintf("%s\n%v is outside the range", q.json(), row), true
		}
		sum += cellNumber(row[1])
	}
	if !nearlyEqual(sum, cellNumber(whole.Rows[0][0])) {
		return fmt.Sprintf("%s\nthe range has %v, its days %v", q.json(), whole.Rows[0], sum), true
	}
	return "", true
}

func fillLaw(r *maker, ask asker) (string, bool) {
	x, ok := r.plainMetric()
	if !ok || !x.homes[0].timed() {
		return "", false
	}
	q := &question{Metrics: []string{x.name}, GroupBy: []query.GroupBy{{Field: "metric_time", Grain: "month"}}}
	if r.chance(40) {
		r.outerGroups(q, x, 1)
	}
	q.TimeRange = &query.TimeRange{Start: "2023-12-01", End: "2024-07-01", Dimension: "metric_time"}
	plain, err := ask(q)
	if err != nil {
		return "", false
	}
	q.Fill = &query.Fill{}
	filled, err := ask(q)
	if err != nil {
		return "", false // two buckets are grouped
	}
	for _, row := range plain.Rows {
		if !contains(filled.Rows, row) {
			return fmt.Sprintf("%s\nwithout fill there is the row %v", q.json(), row), true
		}
	}
	groups := map[string]bool{}
	for _, row := range plain.Rows {
		switch {
		case len(q.GroupBy) > 1 && row[1].Kind == table.CellKindNumber:
			groups[fmt.Sprint(cellNumber(row[1])+0)] = true // where 0 and -0 are one group
		case len(q.GroupBy) > 1:
			groups[cellKey(row[1])] = true
		}
	}
	if want := 7 * max(len(groups), asInt(len(q.GroupBy) == 1)); len(filled.Rows) != want {
		return fmt.Sprintf("%s\n%d rows, not %d", q.json(), len(filled.Rows), want), true
	}
	return "", true
}

func distinctLaw(r *maker, ask asker) (string, bool) {
	joins := func(x *metric) bool { // which may drop rows of the metric
		return slices.ContainsFunc(r.m.datasets, func(d *dataset) bool { return d != x.homes[0] && strings.Contains(x.expr, d.name+".") }) ||
			slices.ContainsFunc(r.m.relations, func(rel *relation) bool { return strings.Contains(x.expr, rel.name+".") })
	}
	counts := slices.DeleteFunc(r.m.additive(), func(x *metric) bool { return x.base.function != "COUNT" || joins(x) })
	if len(counts) == 0 {
		return "", false
	}
	x := pick(r, counts)
	q := &question{Metrics: []string{x.name}}
	r.groupBy(q, slices.DeleteFunc(r.places(x.homes), func(p place) bool { return !p.safe }), false, false)
	q.GroupBy = slices.DeleteFunc(q.GroupBy, func(g query.GroupBy) bool { return g.Field == "metric_time" })
	if len(q.GroupBy) == 0 {
		return "", false
	}
	want, err := ask(q)
	if err != nil {
		return "", false
	}
	q.Metrics, q.Distinct, q.From = nil, true, x.homes[0].name
	got, err := ask(q)
	if err != nil {
		return fmt.Sprintf("%s\n%v", q.json(), err), true
	}
	n := len(q.GroupBy)
	groups := &table.Table{Columns: want.Columns[:n]}
	for _, row := range want.Rows {
		groups.Rows = append(groups.Rows, row[:n])
	}
	return compareTables(q, groups, got), true
}

func inlineLaw(r *maker, ask asker) (string, bool) {
	x, ok := r.plainMetric()
	if !ok || x.base == nil || x.filter != "" || x.payload != "" || x.isList() {
		return "", false
	}
	q := &question{Metrics: []string{x.name}}
	r.outerGroups(q, x, 2)
	want, err := ask(q)
	if err != nil {
		return "", false
	}
	inline := q.clone()
	inline.Metrics, inline.inline = []string{"mine"}, map[string]query.InlineMetric{"mine": {Name: "mine", Expression: x.expr}}
	got, err := ask(inline)
	if err != nil {
		return fmt.Sprintf("%s\n%v", inline.json(), err), true
	}
	got.Columns = want.Columns
	return compareTables(inline, want, got), true
}

func relativeLaw(r *maker, ask asker) (string, bool) {
	x, ok := r.plainMetric()
	if !ok || !x.homes[0].timed() {
		return "", false
	}
	q := &question{Metrics: []string{x.name}, TimeRange: &query.TimeRange{Start: "2024-03-01", End: "2024-05-01", Dimension: "metric_time"}}
	last := &query.RelativeRange{N: 2, Unit: "month"}
	if r.chance(50) {
		complete := false
		last.Complete = &complete
		q.TimeRange.Start, q.TimeRange.End = "2024-04-01", "2024-05-16"
	}
	want, err := ask(q)
	if err != nil {
		return "", false
	}
	q.AsOf, q.TimeRange = pick(r, []string{"2024-05-15", "2024-05-15T13:00:00"}), &query.TimeRange{Last: last, Dimension: "metric_time"}
	got, err := ask(q)
	if err != nil {
		return fmt.Sprintf("%s\n%v", q.json(), err), true
	}
	return compareTables(q, want, got), true
}
