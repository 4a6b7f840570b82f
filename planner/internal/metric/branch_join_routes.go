package metric

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// maxPathsPerDataset bounds the search for paths to a dataset: two make it ambiguous,
// the rest are candidates.
const maxPathsPerDataset = resolve.MaxCandidates

// RouteToRef is how a reference is reached from a root.
type RouteToRef struct {
	Ref   resolve.Ref
	Path  []catalog.JoinStep
	Named bool // the query names the path
}

// pathSearchResult is the path from a dataset to a reference: one where ok, several where tied, else
// none.
type pathSearchResult struct {
	path []catalog.JoinStep
	ok   bool
	tied [][]catalog.JoinStep
}

// findPathToRef returns the way from a home to a reference, given the paths from the home to a
// dataset. The path to the dataset that a named path leaves must be a single one even
// when the named path itself repeats rows.
func findPathToRef(home *catalog.Dataset, ref resolve.Ref, paths func(to *catalog.Dataset) [][]catalog.JoinStep) pathSearchResult {
	var lead []catalog.JoinStep
	if start := ref.SourceDataset(); start != home {
		switch found := paths(start); len(found) {
		case 0:
			return pathSearchResult{}
		case 1:
			lead = found[0]
		default:
			return pathSearchResult{tied: found}
		}
	}
	if slices.ContainsFunc(ref.Prefix, func(s catalog.JoinStep) bool { return !s.Safe() }) {
		return pathSearchResult{}
	}
	return pathSearchResult{path: append(slices.Clip(lead), ref.Prefix...), ok: true}
}

// findSafePathToRef returns the way along safe edges, which never repeat rows.
func findSafePathToRef(cat *catalog.Catalog, home *catalog.Dataset, ref resolve.Ref) pathSearchResult {
	return findPathToRef(home, ref, func(to *catalog.Dataset) [][]catalog.JoinStep { return cat.SafePaths(home, to, maxPathsPerDataset) })
}

// FindSafeRoute returns the route from a root to a reference along safe edges; ok is false where
// there is none. The error is a *planerr.Error where there are several.
func FindSafeRoute(cat *catalog.Catalog, root *catalog.Dataset, ref resolve.Ref) (r RouteToRef, ok bool, err error) {
	w := findSafePathToRef(cat, root, ref)
	if w.tied != nil {
		prefixes := make([][]catalog.JoinStep, len(w.tied))
		for i, p := range w.tied {
			prefixes[i] = append(slices.Clone(p), ref.Prefix...)
		}
		return RouteToRef{}, false, severalPathsError(root, ref, prefixes)
	}
	return RouteToRef{Ref: ref, Path: w.path, Named: len(ref.Prefix) > 0}, w.ok, nil
}

// branchJoinRoutes is how a branch reaches what it reads.
type branchJoinRoutes struct {
	root       *catalog.Dataset
	home       []catalog.JoinStep // from the root
	routes     []RouteToRef
	population []conjunctOverFields // the part of context_filter that filters its rows
	// oncePerGroup: joins repeat the rows of the home, and each counts once in a group.
	oncePerGroup bool
}

// branchJoinRouteFinder decides how branches reach what they read. It reads all branches of a query:
// a reference that one of them reaches on several paths is respelled for all.
type branchJoinRouteFinder struct {
	q        *resolvedQuery
	branches []*measureBranch
}

// findBranchJoinRoutes decides how a branch reaches its home and every reference it needs.
// Along safe edges the home itself is the root. Where that does not do, another
// root may serve aggregates that repetition of rows leaves as they are.
func (r branchJoinRouteFinder) findBranchJoinRoutes(br *measureBranch) (branchJoinRoutes, error) {
	refs := r.q.refsBranchMustReach(br)
	routes := make([]RouteToRef, 0, len(refs))
	var missing []resolve.Ref
	for _, ref := range refs {
		w := findPathToRef(br.home, ref, func(to *catalog.Dataset) [][]catalog.JoinStep { return r.q.in.safePaths(br.home, to) })
		switch {
		case w.tied != nil:
			return branchJoinRoutes{}, r.ambiguousPathError(br.home, ref, w.tied)
		case w.ok:
			routes = append(routes, RouteToRef{Ref: ref, Path: w.path, Named: len(ref.Prefix) > 0})
		case len(ref.Prefix) > 0 && !r.q.in.Cat.ReachesSafely(br.home, ref.PrefixStartDataset()):
			// A named path is taken from the dataset that it leaves, and no other
			// root may stand in for the way there.
			return branchJoinRoutes{}, noJoinPathError(r.q.in.Query, r.q.groups, br.home, br.metricNames(), []resolve.Ref{ref})
		default:
			missing = append(missing, ref)
		}
	}
	if len(missing) == 0 {
		return branchJoinRoutes{root: br.home, routes: routes, population: br.population}, nil
	}
	fan, err := r.findCommonRootOfFanOutBranch(br, refs, missing)
	if err != nil {
		return branchJoinRoutes{}, err
	}
	return r.newFanOutRouting(br, fan, refs)
}

// refsBranchMustReach lists what a branch must reach, each reference once.
func (a *resolvedQuery) refsBranchMustReach(br *measureBranch) resolve.Refs {
	refs := make(resolve.Refs, 0, len(a.groups)+len(a.conds.refs)+len(a.ranges))
	for _, g := range a.groups {
		if g.expression == nil {
			refs.IndexOrAdd(br.groupRef(g))
			continue
		}
		for _, ref := range g.expression.refs {
			refs.IndexOrAdd(ref)
		}
	}
	for _, conds := range [][]conjunctOverFields{br.population, a.conds.input} {
		for _, c := range conds {
			for _, id := range c.refs {
				refs.IndexOrAdd(a.conds.refs[id])
			}
		}
	}
	for _, t := range a.ranges {
		refs.IndexOrAdd(br.rangeRef(t))
	}
	return refs
}

func joinRefTexts(refs []resolve.Ref) string {
	parts := make([]string, len(refs))
	for i, r := range refs {
		parts[i] = r.String()
	}
	return strings.Join(parts, ", ")
}

// noJoinPathError returns the error of references that no dataset reaches together with the home
// of some metrics.
func noJoinPathError(q *query.MetricQuery, groups []ResolvedGroupBy, home *catalog.Dataset, metrics []string, missing []resolve.Ref) error {
	return &planerr.Error{
		Code: planerr.CodeNoJoinPath,
		Message: "no dataset reaches both " + home.Name + ", where " + strings.Join(metrics, ", ") +
			" is computed, and " + joinRefTexts(missing) + " along many-to-one relationships",
		Metrics:  metrics,
		Fragment: removeGroupsReadingRetry(q, groups, missing),
	}
}

// removeGroupsReadingRetry returns the query without the groups that read one of the references; nil where none does.
func removeGroupsReadingRetry(q *query.MetricQuery, groups []ResolvedGroupBy, refs []resolve.Ref) map[string]any {
	reads := func(g ResolvedGroupBy) bool {
		return !g.isRemainder && g.readsMatchingRef(func(ref resolve.Ref) bool { return slices.ContainsFunc(refs, ref.IsSame) })
	}
	if !slices.ContainsFunc(groups, reads) {
		return nil
	}
	return removeGroupsRetry(q, groups, reads)
}
