package catalog

import (
	"slices"
	"strings"
)

// PrimaryOrFirstUniqueKeyColumns returns the primary key of the dataset, or without one its first unique key; nil without any.
func (d *Dataset) PrimaryOrFirstUniqueKeyColumns() []string {
	switch {
	case len(d.PrimaryKey) > 0:
		return d.PrimaryKey
	case len(d.UniqueKeys) > 0:
		return d.UniqueKeys[0]
	}
	return nil
}

// FieldOfKeyColumn returns the field that a column of a key means: the one of its name, else one whose
// expression is the column; nil where the dataset has neither.
func (d *Dataset) FieldOfKeyColumn(name string) *Field {
	isUsable := func(f *Field) bool { return f.Err == nil && f.LOD == nil && f.Joined == nil }
	if f := d.fields[strings.ToLower(strings.Trim(name, `"`))]; f != nil && isUsable(f) {
		return f
	}
	i := slices.IndexFunc(d.Fields, func(f *Field) bool { return isUsable(f) && f.MatchesColumnName(name) })
	if i < 0 {
		return nil
	}
	return d.Fields[i]
}
