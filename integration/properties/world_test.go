package properties_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/integration/reference"
)

// maker makes random things from one seed.
type maker struct {
	*rand.Rand
	m     *model
	names int // counter, for names that must differ
	// snapshots: the model has semi-additive metrics, as some have.
	snapshots bool
	// calendars: the model has a calendar, as some have.
	calendars bool
	// running: the model has a window over all buckets so far.
	running bool
	// bridges: the model has a bridge, whose rows lead to one row each of another dataset, as some have.
	bridges bool
	// hostile: each dataset has columns whose values expressions can fail on.
	hostile bool
}

func newMaker(seed uint64) *maker {
	return &maker{Rand: rand.New(rand.NewPCG(seed, 0x5eed)), snapshots: seed%3 == 0, calendars: seed%5 == 2, bridges: seed%4 == 1}
}

// newSnapshotMaker returns a maker whose models all try to have semi-additive metrics, for the laws about them.
func newSnapshotMaker(seed uint64) *maker {
	r := newMaker(seed)
	r.snapshots = true
	return r
}

// newBridgeMaker returns a maker whose models all have a bridge, for the law about it.
func newBridgeMaker(seed uint64) *maker {
	r := newMaker(seed)
	r.bridges = true
	return r
}

// newRunningMaker returns a maker whose models all have a window over all buckets so far, for the law about them.
func newRunningMaker(seed uint64) *maker {
	r := newMaker(seed)
	r.running = true
	return r
}

// newCalendarMaker returns a maker whose models all have a calendar and windows over all buckets so far.
func newCalendarMaker(seed uint64) *maker {
	r := newRunningMaker(seed)
	r.calendars = true
	return r
}

func (r *maker) chance(percent int) bool { return r.IntN(100) < percent }

func pick[T any](r *maker, list []T) T { return list[r.IntN(len(list))] }

// some picks up to n different elements, in random order.
func some[T any](r *maker, list []T, n int) []T {
	out := slices.Clone(list)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out[:min(n, len(out))]
}

// model makes a model of two to five datasets. The edges lead from earlier
// datasets to later ones, so that the first ones are facts and the last ones are
// what they share.
func (r *maker) model() *model {
	r.m = &model{}
	for _, name := range some(r, []string{"order", "visits", "users", "shops", "items", "regions", "notes"}, 2+r.IntN(4)) {
		r.m.datasets = append(r.m.datasets, r.dataset(name))
	}
	for i, d := range r.m.datasets {
		for j := 1; j < len(r.m.datasets); j++ {
			to := r.m.datasets[j]
			if j <= i {
				continue
			}
			likely := 55
			if j == i+1 {
				likely = 80
			}
			if r.chance(likely) {
				r.relation(d, to)
				if r.chance(8) {
					r.relation(d, to) // a second role
				}
			}
		}
	}
	if r.chance(15) {
		r.selfRelation(pick(r, r.m.datasets))
	}
	for _, d := range slices.Backward(r.m.datasets) {
		r.fill(d)
	}
	for _, rel := range r.m.relations {
		if rel.valid != nil {
			r.fillIntervals(rel)
		}
	}
	if r.bridges {
		r.bridge(pick(r, r.m.datasets))
	}
	for _, d := range r.m.datasets {
		r.computed(d)
	}
	for _, d := range r.m.datasets {
		if r.chance(45) {
			r.lodField(d)
		}
	}
	for _, d := range slices.Backward(r.m.datasets) {
		r.joinedFields(d)
	}
	if r.calendars {
		r.m.calendar = r.calendarDataset()
	}
	r.addMetrics()
	return r.m
}

// dataset makes the columns of a dataset without its edges.
func (r *maker) dataset(name string) *dataset {
	d := &dataset{name: name, queried: r.chance(10)}
	add := func(name string, k kind) *field {
		sqlType := sqlTypes[k]
		if k == quarters && r.chance(30) {
			sqlType = "DOUBLE"
		}
		d.columns = append(d.columns, &col{name, sqlType})
		f := &field{name: name, expr: name, kind: k, typed: true}
		d.fields = append(d.fields, f)
		return f
	}
	add(name+"_id", code)
	d.key = []string{name + "_id"}
	add(name+"_no", code) // unique where it is not NULL
	if r.chance(30) {
		add(name+"_part", text)
		add(name+"_nth", code)
		d.unique = append(d.unique, []string{name + "_part", name + "_nth"})
	}
	add(name+"_kind", text)
	if r.chance(50) {
		add("label", text) // a name that several datasets share
	}
	add(name+"_level", whole)
	add(name+"_size", whole)
	if r.chance(60) {
		add(name+"_price", quarters)
	}
	if r.chance(50) {
		add(name+"_flag", truth)
	}
	times := r.IntN(3)
	if len(r.m.datasets) == 0 {
		times = 1 + r.IntN(2)
	}
	for i := range times {
		k := pick(r, []kind{day, day, day, moment, moment, zoned})
		f := add(name+[]string{"_day", "_end"}[i], k)
		if r.chance(12) {
			f.payload = `"time_granularity": "` + pick(r, []string{"day", "month", "quarter"}) + `"`
		}
		if r.chance(12) {
			r.encode(d, f)
		}
	}
	for _, f := range d.fields {
		switch {
		case f.payload != "" || f.kind == code || f.isTime():
		case r.chance(4):
			f.payload = `"is_dimension": false`
		case r.chance(5) && f.kind != truth: // MySQL detects a condition by its declaration only
			f.typed = false
		}
	}
	if r.hostile {
		r.failingColumns(d)
	}
	if times == 2 && r.chance(60) {
		d.primary = name + []string{"_day", "_end"}[r.IntN(2)]
	}
	return d
}

// fill makes the rows of a dataset whose targets have theirs.
func (r *maker) fill(d *dataset) {
	n := 3 + r.IntN(30)
	switch r.IntN(12) {
	case 0:
		n = 0
	case 1:
		n = 1
	case 2:
		n = 60
	}
	for i := range n {
		d.rows = append(d.rows, r.row(d, i))
	}
	for _, rel := range r.m.relations {
		if rel.from == d {
			r.fillEdge(rel)
		}
	}
}

// row makes the row of a number, without the keys of its edges.
func (r *maker) row(d *dataset, i int) reference.Row {
	row := reference.Row{}
	for _, c := range d.columns {
		row[c.name] = r.stored(d.field(c.name))
	}
	row[d.name+"_id"] = float64(i + 1)
	if row[d.name+"_no"] = nil; !r.chance(10) {
		row[d.name+"_no"] = float64(100 - i)
	}
	if d.field(d.name+"_part") == nil {
		return row
	}
	row[d.name+"_part"] = pick(r, []reference.Value{"n", "s", nil})
	row[d.name+"_nth"] = float64(i / 2)
	for _, other := range d.rows {
		if other[d.name+"_part"] == row[d.name+"_part"] && other[d.name+"_nth"] == row[d.name+"_nth"] {
			row[d.name+"_nth"] = float64(50 + i)
		}
	}
	return row
}

// fillEdge gives the rows of an edge's many side their keys: of some row, of
// none, or NULL. Where the edge is one-to-one no key is given twice.
func (r *maker) fillEdge(rel *relation) {
	targets := slices.Clone(rel.to.rows)
	single := rel.proves == "one_to_one"
	if single {
		targets = some(r, targets, len(targets))
	}
	for i, row := range rel.from.rows {
		for _, f := range rel.fromF {
			row[f] = nil
		}
		switch chance := r.IntN(100); {
		case chance < 12: // a key that is NULL, if need be in part
			if len(targets) > 0 && len(rel.fromF) > 1 {
				row[rel.fromF[0]] = targets[0][rel.toF[0]]
			}
		case chance < 24:
			for k, f := range rel.fromF {
				row[f] = rel.unmatchedKey(k, i)
			}
		case single && len(targets) > 0:
			rel.copyKey(row, targets[0])
			targets = targets[1:]
		case !single && len(targets) > 0:
			rel.copyKey(row, pick(r, targets))
		}
	}
}

func (r *relation) copyKey(row, target reference.Row) {
	for k, f := range r.fromF {
		row[f] = target[r.toF[k]]
	}
}

// unmatchedKey returns a key that no row has.
func (r *relation) unmatchedKey(k, i int) reference.Value {
	if r.to.field(r.toF[k]).kind == text {
		return "nowhere"
	}
	return float64(900 + i)
}

// relation adds an edge with the columns that it joins by.
func (r *maker) relation(from, to *dataset) {
	r.names++
	rel := &relation{
		name: from.name + "_" + to.name, from: from, to: to, inner: r.chance(12), viaExtension: r.chance(50),
		toF: slices.Clone(to.key), proves: "many_to_one",
	}
	if slices.ContainsFunc(r.m.relations, func(o *relation) bool { return o.name == rel.name }) {
		rel.name += strconv.Itoa(r.names)
	}
	fanning := false
	switch chance := r.IntN(100); {
	case chance < 45:
		if len(to.unique) > 0 && r.chance(50) {
			rel.toF = slices.Clone(to.unique[0])
		}
		if r.chance(20) {
			rel.cardinality = "many_to_one"
		}
	case chance < 55: // a column that the declaration alone calls unique
		rel.toF, rel.cardinality = []string{to.name + "_no"}, "many_to_one"
	case chance < 70:
		rel.proves = "one_to_one"
	case chance < 84: // a column that is not a key
		rel.toF, rel.proves = []string{to.name + "_level"}, "unproven"
		fanning = true
		if r.chance(60) {
			r.addValidity(rel)
		}
	case chance < 92:
		rel.toF = []string{to.name + "_level"}
		rel.proves, rel.cardinality = "many_to_many", "many_to_many"
		fanning = true
	default: // a key, and yet the word is against it
		rel.proves, rel.cardinality = "many_to_many", "many_to_many"
	}
	if !fanning && r.chance(4) {
		rel.toF = append(slices.Clone(to.key), to.name+"_level") // more than the key
	}
	for k, f := range rel.toF {
		column := fmt.Sprintf("%s_key%d", rel.name, k)
		target := to.field(f)
		from.columns = append(from.columns, &col{column, sqlTypes[target.kind]})
		kindOf := target.kind
		if kindOf == whole {
			kindOf = code
		}
		from.fields = append(from.fields, &field{name: column, expr: column, kind: kindOf, typed: true})
		rel.fromF = append(rel.fromF, column)
	}
	if rel.proves == "one_to_one" {
		if r.chance(50) && rel.cardinality == "" {
			from.unique = append(from.unique, slices.Clone(rel.fromF))
		} else {
			rel.cardinality = "one_to_one"
		}
	}
	r.m.relations = append(r.m.relations, rel)
}

func (r *maker) selfRelation(d *dataset) {
	column := d.name + "_parent"
	d.columns = append(d.columns, &col{column, "INTEGER"})
	d.fields = append(d.fields, &field{name: column, expr: column, kind: code, typed: true})
	r.m.relations = append(r.m.relations, &relation{
		name: d.name + "_up", from: d, to: d, fromF: []string{column}, toF: slices.Clone(d.key), proves: "many_to_one",
	})
}

// stored returns a random value of a column: few different ones, so that groups and
// ties arise, and NULL often enough.
func (r *maker) stored(f *field) reference.Value {
	if r.chance(12) {
		return nil
	}
	if f.encoded != "" {
		return r.codeOf(f)
	}
	switch f.kind {
	case text:
		return pick(r, []string{"a", "b", "c", "A", "it's", "x%y", ""})
	case whole:
		return float64(r.IntN(9) - 3)
	case quarters:
		return float64(r.IntN(81)-20) / 4
	case truth:
		return r.chance(50)
	case day:
		return r.date()
	case moment:
		return r.timestamp()
	case zoned:
		return reference.TimestampTZ(r.timestamp())
	}
	return float64(r.IntN(30))
}

func (r *maker) timestamp() reference.Timestamp {
	return reference.Timestamp(int64(r.date())*86400e6 + int64(pick(r, []int{0, 0, 1, 5400, 43200, 82800, 86399}))*1e6)
}

// date returns a day around the turn of a year: some of the ends of months, the leap
// day, and whole months without any.
func (r *maker) date() reference.Date {
	if r.chance(20) {
		v, err := reference.ParseTime(pick(r, []string{"2023-12-31", "2024-01-01", "2024-01-31", "2024-02-29", "2024-03-10", "2024-03-31", "2024-04-30", "2024-10-27"}))
		if err != nil {
			panic(err)
		}
		return v.(reference.Date)
	}
	const start = 19692 // 2023-12-01
	month := pick(r, []int{0, 0, 31, 31, 62, 122, 152, 400})
	return reference.Date(start + month + r.IntN(28))
}

// computed adds fields with expressions to a dataset.
func (r *maker) computed(d *dataset) {
	kindField, level, size := d.name+"_kind", d.name+"_level", d.name+"_size"
	choices := []*field{
		{name: d.name + "_known", expr: fmt.Sprintf("COALESCE(%s, 'none')", kindField), kind: text, typed: true},
		{name: d.name + "_band", expr: fmt.Sprintf("CASE WHEN %s > 2 THEN 'high' WHEN %s >= 0 THEN 'low' END", level, level), kind: text, typed: true},
		{name: d.name + "_twice", expr: fmt.Sprintf("%s * 2 - %s", size, level), kind: whole, typed: true},
		{name: d.name + "_loud", expr: fmt.Sprintf("UPPER(%s_known)", d.name), kind: text, typed: true},
		{name: d.name + "_share", expr: fmt.Sprintf("%s / %s", size, level), kind: quarters, value: rounded},
		{name: d.name + "_positive", expr: fmt.Sprintf("%s > 0", size), kind: truth, typed: true},
		{name: d.name + "_rest", expr: fmt.Sprintf("%s %% 3", size), kind: whole, typed: true},
		{name: d.name + "_always", expr: "7", kind: whole, typed: true},
	}
	for _, f := range choices {
		if r.chance(35) {
			if f.name == d.name+"_loud" && d.field(d.name+"_known") == nil {
				d.fields = append(d.fields, choices[0])
			}
			if d.field(f.name) == nil {
				d.fields = append(d.fields, f)
			}
		}
	}
}
