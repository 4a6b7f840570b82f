package branch

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/where"
)

// Routes is how a branch reaches what it reads.
type Routes struct {
	Root       *catalog.Dataset
	Home       []catalog.JoinStep // from the root
	Refs       []joinpath.Route
	Population []where.Conjunct // the part of context_filter that filters its rows
	// oncePerGroup: joins repeat the rows of the home, and each counts once in a group.
	OncePerGroup bool
}

// RouteFinder decides how branches reach what they read. It reads all branches of a query:
// a reference that one of them reaches on several paths is respelled for all.
type RouteFinder struct {
	Q        *Query
	Branches []*Branch
}

// FindBranchJoinRoutes decides how a branch reaches its home and every reference it needs.
// Along safe edges the home itself is the root. Where that does not do, another
// root may serve aggregates that repetition of rows leaves as they are.
func (r RouteFinder) FindBranchJoinRoutes(br *Branch) (Routes, error) {
	refs := r.Q.refsBranchMustReach(br)
	routes := make([]joinpath.Route, 0, len(refs))
	var missing []resolve.Ref
	for _, ref := range refs {
		w := joinpath.Find(br.Home, ref, r.Q.In.SafePathsFrom(br.Home, ref.Field == br.Axis))
		switch {
		case w.Tied != nil:
			return Routes{}, r.ambiguousPathError(br.Home, ref, w.Tied)
		case w.Ok:
			routes = append(routes, joinpath.Route{Ref: ref, Path: w.Path, Named: len(ref.Prefix) > 0})
		case len(ref.Prefix) > 0 && !r.Q.In.Cat.ReachesSafely(br.Home, ref.PrefixStartDataset()):
			// A named path is taken from the dataset that it leaves, and no other
			// root may stand in for the way there.
			return Routes{}, r.noPathError(br, []resolve.Ref{ref})
		default:
			missing = append(missing, ref)
		}
	}
	if len(missing) == 0 {
		return Routes{Root: br.Home, Refs: routes, Population: br.population}, nil
	}
	fan, err := r.findCommonRootOfFanOutBranch(br, refs, missing)
	if err != nil {
		return Routes{}, err
	}
	return r.newFanOutRouting(br, fan, refs)
}

// refsBranchMustReach lists what a branch must reach, each reference once.
func (a *Query) refsBranchMustReach(br *Branch) resolve.Refs {
	a = a.OfBranch(br)
	refs := make(resolve.Refs, 0, len(a.Groups)+len(a.Conds.Refs)+len(a.Ranges))
	for _, g := range a.Groups {
		if g.Expression == nil {
			refs.IndexOrAdd(br.GroupRef(g))
			continue
		}
		for _, ref := range g.Expression.Refs {
			refs.IndexOrAdd(ref)
		}
	}
	for _, conds := range [][]where.Conjunct{br.population, a.Conds.Input} {
		for _, c := range conds {
			for _, id := range c.Refs {
				refs.IndexOrAdd(a.Conds.Refs[id])
			}
		}
	}
	for _, t := range a.Ranges {
		refs.IndexOrAdd(br.RangeRef(t))
	}
	return refs
}

// noPathError returns the error of references that no dataset reaches together with the home of a branch.
func (r RouteFinder) noPathError(br *Branch, missing []resolve.Ref) error {
	e := joinpath.NoPathError(br.Home, br.MetricNames(), missing)
	e.Fragment = retry.RemoveGroupsReading(r.Q.In.Query, r.Q.Groups, missing)
	return e
}
