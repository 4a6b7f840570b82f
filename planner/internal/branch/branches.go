package branch

import (
	"cmp"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// InputFilters returns the conditions that filter the rows of the branch. A range of its axis chooses the buckets that are shown
// where it reads others too.
func (br *Branch) InputFilters(conds []where.Conjunct) []where.Conjunct {
	if !br.ScanRange.Beyond || !slices.ContainsFunc(conds, br.IsShownRange) {
		return conds
	}
	return slices.DeleteFunc(slices.Clone(conds), br.IsShownRange)
}

// IsShownRange reports whether a condition is a range of the axis of the branch.
func (br *Branch) IsShownRange(c where.Conjunct) bool { return c.Range.IsOver(br.Axis) }

// IsReadByWindow reports whether a member of the branch is the input of a window.
func (br *Branch) IsReadByWindow() bool {
	return slices.ContainsFunc(br.Members, func(u Member) bool { return u.Ref.InputOf != nil })
}

// Branch is one aggregation: measures of one home, axis and filter.
type Branch struct {
	Home      *catalog.Dataset
	Axis      *catalog.Field       // nil where no part of the query needs one
	ScanRange where.Scan           // what the time range means for this branch
	Inner     [][]catalog.JoinStep // from the home: the joins by which its aggregates drop rows
	Members   []Member
	// NonAdditive is that of all members; nil where they have none.
	NonAdditive *catalog.SemiAdditiveRule
	population  []where.Conjunct  // the part of context_filter that filters the branch's own rows
	Read        measure.InputRead // how a window reads the branch
	movedFor    *measure.Window   // whose reach decides where rows are moved to; nil for the rows of each group
	// CountsRows: a column counts the rows of each group, so that a row of the branch is distinguished from one that others add.
	CountsRows bool
}

// Member is a use in a branch, and all selected metrics that need it there.
type Member struct {
	Ref     *measure.Ref
	Metrics []string
}

// Position locates the value of a measure reference: a branch, and a member of it.
type Position struct{ Branch, Member int }

// branchBuilder sorts measure references into branches.
type branchBuilder struct {
	q        *Query
	needAxis bool // whether the query reads the axes of its measures
	windowed bool // whether windows read some of the measures
	// axesDiffer: the measures have several homes or axes.
	axesDiffer bool
	branches   []*Branch
	slots      []Position                     // of measure references
	index      map[int]map[measure.RefKey]int // of branches with many members: those, by their keys without the axis
}

// Build groups the measure references by home, time axis, what a time range means for them,
// and the joins by which they drop rows. The slots say where each use is.
func Build(a *Query) ([]*Branch, []Position, error) {
	if a.Root != nil {
		return a.newDistinctDimensionsBranches(), nil, nil
	}
	f := branchBuilder{q: a, slots: make([]Position, 0, len(a.Cols.MeasureRefs))}
	f.windowed = slices.ContainsFunc(a.Cols.MeasureRefs, func(u *measure.Ref) bool { return u.InputOf != nil })
	f.needAxis = scope.GroupsByMetricTime(a.Groups) || slices.ContainsFunc(a.Ranges, func(r where.Range) bool { return r.OnAxis })
	f.axesDiffer = f.windowed && slices.ContainsFunc(a.Cols.MeasureRefs, func(u *measure.Ref) bool {
		return u.Measure.Home != a.Cols.MeasureRefs[0].Measure.Home || u.Axis != a.Cols.MeasureRefs[0].Axis
	})
	for _, u := range a.Cols.MeasureRefs {
		if err := f.addMeasureRef(u, u.RowsOnly); err != nil {
			return nil, nil, err
		}
	}
	for _, u := range a.Cols.MeasureRefs { // after what values read
		if !u.RowsOnly || a.LevelsAreBranches {
			continue
		}
		if err := f.addMeasureRef(u, false); err != nil {
			return nil, nil, err
		}
		f.slots = f.slots[:len(a.Cols.MeasureRefs)]
	}
	for i, br := range f.branches {
		f.branches[i].population = a.populationPredicates(br.Home, br.Members)
	}
	f.decideRowCounts()
	return f.branches, f.slots, nil
}

// checkCutBucket rejects a window that ends with a range in the bucket that the range cuts, and sees that bucket whole from later ones,
// which rows of other branches may show.
func (f *branchBuilder) checkCutBucket(u *measure.Ref, axis *catalog.Field) error {
	if !f.axesDiffer || u.InputOf == nil || !f.scanRangeOf(u, axis).ShowsLaterBuckets {
		return nil
	}
	w := u.InputOf
	group := f.q.Groups[w.Buckets].Name
	e := &planerr.Error{
		Code: planerr.CodeNotImplemented, Metrics: []string{w.Owner}, SuggestedRetry: "leave out " + w.Owner, Fragment: retry.DropMetric(f.q.In, w.Owner),
		Message: w.Metric.Name + " ends with the range within a bucket of " + group + ", and sees that bucket whole from the later ones that other metrics may show, because the range is not over " + group,
	}
	// Only the warehouse has the ends of the periods of a calendar.
	if r, g := f.q.In.Keys.TimeRange, f.q.Groups[w.Buckets]; r != nil && r.End != "" && g.Period == nil {
		c := f.q.In.Times.Clock.ForField(u.Axis)
		whole := *r
		whole.End = timerange.BucketEnd(c, f.q.Ranges[0].Interval.End.OnClock(c), g.Grain).Text()
		e.SuggestedRetry, e.Fragment = "end the range with a "+g.Grain.String(), map[string]any{"time_range": whole}
	}
	return e
}

// axisOfMeasure returns the axis of a use, nil where it does not matter.
func (f *branchBuilder) axisOfMeasure(u *measure.Ref) *catalog.Field {
	if f.needAxis || f.windowed && slices.ContainsFunc(f.q.Conds.Input, func(c where.Conjunct) bool { return c.Range.IsOver(u.Axis) }) {
		return u.Axis
	}
	return nil
}

func (a *Query) noTimeAxisError(u *measure.Ref) error {
	s := where.RangeTimeDimensionResolver{In: a.In, Names: a.Sel.Names, Groups: a.Groups, MeasureRefs: a.Cols.MeasureRefs}
	e := s.NoDimensionError("metric " + u.Metrics[0] + " has no time dimension: none is declared, and its dataset has no single one")
	e.Metrics = u.Metrics
	if scope.GroupsByMetricTime(a.Groups) && len(e.Candidates) > 0 {
		axis := e.Candidates[0]
		for _, o := range a.Cols.MeasureRefs {
			if o.Axis != nil && slices.Contains(e.Candidates, o.Axis.QualifiedName()) {
				axis = o.Axis.QualifiedName() // which the other metrics run over
			}
		}
		groups := slices.Clone(a.In.Query.GroupBy)
		for i, g := range groups {
			if g.Field == scope.MetricTime {
				groups[i] = query.GroupBy{Field: axis, Grain: g.Grain, Part: g.Part}
			}
		}
		e.Fragment = map[string]any{"group_by": groups}
	}
	return e
}

// checkMeasureAxis checks the grain of metric_time, and the ranges over it, against the axis of
// a measure reference.
func (a *Query) checkMeasureAxis(u *measure.Ref, axis *catalog.Field) error {
	if axis == nil {
		return nil
	}
	if err := axis.ErrorForDialect(a.In.Target.Dialect); err != nil {
		return err
	}
	for _, g := range a.Groups {
		if g.OnAxis {
			if err := a.In.CheckAxisUnit(g, axis); err != nil {
				return err
			}
		}
	}
	for i, r := range a.Ranges {
		isOfOthers := a.Compare != nil && i > measure.CurrentRangeIndex && u.Tag != i
		if r.OnAxis && !isOfOthers {
			if err := where.CheckTimeRangeFitsDimension(a.In, a.Sel.Names.Homes, r.Interval, r.Tag, resolve.Ref{Field: axis}); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkCompared rejects a measure on which the range of the view does not act beside compare, which reads its rows by range.
func (f *branchBuilder) checkCompared(u *measure.Ref, axis *catalog.Field) error {
	if f.q.Compare == nil {
		return nil
	}
	if _, acting := f.q.Conds.OfBranch(f.q.In, u.Measure.Home, axis, f.q.Ranges); len(acting) == len(f.q.Ranges) {
		return nil
	}
	return &planerr.Error{
		Code: planerr.CodeTimeRangeRequired, Metrics: u.Metrics,
		Message:        "compare needs a time_range, and that of the view " + f.q.In.Query.View + " does not act on " + u.Metrics[0],
		SuggestedRetry: "leave out " + u.Metrics[0] + ", or add a time_range over a field that its rows lead to",
	}
}

// addMeasureRef puts a measure reference into its branch; references that differ only in an axis that does
// not matter share a member. A reference that values do not read is a member only of a branch without others.
func (f *branchBuilder) addMeasureRef(u *measure.Ref, skips bool) error {
	if err := f.q.In.ContextError(); err != nil {
		return err
	}
	if skips || u.Window != nil || u.Level != nil { // which is computed from other branches, or from tables
		f.slots = append(f.slots, Position{-1, -1})
		return nil
	}
	axis := f.axisOfMeasure(u)
	if axis == nil && f.needAxis && (scope.GroupsByMetricTime(f.q.Groups) || !slices.ContainsFunc(f.q.Ranges, func(r where.Range) bool { return r.OfView })) {
		return f.q.noTimeAxisError(u)
	}
	if err := f.checkCompared(u, axis); err != nil {
		return err
	}
	if err := cmp.Or(f.q.checkMeasureAxis(u, axis), f.checkCutBucket(u, axis)); err != nil {
		return err
	}
	i := f.findOrAddBranch(u, axis)
	at, known := f.findMember(i, u)
	switch {
	case known:
		metrics := f.branches[i].Members[at].Metrics
		f.branches[i].Members[at].Metrics = append(slices.Clip(metrics), u.Metrics...)
	case !u.RowsOnly || len(f.branches[i].Members) == 0:
		f.branches[i].Members = append(f.branches[i].Members, Member{u, u.Metrics})
	}
	f.slots = append(f.slots, Position{i, at})
	return nil
}

// findOrAddBranch finds or opens the branch of a use.
func (f *branchBuilder) findOrAddBranch(u *measure.Ref, axis *catalog.Field) int {
	sp := f.scanRangeOf(u, axis)
	read, movedFor := u.Read, u.InputOf
	if read.Kind.ReadsOwnBucket() {
		read, movedFor = measure.InputRead{}, nil
	}
	for i, br := range f.branches {
		if br.Home == u.Measure.Home && br.Axis == axis && br.ScanRange.CanShare(sp) && br.NonAdditive == u.Measure.NonAdditive && joinpath.SameSets(br.Inner, u.Inner) && br.Read == read && br.movedFor == movedFor {
			f.branches[i].ScanRange = br.ScanRange.Union(sp)
			return i
		}
	}
	f.branches = append(f.branches, &Branch{Home: u.Measure.Home, Axis: axis, ScanRange: sp, Inner: u.Inner, NonAdditive: u.Measure.NonAdditive, Read: read, movedFor: movedFor})
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
	key, uses := axisless(u.RefKey), f.branches[branch].Members
	if len(uses) < few {
		for i, o := range uses {
			if axisless(o.Ref.RefKey) == key {
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
		index[axisless(uses[i].Ref.RefKey)] = i
	}
	if at, known = index[key]; known {
		return at, true
	}
	return len(uses), false
}

// GroupRef returns the reference that a group reads in this branch.
func (br *Branch) GroupRef(g scope.Group) resolve.Ref {
	if g.OnAxis {
		return resolve.Ref{Field: br.Axis}
	}
	return g.Ref
}

// RangeRef returns the reference that a time range reads in this branch.
func (br *Branch) RangeRef(r where.Range) resolve.Ref {
	if r.OnAxis {
		return resolve.Ref{Field: br.Axis}
	}
	return r.Ref
}

// MetricNames lists the selected metrics of the branch.
func (br *Branch) MetricNames() []string {
	var out []string
	seen := map[string]bool{}
	for _, u := range br.Members {
		for _, m := range u.Metrics {
			if !seen[m] {
				seen[m] = true
				out = append(out, m)
			}
		}
	}
	return out
}

// CheckSameAxisStorage rejects a group by metric_time without a grain, or with one finer than a day,
// where the axes of the branches are stored in different ways: their values would share
// a column and never be equal.
func CheckSameAxisStorage(q *query.MetricQuery, groups []scope.Group, branches []*Branch) error {
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
func checkSameAxisStorageOfGroup(q *query.MetricQuery, g scope.Group, branches []*Branch) error {
	grain := sqlexpr.GrainDay
	var first *catalog.Field
	for _, br := range branches {
		if br.Axis == nil {
			continue // which planning the branch reports
		}
		if first == nil {
			first = br.Axis
		}
		grain = max(grain, first.StoredGrain(), br.Axis.StoredGrain())
		if g.AxisTypeText(first) != g.AxisTypeText(br.Axis) {
			return &planerr.Error{
				Code: planerr.CodeNotImplemented,
				Message: first.QualifiedName() + " and " + br.Axis.QualifiedName() +
					" store time in different ways, so metric_time needs a grain of a day or more to bring them together",
				Metrics:        br.MetricNames(),
				SuggestedRetry: "group by metric_time with a grain of a day or more",
				Fragment:       map[string]any{"group_by": retry.ReplaceGrain(q.GroupBy, g, grain)},
			}
		}
	}
	return nil
}

// newDistinctDimensionsBranches returns the branches of a query with distinct: one of the root, without
// measures.
func (a *Query) newDistinctDimensionsBranches() []*Branch {
	return []*Branch{{Home: a.Root, ScanRange: where.Scan{Tag: -1}, population: a.OfBranch(&Branch{Home: a.Root}).Conds.Population}}
}

// KeepMembersReadBy returns the branches with those members alone that an expression reads, and where
// they are. A branch without any still has its groups.
func KeepMembersReadBy(branches []*Branch, slots []Position, e sqlexpr.Expr) ([]*Branch, []Position) {
	out := slices.Clone(slots)
	kept := make([][]Member, len(branches))
	moved := map[Position]Position{}
	for r := range sqlexpr.Refs(e) {
		from := slots[r.ID]
		if from.Branch < 0 {
			continue // a value of a table
		}
		to, known := moved[from]
		if !known {
			to = Position{from.Branch, len(kept[from.Branch])}
			kept[from.Branch] = append(kept[from.Branch], branches[from.Branch].Members[from.Member])
			moved[from] = to
		}
		out[r.ID] = to
	}
	reduced := make([]*Branch, len(branches))
	for i, br := range branches {
		copied := *br
		copied.Members = kept[i]
		reduced[i] = &copied
	}
	return reduced, out
}
