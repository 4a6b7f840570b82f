package joins

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// StoredRules are the rules of a reader over the rows of a StoredTable, which was made from the rows of all readers. They read its columns alone:
//
//	the rule of the dataset, or of one behind an INNER relationship   WHERE rule
//	the rule of a dataset that LEFT relationships lead to             CASE WHEN rule THEN column END, as of a row without a match
type StoredRules struct {
	// Admits are the conditions that the rows meet.
	Admits []sqlexpr.Expr
	// Shown are the conditions on which the columns of joined datasets have their values, by column.
	Shown map[string]sqlexpr.Expr
}

// HasRule reports whether a rule keeps rows of a dataset from the reader.
func HasRule(d *catalog.Dataset) bool { return d.Rows != nil && d.Rows.Admits != nil }

// RuleExpr returns the rule of the dataset at the end of a path as it reads the columns of the table; false where they do not hold what it reads. The
// expression is for the root of the table: its alias is the name of the table.
func (table *StoredTable) RuleExpr(cat *catalog.Catalog, dialect string, caps plan.Capabilities, path []catalog.JoinStep, d *catalog.Dataset) (sqlexpr.Expr, bool) {
	rule := d.Rows
	if rule.Admits.Expr.ForDialect(dialect) != rule.Admits.Expr.ForDialect(table.Dialect) {
		return nil, false
	}
	below := &StoredTable{Name: table.Name, Dialect: table.Dialect}
	for _, s := range table.Fields {
		if s.Grain != sqlexpr.GrainNone || len(s.Path) < len(path) || !slices.Equal(s.Path[:len(path)], path) {
			continue
		}
		if plain, ok := s.of(rule.Model, len(path)); ok {
			below.Fields = append(below.Fields, plain)
		}
	}
	tree, root := NewOverStoredTable(rule.Model.ForReader(cat.Attributes), dialect, caps, rule.Dataset, below)
	tree.KeepUnmatched()
	e, err := tree.FieldExpr(tree.Root(), rule.Admits, "")
	if err != nil || root.err != nil || slices.ContainsFunc(tree.nodes[1:], func(n *Node) bool { return !n.virtual }) {
		return nil, false
	}
	return e, true
}

// of returns a stored field as one of another catalog of the model, without the first steps of its path.
func (field StoredField) of(model *catalog.Catalog, steps int) (StoredField, bool) {
	out := StoredField{Column: field.Column}
	for _, step := range field.Path[steps:] {
		i := slices.IndexFunc(model.Relationships, func(r *catalog.Relationship) bool { return r.Name == step.Rel.Name })
		if i < 0 {
			return out, false
		}
		out.Path = append(out.Path, catalog.JoinStep{Rel: model.Relationships[i], Reverse: step.Reverse})
	}
	if d := model.Dataset(field.Field.Dataset.Name); d != nil {
		out.Field = d.Field(field.Field.Name)
	}
	return out, out.Field != nil
}

// columnExpr returns a column of a group: without a value on the rows on which a rule keeps it from the reader.
func (s *StoredRoot) columnExpr(name string) sqlexpr.Expr {
	column := newColumnOfTable(s.tree.Root().Alias, name)
	if shown := s.table.Rules.Shown[name]; shown != nil {
		return &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: shown, Then: column}}}
	}
	return column
}

// admittedRows returns the rows of the table that the rules admit.
func (s *StoredRoot) admittedRows(rows plan.Node) plan.Node {
	if len(s.table.Rules.Admits) == 0 {
		return rows
	}
	return &plan.Filter{Input: rows, Conds: s.table.Rules.Admits, Why: policyOf(s.tree.Root().Dataset), Rule: true}
}
