package branch

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// commonRootCandidate is a candidate root of a fanning branch.
type commonRootCandidate struct {
	dataset   *catalog.Dataset
	home      []catalog.JoinStep
	routes    []joinpath.Route
	joins     int
	ambiguous *ambiguousRef
}

type ambiguousRef struct {
	ref   resolve.Ref
	paths [][]catalog.JoinStep
}

// findCommonRootOfFanOutBranch looks for a root that reaches the home and every reference
// along edges in their declared direction.
func (r RouteFinder) findCommonRootOfFanOutBranch(br *Branch, refs, missing []resolve.Ref) (commonRootCandidate, error) {
	roots := findCommonRootCandidates(r.Q.In.Cat, br.Home, refs)
	if len(roots) == 0 {
		return commonRootCandidate{}, r.noPathError(br, missing)
	}
	if sensitive := br.duplicateSensitiveMetrics(); len(sensitive) > 0 && !r.countsOncePerGroup(br) {
		if nowhere := r.Q.unreachableContextRefs(br); len(nowhere) > 0 {
			return commonRootCandidate{}, r.noPathError(br, nowhere)
		}
		return commonRootCandidate{}, r.fanOutError(br, missing, sensitive)
	}
	best := slices.MinFunc(roots, func(a, b commonRootCandidate) int { return a.joins - b.joins })
	var tied []string
	for _, root := range roots {
		if root.joins == best.joins {
			tied = append(tied, root.dataset.Name)
		}
	}
	if len(tied) > 1 {
		return commonRootCandidate{}, &planerr.Error{
			Code:           planerr.CodeAmbiguousJoinPath,
			Message:        strings.Join(tied, " and ") + " each connect " + br.Home.Name + " with the fields of the query, and give different rows",
			Candidates:     tied,
			SuggestedRetry: "group or filter by a field of one of these datasets",
		}
	}
	if best.ambiguous != nil {
		return commonRootCandidate{}, r.ambiguousPathError(best.dataset, best.ambiguous.ref, best.ambiguous.paths)
	}
	return best, nil
}

// newFanOutRouting returns the routing of a fanning branch, with what of context_filter its
// root reaches and its home does not. Such a conjunct may also apply inside of a
// level-of-detail table that the branch reads; that alone would leave rows of the root
// which the condition excludes. One that chooses the rows of steps chooses none of what they make.
func (r RouteFinder) newFanOutRouting(br *Branch, fan commonRootCandidate, refs []resolve.Ref) (Routes, error) {
	var context []where.Conjunct
	for _, c := range r.Q.Conds.Population {
		if slices.ContainsFunc(br.population, func(o where.Conjunct) bool { return o.Expr == c.Expr }) {
			context = append(context, c)
			continue
		}
		if r.Q.Lod.Conditions().ChoosesSteps(br.Home, c) {
			continue
		}
		more := resolve.Refs(slices.Clone(refs))
		for _, id := range c.Refs {
			more.IndexOrAdd(r.Q.Conds.Refs[id])
		}
		wider, ok := newCommonRootCandidate(r.Q.In.Cat, fan.dataset, br.Home, more)
		if !ok || c.WhereReached {
			continue
		}
		if wider.ambiguous != nil {
			return Routes{}, r.ambiguousPathError(wider.dataset, wider.ambiguous.ref, wider.ambiguous.paths)
		}
		context, refs, fan = append(context, c), more, wider
	}
	once := len(br.duplicateSensitiveMetrics()) > 0
	return Routes{Root: fan.dataset, Home: fan.home, Refs: fan.routes, Population: context, OncePerGroup: once}, nil
}

// findCommonRootCandidates lists the datasets that reach the home and all references.
func findCommonRootCandidates(cat *catalog.Catalog, home *catalog.Dataset, refs []resolve.Ref) []commonRootCandidate {
	var out []commonRootCandidate
	for _, d := range cat.Datasets {
		if r, ok := newCommonRootCandidate(cat, d, home, refs); ok {
			out = append(out, r)
		}
	}
	return out
}

func newCommonRootCandidate(cat *catalog.Catalog, d, home *catalog.Dataset, refs []resolve.Ref) (commonRootCandidate, bool) {
	r := commonRootCandidate{dataset: d}
	edges := map[string]bool{}
	count := func(path []catalog.JoinStep) {
		key := ""
		for _, s := range path {
			key += "." + s.Rel.Name
			edges[key] = true
		}
	}
	homePaths := cat.DeclaredDirectionPaths(d, home, joinpath.MaxPaths)
	if len(homePaths) == 0 {
		return r, false
	}
	if len(homePaths) > 1 {
		r.ambiguous = &ambiguousRef{ref: resolve.Ref{Field: home.Fields[0]}, paths: homePaths}
	}
	r.home = homePaths[0]
	count(r.home)
	for _, ref := range refs {
		paths := [][]catalog.JoinStep{{}}
		if start := ref.SourceDataset(); start != d {
			paths = cat.DeclaredDirectionPaths(d, start, joinpath.MaxPaths)
		}
		if len(paths) == 0 {
			return r, false
		}
		if len(paths) > 1 && r.ambiguous == nil {
			r.ambiguous = &ambiguousRef{ref: ref, paths: paths}
		}
		path := append(slices.Clone(paths[0]), ref.Prefix...)
		count(path)
		r.routes = append(r.routes, joinpath.Route{Ref: ref, Path: path, Named: len(ref.Prefix) > 0})
	}
	r.joins = len(edges)
	return r, true
}

func (r RouteFinder) fanOutError(br *Branch, missing []resolve.Ref, sensitive []string) error {
	e := &planerr.Error{
		Code: planerr.CodeFanOutRisk,
		Message: "reaching " + joinpath.JoinRefTexts(missing) + " from " + br.Home.Name + " repeats rows of " + br.Home.Name + ", so SUM, COUNT and AVG in " +
			strings.Join(sensitive, ", ") + " would count them more than once",
		Metrics:        sensitive,
		SuggestedRetry: "leave out " + joinpath.JoinRefTexts(missing) + ", or restate the metric with COUNT(DISTINCT …), MIN or MAX",
	}
	e.Fragment = retry.RemoveGroupsReading(r.Q.In.Query, r.Q.Groups, missing)
	if keys, ok := joinpath.FindRelationshipsWithUndeclaredKeys(r.Q.In.Cat, br.Home, missing); ok {
		e.Message += "; " + joinpath.UndeclaredKeyTexts(keys)
		e.Hint = joinpath.UndeclaredKeyHints(keys)
	}
	if hint := r.countRowsOncePerGroupHint(br); hint != "" && e.Hint != "" {
		e.Hint += "; or " + hint
	} else {
		e.Hint += hint
	}
	return e
}

// duplicateSensitiveMetrics lists the selected metrics of the branch whose aggregates
// repetition of rows would falsify.
func (br *Branch) duplicateSensitiveMetrics() []string {
	var out []string
	for _, u := range br.Members {
		if !u.Ref.IsDuplicateSensitive() {
			continue
		}
		for _, m := range u.Metrics {
			if !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

// countsOncePerGroup reports whether the query has each row of a branch's home counted once in each
// group where joins repeat it. The home needs a key to distinguish its rows by, and a semi-additive
// measure is not made of all rows.
func (r RouteFinder) countsOncePerGroup(br *Branch) bool {
	return br.NonAdditive == nil && r.Q.In.Query.FanOut == query.FanOutOncePerGroup && len(br.Home.PrimaryOrFirstUniqueKeyColumns()) > 0
}

// countRowsOncePerGroupHint returns the hint for a query that repeats the rows of a branch's home; "" where it
// cannot.
func (r RouteFinder) countRowsOncePerGroupHint(br *Branch) string {
	const ask = `ask with "fan_out": "` + query.FanOutOncePerGroup + `"`
	const effect = " to count each row once in each group"
	declare := "declare the primary_key of the dataset " + br.Home.Name
	switch {
	case br.NonAdditive != nil:
		return ""
	case len(br.Home.PrimaryOrFirstUniqueKeyColumns()) > 0:
		return ask + effect
	case r.Q.In.Query.FanOut == "":
		return declare + " and " + ask + effect
	}
	return declare + effect
}
