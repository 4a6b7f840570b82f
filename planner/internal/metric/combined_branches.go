package metric

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// CombinedBranches is the branches of a query, matched on its group-bys.
type CombinedBranches struct {
	Node     plan.Node
	keys     plan.Schema            // its first columns
	slots    []branchMemberPosition // of measure references
	nodes    []plannedBranch
	timeAxes []resolve.Ref
	earlier  int // the column of the earlier period that compare meets; -1 without
}

// matchBranchesOnGroups matches the branches on the group-bys; one branch is the whole by itself.
func matchBranchesOnGroups(a *resolvedQuery, branches []*measureBranch, slots []branchMemberPosition, nodes []plannedBranch) *CombinedBranches {
	out := nodes[0].node
	if len(nodes) > 1 {
		out = combineBranches(a, branches, nodes)
	}
	return &CombinedBranches{out, out.Schema()[:a.resultRowKeyColumnCount()], slots, nodes, firstRangeDimensionByBranch(branches, a.ranges), -1}
}

func combineBranches(a *resolvedQuery, branches []*measureBranch, nodes []plannedBranch) *plan.Combine {
	var zero []bool
	inputs := make([]plan.Node, len(nodes))
	for i, n := range nodes {
		inputs[i] = n.node
		counts := make([]bool, n.width)
		for j, col := range n.columns {
			u := branches[i].members[j]
			counts[col] = u.ref.Window == nil && u.ref.Measure.IsZeroOverNoRows()
		}
		zero = append(zero, counts...)
	}
	return &plan.Combine{Keys: a.resultRowKeyColumnCount(), Branches: inputs, Zero: zero}
}

// filledRowCondition returns the condition that no branch has rows in the bucket of a row.
func (c *CombinedBranches) filledRowCondition() sqlexpr.Expr {
	var conds []sqlexpr.Expr
	for _, n := range c.nodes {
		if n.rows >= 0 {
			conds = append(conds, &sqlexpr.IsNull{X: &sqlexpr.Ref{ID: n.first + n.rows}})
		}
	}
	return sqlexpr.And(conds...)
}

// firstRangeDimensionByBranch lists what the branches read the first range over.
func firstRangeDimensionByBranch(branches []*measureBranch, ranges []where.Range) []resolve.Ref {
	if len(ranges) == 0 {
		return nil
	}
	out := make([]resolve.Ref, len(branches))
	for i, br := range branches {
		out[i] = br.rangeRef(ranges[0])
	}
	return out
}

// FirstTimeRangeDimensionPerBranch lists, for each branch, the dimension that the first time range is over there.
func (c *CombinedBranches) FirstTimeRangeDimensionPerBranch() []resolve.Ref { return c.timeAxes }

// RewriteOverColumns rewrites an expression over measure references to one over the node's schema.
func (c *CombinedBranches) RewriteOverColumns(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		r, ok := x.(*sqlexpr.Ref)
		if !ok {
			return nil
		}
		s := c.slots[r.ID]
		n := c.nodes[s.branch]
		return &sqlexpr.Ref{Position: r.Position, ID: n.first + n.columns[s.member]}
	})
}
