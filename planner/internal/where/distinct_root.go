package where

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// findRootOfDistinctDimensions finds the dataset of which each row has at most one of everything that a query with
// distinct names: the one that the query gives; else the only one among the named datasets;
// else the other one with the fewest joins.
func findRootOfDistinctDimensions(in *scope.Env, refs resolve.Refs) (*catalog.Dataset, error) {
	if in.Query.From != "" {
		return resolveGivenRoot(in, refs)
	}
	named := datasetsOfReferences(refs)
	if roots := keepRootsWithDeclaredEdges(in.Cat, datasetsReachingAll(in.Cat, named, refs)); len(roots) > 0 {
		return requireSingleRoot(roots)
	}
	others := slices.DeleteFunc(slices.Clone(in.Cat.Datasets), func(d *catalog.Dataset) bool { return slices.Contains(named, d) })
	roots := datasetsReachingAll(in.Cat, others, refs)
	if len(roots) == 0 {
		return nil, &planerr.Error{
			Code:           planerr.CodeNoJoinPath,
			Message:        "no dataset reaches all of " + joinpath.JoinRefTexts(refs) + " along many-to-one relationships",
			SuggestedRetry: "list the groups of one dataset at a time",
		}
	}
	return requireSingleRoot(keepRootsWithFewestJoins(in.Cat, roots, refs))
}

// resolveGivenRoot returns the root that the query names.
func resolveGivenRoot(in *scope.Env, refs resolve.Refs) (*catalog.Dataset, error) {
	from := in.Query.From
	root := in.Cat.Dataset(from)
	if root == nil {
		var names []string
		for _, d := range in.Cat.ShownDatasets() {
			names = append(names, d.Name)
		}
		return nil, &planerr.Error{
			Code:       planerr.CodeUnknownDataset,
			Message:    "the model has no dataset named " + from,
			Candidates: suggest.Nearest(from, names, resolve.MaxCandidates),
			Fragment:   map[string]any{"from": nil},
		}
	}
	var missing []resolve.Ref
	for _, ref := range refs {
		if !datasetReachesRefSafely(in.Cat, root, ref) {
			missing = append(missing, ref)
		}
	}
	if len(missing) > 0 {
		return nil, &planerr.Error{
			Code:     planerr.CodeNoJoinPath,
			Message:  "a row of " + root.Name + " does not lead to " + joinpath.JoinRefTexts(missing) + " along many-to-one relationships",
			Fragment: map[string]any{"from": nil},
		}
	}
	return root, nil
}

// datasetsOfReferences lists the datasets that references name: those of their fields, and those that
// their paths leave.
func datasetsOfReferences(refs resolve.Refs) []*catalog.Dataset {
	var out []*catalog.Dataset
	for _, ref := range refs {
		for _, d := range []*catalog.Dataset{ref.SourceDataset(), ref.Field.Dataset} {
			if !slices.Contains(out, d) {
				out = append(out, d)
			}
		}
	}
	return out
}

// datasetReachesRefSafely reports whether each row of a dataset leads to at most one row of a reference, on
// one path or on several.
func datasetReachesRefSafely(cat *catalog.Catalog, d *catalog.Dataset, ref resolve.Ref) bool {
	w := joinpath.FindSafe(cat, d, ref)
	return w.Ok || w.Tied != nil
}

// datasetsReachingAll lists those datasets that reach all references.
func datasetsReachingAll(cat *catalog.Catalog, datasets []*catalog.Dataset, refs resolve.Refs) []*catalog.Dataset {
	var out []*catalog.Dataset
	for _, d := range datasets {
		if !slices.ContainsFunc(refs, func(ref resolve.Ref) bool { return !datasetReachesRefSafely(cat, d, ref) }) {
			out = append(out, d)
		}
	}
	return out
}

// keepRootsWithDeclaredEdges keeps, of datasets that reach each other, those from which the edges
// lead to all others in their declared direction; all where none does.
func keepRootsWithDeclaredEdges(cat *catalog.Catalog, roots []*catalog.Dataset) []*catalog.Dataset {
	var out []*catalog.Dataset
	for _, d := range roots {
		if !slices.ContainsFunc(roots, func(o *catalog.Dataset) bool { return o != d && len(cat.DeclaredDirectionPaths(d, o, 1)) == 0 }) {
			out = append(out, d)
		}
	}
	if len(out) == 0 {
		return roots
	}
	return out
}

// keepRootsWithFewestJoins keeps the datasets that reach all references with the fewest joins.
func keepRootsWithFewestJoins(cat *catalog.Catalog, roots []*catalog.Dataset, refs resolve.Refs) []*catalog.Dataset {
	var best []*catalog.Dataset
	least := 0
	for _, d := range roots {
		n := countJoinsFromRoot(cat, d, refs)
		if len(best) == 0 || n < least {
			best, least = nil, n
		}
		if n == least {
			best = append(best, d)
		}
	}
	return best
}

// countJoinsFromRoot counts the joins that a root needs to reach all references; of several paths to
// one it takes the first.
func countJoinsFromRoot(cat *catalog.Catalog, root *catalog.Dataset, refs resolve.Refs) int {
	edges := map[string]bool{}
	for _, ref := range refs {
		w := joinpath.FindSafe(cat, root, ref)
		path := w.Path
		if w.Tied != nil {
			path = append(slices.Clone(w.Tied[0]), ref.Prefix...)
		}
		key := ""
		for _, s := range path {
			key += "." + s.Rel.Name
			edges[key] = true
		}
	}
	return len(edges)
}

// requireSingleRoot returns the only one of some roots; the error of several has them as candidates.
func requireSingleRoot(roots []*catalog.Dataset) (*catalog.Dataset, error) {
	if len(roots) == 1 {
		return roots[0], nil
	}
	names := make([]string, len(roots))
	for i, d := range roots {
		names[i] = d.Name
	}
	names = names[:min(len(names), resolve.MaxCandidates)]
	return nil, &planerr.Error{
		Code:       planerr.CodeAmbiguousJoinPath,
		Message:    strings.Join(names, " and ") + " each lead to all fields of the query, and give different groups: name one of them in from",
		Candidates: names,
		Fragment:   map[string]any{"from": names[0]},
	}
}
