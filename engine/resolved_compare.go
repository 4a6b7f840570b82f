package engine

import "github.com/semlayer/semlayer/planner/plan"

// ResolvedCompare is an earlier range that a query compares with. Name is that of the comparison; "" where it has none.
type ResolvedCompare struct {
	Name  string `json:"name,omitempty"`
	Start string `json:"start"`
	End   string `json:"end"`
}

func newResolvedCompare(ranges []plan.ResolvedCompare) []ResolvedCompare {
	var out []ResolvedCompare
	for _, r := range ranges {
		out = append(out, ResolvedCompare(r))
	}
	return out
}
