package viewrange

import (
	"encoding/json"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// ForMetrics returns the environment of the query with the time range that its view has by default, where no key of the query takes its
// place; else in.
func ForMetrics(in *scope.Env, sel scope.Selection, groups []scope.Group) (*scope.Env, error) {
	given, dimension, err := Of(in)
	if given == nil || err != nil || in.Query.Distinct || len(in.Keys.TimeRanges) > 0 {
		return in, err
	}
	named, namesAxis := conditionRefs(in, sel.Names, groups)
	if dimension != nil {
		reached := slices.ContainsFunc(sel.Names.Homes, func(home *catalog.Dataset) bool { return ReachesRef(in.Cat, home, *dimension) })
		if !reached || NamesAny(named, resolve.Refs{*dimension}) {
			return in, nil
		}
		return in.WithViewRange(*given, dimension), nil
	}
	var axes resolve.Refs
	for _, m := range sel.Metrics {
		imposed := measure.AxisOfMetric(in.Cat, m, nil)
		for _, leaf := range m.LeafMeasures() {
			if axis := measure.AxisOfMeasure(in.Cat, m, leaf, imposed); axis != nil {
				axes.IndexOrAdd(resolve.Ref{Field: axis})
			}
		}
	}
	if len(axes) == 0 || namesAxis || NamesAny(named, axes) {
		return in, nil
	}
	given.Dimension = scope.MetricTime
	return in.WithViewRange(*given, nil), nil
}

// OfRoot returns the time range that a view has by default for the rows of a dataset, and its dimension; nil where there is none,
// or a key of the query takes its place.
func OfRoot(in *scope.Env, root *catalog.Dataset, names *resolve.Resolver, groups []scope.Group) (*query.TimeRange, resolve.Ref, error) {
	given, dimension, err := Of(in)
	if given == nil || err != nil {
		return nil, resolve.Ref{}, err
	}
	if dimension == nil {
		if root.PrimaryTime == nil {
			return nil, resolve.Ref{}, nil
		}
		dimension = &resolve.Ref{Field: root.PrimaryTime}
	}
	named, _ := conditionRefs(in, names, groups)
	if !ReachesRef(in.Cat, root, *dimension) || NamesAny(named, resolve.Refs{*dimension}) {
		return nil, resolve.Ref{}, nil
	}
	given.Dimension = dimension.Text()
	return given, *dimension, nil
}

// WithAny returns the environment of a query with the time range that its view has by default, whether or not a condition takes its
// place: the bounds of a plan that is kept are compared with these. root is the dataset of a detail query, else nil.
func WithAny(in *scope.Env, root *catalog.Dataset) *scope.Env {
	given, dimension, err := Of(in)
	if given == nil || err != nil || len(in.Keys.TimeRanges) > 0 {
		return in
	}
	switch {
	case dimension == nil && root != nil && root.PrimaryTime != nil:
		given.Dimension = root.PrimaryTime.QualifiedName()
	case dimension == nil:
		given.Dimension = scope.MetricTime
	case root != nil:
		given.Dimension = dimension.Text()
	}
	return in.WithViewRange(*given, dimension)
}

// Of returns the range of the view and the dimension that it names; nil for the axis of each metric.
func Of(in *scope.Env) (*query.TimeRange, *resolve.Ref, error) {
	if !in.HasViewDefaults() || in.View.TimeRange == "" || in.Keys.TimeRange != nil {
		return nil, nil, nil
	}
	body, err := query.DecodeMetric([]byte(`{"time_range": ` + in.View.TimeRange + `}`))
	if err != nil {
		return nil, nil, err
	}
	given := body.TimeRange
	if given.Dimension == "" || given.Dimension == scope.MetricTime {
		return given, nil, nil
	}
	parts, err := resolve.SplitPath(given.Dimension)
	if err != nil {
		return nil, nil, err
	}
	ref, err := NewModelResolver(in.Cat).Resolve(parts)
	return given, &ref, err
}

// ReachesRef reports whether the rows of a home lead to a reference, on one path or on several.
func ReachesRef(cat *catalog.Catalog, home *catalog.Dataset, ref resolve.Ref) bool {
	w := joinpath.FindSafe(cat, home, ref)
	return w.Ok || w.Tied != nil
}

// Describe returns the time range of a view; nil where it has none.
func Describe(v *catalog.View) *plan.ViewTimeRange {
	var out plan.ViewTimeRange
	if json.Unmarshal([]byte(v.TimeRange), &out) != nil {
		return nil
	}
	return &out
}
