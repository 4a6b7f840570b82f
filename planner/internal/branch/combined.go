package branch

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
)

// Combined is the branches of a query, matched on its group-bys.
type Combined struct {
	Node     plan.Node
	Keys     plan.Schema // its first columns
	Slots    []Position  // of measure references
	Nodes    []Planned
	timeAxes []resolve.Ref
	Earlier  int // the column of the earlier period that compare meets; -1 without
}

// Match matches the branches on the group-bys; one branch is the whole by itself.
func Match(a *Query, branches []*Branch, slots []Position, nodes []Planned) *Combined {
	out := nodes[0].Node
	if len(nodes) > 1 {
		out = combineBranches(a, branches, nodes)
	}
	return &Combined{out, out.Schema()[:a.KeyCount()], slots, nodes, firstRangeDimensionByBranch(branches, a.Ranges), -1}
}

func combineBranches(a *Query, branches []*Branch, nodes []Planned) *plan.Combine {
	var zero []bool
	inputs := make([]plan.Node, len(nodes))
	for i, n := range nodes {
		inputs[i] = n.Node
		counts := make([]bool, n.Width)
		for j, col := range n.Columns {
			u := branches[i].Members[j]
			counts[col] = u.Ref.Window == nil && u.Ref.Measure.IsZeroOverNoRows()
		}
		zero = append(zero, counts...)
	}
	return &plan.Combine{Keys: a.KeyCount(), Branches: inputs, Zero: zero}
}

// FilledRowCondition returns the condition that no branch has rows in the bucket of a row.
func (c *Combined) FilledRowCondition() sqlexpr.Expr {
	var conds []sqlexpr.Expr
	for _, n := range c.Nodes {
		if n.Rows >= 0 {
			conds = append(conds, &sqlexpr.IsNull{X: &sqlexpr.Ref{ID: n.First + n.Rows}})
		}
	}
	return sqlexpr.And(conds...)
}

// firstRangeDimensionByBranch lists what the branches read the first range over.
func firstRangeDimensionByBranch(branches []*Branch, ranges []where.Range) []resolve.Ref {
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
func (c *Combined) FirstTimeRangeDimensionPerBranch() []resolve.Ref { return c.timeAxes }

// RewriteOverColumns rewrites an expression over measure references to one over the node's schema.
func (c *Combined) RewriteOverColumns(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.Rewrite(e, func(x sqlexpr.Expr) sqlexpr.Expr {
		r, ok := x.(*sqlexpr.Ref)
		if !ok {
			return nil
		}
		s := c.Slots[r.ID]
		n := c.Nodes[s.Branch]
		return &sqlexpr.Ref{Position: r.Position, ID: n.First + n.Columns[s.member]}
	})
}
