package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
)

// A query with distinct lists the groups of one dataset, its root. It is planned as a branch
// of that dataset without measures, whose conditions are all over rows.

// newDistinctDimensionsSelection returns the selection of a query with distinct. The prefix of a reference may
// leave any dataset, because the references decide what the root is.
func newDistinctDimensionsSelection(in *Env) (MetricSelection, error) {
	if len(in.Query.GroupBy) == 0 {
		return MetricSelection{}, &planerr.Error{
			Code:       planerr.CodeEmptyQuery,
			Message:    "the query lists distinct groups and has no group_by",
			Candidates: nearestDimensionNames(in, ""),
		}
	}
	return MetricSelection{names: &resolve.Resolver{Cat: in.Cat, Homes: in.Cat.Datasets}}, nil
}

// resolveDistinctDimensionsRootAndRange finds the root of a query with distinct, and its time range, which may be over a
// field of the root.
func resolveDistinctDimensionsRootAndRange(in *Env, sel MetricSelection, groups []ResolvedGroupBy, conds queryConditions) (*catalog.Dataset, []timeRange, error) {
	refs := slices.Clone(conds.refs)
	for _, g := range groups {
		for i := range g.fieldReferenceCount() {
			refs.IndexOrAdd(g.referenceAtIndex(i))
		}
	}
	dimension, err := namedRangeDimension(in, sel)
	if err != nil {
		return nil, nil, err
	}
	if dimension != nil {
		refs.IndexOrAdd(*dimension)
	}
	root, err := findRootOfDistinctDimensions(in, refs)
	if axis := metricTimeInDistinctError(in, groups, root); axis != nil {
		return nil, nil, axis
	}
	if err != nil {
		return nil, nil, err
	}
	ranges, err := resolveTimeRangeOfRootDataset(in, root, groups, dimension)
	return root, ranges, err
}

// namedRangeDimension returns the dimension that time_range names; nil where it names none, or
// metric_time.
func namedRangeDimension(in *Env, sel MetricSelection) (*resolve.Ref, error) {
	r := in.Query.TimeRange
	if r == nil || r.Dimension == "" || r.Dimension == MetricTime {
		return nil, nil
	}
	s := rangeTimeDimensionResolver{in: in, names: sel.names}
	ref, err := s.resolveNamedDimension(r.Dimension, "time_range")
	return &ref, err
}

// resolveTimeRangeOfRootDataset returns the time range over the rows of the root.
func resolveTimeRangeOfRootDataset(in *Env, root *catalog.Dataset, groups []ResolvedGroupBy, dimension *resolve.Ref) ([]timeRange, error) {
	q := in.Query.TimeRange
	if q == nil {
		return nil, in.contextError()
	}
	interval, err := in.Times.ReadInterval("time_range", *q)
	if err != nil {
		return nil, err
	}
	if dimension == nil {
		var shown []resolve.Ref
		for _, g := range groups {
			if g.isFieldNotExpression() {
				shown = append(shown, g.Ref)
			}
		}
		ref, err := RowQueryTimeDimensionFinder{In: in, Root: root}.DefaultDimension(shown)
		if err != nil {
			return nil, err
		}
		dimension = &ref
	}
	if err := CheckTimeRangeFitsDimension(in, []*catalog.Dataset{root}, interval, "", *dimension); err != nil {
		return nil, err
	}
	return []timeRange{{interval: interval, ref: *dimension}}, nil
}

// metricTimeInDistinctError returns the error of a query with distinct that names metric_time, which only
// a metric has; nil where it does not. The retry names the root's primary time field.
func metricTimeInDistinctError(in *Env, groups []ResolvedGroupBy, root *catalog.Dataset) error {
	e := &planerr.Error{
		Code:           planerr.CodeUnknownDimension,
		Message:        "metric_time is the time axis of a metric, and a query with distinct has no metric",
		SuggestedRetry: "name a time field of the dataset",
	}
	primary := ""
	if root != nil && root.PrimaryTime != nil {
		primary = root.PrimaryTime.QualifiedName()
		e.Candidates = []string{primary}
	} else {
		e.Candidates = timeDimensionNames(in, nil)
	}
	if i := slices.IndexFunc(groups, func(g ResolvedGroupBy) bool { return g.OnAxis }); i >= 0 {
		if primary != "" {
			item := groups[i].item
			item.Field = primary
			e.Fragment = map[string]any{"group_by": replaceGroupByItem(in.Query.GroupBy, groups[i].item, item)}
		}
		return e
	}
	if r := in.Query.TimeRange; r != nil && r.Dimension == MetricTime {
		if primary != "" {
			ranged := *r
			ranged.Dimension = primary
			e.Fragment = map[string]any{"time_range": ranged}
		}
		return e
	}
	return nil
}

// newDistinctDimensionsBranches returns the branches of a query with distinct: one of the root, without
// measures.
func (a *resolvedQuery) newDistinctDimensionsBranches() []*measureBranch {
	return []*measureBranch{{home: a.root, scanRange: scanRange{tag: -1}, population: a.conds.population}}
}
