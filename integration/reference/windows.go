package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// windowPopulation is the population of a window: all groups that it may look at.
type windowPopulation struct {
	e      *evaluator
	l      *measureLeaf
	m      *catalog.Metric
	axis   int // index of the group-by that is the axis; -1: none
	order  *catalog.WindowOrder
	groups []*cell
}

// cell is one group of a population.
type cell struct {
	key   string
	dims  []Value
	value Value
	other Value // of the second input
	part  string
	shown bool
}

// window computes a windowed metric: the base aggregate per group, then the
// function over all groups for each group.
func (e *evaluator) window(l *measureLeaf) cells {
	out := cells{values: map[string]Value{}}
	p := &windowPopulation{e: e, l: l, m: l.chain[len(l.chain)-1], order: orderOf(l.window)}
	l.grain, p.axis = e.grainOf(l.axis)
	if !p.checkWindow() {
		return out
	}
	rows, home, ok := e.branchRows(l)
	if !ok || len(e.must) > 0 {
		return out
	}
	if p.axis >= 0 && l.axis.Encoding != nil && l.span.isBounded() && slices.ContainsFunc(rows, func(f branchRow) bool { return f.inside && f.dims[p.axis] == nil }) {
		abstain("a code in range that stands for no time, under a window")
	}
	rows = slices.DeleteFunc(rows, func(f branchRow) bool { return !f.inside && !p.readsOutsideRange(f) })
	groups := groupRows(rows)
	if len(e.groups) == 0 && len(groups) == 0 {
		groups[keyOf()] = nil // without group-bys there is one group, if need be of nothing
	}
	for key, members := range groups {
		c := &cell{key: key, value: e.aggregate(l.measure, l.filters, l, members, home)}
		if l.second != nil {
			c.other = e.aggregate(l.second, nil, l, members, home)
		}
		c.shown = len(e.groups) == 0
		for _, f := range members {
			c.dims, c.shown = f.dims, c.shown || f.inside
		}
		c.part = p.partitionKey(c)
		p.groups = append(p.groups, c)
	}
	for _, c := range p.groups {
		if c.shown {
			e.seen[c.key] = c.dims
			out.values[c.key] = p.evaluateWindow(c)
		}
	}
	return out
}

// orderOf is what a window orders by: nil for nothing.
func orderOf(w *catalog.Window) *catalog.WindowOrder {
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

func (p *windowPopulation) partitionSpec() catalog.Partition {
	var split catalog.Partition
	switch w := p.l.window; {
	case w.Frame != nil:
		split = w.Frame.Partition
	case w.Rank != nil:
		split = w.Rank.Partition
	case w.Value != nil:
		split = w.Value.Partition
	}
	if split.Mode == "" && len(split.Exclude) > 0 {
		split.Mode = "query_dimensions_except"
	}
	return split
}

func (p *windowPopulation) resetGrain() sqlexpr.Grain {
	switch w := p.l.window; {
	case w.Cumulative != nil:
		return w.Cumulative.Reset
	case w.Frame != nil:
		return w.Frame.Reset
	}
	return sqlexpr.GrainNone
}

// needsAxis reports whether the window means nothing without the axis.
func (p *windowPopulation) needsAxis() bool {
	return p.byTime() || p.partitionSpec().Mode == "time_bucket" || p.resetGrain() != sqlexpr.GrainNone
}

func (p *windowPopulation) byTime() bool { return p.order != nil && p.order.ByTime }

// checkWindow refuses a window that the query's groups do not suit.
func (p *windowPopulation) checkWindow() bool {
	e, w, split := p.e, p.l.window, p.partitionSpec()
	for _, f := range split.Exclude {
		if !slices.ContainsFunc(e.groups, func(g groupByItem) bool { return !g.onAxis && g.same(target{field: f}) }) {
			e.require("window_exclude_not_grouped")
		}
	}
	if e.aggregatesLOD(p.l.measure) {
		e.require("not_implemented")
	} else if p.l.second != nil && e.aggregatesLOD(p.l.second) {
		e.allow("not_implemented")
	}
	if p.axis < 0 {
		if p.needsAxis() {
			e.require("unknown_dimension")
			if p.l.axis == nil {
				e.allow("no_primary_time_dimension")
			}
			return false
		}
		return true
	}
	for _, g := range e.groups {
		within := g.grain != sqlexpr.GrainNone && (g.grain == p.l.grain || p.l.grain == sqlexpr.GrainDay || months(p.l.grain) > 0 && g.grain > p.l.grain)
		if g.readsAxis(p.l.axis) && !within && p.needsAxis() {
			e.require("not_implemented") // a group-by splits the buckets
		}
	}
	if f := w.Frame; f != nil && f.RequireFullWindow && f.Range && split.Mode != "" && split.Mode != "query_dimensions" {
		e.allow("not_implemented") // it takes counting buckets where a bucket is several rows
	}
	if reset := p.resetGrain(); reset != sqlexpr.GrainNone && reset < p.l.grain {
		e.require("window_reset_too_fine")
	}
	if w.Offset != nil && !wholeBuckets(p.l.grain, w.Offset.Grain, p.l.bound.count(p.m, w.Offset.Count)) {
		e.require("not_implemented")
	}
	return true
}

// readsOutsideRange reports whether the window sees a row outside the time range: some
// windows read other buckets in full, and none reads more of a shown bucket.
func (p *windowPopulation) readsOutsideRange(f branchRow) bool {
	s := p.l.span
	if !s.onAxis && !s.same(target{field: p.l.axis}) || p.axis < 0 {
		return false
	}
	day, ok := f.dims[p.axis].(Date)
	if !ok || s.overlapsBucket(p.l.grain, day) {
		return false
	}
	switch w := p.l.window; {
	case w.Offset != nil, w.Rolling != nil:
		return true
	case w.Frame != nil && p.byTime():
		return !w.Frame.Unbounded || w.Frame.Reset != sqlexpr.GrainNone
	}
	return p.resetGrain() != sqlexpr.GrainNone
}

// partitionKey names the partition of a group.
func (p *windowPopulation) partitionKey(c *cell) string {
	split := p.partitionSpec()
	mode := split.Mode
	if mode == "" && p.l.window.Rank != nil {
		mode = "none"
	}
	switch mode {
	case "none":
		return ""
	case "time_bucket":
		return keyOf(c.dims[p.axis])
	}
	var by []Value
	for i, d := range c.dims {
		g := p.e.groups[i]
		excluded := slices.ContainsFunc(split.Exclude, func(f *catalog.Field) bool { return g.same(target{field: f}) })
		if !g.readsAxis(p.l.axis) && !excluded {
			by = append(by, d)
		}
	}
	return keyOf(by...)
}

// evaluateWindow is the window's value for one group.
func (p *windowPopulation) evaluateWindow(c *cell) Value {
	w := p.l.window
	if p.byTime() && c.dims[p.axis] == nil {
		return nil
	}
	switch {
	case w.Offset != nil:
		return p.offsetValue(c)
	case w.Rolling != nil:
		n := p.l.bound.count(p.m, w.Rolling.Periods)
		return p.calendarFrame(c, w.Rolling.Function, n-1, false, w.Rolling.RequireFullWindow)
	case w.Cumulative != nil:
		return p.aggregateCells(w.Cumulative.Function, p.frameCells(c, func(o *cell) bool { return p.compareByOrder(o, c) <= 0 }))
	case w.Frame != nil:
		return p.frameValue(c)
	case w.Rank != nil:
		return p.rank(c)
	}
	return p.pickValue(c)
}

// partitionCells are the groups of a partition that take part in the window.
func (p *windowPopulation) partitionCells(c *cell) []*cell {
	var out []*cell
	for _, o := range p.groups {
		if o.part == c.part && !(p.byTime() && o.dims[p.axis] == nil) {
			out = append(out, o)
		}
	}
	return out
}

// frameCells lists the groups of c's partition, and of its reset period, that a
// frame takes.
func (p *windowPopulation) frameCells(c *cell, takes func(o *cell) bool) []*cell {
	var out []*cell
	for _, o := range p.partitionCells(c) {
		samePeriod := true
		if reset := p.resetGrain(); reset != sqlexpr.GrainNone {
			samePeriod = bucketStart(reset, o.dims[p.axis].(Date)) == bucketStart(reset, c.dims[p.axis].(Date))
		}
		if samePeriod && takes(o) {
			out = append(out, o)
		}
	}
	return out
}

// compareByOrder compares two groups by what the window orders by: negative when a sorts
// before b, zero for peers.
func (p *windowPopulation) compareByOrder(a, b *cell) int {
	x, y := a.value, b.value
	if p.order.ByTime {
		x, y = a.dims[p.axis], b.dims[p.axis]
	}
	if p.order.Desc && x != nil && y != nil {
		return -compareNullsLast(x, y)
	}
	return compareNullsLast(x, y)
}

// compareOrdered is place with ties broken by the group-bys.
func (p *windowPopulation) compareOrdered(a, b *cell) int {
	if order := p.compareByOrder(a, b); order != 0 {
		return order
	}
	return slices.CompareFunc(a.dims, b.dims, compareNullsLast)
}

// offsetValue compares with the bucket that lies some granularities away.
func (p *windowPopulation) offsetValue(c *cell) Value {
	w := p.l.window.Offset
	n := p.l.bound.count(p.m, w.Count)
	if !w.Forward {
		n = -n
	}
	day, exists := shiftDate(c.dims[p.axis].(Date), w.Grain, n)
	var other Value
	for _, o := range p.partitionCells(c) {
		if exists && o.dims[p.axis] == Value(day) {
			other = o.value
		}
	}
	switch w.Calculation {
	case "value":
		return other
	case "delta":
		return binary(sqlexpr.OpSub, c.value, other)
	case "ratio":
		return binary(sqlexpr.OpDiv, c.value, other)
	}
	return binary(sqlexpr.OpDiv, binary(sqlexpr.OpSub, c.value, other), other)
}
