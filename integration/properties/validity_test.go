package properties_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/integration/internal/table"
	"github.com/semlayer/semlayer/integration/reference"
	"github.com/semlayer/semlayer/planner/query"
)

// validity holds the fields that limit the rows of a relationship's target to a time.
type validity struct {
	at, from string
	to       string // "" where a row is valid until the next one of its key
}

// text returns the key of the extension; v may be nil.
func (v *validity) text() string {
	switch {
	case v == nil:
		return ""
	case v.to == "":
		return fmt.Sprintf(`"valid": {"at": "%s", "from": "%s"}`, v.at, v.from)
	}
	return fmt.Sprintf(`"valid": {"at": "%s", "from": "%s", "to": "%s"}`, v.at, v.from, v.to)
}

// addValidity makes an edge one whose rows are valid for a time, with the columns of the times.
func (r *maker) addValidity(rel *relation) {
	kinds := [][]kind{{day, day, day}, {day, day, moment}, {moment, day, moment}, {moment, moment, moment}, {day, moment, day}, {zoned, zoned, zoned}}
	chosen := pick(r, kinds)
	add := func(d *dataset, suffix string, k kind) string {
		name := rel.name + suffix
		d.columns = append(d.columns, &col{name, sqlTypes[k]})
		d.fields = append(d.fields, &field{name: name, expr: name, kind: k, typed: true})
		return name
	}
	rel.proves = "many_to_one"
	rel.valid = &validity{at: add(rel.from, "_at", chosen[0]), from: add(rel.to, "_start", chosen[1])}
	if r.chance(65) {
		rel.valid.to = add(rel.to, "_stop", chosen[2])
	}
}

// fillIntervals gives the rows of each key intervals that do not overlap: some touch, some leave a
// gap, some are empty or reversed, and the outer ones may be open.
func (r *maker) fillIntervals(rel *relation) {
	v := rel.valid
	if v.to == "" {
		return // any beginnings will do
	}
	start, stop := rel.to.field(v.from), rel.to.field(v.to)
	byKey := map[reference.Value][]reference.Row{}
	for _, row := range rel.to.rows {
		key := row[rel.toF[0]]
		byKey[key] = append(byKey[key], row)
	}
	for _, row := range rel.to.rows {
		rows := byKey[row[rel.toF[0]]]
		delete(byKey, row[rel.toF[0]])
		days := make([]reference.Date, len(rows)+1)
		for i := range days {
			days[i] = r.date()
		}
		slices.Sort(days)
		for i, row := range rows {
			row[v.from], row[v.to] = timeOfKind(start.kind, days[i]), timeOfKind(stop.kind, days[i+1])
			switch chance := r.IntN(100); {
			case chance < 12: // a gap
				row[v.to] = timeOfKind(stop.kind, days[i]+(days[i+1]-days[i])/2)
			case chance < 18:
				row[v.to] = timeOfKind(stop.kind, days[i])
			case chance < 24:
				row[v.to] = timeOfKind(stop.kind, days[i]-3)
			case chance < 40 && i == len(rows)-1:
				row[v.to] = nil
			case chance < 55 && i == 0:
				row[v.from] = nil
			}
		}
	}
}

// timeOfKind returns the midnight of a day.
func timeOfKind(k kind, d reference.Date) reference.Value {
	switch at := reference.Timestamp(int64(d) * 86400e6); k {
	case moment:
		return at
	case zoned:
		return reference.TimestampTZ(at)
	}
	return d
}

func TestLaws_ValidEqualsALookUp(t *testing.T) { holdLaw(t, validLaw) }

// validLaw compares the rows that an edge finds with those that a plain look-up in the data finds.
func validLaw(r *maker, ask asker) (string, bool) {
	edges := slices.DeleteFunc(slices.Clone(r.m.relations), func(rel *relation) bool { return rel.valid == nil || len(rel.from.rows) == 0 })
	if len(edges) == 0 {
		return "", false
	}
	rel := pick(r, edges)
	mine, theirs := rel.from.name+"_id", rel.to.name+"_id"
	q := &question{Distinct: true, From: rel.from.name, GroupBy: []query.GroupBy{
		{Field: rel.from.name + "." + mine}, {Field: rel.name + "." + theirs},
	}}
	got, err := ask(q)
	if err != nil {
		return fmt.Sprintf("%s\n%v", q.json(), err), true
	}
	text := []string{strings.Join(got.Columns, " | ")}
	for _, row := range rel.from.rows {
		found := rel.lookUp(row)
		if rel.inner && found == nil {
			continue
		}
		text = append(text, fmt.Sprintf("%s | %s", reference.FormatValue(row[mine]), idText(found, theirs)))
	}
	want, err := table.FromText(strings.Join(text, "\n"))
	if err != nil {
		return err.Error(), true
	}
	return compareTables(q, want, got), true
}

func idText(row reference.Row, name string) string {
	if row == nil {
		return "∅"
	}
	return reference.FormatValue(row[name])
}

// lookUp finds the row that is valid for a row, nil for none.
func (r *relation) lookUp(row reference.Row) reference.Row {
	at := microseconds(row[r.valid.at])
	if at == nil || row[r.fromF[0]] == nil {
		return nil
	}
	var last reference.Row
	for _, other := range r.to.rows {
		from := microseconds(other[r.valid.from])
		if other[r.toF[0]] != row[r.fromF[0]] || from != nil && *from > *at {
			continue
		}
		if r.valid.to != "" {
			if to := microseconds(other[r.valid.to]); to == nil || *at < *to {
				return other
			}
			continue
		}
		if last == nil || compareTimes(microseconds(last[r.valid.from]), from) <= 0 {
			last = other // the rows are in the order of their primary key
		}
	}
	return last
}

// microseconds returns the time of a value since 1970, nil for a null.
func microseconds(v reference.Value) *int64 {
	var at int64
	switch v := v.(type) {
	case reference.Date:
		at = int64(v) * 86400e6
	case reference.Timestamp:
		at = int64(v)
	case reference.TimestampTZ:
		at = int64(v)
	default:
		return nil
	}
	return &at
}

// compareTimes orders times, none first.
func compareTimes(a, b *int64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return cmp.Compare(*a, *b)
}
