package metric

import (
	"context"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// QueryHomesRefsAndAxes holds where the rows of a query come from and what its branches read.
type QueryHomesRefsAndAxes struct {
	Homes []HomeDataset
	Refs  resolve.Refs     // of group-bys, conditions and time ranges
	Axes  []*catalog.Field // by measure; nil where a measure has none
}

// HomeDataset is a dataset whose rows a query aggregates.
type HomeDataset struct {
	Dataset *catalog.Dataset
	// DuplicateSensitive: repetition of its rows would falsify a measure.
	DuplicateSensitive bool
}

// FindQueryHomesRefsAndAxes resolves the names of a query against the catalog that ExtendCatalog made for it. A query with
// distinct has its root as its only home.
func FindQueryHomesRefsAndAxes(ctx context.Context, extended *catalog.Catalog, q *query.MetricQuery, t plan.Target) (QueryHomesRefsAndAxes, error) {
	a, err := resolveQueryNames(scope.NewEnv(ctx, extended, q, t))
	if err != nil {
		return QueryHomesRefsAndAxes{}, err
	}
	out := QueryHomesRefsAndAxes{Refs: slices.Clone(a.Conds.Refs)}
	for _, g := range a.Groups {
		for i := range g.FieldReferenceCount() {
			out.Refs.IndexOrAdd(g.ReferenceAtIndex(i))
		}
	}
	for _, r := range a.Ranges {
		if !r.OnAxis {
			out.Refs.IndexOrAdd(r.Ref)
		}
	}
	if a.Root != nil {
		out.Homes = []HomeDataset{{Dataset: a.Root}}
	}
	for _, u := range a.Cols.MeasureRefs {
		out.Homes = appendHomeOnce(out.Homes, HomeDataset{u.Measure.Home, u.IsDuplicateSensitive()})
		out.Axes = append(out.Axes, u.Axis)
	}
	return out, nil
}

// appendHomeOnce returns homes with one more, each dataset once.
func appendHomeOnce(homes []HomeDataset, h HomeDataset) []HomeDataset {
	i := slices.IndexFunc(homes, func(o HomeDataset) bool { return o.Dataset == h.Dataset })
	if i < 0 {
		return append(homes, h)
	}
	h.DuplicateSensitive = h.DuplicateSensitive || homes[i].DuplicateSensitive
	return slices.Concat(homes[:i], []HomeDataset{h}, homes[i+1:])
}
