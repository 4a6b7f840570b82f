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
			g.proveEnforcedKeyHasNoNull(d)
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
		g.addNote(d.name + " has no key, because the table has no row")
		return
	}
	singles, parts := d.singleColumnKeyCandidates(), d.compositeKeyPartCandidates()
	asked := slices.Clone(singles)
	for _, f := range parts {
		if !slices.Contains(asked, f) {
			asked = append(asked, f)
		}
	}
	if len(asked) == 0 {
		g.addNote(d.name + " has no key, because no column has the name of a key")
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
	d.setRowsRead(counts, g.options.MaxRows)
	unique := func(f *columnField) bool {
		i := slices.Index(asked, f)
		return counts.Rows > 0 && counts.Values[i] == counts.Rows && counts.Distinct[i] == counts.Rows
	}
	if i := slices.IndexFunc(singles, unique); i >= 0 {
		g.adoptDetectedKey(d, singles[i:i+1])
		return
	}
	var reasons []string
	for _, f := range singles {
		values := counts.Values[slices.Index(asked, f)]
		if values == counts.Rows {
			reasons = append(reasons, g.findDuplicate(d, f).text)
			continue
		}
		reasons = append(reasons, f.name+" has no value in "+formatInteger(counts.Rows-values)+" of "+formatInteger(counts.Rows)+" rows")
	}
	if counts.Complete && counts.Rows > 0 {
		withoutNulls := slices.DeleteFunc(parts, func(f *columnField) bool { return counts.Values[slices.Index(asked, f)] < counts.Rows })
		reasons = append(reasons, g.proveTwoColumnKey(d, withoutNulls)...)
	}
	if d.key.fields == nil && g.err == nil {
		g.addNote(d.name + " has no key, because no candidate has a different value in each row: " + strings.Join(reasons, "; "))
	}
}

// proveEnforcedKeyHasNoNull looks among the unique keys that the database enforces for one whose columns may hold nulls and
// hold none, where no other key was found.
func (g *generator) proveEnforcedKeyHasNoNull(d *tableDataset) {
	for i, key := range d.unique {
		if d.table.Empty || d.key.fields != nil || d.key.likely != nil || g.err != nil {
			return
		}
		columns := make([]string, len(key))
		for j, f := range key {
			columns[j] = f.column.Name
		}
		counts, err := g.proofs.CountKeys(g.ctx, d.table, columns)
		if err != nil {
			g.noteFailureOrStopRun(d.name+": the key "+strings.Join(fieldNamesOf(key), ", "), err)
			return
		}
		d.setRowsRead(counts, g.options.MaxRows)
		if counts.Rows > 0 && !slices.ContainsFunc(counts.Values, func(n int64) bool { return n < counts.Rows }) {
			g.adoptDetectedKey(d, key)
			if d.key.fields != nil {
				d.unique = slices.Delete(d.unique, i, i+1)
			}
			return
		}
	}
}

// setRowsRead records how many rows the proof of a key has read.
func (d *tableDataset) setRowsRead(counts KeyCounts, most int64) {
	d.key.rows, d.key.complete = counts.Rows, counts.Complete
	if !counts.Complete {
		d.key.rows = most
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

// proveTwoColumnKey looks for a key of two columns. If no pair is a key, it returns the reasons.
func (g *generator) proveTwoColumnKey(d *tableDataset, parts []*columnField) (reasons []string) {
	for i, first := range parts {
		for _, second := range parts[i+1:] {
			found := g.findDuplicate(d, first, second)
			if g.err != nil {
				return nil
			}
			if found.isUnique {
				g.adoptDetectedKey(d, []*columnField{first, second})
				return nil
			}
			reasons = append(reasons, found.text)
		}
	}
	return reasons
}

// duplicateSearch is the result of a search for values that several rows share.
type duplicateSearch struct {
	isUnique bool
	text     string // names the values, or the failure of the search
}

// findDuplicate looks for rows that have the same values in some fields.
func (g *generator) findDuplicate(d *tableDataset, fields ...*columnField) duplicateSearch {
	columns := make([]string, len(fields))
	for i, f := range fields {
		columns[i] = f.column.Name
	}
	names := strings.Join(fieldNamesOf(fields), ", ")
	values, rows, err := g.proofs.FindDuplicate(g.ctx, d.table, columns)
	switch {
	case err != nil:
		g.noteFailureOrStopRun(d.name+": the key of "+names, err)
		return duplicateSearch{text: names + " is not proven"}
	case rows < 2:
		return duplicateSearch{isUnique: true, text: names + " has no duplicate"}
	}
	for i, v := range values {
		values[i] = shortenTextForMessage(v)
	}
	return duplicateSearch{text: names + " = " + strings.Join(values, ", ") + " is in " + formatInteger(rows) + " rows"}
}

// singleColumnKeyCandidates lists the columns that may be a key alone, the likeliest first.
func (d *tableDataset) singleColumnKeyCandidates() []*columnField {
	names := []string{"id"}
	for _, ending := range []string{"id", "key", "code", "no", "number", "uuid"} {
		for _, base := range d.bases {
			names = append(names, base+"_"+ending)
		}
	}
	var out []*columnField
	add := func(f *columnField) {
		if f.isComparable() && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	for _, name := range names {
		for _, f := range d.fields {
			if f.words == name {
				add(f)
			}
		}
	}
	if len(d.fields) > 0 {
		first := d.fields[0]
		for _, ending := range []string{"id", "key", "code", "no", "number", "uuid", "sku"} {
			if strings.HasSuffix(first.words, ending) {
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
				return strings.HasSuffix(f.words, "_"+e)
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
