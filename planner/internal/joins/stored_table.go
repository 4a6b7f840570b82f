package joins

import (
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// StoredTable is a table that stands for rows of a dataset: each of its rows for those that have the same values in some fields. A tree over
// it reads a stored field as its column, and follows an edge from the columns that hold its key:
//
//	orders_daily (day, status, customer_id, amount)      orders.status        the column status
//	                                                     customers.region     customer_id ─► customers
type StoredTable struct {
	Name   string // of the rollup
	Source sqlexpr.DatasetTableOrQuery
	// Dialect is the one in which the rows were computed.
	Dialect string
	Rows    plan.Node // that are read in the place of the table; nil for those of the table
	Fields  []StoredField
	// Matched are the paths along which all rows have a match, so that an INNER join drops none of them.
	Matched [][]catalog.JoinStep
	Rules   StoredRules
}

// StoredField is a field in a column of a StoredTable, by the path that leads to it.
type StoredField struct {
	Path   []catalog.JoinStep // from the dataset of the table
	Field  *catalog.Field
	Grain  sqlexpr.Grain // of the buckets in the column; GrainNone: the values of the field
	Column string
}

// Raw returns the column that holds the values of a field by a path; "" where none does.
func (table *StoredTable) Raw(path []catalog.JoinStep, f *catalog.Field) string {
	i := slices.IndexFunc(table.Fields, func(o StoredField) bool {
		return o.Grain == sqlexpr.GrainNone && o.Field == f && slices.Equal(o.Path, path)
	})
	if i < 0 {
		return ""
	}
	return table.Fields[i].Column
}

// IsMatched reports whether the rows of the table have a match along a path.
func (table *StoredTable) IsMatched(path []catalog.JoinStep) bool {
	return slices.ContainsFunc(table.Matched, func(m []catalog.JoinStep) bool { return len(m) >= len(path) && slices.Equal(m[:len(path)], path) })
}

// StoredRoot is the root of a tree over a StoredTable.
type StoredRoot struct {
	table *StoredTable
	tree  *Tree
	err   error // of what was read and is not stored
}

// NewOverStoredTable starts a tree whose root is read from a table that stands for it; see New. Plan returns an error where something was read
// that neither a column holds nor an edge leads to.
func NewOverStoredTable(cat *catalog.Catalog, dialect string, caps plan.Capabilities, root *catalog.Dataset, table *StoredTable) (*Tree, *StoredRoot) {
	t := &Tree{cat: cat, dialect: dialect, caps: caps, exact: caps.TextByCast}
	t.stored = &StoredRoot{table: table, tree: t}
	t.nodes = []*Node{{Dataset: root, Alias: t.reserveAlias(table.Name), table: t.stored}}
	return t, t.stored
}

// missing keeps the error of something that is not stored.
func (s *StoredRoot) missing(name string) error {
	if s.err == nil {
		s.err = fmt.Errorf("the rollup %s does not hold %s", s.table.Name, name)
	}
	return s.err
}

// findOrAddQualifiedColumn returns the column that holds a column of the dataset.
func (s *StoredRoot) findOrAddQualifiedColumn(alias string, name sqlexpr.Name) *sqlexpr.Column {
	column := s.table.columnOf(name)
	if column == "" {
		_ = s.missing("the column " + name.Text)
	}
	return newColumnOfTable(alias, column)
}

func (s *StoredRoot) planRows(alias string) (plan.Node, error) {
	if s.err != nil {
		return nil, s.err
	}
	if s.table.Rows != nil {
		return &plan.Derived{Input: s.table.Rows, Alias: alias, Why: "rollup " + s.table.Name + " with fresh rows"}, nil
	}
	return s.admittedRows(&plan.Scan{Dataset: s.tree.Root().Dataset.Name, Source: s.table.Source, Alias: alias, Rollup: s.table.Name}), nil
}

// path returns the path from the root to the node.
func (n *Node) path() []catalog.JoinStep {
	if n.parent == nil {
		return nil
	}
	return append(slices.Clip(n.parent.path()), n.step)
}

// PathFieldExpr returns the expression that reads a field at the end of a path from the root of a tree; see JoinPath and FieldExpr.
func PathFieldExpr(t *Tree, path []catalog.JoinStep, named bool, f *catalog.Field) (sqlexpr.Expr, error) {
	if t.stored != nil {
		if e := t.stored.fieldExpr(path, f); e != nil {
			return e, nil
		}
	}
	return t.FieldExpr(t.JoinPath(t.Root(), path, named), f, "")
}

// fieldExpr returns the column that holds a field at the end of a path; nil where none does.
func (s *StoredRoot) fieldExpr(path []catalog.JoinStep, f *catalog.Field) sqlexpr.Expr {
	if f.Joined != nil {
		path, f = append(slices.Clip(path), f.Joined.Path...), f.Joined.Field
	}
	name := s.table.Raw(path, f)
	if name == "" {
		return nil
	}
	return declaredDay(s.tree.castTextFieldForExactComparison(f, s.columnExpr(name)), f)
}

// Measure returns a column that holds values of a type.
func (s *StoredRoot) Measure(column string, typ sqlexpr.Type) sqlexpr.Expr {
	return CastTextForExactComparison(newColumnOfTable(s.tree.Root().Alias, column), typ, s.tree.caps)
}

// Buckets returns the column that holds buckets of a field, and the field that the column would be of a dataset.
func (s *StoredRoot) Buckets(o StoredField) (sqlexpr.Expr, *catalog.Field) {
	f := &catalog.Field{ID: o.Field.ID, Dataset: o.Field.Dataset, Name: o.Field.Name, Type: o.Field.BucketType(o.Grain), IsTime: true, Granularity: o.Grain}
	return declaredDay(s.columnExpr(o.Column), f), f
}

// mayHold reports whether all that is read at a new node may be stored, so that the join is not made before something is read that is not. An INNER
// join drops rows whether its fields are read or not.
func (s *StoredRoot) mayHold(at *Node, step catalog.JoinStep) bool {
	return s != nil && (step.Rel.JoinType != catalog.JoinInner || s.table.IsMatched(append(slices.Clip(at.path()), step)))
}

// HoldsColumn reports whether a column of the dataset of the table is in one of its columns.
func (table *StoredTable) HoldsColumn(c *sqlexpr.Column) bool {
	return table.columnOf(c.Path[len(c.Path)-1]) != ""
}

// columnOf returns the column that holds a column of the dataset: that of a stored field which is the column itself; "" where none does.
func (table *StoredTable) columnOf(name sqlexpr.Name) string {
	for _, o := range table.Fields {
		c := plainColumnOfField(o.Field, table.Dialect)
		if o.Grain == sqlexpr.GrainNone && len(o.Path) == 0 && c != nil && c.Path[len(c.Path)-1] == name && o.Field.Encoding == nil && o.Field.Type != sqlexpr.TypeDate {
			return o.Column
		}
	}
	return ""
}
