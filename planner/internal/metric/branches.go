package metric

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// branch is one aggregation: measures of one home, axis and filter.
type branch struct {
	home       *catalog.Dataset
	axis       *catalog.Field // nil where no part of the query needs one
	scanRange  scanRange      // what the time range means for this branch
	members    []branchMember
	population []predicate // the part of context_filter that filters the branch's own rows
}

// branchMember is a use in a branch, and all selected metrics that need it there.
type branchMember struct {
	*MeasureRef
	metrics []string
}

// memberRef locates the value of a measure reference: a branch, and a member of it.
type memberRef struct{ branch, member int }

// branchBuilder sorts measure references into branches.
type branchBuilder struct {
	*resolvedQuery
	branches []*branch
	slots    []memberRef                // of measure references
	index    map[int]map[MeasureKey]int // of branches with many members: those, by their keys without the axis
}

// buildBranches groups the measure references by home, time axis and what a time range means
// for them. The slots say where each use is.
func buildBranches(a *resolvedQuery) ([]*branch, []memberRef, error) {
	f := branchBuilder{resolvedQuery: a, slots: make([]memberRef, 0, len(a.cols.measureRefs))}
	needAxis := groupsByMetricTime(a.groups) || slices.ContainsFunc(a.ranges, func(r timeRange) bool { return r.onAxis })
	for _, u := range a.cols.measureRefs {
		if err := a.in.contextError(); err != nil {
			return nil, nil, err
		}
		axis := u.Axis
		if !needAxis {
			axis = nil
		} else if axis == nil {
			return nil, nil, a.noAxisError(u)
		}
		if err := a.checkAxis(axis); err != nil {
			return nil, nil, err
		}
		f.add(u, axis)
	}
	for i, br := range f.branches {
		f.branches[i].population = a.populationPredicates(br.home, br.members)
	}
	return f.branches, f.slots, nil
}

func (a *resolvedQuery) noAxisError(u *MeasureRef) error {
	s := timeDimensionResolver{a.in, a.sel.names, a.groups, a.cols.measureRefs}
	e := s.noDimensionError("metric " + u.metrics[0] + " has no time dimension: none is declared, and its dataset has no single one")
	e.Metrics = u.metrics
	if groupsByMetricTime(a.groups) && len(e.Candidates) > 0 {
		axis := e.Candidates[0]
		for _, o := range a.cols.measureRefs {
			if o.Axis != nil && slices.Contains(e.Candidates, o.Axis.Qualified()) {
				axis = o.Axis.Qualified() // which the other metrics run over
			}
		}
		groups := slices.Clone(a.in.Query.GroupBy)
		for i, g := range groups {
			if g.Field == MetricTime {
				groups[i] = query.GroupBy{Field: axis, Grain: g.Grain}
			}
		}
		e.Fragment = map[string]any{"group_by": groups}
	}
	return e
}

// checkAxis checks the grain of metric_time, and a range over it, against an
// axis.
func (a *resolvedQuery) checkAxis(axis *catalog.Field) error {
	if axis == nil {
		return nil
	}
	if err := axis.ErrFor(a.in.Target.Dialect); err != nil {
		return err
	}
	for _, g := range a.groups {
		if g.OnAxis && g.Grain != sqlexpr.GrainNone {
			if err := checkGrain(a.in.Query, g.item, axis, g.Grain); err != nil {
				return err
			}
		}
	}
	for _, r := range a.ranges {
		if r.onAxis {
			if err := CheckRange(a.in, a.sel.names.Homes, r.Interval, r.tag, resolve.Ref{Field: axis}); err != nil {
				return err
			}
		}
	}
	return nil
}

// add puts a measure reference into its branch; references that differ only in an axis that does
// not matter share a member.
func (f *branchBuilder) add(u *MeasureRef, axis *catalog.Field) {
	i := f.branchFor(u, axis)
	at, known := f.find(i, u)
	if known {
		metrics := f.branches[i].members[at].metrics
		f.branches[i].members[at].metrics = append(slices.Clip(metrics), u.metrics...)
	} else {
		f.branches[i].members = append(f.branches[i].members, branchMember{u, u.metrics})
	}
	f.slots = append(f.slots, memberRef{i, at})
}

// branchFor finds or opens the branch of a use.
func (f *branchBuilder) branchFor(u *MeasureRef, axis *catalog.Field) int {
	sp := scanRangeOf(u, f.groups, f.ranges)
	for i, br := range f.branches {
		if br.home == u.Measure.Home && br.axis == axis && br.scanRange == sp {
			return i
		}
	}
	f.branches = append(f.branches, &branch{home: u.Measure.Home, axis: axis, scanRange: sp})
	return len(f.branches) - 1
}

// find returns the index of a member that differs from u in its axis at most, else the
// index that it would have. A branch of a thousand metrics under a hundred tags has an index for it;
// most have a few.
func (f *branchBuilder) find(branch int, u *MeasureRef) (at int, known bool) {
	const few = 16
	axisless := func(k MeasureKey) MeasureKey {
		k.Axis = nil
		return k
	}
	key, uses := axisless(u.MeasureKey), f.branches[branch].members
	if len(uses) < few {
		for i, o := range uses {
			if axisless(o.MeasureKey) == key {
				return i, true
			}
		}
		return len(uses), false
	}
	index := f.index[branch]
	if index == nil {
		index = make(map[MeasureKey]int, len(uses))
		if f.index == nil {
			f.index = map[int]map[MeasureKey]int{}
		}
		f.index[branch] = index
	}
	for i := len(index); i < len(uses); i++ {
		index[axisless(uses[i].MeasureKey)] = i
	}
	if at, known = index[key]; known {
		return at, true
	}
	return len(uses), false
}

// groupRef is the reference that a group reads in this branch.
func (br *branch) groupRef(g Group) resolve.Ref {
	if g.OnAxis {
		return resolve.Ref{Field: br.axis}
	}
	return g.Ref
}

// rangeRef is the reference that a time range reads in this branch.
func (br *branch) rangeRef(r timeRange) resolve.Ref {
	if r.onAxis {
		return resolve.Ref{Field: br.axis}
	}
	return r.ref
}

// metricNames lists the selected metrics of the branch.
func (br *branch) metricNames() []string {
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
func (br *branch) explainText(branches int) string {
	var parts []string
	if br.axis != nil {
		parts = append(parts, "metric_time = "+br.axis.Qualified())
	}
	if branches > 1 {
		parts = append(parts, "for "+strings.Join(br.metricNames(), ", "))
	}
	return strings.Join(parts, "; ")
}

// checkAxisStorage refuses to group by metric_time without a grain where the axes
// of the branches are stored in different ways: their stored values would share
// a column and never be equal.
func checkAxisStorage(q *query.MetricQuery, groups []Group, branches []*branch) error {
	i := slices.IndexFunc(groups, func(g Group) bool { return g.OnAxis && g.isRaw() })
	if i < 0 {
		return nil
	}
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
		if storedTypeText(first) != storedTypeText(br.axis) {
			return &planerr.Error{
				Code: planerr.CodeNotImplemented,
				Message: first.Qualified() + " and " + br.axis.Qualified() +
					" store time in different ways, so metric_time needs a grain to bring them together",
				Metrics:        br.metricNames(),
				SuggestedRetry: "group by metric_time with a grain",
				Fragment:       map[string]any{"group_by": replaceGrain(q.GroupBy, i, grain)},
			}
		}
	}
	return nil
}

// storedTypeText names how a time field is stored: days and timestamps compare with each
// other, codes only with codes of one format.
func storedTypeText(f *catalog.Field) string {
	switch {
	case f.Encoding != nil:
		return f.Encoding.Text + " in " + f.Type.String()
	case f.Type.IsInstant():
		return "time"
	}
	return f.Type.String()
}
