package generate

import (
	"slices"
	"strings"
)

// findKeys takes the keys that the database enforces, and proves one for a table without.
func (g *generator) findKeys() {
	for _, d := range g.datasets {
		d.adoptEnforcedKeys()
		if d.key.fields == nil && !g.options.NoInfer {
			g.findAndProveKey(d)
		}
		if g.err != nil {
			return
		}
		for _, key := range append([][]*columnField{d.key.fields, d.key.likely}, d.unique...) {
			for _, f := range key {
				f.inKey = true
			}
		}
	}
}

// adoptEnforcedKeys takes the enforced keys. Without a primary key, the first unique key whose
// columns hold no null is one.
func (d *tableDataset) adoptEnforcedKeys() {
	primary := d.findFieldsOfColumns(d.table.PrimaryKey)
	for _, columns := range d.table.UniqueKeys {
		key := d.findFieldsOfColumns(columns)
		switch {
		case key == nil:
		case primary == nil && !slices.ContainsFunc(key, func(f *columnField) bool { return f.column.Nullable }):
			primary = key
		default:
			d.unique = append(d.unique, key)
		}
	}
	if primary != nil {
		d.key = primaryKeyChoice{fields: primary, how: declaredByConstraint, complete: true}
	}
}

// findAndProveKey looks for a key among the columns whose names are those of keys.
func (g *generator) findAndProveKey(d *tableDataset) {
	if d.table.Empty {
		d.key.complete = true
		return // no row proves nothing
	}
	singles, parts := d.singleColumnKeyCandidates(), d.compositeKeyPartCandidates()
	asked := slices.Clone(singles)
	for _, f := range parts {
		if !slices.Contains(asked, f) {
			asked = append(asked, f)
		}
	}
	if len(asked) == 0 {
		return
	}
	columns := make([]string, len(asked))
	for i, f := range asked {
		columns[i] = f.column.Name
	}
	counts, err := g.proofs.CountKeys(g.ctx, d.table, columns)
	if err != nil {
		g.noteFailureOrStopRun(d.name+": the key", err)
		return
	}
	d.key.rows, d.key.complete = counts.Rows, counts.Complete
	if !counts.Complete {
		d.key.rows = g.options.MaxRows
	}
	unique := func(f *columnField) bool {
		i := slices.Index(asked, f)
		return counts.Rows > 0 && counts.Values[i] == counts.Rows && counts.Distinct[i] == counts.Rows
	}
	if i := slices.IndexFunc(singles, unique); i >= 0 {
		g.adoptDetectedKey(d, singles[i:i+1])
		return
	}
	if counts.Complete && counts.Rows > 0 {
		withoutNulls := slices.DeleteFunc(parts, func(f *columnField) bool { return counts.Values[slices.Index(asked, f)] < counts.Rows })
		g.proveTwoColumnKey(d, withoutNulls, counts.Rows)
	}
}

// adoptDetectedKey makes fields the key, or a likely one where not all rows were read.
func (g *generator) adoptDetectedKey(d *tableDataset, key []*columnField) {
	if !d.key.complete {
		d.key.likely = key
		return
	}
	d.key.fields, d.key.how = key, keyProven
}

// proveTwoColumnKey looks for a key of two columns.
func (g *generator) proveTwoColumnKey(d *tableDataset, parts []*columnField, rows int64) {
	for i, first := range parts {
		for _, second := range parts[i+1:] {
			n, err := g.proofs.CountDistinctPairs(g.ctx, d.table, first.column.Name, second.column.Name)
			if err != nil {
				g.noteFailureOrStopRun(d.name+": the key of "+first.name+" and "+second.name, err)
				return
			}
			if n == rows {
				g.adoptDetectedKey(d, []*columnField{first, second})
				return
			}
		}
	}
}

// singleColumnKeyCandidates lists the columns that may be a key alone, the likeliest first.
func (d *tableDataset) singleColumnKeyCandidates() []*columnField {
	names := []string{"id"}
	for _, ending := range []string{"id", "key", "code", "no", "number", "uuid"} {
		names = append(names, d.base+"_"+ending, singularOf(d.base)+"_"+ending)
	}
	var out []*columnField
	add := func(f *columnField) {
		if f.isComparable() && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	for _, name := range names {
		for _, f := range d.fields {
			if f.name == name {
				add(f)
			}
		}
	}
	if len(d.fields) > 0 {
		first := d.fields[0]
		for _, ending := range []string{"id", "key", "code", "no", "number", "uuid", "sku"} {
			if strings.HasSuffix(first.name, ending) {
				add(first)
			}
		}
	}
	return out
}

// compositeKeyPartCandidates lists the first columns that may be a part of a key.
func (d *tableDataset) compositeKeyPartCandidates() []*columnField {
	const most = 6
	var out []*columnField
	for _, f := range d.fields {
		if f.isComparable() && len(out) < most &&
			slices.ContainsFunc([]string{"id", "key", "code", "no", "number", "line", "seq", "date"}, func(e string) bool {
				return strings.HasSuffix(f.name, "_"+e)
			}) {
			out = append(out, f)
		}
	}
	return out
}

// singleColumnKeyField returns the field that alone is a key of the dataset, nil if there is none.
func (d *tableDataset) singleColumnKeyField() *columnField {
	for _, key := range append([][]*columnField{d.key.fields}, d.unique...) {
		if len(key) == 1 {
			return key[0]
		}
	}
	return nil
}

// isKey reports whether fields are a key, in any order.
func (d *tableDataset) isKey(fields []*columnField) bool {
	return slices.ContainsFunc(append([][]*columnField{d.key.fields}, d.unique...), func(key []*columnField) bool {
		return len(key) > 0 && len(key) == len(fields) &&
			!slices.ContainsFunc(key, func(f *columnField) bool { return !slices.Contains(fields, f) })
	})
}
