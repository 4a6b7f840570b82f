package joins

import (
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
	inner  *Tree
	list   []plan.NamedExpr
	source map[sqlexpr.Name]string // the names of the columns of the source
	names  map[string]bool         // in lower case
}

func newDerivedTableColumns(inner *Tree) derivedTableColumns {
	return derivedTableColumns{inner: inner, source: map[sqlexpr.Name]string{}, names: map[string]bool{}}
}

// reserveName keeps a name from the columns that are added.
func (d *derivedTableColumns) reserveName(name string) { d.names[name] = true }

// addColumn adds a column and returns its index.
func (d *derivedTableColumns) addColumn(name string, e sqlexpr.Expr, typ sqlexpr.Type) int {
	unique := d.uniqueColumnName(name)
	d.names[strings.ToLower(unique)] = true
	d.list = append(d.list, plan.NamedExpr{Name: unique, Expr: e, Type: typ})
	return len(d.list) - 1
}

func (d *derivedTableColumns) uniqueColumnName(name string) string {
	unique := name
	for i := 2; d.names[strings.ToLower(unique)]; i++ {
		unique = name + "_" + strconv.Itoa(i)
	}
	return unique
}

func (d *derivedTableColumns) findOrAddQualifiedColumn(alias string, name sqlexpr.Name) *sqlexpr.Column {
	if d.source[name] == "" {
		d.source[name] = d.list[d.addColumn(name.Text, d.inner.Root().columnOfTable(name), sqlexpr.TypeUnknown)].Name
	}
	return newColumnOfTable(alias, d.source[name])
}

func newColumnOfTable(alias, name string) *sqlexpr.Column {
	return sqlexpr.NewTwoPartColumn(alias, sqlexpr.Name{Text: name, Quoted: true})
}
