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
	columns    derivedTableColumns
	rule       *catalog.RowRule
	attributes sqlexpr.AttributeValues // of the reader
	fixed      *fixedRows              // nil where the rows depend on the columns that are read; columns have a tree then
	err        error                   // of a part
	planned    []*plan.Project         // which get the columns that are read of the table later
	// few is the memory of few columns.
	few struct {
		list    [8]plan.NamedExpr
		source  [8]columnOfSource
		planned [1]*plan.Project
	}
}

// admittedColumnName is the name of the column that holds the rule. It comes first.
const admittedColumnName = "admitted"

var namesBesideSource = []string{admittedColumnName}

// admitRows restricts a node to the rows that its reader may see. A rule over columns of the root is a condition on the rows of the
// source; any other makes a table.
func (n *Node) admitRows(t *Tree) {
	rule := n.Dataset.Rows
	switch {
	case rule == nil || n.table != nil: // the trees within the table are restricted themselves
	case n.parent == nil && rule.Admits != nil && len(rule.Parts) == 0 && !rule.Admits.ReadsJoinedTables(t.dialect):
		n.admits = rule.Admits
	default:
		n.table = newAdmittedRowsTable(t, rule)
	}
}

func newAdmittedRowsTable(t *Tree, rule *catalog.RowRule) *admittedRowsTable {
	a := &admittedRowsTable{rule: rule, attributes: t.cat.Attributes, fixed: fixedRowsOf(rule, t.dialect, &t.caps)}
	a.columns = derivedTableColumns{list: a.few.list[:0], source: a.few.source[:0], reserved: namesBesideSource}
	if a.fixed == nil {
		a.columns.inner = newRuleTree(rule, t.cat.Attributes, t.dialect, t.caps)
	}
	if rule.Admits != nil { // which planRows adds
		a.columns.list = append(a.columns.list, plan.NamedExpr{Name: admittedColumnName, Type: sqlexpr.TypeBool})
	}
	a.planned = a.few.planned[:0]
	return a
}

// newRuleTree starts a tree over the whole dataset of a rule.
func newRuleTree(rule *catalog.RowRule, attributes sqlexpr.AttributeValues, dialect string, caps plan.Capabilities) *Tree {
	t := New(rule.Model.ForReader(attributes), dialect, caps, rule.Dataset, Tables{})
	t.KeepUnmatched()
	return t
}

func (a *admittedRowsTable) findOrAddQualifiedColumn(alias string, name sqlexpr.Name) *sqlexpr.Column {
	if found := a.columns.columnOf(name); found != "" {
		return newColumnOfTable(alias, found)
	}
	known := len(a.columns.list)
	var added string
	if part := a.rule.PartIndex(name); part >= 0 {
		e, err := a.partExpr(part)
		if err != nil {
			a.err = err
		}
		added = a.columns.addColumnOfSource(name, "part", isTrue(e), sqlexpr.TypeBool)
	} else {
		added = a.columns.addColumnOfSource(name, name.Text, a.sourceColumn(name), sqlexpr.TypeUnknown)
	}
	for _, p := range a.planned {
		p.Cols = append(p.Cols, a.columns.list[known:]...)
	}
	return newColumnOfTable(alias, added)
}

func (a *admittedRowsTable) partExpr(i int) (sqlexpr.Expr, error) {
	if a.fixed != nil {
		return sqlexpr.BindUserAttributes(a.fixed.parts[i], a.attributes), nil
	}
	return a.columns.inner.FieldExpr(a.columns.inner.Root(), a.rule.Parts[i], "")
}

func (a *admittedRowsTable) sourceColumn(name sqlexpr.Name) sqlexpr.Expr {
	if a.fixed != nil {
		return sqlexpr.NewTwoPartColumn(a.fixed.alias, name)
	}
	return a.columns.inner.Root().columnOfTable(name)
}

func (a *admittedRowsTable) planRows(alias string) (plan.Node, error) {
	if a.err != nil {
		return nil, a.err
	}
	fixed := a.fixed
	if fixed == nil {
		var err error
		if fixed, err = newFixedRows(a.rule, a.columns.inner); err != nil {
			return nil, err
		}
	}
	rows := fixed.bind(a.attributes)
	if rows.isAdmitted != nil {
		a.columns.list[0].Expr = rows.isAdmitted
	}
	columns := &plan.Project{Input: rows.admitted, Cols: a.columns.list}
	if len(columns.Cols) == 0 {
		columns.Cols = []plan.NamedExpr{{Name: admittedColumnName, Expr: &sqlexpr.Number{Text: "1"}, Type: sqlexpr.TypeInt}}
	}
	a.planned = append(a.planned, columns)
	return &plan.Derived{Input: columns, Alias: alias, Why: fixed.why, Admitted: fixed.column}, nil
}

// isTrue returns a condition that is FALSE where e is not known.
func isTrue(e sqlexpr.Expr) sqlexpr.Expr {
	return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: e, Then: trueLiteral}}, Else: falseLiteral}
}

var trueLiteral, falseLiteral = &sqlexpr.Bool{Value: true}, &sqlexpr.Bool{}

func policyOf(d *catalog.Dataset) string { return "policy " + d.Name }
