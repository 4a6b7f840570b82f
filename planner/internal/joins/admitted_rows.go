package joins

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// admittedRowsTable are the rows of a dataset that a rule admits to a reader:
//
//	Project  the columns, the parts of the rule, and the rule itself
//	  Filter   the rule
//	    the whole dataset, joined to what the rule reads
type admittedRowsTable struct {
	columns derivedTableColumns
	rule    *catalog.RowRule
	err     error           // of a part
	planned []*plan.Project // which get the columns that are read of the table later
}

// admittedColumnName is the name of the column that holds the rule.
const admittedColumnName = "admitted"

// admitRows restricts a node to the rows that its reader may see. A rule over columns of the root is a condition on the rows of the
// source; any other makes a table.
func (n *Node) admitRows(t *Tree) {
	rule := n.Dataset.Rows
	switch {
	case rule == nil || n.table != nil: // the trees within the table are restricted themselves
	case n.parent == nil && rule.Admits != nil && len(rule.Parts) == 0 && !rule.Admits.ReadsJoinedTables(t.dialect):
		n.admits = rule.Admits
	default:
		inner := New(rule.Model.ForReader(t.cat.Attributes), t.dialect, t.caps, rule.Dataset, Tables{})
		inner.KeepUnmatched()
		table := &admittedRowsTable{columns: newDerivedTableColumns(inner), rule: rule}
		table.columns.reserveName(admittedColumnName)
		n.table = table
	}
}

func (a *admittedRowsTable) findOrAddQualifiedColumn(alias string, name sqlexpr.Name) *sqlexpr.Column {
	if found := a.columns.columnOf(name); found != "" {
		return newColumnOfTable(alias, found)
	}
	known := len(a.columns.list)
	var column *sqlexpr.Column
	if part := a.rule.Part(name); part != nil {
		e, err := a.columns.inner.FieldExpr(a.columns.inner.Root(), part, "")
		if err != nil {
			a.err = err
		}
		column = newColumnOfTable(alias, a.columns.addColumnOfSource(name, "part", isTrue(e), sqlexpr.TypeBool))
	} else {
		column = a.columns.findOrAddQualifiedColumn(alias, name)
	}
	for _, p := range a.planned {
		p.Cols = append(p.Cols, a.columns.list[known:]...)
	}
	return column
}

func (a *admittedRowsTable) planRows(alias string) (plan.Node, error) {
	if a.err != nil {
		return nil, a.err
	}
	columns := &plan.Project{}
	out := &plan.Derived{Input: columns, Alias: alias, Why: policyOf(a.rule.Dataset)}
	var conds []sqlexpr.Expr
	if a.rule.Admits != nil {
		rule, err := a.columns.inner.FieldExpr(a.columns.inner.Root(), a.rule.Admits, "")
		if err != nil {
			return nil, err
		}
		conds = []sqlexpr.Expr{rule}
		columns.Cols = []plan.NamedExpr{{Name: admittedColumnName, Expr: isTrue(rule), Type: sqlexpr.TypeBool}}
		out.Admitted = &plan.AdmittedRows{Dataset: a.rule.Dataset.Name, Column: admittedColumnName}
	}
	rows, err := a.columns.inner.Plan()
	if err != nil {
		return nil, err
	}
	if columns.Input = rows; len(conds) > 0 {
		columns.Input = &plan.Filter{Input: rows, Conds: conds, Why: out.Why, Rule: true}
	}
	if columns.Cols = append(columns.Cols, a.columns.list...); len(columns.Cols) == 0 {
		columns.Cols = []plan.NamedExpr{{Name: admittedColumnName, Expr: &sqlexpr.Number{Text: "1"}, Type: sqlexpr.TypeInt}}
	}
	a.planned = append(a.planned, columns)
	return out, nil
}

// isTrue returns a condition that is FALSE where e is not known.
func isTrue(e sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: e, Then: &sqlexpr.Bool{Value: true}}}, Else: &sqlexpr.Bool{}}
}

func policyOf(d *catalog.Dataset) string { return "policy " + d.Name }
