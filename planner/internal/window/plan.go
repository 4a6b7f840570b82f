package window

import (
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/rollup"
	"github.com/semlayer/semlayer/planner/internal/top"
)

// Plan plans each branch. All of them have the same kept values of top, nil where the
// query has no top. The router may be that of another query over the same rows.
func Plan(a *branch.Query, r branch.RouteFinder, kept *top.Kept) ([]branch.Planned, error) {
	names := naming.NewNamer()
	for _, g := range a.Groups {
		names.UniqueName(g.Name)
	}
	spent, first, level := a.Cols.Sizes, a.KeyCount(), ""
	if a.Levels.HasSeveralLevels() {
		level = names.UniqueName(rollup.Column)
	}
	out := make([]branch.Planned, len(r.Branches))
	var filled []branch.Grouped
	for i, br := range r.Branches {
		if err := a.In.ContextError(); err != nil {
			return nil, err
		}
		grouped, err := planBranch(a, r, br, kept, names, level, spent)
		if err != nil {
			return nil, err
		}
		spent = grouped.Branch.Sizes
		if a.GapFill != nil {
			filled = append(filled, grouped)
			continue
		}
		if out[i], err = addWindows(grouped, names, first); err != nil {
			return nil, err
		}
		first += out[i].Width
	}
	if a.GapFill != nil {
		return finishFilledBranches(a.GapFill, filled, names, first)
	}
	return out, nil
}

// planBranch plans a branch up to its aggregates.
func planBranch(a *branch.Query, r branch.RouteFinder, br *branch.Branch, kept *top.Kept, names *naming.Namer, level string, spent measure.Sizes) (branch.Grouped, error) {
	if br.Window != nil {
		return planWindowBase(branch.NewWindowBasePlanner(a, br, kept, level, spent), r, names)
	}
	routing, err := r.FindBranchJoinRoutes(br)
	if err != nil {
		return branch.Grouped{}, err
	}
	p, err := branch.NewPlanner(a, br, routing, kept, level, spent)
	if err != nil {
		return branch.Grouped{}, err
	}
	if br.Read.Kind != measure.ReadKindBucketRows {
		return planRecomputedWindowBranch(p, names, len(r.Branches), r.Q != a)
	}
	return branch.PlanAggregates(p, names, len(r.Branches), r.Q != a)
}

// addWindows adds the windows of the branch. first is the index of its first column that is not a key
// where all branches are matched.
func addWindows(g branch.Grouped, names *naming.Namer, first int) (branch.Planned, error) {
	node, columns, rows, err := planWindows(g, names)
	if err != nil {
		return branch.Planned{}, err
	}
	return branch.Planned{Node: node, Columns: columns, Width: len(node.Schema()) - g.Branch.Q.KeyCount(), First: first, Rows: rows, Once: g.HomeRowCollectors()}, nil
}
