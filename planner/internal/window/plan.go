package window

import (
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/grouping"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/snapshot"
	"github.com/semlayer/semlayer/planner/internal/top"
)

// Plan plans the branches, matches them on the group-bys and computes the windows over the matched rows. All branches have the same
// kept values of top, nil where the query has no top. The router may be that of another query over the same rows.
func Plan(a *branch.Query, r branch.RouteFinder, slots []branch.Position, kept *top.Kept) (*combine.Combined, error) {
	names := naming.NewNamer()
	for _, g := range a.Groups {
		names.UniqueName(g.Name)
	}
	spent, level := a.Cols.Sizes, ""
	if a.Levels.HasSeveralLevels() {
		level = names.UniqueName(levels.Column)
	}
	planned := make([]grouping.Grouped, len(r.Branches), len(r.Branches)+1)
	for i, br := range r.Branches {
		if err := a.In.ContextError(); err != nil {
			return nil, err
		}
		var err error
		if planned[i], err = planBranch(a, r, br, kept, names, level, spent); err != nil {
			return nil, err
		}
		spent = planned[i].Branch.Sizes
	}
	if a.GapFill != nil {
		var err error
		if planned, err = addFilledBuckets(a, planned, names); err != nil {
			return nil, err
		}
	}
	if a.Compare.AreOverWindows() {
		return matchComparedWindows(a, r.Branches, slots, planned, names)
	}
	return addWindows(a, matchWithLevels(a, r.Branches, slots, planned, names), names)
}

// planBranch plans a branch up to its aggregates.
func planBranch(a *branch.Query, r branch.RouteFinder, br *branch.Branch, kept *top.Kept, names *naming.Namer, level string, spent measure.Sizes) (grouping.Grouped, error) {
	routing, err := r.FindBranchJoinRoutes(br)
	if err != nil {
		return grouping.Grouped{}, err
	}
	joinsInner := r.Q != a || br.IsReadByWindow()
	return grouping.PlanOverBestTable(a, br, routing, kept, level, spent, names, func(p *grouping.Planner, names *naming.Namer) (grouping.Grouped, error) {
		if !br.Read.Kind.ReadsOwnBucket() {
			return planRecomputedWindowBranch(p, names, len(r.Branches), joinsInner)
		}
		return snapshot.PlanAggregates(p, names, len(r.Branches), joinsInner)
	})
}

// isWindow reports whether a measure reference is a window.
func isWindow(u *measure.Ref) bool { return u.Window != nil }
