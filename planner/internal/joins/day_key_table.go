package joins

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// dayKeyTable are the rows of a dataset with the days of its key as columns, for an engine that joins by the columns of an index
// alone: it would compare each row with each day. As an aggregate, the table is computed once and gets an index.
type dayKeyTable struct {
	columns derivedTableColumns
	keys    []int // in the list, one for each column of the relationship
}

// newDayKeyTable returns the table of a node whose key are days; nil where the node reads its source, whose key an index serves.
func newDayKeyTable(t *Tree, n *Node) *dayKeyTable {
	keys := n.keyFields()
	if !t.caps.JoinsByIndexAlone || !n.step.Safe() || n.step.Rel.Err != nil || slices.ContainsFunc(keys, func(f *catalog.Field) bool {
		return f.Type != sqlexpr.TypeDate || f.Encoding != nil || plainColumnOfField(f, t.dialect) == nil
	}) {
		return nil
	}
	table := &dayKeyTable{columns: newDerivedTableColumns(t.newSubtree(n.Dataset))}
	for _, f := range keys {
		day, err := table.columns.inner.fieldExprWithoutMatchGuard(table.columns.inner.Root(), f, "")
		if err != nil {
			return nil // the condition of the join returns it
		}
		table.keys = append(table.keys, table.columns.addColumn("day", day, sqlexpr.TypeDate))
	}
	return table
}

// keyFields returns the fields of the node's own side of its relationship.
func (n *Node) keyFields() []*catalog.Field {
	if n.step.Reverse {
		return n.step.Rel.FromFields
	}
	return n.step.Rel.ToFields
}

// keyColumn returns a column of the key under the alias of the table.
func (k *dayKeyTable) keyColumn(alias string, i int) sqlexpr.Expr {
	return &sqlexpr.DeclaredTypeExpr{X: newColumnOfTable(alias, k.columns.list[k.keys[i]].Name), Type: sqlexpr.TypeDate}
}

func (k *dayKeyTable) findOrAddQualifiedColumn(alias string, name sqlexpr.Name) *sqlexpr.Column {
	return k.columns.findOrAddQualifiedColumn(alias, name)
}

func (k *dayKeyTable) planRows(alias string) (plan.Node, error) {
	from, err := k.columns.inner.Plan()
	if err != nil {
		return nil, err
	}
	root := k.columns.inner.Root().Dataset.Name
	return &plan.Derived{Input: &plan.Aggregate{Input: from, Keys: k.columns.list, Home: root, Why: "days of " + root}, Alias: alias, Why: "days of " + root}, nil
}
