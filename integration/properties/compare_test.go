package properties_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/semlayer/semlayer/integration/internal/servers"
	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/planner/query"
)

// A comparison is answered by two questions without compare, one for each range, and by the
// metrics over no rows. Here their rows are put together by arithmetic on dates as text, from
// the row of the result to the bucket that it meets, where the planner moves the earlier
// buckets instead.

// comparedPeriods are the lengths that compare counts in.
var comparedPeriods = map[string]struct{ days, months int }{
	"day": {days: 1}, "week": {days: 7}, "month": {months: 1}, "quarter": {months: 3}, "year": {months: 12},
}

// comparedTime is a bound or the start of a bucket.
type comparedTime struct{ time.Time }

func comparedTimeOf(text string) comparedTime {
	t, err := time.Parse("2006-01-02T15:04:05"[:len(text)], text)
	if err != nil {
		panic(err)
	}
	return comparedTime{t}
}

func (t comparedTime) text() string {
	if t.Hour()+t.Minute()+t.Second() == 0 {
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02T15:04:05")
}

// back returns the time some periods earlier; exists is false where its month has no such day,
// and then it is the last day of that month.
func (t comparedTime) back(count int, unit string) (earlier comparedTime, exists bool) {
	p := comparedPeriods[unit]
	if p.months == 0 {
		return comparedTime{t.AddDate(0, 0, -count*p.days)}, true
	}
	moved := t.AddDate(0, -count*p.months, 0)
	if moved.Day() == t.Day() {
		return comparedTime{moved}, true
	}
	return comparedTime{moved.AddDate(0, 0, -moved.Day())}, false
}

// bucket returns the start of the bucket that holds a time.
func (t comparedTime) bucket(grain string) comparedTime {
	day := t.Truncate(24 * time.Hour)
	for {
		at := comparedTime{day}
		switch {
		case grain == "day",
			grain == "week" && day.Weekday() == time.Monday,
			grain == "month" && day.Day() == 1,
			grain == "quarter" && day.Day() == 1 && (day.Month()-1)%3 == 0,
			grain == "year" && day.YearDay() == 1:
			return at
		}
		day = day.AddDate(0, 0, -1)
	}
}

// buckets lists the buckets that a range meets.
func buckets(r query.TimeRange, grain string) []string {
	var out []string
	p, end := comparedPeriods[grain], comparedTimeOf(r.End)
	for at := comparedTimeOf(r.Start).bucket(grain).Time; at.Before(end.Time); at = at.AddDate(0, p.months, p.days) {
		out = append(out, comparedTime{at}.text())
	}
	return out
}

// comparedQuestion is a question with compare, and what answers it.
type comparedQuestion struct {
	q        *question
	previous query.TimeRange
	bucket   int // the group of the range's field; -1 for none
	grain    string
}

// comparedQuestion makes a question whose ranges are of one dimension. Not every attempt
// finds metrics and ranges that fit.
func (r *maker) comparedQuestion() (c comparedQuestion, ok bool) {
	for range 30 {
		if c, ok = r.comparedAttempt(); ok {
			break
		}
	}
	return c, ok
}

func (r *maker) comparedAttempt() (comparedQuestion, bool) {
	metrics := slices.DeleteFunc(r.chosen(), func(x *metric) bool { return x.windows || !x.number || x.value == tolerant })
	homes := homesOf(metrics)
	if len(metrics) == 0 || slices.ContainsFunc(homes, func(d *dataset) bool { return !d.timed() }) {
		return comparedQuestion{}, false
	}
	c := comparedQuestion{q: &question{}, bucket: -1}
	for _, x := range metrics {
		c.q.Metrics = append(c.q.Metrics, x.name)
	}
	places := slices.DeleteFunc(r.places(homes), func(p place) bool { return !p.safe || p.field.isTime() })
	for i, p := range some(r, places, r.IntN(3)) {
		c.q.GroupBy = append(c.q.GroupBy, query.GroupBy{Field: p.ref, Name: fmt.Sprintf("g%d", i)})
	}
	if r.chance(30) {
		c.q.WhereSQL = r.inputCondition(places)
	}
	current := query.TimeRange{Start: pick(r, bounds), End: pick(r, bounds), Dimension: "metric_time"}
	if current.Start >= current.End {
		return c, false
	}
	if r.chance(70) {
		c.grain, c.bucket = pick(r, []string{"day", "day", "week", "month", "month", "quarter", "year"}), len(c.q.GroupBy)
		c.q.GroupBy = append(c.q.GroupBy, query.GroupBy{Field: "metric_time", Grain: c.grain, Name: "bucket"})
	}
	c.q.TimeRange, c.q.Compare = &current, make(query.Comparisons, 1)
	if r.chance(40) {
		c.previous = query.TimeRange{Start: pick(r, bounds), End: pick(r, bounds)}
		other := c.previous
		c.q.Compare[0].Range = &other
		return c, c.previous.Start < c.previous.End
	}
	unit := pick(r, []string{"day", "week", "month", "month", "quarter", "year"})
	count := 1 + r.IntN(3)
	c.q.Compare[0].Offset = &query.PeriodOffset{Count: int64(count), Unit: unit}
	start, _ := comparedTimeOf(current.Start).back(count, unit)
	end, _ := comparedTimeOf(current.End).back(count, unit)
	c.previous = query.TimeRange{Start: start.text(), End: end.text()}
	return c, c.previous.Start < c.previous.End
}

// partners maps the buckets of the range to those that they meet.
func (c comparedQuestion) partners() map[string]string {
	out := map[string]string{}
	current := buckets(*c.q.TimeRange, c.grain)
	if o := c.q.Compare[0].Offset; o != nil {
		for _, b := range current {
			if earlier, exists := comparedTimeOf(b).back(int(o.Count), o.Unit); exists {
				out[b] = earlier.text()
			}
		}
		return out
	}
	for i, b := range buckets(c.previous, c.grain) {
		if i < len(current) {
			out[current[i]] = b
		}
	}
	return out
}

// over returns the question without compare over another range.
func (c comparedQuestion) over(r query.TimeRange) *question {
	q := c.q.clone()
	r.Dimension = "metric_time"
	q.TimeRange, q.Compare = &r, nil
	return q
}

// overNothing requests the metrics over no rows. The range has whole weeks and whole years, so
// that fields of each granularity take it.
func (c comparedQuestion) overNothing() *question {
	q := c.over(query.TimeRange{Start: "1900-01-01", End: "1906-01-01"})
	q.GroupBy = nil
	return q
}

// expected puts the rows of the two ranges together.
func (c comparedQuestion) expected(t *testing.T, current, previous *table.Table, none table.Row) *table.Table {
	t.Helper()
	groups := len(c.q.GroupBy)
	out := &table.Table{Columns: slices.Clone(current.Columns)}
	for _, m := range c.q.Metrics {
		out.Columns = append(out.Columns, m+"__previous", m+"__change", m+"__change_ratio")
	}
	keyOf := func(row table.Row, bucket string) string {
		text := bucket
		for i, cell := range row[:groups] {
			if i != c.bucket {
				text += "|" + cellKey(cell)
			}
		}
		return text
	}
	var partners map[string]string
	meets := map[string]string{}
	if c.bucket >= 0 {
		partners = c.partners()
		for b, earlier := range partners {
			meets[earlier] = b
		}
	}
	earlier := map[string]table.Row{} // by the key of the row that it meets
	for _, row := range previous.Rows {
		bucket := ""
		if c.bucket >= 0 {
			if bucket = meets[row[c.bucket].Text]; bucket == "" {
				continue
			}
		}
		earlier[keyOf(row, bucket)] = row
	}
	add := func(row, before table.Row) {
		full := slices.Clone(row)
		for i := range c.q.Metrics {
			full = append(full, comparedCells(t, row[groups+i], before[groups+i])...)
		}
		out.Rows = append(out.Rows, full)
	}
	nulls := slices.Repeat(table.Row{{Kind: table.CellKindNull}}, groups+len(c.q.Metrics))
	zero := append(slices.Clone(nulls[:groups]), none...)
	for _, row := range current.Rows {
		bucket, before := "", zero
		if c.bucket >= 0 {
			bucket = row[c.bucket].Text
			if partners[bucket] == "" {
				before = nulls
			}
		}
		k := keyOf(row, bucket)
		if found := earlier[k]; found != nil {
			before = found
			delete(earlier, k)
		}
		add(row, before)
	}
	for _, before := range earlier {
		row := append(slices.Clone(before[:groups]), none...)
		if c.bucket >= 0 {
			row[c.bucket] = table.Cell{Kind: row[c.bucket].Kind, Text: meets[row[c.bucket].Text]}
		}
		add(row, before)
	}
	return out
}

// comparedCells returns a previous value, the change and its ratio.
func comparedCells(t *testing.T, now, before table.Cell) []table.Cell {
	t.Helper()
	null := table.Cell{Kind: table.CellKindNull}
	if now.Kind == table.CellKindNull || before.Kind == table.CellKindNull {
		return []table.Cell{before, null, null}
	}
	change := number(t, now) - number(t, before)
	cells := []table.Cell{before, numberCell(change), null}
	if base := number(t, before); base != 0 {
		cells[2] = numberCell(change / base)
	}
	return cells
}

func numberCell(n float64) table.Cell {
	return table.Cell{Kind: table.CellKindUntypedText, Text: strconv.FormatFloat(n, 'g', -1, 64)}
}

// TestLaws_PreviousEqualsTheQueryOverTheEarlierRange holds the columns of compare against the
// answers over both ranges.
func TestLaws_PreviousEqualsTheQueryOverTheEarlierRange(t *testing.T) {
	t.Parallel()
	laws(t, 12, func(t *testing.T, r *maker, s *subject) bool {
		c, ok := r.comparedQuestion()
		return ok && c.check(t, func(q *question) (*table.Table, string, error) { return s.answer(t.Context(), q.json()) })
	})
}

// TestLaws_PreviousOnServers asks the same of the servers that are there.
func TestLaws_PreviousOnServers(t *testing.T) {
	t.Parallel()
	seed, queries := settings(t)
	others := availableServers(t)
	compared := map[string]int{}
	for range max(4, queries/500) {
		r := newMaker(seed)
		m := r.model()
		for _, server := range others {
			compared[server.Dialect] += comparedOn(t, newMaker(seed+1), seed, m, server)
			if t.Failed() {
				t.Fatalf("SEMLAYER_PROPERTY_SEED=%d on %s", seed, server.Dialect)
			}
		}
		seed++
	}
	for _, server := range others {
		t.Attr("comparisons_"+server.Dialect, strconv.Itoa(compared[server.Dialect]))
		if compared[server.Dialect] == 0 {
			t.Errorf("no comparison on %s", server.Dialect)
		}
	}
}

// comparedOn asks random comparisons of one model on a server.
func comparedOn(t *testing.T, r *maker, seed uint64, m *model, server *servers.Server) int {
	t.Helper()
	s := openSubject(t, seed, m, server)
	defer s.close()
	r.m = m
	compared := 0
	for range 25 {
		c, ok := r.comparedQuestion()
		compared += asInt(ok && c.check(t, func(q *question) (*table.Table, string, error) {
			p, err := prepareMetric([]byte(q.json()))
			if err != nil {
				return nil, "", err
			}
			return s.ask(t.Context(), s.replicas[0], p)
		}))
	}
	return compared
}

// splitsBuckets reports whether an error is that of an offset which is not a multiple of buckets.
func (c comparedQuestion) splitsBuckets(err error) bool {
	return codeOf(err) == "not_implemented" && c.bucket >= 0 && c.q.Compare[0].Offset != nil
}

// check reports whether there was anything to compare. A question that is rejected over one
// of its ranges is rejected with compare, for the same reason.
func (c comparedQuestion) check(t *testing.T, ask func(*question) (*table.Table, string, error)) bool {
	t.Helper()
	current, sql, err := ask(c.over(*c.q.TimeRange))
	if codeOf(err) != "" {
		return false
	}
	previous, none := current, current
	if err == nil {
		previous, sql, err = ask(c.over(c.previous))
	}
	if code := codeOf(err); code != "" {
		if _, _, err := ask(c.q); codeOf(err) != code && !c.splitsBuckets(err) {
			t.Errorf("%s\n%v, and the query over the earlier range is refused with %s", c.q.json(), err, code)
		}
		return false
	}
	if err == nil {
		none, sql, err = ask(c.overNothing())
	}
	if err != nil {
		t.Errorf("%s\n%v\n%s", c.q.json(), err, sql)
		return false
	}
	got, sql, err := ask(c.q)
	if c.splitsBuckets(err) {
		return false
	}
	if err != nil {
		t.Errorf("%s\n%v\n%s", c.q.json(), err, sql)
		return false
	}
	if diff := table.Diff(c.expected(t, current, previous, none.Rows[0]), got, false); diff != "" {
		t.Errorf("%s\n- is of two questions, + is of compare\n%s\n%s", c.q.json(), diff, sql)
	}
	return true
}
