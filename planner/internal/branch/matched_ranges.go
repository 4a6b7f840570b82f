package branch

import (
	"slices"

	"github.com/semlayer/semlayer/planner/plan"
)

// MatchByRange matches the branches of the current range of compare, and those of the earlier range, each with the buckets of their
// range.
func MatchByRange(a *Query, branches []*Branch, slots []Position, planned []Grouped) (current, earlier *Combined) {
	var sides [2]rangeSide
	at := make([]Position, len(planned)) // of a branch: its side, and its place there
	for i, g := range planned {
		side := 0
		if g.Branch != nil && g.Branch.isOfEarlierRange() {
			side = 1
		}
		at[i] = Position{side, len(sides[side].planned)}
		sides[side].planned = append(sides[side].planned, g)
		if i < len(branches) {
			sides[side].branches = append(sides[side].branches, branches[i])
		}
	}
	match := func(side int) *Combined {
		own := slices.Clone(slots)
		for i, s := range slots {
			switch {
			case s.Branch < 0:
			case at[s.Branch].Branch == side:
				own[i].Branch = at[s.Branch].member
			default:
				own[i] = Position{-1, -1}
			}
		}
		return Match(a, sides[side].branches, own, sides[side].planned)
	}
	return match(0), match(1)
}

// rangeSide is the branches of one range.
type rangeSide struct {
	branches []*Branch
	planned  []Grouped
}

// MatchRanges matches the rows of the current range with those of the earlier range, whose buckets have moved.
func MatchRanges(current, earlier *Combined) *Combined {
	out, keys := *current, len(current.Keys)
	width := len(current.Node.Schema())
	added := width - keys
	out.Node = &plan.Combine{
		Keys: keys, Branches: []plan.Node{current.Node, earlier.Node}, Zero: make([]bool, added+len(earlier.Node.Schema())-keys),
	}
	out.Branches, out.movedFrom = slices.Concat(current.Branches, earlier.Branches), len(current.Branches)
	out.timeAxes = slices.Concat(current.timeAxes, earlier.timeAxes)
	out.first, out.slots, out.windows = slices.Clone(current.first), slices.Clone(current.slots), map[int]int{}
	for _, f := range earlier.first {
		out.first = append(out.first, f+added)
	}
	for i, s := range earlier.slots {
		if s.Branch >= 0 {
			out.slots[i] = Position{s.Branch + len(current.Branches), s.member}
		}
	}
	for ref, column := range current.windows {
		out.windows[ref] = column
	}
	for ref, column := range earlier.windows {
		out.windows[ref] = column + added
	}
	out.hasMoreRows = true
	return &out
}
