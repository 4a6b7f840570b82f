package properties_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

// A list of comparisons is answered by one question for each of them. Their rows are put together here: a group has a row where one of them
// has it, and another has no rows there.

// comparisonList is a question with several comparisons, and the questions with one each.
type comparisonList struct {
	q       *question
	singles []comparedQuestion
}

// comparisonList makes a question with two to four comparisons.
func (r *maker) comparisonList() (comparisonList, bool) {
	c, ok := r.comparedQuestion()
	if !ok {
		return comparisonList{}, false
	}
	out := comparisonList{q: c.q.clone()}
	out.q.Compare = nil
	for _, name := range some(r, []string{"", "ly", "q_1", "2"}, 2+r.IntN(3)) {
		one, ok := r.otherComparison(c)
		if !ok {
			return out, false
		}
		item := &one.q.Compare[0]
		item.Name = name
		if r.chance(40) {
			item.Metrics = some(r, c.q.Metrics, 1+r.IntN(len(c.q.Metrics)))
		}
		out.q.Compare, out.singles = append(out.q.Compare, *item), append(out.singles, one)
	}
	return out, true
}

// otherComparison returns the question with another comparison, one in four of which is aligned to weekdays.
func (r *maker) otherComparison(c comparedQuestion) (comparedQuestion, bool) {
	out := c
	out.q = c.q.clone()
	if (c.bucket < 0 || c.grain == "day" || c.grain == "week") && r.chance(25) {
		out.q.Compare = query.Comparisons{{Offset: &query.PeriodOffset{Count: int64(1 + r.IntN(3)), Unit: pick(r, []string{"month", "quarter", "year"})}, Align: query.AlignWeekday}}
		return out, true
	}
	if r.chance(30) {
		out.previous = query.TimeRange{Start: pick(r, bounds), End: pick(r, bounds)}
		other := out.previous
		out.q.Compare = query.Comparisons{{Range: &other}}
		return out, other.Start < other.End
	}
	unit := pick(r, []string{"day", "week", "month", "month", "quarter", "year"})
	if c.grain != "" && r.chance(60) {
		unit = c.grain
	}
	out.q.Compare = query.Comparisons{{Offset: &query.PeriodOffset{Count: int64(1 + r.IntN(3)), Unit: unit}}}
	return out, true
}

// meetsEarlier reports whether the bucket of a row meets one of the earlier range.
func (c comparedQuestion) meetsEarlier(bucket string) bool {
	return c.bucket < 0 || c.q.Compare[0].Align != "" || c.partners()[bucket] != ""
}

// keyOfRow returns the values of the group-bys of a row.
func (c comparedQuestion) keyOfRow(row table.Row) string {
	var key strings.Builder
	for _, cell := range row[:len(c.q.GroupBy)] {
		key.WriteString(cellKey(cell) + "|")
	}
	return key.String()
}

// expected puts the rows of the questions with one comparison together. None is the row of the metrics over no rows.
func (l comparisonList) expected(t *testing.T, answers []*table.Table, none table.Row) *table.Table {
	t.Helper()
	groups, width := len(l.q.GroupBy), len(l.q.GroupBy)+len(l.q.Metrics)
	out := &table.Table{Columns: slices.Clone(answers[0].Columns[:width])}
	rows := make([]map[string]table.Row, len(answers))
	var keys []string
	first := map[string]table.Row{}
	for i, answer := range answers {
		out.Columns = append(out.Columns, answer.Columns[width:]...)
		rows[i] = map[string]table.Row{}
		for _, row := range answer.Rows {
			key := l.singles[i].keyOfRow(row)
			if rows[i][key] = row; first[key] == nil {
				first[key], keys = row, append(keys, key)
			}
		}
	}
	for _, key := range keys {
		full := slices.Clone(first[key][:width])
		for i, one := range l.singles {
			if row := rows[i][key]; row != nil {
				full = append(full, row[width:]...)
				continue
			}
			before := none
			if one.bucket >= 0 && !one.meetsEarlier(first[key][one.bucket].Text) {
				before = slices.Repeat(table.Row{{Kind: table.CellKindNull}}, len(none))
			}
			for _, name := range one.comparedMetrics() {
				at := slices.Index(l.q.Metrics, name)
				full = append(full, comparedCells(t, full[groups+at], before[at])...)
			}
		}
		out.Rows = append(out.Rows, full)
	}
	return out
}

// comparedMetrics returns the metrics that the comparison of the question compares.
func (c comparedQuestion) comparedMetrics() []string {
	if names := c.q.Compare[0].Metrics; len(names) > 0 {
		return names
	}
	return c.q.Metrics
}

// check reports whether there was anything to compare. A list is rejected where one of its comparisons is, for the same reason.
func (l comparisonList) check(t *testing.T, ask func(*question) (*table.Table, string, error)) bool {
	t.Helper()
	got, sql, failed := ask(l.q)
	answers, codes := make([]*table.Table, len(l.singles)), []string{}
	for i, one := range l.singles {
		var err error
		if answers[i], _, err = ask(one.q); err != nil {
			codes = append(codes, codeOf(err))
		}
	}
	if len(codes) > 0 || failed != nil {
		if failed == nil || !slices.Contains(codes, codeOf(failed)) {
			t.Errorf("%s\n%v, and the single comparisons are refused with %v", l.q.json(), failed, codes)
		}
		return false
	}
	none, _, err := ask(l.singles[0].overNothing())
	if err != nil {
		t.Errorf("%s\n%v", l.singles[0].overNothing().json(), err)
		return false
	}
	if diff := table.Diff(l.expected(t, answers, none.Rows[0]), got, false); diff != "" {
		t.Errorf("%s\n- is of questions with one comparison, + is of the list\n%s\n%s", l.q.json(), diff, sql)
		return false
	}
	return true
}

// TestLaws_ListOfComparisonsEqualsSingleOnes holds the columns of a list against those of its items.
func TestLaws_ListOfComparisonsEqualsSingleOnes(t *testing.T) {
	t.Parallel()
	laws(t, 12, func(t *testing.T, r *maker, s *subject) bool {
		l, ok := r.comparisonList()
		return ok && l.check(t, func(q *question) (*table.Table, string, error) { return s.answer(t.Context(), q.json()) })
	})
}

// TestLaws_ListOfComparisonsOnServers asks the same of the servers that are there.
func TestLaws_ListOfComparisonsOnServers(t *testing.T) {
	t.Parallel()
	seed, queries := settings(t)
	others := availableServers(t)
	compared := map[string]int{}
	for range max(4, queries/500) {
		m := newMaker(seed).model()
		for _, server := range others {
			compared[server.Dialect] += comparisonListsOn(t, newMaker(seed+1), seed, m, server)
			if t.Failed() {
				t.Fatalf("SEMLAYER_PROPERTY_SEED=%d on %s", seed, server.Dialect)
			}
		}
		seed++
	}
	for _, server := range others {
		t.Attr("comparison_lists_"+server.Dialect, strconv.Itoa(compared[server.Dialect]))
		if compared[server.Dialect] == 0 {
			t.Errorf("no list of comparisons on %s", server.Dialect)
		}
	}
}

// comparisonListsOn asks random lists of comparisons of one model on a server.
func comparisonListsOn(t *testing.T, r *maker, seed uint64, m *model, server *servers.Server) int {
	t.Helper()
	s := openSubject(t, seed, m, server)
	defer s.close()
	r.m = m
	compared := 0
	for range 20 {
		l, ok := r.comparisonList()
		compared += asInt(ok && l.check(t, func(q *question) (*table.Table, string, error) {
			p, err := prepareMetric([]byte(q.json()))
			if err != nil {
				return nil, "", err
			}
			return s.ask(t.Context(), s.replicas[0], p)
		}))
	}
	return compared
}
