package branch

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// ambiguousPathError returns the error of a dataset that several paths reach. Its candidates
// are the prefixes that every branch which reads the reference can use.
func (r RouteFinder) ambiguousPathError(home *catalog.Dataset, ref resolve.Ref, paths [][]catalog.JoinStep) error {
	prefixes := r.usablePrefixes(home, ref, paths)
	if len(prefixes) == 0 {
		return r.unusablePathsError(home, ref)
	}
	e := joinpath.SeveralPathsError(home, ref, prefixes)
	named := resolve.Ref{Prefix: prefixes[0], Field: ref.Field}.String()
	if groups, changed := r.respellGroupBys(ref, named); changed {
		e.Fragment = map[string]any{"group_by": groups}
	}
	return e
}

// usablePrefixes lists the paths to a reference, from home and from the homes of the
// other branches that read it, which every such branch can follow.
func (r RouteFinder) usablePrefixes(home *catalog.Dataset, ref resolve.Ref, paths [][]catalog.JoinStep) [][]catalog.JoinStep {
	readers := r.branchesReading(ref)
	all := slices.Clone(paths)
	for _, br := range readers {
		if br.Home != home {
			all = append(all, r.Q.In.Cat.SafePaths(br.Home, ref.SourceDataset(), joinpath.MaxPaths)...)
		}
	}
	var out [][]catalog.JoinStep
	for _, p := range all {
		prefix := append(slices.Clone(p), ref.Prefix...)
		if len(prefix) == 0 || len(out) == resolve.MaxCandidates || !r.startsAtBranchHome(prefix) {
			continue
		}
		if !slices.ContainsFunc(readers, func(br *Branch) bool { return !r.canUsePrefix(br, prefix) }) {
			out = append(out, prefix)
		}
	}
	return out
}

// branchesReading lists the branches that read a reference by itself, not as the axis that
// metric_time means.
func (r RouteFinder) branchesReading(ref resolve.Ref) []*Branch {
	return slices.DeleteFunc(slices.Clone(r.Branches), func(br *Branch) bool { return !slices.ContainsFunc(r.Q.refsBranchMustReach(br), ref.IsSame) })
}

// startsAtBranchHome reports whether a prefix begins where a branch does, as the prefixes of a
// query have to.
func (r RouteFinder) startsAtBranchHome(prefix []catalog.JoinStep) bool {
	return slices.ContainsFunc(r.Branches, func(br *Branch) bool { return br.Home == prefix[0].SourceDataset() })
}

// canUsePrefix reports whether a branch can use a prefix: it begins at the branch's home, or
// where a single safe path from there leads.
func (r RouteFinder) canUsePrefix(br *Branch, prefix []catalog.JoinStep) bool {
	start := prefix[0].SourceDataset()
	return br.Home == start || len(r.Q.In.Cat.SafePaths(br.Home, start, 2)) == 1
}

// unusablePathsError returns the error of a reference that no path serves for all metrics that
// read it: which they are, and why.
func (r RouteFinder) unusablePathsError(home *catalog.Dataset, ref resolve.Ref) error {
	target := ref.Field.Dataset
	e := &planerr.Error{
		Code:    planerr.CodeAmbiguousJoinPath,
		Message: "several relationship paths lead from " + home.Name + " to " + target.Name,
	}
	var reasons []string
	for _, br := range r.branchesReading(ref) {
		metrics := strings.Join(br.MetricNames(), ", ")
		at := br.Home.Name + ", where " + metrics + " is computed, "
		switch {
		case br.Home == home:
			continue
		case !r.Q.In.Cat.ReachesSafely(br.Home, target):
			reasons = append(reasons, at+"does not lead to "+target.Name)
		case !r.Q.In.Cat.ReachesSafely(br.Home, home):
			reasons = append(reasons, at+"does not lead to "+home.Name+", where these paths begin")
		default:
			reasons = append(reasons, at+"leads to "+home.Name+" on several paths")
		}
		for _, m := range br.MetricNames() {
			if !slices.Contains(e.Metrics, m) {
				e.Metrics = append(e.Metrics, m)
			}
		}
	}
	if len(reasons) == 0 {
		reasons = append(reasons, "a reference cannot name a path that leaves "+home.Name+", because no metric of the query is computed there")
	}
	e.Message += ", and the whole query can use none of them: " + strings.Join(reasons, "; ")
	e.SuggestedRetry = "group and filter by fields that a single path leads to"
	e.Fragment = retry.RemoveGroupsReading(r.Q.In.Query, r.Q.Groups, []resolve.Ref{ref})
	return e
}

// respellGroupBys returns the query's group_by with a reference spelled another way.
func (r RouteFinder) respellGroupBys(ref resolve.Ref, spelling string) (groups []query.GroupBy, changed bool) {
	groups = slices.Clone(r.Q.In.Query.GroupBy)
	for _, g := range r.Q.Groups {
		if item, read := g.RespelledItem(r.Q.Sel.Names, ref, spelling); read {
			groups[g.Index] = item
			changed = true
		}
	}
	return groups, changed
}
