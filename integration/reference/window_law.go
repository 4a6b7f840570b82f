package reference

import (
	"maps"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// rowView is which of its input rows a window sees.
type rowView int

const (
	viewAll      rowView = iota // inside and outside of the range
	viewUntilEnd                // the rows before the end of the range
	viewInRange
)

// windowCells are the buckets with data of a window's base, in one view of the input.
type windowCells struct {
	list  []*windowGroup
	byKey map[string]*windowGroup
}

// windowByLaw returns the value of a window. The value at a bucket and its groups is computed from
// the input rows alone. The rows of the result, and other metrics, are not an input.
func (p *windowPopulation) windowByLaw() valuesByGroup {
	out := valuesByGroup{values: map[string]Value{}}
	if !p.readCells() || len(p.e.must) > 0 {
		return out
	}
	if (p.m.Window.Recompute != nil || p.m.Window.Span() != nil) && slices.ContainsFunc(p.base.leaves, func(b *measureUnderWindow) bool { return b.isOnce }) {
		p.e.addMayRejectCode("not_implemented") // rows that joins repeat are read again
	}
	p.groups = p.cells[viewAll].list
	if p.refuseCalculationWithoutNumbers(); len(p.e.must) > 0 {
		return out
	}
	for key, c := range p.cells[viewInRange].byKey {
		p.e.branchGroups[key] = c.dims
	}
	p.recordGroupsRead()
	level, lacksAxis, withFilled := p.e.currentLevel, p.lacksAxisAtLevel(), p.e.fill
	out.isFilled = func(string) bool { return true }
	out.filledValue = func(dims []Value) Value {
		if lacksAxis {
			return nil
		}
		defer func(before totalsLevel) { p.e.currentLevel = before }(p.e.currentLevel)
		p.e.currentLevel = level
		return p.valueByLaw(dims, withFilled != nil)
	}
	return out
}

// valueByLaw returns the value of the window at a bucket and groups.
func (p *windowPopulation) valueByLaw(dims []Value, filled bool) Value {
	if p.isOutsideTag(dims) {
		return nil
	}
	key := groupKey(dims...)
	cells := p.cells[p.viewAt(dims)]
	p.groups = cells.list
	c, hasData := cells.byKey[key]
	switch {
	case hasData:
	case !p.isTimeOrdered() || p.e.fault == FaultWindowNeedsOwnRow && !filled:
		return nil
	default:
		c = &windowGroup{key: key, dims: dims, value: p.valueOverNoRows}
		c.partition = p.partitionKey(c)
		if p.e.fault == FaultFilledRowEntersWindows && filled {
			p.groups = append(slices.Clone(p.groups), &windowGroup{key: key, dims: dims, value: 0.0, partition: c.partition})
		}
	}
	if p.l.window.Offset != nil {
		current, view := *c, viewInRange
		if p.e.isBucketMoved {
			view = viewAll
		}
		if current.value = p.valueOverNoRows; p.cells[view].byKey[key] != nil {
			current.value = p.cells[view].byKey[key].value
		}
		c = &current
	}
	return p.evaluateWindow(c)
}

// readCells groups the input rows of the base into buckets, once for each view.
func (p *windowPopulation) readCells() bool {
	e, input := p.e, map[*measureUnderWindow][]branchRow{}
	for _, leaf := range p.base.leaves {
		leaf.grain, leaf.period = p.l.grain, p.l.period
		rows, home, ok := e.branchRows(leaf.measureLeaf)
		if !ok {
			return false
		}
		if leaf.home = home; p.axis >= 0 && leaf.axis != nil && leaf.axis.Encoding != nil && leaf.timeRange.hasStartOrEnd() && slices.ContainsFunc(rows, func(f branchRow) bool { return f.inTimeRange && f.dims[p.axis] == nil }) {
			abstain("a code in range that stands for no time, under a window")
		}
		input[leaf] = rows
	}
	if p.valueAtLevel == nil {
		p.valueOverNoRows = p.base.value(rowsByLeaf{})
	}
	for view := viewAll; view <= viewInRange; view++ {
		groups := map[string]rowsByLeaf{}
		for leaf, rows := range input {
			sees := func(f branchRow) bool { return leaf.sees(view, f) }
			kept := slices.DeleteFunc(slices.Clone(rows), func(f branchRow) bool { return !sees(f) })
			for _, f := range e.markSnapshotRows(leaf.measureLeaf, kept, leaf.home, sees) {
				key := groupKey(f.dims...)
				if groups[key] == nil {
					groups[key] = rowsByLeaf{}
				}
				groups[key][leaf] = append(groups[key][leaf], f)
			}
		}
		p.cells = append(p.cells, p.cellsOf(groups))
	}
	return true
}

func (p *windowPopulation) cellsOf(groups map[string]rowsByLeaf) windowCells {
	out := windowCells{byKey: map[string]*windowGroup{}}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		c := p.newWindowGroup(key, groups[key])
		out.list, out.byKey[key] = append(out.list, c), c
	}
	return out
}

// isRangeOnAxis reports whether the range chooses buckets. Another range is a condition on the input.
func (l *measureLeaf) isRangeOnAxis() bool {
	return l.timeRange.hasStartOrEnd() && (l.timeRange.onAxis || l.timeRange.equals(fieldTarget{field: l.axis}))
}

// sees reports whether a row is in a view of the input.
func (l *measureLeaf) sees(view rowView, f branchRow) bool {
	switch view {
	case viewInRange:
		return f.inTimeRange
	case viewUntilEnd:
		return !l.isRangeOnAxis() || f.beforeEnd
	}
	return true
}

// viewAt returns the view that a window has at a row. Without a bucket, and where the population of the window is the
// range, it is the rows in range. The end of a range that cuts the bucket is the end of every window there.
func (p *windowPopulation) viewAt(dims []Value) rowView {
	switch {
	case p.axis < 0, !p.e.currentLevel.groupsBy(p.axis), p.population() == catalog.PopulationRange:
		return viewInRange
	case p.isOrderedByTime() && p.hasFrameOrDistance() && dims[p.axis] != nil && p.doesEndCut(dims[p.axis]):
		return viewUntilEnd
	}
	return viewAll
}

// hasFrameOrDistance reports whether the window looks at buckets around a row, and not at the places of all rows.
func (p *windowPopulation) hasFrameOrDistance() bool {
	return p.l.window.Rank == nil && p.l.window.Value == nil
}

// isTimeOrdered reports whether the window has a value at every bucket, with data or without.
func (p *windowPopulation) isTimeOrdered() bool {
	switch w := p.l.window; {
	case w.Rank != nil, w.Value != nil:
		return false
	case w.Frame != nil:
		return w.Frame.Range && p.isOrderedByTime()
	}
	return true
}

func (p *windowPopulation) population() catalog.WindowPopulation {
	if p.e.fault == FaultRunningTotalOfRange && p.l.window.Cumulative != nil {
		return catalog.PopulationRange
	}
	if declared := p.l.window.Population; declared != catalog.PopulationDefault {
		return declared
	}
	if w := p.l.window; w.Rank != nil || w.Value != nil || w.Frame != nil && w.Frame.PartitionScope {
		return catalog.PopulationRange
	}
	return catalog.PopulationAll
}

// leafWithRange returns the part of the base of which the range chooses the buckets; nil when there is none.
func (p *windowPopulation) leafWithRange() *measureLeaf {
	for _, leaf := range p.base.leaves {
		if leaf.isRangeOnAxis() {
			return leaf.measureLeaf
		}
	}
	return nil
}

// doesEndCut reports whether the range ends within a bucket.
func (p *windowPopulation) doesEndCut(bucket Value) bool {
	l := p.leafWithRange()
	if l == nil || l.timeRange.end == nil || p.e.isBucketMoved {
		return false
	}
	until, from := l.timeRange, l.timeRange
	until.start, until.startAt = nil, nil
	from.start, from.startAt, from.end, from.endAt = from.end, from.endAt, nil, nil
	meets := func(s timeRange) bool { return p.e.bucketOverlapsRange(s, l.axis, p.l.grain, p.l.period, bucket) }
	return meets(until) && meets(from)
}

// isOutsideTag reports whether a row lies outside the range of the tag of a tagged window. The row without a bucket, of days that are in no
// period, lies in it where it has rows in range.
func (p *windowPopulation) isOutsideTag(dims []Value) bool {
	l := p.leafWithRange()
	if l == nil || l.timeRange.tag == "" || p.e.isBucketMoved || p.axis < 0 || !p.e.currentLevel.groupsBy(p.axis) {
		return false
	}
	bucket := dims[p.axis]
	if bucket == nil {
		return p.cells[viewInRange].byKey[groupKey(dims...)] == nil
	}
	return !p.e.bucketOverlapsRange(l.timeRange, l.axis, p.l.grain, p.l.period, bucket)
}

// recordGroupsRead records, for the filling of buckets, the groups of the rows that the window reads for the buckets of
// the range.
func (p *windowPopulation) recordGroupsRead() {
	fill := p.e.fill
	if fill == nil || p.axis != fill.bucketGroup || !p.e.currentLevel.groupsBy(p.axis) {
		return
	}
	combinations := map[string][]Value{}
	for _, c := range p.cells[viewAll].list {
		other := fill.withoutBucket(c.dims)
		combinations[groupKey(other...)] = other
	}
	p.onRead = func(c *windowGroup) {
		other := fill.withoutBucket(c.dims)
		p.e.groupsRead[groupKey(other...)] = other
	}
	for _, other := range combinations {
		for _, bucket := range fill.buckets {
			p.valueByLaw(fill.withBucket(p.e, p.e.currentLevel, other, bucket), false)
		}
	}
	p.onRead = nil
	for _, c := range p.cells[viewAll].list {
		if p.e.groupsRead[groupKey(fill.withoutBucket(c.dims)...)] == nil && p.mayReadBucket(c.dims[p.axis], fill.buckets) {
			abstain("a group whose rows a plan may read, and whose windows in range are over none of them")
		}
	}
}

// mayReadBucket reports whether a plan may read a bucket for the windows of some others: it lies among them, or on the
// side where the window looks.
func (p *windowPopulation) mayReadBucket(bucket Value, shown []Value) bool {
	if bucket == nil || len(shown) == 0 {
		return false
	}
	forward := p.l.window.Offset != nil && p.l.window.Offset.Forward || p.order != nil && p.order.ByTime && p.order.Desc
	anywhere := !p.isOrderedByTime()
	return (forward || anywhere || compareNullsLast(bucket, shown[len(shown)-1]) <= 0) && (!forward || anywhere || compareNullsLast(bucket, shown[0]) >= 0)
}

// read records the groups that a value is computed from.
func (p *windowPopulation) read(groups ...*windowGroup) {
	if p.onRead == nil {
		return
	}
	for _, c := range groups {
		p.onRead(c)
	}
}

// isZeroOverNoData reports whether a function over buckets without data is 0.
func (p *windowPopulation) isZeroOverNoData(function sqlexpr.Func) bool {
	leaf := p.base.leaves[0]
	return function == sqlexpr.FnSum && leaf.measure.IsZeroOverNoRows()
}

// areWindowsTimeOrdered reports whether all windows that a metric is made of are ordered by time.
func areWindowsTimeOrdered(m *catalog.Metric) bool {
	return !slices.ContainsFunc(measuresOfMetric(m, nil), func(l measureInMetric) bool { return l.window != nil && !isTimeOrderedWindow(l.window) })
}
