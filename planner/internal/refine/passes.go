package refine

import (
	"github.com/semlayer/semlayer/planner/internal/ranked"
	"github.com/semlayer/semlayer/planner/plan"
)

// rowPass is a pass over the rows of a result. It returns the rows as they are where the query does not ask for it.
type rowPass struct {
	name string
	does string // for people
	run  func(a resultPlanner, rows plan.Node, keys []plan.SortKey) plan.Node
}

// rowPasses are the passes over the rows of a result, in their order. keys are those of the order of the result; none where it is free.
var rowPasses = []rowPass{
	{"conditions", "keeps the rows that meet the conditions on the result", func(a resultPlanner, rows plan.Node, _ []plan.SortKey) plan.Node {
		return filterResult(a, rows)
	}},
	{"limit of level 0", "keeps the rows of level 0 that limit and offset choose, and those of all other levels", func(a resultPlanner, rows plan.Node, keys []plan.SortKey) plan.Node {
		if q := a.q.In.Query; a.q.Levels.HasTotals() && (q.Limit != nil || q.Offset > 0) {
			return a.limitFirstLevel(rows, keys)
		}
		return rows
	}},
	{"order", "orders the rows", func(_ resultPlanner, rows plan.Node, keys []plan.SortKey) plan.Node {
		if len(keys) == 0 {
			return rows
		}
		return &plan.Sort{Input: rows, Keys: keys}
	}},
	{"offset", "skips the first rows of a result of one level", func(a resultPlanner, rows plan.Node, _ []plan.SortKey) plan.Node {
		if offset := a.q.In.Query.Offset; offset > 0 && !a.q.Levels.HasTotals() {
			return &plan.Offset{Input: rows, N: offset}
		}
		return rows
	}},
	{"limit", "keeps the next rows of a result of one level", func(a resultPlanner, rows plan.Node, _ []plan.SortKey) plan.Node {
		if limit := a.q.In.Query.Limit; limit != nil && !a.q.Levels.HasTotals() {
			return &plan.Limit{Input: rows, N: *limit}
		}
		return rows
	}},
	{"missing aggregates", "computes percentiles and lists by ranks for a target that lacks these aggregates", func(a resultPlanner, rows plan.Node, _ []plan.SortKey) plan.Node {
		return ranked.ReplaceMissingAggregates(rows, &a.q.In.Target.Caps)
	}},
}
