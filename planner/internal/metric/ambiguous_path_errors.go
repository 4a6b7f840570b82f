package metric

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// ambiguousPathError returns the error of a dataset that several paths reach. Its candidates
// are the prefixes that every branch which reads the reference can use.
func (r branchJoinRouteFinder) ambiguousPathError(home *catalog.Dataset, ref resolve.Ref, paths [][]catalog.JoinStep) error {
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
func (r branchJoinRouteFinder) usablePrefixes(home *catalog.Dataset, ref resolve.Ref, paths [][]catalog.JoinStep) [][]catalog.JoinStep {
	readers := r.branchesReading(ref)
	all := slices.Clone(paths)
	for _, br := range readers {
		if br.home != home {
			all = append(all, r.q.in.Cat.SafePaths(br.home, ref.SourceDataset(), joinpath.MaxPaths)...)
		}
	}
	var out [][]catalog.JoinStep
	for _, p := range all {
		prefix := append(slices.Clone(p), ref.Prefix...)
		if len(prefix) == 0 || len(out) == resolve.MaxCandidates || !r.startsAtBranchHome(prefix) {
			continue
		}
		if !slices.ContainsFunc(readers, func(br *measureBranch) bool { return !r.canUsePrefix(br, prefix) }) {
			out = append(out, prefix)
		}
	}
	return out
}

// branchesReading lists the branches that read a reference by itself, not as the axis that
// metric_time means.
func (r branchJoinRouteFinder) branchesReading(ref resolve.Ref) []*measureBranch {
	return slices.DeleteFunc(slices.Clone(r.branches), func(br *measureBranch) bool { return !slices.ContainsFunc(r.q.refsBranchMustReach(br), ref.IsSame) })
}

// startsAtBranchHome reports whether a prefix begins where a branch does, as the prefixes of a
// query have to.
func (r branchJoinRouteFinder) startsAtBranchHome(prefix []catalog.JoinStep) bool {
	return slices.ContainsFunc(r.branches, func(br *measureBranch) bool { return br.home == prefix[0].SourceDataset() })
}

// canUsePrefix reports whether a branch can use a prefix: it begins at the branch's home, or
// where a single safe path from there leads.
func (r branchJoinRouteFinder) canUsePrefix(br *measureBranch, prefix []catalog.JoinStep) bool {
	start := prefix[0].SourceDataset()
	return br.home == start || len(r.q.in.Cat.SafePaths(br.home, start, 2)) == 1
}

// unusablePathsError returns the error of a reference that no path serves for all metrics that
// read it: which they are, and why.
func (r branchJoinRouteFinder) unusablePathsError(home *catalog.Dataset, ref resolve.Ref) error {
	target := ref.Field.Dataset
	e := &planerr.Error{
		Code:    planerr.CodeAmbiguousJoinPath,
		Message: "several relationship paths lead from " + home.Name + " to " + target.Name,
	}
	var reasons []string
	for _, br := range r.branchesReading(ref) {
		metrics := strings.Join(br.metricNames(), ", ")
		at := br.home.Name + ", where " + metrics + " is computed, "
		switch {
		case br.home == home:
			continue
		case !r.q.in.Cat.ReachesSafely(br.home, target):
			reasons = append(reasons, at+"does not lead to "+target.Name)
		case !r.q.in.Cat.ReachesSafely(br.home, home):
			reasons = append(reasons, at+"does not lead to "+home.Name+", where these paths begin")
		default:
			reasons = append(reasons, at+"leads to "+home.Name+" on several paths")
		}
		for _, m := range br.metricNames() {
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
	e.Fragment = removeGroupsReadingRetry(r.q.in.Query, r.q.groups, []resolve.Ref{ref})
	return e
}

// respellGroupBys returns the query's group_by with a reference spelled another way.
func (r branchJoinRouteFinder) respellGroupBys(ref resolve.Ref, spelling string) (groups []query.GroupBy, changed bool) {
	groups = slices.Clone(r.q.in.Query.GroupBy)
	for _, g := range r.q.groups {
		if item, read := g.RespelledItem(r.q.sel.Names, ref, spelling); read {
			groups[g.Index] = item
			changed = true
		}
	}
	return groups, changed
}
