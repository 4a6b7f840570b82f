package properties_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/reference"
)

// eventWorlds is how many random tables of events one model holds. They lie in the same tables, apart by the field world, which is part of each entity.
const eventWorlds = 100

// TestSequences_EqualTheQuadraticEvaluator compares random sequences over random events with the reference, which compares each start with each row:
// rows at equal times within one dataset and across two, without a time or an entity, texts that differ in case, and the night in which clocks change.
func TestSequences_EqualTheQuadraticEvaluator(t *testing.T) {
	t.Parallel()
	seeds := uint64(1)
	if os.Getenv("SEMLAYER_TEST_LONG") != "" {
		seeds = 40
	}
	on := availableServers(t)
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := newMaker(seed)
			w := r.eventTables()
			s, err := openText(t.Context(), w.text, w.m, on...)
			if err != nil {
				t.Fatalf("%v\n%s", err, w.text)
			}
			defer s.close()
			for _, d := range w.sequences {
				for _, q := range d.questions(r) {
					if v := s.compareWithReference(t.Context(), q); v.problem != "" || v.outcome != "answered" {
						t.Errorf("%s\n%s\n%s: %s %v\n%s", d.payload, q.json(), v.outcome, v.problem, v.err, v.sql)
					}
				}
				checkLongerWithin(t, s, d)
			}
		})
	}
}

// checkLongerWithin checks the law that a longer time never lowers the number of steps that a start reaches.
func checkLongerWithin(t *testing.T, s *subject, d *eventSequence) {
	t.Helper()
	if d.longer == "" {
		return
	}
	reached := map[string][][]string{}
	for _, name := range []string{d.name, d.longer} {
		p, err := detailPlane.prepare(fmt.Sprintf(`{"from": "%s", "fields": ["%s", "reached"], "limit": 100000}`, name, strings.Join(d.key, `", "`)))
		if err != nil {
			t.Fatal(err)
		}
		got, sql, err := s.run(t.Context(), p)
		if err != nil {
			t.Fatalf("%v\n%s", err, sql)
		}
		for _, row := range got.Rows {
			var cells []string
			for _, c := range row {
				cells = append(cells, fmt.Sprint(c))
			}
			reached[strings.Join(cells[:len(cells)-1], " ")] = append(reached[strings.Join(cells[:len(cells)-1], " ")], cells)
		}
	}
	for key, both := range reached {
		if last := len(d.key); len(both) != 2 || both[0][last] > both[1][last] {
			t.Errorf("%s and a longer time: the start %s reaches %v", d.payload, key, both)
		}
	}
}

// eventTables are random events and sequences over them.
type eventTables struct {
	m         *model
	text      []byte
	sequences []*eventSequence
}

type eventSequence struct {
	name, payload string
	key           []string
	fields        []string
	filter        string // a condition of context_filter
	number        string // a field that counts what followed
	groups        []string
	time          string // the keys of the time zone and of the start of weeks; "" for a sequence without periods
	longer        string // the same sequence with more time; "" without within
}

// sequenceQuery is a query as it is written.
type sequenceQuery struct {
	of   plane
	body string
}

func (q sequenceQuery) plane() plane                                  { return q.of }
func (q sequenceQuery) json() string                                  { return q.body }
func (q sequenceQuery) parts() []part                                 { return nil }
func (q sequenceQuery) keys() []string                                { return nil }
func (q sequenceQuery) without(func(planeQuery, int), int) planeQuery { return q }

// questions asks for the rows of a sequence, and for its numbers by what a start reached: of the sequence of the model, and of the same one
// of the query.
func (d *eventSequence) questions(r *maker) []planeQuery {
	context := d.time
	if r.chance(50) {
		context += fmt.Sprintf(`, "context_filter": %s`, jsonText(d.filter))
	}
	read := some(r, d.fields, len(d.fields))
	ask := func(name, keys string) []planeQuery {
		return []planeQuery{
			sequenceQuery{detailPlane, fmt.Sprintf(`{"from": "%s", "fields": ["%s"], "limit": 100000%s%s}`, name, strings.Join(read, `", "`), d.time, keys)},
			sequenceQuery{metricPlane, fmt.Sprintf(`{"metrics": [{"name": "n", "expression": "COUNT(*)", "dataset": "%s"}, {"name": "last", "expression": "MAX(%s.%s)"}], "group_by": [{"field": "%s"}]%s%s}`,
				name, name, d.number, name+strings.Join(d.groups, `"}, {"field": "`+name), context, keys)},
		}
	}
	return append(ask(d.name, ""), ask("own", `, "sequences": [{"name": "own", `+strings.TrimPrefix(d.payload, "{")+`]`)...)
}

// eventTable is a table of events, with the names of its columns.
type eventTable struct {
	name, who, tag string
	times          []string
	key            []string
}

func (r *maker) eventTables() eventTables {
	w := eventTables{m: &model{}}
	column := func(d *dataset, name string, k kind) {
		d.columns = append(d.columns, &col{name, sqlTypes[k]})
		d.fields = append(d.fields, &field{name: name, expr: name, kind: k, typed: true})
	}
	tables := []eventTable{
		{"events", "person", "tag", []string{"day", "moment"}, []string{"id"}},
		{"orders", "buyer", "label", []string{"moment", "day"}, []string{"code"}},
		{"clicks", "person", "tag", []string{"moment"}, []string{"id", "part"}},
	}
	for _, table := range tables {
		d := &dataset{name: table.name, key: table.key}
		for _, k := range table.key {
			if k == "id" {
				column(d, k, code)
			} else {
				column(d, k, text)
			}
		}
		column(d, "world", code)
		column(d, table.who, text)
		column(d, table.tag, text)
		column(d, "kind", text)
		at := moment
		if table.name == "clicks" {
			at = zoned
		} else {
			column(d, "day", day)
		}
		column(d, "moment", at)
		w.m.datasets = append(w.m.datasets, d)
		for world := range eventWorlds {
			for range r.IntN(9) {
				d.rows = append(d.rows, r.eventRow(table, len(d.rows), world, at))
			}
		}
	}
	var b strings.Builder
	b.WriteString("version: 0.2.0.dev0\nname: events\ndatasets:\n")
	for _, d := range w.m.datasets {
		fmt.Fprintf(&b, "  - name: %s\n    source: t_%s\n    primary_key: [%s]\n    fields:\n", d.name, d.name, strings.Join(d.key, ", "))
		for _, f := range d.fields {
			fmt.Fprintf(&b, "      - {name: %s, datatype: %s, expression: {dialects: [{dialect: ANSI_SQL, expression: %s}]}}\n", f.name, datatypes[f.kind], f.expr)
		}
	}
	for i := range 24 {
		s, longer := r.eventSequence(fmt.Sprintf("s%d", i), tables)
		w.sequences = append(w.sequences, s)
		for _, d := range []*eventSequence{s, longer} {
			if d != nil {
				fmt.Fprintf(&b, "  - name: %s\n    source: none\n    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"sequence\": %s}'}]\n", d.name, strings.ReplaceAll(d.payload, "'", "''"))
			}
		}
	}
	b.WriteString("metrics: []\n")
	w.text = []byte(b.String())
	return w
}

// eventRow makes a row at one of a few times, so that many are equal, at the end of a month and in the night in which clocks change.
func (r *maker) eventRow(table eventTable, n, world int, at kind) reference.Row {
	first := reference.Date(19753) // 2024-01-31
	if at == zoned {
		first = 19813 // 2024-03-31
	}
	d := first + reference.Date(pick(r, []int{0, 0, 0, 1, 1, 2, 7, 29}))
	time := reference.Timestamp(int64(d)*86400e6) + reference.Timestamp(int64(r.IntN(4))*3600e6)
	row := reference.Row{"world": float64(world), "kind": pick(r, []string{"look", "look", "buy", "pay"}), "day": d, "moment": time}
	if at == zoned {
		row["moment"] = reference.TimestampTZ(time)
	}
	row[table.who], row[table.tag] = pick(r, []reference.Value{"a", "a", "A", "b", nil}), pick(r, []reference.Value{"x", "x", "X", nil})
	if r.chance(6) {
		row["moment"] = nil
	}
	if r.chance(6) {
		row["day"] = nil
	}
	switch table.name {
	case "orders":
		row["code"] = pick(r, []string{"o", "O", "p"}) + fmt.Sprint(n%7) + "-" + fmt.Sprint(n)
	case "clicks":
		row["id"], row["part"] = float64(n/2), []string{"p", "Q"}[n%2]
	default:
		row["id"] = float64(n)
	}
	return row
}

// eventSequence makes a sequence, and the same one with more time if it has a bound.
func (r *maker) eventSequence(name string, tables []eventTable) (s, longer *eventSequence) {
	among := tables[:2]
	if r.chance(25) {
		among = tables[2:]
	}
	payload := map[string]any{}
	var steps []map[string]any
	s = &eventSequence{name: name}
	hasSame := r.chance(30)
	count, last := 2+r.IntN(3), 0
	hasPeriods := r.chance(30)
	if s.number = "reached"; hasPeriods {
		count, s.number = 2, "events"
	} else {
		last = count - 1
	}
	s.groups = []string{"." + s.number, fmt.Sprintf("_step%d.kind", last)}
	for i := range count {
		table := pick(r, among)
		step := map[string]any{"name": fmt.Sprintf("step%d", i), "dataset": table.name, "at": pick(r, table.times), "entity": []string{"world", table.who}}
		if r.chance(75) {
			step["where"] = "kind = '" + pick(r, []string{"look", "look", "buy", "pay"}) + "'"
		}
		if hasSame {
			step["same"] = []string{table.tag}
		}
		if i == 0 {
			payload["entity"] = step["entity"]
			if hasSame {
				payload["same"] = step["same"]
			}
			s.filter = table.name + ".kind <> 'pay'"
			s.fields = append(s.fields, "world", table.who, s.number)
		}
		if steps = append(steps, step); i > last {
			continue
		}
		for _, k := range table.key {
			field := fmt.Sprintf("step%d_%s", i, k)
			s.fields = append(s.fields, field)
			if i == 0 {
				s.key = append(s.key, field)
			}
		}
		if s.fields = append(s.fields, fmt.Sprintf("step%d_at", i)); !hasPeriods {
			s.fields = append(s.fields, fmt.Sprintf("step%d_seconds", i))
		}
	}
	payload["steps"] = steps
	if hasPeriods {
		s.fields, s.key, s.groups = append(s.fields, "period", "period_start", "active"), append(s.key, "period"), append(s.groups, ".period", ".active")
		payload["every"], payload["periods"] = pick(r, []string{"day", "week", "month", "quarter", "year"}), 1+r.IntN(6)
		s.time = pick(r, []string{"", `, "time_zone": "Europe/Berlin"`, `, "time_zone": "America/New_York", "week_start": "sunday"`})
	} else if r.chance(40) {
		payload["order"] = "any"
	}
	if r.chance(40) {
		payload["start"] = "first"
	}
	write := func(name string) *eventSequence {
		text, err := json.Marshal(payload)
		if err != nil {
			panic(err)
		}
		out := *s
		out.name, out.payload = name, string(text)
		return &out
	}
	if hasPeriods || !r.chance(60) {
		return write(name), nil
	}
	units, grain := 1+r.IntN(2), pick(r, []string{"hour", "hour", "day", "day", "week", "month"})
	payload["within"] = map[string]any{"count": units, "granularity": grain}
	s = write(name)
	s.longer = name + "_longer"
	payload["within"] = map[string]any{"count": units + 1, "granularity": grain}
	return s, write(s.longer)
}
