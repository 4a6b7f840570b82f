package attribute

import (
	"errors"
	"slices"

	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// translateMetricError puts an error of the metric plane in terms of an attribution: its
// group_by is one of the dimensions (-1: none), its tagged ranges are the
// windows.
func (f querySetBuilder) translateMetricError(err error, dimension int) error {
	var perr *planerr.Error
	if !errors.As(err, &perr) {
		return err
	}
	fragment := map[string]any{}
	for _, value := range perr.Fragment {
		switch value := value.(type) {
		case []query.GroupBy:
			if dims, ok := f.dimensionsForSuggestedRetry(dimension, value); ok {
				fragment["dimensions"] = dims
			}
		case query.TaggedRanges:
			for _, r := range value {
				if f.mapped {
					break // these are not the request's windows
				}
				if r.Tag == "baseline" || r.Tag == "current" {
					fragment[r.Tag] = query.TimeRange{Start: r.Start, End: r.End}
				}
			}
		case query.Bindings:
			fragment["params"] = f.mergeQueryParams(value)
		}
	}
	if perr.Code == planerr.CodeNoPrimaryTimeDimension && len(perr.Candidates) > 0 && f.windows.request.q.TimeDimension == "" {
		fragment["time_dimension"] = perr.Candidates[0]
	}
	if perr.Fragment = fragment; len(fragment) == 0 {
		perr.Fragment = nil
	}
	return perr
}

// dimensionsForSuggestedRetry returns the request's dimensions with one replaced by what a
// group_by names. Where none would be left, it is the best other ones.
func (f querySetBuilder) dimensionsForSuggestedRetry(i int, groups []query.GroupBy) ([]string, bool) {
	if i < 0 {
		return nil, false
	}
	dims := slices.Clone(f.windows.request.q.Dimensions[:i])
	for _, g := range groups {
		if g.Unit() != "" {
			return nil, false
		}
		dims = append(dims, g.Field)
	}
	dims = append(dims, f.windows.request.q.Dimensions[i+1:]...)
	if len(dims) == 0 {
		dims = f.windows.request.rankedCandidateDimensions(defaultTopDimensions)
	}
	return dims, len(dims) > 0
}

// mergeQueryParams returns the request's params with those that the params of one query became.
func (f querySetBuilder) mergeQueryParams(params query.Bindings) query.Bindings {
	out := slices.Clone(f.windows.request.q.Params)
	for _, p := range params {
		if i := slices.IndexFunc(out, func(o query.ParamBinding) bool { return o.Name == p.Name }); i >= 0 {
			out[i] = p
		} else {
			out = append(out, p)
		}
	}
	return out
}
