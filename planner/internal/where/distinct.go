package where

import (
	"cmp"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/viewrange"
	"github.com/semlayer/semlayer/planner/planerr"
)

// ResolveDistinct finds the root of a query with distinct, and its time range, which may be over a
// field of the root.
func ResolveDistinct(in *scope.Env, sel scope.Selection, groups []scope.Group, conds Conditions) (*catalog.Dataset, []Range, error) {
	var refs resolve.Refs
	for _, c := range slices.Concat(conds.Population, conds.Input) {
		for _, id := range c.Refs {
			if !c.WhereReached { // the conditions of a view do not choose the root
				refs.IndexOrAdd(conds.Refs[id])
			}
		}
	}
	for _, g := range groups {
		for i := range g.FieldReferenceCount() {
			refs.IndexOrAdd(g.ReferenceAtIndex(i))
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
	ranges, err := resolveTimeRangeOfRootDataset(in, sel, root, groups, dimension)
	return root, ranges, err
}

// namedRangeDimension returns the dimension that time_range names; nil where it names none, or
// metric_time.
func namedRangeDimension(in *scope.Env, sel scope.Selection) (*resolve.Ref, error) {
	r := in.Keys.TimeRange
	if r == nil || r.Dimension == "" || r.Dimension == scope.MetricTime {
		return nil, nil
	}
	s := RangeTimeDimensionResolver{In: in, Names: sel.Names}
	ref, err := s.resolveNamedDimension(r.Dimension, "time_range")
	return &ref, err
}

// resolveTimeRangeOfRootDataset returns the time range over the rows of the root.
func resolveTimeRangeOfRootDataset(in *scope.Env, sel scope.Selection, root *catalog.Dataset, groups []scope.Group, dimension *resolve.Ref) ([]Range, error) {
	q, ofView := in.Keys.TimeRange, false
	if q == nil {
		var (
			ref resolve.Ref
			err error
		)
		if q, ref, err = viewrange.OfRoot(in, root, sel.Names, groups); q == nil || err != nil {
			return nil, cmp.Or(err, in.ContextError())
		}
		dimension, ofView = &ref, true
	}
	interval, err := in.Times.ReadInterval("time_range", *q)
	if err != nil {
		return nil, err
	}
	if dimension == nil {
		var shown []resolve.Ref
		for _, g := range groups {
			if g.IsFieldNotExpression() {
				shown = append(shown, g.Ref)
			}
		}
		ref, err := scope.RowDimension{In: in, Root: root}.DefaultDimension(shown)
		if err != nil {
			return nil, err
		}
		dimension = &ref
	}
	if err := CheckTimeRangeFitsDimension(in, []*catalog.Dataset{root}, interval, "", *dimension); err != nil {
		return nil, err
	}
	return []Range{{Interval: interval, Ref: *dimension, OfView: ofView}}, nil
}

// metricTimeInDistinctError returns the error of a query with distinct that names metric_time, which only
// a metric has; nil where it does not. The retry names the root's primary time field.
func metricTimeInDistinctError(in *scope.Env, groups []scope.Group, root *catalog.Dataset) error {
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
		e.Candidates = scope.TimeDimensionNames(in, nil)
	}
	if i := slices.IndexFunc(groups, func(g scope.Group) bool { return g.OnAxis }); i >= 0 {
		if primary != "" {
			item := groups[i].Item
			item.Field = primary
			e.Fragment = map[string]any{"group_by": scope.ReplaceGroupByItem(in.Query.GroupBy, groups[i].Item, item)}
		}
		return e
	}
	if r := in.Keys.TimeRange; r != nil && r.Dimension == scope.MetricTime {
		if primary != "" {
			ranged := *r
			ranged.Dimension = primary
			e.Fragment = map[string]any{"time_range": ranged}
		}
		return e
	}
	return nil
}
