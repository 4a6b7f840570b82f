package planner

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// ambiguousPath is the error of a dataset that several paths reach. Its candidates
// are the prefixes that every branch which reads the reference can use.
func (b *build) ambiguousPath(home *catalog.Dataset, ref scope.Ref, paths [][]catalog.Step) error {
	target := ref.Field.Dataset.Name
	e := &planerr.Error{
		Code:    planerr.CodeAmbiguousJoinPath,
		Message: "several relationship paths lead from " + home.Name + " to " + target,
	}
	prefixes := b.usablePrefixes(home, ref, paths)
	if len(prefixes) == 0 {
		b.explainUnusable(e, home, ref)
		return e
	}
	named := scope.Ref{Prefix: prefixes[0], Field: ref.Field}.String()
	e.Message += ": name the one that is meant, for example " + named
	for _, p := range prefixes {
		e.Candidates = append(e.Candidates, scope.PathText(p))
	}
	if groups, changed := b.respell(ref, named); changed {
		e.Fragment = map[string]any{"group_by": groups}
	}
	e.SuggestedRetry = "write " + named + " in place of " + ref.String() + " everywhere"
	return e
}

// usablePrefixes lists the paths to a reference, from home and from the homes of the
// other branches that read it, which every such branch can follow.
func (b *build) usablePrefixes(home *catalog.Dataset, ref scope.Ref, paths [][]catalog.Step) [][]catalog.Step {
	readers := b.readersOf(ref)
	all := slices.Clone(paths)
	for _, br := range readers {
		if br.home != home {
			start := ref.Field.Dataset
			if len(ref.Prefix) > 0 {
				start = ref.Start()
			}
			all = append(all, b.cat.SafePaths(br.home, start, maxPaths)...)
		}
	}
	var out [][]catalog.Step
	for _, p := range all {
		prefix := append(slices.Clone(p), ref.Prefix...)
		if len(prefix) == 0 || len(out) == scope.MaxCandidates || !b.leavesHome(prefix) {
			continue
		}
		if !slices.ContainsFunc(readers, func(br *branch) bool { return !b.follows(br, prefix) }) {
			out = append(out, prefix)
		}
	}
	return out
}

// readersOf lists the branches that read a reference by itself, not as the axis that
// metric_time means.
func (b *build) readersOf(ref scope.Ref) []*branch {
	return slices.DeleteFunc(slices.Clone(b.branches), func(br *branch) bool { return !slices.ContainsFunc(b.branchRefs(br), ref.Same) })
}

// leavesHome reports whether a prefix begins where a branch does, as the prefixes of a
// query have to. A query of records has no branches and begins at its root.
func (b *build) leavesHome(prefix []catalog.Step) bool {
	return len(b.branches) == 0 || slices.ContainsFunc(b.branches, func(br *branch) bool { return br.home == prefix[0].Source() })
}

// follows reports whether a branch can use a prefix: it begins at the branch's home, or
// where a single safe path from there leads.
func (b *build) follows(br *branch, prefix []catalog.Step) bool {
	start := prefix[0].Source()
	return br.home == start || len(b.cat.SafePaths(br.home, start, 2)) == 1
}

// explainUnusable says which metrics no path to a reference serves, and why.
func (b *build) explainUnusable(e *planerr.Error, home *catalog.Dataset, ref scope.Ref) {
	target := ref.Field.Dataset
	var reasons []string
	for _, br := range b.readersOf(ref) {
		metrics := strings.Join(br.metricNames(), ", ")
		at := br.home.Name + ", where " + metrics + " is computed, "
		switch {
		case br.home == home:
			continue
		case !b.cat.Reaches(br.home, target):
			reasons = append(reasons, at+"does not lead to "+target.Name)
		case !b.cat.Reaches(br.home, home):
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
	e.Message += ", and none of them serves the whole query: " + strings.Join(reasons, "; ")
	e.SuggestedRetry = "group and filter by fields that a single path leads to"
	if groups, ok := b.withoutGroups([]scope.Ref{ref}); ok {
		e.Fragment = map[string]any{"group_by": groups}
	}
}

// respell is the query's group_by with a reference spelled another way.
func (b *build) respell(ref scope.Ref, spelling string) (groups []query.GroupBy, changed bool) {
	groups = slices.Clone(b.q.GroupBy)
	for i, g := range b.groups {
		if !g.metricTime && g.ref.Same(ref) {
			groups[i].Field = spelling
			changed = true
		}
	}
	return groups, changed
}
