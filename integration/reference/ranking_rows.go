package reference

import (
	"slices"

	"github.com/semlayer/semlayer/planner/query"
)

// rankingRows are the conditions and the ranges by which top ranks, where they differ from those of the query.
type rankingRows struct {
	rowConditions []condition
	timeRanges    []timeRange
}

// readRank reads top.rank. A key that is absent is the query's.
func (e *evaluator) readRank() {
	if e.top == nil || e.q.Top.Rank == nil {
		return
	}
	r := e.q.Top.Rank
	e.top.rank = &rankingRows{e.rowConditions, e.timeRanges}
	if r.HasRange() {
		if (e.q.Compare != nil || len(e.q.TimeRanges) > 0) && slices.ContainsFunc(e.metrics, isMadeOfLevels) {
			e.addMayRejectCode("not_implemented")
		}
		whole, alone := e.q, *e.q
		alone.Compare = nil
		e.q = &alone
		defer func() { e.q = whole }()
		own := e.timeRanges
		e.timeRanges = nil
		if r.TimeRange != nil {
			e.readRange("", *r.TimeRange)
		} else {
			e.timeRanges = []timeRange{{}}
		}
		e.top.rank.timeRanges = slices.Repeat(e.timeRanges, len(own))
		e.timeRanges = own
	}
	if r.WhereSQL == nil {
		return
	}
	rows, results := e.rowConditions, e.resultConditions
	e.rowConditions, e.resultConditions = nil, nil
	for _, x := range e.splitConjuncts(*r.WhereSQL) {
		c, ok := e.resolveCondition(x, true)
		switch {
		case !ok:
		case len(c.outputs) > 0:
			e.addMustRejectCode("unsupported_filter")
			e.addMayRejectCode("not_implemented")
		case len(c.fields) == 0:
			abstain("a condition that names nothing")
		default:
			e.readTimeCondition(c)
		}
	}
	if len(e.resultConditions) > 0 {
		e.addMustRejectCode("unsupported_filter")
	}
	e.top.rank.rowConditions = e.rowConditions
	e.rowConditions, e.resultConditions = rows, results
}

// use lets levels be evaluated over the rows of the ranking until the returned function is called.
func (r *rankingRows) use(e *evaluator) func() {
	if r == nil {
		return func() {}
	}
	rows, ranges, results := e.rowConditions, e.timeRanges, e.levelResults
	e.rowConditions, e.timeRanges, e.levelResults = r.rowConditions, r.timeRanges, map[string]levelResult{}
	return func() { e.rowConditions, e.timeRanges, e.levelResults = rows, ranges, results }
}

// ranksByPresent reports whether a ranking counts back from the present.
func ranksByPresent(r *query.TopRank) bool {
	return r.TimeRange != nil && r.TimeRange.Last != nil || r.WhereSQL != nil && readsPresent(*r.WhereSQL)
}
