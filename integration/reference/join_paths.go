package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// target is a field that a branch needs, and its location: in its
// dataset, or at the end of the relationships that the query names.
type target struct {
	field         *catalog.Field
	sourceDataset *catalog.Dataset // that the named steps leave; nil when none are named
	steps         []step
}

func (t target) equals(o target) bool {
	return t.field == o.field && t.sourceDataset == o.sourceDataset && slices.Equal(t.steps, o.steps)
}

// route holds the start of a branch and its paths to the home and the targets.
type route struct {
	root        *catalog.Dataset
	homePath    []step
	targetPaths [][]step // by the order of the targets
	isFanning   bool     // a row of the home may be in several joined rows
}

// findRoute finds the route of a branch. ok is false when the branch cannot be
// computed; why is then among the causes. Sensitive branches must not see a row
// twice.
func (e *evaluator) findRoute(home *catalog.Dataset, sensitive bool, targets []target) (r route, ok bool) {
	r = route{root: home}
	ok, reached := true, true
	for _, t := range targets {
		path, found := e.safePath(home, t)
		switch found {
		case noPath:
			reached = false
		case severalPaths:
			e.require("ambiguous_join_path")
			if slices.ContainsFunc(t.steps, func(s step) bool { return !isSafe(s) }) {
				e.allow("fan_out_risk")
				e.allow("no_join_path")
			}
			ok = false
		case unusablePath:
			e.require("no_join_path")
			ok = false
		}
		r.targetPaths = append(r.targetPaths, path)
	}
	if reached {
		return r, ok
	}
	rooted, found := e.findJoinRoot(home, targets, sensitive)
	switch found {
	case noPath:
		e.require("no_join_path")
	case severalPaths:
		e.require("ambiguous_join_path")
	default:
		rooted.isFanning = true
		return rooted, ok && !sensitive
	}
	return r, false
}

type pathFinding int

const (
	onePath pathFinding = iota
	noPath
	severalPaths
	unusablePath // a named path that this home has no way to
)

// safePath finds the path from a home to a target that never multiplies rows.
func (e *evaluator) safePath(home *catalog.Dataset, t target) ([]step, pathFinding) {
	if t.sourceDataset == nil {
		return e.pathToLOD(home, t.field.Dataset)
	}
	lead, found := e.pathToLOD(home, t.sourceDataset)
	switch {
	case found == noPath:
		return nil, unusablePath
	case found == severalPaths:
		return nil, severalPaths
	case slices.ContainsFunc(t.steps, func(s step) bool { return !isSafe(s) }):
		return nil, noPath
	}
	return e.joinPaths(home, lead, t.steps), onePath
}

func singlePath(paths [][]step) ([]step, pathFinding) {
	switch len(paths) {
	case 0:
		return nil, noPath
	case 1:
		return paths[0], onePath
	}
	return nil, severalPaths
}

// joinPaths joins two stretches of a path, which together must not come back to
// where they were.
func (e *evaluator) joinPaths(start *catalog.Dataset, lead, steps []step) []step {
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
func (e *evaluator) findJoinRoot(home *catalog.Dataset, targets []target, sensitive bool) (best route, found pathFinding) {
	found = noPath
	fewest, forked, fewestForked := 0, false, 0
	for _, root := range e.cat.Datasets {
		r, joins, how := e.routeFromRoot(root, home, targets)
		switch {
		case how == noPath:
		case how == severalPaths:
			if !forked || joins < fewestForked {
				forked, fewestForked = true, joins
			}
		case found == noPath || joins < fewest:
			best, fewest, found = r, joins, onePath
		case joins == fewest:
			found = severalPaths
		}
	}
	switch {
	case sensitive && (forked || found != noPath):
		e.require("fan_out_risk")
		if forked || found == severalPaths {
			e.allow("ambiguous_join_path")
		}
		return best, onePath
	case forked && found == noPath:
		return best, severalPaths
	case forked && fewestForked <= fewest:
		abstain("a root from which several paths lead on")
	}
	return best, found
}

// routeFromRoot is the route from one candidate. Where two paths lead to a dataset
// the shorter counts, so that the candidate has its best rank.
func (e *evaluator) routeFromRoot(root, home *catalog.Dataset, targets []target) (route, int, pathFinding) {
	r := route{root: root}
	how := onePath
	places := map[string]bool{}
	add := func(paths [][]step) []step {
		if len(paths) == 0 {
			how = noPath
			return nil
		}
		if len(paths) > 1 && how == onePath {
			how = severalPaths
		}
		path := slices.MinFunc(paths, func(a, b []step) int { return len(a) - len(b) })
		for i := range path {
			places[pathKey(path[:i+1])] = true
		}
		return path
	}
	r.homePath = add(pathsBetween(e.cat, root, home, isForward))
	for _, t := range targets {
		if t.sourceDataset == nil {
			r.targetPaths = append(r.targetPaths, add(pathsBetween(e.cat, root, t.field.Dataset, isForward)))
			continue
		}
		lead, proven := e.safePath(home, target{field: t.field, sourceDataset: t.sourceDataset})
		if proven == unusablePath { // a condition that the rows of the root meet or not
			ways := pathsBetween(e.cat, root, t.sourceDataset, isForward)
			for i := range ways {
				ways[i] = append(slices.Clone(ways[i]), t.steps...)
			}
			r.targetPaths = append(r.targetPaths, add(ways))
			continue
		}
		path := append(append(slices.Clone(r.homePath), lead...), t.steps...)
		if len(pathsBetween(e.cat, root, t.sourceDataset, isForward)) > 1 {
			e.allow("ambiguous_join_path") // of the ways to where the name begins, only the home's is proven
		}
		if slices.ContainsFunc(path, func(s step) bool { return s.isReversed }) {
			abstain("a one-to-one relationship followed backwards behind a root")
		}
		r.targetPaths = append(r.targetPaths, add([][]step{path}))
	}
	return r, len(places), how
}
