package branch

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// boundSubqueryCondition is a condition on the rows of a subquery with its field as an expression over the rows of a node.
type boundSubqueryCondition struct {
	member *members.InCondition
	value  sqlexpr.Expr
	typ    sqlexpr.Type
}

// bindSubqueryConditions returns the conditions on the rows of subqueries over the columns of the branch.
func bindSubqueryConditions(p *Planner, conds []where.Conjunct) ([]boundSubqueryCondition, error) {
	var out []boundSubqueryCondition
	for _, c := range conds {
		if c.Member == nil {
			continue
		}
		ref := p.Q.Conds.Refs[c.Refs[0]]
		e, err := p.exprOfRef(ref)
		if err != nil {
			return nil, err
		}
		out = append(out, boundSubqueryCondition{c.Member, joins.TruncateDateFieldToDay(e, ref.Field), ref.Field.Type})
	}
	return out, nil
}

// addFilterAndSemiJoins adds the conditions to a node.
func (f FilterNode) addFilterAndSemiJoins(from plan.Node) plan.Node {
	if len(f.conds) > 0 {
		from = &plan.Filter{Input: from, Conds: f.conds, Why: f.why}
	}
	for _, m := range f.members {
		from = members.NewSemiJoin(from, m.value, m.typ, m.member.Not, m.member.Rows, f.why)
	}
	return from
}

// addSubqueryConditionColumns makes the values columns of the snapshots.
func (c *snapshotInputColumns) addSubqueryConditionColumns(all []boundSubqueryCondition) []boundSubqueryCondition {
	out := slices.Clone(all)
	for i := range out {
		out[i].value = c.rebindToColumns(out[i].value)
	}
	return out
}
