package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// fieldTarget is a field that a branch needs, and its location: in its
// dataset, or at the end of the relationships that the query names.
type fieldTarget struct {
	field         *catalog.Field
	sourceDataset *catalog.Dataset // that the named steps leave; nil when none are named
	steps         []joinStep
	inView        bool // what leads to the start of the name follows the relationships of the view
}

func (t fieldTarget) equals(o fieldTarget) bool {
	return t.field == o.field && t.sourceDataset == o.sourceDataset && slices.Equal(t.steps, o.steps)
}

// joinRoute holds the start of a branch and its paths to the home and the targets.
type joinRoute struct {
	root        *catalog.Dataset
	homePath    []joinStep
	targetPaths [][]joinStep // by the order of the targets
	isFanning   bool         // a row of the home may be in several joined rows
}

// findJoinRoute finds the route of a branch. ok is false when the branch cannot be
// computed; why is then among the causes. Sensitive branches must not see a row
// twice.
func (e *evaluator) findJoinRoute(home *catalog.Dataset, sensitive bool, targets []fieldTarget) (r joinRoute, ok bool) {
	r = joinRoute{root: home}
	ok, reached := true, true
	for _, t := range targets {
		path, found := e.safePath(home, t)
		switch found {
		case foundNoPath:
			reached = false
		case foundSeveralPaths:
			e.addMustRejectCode("ambiguous_join_path")
			if slices.ContainsFunc(t.steps, func(s joinStep) bool { return !isSafeStep(s) }) {
				e.addMayRejectCode("fan_out_risk")
				e.addMayRejectCode("no_join_path")
			}
			ok = false
		case foundUnusablePath:
			e.addMustRejectCode("no_join_path")
			ok = false
		}
		r.targetPaths = append(r.targetPaths, path)
	}
	if reached {
		return r, ok
	}
	if e.view != nil && !e.view.AllJoins {
		abstain("a root that repeats rows in a view which follows some relationships")
	}
	rooted, found := e.findJoinRoot(home, targets, sensitive)
	switch found {
	case foundNoPath:
		e.addMustRejectCode("no_join_path")
	case foundSeveralPaths:
		e.addMustRejectCode("ambiguous_join_path")
	default:
		rooted.isFanning = true
		return rooted, ok && !sensitive
	}
	return r, false
}

type pathSearchResult int

const (
	foundOnePath pathSearchResult = iota
	foundNoPath
	foundSeveralPaths
	foundUnusablePath // a named path that this home has no way to
)

// safePath finds the path from a home to a target that never multiplies rows.
func (e *evaluator) safePath(home *catalog.Dataset, t fieldTarget) ([]joinStep, pathSearchResult) {
	if t.sourceDataset == nil {
		return e.safePathWithinLOD(home, t.field.Dataset, t.inView)
	}
	lead, found := e.safePathWithinLOD(home, t.sourceDataset, t.inView)
	switch {
	case found == foundNoPath:
		return nil, foundUnusablePath
	case found == foundSeveralPaths:
		return nil, foundSeveralPaths
	case slices.ContainsFunc(t.steps, func(s joinStep) bool { return !isSafeStep(s) }):
		return nil, foundNoPath
	}
	return e.concatPaths(home, lead, t.steps), foundOnePath
}

func singlePath(paths [][]joinStep) ([]joinStep, pathSearchResult) {
	switch len(paths) {
	case 0:
		return nil, foundNoPath
	case 1:
		return paths[0], foundOnePath
	}
	return nil, foundSeveralPaths
}

// concatPaths joins two stretches of a path, which together must not come back to
// where they were.
func (e *evaluator) concatPaths(start *catalog.Dataset, lead, steps []joinStep) []joinStep {
	path := append(slices.Clone(lead), steps...)
	seen := []*catalog.Dataset{start}
	for _, s := range path {
		if slices.Contains(seen, s.targetDataset()) && !s.rel.IsSelfJoin() {
			abstain("a named path that comes back to %s", s.targetDataset().Name)
		}
		seen = append(seen, s.targetDataset())
	}
	return path
}

// findJoinRoot looks for the dataset that reaches the home and all targets along the
// declared directions, with the fewest joins. For a sensitive branch it is enough
// to know that there is one.
func (e *evaluator) findJoinRoot(home *catalog.Dataset, targets []fieldTarget, sensitive bool) (best joinRoute, found pathSearchResult) {
	found = foundNoPath
	fewest, forked, fewestForked := 0, false, 0
	for _, root := range e.cat.Datasets {
		r, joins, how := e.routeFromRoot(root, home, targets)
		switch {
		case how == foundNoPath:
		case how == foundSeveralPaths:
			if !forked || joins < fewestForked {
				forked, fewestForked = true, joins
			}
		case found == foundNoPath || joins < fewest:
			best, fewest, found = r, joins, foundOnePath
		case joins == fewest:
			found = foundSeveralPaths
		}
	}
	switch {
	case sensitive && (forked || found != foundNoPath):
		e.addMustRejectCode("fan_out_risk")
		if forked || found == foundSeveralPaths {
			e.addMayRejectCode("ambiguous_join_path")
		}
		return best, foundOnePath
	case forked && found == foundNoPath:
		return best, foundSeveralPaths
	case forked && fewestForked <= fewest:
		abstain("a root from which several paths lead on")
	}
	return best, found
}

// routeFromRoot returns the route from one candidate. Where two paths lead to a dataset
// the shorter counts, so that the candidate has its best rank.
func (e *evaluator) routeFromRoot(root, home *catalog.Dataset, targets []fieldTarget) (joinRoute, int, pathSearchResult) {
	r := joinRoute{root: root}
	how := foundOnePath
	places := map[string]bool{}
	add := func(paths [][]joinStep) []joinStep {
		if len(paths) == 0 {
			how = foundNoPath
			return nil
		}
		if len(paths) > 1 && how == foundOnePath {
			how = foundSeveralPaths
		}
		path := slices.MinFunc(paths, func(a, b []joinStep) int { return len(a) - len(b) })
		for i := range path {
			places[pathKey(path[:i+1])] = true
		}
		return path
	}
	r.homePath = add(pathsBetween(e.cat, root, home, isForwardStep))
	for _, t := range targets {
		if t.sourceDataset == nil {
			r.targetPaths = append(r.targetPaths, add(pathsBetween(e.cat, root, t.field.Dataset, isForwardStep)))
			continue
		}
		lead, proven := e.safePath(home, fieldTarget{field: t.field, sourceDataset: t.sourceDataset})
		if proven == foundUnusablePath { // a condition that the rows of the root meet or not
			ways := pathsBetween(e.cat, root, t.sourceDataset, isForwardStep)
			for i := range ways {
				ways[i] = append(slices.Clone(ways[i]), t.steps...)
			}
			r.targetPaths = append(r.targetPaths, add(ways))
			continue
		}
		path := append(append(slices.Clone(r.homePath), lead...), t.steps...)
		if len(pathsBetween(e.cat, root, t.sourceDataset, isForwardStep)) > 1 {
			e.addMayRejectCode("ambiguous_join_path") // of the ways to where the name begins, only the home's is proven
		}
		if slices.ContainsFunc(path, func(s joinStep) bool { return s.isReversed }) {
			abstain("a one-to-one relationship followed backwards behind a root")
		}
		r.targetPaths = append(r.targetPaths, add([][]joinStep{path}))
	}
	return r, len(places), how
}
