package relations

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// declaredKeysOf lists the declared keys of a relation whose columns are all fields with their stored values, and marks the columns
// of the primary key. Masked values can be NULL, and equal in several rows.
func declaredKeysOf(r *Relation) []PrimaryOrUniqueKey {
	var out []PrimaryOrUniqueKey
	if columns, ok := r.columnsOfKey(r.Dataset.PrimaryKey); ok {
		out = append(out, PrimaryOrUniqueKey{Name: r.Name + "_pkey", Columns: columns, Primary: true})
		for _, c := range columns {
			c.NotNull = true
		}
	}
	for _, key := range r.Dataset.UniqueKeys {
		if columns, ok := r.columnsOfKey(key); ok {
			out = append(out, PrimaryOrUniqueKey{Name: r.Name + "_" + strings.Join(columnNames(columns), "_") + "_key", Columns: columns})
		}
	}
	return out
}

// columnsOfKey finds the columns of a declared key, whose parts are names of fields or of columns.
func (r *Relation) columnsOfKey(key []string) (out []*Column, ok bool) {
	for _, part := range key {
		c := r.columnOfKeyPart(part)
		if c == nil || c.Field.IsMasked() {
			return nil, false
		}
		out = append(out, c)
	}
	return out, len(out) > 0
}

func (r *Relation) columnOfKeyPart(part string) *Column {
	if f := r.Dataset.Field(part); f != nil {
		return r.columnOfField(f)
	}
	for _, f := range r.Dataset.Fields {
		if f.Err == nil && f.LOD == nil && f.MatchesColumnName(part) {
			return r.columnOfField(f)
		}
	}
	return nil
}

// columnOfField returns the column of a field of the relation's dataset.
func (r *Relation) columnOfField(f *catalog.Field) *Column {
	for _, c := range r.byName[foldedName(f.Name)] {
		if c.Field == f {
			return c
		}
	}
	return nil
}

// foreignKeys lists the relationships of a dataset to a declared key of another.
func (s *Schema) foreignKeys(cat *catalog.Catalog, r *Relation) []ForeignKey {
	var out []ForeignKey
	for _, rel := range cat.Relationships {
		if rel.From != r.Dataset || rel.Err != nil || rel.Valid != nil {
			continue
		}
		target := s.RelationOfDataset(rel.To)
		from, to := r.columnsOfFields(rel.FromFields), target.columnsOfFields(rel.ToFields)
		if from != nil && to != nil && target.hasKey(to) {
			out = append(out, ForeignKey{Name: rel.Name, Columns: from, Target: target, TargetColumns: to})
		}
	}
	return out
}

func (r *Relation) columnsOfFields(fields []*catalog.Field) []*Column {
	var out []*Column
	for _, f := range fields {
		c := r.columnOfField(f)
		if c == nil && f.Dataset == r.Dataset {
			c = r.columnOfKeyPart(f.Name)
		}
		if c == nil {
			return nil
		}
		out = append(out, c)
	}
	return out
}

// hasKey reports whether columns are those of a key, in any order.
func (r *Relation) hasKey(columns []*Column) bool {
	return slices.ContainsFunc(r.Keys, func(k PrimaryOrUniqueKey) bool {
		return len(k.Columns) == len(columns) && !slices.ContainsFunc(columns, func(c *Column) bool { return !slices.Contains(k.Columns, c) })
	})
}

func columnNames(columns []*Column) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.Name
	}
	return out
}
