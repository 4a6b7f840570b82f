package metric

import (
	"errors"
	"maps"
	"slices"

	"github.com/semlayer/semlayer/planner/internal/atlevel"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/lod"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// resolveRank resolves top.rank: the query with the conditions and the range of the ranking; nil where the values are
// ranked over the rows of the query. Groups and joins stay those of the query.
func resolveRank(a *branch.Query, bound scope.Bindings) (*branch.Query, error) {
	if a.Top == nil || a.In.Query.Top.Rank == nil {
		return nil, nil
	}
	rank := a.In.Query.Top.Rank
	if rank.HasRange() && len(a.Cols.LevelTables) > 0 && a.In.HasSeveralRanges() {
		return nil, severalRangesInRankError(a.In.Query)
	}
	out, in := *a, a.In.WithQuery(queryOfRank(a.In.Query))
	out.In = in
	if rank.HasRange() {
		out.Compare, out.Cols.MeasureRefs = nil, branch.WithoutTags(a.Compare.MeasureRefsOfCurrentRange(a.Cols.MeasureRefs))
		var err error
		if out.Ranges, err = where.ResolveTimeRanges(in, a.Sel, a.Groups, out.Cols); err != nil {
			return nil, rankError(a.In.Query, err)
		}
		out.Conds.ReadsNow = out.Conds.ReadsNow || rank.TimeRange != nil && rank.TimeRange.Last != nil
	}
	if rank.WhereSQL != nil {
		conds, err := where.ResolveFilters(in, a.Sel, a.Groups, a.Cols)
		if err != nil {
			return nil, rankError(a.In.Query, err)
		}
		if len(conds.Result) > 0 {
			return nil, resultConditionInRankError(a.In.Query)
		}
		if err := bound.CheckParams(where.LODParamsOfGroupsAndRefs(in, a.Groups, conds.Refs)); err != nil {
			return nil, err
		}
		conds.ReadsNow = conds.ReadsNow || out.Conds.ReadsNow
		out.Conds = conds
		out.Lod = lod.NewPlanner(in, a.Groups, bound, a.Cols, conds)
	}
	out.LevelsAreBranches = len(out.Cols.LevelTables) > 0 && atlevel.CanBeBranches(&out)
	return &out, nil
}

// queryOfRank returns a query with the range and the condition of its ranking.
func queryOfRank(q *query.MetricQuery) *query.MetricQuery {
	out, rank := *q, q.Top.Rank
	if rank.HasRange() {
		out.TimeRange, out.TimeRanges, out.Compare = rank.TimeRange, nil, nil
	}
	if rank.WhereSQL != nil {
		out.WhereSQL = *rank.WhereSQL
	}
	return &out
}

// severalRangesInRankError returns the error of one range of a ranking where a metric at another level has several.
func severalRangesInRankError(q *query.MetricQuery) error {
	return &planerr.Error{
		Code:     planerr.CodeNotImplemented,
		Message:  "top.rank.time_range takes the place of several ranges, and a metric of the query is computed at another level for each of them",
		Fragment: map[string]any{"top": topWithRank(q, func(r *query.TopRank) { r.TimeRange, r.AllTimes = nil, false })},
	}
}

// resultConditionInRankError returns the error of a condition on results in top.rank.
func resultConditionInRankError(q *query.MetricQuery) error {
	return &planerr.Error{
		Code:     planerr.CodeUnsupportedFilter,
		Message:  "top.rank.where_sql has a condition on rows of the result, and the values are ranked over input rows: " + planerr.ClipText(*q.Top.Rank.WhereSQL),
		Fragment: map[string]any{"top": topWithRank(q, func(r *query.TopRank) { r.WhereSQL = nil })},
	}
}

// topWithRank returns a copy of top with a change of rank.
func topWithRank(q *query.MetricQuery, change func(*query.TopRank)) *query.Top {
	top, rank := *q.Top, *q.Top.Rank
	change(&rank)
	if top.Rank = &rank; rank == (query.TopRank{}) {
		top.Rank = nil
	}
	return &top
}

// rankError returns an error of the conditions of a ranking, whose retry changes the key rank.
func rankError(q *query.MetricQuery, err error) error {
	var failed *planerr.Error
	if !errors.As(err, &failed) {
		return err
	}
	out := *failed
	out.Message = "top.rank: " + failed.Message
	out.Fragment = maps.Clone(failed.Fragment)
	top := topWithRank(q, func(r *query.TopRank) {
		switch text := failed.Fragment["where_sql"].(type) {
		case string:
			r.WhereSQL = &text
		case nil:
			if slices.Contains(slices.Collect(maps.Keys(failed.Fragment)), "where_sql") {
				r.WhereSQL = new(string)
			}
		}
		switch span := failed.Fragment["time_range"].(type) {
		case query.TimeRange:
			r.TimeRange = &span
		case *query.TimeRange:
			r.TimeRange = span
		}
	})
	for _, key := range []string{"where_sql", "time_range"} {
		if _, ok := out.Fragment[key]; ok {
			delete(out.Fragment, key)
			out.Fragment["top"] = top
		}
	}
	return &out
}
