package joins

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// substituteTable is a derived table that is read in place of the source of a dataset.
type substituteTable interface {
	// findOrAddQualifiedColumn is a column of the source, under the alias of the table.
	findOrAddQualifiedColumn(alias string, name sqlexpr.Name) *sqlexpr.Column
	// planRows is the table under an alias, with the columns that were requested.
	planRows(alias string) (plan.Node, error)
}

// derivedTableColumns are the columns of a derived table over a join tree: those of the root's source,
// and others.
type derivedTableColumns struct {
	inner    *Tree
	list     []plan.NamedExpr
	source   []columnOfSource
	reserved []string // names that no column gets
}

// columnOfSource is a column of the source, by its place in the list.
type columnOfSource struct {
	name sqlexpr.Name
	at   int
}

func newDerivedTableColumns(inner *Tree) derivedTableColumns {
	return derivedTableColumns{inner: inner}
}

// reserveName keeps a name from the columns that are added.
func (d *derivedTableColumns) reserveName(name string) { d.reserved = append(d.reserved, name) }

// addColumn adds a column and returns its index.
func (d *derivedTableColumns) addColumn(name string, e sqlexpr.Expr, typ sqlexpr.Type) int {
	d.list = append(d.list, plan.NamedExpr{Name: d.uniqueColumnName(name), Expr: e, Type: typ})
	return len(d.list) - 1
}

func (d *derivedTableColumns) uniqueColumnName(name string) string {
	unique := name
	for i := 2; d.isTaken(unique); i++ {
		unique = name + "_" + strconv.Itoa(i)
	}
	return unique
}

// isTaken compares names as engines do that fold them.
func (d *derivedTableColumns) isTaken(name string) bool {
	return slices.ContainsFunc(d.reserved, func(r string) bool { return strings.EqualFold(r, name) }) ||
		slices.ContainsFunc(d.list, func(c plan.NamedExpr) bool { return strings.EqualFold(c.Name, name) })
}

// columnOf returns the name of the column that a column of the source has here; "" for none yet.
func (d *derivedTableColumns) columnOf(name sqlexpr.Name) string {
	for _, s := range d.source {
		if s.name == name {
			return d.list[s.at].Name
		}
	}
	return ""
}

// addColumnOfSource adds a column that stands for a column of the source, and returns its name.
func (d *derivedTableColumns) addColumnOfSource(name sqlexpr.Name, called string, e sqlexpr.Expr, typ sqlexpr.Type) string {
	at := d.addColumn(called, e, typ)
	d.source = append(d.source, columnOfSource{name, at})
	return d.list[at].Name
}

func (d *derivedTableColumns) findOrAddQualifiedColumn(alias string, name sqlexpr.Name) *sqlexpr.Column {
	found := d.columnOf(name)
	if found == "" {
		found = d.addColumnOfSource(name, name.Text, d.inner.Root().columnOfTable(name), sqlexpr.TypeUnknown)
	}
	return newColumnOfTable(alias, found)
}

func newColumnOfTable(alias, name string) *sqlexpr.Column {
	return sqlexpr.NewTwoPartColumn(alias, sqlexpr.Name{Text: name, Quoted: true})
}
