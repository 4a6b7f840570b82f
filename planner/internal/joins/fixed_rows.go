package joins

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// fixedRows are the rows of a dataset joined to what its rule reads. They are the same for every query and every reader of the rule: the columns
// that a query reads are above them, and the attributes of a reader are bound in the rule alone. Plans share them.
type fixedRows struct {
	dialect string
	caps    plan.Capabilities
	// vary: the rows depend on the columns that a query reads, and nothing else is known of them.
	vary bool

	alias         string         // of the dataset
	rows          plan.Node      // with those that the rule does not admit
	admits        sqlexpr.Expr   // nil where all rows meet it
	parts         []sqlexpr.Expr // of the rule, in its order
	hasAttributes bool           // in admits
	bound         boundRows      // where admits has no attribute
	why           string
	column        *plan.AdmittedRows // nil where all rows meet the rule
}

// boundRows are the rows that a rule admits to a reader.
type boundRows struct {
	admitted   plan.Node
	isAdmitted sqlexpr.Expr // on all rows; nil where the rule admits all
}

// maxFixedRows is the number of targets for which the rows of a rule are kept.
const maxFixedRows = 16

// fixedRowsOf returns the rows of a rule for a target, which are planned once; nil where they vary.
func fixedRowsOf(rule *catalog.RowRule, dialect string, caps *plan.Capabilities) *fixedRows {
	known, _ := rule.Planned.Load().([]*fixedRows)
	for _, f := range known {
		if f.dialect == dialect && f.caps == *caps {
			return f.unlessVarying()
		}
	}
	f, err := newFixedRows(rule, newRuleTree(rule, nil, dialect, *caps))
	if err == nil && !f.vary {
		err = f.addParts(rule, dialect, *caps)
	}
	if err != nil { // which each query gets
		f = &fixedRows{vary: true}
	}
	f.dialect, f.caps = dialect, *caps
	if len(known) < maxFixedRows { // two queries at once keep the rows of one
		rule.Planned.Store(append(slices.Clip(known), f))
	}
	return f.unlessVarying()
}

func (f *fixedRows) unlessVarying() *fixedRows {
	if f.vary {
		return nil
	}
	return f
}

// newFixedRows plans the rows of a rule over a tree.
func newFixedRows(rule *catalog.RowRule, tree *Tree) (*fixedRows, error) {
	f := &fixedRows{alias: tree.Root().Alias, why: policyOf(rule.Dataset)}
	if rule.Admits != nil {
		admits, err := tree.FieldExpr(tree.Root(), rule.Admits, "")
		if err != nil {
			return nil, err
		}
		f.admits, f.hasAttributes = admits, sqlexpr.HasUserAttributes(admits)
		f.column = &plan.AdmittedRows{Dataset: rule.Dataset.Name, Column: admittedColumnName}
	}
	rows, err := tree.Plan()
	if err != nil {
		return nil, err
	}
	f.rows = rows
	f.bound = f.admittedBy(f.admits)
	f.vary = slices.ContainsFunc(tree.nodes, func(n *Node) bool { return n.Dataset.Sequence != nil }) // which makes its rows from the columns that are read
	return f, nil
}

// addParts adds the parts of the rule, each over a separate tree. The joins of one that reads other datasets are among the rows of a query that
// reads it.
func (f *fixedRows) addParts(rule *catalog.RowRule, dialect string, caps plan.Capabilities) error {
	for _, part := range rule.Parts {
		if part.ReadsJoinedTables(dialect) || part.Joined != nil {
			f.vary = true
			return nil
		}
		tree := newRuleTree(rule, nil, dialect, caps)
		e, err := tree.FieldExpr(tree.Root(), part, "")
		if err != nil {
			return err
		}
		f.parts = append(f.parts, e)
	}
	return nil
}

// bind returns the rows for a reader with these attributes.
func (f *fixedRows) bind(attributes sqlexpr.AttributeValues) boundRows {
	if !f.hasAttributes {
		return f.bound
	}
	return f.admittedBy(sqlexpr.BindUserAttributes(f.admits, attributes))
}

func (f *fixedRows) admittedBy(rule sqlexpr.Expr) boundRows {
	if rule == nil {
		return boundRows{admitted: f.rows}
	}
	return boundRows{&plan.Filter{Input: f.rows, Conds: []sqlexpr.Expr{rule}, Why: f.why, Rule: true}, isTrue(rule)}
}
