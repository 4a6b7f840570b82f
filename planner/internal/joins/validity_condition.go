package joins

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// validitySubstituteTable returns the table that a node over a relationship with `valid` reads in place of the
// source of its dataset, nil where it reads that:
//
//	                      to is a field         to is missing
//	any condition         the source            validUntilNextRowTable
//	equalities alone      matchedTimesTable          matchedTimesTable over validUntilNextRowTable
func (t *Tree) validitySubstituteTable(n *Node) substituteTable {
	rel := n.step.Rel
	if rel.Err != nil {
		return nil // the condition of the join returns it
	}
	var sequenced *validUntilNextRowTable
	if rel.Valid.To == nil {
		sequenced = newValidUntilNextRowTable(rel, t.newSubtree(rel.To))
	}
	switch {
	case t.caps.NoJoinInequality:
		to := t.newSubtree(rel.To)
		if sequenced != nil {
			to.Root().table, to.Root().admits = sequenced, nil
		}
		return newMatchedTimesTable(rel, t.newSubtree(rel.From), to)
	case sequenced != nil:
		return sequenced
	}
	return nil
}

// newSubtree returns a tree of a derived table.
func (t *Tree) newSubtree(root *catalog.Dataset) *Tree {
	return New(t.cat, t.dialect, t.caps, root, t.tables)
}

// validityJoinCondition returns the condition of a join to the rows that are valid at a time.
func (t *Tree) validityJoinCondition(n *Node) (joinCondition, error) {
	if matched, ok := n.table.(*matchedTimesTable); ok {
		on, err := matched.keyAndTimeEquality(t, n)
		return joinCondition{on: on}, err
	}
	on, err := t.relationshipEquality(n)
	if err != nil {
		return joinCondition{}, err
	}
	v := n.step.Rel.Valid
	at, err := t.FieldExpr(n.parent, v.At, "")
	if err != nil {
		return joinCondition{}, err
	}
	valid, err := t.newJoinValidity(n, v, comparableValidityValue(at, v.At, v))
	return joinCondition{on, valid}, err
}

// newJoinValidity compares a time with the bounds of a node's rows.
func (t *Tree) newJoinValidity(n *Node, v *catalog.RelationshipValidity, at sqlexpr.Expr) (*plan.JoinValidity, error) {
	if sequenced, ok := n.table.(*validUntilNextRowTable); ok {
		from, until, err := sequenced.validityBoundColumns(n.Alias)
		return &plan.JoinValidity{At: at, From: from, To: until, Type: v.ComparedType()}, err
	}
	out := &plan.JoinValidity{At: at, Type: v.ComparedType()}
	for _, bound := range []struct {
		field *catalog.Field
		expr  *sqlexpr.Expr
	}{{v.From, &out.From}, {v.To, &out.To}} {
		e, err := t.fieldExprWithoutMatchGuard(n, bound.field, "")
		if err != nil {
			return nil, err
		}
		*bound.expr = comparableValidityValue(e, bound.field, v)
	}
	return out, nil
}

// comparableValidityValue returns the value of a field of `valid` as it is compared with the others.
func comparableValidityValue(e sqlexpr.Expr, f *catalog.Field, v *catalog.RelationshipValidity) sqlexpr.Expr {
	return plan.ComparableTimeExpr(e, f.Type, v.ComparedType())
}
