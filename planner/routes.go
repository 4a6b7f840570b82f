package planner

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

// route is how a branch reaches a reference from its root.
type route struct {
	ref   scope.Ref
	path  []catalog.Step
	named bool
}

// routesOf decides how a branch reaches its home and every reference it needs.
// Along safe edges the home itself is the root. Where that does not do, another
// root may serve aggregates that repetition of rows leaves as they are.
func (b *build) routesOf(br *branch) (root *catalog.Dataset, home []catalog.Step, routes []route, err error) {
	br.context = b.branchContext(br)
	refs := b.branchRefs(br)
	var missing []scope.Ref
	for _, ref := range refs {
		path, ok, err := b.safeRoute(br.home, ref)
		if err != nil {
			return nil, nil, nil, err
		}
		if !ok {
			// A named path is taken from the dataset that it leaves, and no other
			// root may stand in for the way there.
			if len(ref.Prefix) > 0 && !b.cat.Reaches(br.home, ref.Start()) {
				return nil, nil, nil, b.noJoinPath(br, []scope.Ref{ref})
			}
			missing = append(missing, ref)
			continue
		}
		routes = append(routes, route{ref: ref, path: path, named: len(ref.Prefix) > 0})
	}
	if len(missing) == 0 {
		return br.home, nil, routes, nil
	}
	fan, err := b.fanningRoutes(br, refs, missing)
	if err != nil {
		return nil, nil, nil, err
	}
	if fan, err = b.fanningContext(br, fan, refs); err != nil {
		return nil, nil, nil, err
	}
	return fan.dataset, fan.home, fan.routes, nil
}

// branchRefs lists what a branch must reach, each reference once.
func (b *build) branchRefs(br *branch) []scope.Ref {
	var refs []scope.Ref
	add := func(ref scope.Ref) {
		if !slices.ContainsFunc(refs, ref.Same) {
			refs = append(refs, ref)
		}
	}
	for _, g := range b.groups {
		add(br.groupRef(g))
	}
	for _, c := range slices.Concat(br.context, b.input) {
		for _, r := range c.refs {
			add(b.refs[r])
		}
	}
	for _, r := range b.ranges {
		add(br.rangeRef(r))
	}
	return refs
}

// safeRoute is the path of safe edges from a home to a reference; ok is false
// when there is none.
func (b *build) safeRoute(home *catalog.Dataset, ref scope.Ref) (path []catalog.Step, ok bool, err error) {
	return routeAlong(home, ref, func(to *catalog.Dataset) ([]catalog.Step, bool, error) {
		paths := b.cat.SafePaths(home, to, maxPaths)
		switch len(paths) {
		case 0:
			return nil, false, nil
		case 1:
			return paths[0], true, nil
		}
		return nil, false, b.ambiguousPath(home, ref, paths)
	})
}

// routeAlong is the path from a home to a reference, given how the home finds a
// dataset. The path to the dataset that a named path leaves must be a single one even
// when the named path itself repeats rows.
func routeAlong(home *catalog.Dataset, ref scope.Ref, find func(*catalog.Dataset) ([]catalog.Step, bool, error)) (path []catalog.Step, ok bool, err error) {
	start := ref.Field.Dataset
	if len(ref.Prefix) > 0 {
		start = ref.Start()
	}
	var lead []catalog.Step
	if start != home {
		if lead, ok, err = find(start); err != nil || !ok {
			return nil, false, err
		}
	}
	if slices.ContainsFunc(ref.Prefix, func(s catalog.Step) bool { return !s.Safe() }) {
		return nil, false, nil
	}
	return append(slices.Clone(lead), ref.Prefix...), true, nil
}

// fanningContext adds to a fanning branch what of context_filter its root reaches
// and its home does not. Such a conjunct may also apply inside of a level-of-detail
// table that the branch reads; that alone would leave rows of the root which the
// condition excludes.
func (b *build) fanningContext(br *branch, fan fanRoot, refs []scope.Ref) (fanRoot, error) {
	var out []cond
	for _, c := range b.context {
		if slices.ContainsFunc(br.context, func(o cond) bool { return o.expr == c.expr }) {
			out = append(out, c)
			continue
		}
		more := refs
		for _, r := range c.refs {
			if ref := b.refs[r]; !slices.ContainsFunc(more, ref.Same) {
				more = append(slices.Clone(more), ref)
			}
		}
		wider, ok := b.rootAt(fan.dataset, br.home, more)
		if !ok {
			continue
		}
		if wider.ambiguous != nil {
			return fan, b.ambiguousPath(wider.dataset, wider.ambiguous.ref, wider.ambiguous.paths)
		}
		out, refs, fan = append(out, c), more, wider
	}
	br.context = out
	return fan, nil
}

// fanningRoutes looks for a root that reaches the home and every reference
// along edges in their declared direction.
func (b *build) fanningRoutes(br *branch, refs, missing []scope.Ref) (fanRoot, error) {
	roots := b.roots(br.home, refs)
	if len(roots) == 0 {
		return fanRoot{}, b.noJoinPath(br, missing)
	}
	if sensitive := br.duplicateSensitive(); len(sensitive) > 0 {
		if nowhere := b.reachedNowhere(br); len(nowhere) > 0 {
			return fanRoot{}, b.noJoinPath(br, nowhere)
		}
		return fanRoot{}, b.fanOutRisk(br, missing, sensitive)
	}
	best := roots[0]
	for _, r := range roots[1:] {
		if r.joins < best.joins {
			best = r
		}
	}
	var tied []string
	for _, r := range roots {
		if r.joins == best.joins {
			tied = append(tied, r.dataset.Name)
		}
	}
	if len(tied) > 1 {
		return fanRoot{}, &planerr.Error{
			Code:           planerr.CodeAmbiguousJoinPath,
			Message:        strings.Join(tied, " and ") + " each connect " + br.home.Name + " with what the query asks for, and rows differ with the choice",
			Candidates:     tied,
			SuggestedRetry: "group or filter by a field of the dataset that is meant",
		}
	}
	if best.ambiguous != nil {
		return fanRoot{}, b.ambiguousPath(best.dataset, best.ambiguous.ref, best.ambiguous.paths)
	}
	return best, nil
}

// fanRoot is a candidate root of a fanning branch.
type fanRoot struct {
	dataset   *catalog.Dataset
	home      []catalog.Step
	routes    []route
	joins     int
	ambiguous *ambiguity
}

type ambiguity struct {
	ref   scope.Ref
	paths [][]catalog.Step
}

// roots lists the datasets that reach the home and all references.
func (b *build) roots(home *catalog.Dataset, refs []scope.Ref) []fanRoot {
	var out []fanRoot
	for _, d := range b.cat.Datasets {
		if r, ok := b.rootAt(d, home, refs); ok {
			out = append(out, r)
		}
	}
	return out
}

func (b *build) rootAt(d, home *catalog.Dataset, refs []scope.Ref) (fanRoot, bool) {
	r := fanRoot{dataset: d}
	edges := map[string]bool{}
	count := func(path []catalog.Step) {
		key := ""
		for _, s := range path {
			key += "." + s.Rel.Name
			edges[key] = true
		}
	}
	homePaths := b.cat.ForwardPaths(d, home, maxPaths)
	if len(homePaths) == 0 {
		return r, false
	}
	if len(homePaths) > 1 {
		r.ambiguous = &ambiguity{ref: scope.Ref{Field: home.Fields[0]}, paths: homePaths}
	}
	r.home = homePaths[0]
	count(r.home)
	for _, ref := range refs {
		paths := [][]catalog.Step{{}}
		start := ref.Start()
		if start == nil {
			start = ref.Field.Dataset
		}
		if start != d {
			paths = b.cat.ForwardPaths(d, start, maxPaths)
		}
		if len(paths) == 0 {
			return r, false
		}
		if len(paths) > 1 && r.ambiguous == nil {
			r.ambiguous = &ambiguity{ref: ref, paths: paths}
		}
		path := append(slices.Clone(paths[0]), ref.Prefix...)
		count(path)
		r.routes = append(r.routes, route{ref: ref, path: path, named: len(ref.Prefix) > 0})
	}
	r.joins = len(edges)
	return r, true
}

// duplicateSensitive lists the selected metrics of the branch whose aggregates
// repetition of rows would falsify.
func (br *branch) duplicateSensitive() []string {
	var out []string
	for _, u := range br.uses {
		if u.measure.Agg.DuplicateInsensitive() && (u.window == nil || u.window.second == nil || u.window.second.Agg.DuplicateInsensitive()) {
			continue
		}
		for _, m := range u.metrics {
			if !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

func (br *branch) metricNames() []string {
	var out []string
	for _, u := range br.uses {
		for _, m := range u.metrics {
			if !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

func refTexts(refs []scope.Ref) string {
	parts := make([]string, len(refs))
	for i, r := range refs {
		parts[i] = r.String()
	}
	return strings.Join(parts, ", ")
}

func (b *build) noJoinPath(br *branch, missing []scope.Ref) error {
	e := &planerr.Error{
		Code: planerr.CodeNoJoinPath,
		Message: "no dataset reaches both " + br.home.Name + ", where " + strings.Join(br.metricNames(), ", ") +
			" is computed, and " + refTexts(missing) + " along many-to-one relationships",
		Metrics: br.metricNames(),
	}
	if groups, ok := b.withoutGroups(missing); ok {
		e.Fragment = map[string]any{"group_by": groups}
	}
	return e
}

func (b *build) fanOutRisk(br *branch, missing []scope.Ref, sensitive []string) error {
	e := &planerr.Error{
		Code: planerr.CodeFanOutRisk,
		Message: "reaching " + refTexts(missing) + " from " + br.home.Name + " repeats its rows, so SUM, COUNT and AVG in " +
			strings.Join(sensitive, ", ") + " would count them more than once",
		Metrics: sensitive,
	}
	if groups, ok := b.withoutGroups(missing); ok {
		e.Fragment = map[string]any{"group_by": groups}
	}
	e.SuggestedRetry = "leave out " + refTexts(missing) + ", or restate the metric with COUNT(DISTINCT …), MIN or MAX"
	if keys, ok := b.missingKeys(br.home, missing); ok {
		e.Message += "; " + keyTexts(keys)
		e.Hint = keyHints(keys)
	}
	return e
}

// withoutGroups is the query's group_by less the items that read one of the
// references; ok is false when none does, or when a filter needs one too.
func (b *build) withoutGroups(drop []scope.Ref) (groups []query.GroupBy, ok bool) {
	groups = []query.GroupBy{}
	found := 0
	for i, g := range b.groups {
		if !g.metricTime && slices.ContainsFunc(drop, g.ref.Same) {
			found++
			continue
		}
		groups = append(groups, b.q.GroupBy[i])
	}
	return groups, found > 0
}
