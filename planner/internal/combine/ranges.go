package combine

import (
	"maps"
	"slices"

	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/grouping"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/plan"
)

// MatchByRange matches the branches of each range of compare, by its tag, with the buckets of that range; nil for a range that no branch
// reads.
func MatchByRange(a *branch.Query, branches []*branch.Branch, slots []branch.Position, planned []grouping.Grouped) []*Combined {
	own, rows := make([][]*branch.Branch, len(a.Ranges)), make([][]grouping.Grouped, len(a.Ranges))
	at := make([]branch.Position, len(planned)) // of a branch: its side, and its place there
	for i, g := range planned {
		side := measure.CurrentRangeIndex
		if g.Branch != nil && g.Branch.Comparison() != nil {
			side = g.Branch.Br.ScanRange.Tag
		}
		at[i] = branch.Position{Branch: side, Member: len(rows[side])}
		rows[side] = append(rows[side], g)
		if i < len(branches) {
			own[side] = append(own[side], branches[i])
		}
	}
	out := make([]*Combined, len(a.Ranges))
	for side := range out {
		if len(rows[side]) == 0 {
			continue
		}
		moved := make([]branch.Position, len(slots))
		for i, s := range slots {
			if moved[i] = (branch.Position{Branch: -1, Member: -1}); s.Branch >= 0 && at[s.Branch].Branch == side {
				moved[i] = branch.Position{Branch: at[s.Branch].Member, Member: s.Member}
			}
		}
		out[side] = Match(a, own[side], moved, rows[side])
	}
	return out
}

// MatchRanges matches the rows of the current range with those of an earlier range, whose buckets have moved.
func MatchRanges(current, earlier *Combined) *Combined {
	keys := len(current.Keys)
	added := len(current.Node.Schema()) - keys
	first, slots, windows := slices.Clone(current.first), slices.Clone(current.slots), maps.Clone(current.windows)
	for _, f := range earlier.first {
		first = append(first, f+added)
	}
	for i, s := range earlier.slots {
		if s.Branch >= 0 {
			slots[i] = branch.Position{Branch: s.Branch + len(current.Branches), Member: s.Member}
		}
	}
	for ref, column := range earlier.windows {
		windows[ref] = column + added
	}
	out := *current
	out.Node = &plan.Combine{
		Keys: keys, Branches: []plan.Node{current.Node, earlier.Node}, Zero: make([]bool, added+len(earlier.Node.Schema())-keys),
	}
	out.Branches = slices.Concat(current.Branches, earlier.Branches)
	out.timeAxes = slices.Concat(current.timeAxes, earlier.timeAxes)
	out.first, out.slots, out.windows, out.hasMoreRows = first, slots, windows, true
	return &out
}
