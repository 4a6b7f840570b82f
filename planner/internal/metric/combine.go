package metric

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// Combined is the branches of a query, matched on its group-bys.
type Combined struct {
	Node  plan.Node
	slots []slot // of uses
	nodes []branchNode
	times []scope.Ref
}

// combine matches the branches on the group-bys; one branch is the whole by itself.
func combine(a *asked, branches []*branch, slots []slot, nodes []branchNode) *Combined {
	out := nodes[0].node
	if len(nodes) > 1 {
		out = match(a, branches, nodes)
	}
	return &Combined{out, slots, nodes, timesRead(branches, a.ranges)}
}

func match(a *asked, branches []*branch, nodes []branchNode) *plan.Combine {
	var zero []bool
	inputs := make([]plan.Node, len(nodes))
	for i, n := range nodes {
		inputs[i] = n.node
		counts := make([]bool, n.width)
		for j, u := range branches[i].uses {
			counts[n.columns[j]] = u.window == nil && u.Measure.Agg.Counts()
		}
		zero = append(zero, counts...)
	}
	return &plan.Combine{Keys: len(a.groups), Branches: inputs, Zero: zero}
}

// timesRead lists what the branches read the first range over.
func timesRead(branches []*branch, ranges []timeRange) []scope.Ref {
	if len(ranges) == 0 {
		return nil
	}
	out := make([]scope.Ref, len(branches))
	for i, br := range branches {
		out[i] = br.rangeRef(ranges[0])
	}
	return out
}

// Times lists, for each branch, the dimension that the first time range is over there.
func (c *Combined) Times() []scope.Ref { return c.times }

// Located rewrites an expression over uses to one over the node's schema.
func (c *Combined) Located(e sqlexpr.Expr) sqlexpr.Expr {
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
