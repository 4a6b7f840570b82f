package rollup

import (
	"cmp"
	"iter"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/timerange"
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

// trial is what all rollups that are tried on a branch have in common.
type trial struct {
	*Branch
	model   clock.Clock               // in whose buckets the tables are made
	dialect string                    // in which the rows of the tables were computed
	base    *joins.Tree               // see baseTree
	wanted  []*wantedMeasure          // those of the branch
	lod     *catalog.Field            // that is a level of detail, and that the branch reads; nil for none
	names   map[*catalog.Field]string // see nameOf
	// ranges are those of the branch, and its conjuncts that are ranges.
	ranges []conditionRange
	// isRestricted: the reader does not see some rows, or some values.
	isRestricted bool
}

// conditionRange is a range of a branch, or one of its conjuncts.
type conditionRange struct {
	Range
	of *Condition // nil for a range
}

func newTrial(b *Branch) (*trial, error) {
	model, err := clock.New(b.In.Cat, "", "", nil)
	if err != nil {
		return nil, err
	}
	t := &trial{
		Branch: b, model: model, dialect: b.In.Target.Rollups.RowsDialect(b.In.Target.Dialect), lod: findLODField(b),
		isRestricted: slices.ContainsFunc(b.In.Cat.Datasets, func(d *catalog.Dataset) bool { return d.Rows != nil || len(d.Plain) > 0 }),
	}
	t.wanted = make([]*wantedMeasure, 0, len(b.Measures))
	for _, m := range b.Measures {
		t.wanted = append(t.wanted, newWantedMeasure(m.Measure))
	}
	t.ranges = make([]conditionRange, 0, len(b.Ranges))
	for _, r := range b.Ranges {
		t.ranges = append(t.ranges, conditionRange{Range: r})
	}
	for i, cond := range b.Conditions {
		if cond.Interval != nil && !cond.Dropped {
			r := Range{Field: cond.Fields[cond.Read[0]], Text: "the condition " + cond.Text, Intervals: []timerange.Interval{*cond.Interval}}
			t.ranges = append(t.ranges, conditionRange{r, &b.Conditions[i]})
		}
	}
	return t, nil
}

// baseTree returns a tree over the base tables, for expressions that are compared. Most branches have measures that the rollups store as they are, and
// compare none.
func baseTree(t *trial) *joins.Tree {
	if t.base == nil {
		t.base = joins.New(t.In.Cat, t.dialect, t.In.Target.Caps, t.Home, joins.Tables{})
	}
	return t.base
}

// candidate is a rollup whose rules are tried on a branch. Most rollups are rejected, so that one candidate is used for all of a branch.
type candidate struct {
	*trial
	rollup   *catalog.Rollup
	read     Read
	measures []computedMeasure // of the branch
	columns  joins.StoredTable // see table
	hasTable bool
	edges    [][]catalog.JoinStep
	unshown  []string // the columns of which the reader sees values that the table does not hold
	// explains: rejections have their subjects and messages.
	explains bool
	// rejection is by the rule that the rollup does not meet.
	rejection plan.RollupRejection
}

// computedMeasure is a measure of the branch, and how it is computed.
type computedMeasure struct {
	measure *catalog.Measure
	from    StoredMeasure
}

// begin prepares the candidate for a rollup of the home of the branch.
func (c *candidate) begin(r *catalog.Rollup) {
	c.rollup, c.read, c.measures, c.edges = r, Read{Rollup: r}, c.measures[:0], c.edges[:0]
	c.unshown = c.unshown[:0]
	if c.hasTable {
		c.columns, c.hasTable = joins.StoredTable{Fields: c.columns.Fields[:0]}, false
	}
}

// take returns how the branch reads the rollup, which meets all rules.
func (c *candidate) take() *Read {
	table, out := *c.table(), c.read
	table.Source, table.Rows = c.In.Target.Rollups.TableOf(c.rollup.Name, c.rollup.Source), c.In.Target.Rollups.Fresh[c.rollup.Name].Rows
	c.columns.Fields = nil // which are those of the read
	table.Fields = slices.DeleteFunc(table.Fields, func(s joins.StoredField) bool {
		return s.Field.IsMasked() || slices.Contains(c.unshown, s.Column)
	})
	out.Table, out.joins, out.Measures = &table, len(c.edges), make(map[*catalog.Measure]StoredMeasure, len(c.measures))
	for _, m := range c.measures {
		out.Measures[m.measure] = m.from
	}
	return &out
}

// table returns the table of the rollup. Most rollups are rejected by rules that read the declaration alone, before it is made.
func (c *candidate) table() *joins.StoredTable {
	if c.hasTable {
		return &c.columns
	}
	c.columns.Name, c.columns.Dialect, c.hasTable = c.rollup.Name, c.dialect, true
	c.columns.Fields = slices.Grow(c.columns.Fields, len(c.rollup.Groups))
	for i := range c.rollup.Groups {
		g := &c.rollup.Groups[i]
		s := joins.StoredField{Path: g.Path(), Field: g.Field.SourceField(), Grain: g.Grain, Column: g.Column}
		if g.IsRaw() {
			s.Grain = sqlexpr.GrainNone
		}
		c.columns.Fields = append(c.columns.Fields, s)
	}
	return &c.columns
}

// isOf reports whether a group of a rollup is a field.
func (f Field) isOf(g *catalog.RollupGroup) bool {
	return f.IsSame(Field{g.Path(), g.Field.SourceField()})
}

// stored returns the columns that hold a field.
func (c *candidate) stored(f Field) iter.Seq[joins.StoredField] {
	return func(yield func(joins.StoredField) bool) {
		for _, s := range c.table().Fields {
			if f.IsSame(Field{s.Path, s.Field}) && !yield(s) {
				return
			}
		}
	}
}

// isStored reports whether a column holds a field, its values or buckets.
func (c *candidate) isStored(f Field) bool {
	for i := range c.rollup.Groups {
		if f.isOf(&c.rollup.Groups[i]) {
			return true
		}
	}
	return false
}

// holdsValues reports whether a column holds the values of a field.
func (c *candidate) holdsValues(f Field) bool {
	for i := range c.rollup.Groups {
		if g := &c.rollup.Groups[i]; f.isOf(g) && g.IsRaw() {
			return true
		}
	}
	return false
}

// reaches reports whether the values of a field are stored, or joined to the table.
func (c *candidate) reaches(f Field) bool {
	return c.holdsValues(f) || c.computes(f)
}

// computes reports whether the values of a field that is not stored are computed from what is: those of a joined dataset, and those of a field
// that the query adds.
func (c *candidate) computes(f Field) bool {
	switch {
	case f.Field.LOD != nil || f.Field.ErrorForDialect(c.dialect) != nil:
		return false
	case len(f.Path) == 0 && !c.computesFromColumns(f.Field):
		return false
	case len(f.Path) > 0 && !c.joins(f.Path):
		return false
	}
	fieldOf := func(id int) Field { return NewField(f.Path, c.In.Cat.FieldByID(id)) }
	for r := range sqlexpr.Refs(f.Field.Expr.ForDialect(c.dialect)) {
		if !c.reaches(fieldOf(r.ID)) {
			return false
		}
	}
	return !readsLettersOf(c, f.Field.Expr.ForDialect(c.dialect), fieldOf)
}

// computesFromColumns reports whether the query adds a field, and all columns of its expression are stored as fields.
func (c *candidate) computesFromColumns(f *catalog.Field) bool {
	if !c.In.Cat.IsFieldOfQuery(f) {
		return false
	}
	for _, column := range sqlexpr.ColumnReferences(f.Expr.ForDialect(c.dialect)) {
		if !c.table().HoldsColumn(column) {
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
	if step.Rel.Err != nil || !step.Safe() || step.Reverse && step.Rel.Valid != nil {
		return false
	}
	for _, key := range keysOf(step) {
		if !c.reaches(NewField(at, key)) {
			return false
		}
	}
	c.edges = append(c.edges, path)
	return true
}

// keysOf lists the fields by which an edge is followed.
func keysOf(step catalog.JoinStep) []*catalog.Field {
	switch v := step.Rel.Valid; {
	case step.Reverse:
		return step.Rel.ToFields
	case v != nil:
		return append(slices.Clip(step.Rel.FromFields), v.At)
	}
	return step.Rel.FromFields
}

// nameOf returns the name of a field for a report. A field that no name finds is read by a revealed object: its dataset alone is named.
func (c *candidate) nameOf(f *catalog.Field) string {
	name, known := c.names[f]
	switch {
	case known:
		return name
	case isFound(c.In.Cat, f):
		name = f.QualifiedName()
	default:
		name = "a field of " + f.Dataset.Name
	}
	if c.names == nil {
		c.names = map[*catalog.Field]string{}
	}
	c.names[f] = name
	return name
}

// isFound reports whether a name finds a field.
func isFound(cat *catalog.Catalog, f *catalog.Field) bool {
	source := f.SourceField()
	return source.Dataset.Field(source.Name) == source || cat.FindDatasetField(source.Dataset, source.Name) == source
}

// reject returns the rejection of the rollup by a rule, until the next one.
func (c *candidate) reject(rule, subject, message string) *plan.RollupRejection {
	c.rejection = plan.RollupRejection{Rollup: c.rollup.Name, Rule: rule, Subject: subject, Message: message}
	return &c.rejection
}

// rejectAbout is reject with a message that contains the name of a field, which is the subject where that is empty. Most rejections are not shown,
// so that the texts of the rules which reject most rollups are made only for those that are.
func (c *candidate) rejectAbout(rule, subject string, f *catalog.Field, message func(name string) string) *plan.RollupRejection {
	if !c.explains {
		return &c.rejection
	}
	name := c.nameOf(f)
	return c.reject(rule, cmp.Or(subject, name), message(name))
}
