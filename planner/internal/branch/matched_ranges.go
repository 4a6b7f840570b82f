package branch

import (
	"maps"
	"slices"

	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/plan"
)

// MatchByRange matches the branches of each range of compare, by its tag, with the buckets of that range; nil for a range that no branch
// reads.
func MatchByRange(a *Query, branches []*Branch, slots []Position, planned []Grouped) []*Combined {
	own, rows := make([][]*Branch, len(a.Ranges)), make([][]Grouped, len(a.Ranges))
	at := make([]Position, len(planned)) // of a branch: its side, and its place there
	for i, g := range planned {
		side := measure.CurrentRangeIndex
		if g.Branch != nil && g.Branch.comparison() != nil {
			side = g.Branch.Br.ScanRange.Tag
		}
		at[i] = Position{side, len(rows[side])}
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
		moved := make([]Position, len(slots))
		for i, s := range slots {
			if moved[i] = (Position{-1, -1}); s.Branch >= 0 && at[s.Branch].Branch == side {
				moved[i] = Position{at[s.Branch].member, s.member}
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
			slots[i] = Position{s.Branch + len(current.Branches), s.member}
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
