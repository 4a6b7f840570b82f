package grouping

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joins"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// SubqueryCondition is a condition on the rows of a subquery with its field as an expression over the rows of a node.
type SubqueryCondition struct {
	member *members.InCondition
	Value  sqlexpr.Expr
	typ    sqlexpr.Type
}

// SubqueryConditions returns the conditions on the rows of subqueries over the columns of the branch.
func SubqueryConditions(p *Planner, conds []where.Conjunct) ([]SubqueryCondition, error) {
	var out []SubqueryCondition
	for _, c := range conds {
		if c.Member == nil {
			continue
		}
		ref := p.Q.Conds.Refs[c.Refs[0]]
		e, err := p.exprOfRef(ref)
		if err != nil {
			return nil, err
		}
		out = append(out, SubqueryCondition{c.Member, joins.TruncateDateFieldToDay(e, ref.Field), ref.Field.Type})
	}
	return out, nil
}

// Over adds the conditions to a node.
func (f FilterNode) Over(from plan.Node) plan.Node {
	if len(f.Conds) > 0 {
		from = &plan.Filter{Input: from, Conds: f.Conds, Why: f.Why}
	}
	for _, m := range f.Members {
		from = members.NewSemiJoin(from, m.Value, m.typ, m.member.Not, m.member.Rows, f.Why)
	}
	return from
}
