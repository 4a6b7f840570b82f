package catalog

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// JoinedField is a field that an expression over the rows of a dataset reads through joins. None of
// them multiplies a row or, unless it is declared inner, drops one.
type JoinedField struct {
	Path  []JoinStep // from the dataset, never empty
	Field *Field
	Named bool // the expression names the path
}

// SourceField returns the field whose values f has: that at the end of a path for a joined field, else f.
func (f *Field) SourceField() *Field {
	if f.Joined != nil {
		return f.Joined.Field
	}
	return f
}

// QualifiedNameExpr returns a field as an expression can name it: behind its dataset, or behind the path that
// the expression gives.
func (f *Field) QualifiedNameExpr() *sqlexpr.Column {
	source := f.SourceField()
	if f.Joined == nil || !f.Joined.Named {
		return &sqlexpr.Column{Path: []sqlexpr.Name{{Text: source.Dataset.Name}, {Text: source.Name}}}
	}
	var path []sqlexpr.Name
	for _, s := range f.Joined.Path {
		path = append(path, sqlexpr.Name{Text: s.Rel.Name})
	}
	return &sqlexpr.Column{Path: append(path, sqlexpr.Name{Text: source.Name})}
}

// joinedFieldRegistry are the joined fields of the expressions of a model, or of one query. Their IDs are
// negative.
type joinedFieldRegistry struct {
	list  []*Field
	index map[string]*Field
}

// GetOrAddJoinedField returns the field of dataset home that reads f along a path. Expressions that read the same
// field along the same path share it. Only compilers call it.
func (c *Catalog) GetOrAddJoinedField(home *Dataset, path []JoinStep, named bool, f *Field) *Field {
	key := joinedFieldKey(home, path, f)
	if known := c.joined.index[key]; known != nil {
		return known
	}
	into, first := &c.joined, 0
	if c.local != nil {
		into, first = &c.local.joined, len(c.joined.list)
		if known := into.index[key]; known != nil {
			return known
		}
	}
	out := &Field{ID: -1 - first - len(into.list), Dataset: home, Name: f.Name, Joined: &JoinedField{slices.Clone(path), f, named}}
	if into.index == nil {
		into.index = map[string]*Field{}
	}
	into.index[key] = out
	into.list = append(into.list, out)
	return out
}

// AddNamelessField gives an ID to a field that no name finds and that stands for no field of its dataset. Only compilers call it.
func (c *Catalog) AddNamelessField(f *Field) {
	f.ID = -1 - len(c.joined.list)
	c.joined.list = append(c.joined.list, f)
}

// AddPlainField gives a field that the reader does not see to its dataset, for keys and relationships. Only compilers call it.
func (c *Catalog) AddPlainField(f *Field) {
	c.AddNamelessField(f)
	f.Dataset.Plain = append(f.Dataset.Plain, f)
}

func joinedFieldKey(home *Dataset, path []JoinStep, f *Field) string {
	key := strconv.AppendInt(nil, int64(home.ID), 10)
	for _, s := range path {
		direction := byte('>')
		if s.Reverse {
			direction = '<'
		}
		key = strconv.AppendInt(append(key, direction), int64(s.Rel.ID), 10)
	}
	return string(strconv.AppendInt(append(key, '.'), int64(f.ID), 10))
}

// joinedFieldByID returns the joined field of a negative ID.
func (c *Catalog) joinedFieldByID(id int) *Field {
	i := -1 - id
	if i < len(c.joined.list) {
		return c.joined.list[i]
	}
	return c.local.joined.list[i-len(c.joined.list)]
}

// hasJoinedFields reports whether an expression of the model or of the query has a joined field.
func (c *Catalog) hasJoinedFields() bool {
	return len(c.joined.list) > 0 || c.local != nil && len(c.local.joined.list) > 0
}

// HasInnerRelationships reports whether some relationship drops rows.
func (c *Catalog) HasInnerRelationships() bool { return c.hasInner }

// AppendInnerJoinPathsOfMeasure appends the paths of the joins of a measure that drop rows of its home.
func (c *Catalog) AppendInnerJoinPathsOfMeasure(dst [][]JoinStep, m *Measure, dialect string) [][]JoinStep {
	for _, e := range m.ArgumentAndOrderKey() {
		dst = c.AppendInnerJoinPathsOfExpr(dst, e, dialect)
	}
	return dst
}

// AppendInnerJoinPathsOfExpr appends the paths along which an expression over the rows of a dataset reads
// fields on a dialect and which drop rows, each up to its last inner relationship, to those that are
// there, each once.
func (c *Catalog) AppendInnerJoinPathsOfExpr(dst [][]JoinStep, e sqlexpr.Expr, dialect string) [][]JoinStep {
	if !c.hasInner || !c.hasJoinedFields() {
		return dst
	}
	w := expressionJoinFinder{catalog: c, dialect: dialect, visit: func(path []JoinStep, from int) {
		last := -1
		for i := from; i < len(path); i++ {
			if path[i].Rel.JoinType == JoinInner {
				last = i
			}
		}
		if last >= 0 && !slices.ContainsFunc(dst, func(p []JoinStep) bool { return slices.Equal(p, path[:last+1]) }) {
			dst = append(dst, slices.Clone(path[:last+1]))
		}
	}}
	w.walkExpr(nil, e)
	return dst
}

// RelationshipsOfExpr lists the relationships along which an expression over the rows of a dataset reads fields on a dialect, each once.
func (c *Catalog) RelationshipsOfExpr(e sqlexpr.Expr, dialect string) []*Relationship {
	var out []*Relationship
	w := expressionJoinFinder{catalog: c, dialect: dialect, visit: func(path []JoinStep, from int) {
		for _, s := range path[from:] {
			if !slices.Contains(out, s.Rel) {
				out = append(out, s.Rel)
			}
		}
	}}
	w.walkExpr(nil, e)
	return out
}

// DatasetsJoinedByMetric lists the datasets that the aggregates, their snapshots and the condition of a metric join to their
// homes on a dialect, each once.
func (c *Catalog) DatasetsJoinedByMetric(m *Metric, dialect string) []*Dataset {
	var out []*Dataset
	w := expressionJoinFinder{catalog: c, dialect: dialect, visit: func(path []JoinStep, from int) {
		for _, s := range path[from:] {
			if d := s.TargetDataset(); !slices.Contains(out, d) && !slices.Contains(m.Datasets, d) {
				out = append(out, d)
			}
		}
	}}
	w.walkMetric(m, map[*Metric]bool{})
	return out
}

// expressionJoinFinder finds the joins that expressions need. Visit gets each path from the dataset whose rows
// the expression is over, and the number of steps that were visited before.
type expressionJoinFinder struct {
	catalog *Catalog
	dialect string
	visit   func(path []JoinStep, from int)
}

func (w expressionJoinFinder) walkMetric(m *Metric, seen map[*Metric]bool) {
	if m == nil || seen[m] {
		return
	}
	seen[m] = true
	if form := m.Forms.ForDialect(w.dialect); form != nil {
		for _, o := range form.Operands {
			switch o := o.(type) {
			case *Measure:
				w.walkMeasure(o)
			case *Metric:
				w.walkMetric(o, seen)
			}
		}
	}
	if m.Derive != nil {
		w.walkMetric(m.Derive.Base, seen)
		w.walkExpr(nil, m.Derive.Where)
	}
}

func (w expressionJoinFinder) walkMeasure(m *Measure) {
	for _, e := range m.ArgumentAndOrderKey() {
		w.walkExpr(nil, e)
	}
	if m.NonAdditive == nil {
		return
	}
	w.walkField(nil, m.NonAdditive.By)
	for _, p := range m.NonAdditive.Per {
		if len(p.Path) > 0 {
			w.visit(p.Path, 0)
		}
		w.walkField(p.Path, p.Field)
	}
}

func (w expressionJoinFinder) walkExpr(lead []JoinStep, e sqlexpr.Expr) {
	if !w.catalog.hasJoinedFields() {
		return
	}
	for r := range sqlexpr.Refs(e) {
		w.walkField(lead, w.catalog.FieldByID(r.ID))
	}
}

func (w expressionJoinFinder) walkField(lead []JoinStep, f *Field) {
	if j := f.Joined; j != nil {
		path := append(slices.Clone(lead), j.Path...)
		w.visit(path, len(lead))
		lead, f = path, j.Field
	}
	if f.LOD == nil {
		w.walkExpr(lead, f.Expr.ForDialect(w.dialect))
		return
	}
	for _, key := range f.LOD.Grain {
		w.walkField(lead, key)
	}
}
