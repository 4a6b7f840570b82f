package metric

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/plan"
)

// CombinedBranches is the branches of a query, matched on its group-bys.
type CombinedBranches struct {
	Node     plan.Node
	slots    []memberRef // of measure references
	nodes    []branchNode
	timeAxes []resolve.Ref
}

// combine matches the branches on the group-bys; one branch is the whole by itself.
func combine(a *resolvedQuery, branches []*branch, slots []memberRef, nodes []branchNode) *CombinedBranches {
	out := nodes[0].node
	if len(nodes) > 1 {
		out = combineBranches(a, branches, nodes)
	}
	return &CombinedBranches{out, slots, nodes, rangeRefs(branches, a.ranges)}
}

func combineBranches(a *resolvedQuery, branches []*branch, nodes []branchNode) *plan.Combine {
	var zero []bool
	inputs := make([]plan.Node, len(nodes))
	for i, n := range nodes {
		inputs[i] = n.node
		counts := make([]bool, n.width)
		for j, u := range branches[i].members {
			counts[n.columns[j]] = u.window == nil && u.Measure.Agg.IsZeroOverNoRows()
		}
		zero = append(zero, counts...)
	}
	return &plan.Combine{Keys: len(a.groups), Branches: inputs, Zero: zero}
}

// rangeRefs lists what the branches read the first range over.
func rangeRefs(branches []*branch, ranges []timeRange) []resolve.Ref {
	if len(ranges) == 0 {
		return nil
	}
	out := make([]resolve.Ref, len(branches))
	for i, br := range branches {
		out[i] = br.rangeRef(ranges[0])
	}
	return out
}

// TimeAxes lists, for each branch, the dimension that the first time range is over there.
func (c *CombinedBranches) TimeAxes() []resolve.Ref { return c.timeAxes }

// Rebind rewrites an expression over measure references to one over the node's schema.
func (c *CombinedBranches) Rebind(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		r, ok := x.(*sqlexpr.Ref)
		if !ok {
			return nil
		}
		s := c.slots[r.ID]
		n := c.nodes[s.branch]
		return &sqlexpr.Ref{At: r.At, ID: n.first + n.columns[s.member]}
	})
}
