package metric

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// measureBranch is one aggregation: measures of one home, axis and filter.
type measureBranch struct {
	home      *catalog.Dataset
	axis      *catalog.Field       // nil where no part of the query needs one
	scanRange where.Scan           // what the time range means for this branch
	inner     [][]catalog.JoinStep // from the home: the joins by which its aggregates drop rows
	members   []branchMember
	// nonAdditive is that of all members; nil where they have none.
	nonAdditive *catalog.SemiAdditiveRule
	population  []where.Conjunct  // the part of context_filter that filters the branch's own rows
	window      *measure.Window   // of a branch that is a window over an expression; nil for any other
	read        measure.InputRead // how a window reads the branch
}

// branchMember is a use in a branch, and all selected metrics that need it there.
type branchMember struct {
	ref     *measure.Ref
	metrics []string
}

// branchMemberPosition locates the value of a measure reference: a branch, and a member of it.
type branchMemberPosition struct{ branch, member int }

// branchBuilder sorts measure references into branches.
type branchBuilder struct {
	q        *resolvedQuery
	needAxis bool            // whether the query reads the axes of its measures
	inputOf  *measure.Window // the window whose base is computed; nil for the query itself
	branches []*measureBranch
	slots    []branchMemberPosition         // of measure references
	index    map[int]map[measure.RefKey]int // of branches with many members: those, by their keys without the axis
}

// buildBranches groups the measure references by home, time axis, what a time range means for them,
// and the joins by which they drop rows. The slots say where each use is.
func buildBranches(a *resolvedQuery) ([]*measureBranch, []branchMemberPosition, error) {
	if a.root != nil {
		return a.newDistinctDimensionsBranches(), nil, nil
	}
	return buildBranchesOfWindow(a, nil)
}

// buildBranchesOfWindow groups the measure references that are the base of a window; without one, all that are
// the base of none.
func buildBranchesOfWindow(a *resolvedQuery, window *measure.Window) ([]*measureBranch, []branchMemberPosition, error) {
	f := branchBuilder{q: a, inputOf: window, slots: make([]branchMemberPosition, 0, len(a.cols.MeasureRefs))}
	f.needAxis = scope.GroupsByMetricTime(a.groups) || slices.ContainsFunc(a.ranges, func(r where.Range) bool { return r.OnAxis })
	for _, u := range a.cols.MeasureRefs {
		if err := a.in.ContextError(); err != nil {
			return nil, nil, err
		}
		if u.InputOf != window {
			f.slots = append(f.slots, branchMemberPosition{-1, -1})
			continue
		}
		axis := f.axisOfMeasure(u)
		if axis == nil && f.needAxis {
			return nil, nil, a.noTimeAxisError(u)
		}
		if err := a.checkMeasureAxis(u, axis); err != nil {
			return nil, nil, err
		}
		f.addMeasureRef(u, axis)
	}
	for i, br := range f.branches {
		f.branches[i].population = a.populationPredicates(br.home, br.members)
	}
	return f.branches, f.slots, nil
}

// axisOfMeasure returns the axis of a use, nil where it does not matter.
func (f *branchBuilder) axisOfMeasure(u *measure.Ref) *catalog.Field {
	if f.needAxis {
		return u.Axis
	}
	return nil
}

func (a *resolvedQuery) noTimeAxisError(u *measure.Ref) error {
	s := where.RangeTimeDimensionResolver{In: a.in, Names: a.sel.Names, Groups: a.groups, MeasureRefs: a.cols.MeasureRefs}
	e := s.NoDimensionError("metric " + u.Metrics[0] + " has no time dimension: none is declared, and its dataset has no single one")
	e.Metrics = u.Metrics
	if scope.GroupsByMetricTime(a.groups) && len(e.Candidates) > 0 {
		axis := e.Candidates[0]
		for _, o := range a.cols.MeasureRefs {
			if o.Axis != nil && slices.Contains(e.Candidates, o.Axis.QualifiedName()) {
				axis = o.Axis.QualifiedName() // which the other metrics run over
			}
		}
		groups := slices.Clone(a.in.Query.GroupBy)
		for i, g := range groups {
			if g.Field == scope.MetricTime {
				groups[i] = query.GroupBy{Field: axis, Grain: g.Grain}
			}
		}
		e.Fragment = map[string]any{"group_by": groups}
	}
	return e
}

// checkMeasureAxis checks the grain of metric_time, and the ranges over it, against the axis of
// a measure reference.
func (a *resolvedQuery) checkMeasureAxis(u *measure.Ref, axis *catalog.Field) error {
	if axis == nil {
		return nil
	}
	if err := axis.ErrorForDialect(a.in.Target.Dialect); err != nil {
		return err
	}
	for _, g := range a.groups {
		if g.OnAxis && g.Grain != sqlexpr.GrainNone {
			if err := scope.CheckGrain(a.in, g.Item, axis, g.BucketUnit()); err != nil {
				return err
			}
		}
	}
	for i, r := range a.ranges {
		isOfOthers := a.compare != nil && i == measure.PreviousRangeIndex && u.Tag != measure.PreviousRangeIndex
		if r.OnAxis && !isOfOthers {
			if err := where.CheckTimeRangeFitsDimension(a.in, a.sel.Names.Homes, r.Interval, r.Tag, resolve.Ref{Field: axis}); err != nil {
				return err
			}
		}
	}
	return nil
}

// addMeasureRef puts a measure reference into its branch; references that differ only in an axis that does
// not matter share a member.
func (f *branchBuilder) addMeasureRef(u *measure.Ref, axis *catalog.Field) {
	i := f.findOrAddBranch(u, axis)
	at, known := f.findMember(i, u)
	if known {
		metrics := f.branches[i].members[at].metrics
		f.branches[i].members[at].metrics = append(slices.Clip(metrics), u.Metrics...)
	} else {
		f.branches[i].members = append(f.branches[i].members, branchMember{u, u.Metrics})
	}
	f.slots = append(f.slots, branchMemberPosition{i, at})
}

// findOrAddBranch finds or opens the branch of a use.
func (f *branchBuilder) findOrAddBranch(u *measure.Ref, axis *catalog.Field) int {
	sp := f.scanRangeOf(u, axis)
	own := u.Window
	if own != nil && own.Base == nil {
		own = nil
	}
	for i, br := range f.branches {
		if br.home == u.Measure.Home && br.axis == axis && br.scanRange == sp && br.nonAdditive == u.Measure.NonAdditive && joinpath.SameSets(br.inner, u.Inner) && br.window == own && br.read == u.Read {
			return i
		}
	}
	f.branches = append(f.branches, &measureBranch{home: u.Measure.Home, axis: axis, scanRange: sp, inner: u.Inner, nonAdditive: u.Measure.NonAdditive, window: own, read: u.Read})
	return len(f.branches) - 1
}

// findMember returns the index of a member that differs from u in its axis at most, else the
// index that it would have. A branch of a thousand metrics under a hundred tags has an index for it;
// most have a few.
func (f *branchBuilder) findMember(branch int, u *measure.Ref) (at int, known bool) {
	const few = 16
	axisless := func(k measure.RefKey) measure.RefKey {
		k.Axis = nil
		return k
	}
	key, uses := axisless(u.RefKey), f.branches[branch].members
	if len(uses) < few {
		for i, o := range uses {
			if axisless(o.ref.RefKey) == key {
				return i, true
			}
		}
		return len(uses), false
	}
	index := f.index[branch]
	if index == nil {
		index = make(map[measure.RefKey]int, len(uses))
		if f.index == nil {
			f.index = map[int]map[measure.RefKey]int{}
		}
		f.index[branch] = index
	}
	for i := len(index); i < len(uses); i++ {
		index[axisless(uses[i].ref.RefKey)] = i
	}
	if at, known = index[key]; known {
		return at, true
	}
	return len(uses), false
}

// groupRef returns the reference that a group reads in this branch.
func (br *measureBranch) groupRef(g scope.Group) resolve.Ref {
	if g.OnAxis {
		return resolve.Ref{Field: br.axis}
	}
	return g.Ref
}

// rangeRef returns the reference that a time range reads in this branch.
func (br *measureBranch) rangeRef(r where.Range) resolve.Ref {
	if r.OnAxis {
		return resolve.Ref{Field: br.axis}
	}
	return r.Ref
}

// metricNames lists the selected metrics of the branch.
func (br *measureBranch) metricNames() []string {
	var out []string
	seen := map[string]bool{}
	for _, u := range br.members {
		for _, m := range u.metrics {
			if !seen[m] {
				seen[m] = true
				out = append(out, m)
			}
		}
	}
	return out
}

// explainText describes for EXPLAIN how the branch differs from the others.
func (p *branchPlanner) explainText(branches int) string {
	br := p.br
	var parts []string
	if p.q.compare != nil && br.scanRange.Tag >= 0 {
		parts = append(parts, [...]string{measure.CurrentRangeIndex: "current range", measure.PreviousRangeIndex: "previous range"}[br.scanRange.Tag])
	}
	if br.axis != nil {
		parts = append(parts, "metric_time = "+br.axis.QualifiedName())
	}
	if branches > 1 && len(br.members) > 0 {
		parts = append(parts, "for "+strings.Join(br.metricNames(), ", "))
	}
	return strings.Join(parts, "; ")
}

// checkSameAxisStorage rejects a group by metric_time without a grain, or with one finer than a day,
// where the axes of the branches are stored in different ways: their values would share
// a column and never be equal.
func checkSameAxisStorage(q *query.MetricQuery, groups []scope.Group, branches []*measureBranch) error {
	for _, g := range groups {
		if !g.OnAxis || !g.HasStoredValue() && !g.Grain.IsWithinDay() {
			continue
		}
		if err := checkSameAxisStorageOfGroup(q, g, branches); err != nil {
			return err
		}
	}
	return nil
}

// checkSameAxisStorageOfGroup checks one group of metric_time.
func checkSameAxisStorageOfGroup(q *query.MetricQuery, g scope.Group, branches []*measureBranch) error {
	grain := sqlexpr.GrainDay
	var first *catalog.Field
	for _, br := range branches {
		if br.axis == nil {
			continue // which planning the branch reports
		}
		if first == nil {
			first = br.axis
		}
		grain = max(grain, first.StoredGrain(), br.axis.StoredGrain())
		if g.AxisTypeText(first) != g.AxisTypeText(br.axis) {
			return &planerr.Error{
				Code: planerr.CodeNotImplemented,
				Message: first.QualifiedName() + " and " + br.axis.QualifiedName() +
					" store time in different ways, so metric_time needs a grain of a day or more to bring them together",
				Metrics:        br.metricNames(),
				SuggestedRetry: "group by metric_time with a grain of a day or more",
				Fragment:       map[string]any{"group_by": retry.ReplaceGrain(q.GroupBy, g, grain)},
			}
		}
	}
	return nil
}

// newDistinctDimensionsBranches returns the branches of a query with distinct: one of the root, without
// measures.
func (a *resolvedQuery) newDistinctDimensionsBranches() []*measureBranch {
	return []*measureBranch{{home: a.root, scanRange: where.Scan{Tag: -1}, population: a.conds.Population}}
}
