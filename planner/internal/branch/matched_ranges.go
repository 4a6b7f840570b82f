package branch

import (
	"maps"
	"slices"

	"github.com/semlayer/semlayer/planner/plan"
)

// MatchByRange matches the branches of the current range of compare, and those of the earlier range, each with the buckets of their
// range.
func MatchByRange(a *Query, branches []*Branch, slots []Position, planned []Grouped) (current, earlier *Combined) {
	var own [2][]*Branch
	var rows [2][]Grouped
	at := make([]Position, len(planned)) // of a branch: its side, and its place there
	for i, g := range planned {
		side := 0
		if g.Branch != nil && g.Branch.isOfEarlierRange() {
			side = 1
		}
		at[i] = Position{side, len(rows[side])}
		rows[side] = append(rows[side], g)
		if i < len(branches) {
			own[side] = append(own[side], branches[i])
		}
	}
	match := func(side int) *Combined {
		moved := make([]Position, len(slots))
		for i, s := range slots {
			if moved[i] = (Position{-1, -1}); s.Branch >= 0 && at[s.Branch].Branch == side {
				moved[i] = Position{at[s.Branch].member, s.member}
			}
		}
		return Match(a, own[side], moved, rows[side])
	}
	return match(0), match(1)
}

// MatchRanges matches the rows of the current range with those of the earlier range, whose buckets have moved.
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
	out.Branches, out.movedFrom = slices.Concat(current.Branches, earlier.Branches), len(current.Branches)
	out.timeAxes = slices.Concat(current.timeAxes, earlier.timeAxes)
	out.first, out.slots, out.windows, out.hasMoreRows = first, slots, windows, true
	return &out
}
