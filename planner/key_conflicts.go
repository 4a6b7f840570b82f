package planner

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/internal/viewrange"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// checkMetricKeyConflicts rejects keys of a query that exclude each other, one pair at a time.
// The retry removes the second key of the pair. The view is that of the query, or nil.
func checkMetricKeyConflicts(q *query.MetricQuery, view *catalog.View) error {
	if q.Distinct {
		if err := checkDistinctKeyConflicts(q); err != nil {
			return err
		}
	}
	if q.From != "" && !q.Distinct {
		return keyConflictError("from names the root of a query with distinct", "distinct", "from")
	}
	if len(q.TimeRanges) > 0 && q.Compare != nil {
		return keyConflictError("compare and time_ranges both compute a metric for several ranges", "time_ranges", "compare")
	}
	if len(q.TimeRanges) > 0 && q.Fill != nil {
		return keyConflictError("fill makes the periods of one range, and time_ranges has several", "time_ranges", "fill")
	}
	for i, r := range q.TimeRanges {
		if hasBoundsAndRelativeRange(&r.TimeRange) {
			ranges := slices.Clone(q.TimeRanges)
			ranges[i].Last = nil
			return lastWithStartOrEndError("time_ranges."+planerr.ClipText(r.Tag), &r.TimeRange, "time_ranges", query.TaggedRanges(ranges))
		}
	}
	if q.Top != nil && q.Top.Rank != nil && q.Top.Rank.TimeRange != nil && hasBoundsAndRelativeRange(q.Top.Rank.TimeRange) {
		top, rank, bounds := *q.Top, *q.Top.Rank, *q.Top.Rank.TimeRange
		bounds.Last = nil
		top.Rank, rank.TimeRange = &rank, &bounds
		return lastWithStartOrEndError("top.rank.time_range", q.Top.Rank.TimeRange, "top", &top)
	}
	relative := q.AsOf != "" && viewReadsNow(view, q.Defaults) || slices.ContainsFunc(q.TimeRanges, func(r query.TaggedRange) bool { return r.Last != nil })
	conditions := []string{q.WhereSQL, q.ContextFilter}
	if q.Top != nil && q.Top.Rank != nil {
		relative = relative || q.Top.Rank.TimeRange != nil && q.Top.Rank.TimeRange.Last != nil
		if q.Top.Rank.WhereSQL != nil {
			conditions = append(conditions, *q.Top.Rank.WhereSQL)
		}
	}
	return checkTimeKeyConflicts(q.TimeRange, q.AsOf, relative, conditions...)
}

func checkDistinctKeyConflicts(q *query.MetricQuery) error {
	const message = "distinct lists groups without metrics, so it excludes "
	if len(q.Metrics) > 0 {
		return keyConflictError(message+"metrics", "metrics", "distinct")
	}
	if key := q.KeyExcludedByDistinct(); key != "" {
		return keyConflictError(message+key, "distinct", key)
	}
	return nil
}

// readsNow reports whether a condition depends on the present time, which as_of takes the place of.
func readsNow(conditions ...string) bool {
	return slices.ContainsFunc(conditions, func(text string) bool {
		e, err := sqlexpr.ParseLimited(text, sqlexpr.QueryLimits())
		return err == nil && timerange.ReadsNow(e)
	})
}

// viewReadsNow reports whether a view has a range or a condition that depends on the present time. It parses them: only a query with as_of asks.
func viewReadsNow(v *catalog.View, defaults *bool) bool {
	switch {
	case v == nil:
		return false
	case readsNow(v.Where.Named):
		return true
	case defaults != nil && !*defaults:
		return false
	}
	given := viewrange.Describe(v)
	return given != nil && given.Last != nil || slices.ContainsFunc(v.Filters, func(c catalog.ViewCondition) bool { return readsNow(c.Named) })
}

// checkTimeKeyConflicts checks the keys of time that the planes share. relative is whether
// another range than r counts from asOf; conditions may read it.
func checkTimeKeyConflicts(r *query.TimeRange, asOf string, relative bool, conditions ...string) error {
	if r != nil && hasBoundsAndRelativeRange(r) {
		bounds := *r
		bounds.Last = nil
		return lastWithStartOrEndError("time_range", r, "time_range", bounds)
	}
	if asOf != "" && !relative && (r == nil || r.Last == nil) && !readsNow(conditions...) {
		return keyConflictError("as_of is the time that last counts from and CURRENT_DATE means, and the query has neither", "last", "as_of")
	}
	return nil
}

func hasBoundsAndRelativeRange(r *query.TimeRange) bool {
	return r.Last != nil && (r.Start != "" || r.End != "")
}

func lastWithStartOrEndError(place string, r *query.TimeRange, key string, bounds any) error {
	bound := "start"
	if r.Start == "" {
		bound = "end"
	}
	e := keyConflictError(place+" has both last and "+bound, place+"."+bound, place+".last")
	e.Fragment = map[string]any{key: bounds}
	return e
}

// keyConflictError returns the error of two keys that exclude each other. Its retry removes the second.
func keyConflictError(message, kept, removed string) *planerr.Error {
	return &planerr.Error{
		Code:       planerr.CodeConflictingKeys,
		Message:    message,
		Candidates: []string{kept, removed},
		Fragment:   map[string]any{removed: nil},
	}
}
