package rollup

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/plan"
)

// Read is a rollup that serves a branch, and how.
type Read struct {
	Rollup *catalog.Rollup
	Table  *joins.StoredTable
	// Absorbed are the conjuncts of the branch that all rows of the table meet.
	Absorbed []sqlexpr.Expr
	// Buckets are the columns with buckets that ranges are over, by the field.
	Buckets  []joins.StoredField
	Measures map[*catalog.Measure]StoredMeasure
	joins    int // beside the table
}

// BucketsOf returns the column with buckets that ranges of a field are over; false where its values are stored, or joined.
func (r *Read) BucketsOf(f Field) (joins.StoredField, bool) {
	i := slices.IndexFunc(r.Buckets, func(s joins.StoredField) bool { return f.IsSame(Field{s.Path, s.Field}) })
	if i < 0 {
		return joins.StoredField{}, false
	}
	return r.Buckets[i], true
}

// BucketsFor returns the column with buckets of a field that are those of a unit, or divide it; false where its values are stored, or
// joined.
func (r *Read) BucketsFor(f Field, unit sqlexpr.Grain) (joins.StoredField, bool) {
	for _, s := range r.Table.Fields {
		if s.Grain != sqlexpr.GrainNone && f.IsSame(Field{s.Path, s.Field}) && s.Grain.Subdivides(unit) {
			return s, r.Table.Raw(f.Path, f.Field) == ""
		}
	}
	return joins.StoredField{}, false
}

// candidate is a rollup whose rules are tried on a branch.
type candidate struct {
	*Branch
	rollup *catalog.Rollup
	read   *Read
	model  clock.Clock // in whose buckets the table is made
	edges  [][]catalog.JoinStep
	base   *joins.Tree // over the base tables, for expressions that are compared
}

// newCandidate prepares a rollup of the home of a branch.
func newCandidate(b *Branch, r *catalog.Rollup, model clock.Clock, base *joins.Tree) *candidate {
	table := &joins.StoredTable{Name: r.Name, Source: b.In.Target.Rollups.Table(r.Source), Rows: b.In.Target.Rollups.Fresh[r.Name].Rows}
	for _, g := range r.Groups {
		f := NewField(nil, g.Field)
		s := joins.StoredField{Path: f.Path, Field: f.Field, Grain: g.Grain, Column: g.Column}
		if g.IsRaw() {
			s.Grain = sqlexpr.GrainNone
		}
		table.Fields = append(table.Fields, s)
	}
	return &candidate{Branch: b, rollup: r, read: &Read{Rollup: r, Table: table, Measures: map[*catalog.Measure]StoredMeasure{}}, model: model, base: base}
}

// stored lists the columns that hold a field.
func (c *candidate) stored(f Field) []joins.StoredField {
	var out []joins.StoredField
	for _, s := range c.read.Table.Fields {
		if f.IsSame(Field{s.Path, s.Field}) {
			out = append(out, s)
		}
	}
	return out
}

// reaches reports whether the values of a field are stored, or joined to the table.
func (c *candidate) reaches(f Field) bool {
	return c.read.Table.Raw(f.Path, f.Field) != "" || c.computes(f)
}

// computes reports whether the values of a field that is not stored are computed from what is: those of a joined dataset, and those of a field
// that the query adds.
func (c *candidate) computes(f Field) bool {
	switch {
	case f.Field.LOD != nil || f.Field.ErrorForDialect(c.In.Target.Dialect) != nil:
		return false
	case len(f.Path) == 0 && !c.computesFromColumns(f.Field):
		return false
	case len(f.Path) > 0 && !c.joins(f.Path):
		return false
	}
	for r := range sqlexpr.Refs(f.Field.Expr.ForDialect(c.In.Target.Dialect)) {
		if !c.reaches(NewField(f.Path, c.In.Cat.FieldByID(r.ID))) {
			return false
		}
	}
	return true
}

// computesFromColumns reports whether the query adds a field, and all columns of its expression are stored as fields.
func (c *candidate) computesFromColumns(f *catalog.Field) bool {
	if !c.In.Cat.IsFieldOfQuery(f) {
		return false
	}
	for _, column := range sqlexpr.ColumnReferences(f.Expr.ForDialect(c.In.Target.Dialect)) {
		if !c.read.Table.HoldsColumn(column, c.In.Target.Dialect) {
			return false
		}
	}
	return true
}

// joins reports whether the last edge of a path is followed from columns of the table, or from a dataset that is joined to it.
func (c *candidate) joins(path []catalog.JoinStep) bool {
	if slices.ContainsFunc(c.edges, func(known []catalog.JoinStep) bool { return slices.Equal(known, path) }) {
		return true
	}
	at, step := path[:len(path)-1], path[len(path)-1]
	if step.Rel.Err != nil || !step.Safe() {
		return false
	}
	keys := step.Rel.FromFields
	if step.Reverse {
		keys = step.Rel.ToFields
	}
	if v := step.Rel.Valid; v != nil {
		if step.Reverse {
			return false
		}
		keys = append(slices.Clip(keys), v.At)
	}
	for _, key := range keys {
		if !c.reaches(NewField(at, key)) {
			return false
		}
	}
	c.edges = append(c.edges, path)
	return true
}

// nameOf returns the name of a field for a report. A field that no name finds is read by a revealed object: its dataset alone is named.
func (c *candidate) nameOf(f *catalog.Field) string {
	if !isFound(c.In.Cat, f) {
		return "a field of " + f.Dataset.Name
	}
	return f.QualifiedName()
}

// isFound reports whether a name finds a field.
func isFound(cat *catalog.Catalog, f *catalog.Field) bool {
	source := f.SourceField()
	return source.Dataset.Field(source.Name) == source || cat.FindDatasetField(source.Dataset, source.Name) == source
}

// reject returns the rejection of the rollup by a rule.
func (c *candidate) reject(rule, subject, message string) *plan.RollupRejection {
	return &plan.RollupRejection{Rollup: c.rollup.Name, Rule: rule, Subject: subject, Message: message}
}
