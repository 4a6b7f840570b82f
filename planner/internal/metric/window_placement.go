package metric

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// windowPlacement looks for a window's place in a query: the group-by that carries its time
// axis.
type windowPlacement struct {
	in      *Env
	metrics []*catalog.Metric // selected
	groups  []Group
	axis    *catalog.Field
	metric  *catalog.Metric
	spec    *catalog.Window
	owner   string
	n       int
}

// check checks what the window asks of the query and returns the group of its time
// axis; -1 for a window that does not run over time.
func (p windowPlacement) check() (group int, err error) {
	if err := p.checkExcludes(); err != nil {
		return 0, err
	}
	if err := p.checkFunction(); err != nil {
		return 0, err
	}
	if !p.spec.RequiresTimeAxis() {
		return -1, nil
	}
	group, err = p.axisGroup()
	if err != nil {
		return 0, err
	}
	grain := p.groups[group].Grain
	if reset := p.spec.ResetGrain(); reset != sqlexpr.GrainNone && reset < grain {
		return 0, &planerr.Error{
			Code:     planerr.CodeWindowResetTooFine,
			Message:  p.metric.Name + " resets every " + reset.String() + ", which is finer than the queried " + grain.String(),
			Metrics:  []string{p.owner},
			Fragment: map[string]any{"group_by": replaceGrain(p.in.Query.GroupBy, group, reset)},
		}
	}
	if p.spec.Offset != nil {
		return group, p.checkOffset(group)
	}
	return group, p.checkFullWindow()
}

// checkExcludes wants every excluded dimension grouped, of all windows at once,
// so that one retry is enough.
func (p windowPlacement) checkExcludes() error {
	var missing []query.GroupBy
	blamed, owner := p.metric.Name, p.owner
	for _, selected := range p.metrics {
		for _, m := range selected.Windowed(p.in.Target.Dialect) {
			for _, f := range m.Window.EffectivePartition().Exclude {
				item := query.GroupBy{Field: f.Qualified()}
				if slices.ContainsFunc(p.groups, func(g Group) bool { return g.isField(f) }) || slices.Contains(missing, item) {
					continue
				}
				if len(missing) == 0 {
					blamed, owner = m.Name, selected.Name
				}
				missing = append(missing, item)
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	names := make([]string, len(p.groups))
	for i, g := range p.groups {
		names[i] = g.item.Field
	}
	return &planerr.Error{
		Code:       planerr.CodeWindowExcludeNotGrouped,
		Message:    "the window of " + blamed + " leaves " + missing[0].Field + " out of its partition, which the query does not group by",
		Metrics:    []string{owner},
		Candidates: names,
		Fragment:   map[string]any{"group_by": append(slices.Clone(p.in.Query.GroupBy), missing...)},
	}
}

// checkFunction refuses a function, or a kind of frame, that the target
// does not have.
func (p windowPlacement) checkFunction() error {
	name := windowFunction(p.spec)
	fn, ok := windowFuncs[name]
	if !ok {
		return InternalError("window function %s of metric %s", name, p.metric.Name)
	}
	var missing string
	switch {
	case p.in.Target.Caps.NoWindow.Has(fn):
		missing = "the window function " + name
	case p.in.Target.Caps.NoRangeFrames && frameByDistance(p.spec):
		missing = "window frames by calendar distance"
	default:
		return nil
	}
	return &planerr.Error{
		Code:           planerr.CodeDialectUnsupportedWindowFunction,
		Message:        "dialect " + p.in.Target.Dialect + " has no " + missing + ", which " + p.metric.Name + " needs",
		Metrics:        []string{p.owner},
		SuggestedRetry: "leave out " + p.owner + ", or query a connection of another dialect",
		Fragment:       dropMetric(p.in, p.owner),
	}
}

// axisGroup finds the group-by that carries the window's axis: the finest one
// where there are several, which the others must be coarser buckets of.
func (p windowPlacement) axisGroup() (int, error) {
	best := -1
	for i, g := range p.groups {
		if g.readsAxis(p.axis) && !g.isRaw() && (best < 0 || g.Grain < p.groups[best].Grain) {
			best = i
		}
	}
	if best < 0 {
		return 0, p.missingAxisError()
	}
	for i, g := range p.groups {
		if i == best || !g.readsAxis(p.axis) {
			continue
		}
		if g.isRaw() || !p.groups[best].Grain.Subdivides(g.Grain) {
			return 0, &planerr.Error{
				Code:     planerr.CodeNotImplemented,
				Message:  "the window of " + p.metric.Name + " needs one calendar grain, and " + g.Name + " splits the buckets of " + p.groups[best].Name,
				Metrics:  []string{p.owner},
				Fragment: map[string]any{"group_by": slices.Delete(slices.Clone(p.in.Query.GroupBy), i, i+1)},
			}
		}
	}
	return best, nil
}

// missingAxisError is the error of a time-ordered window whose axis is not grouped.
func (p windowPlacement) missingAxisError() error {
	grain := p.naturalGrain()
	if p.axis != nil {
		grain = max(grain, p.axis.StoredGrain())
	}
	groups := slices.Clone(p.in.Query.GroupBy)
	for i, g := range p.groups {
		if g.readsAxis(p.axis) {
			groups[i].Grain = grain.String() // grouped raw: give it a grain
			return p.axisError(groups)
		}
	}
	return p.axisError(append([]query.GroupBy{{Field: MetricTime, Grain: grain.String()}}, groups...))
}

func (p windowPlacement) axisError(groups []query.GroupBy) error {
	return &planerr.Error{
		Code:     planerr.CodeUnknownDimension,
		Message:  "the window of " + p.metric.Name + " runs over time, so the query must group by its time axis with a grain",
		Metrics:  []string{p.owner},
		Fragment: map[string]any{"group_by": groups},
		// If another metric cannot be grouped by that axis, only this retry remains.
		SuggestedRetry: "group by " + groups[0].Field + " with a grain, and ask apart for metrics that it does not group",
	}
}

// naturalGrain is the grain at which a window is most likely meant.
func (p windowPlacement) naturalGrain() sqlexpr.Grain {
	reset := p.spec.ResetGrain()
	switch {
	case p.spec.Offset != nil:
		return p.spec.Offset.Grain
	case reset == sqlexpr.GrainWeek, reset == sqlexpr.GrainMonth:
		return sqlexpr.GrainDay
	default:
		return sqlexpr.GrainMonth
	}
}

func (p windowPlacement) checkOffset(group int) error {
	o := p.spec.Offset
	grain := p.groups[group].Grain
	if _, _, ok := offsetBuckets(p.n, o.Grain, grain); ok {
		return nil
	}
	return &planerr.Error{
		Code: planerr.CodeNotImplemented,
		Message: p.metric.Name + " looks " + o.Grain.String() + "s away, which is not a multiple of buckets by " +
			grain.String(),
		Metrics:  []string{p.owner},
		Fragment: map[string]any{"group_by": replaceGrain(p.in.Query.GroupBy, group, o.Grain)},
	}
}

// checkFullWindow refuses a full window of calendar buckets where one bucket may
// be several rows of the partition: engines count rows, and none of them counts
// distinct buckets inside a frame.
func (p windowPlacement) checkFullWindow() error {
	f := p.spec.Frame
	if f == nil || !f.RequireFullWindow || !f.Range || f.Unbounded || f.PartitionScope || !p.spec.OrderedByTime() ||
		p.spec.EffectivePartition().Mode == "query_dimensions" {
		return nil
	}
	kept, split := []query.GroupBy{}, ""
	for _, g := range p.groups {
		if g.readsAxis(p.axis) {
			kept = append(kept, g.item)
		} else {
			split = g.Name
		}
	}
	if split == "" {
		return nil
	}
	return &planerr.Error{
		Code:     planerr.CodeNotImplemented,
		Message:  "the window of " + p.metric.Name + " wants every bucket of its range, and " + split + " makes several rows of one bucket in its partition",
		Metrics:  []string{p.owner},
		Fragment: map[string]any{"group_by": kept},
	}
}

// readsAxis reports whether a group reads a time axis, by either of its names.
func (g Group) readsAxis(axis *catalog.Field) bool {
	return g.OnAxis || axis != nil && g.isField(axis)
}

// isField reports whether the group is a dimension named by dataset.field: the
// same field on a path that the query names is another dimension.
func (g Group) isField(f *catalog.Field) bool {
	return !g.OnAxis && g.Ref.Field == f && len(g.Ref.Prefix) == 0
}

// replaceGrain is a group_by with the grain of one item changed.
func replaceGrain(items []query.GroupBy, group int, grain sqlexpr.Grain) []query.GroupBy {
	groups := slices.Clone(items)
	groups[group].Grain = grain.String()
	return groups
}
