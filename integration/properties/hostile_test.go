package properties_test

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/integration/reference"
)

// canaryWord begins every text of a row or a column that the reader may not see. No question has it.
const canaryWord = "canary"

// newHostileMaker returns a maker whose datasets have columns that expressions fail on.
func newHostileMaker(seed uint64) *maker {
	r := newMaker(seed)
	r.hostile = true
	return r
}

// failingColumns adds columns, and fields whose expressions fail on some values of them: a text that is not a number, a product out of range.
func (r *maker) failingColumns(d *dataset) {
	digits, big, ratio := d.name+"_digits", d.name+"_big", d.name+"_ratio"
	d.columns = append(d.columns, &col{digits, "VARCHAR"}, &col{big, "BIGINT"}, &col{ratio, "DOUBLE"})
	d.fields = append(d.fields,
		&field{name: digits, expr: digits, kind: text, typed: true},
		&field{name: big, expr: big, kind: whole, typed: true},
		&field{name: ratio, expr: ratio, kind: quarters, typed: true, payload: `"is_dimension": false`},
		&field{name: d.name + "_number", expr: "CAST(" + digits + " AS INTEGER)", kind: whole, typed: true},
		&field{name: d.name + "_thrice", expr: big + " * 3", kind: whole, typed: true},
		&field{name: d.name + "_square", expr: big + " * " + big, kind: whole, typed: true},
	)
}

// restrict hides a dataset, or fields, or masks one.
func (r *maker) restrict(p *readerPolicy) {
	for _, role := range p.roles {
		role["sql"] = r.chance(25)
	}
	if p.revealed != "" {
		return // its metrics read what is hidden
	}
	grantOf := func(role map[string]any, d *dataset) map[string]any {
		grants := role["datasets"].(map[string]any)
		if grants[d.name] == nil {
			grants[d.name] = map[string]any{"rows": "all", "fields": "all"}
		}
		return grants[d.name].(map[string]any)
	}
	var open []*dataset
	for _, d := range r.m.datasets {
		if len(p.masks[d.name]) == 0 {
			open = append(open, d)
		}
	}
	if len(open) > 2 && r.chance(40) {
		hidden := pick(r, open[1:])
		p.hidden[hidden.name] = true
		for _, role := range p.roles {
			for _, d := range r.m.datasets {
				if d != hidden {
					grantOf(role, d)
				}
			}
			grants := role["datasets"].(map[string]any)
			delete(grants, "*")
			delete(grants, hidden.name)
		}
		open = slices.DeleteFunc(open, func(d *dataset) bool { return d == hidden })
	}
	if r.chance(60) && len(open) > 0 {
		d := pick(r, open)
		for _, suffix := range some(r, []string{"_kind", "_digits", "_big", "_size"}, 1+r.IntN(2)) {
			p.hides[d.name] = append(p.hides[d.name], d.name+suffix)
		}
		if r.chance(35) {
			p.hides[d.name] = append(p.hides[d.name], r.keysOf(d)...)
		}
		for _, role := range p.roles {
			grantOf(role, d)["hide"] = p.hides[d.name]
		}
	}
}

// keysOf lists the fields by which a dataset is joined.
func (r *maker) keysOf(d *dataset) []string {
	out := slices.Clone(d.key)
	for _, rel := range r.m.relations {
		if rel.from == d {
			out = append(out, rel.fromF...)
		}
		if rel.to == d {
			out = append(out, rel.toF...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// seesSQL reports whether a role of the reader shows SQL, which has the names of the tables.
func (p *readerPolicy) seesSQL() bool {
	return slices.ContainsFunc(p.roles, func(role map[string]any) bool {
		sql, _ := role["sql"].(bool)
		return sql
	})
}

// hiddenNames finds the names of fields, relationships and metrics that the lists of a reader do not have; nil for none.
func (d *door) hiddenNames(ctx context.Context, m *model) (*regexp.Regexp, error) {
	fields, err := d.engine.Dimensions(ctx, "")
	if err != nil {
		return nil, err
	}
	metrics, err := d.engine.Metrics(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, f := range fields {
		seen[f.Name[strings.LastIndexByte(f.Name, '.')+1:]] = true
	}
	for _, one := range metrics {
		seen[one.Name] = true
	}
	for _, one := range d.engine.Relationships() {
		seen[one.Name] = true
	}
	var hidden []string
	add := func(name string) {
		if !seen[name] && strings.Contains(name, "_") { // others are usual words
			hidden = append(hidden, regexp.QuoteMeta(name))
		}
	}
	for _, one := range m.datasets {
		for _, f := range one.fields {
			add(f.name)
		}
	}
	for _, one := range m.relations {
		add(one.name)
	}
	for _, one := range m.metrics {
		add(one.name)
	}
	if len(hidden) == 0 {
		return nil, nil
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(hidden, "|") + `)\b`), nil
}

// shows returns a hidden name that a response has and its request has not; "" for none.
func (q request) shows(hidden *regexp.Regexp, response string) string {
	if hidden == nil {
		return ""
	}
	asked := strings.ToLower(q.path + q.body)
	for _, name := range hidden.FindAllString(response, -1) {
		if !strings.Contains(asked, strings.ToLower(name)) {
			return name
		}
	}
	return ""
}

// viewOf writes what the reader sees of the rows: equal texts are equal views.
func (p *readerPolicy) viewOf(m *model) string {
	var b strings.Builder
	for _, d := range m.tables() {
		if p.hidden[d.name] {
			continue
		}
		fmt.Fprintf(&b, "%s\n", d.name)
		for _, row := range d.rows {
			if d.calendar == "" && !p.admitsRow(d, row) {
				continue
			}
			for _, c := range d.columns {
				if !p.hidesValues(m, d, c.name) {
					fmt.Fprintf(&b, "%v,", row[c.name])
				}
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// hidesValues reports whether nothing that the reader sees depends on the values of a column: its field is hidden, or has a constant mask, and no join needs it.
func (p *readerPolicy) hidesValues(m *model, d *dataset, column string) bool {
	if slices.Contains(d.key, column) || slices.ContainsFunc(d.unique, func(key []string) bool { return slices.Contains(key, column) }) {
		return false
	}
	for _, rel := range m.relations {
		if rel.from == d && slices.Contains(rel.fromF, column) || rel.to == d && slices.Contains(rel.toF, column) || rel.valid != nil {
			return false
		}
	}
	for _, f := range d.fields {
		if strings.Contains(f.payload, column) { // the grain of a level of detail uses the plain values
			return false
		}
	}
	mask, masked := p.masks[d.name][column]
	return slices.Contains(p.hides[d.name], column) || masked && !strings.Contains(mask, column)
}

// poison changes what the reader does not see, in a way that the view stays as it is.
func (r *maker) poison(m *model, p *readerPolicy) (changes int) {
	view := p.viewOf(m)
	try := func(change, undo func()) {
		if change(); p.viewOf(m) == view {
			changes++
			return
		}
		undo()
	}
	for _, d := range m.datasets {
		for i := len(d.rows) - 1; i >= 0; i-- {
			row := d.rows[i]
			was := reference.Row{}
			for k, v := range row {
				was[k] = v
			}
			restore := func() {
				for k, v := range was {
					row[k] = v
				}
			}
			unseen := p.hidden[d.name] || !p.admitsRow(d, row)
			switch {
			case unseen && r.chance(20):
				all := d.rows
				try(func() { d.rows = slices.Delete(slices.Clone(all), i, i+1) }, func() { d.rows = all })
			case unseen:
				try(func() { r.poisonRow(m, d, row, i, nil) }, restore)
			case len(p.hides[d.name])+len(p.masks[d.name]) > 0:
				try(func() { r.poisonRow(m, d, row, i, p) }, restore)
			}
		}
	}
	return changes
}

// poisonRow changes all values of a row, or those of columns that the reader does not see.
func (r *maker) poisonRow(m *model, d *dataset, row reference.Row, i int, p *readerPolicy) {
	for _, c := range d.columns {
		f := d.field(c.name)
		if p != nil && !p.hidesValues(m, d, c.name) {
			continue
		}
		switch {
		case f == nil || f.encoded != "":
			row[c.name] = nil
		case f.kind == text:
			row[c.name] = canaryWord + strconv.Itoa(i)
		case f.kind == code:
			row[c.name] = float64(70000 + i) // a key that no row has
		case c.sqlType == "BIGINT":
			row[c.name] = 9223372036854774784.0
		case c.sqlType == "DOUBLE":
			row[c.name] = pick(r, []float64{math.NaN(), 1e300, -1e300})
		case f.kind == whole:
			row[c.name] = pick(r, []float64{2147483647, -2147483648})
		case f.kind == quarters:
			row[c.name] = 9999999999.75
		case f.kind == truth:
			row[c.name] = r.chance(50)
		case f.kind == day:
			row[c.name] = reference.Date(pick(r, []int{-200000, 2000000}))
		default:
			row[c.name] = nil
		}
	}
}
