package reference

import (
	"maps"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// windowPopulation is the population of a window: all groups that it may look at.
type windowPopulation struct {
	e      *evaluator
	l      *measureLeaf // the first measure of the base
	base   *expressionUnderWindow
	m      *catalog.Metric
	axis   int // index of the group-by that is the axis; -1: none
	order  *catalog.WindowOrder
	groups []*windowGroup

	cells           []windowCells // by view
	valueOverNoRows Value
	valueAtLevel    func(dims []Value) Value // of a base that is made of metrics at other levels; nil of any other
	onRead          func(*windowGroup)       // called with the groups that a value is computed from; may be nil
}

// windowGroup is one group of a population.
type windowGroup struct {
	key         string
	dims        []Value
	rows        rowsByLeaf
	value       Value
	secondValue Value // of the second input
	partition   string
	isInRange   bool
}

// evaluateWindowMetric computes a windowed metric: its base per group, then the
// function over all groups for each group.
func (e *evaluator) evaluateWindowMetric(m *catalog.Metric, chain []*catalog.Metric, c metricColumn) valuesByGroup {
	out := valuesByGroup{values: map[string]Value{}}
	// What refuses another metric leaves this one its own causes: the service names one of all.
	ofOthers := e.must
	e.must = map[string]bool{}
	defer func() {
		maps.Copy(ofOthers, e.must)
		e.must = ofOthers
	}()
	p := &windowPopulation{e: e, base: e.expressionUnderWindowOf(m, chain, c), m: m, order: effectiveWindowOrder(m.Window)}
	p.l = p.base.leaves[0].measureLeaf
	if p.l.grain, p.axis = e.finestGrainOfAxis(p.l.axis); p.axis >= 0 {
		p.l.period = e.groups[p.axis].period
	}
	if len(chain) == 1 {
		e.checkConformedGroups(m)
	}
	if !p.checkWindow() {
		return out
	}
	if isMadeOfLevels(m) {
		p.refuseLevels()
	}
	if m.Window.Offset != nil && (e.isMadeOfWindows(m) || isMadeOfLevels(m)) {
		return p.evaluateOffsetOfExpression(chain, c)
	}
	if isMadeOfLevels(m) {
		p.valueAtLevel = e.evaluateMetric(withoutWindow(m), chain[:len(chain)-1], c)
	}
	if len(e.must) > 0 {
		return out
	}
	return p.windowByLaw()
}

// refuseLevels rejects windows over metrics at other levels, whose values do not follow from the rows of a group: the offset reads the value
// at another bucket, which the metric keeps, and ranks and values those of rows in range.
func (p *windowPopulation) refuseLevels() {
	w := p.l.window
	switch {
	case p.e.isMadeOfWindows(p.m), w.Offset == nil && w.Rank == nil && w.Value == nil, w.Offset == nil && p.population() != catalog.PopulationRange:
		p.e.addMustRejectCode("not_implemented")
	case w.Offset == nil:
	case w.Offset.Period != nil, p.l.period != nil, p.e.fill != nil, p.e.isComparedByBuckets():
		p.e.addMayRejectCode("not_implemented")
	case p.e.leavesOut(p.m, p.axis):
		p.e.addMustRejectCode("not_implemented")
	}
}

// leavesOut reports whether a level under a metric leaves out a group.
func (e *evaluator) leavesOut(m *catalog.Metric, group int) bool {
	if m.At != nil && e.groupsLeftOut(m)[group] {
		return true
	}
	return slices.ContainsFunc(m.MemberMetricsOnDialect(expressionDialect), func(o *catalog.Metric) bool { return e.leavesOut(o, group) })
}

// isMadeOfLevels reports whether a metric is, or is made of, one at another level.
func isMadeOfLevels(m *catalog.Metric) bool {
	return m.At != nil || slices.ContainsFunc(m.MemberMetricsOnDialect(expressionDialect), isMadeOfLevels)
}

// newWindowGroup returns a group of the base with its value.
func (p *windowPopulation) newWindowGroup(key string, members rowsByLeaf) *windowGroup {
	c := &windowGroup{key: key, dims: make([]Value, len(p.e.groups)), rows: members, isInRange: p.e.isCurrentLevelGrandTotal()}
	if p.l.second != nil {
		first := p.base.leaves[0]
		c.secondValue = p.e.aggregateGroup(p.l.second, nil, p.l, members[first], first.home)
	}
	for _, rows := range members {
		for _, f := range rows {
			c.dims, c.isInRange = f.dims, c.isInRange || f.inTimeRange
		}
	}
	if p.valueAtLevel != nil {
		c.value = p.valueAtLevel(c.dims)
	} else {
		c.value = p.base.value(members)
	}
	c.partition = p.partitionKey(c)
	return c
}

// effectiveWindowOrder returns the order of a window; nil for none.
func effectiveWindowOrder(w *catalog.Window) *catalog.WindowOrder {
	byTime := &catalog.WindowOrder{ByTime: true}
	switch {
	case w.Frame != nil && w.Frame.PartitionScope:
		return nil
	case w.Frame != nil && w.Frame.Order != nil:
		return w.Frame.Order
	case w.Rank != nil && w.Rank.Order != nil:
		return w.Rank.Order
	case w.Rank != nil:
		return &catalog.WindowOrder{Desc: true}
	case w.Value != nil && w.Value.Order != nil:
		return w.Value.Order
	}
	return byTime
}

func (p *windowPopulation) partitionSpec() catalog.WindowPartition {
	var split catalog.WindowPartition
	switch w := p.l.window; {
	case w.Frame != nil:
		split = w.Frame.Partition
	case w.Rank != nil:
		split = w.Rank.Partition
	case w.Value != nil:
		split = w.Value.Partition
	}
	if split.Mode == catalog.PartitionDefault && len(split.Exclude) > 0 {
		split.Mode = catalog.PartitionDimensionsExcept
	}
	return split
}

func (p *windowPopulation) resetGrain() sqlexpr.Grain {
	switch w := p.l.window; {
	case w.Cumulative != nil:
		return w.Cumulative.Reset
	case w.Frame != nil:
		return w.Frame.Reset
	case w.Recompute != nil:
		return w.Recompute.Reset
	}
	return sqlexpr.GrainNone
}

// hasReset reports whether the window begins again.
func (p *windowPopulation) hasReset() bool {
	return p.resetGrain() != sqlexpr.GrainNone || p.resetPeriod() != nil
}

// needsAxis reports whether the window means nothing without the axis.
func (p *windowPopulation) needsAxis() bool {
	return p.isOrderedByTime() || p.partitionSpec().Mode == catalog.PartitionTimeBucket || p.hasReset()
}

// lacksAxisAtLevel reports whether the level does not have the axis that the window is ordered by.
func (p *windowPopulation) lacksAxisAtLevel() bool {
	reset := p.l.window.Frame != nil && !p.l.window.Frame.PartitionScope && p.hasReset()
	return p.axis >= 0 && !p.e.currentLevel.groupsBy(p.axis) && (p.isOrderedByTime() || reset)
}

func (p *windowPopulation) isOrderedByTime() bool { return p.order != nil && p.order.ByTime }

// mayShowBucketsAfterCutOne reports whether measures of other axes may show buckets after the one in which the range ends, because
// the range is not over the group that has them.
func (p *windowPopulation) mayShowBucketsAfterCutOne() bool {
	if len(p.e.axesOfQuery()) < 2 || p.population() == catalog.PopulationRange {
		return false
	}
	g := p.e.groups[p.axis]
	return slices.ContainsFunc(p.base.leaves, func(b *measureUnderWindow) bool {
		return b.timeRange.end != nil && (b.timeRange.onAxis != g.onAxis || len(p.e.rowConditions) > 0)
	})
}

// checkWindow rejects a window that the query's groups do not suit.
func (p *windowPopulation) checkWindow() bool {
	e, w, split := p.e, p.l.window, p.partitionSpec()
	for _, f := range split.Exclude {
		if !slices.ContainsFunc(e.groups, func(g groupByItem) bool { return !g.onAxis && !g.isLeftOut && g.equals(fieldTarget{field: f}) }) {
			e.addMustRejectCode("window_exclude_not_grouped")
		}
	}
	if slices.ContainsFunc(p.base.leaves, func(b *measureUnderWindow) bool { return !b.isAtLevel && e.aggregatesLOD(b.measure) }) {
		e.addMustRejectCode("not_implemented")
	} else if p.l.second != nil && e.aggregatesLOD(p.l.second) {
		e.addMayRejectCode("not_implemented")
	}
	for _, leaf := range p.base.leaves {
		for _, g := range e.groups {
			if g.groupsByAxis(leaf.axis) && !p.isAttribute(g) && p.needsAxis() {
				e.addMayRejectCode("not_implemented") // a group-by splits the buckets of a part of the base
			}
		}
	}
	if p.axis < 0 {
		if p.needsAxis() {
			e.addMustRejectCode("unknown_dimension")
			if p.l.axis == nil {
				e.addMayRejectCode("no_primary_time_dimension")
			}
			p.allowRejectionOfOtherAxes()
			return false
		}
		return true
	}
	for _, leaf := range p.base.leaves {
		if _, at := e.finestGrainOfAxis(leaf.axis); at != p.axis && p.needsAxis() {
			e.addMustRejectCode("unknown_dimension") // a part of the base lies on another axis; other causes may come first
			p.allowRejectionOfOtherAxes()
		}
	}
	for _, g := range e.groups {
		if g.groupsByAxis(p.l.axis) && !p.isAttribute(g) && p.needsAxis() {
			e.addMustRejectCode("not_implemented")
		}
	}
	if top := e.top; top != nil && e.groups[top.dimension].groupsByAxis(p.l.axis) && e.groups[top.dimension].grain != sqlexpr.GrainNone {
		if (p.isOrderedByTime() || p.hasReset()) && top.dimension == p.axis {
			e.addMustRejectCode("not_implemented") // the buckets have no order any more
		}
		e.addMayRejectCode("not_implemented")
	}
	if f := w.Frame; f != nil && f.RequireFullWindow && f.Range && split.Mode != catalog.PartitionDefault && split.Mode != catalog.PartitionDimensions {
		e.addMayRejectCode("not_implemented") // it takes counting buckets where a bucket is several rows
	}
	isOfRange := func(b *measureUnderWindow) bool { return p.l.timeRange.equals(fieldTarget{field: b.axis}) }
	if r := p.l.timeRange; r.hasStartOrEnd() && !r.onAxis && p.readsBucketsOutsideRange() && slices.ContainsFunc(p.base.leaves, isOfRange) {
		if slices.ContainsFunc(p.base.leaves, func(b *measureUnderWindow) bool { return !isOfRange(b) }) {
			e.addMayRejectCode("not_implemented") // the range bounds the buckets of a part of the base
		}
	}
	if p.mayShowBucketsAfterCutOne() {
		e.addMayRejectCode("not_implemented")
	}
	if p.hasReset() && !p.canReset() {
		e.addMustRejectCode("not_implemented")
	} else if reset := p.resetGrain(); reset != sqlexpr.GrainNone && reset < p.l.grain {
		e.addMustRejectCode("window_reset_too_fine")
	}
	if w.Recompute != nil {
		p.checkRecomputeWindow(w.Recompute)
		p.checkSpan(w.Recompute.Span)
	}
	if w.Rolling != nil && w.Rolling.Span != nil {
		p.checkSpan(w.Rolling.Span)
		p.checkRollingSpan(w.Rolling.Span)
	}
	if w.Offset != nil && !p.canCountBucketsByUnit(w.Offset.Period) {
		e.addMustRejectCode("not_implemented")
	} else if w.Offset != nil && w.Offset.Period == nil && p.l.period == nil && !isWholeNumberOfBuckets(p.l.grain, w.Offset.Grain, p.l.binding.resolveWindowCount(p.m, w.Offset.Count)) {
		e.addMustRejectCode("not_implemented")
	}
	return true
}

// partitionKey names the partition of a group.
func (p *windowPopulation) partitionKey(c *windowGroup) string {
	split := p.partitionSpec()
	mode := split.Mode
	if mode == catalog.PartitionDefault && p.l.window.Rank != nil {
		mode = catalog.PartitionNone
	}
	switch mode {
	case catalog.PartitionNone:
		return ""
	case catalog.PartitionTimeBucket:
		if p.axis+1 < len(p.e.groups) && p.e.groups[p.axis+1].isOther {
			return groupKey(c.dims[p.axis : p.axis+2]...)
		}
		return groupKey(c.dims[p.axis])
	}
	var by []Value
	for i, d := range c.dims {
		g := p.e.groups[i]
		if g.isOther {
			g = p.e.groups[i-1]
		}
		excluded := slices.ContainsFunc(split.Exclude, func(f *catalog.Field) bool { return g.equals(fieldTarget{field: f}) })
		if !g.groupsByAxis(p.l.axis) && !excluded && !p.isAttribute(g) {
			by = append(by, d)
		}
	}
	return groupKey(by...)
}

// evaluateWindow returns the window's value for one group.
func (p *windowPopulation) evaluateWindow(c *windowGroup) Value {
	w := p.l.window
	if p.isOrderedByTime() && c.dims[p.axis] == nil {
		return nil
	}
	switch {
	case w.Offset != nil:
		return p.evaluateOffsetWindow(c)
	case w.Rolling != nil && w.Rolling.Span != nil && p.l.period == nil:
		return p.evaluateRollingSpan(c, w.Rolling, w.Rolling.Span)
	case w.Rolling != nil:
		n := p.l.binding.resolveWindowCount(p.m, w.CountArgument())
		return p.aggregateBucketFrame(c, w.Rolling.Function, n-1, false, w.Rolling.RequireFullWindow)
	case w.Cumulative != nil:
		return p.windowValueOverGroups(w.Cumulative.Function, p.frameGroups(c, func(o *windowGroup) bool { return p.compareByWindowOrder(o, c) <= 0 }))
	case w.Frame != nil:
		return p.evaluateFrameWindow(c)
	case w.Rank != nil:
		return p.evaluateRankWindow(c)
	case w.Recompute != nil:
		return p.evaluateRecomputeWindow(c, w.Recompute)
	}
	return p.evaluateValueWindow(c)
}

// groupsOfSamePartition returns the groups of a partition that take part in the window.
func (p *windowPopulation) groupsOfSamePartition(c *windowGroup) []*windowGroup {
	var out []*windowGroup
	for _, o := range p.groups {
		if o.partition == c.partition && !(p.isOrderedByTime() && o.dims[p.axis] == nil) {
			out = append(out, o)
		}
	}
	return out
}

// frameGroups lists the groups of c's partition, and of its reset period, that a
// frame takes.
func (p *windowPopulation) frameGroups(c *windowGroup, takes func(o *windowGroup) bool) []*windowGroup {
	var out []*windowGroup
	for _, o := range p.groupsOfSamePartition(c) {
		samePeriod := true
		if period := p.resetPeriod(); period != nil {
			samePeriod = p.e.readCalendarPeriods(period).startOfPeriod(o.dims[p.axis]) == p.e.readCalendarPeriods(period).startOfPeriod(c.dims[p.axis])
		} else if reset := p.resetGrain(); reset != sqlexpr.GrainNone {
			samePeriod = p.resetBucketOf(reset, o) == p.resetBucketOf(reset, c)
		}
		if samePeriod && takes(o) {
			out = append(out, o)
		}
	}
	return out
}

// resetBucketOf returns the bucket of a coarser grain that the bucket of a group belongs to.
func (p *windowPopulation) resetBucketOf(reset sqlexpr.Grain, c *windowGroup) Value {
	if day, ok := c.dims[p.axis].(Date); ok {
		return p.e.clock.bucketStartDay(reset, day)
	}
	return p.e.clock.bucketOfValue(p.l.axis, reset, c.dims[p.axis])
}

// compareByWindowOrder compares two groups by what the window orders by: negative when a sorts
// before b, zero for peers.
func (p *windowPopulation) compareByWindowOrder(a, b *windowGroup) int {
	x, y := a.value, b.value
	if p.order.ByTime {
		x, y = a.dims[p.axis], b.dims[p.axis]
	}
	if p.order.Desc && x != nil && y != nil {
		return -compareNullsLast(x, y)
	}
	return compareNullsLast(x, y)
}

// compareWithTieBreak is place with ties broken by the group-bys.
func (p *windowPopulation) compareWithTieBreak(a, b *windowGroup) int {
	if order := p.compareByWindowOrder(a, b); order != 0 {
		return order
	}
	return slices.CompareFunc(a.dims, b.dims, compareNullsLast)
}

// evaluateOffsetWindow compares with the bucket that lies some granularities away.
func (p *windowPopulation) evaluateOffsetWindow(c *windowGroup) Value {
	bucket, exists := p.offsetBucket(c.dims[p.axis])
	var other Value
	if exists {
		other = p.valueOverNoRows
	}
	for _, o := range p.groupsOfSamePartition(c) {
		if exists && o.dims[p.axis] == bucket {
			other = o.value
			p.read(o)
		}
	}
	return p.calculate(c.value, other)
}
