package build

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// SharedRows reads a node that others read too.
func SharedRows(in plan.Node, alias, why string) *plan.Project {
	d := &plan.Derived{Input: in, Alias: alias, Why: why, Shared: true}
	return &plan.Project{Input: d, Cols: d.Schema().ColumnRefs()}
}

// DerivedColumn returns a column of a derived table.
func DerivedColumn(d *plan.Derived, i int) sqlexpr.Expr {
	return sqlexpr.NewTwoPartColumn(d.Alias, sqlexpr.Name{Text: d.Schema()[i].Name, Quoted: true})
}

// DerivedColumns returns the columns of a derived table as they are.
func DerivedColumns(d *plan.Derived) []plan.NamedExpr {
	cols := make([]plan.NamedExpr, len(d.Schema()))
	for i, c := range d.Schema() {
		cols[i] = plan.NamedExpr{Name: c.Name, Expr: DerivedColumn(d, i), Type: c.Type}
	}
	return cols
}
