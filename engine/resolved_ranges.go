package engine

import "github.com/semlayer/semlayer/planner/plan"

// ResolvedRange is a relative range of a query with the bounds that it had, on the clock of
// TimeZone.
type ResolvedRange struct {
	Start string `json:"start"`
	End   string `json:"end"`
	// Dimension is the time field as the query names it; "" where it names none.
	Dimension string `json:"dimension,omitempty"`
	AsOf      string `json:"as_of"`
	TimeZone  string `json:"time_zone"`
}

// ResolvedTimeRange holds the relative ranges of a query: One of time_range, or those of
// time_ranges by tag.
type ResolvedTimeRange struct {
	One   *ResolvedRange
	ByTag map[string]ResolvedRange
}

// MarshalJSON writes the one range, or an object of the ranges by tag.
func (r ResolvedTimeRange) MarshalJSON() ([]byte, error) {
	if r.One != nil {
		return MarshalWireJSON(r.One)
	}
	return MarshalWireJSON(r.ByTag)
}

// newResolvedTimeRange returns the relative ranges of a plan; nil where it has none.
func newResolvedTimeRange(ranges []plan.ResolvedTimeRange) *ResolvedTimeRange {
	if len(ranges) == 0 {
		return nil
	}
	out := &ResolvedTimeRange{ByTag: map[string]ResolvedRange{}}
	for _, r := range ranges {
		x := ResolvedRange{Start: r.Start, End: r.End, Dimension: r.Dimension, AsOf: r.AsOf, TimeZone: r.TimeZone}
		if r.Tag == "" {
			return &ResolvedTimeRange{One: &x}
		}
		out.ByTag[r.Tag] = x
	}
	return out
}

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
