package metric

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// maxPaths bounds the search for paths to a dataset: two make it ambiguous,
// the rest are candidates.
const maxPaths = resolve.MaxCandidates

// Route is how a reference is reached from a root.
type Route struct {
	Ref   resolve.Ref
	Path  []catalog.Step
	Named bool // the query names the path
}

// pathSearch is the path from a dataset to a reference: one where ok, several where tied, else
// none.
type pathSearch struct {
	path []catalog.Step
	ok   bool
	tied [][]catalog.Step
}

// searchPath is the way from a home to a reference, given the paths from the home to a
// dataset. The path to the dataset that a named path leaves must be a single one even
// when the named path itself repeats rows.
func searchPath(home *catalog.Dataset, ref resolve.Ref, paths func(to *catalog.Dataset) [][]catalog.Step) pathSearch {
	var lead []catalog.Step
	if start := ref.SourceDataset(); start != home {
		switch found := paths(start); len(found) {
		case 0:
			return pathSearch{}
		case 1:
			lead = found[0]
		default:
			return pathSearch{tied: found}
		}
	}
	if slices.ContainsFunc(ref.Prefix, func(s catalog.Step) bool { return !s.Safe() }) {
		return pathSearch{}
	}
	return pathSearch{path: append(slices.Clone(lead), ref.Prefix...), ok: true}
}

// searchSafePath is the way along safe edges, which never repeat rows.
func searchSafePath(cat *catalog.Catalog, home *catalog.Dataset, ref resolve.Ref) pathSearch {
	return searchPath(home, ref, func(to *catalog.Dataset) [][]catalog.Step { return cat.SafePaths(home, to, maxPaths) })
}

// SafeRoute is the route from a root to a reference along safe edges; ok is false where
// there is none. The error is a *planerr.Error where there are several.
func SafeRoute(cat *catalog.Catalog, root *catalog.Dataset, ref resolve.Ref) (r Route, ok bool, err error) {
	w := searchSafePath(cat, root, ref)
	if w.tied != nil {
		prefixes := make([][]catalog.Step, len(w.tied))
		for i, p := range w.tied {
			prefixes[i] = append(slices.Clone(p), ref.Prefix...)
		}
		return Route{}, false, severalPathsError(root, ref, prefixes)
	}
	return Route{Ref: ref, Path: w.path, Named: len(ref.Prefix) > 0}, w.ok, nil
}

// routing is how a branch reaches what it reads.
type routing struct {
	root       *catalog.Dataset
	home       []catalog.Step // from the root
	routes     []Route
	population []predicate // the part of context_filter that filters its rows
}

// router decides how branches reach what they read. It reads all branches of a query:
// a reference that one of them reaches on several paths is respelled for all.
type router struct {
	*resolvedQuery
	branches []*branch
}

// routesOf decides how a branch reaches its home and every reference it needs.
// Along safe edges the home itself is the root. Where that does not do, another
// root may serve aggregates that repetition of rows leaves as they are.
func (r router) routesOf(br *branch) (routing, error) {
	refs := r.refsOf(br)
	routes := make([]Route, 0, len(refs))
	var missing []resolve.Ref
	for _, ref := range refs {
		w := searchSafePath(r.in.Cat, br.home, ref)
		switch {
		case w.tied != nil:
			return routing{}, r.ambiguousPathError(br.home, ref, w.tied)
		case w.ok:
			routes = append(routes, Route{Ref: ref, Path: w.path, Named: len(ref.Prefix) > 0})
		case len(ref.Prefix) > 0 && !r.in.Cat.Reaches(br.home, ref.PrefixSource()):
			// A named path is taken from the dataset that it leaves, and no other
			// root may stand in for the way there.
			return routing{}, noJoinPath(r.in.Query, r.groups, br.home, br.metricNames(), []resolve.Ref{ref})
		default:
			missing = append(missing, ref)
		}
	}
	if len(missing) == 0 {
		return routing{root: br.home, routes: routes, population: br.population}, nil
	}
	fan, err := r.fanOutRoutes(br, refs, missing)
	if err != nil {
		return routing{}, err
	}
	return r.fanOutPopulation(br, fan, refs)
}

// refsOf lists what a branch must reach, each reference once.
func (a *resolvedQuery) refsOf(br *branch) resolve.Refs {
	var refs resolve.Refs
	for _, g := range a.groups {
		refs.Index(br.groupRef(g))
	}
	for _, conds := range [][]predicate{br.population, a.conds.input} {
		for _, c := range conds {
			for _, id := range c.refs {
				refs.Index(a.conds.refs[id])
			}
		}
	}
	for _, t := range a.ranges {
		refs.Index(br.rangeRef(t))
	}
	return refs
}

func refTexts(refs []resolve.Ref) string {
	parts := make([]string, len(refs))
	for i, r := range refs {
		parts[i] = r.String()
	}
	return strings.Join(parts, ", ")
}

// noJoinPath is the error of references that no dataset reaches together with the home
// of some metrics.
func noJoinPath(q *query.MetricQuery, groups []Group, home *catalog.Dataset, metrics []string, missing []resolve.Ref) error {
	e := &planerr.Error{
		Code: planerr.CodeNoJoinPath,
		Message: "no dataset reaches both " + home.Name + ", where " + strings.Join(metrics, ", ") +
			" is computed, and " + refTexts(missing) + " along many-to-one relationships",
		Metrics: metrics,
	}
	if rest, ok := dropGroups(q, groups, missing); ok {
		e.Fragment = map[string]any{"group_by": rest}
	}
	return e
}

// dropGroups is the query's group_by less the items that read one of the
// references; ok is false when none does, or when a filter needs one too.
func dropGroups(q *query.MetricQuery, groups []Group, drop []resolve.Ref) (rest []query.GroupBy, ok bool) {
	rest = []query.GroupBy{}
	found := 0
	for i, g := range groups {
		if !g.OnAxis && slices.ContainsFunc(drop, g.Ref.IsSame) {
			found++
			continue
		}
		rest = append(rest, q.GroupBy[i])
	}
	return rest, found > 0
}
