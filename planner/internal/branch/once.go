package branch

import (
	"github.com/semlayer/semlayer/planner/query"
)

// countsOncePerGroup reports whether the query has each row of a branch's home counted once in each
// group where joins repeat it. The home needs a key to distinguish its rows by, and a semi-additive
// measure is not made of all rows.
func (r RouteFinder) countsOncePerGroup(br *Branch) bool {
	return br.NonAdditive == nil && r.Q.In.Query.FanOut == query.FanOutOncePerGroup && len(br.Home.PrimaryOrFirstUniqueKeyColumns()) > 0
}

// countRowsOncePerGroupHint returns the hint for a query that repeats the rows of a branch's home; "" where it
// cannot.
func (r RouteFinder) countRowsOncePerGroupHint(br *Branch) string {
	const ask = `ask with "fan_out": "` + query.FanOutOncePerGroup + `"`
	const effect = " to count each row once in each group"
	declare := "declare the primary_key of the dataset " + br.Home.Name
	switch {
	case br.NonAdditive != nil:
		return ""
	case len(br.Home.PrimaryOrFirstUniqueKeyColumns()) > 0:
		return ask + effect
	case r.Q.In.Query.FanOut == "":
		return declare + " and " + ask + effect
	}
	return declare + effect
}
