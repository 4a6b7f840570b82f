package metric

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// maxPaths bounds how many paths to a dataset are looked for: two make it
// ambiguous, the rest are candidates.
const maxPaths = scope.MaxCandidates

// Route is how a reference is reached from a root.
type Route struct {
	Ref   scope.Ref
	Path  []catalog.Step
	Named bool // the query names the path
}

// way is the path from a dataset to a reference: one where ok, several where tied, else
// none.
type way struct {
	path []catalog.Step
	ok   bool
	tied [][]catalog.Step
}

// wayTo is the way from a home to a reference, given the paths from the home to a
// dataset. The path to the dataset that a named path leaves must be a single one even
// when the named path itself repeats rows.
func wayTo(home *catalog.Dataset, ref scope.Ref, paths func(to *catalog.Dataset) [][]catalog.Step) way {
	var lead []catalog.Step
	if start := ref.From(); start != home {
		switch found := paths(start); len(found) {
		case 0:
			return way{}
		case 1:
			lead = found[0]
		default:
			return way{tied: found}
		}
	}
	if slices.ContainsFunc(ref.Prefix, func(s catalog.Step) bool { return !s.Safe() }) {
		return way{}
	}
	return way{path: append(slices.Clone(lead), ref.Prefix...), ok: true}
}

// safeWay is the way along safe edges, which never repeat rows.
func safeWay(cat *catalog.Catalog, home *catalog.Dataset, ref scope.Ref) way {
	return wayTo(home, ref, func(to *catalog.Dataset) [][]catalog.Step { return cat.SafePaths(home, to, maxPaths) })
}

// SafeRoute is the route from a root to a reference along safe edges; ok is false where
// there is none. The error is a *planerr.Error where there are several.
func SafeRoute(cat *catalog.Catalog, root *catalog.Dataset, ref scope.Ref) (r Route, ok bool, err error) {
	w := safeWay(cat, root, ref)
	if w.tied != nil {
		prefixes := make([][]catalog.Step, len(w.tied))
		for i, p := range w.tied {
			prefixes[i] = append(slices.Clone(p), ref.Prefix...)
		}
		return Route{}, false, severalPaths(root, ref, prefixes)
	}
	return Route{Ref: ref, Path: w.path, Named: len(ref.Prefix) > 0}, w.ok, nil
}

// routing is how a branch reaches what it reads.
type routing struct {
	root    *catalog.Dataset
	home    []catalog.Step // from the root
	routes  []Route
	context []cond // the part of context_filter that filters its rows
}

// router decides how branches reach what they read. It reads all branches of a query:
// a reference that one of them reaches on several paths is respelled for all.
type router struct {
	*asked
	branches []*branch
}

// routesOf decides how a branch reaches its home and every reference it needs.
// Along safe edges the home itself is the root. Where that does not do, another
// root may serve aggregates that repetition of rows leaves as they are.
func (r router) routesOf(br *branch) (routing, error) {
	refs := r.refsOf(br)
	routes := make([]Route, 0, len(refs))
	var missing []scope.Ref
	for _, ref := range refs {
		w := safeWay(r.in.Cat, br.home, ref)
		switch {
		case w.tied != nil:
			return routing{}, r.ambiguousPath(br.home, ref, w.tied)
		case w.ok:
			routes = append(routes, Route{Ref: ref, Path: w.path, Named: len(ref.Prefix) > 0})
		case len(ref.Prefix) > 0 && !r.in.Cat.Reaches(br.home, ref.Start()):
			// A named path is taken from the dataset that it leaves, and no other
			// root may stand in for the way there.
			return routing{}, noJoinPath(r.in.Query, r.groups, br.home, br.metricNames(), []scope.Ref{ref})
		default:
			missing = append(missing, ref)
		}
	}
	if len(missing) == 0 {
		return routing{root: br.home, routes: routes, context: br.context}, nil
	}
	fan, err := r.fanningRoutes(br, refs, missing)
	if err != nil {
		return routing{}, err
	}
	return r.fanningContext(br, fan, refs)
}

// refsOf lists what a branch must reach, each reference once.
func (a *asked) refsOf(br *branch) scope.Refs {
	var refs scope.Refs
	for _, g := range a.groups {
		refs.Number(br.groupRef(g))
	}
	for _, conds := range [][]cond{br.context, a.conds.input} {
		for _, c := range conds {
			for _, id := range c.refs {
				refs.Number(a.conds.refs[id])
			}
		}
	}
	for _, t := range a.ranges {
		refs.Number(br.rangeRef(t))
	}
	return refs
}

func refTexts(refs []scope.Ref) string {
	parts := make([]string, len(refs))
	for i, r := range refs {
		parts[i] = r.String()
	}
	return strings.Join(parts, ", ")
}

// noJoinPath is the error of references that no dataset reaches together with the home
// of some metrics.
func noJoinPath(q *query.MetricQuery, groups []Group, home *catalog.Dataset, metrics []string, missing []scope.Ref) error {
	e := &planerr.Error{
		Code: planerr.CodeNoJoinPath,
		Message: "no dataset reaches both " + home.Name + ", where " + strings.Join(metrics, ", ") +
			" is computed, and " + refTexts(missing) + " along many-to-one relationships",
		Metrics: metrics,
	}
	if rest, ok := withoutGroups(q, groups, missing); ok {
		e.Fragment = map[string]any{"group_by": rest}
	}
	return e
}

// withoutGroups is the query's group_by less the items that read one of the
// references; ok is false when none does, or when a filter needs one too.
func withoutGroups(q *query.MetricQuery, groups []Group, drop []scope.Ref) (rest []query.GroupBy, ok bool) {
	rest = []query.GroupBy{}
	found := 0
	for i, g := range groups {
		if !g.OnAxis && slices.ContainsFunc(drop, g.Ref.Same) {
			found++
			continue
		}
		rest = append(rest, q.GroupBy[i])
	}
	return rest, found > 0
}
