package joins

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// validUntilNextRowTable are the rows of a dataset, each of which is valid until the next one of its key
// begins:
//
//	Filter     rows that the next one of their key does not replace at once
//	  Window   the beginning of the next row, and whether there is a next row
//	    Project  the fields, the key and the beginning
type validUntilNextRowTable struct {
	columns derivedTableColumns
	rel     *catalog.Relationship
	from    int   // the index of the beginning
	keys    []int // the indexes of the columns of the key; nil until bounds adds the columns
}

// The names of the columns that say when the next row begins, and whether there is one.
const (
	nextValidFromColumnName = "next_valid_from"
	nextKeyColumnName       = "next_key"
)

func newValidUntilNextRowTable(rel *catalog.Relationship, to *Tree) *validUntilNextRowTable {
	s := &validUntilNextRowTable{columns: newDerivedTableColumns(to), rel: rel}
	s.columns.reserveName(nextValidFromColumnName)
	s.columns.reserveName(nextKeyColumnName)
	return s
}

// validityBoundColumns returns the columns of the beginning and the end.
func (u *validUntilNextRowTable) validityBoundColumns(alias string) (from, until sqlexpr.Expr, err error) {
	if u.keys == nil {
		if err := u.addValidityBoundColumns(); err != nil {
			return nil, nil, err
		}
	}
	return newColumnOfTable(alias, u.columns.list[u.from].Name), newColumnOfTable(alias, nextValidFromColumnName), nil
}

func (u *validUntilNextRowTable) addValidityBoundColumns() error {
	root, v := u.columns.inner.Root(), u.rel.Valid
	for _, k := range u.rel.ToFields {
		e, err := u.columns.inner.fieldExprWithoutMatchGuard(root, k, "")
		if err != nil {
			return err
		}
		u.keys = append(u.keys, u.columns.addColumn("key", e, k.Type))
	}
	from, err := u.columns.inner.fieldExprWithoutMatchGuard(root, v.From, "")
	if err != nil {
		return err
	}
	u.from = u.columns.addColumn("valid_from", comparableValidityValue(from, v.From, v), v.ComparedType())
	return nil
}

func (u *validUntilNextRowTable) findOrAddQualifiedColumn(alias string, name sqlexpr.Name) *sqlexpr.Column {
	return u.columns.findOrAddQualifiedColumn(alias, name)
}

func (u *validUntilNextRowTable) planRows(alias string) (plan.Node, error) {
	if _, _, err := u.validityBoundColumns(alias); err != nil {
		return nil, err
	}
	order, err := u.orderItemsWithinKey()
	if err != nil {
		return nil, err
	}
	input, err := u.columns.inner.Plan()
	if err != nil {
		return nil, err
	}
	next := func(column int) sqlexpr.Expr {
		over := &sqlexpr.WindowCall{Call: &sqlexpr.Call{Fn: sqlexpr.FnLead, Args: []sqlexpr.Expr{newColumnRef(column)}}, Order: order}
		for _, k := range u.keys {
			over.Partition = append(over.Partition, newColumnRef(k))
		}
		return over
	}
	width := len(u.columns.list)
	window := &plan.Window{Input: &plan.Project{Input: input, Cols: u.columns.list}, Funcs: []plan.NamedExpr{
		{Name: nextValidFromColumnName, Expr: next(u.from), Type: u.rel.Valid.ComparedType()},
		{Name: nextKeyColumnName, Expr: next(u.keys[0]), Type: u.columns.list[u.keys[0]].Type},
	}}
	// A next row without a beginning replaces its predecessor, which then has none either.
	lasting := &sqlexpr.Binary{
		Op: sqlexpr.OpOr,
		L:  &sqlexpr.IsNull{X: newColumnRef(width + 1)},
		R:  &sqlexpr.IsNull{Not: true, X: newColumnRef(width)},
	}
	rows := &plan.Filter{Input: window, Conds: []sqlexpr.Expr{lasting}, Why: "rows that last"}
	return &plan.Derived{Input: rows, Alias: alias, Why: "valid " + u.rel.Name}, nil
}

// orderItemsWithinKey returns the order in which the rows of a key follow each other: one without a beginning
// first, and of equal beginnings the greatest primary key last.
func (u *validUntilNextRowTable) orderItemsWithinKey() ([]sqlexpr.OrderItem, error) {
	from := newColumnRef(u.from)
	zero, one := &sqlexpr.Number{Text: "0"}, &sqlexpr.Number{Text: "1"}
	out := []sqlexpr.OrderItem{
		{X: &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: &sqlexpr.IsNull{X: from}, Then: zero}}, Else: one}},
		{X: from},
	}
	for _, name := range u.rel.To.PrimaryKey {
		e, typ, err := u.primaryKeyColumnExpr(name)
		if err != nil {
			return nil, err
		}
		out = append(out, sqlexpr.OrderItem{X: newColumnRef(u.columns.addColumn("key", e, typ))})
	}
	return out, nil
}

// primaryKeyColumnExpr reads a column of the primary key: through the field that it is, else by itself.
func (u *validUntilNextRowTable) primaryKeyColumnExpr(name string) (sqlexpr.Expr, sqlexpr.Type, error) {
	root := u.columns.inner.Root()
	if f := u.rel.To.FieldOfKeyColumn(name); f != nil {
		e, err := u.columns.inner.fieldExprWithoutMatchGuard(root, f, "")
		return e, f.Type, err
	}
	text := strings.Trim(name, `"`)
	return root.columnOfTable(sqlexpr.Name{Text: text, Quoted: text != name}), sqlexpr.TypeUnknown, nil
}

func newColumnRef(i int) sqlexpr.Expr { return &sqlexpr.Ref{ID: i} }
