package measure

import (
	"cmp"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// WindowGroupByChecker looks for a window's place in a query: the group-by that carries its time
// axis.
type WindowGroupByChecker struct {
	In      *scope.Env
	metrics []*catalog.Metric // selected
	groups  []scope.Group
	axis    *catalog.Field
	metric  *catalog.Metric
	spec    *catalog.Window
	Owner   string
	n       int
}

// checkGroupByForWindow checks what the window asks of the query and returns the group of its time
// axis; -1 for a window that does not run over time.
func (p WindowGroupByChecker) checkGroupByForWindow() (group int, err error) {
	if err := p.checkExcludedDimensions(); err != nil {
		return 0, err
	}
	if err := p.checkFunctionSupported(); err != nil {
		return 0, err
	}
	if !p.spec.RequiresTimeAxis() {
		return -1, nil
	}
	group, err = p.findAxisGroup()
	if err != nil {
		return 0, err
	}
	g := p.groups[group]
	switch reset := p.spec.ResetUnit(); {
	case reset.IsZero():
	case !p.In.BucketsOfAxis(p.groups, p.axis).CanBeginAgainWith(reset):
		return 0, p.unsuitableResetError(g, reset)
	case reset.Period == nil && reset.Grain < g.Grain:
		return 0, &planerr.Error{
			Code:     planerr.CodeWindowResetTooFine,
			Message:  p.metric.Name + " resets every " + reset.String() + ", which is finer than the queried " + g.Grain.String(),
			Metrics:  []string{p.Owner},
			Fragment: map[string]any{"group_by": retry.ReplaceGrain(p.In.Query.GroupBy, g, reset)},
		}
	}
	if p.spec.Offset != nil {
		return group, p.checkWindowOffset(group)
	}
	return group, p.checkFullWindowOneRowPerBucket()
}

// checkExcludedDimensions requires every excluded dimension grouped, of all windows at once,
// so that one retry is enough.
func (p WindowGroupByChecker) checkExcludedDimensions() error {
	var missing []query.GroupBy
	blamed, owner := p.metric.Name, p.Owner
	for _, selected := range p.metrics {
		for _, m := range selected.WindowedMetrics(p.In.Target.Dialect) {
			for _, f := range m.Window.EffectivePartition().Exclude {
				item := query.GroupBy{Field: f.QualifiedName()}
				if slices.ContainsFunc(p.groups, func(g scope.Group) bool { return g.IsUnprefixedField(f) }) || slices.Contains(missing, item) {
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
	names := make([]string, 0, len(p.groups))
	for _, g := range p.groups {
		if !g.IsRemainder {
			names = append(names, cmp.Or(g.Item.Field, g.Name))
		}
	}
	return &planerr.Error{
		Code:       planerr.CodeWindowExcludeNotGrouped,
		Message:    "the window of " + blamed + " leaves " + missing[0].Field + " out of its partition, which the query does not group by",
		Metrics:    []string{owner},
		Candidates: names,
		Fragment:   map[string]any{"group_by": append(slices.Clone(p.In.Query.GroupBy), missing...)},
	}
}

// checkFunctionSupported rejects a function, or a kind of frame, that the target
// does not have.
func (p WindowGroupByChecker) checkFunctionSupported() error {
	if p.spec.Recompute != nil {
		return nil // of aggregates that every target has
	}
	fn := WindowFunction(p.spec)
	name := fn.String()
	if fn == sqlexpr.FnUnknown {
		return scope.InternalError("the window of metric %s has no function", p.metric.Name)
	}
	var missing string
	switch {
	case p.In.Target.Caps.NoWindow.Has(fn):
		missing = "the window function " + name
	case p.In.Target.Caps.NoRangeFrames && IsDistanceFrame(p.spec) && p.spec.Span() == nil:
		return p.missingRangeFramesError()
	default:
		return nil
	}
	return p.missingFunctionError(missing)
}

func (p WindowGroupByChecker) missingRangeFramesError() error {
	return p.missingFunctionError("window frames by calendar distance")
}

func (p WindowGroupByChecker) missingFunctionError(missing string) error {
	return &planerr.Error{
		Code:           planerr.CodeDialectUnsupportedWindowFunction,
		Message:        "dialect " + p.In.Target.Dialect + " has no " + missing + ", which " + p.metric.Name + " needs",
		Metrics:        []string{p.Owner},
		SuggestedRetry: "leave out " + p.Owner + ", or query a connection of another dialect",
		Fragment:       retry.DropMetric(p.In, p.Owner),
	}
}

// findAxisGroup finds the group-by that makes the buckets of the window's axis. No grain may split them.
func (p WindowGroupByChecker) findAxisGroup() (int, error) {
	buckets := p.In.BucketsOfAxis(p.groups, p.axis)
	if buckets.Group < 0 {
		return 0, p.missingAxisError()
	}
	for i, g := range p.groups {
		if buckets.Relation(i) == scope.RelationSplit {
			return 0, &planerr.Error{
				Code:     planerr.CodeNotImplemented,
				Message:  "the window of " + p.metric.Name + " needs one calendar grain, and " + g.Name + " splits the buckets of " + p.groups[buckets.Group].Name,
				Metrics:  []string{p.Owner},
				Fragment: retry.RemoveGroup(p.In.Query, p.groups, g),
			}
		}
	}
	return buckets.Group, nil
}

// bucketGroup returns the group that carries buckets of the axis; -1 without one. Another grain may split them: the window needs no order of time.
func (p WindowGroupByChecker) bucketGroup() int { return p.In.BucketsOfAxis(p.groups, p.axis).Group }

// missingAxisError returns the error of a time-ordered window whose axis is not grouped.
func (p WindowGroupByChecker) missingAxisError() error {
	unit := p.likelyWindowUnit()
	if p.axis != nil && unit.Period == nil {
		unit.Grain = max(unit.Grain, p.axis.StoredGrain())
	}
	groups := slices.Clone(p.In.Query.GroupBy)
	for _, g := range p.groups {
		if g.ReadsAxis(p.axis) {
			groups[g.Index].Grain = p.unitOfStoredTimes(unit).String()
			return p.wrongAxisGroupError(groups)
		}
	}
	return p.wrongAxisGroupError(append([]query.GroupBy{{Field: scope.MetricTime, Grain: unit.String()}}, groups...))
}

// unitOfStoredTimes returns the grain that keeps the most of an axis that is grouped without one: a grain at which the metric has its
// meaning, else the finest of the axis; the likely unit where neither is known.
func (p WindowGroupByChecker) unitOfStoredTimes(likely catalog.GrainOrPeriod) catalog.GrainOrPeriod {
	if supported, restricted := p.metric.SupportedGrains(p.In.Target.Dialect); restricted && len(supported) > 0 {
		return supported[0]
	}
	if p.axis != nil {
		if grains := p.axis.Grains(); len(grains) > 0 {
			return catalog.GrainOrPeriod{Grain: grains[0]}
		}
	}
	return likely
}

func (p WindowGroupByChecker) wrongAxisGroupError(groups []query.GroupBy) error {
	return &planerr.Error{
		Code:     planerr.CodeUnknownDimension,
		Message:  "the window of " + p.metric.Name + " runs over time, so the query must group by its time axis with a grain",
		Metrics:  []string{p.Owner},
		Fragment: map[string]any{"group_by": groups},
		// If another metric cannot be grouped by that axis, only this retry remains.
		SuggestedRetry: "group by " + groups[0].Field + " with a grain, and query the metrics that it does not group separately",
	}
}

// likelyWindowUnit returns the grain at which a window is most likely meant.
func (p WindowGroupByChecker) likelyWindowUnit() catalog.GrainOrPeriod {
	switch {
	case p.spec.Offset != nil:
		return p.spec.Offset.Unit()
	case p.spec.Span() != nil:
		return p.spec.Span().Unit()
	}
	grain := sqlexpr.GrainMonth
	switch reset := p.spec.ResetUnit(); {
	case reset.Grain == sqlexpr.GrainHour:
		grain = sqlexpr.GrainMinute
	case reset.Grain == sqlexpr.GrainDay:
		grain = sqlexpr.GrainHour
	case reset.Grain == sqlexpr.GrainWeek, reset.Grain == sqlexpr.GrainMonth, reset.Period != nil:
		grain = sqlexpr.GrainDay
	}
	return catalog.GrainOrPeriod{Grain: grain}
}

func (p WindowGroupByChecker) checkWindowOffset(group int) error {
	o := p.spec.Offset
	grain := p.groups[group].Grain
	if !p.groups[group].CanCountBucketsIn(o.Unit()) {
		return p.unsuitableUnitError(p.groups[group], o.Unit(), "counts by "+o.Unit().String())
	}
	if o.Period != nil {
		return nil
	}
	if _, _, ok := OffsetInBuckets(p.n, o.Grain, grain); ok {
		return nil
	}
	return &planerr.Error{
		Code: planerr.CodeNotImplemented,
		Message: p.metric.Name + " looks " + o.Grain.String() + "s away, which is not a multiple of buckets by " +
			grain.String(),
		Metrics:  []string{p.Owner},
		Fragment: map[string]any{"group_by": retry.ReplaceGrain(p.In.Query.GroupBy, p.groups[group], o.Unit())},
	}
}

// unsuitableUnitError returns the error of a window whose unit cannot count the buckets of a group.
func (p WindowGroupByChecker) unsuitableUnitError(g scope.Group, unit catalog.GrainOrPeriod, what string) *planerr.Error {
	return &planerr.Error{
		Code:     planerr.CodeNotImplemented,
		Message:  p.metric.Name + " " + what + ", which does not count buckets by " + g.BucketUnit().String(),
		Metrics:  []string{p.Owner},
		Fragment: map[string]any{"group_by": retry.ReplaceGrain(p.In.Query.GroupBy, g, unit)},
	}
}

// unsuitableResetError returns the error of a window that cannot begin again with a unit over the buckets of a group. The retry takes
// the grain of which a period has whole buckets, else the unit itself.
func (p WindowGroupByChecker) unsuitableResetError(g scope.Group, reset catalog.GrainOrPeriod) error {
	retried := reset
	if period := reset.Period; period != nil && period.Whole != sqlexpr.GrainNone && p.In.HasWholeBuckets(period, period.Whole) && p.axis != nil && p.axis.StoredGrain() <= period.Whole {
		retried = catalog.GrainOrPeriod{Grain: period.Whole}
	}
	e := p.unsuitableUnitError(g, reset, "begins again with each "+reset.String())
	e.Fragment = map[string]any{"group_by": retry.ReplaceGrain(p.In.Query.GroupBy, g, retried)}
	return e
}

// checkFullWindowOneRowPerBucket rejects a full window of calendar buckets where one bucket may
// be several rows of the partition: engines count rows, and none of them counts
// distinct buckets inside a frame.
func (p WindowGroupByChecker) checkFullWindowOneRowPerBucket() error {
	f := p.spec.Frame
	if f == nil || !f.RequireFullWindow || !f.Range || f.Unbounded || f.PartitionScope || !p.spec.OrderedByTime() ||
		p.spec.EffectivePartition().Mode == catalog.PartitionDimensions {
		return nil
	}
	kept, split := []query.GroupBy{}, ""
	buckets := p.In.BucketsOfAxis(p.groups, p.axis)
	for i, g := range p.groups {
		if g.IsRemainder {
			continue
		}
		if i == buckets.Group || buckets.IsAttribute(i) {
			kept = append(kept, g.Item)
		} else {
			split = g.Name
		}
	}
	if split == "" {
		return nil
	}
	return &planerr.Error{
		Code:     planerr.CodeNotImplemented,
		Message:  "the window of " + p.metric.Name + " needs every bucket of its range, and " + split + " splits a bucket into several rows of its partition",
		Metrics:  []string{p.Owner},
		Fragment: map[string]any{"group_by": kept},
	}
}
