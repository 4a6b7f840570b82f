package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// panel is the population of a window: all groups that it may look at.
type panel struct {
	e      *evaluation
	l      *leaf
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
func (e *evaluation) window(l *leaf) cells {
	out := cells{values: map[string]Value{}}
	p := &panel{e: e, l: l, m: l.chain[len(l.chain)-1], order: orderOf(l.window)}
	l.grain, p.axis = e.grainOf(l.axis)
	if !p.check() {
		return out
	}
	facts, home, ok := e.facts(l)
	if !ok || len(e.must) > 0 {
		return out
	}
	if p.axis >= 0 && l.axis.Encoding != nil && l.span.bounded() && slices.ContainsFunc(facts, func(f fact) bool { return f.inside && f.dims[p.axis] == nil }) {
		unsure("a code in range that stands for no time, under a window")
	}
	facts = slices.DeleteFunc(facts, func(f fact) bool { return !f.inside && !p.readsBeyond(f) })
	groups := grouped(facts)
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
		c.part = p.partition(c)
		p.groups = append(p.groups, c)
	}
	for _, c := range p.groups {
		if c.shown {
			e.seen[c.key] = c.dims
			out.values[c.key] = p.value(c)
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

func (p *panel) split() catalog.Partition {
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

func (p *panel) reset() sqlexpr.Grain {
	switch w := p.l.window; {
	case w.Cumulative != nil:
		return w.Cumulative.Reset
	case w.Frame != nil:
		return w.Frame.Reset
	}
	return sqlexpr.GrainNone
}

// needsAxis reports whether the window means nothing without the axis.
func (p *panel) needsAxis() bool {
	return p.byTime() || p.split().Mode == "time_bucket" || p.reset() != sqlexpr.GrainNone
}

func (p *panel) byTime() bool { return p.order != nil && p.order.ByTime }

// check refuses a window that the query's groups do not suit.
func (p *panel) check() bool {
	e, w, split := p.e, p.l.window, p.split()
	for _, f := range split.Exclude {
		if !slices.ContainsFunc(e.groups, func(g group) bool { return !g.onAxis && g.same(target{field: f}) }) {
			e.refuse("window_exclude_not_grouped")
		}
	}
	if e.overLOD(p.l.measure) {
		e.refuse("not_implemented")
	} else if p.l.second != nil && e.overLOD(p.l.second) {
		e.tolerate("not_implemented")
	}
	if p.axis < 0 {
		if p.needsAxis() {
			e.refuse("unknown_dimension")
			if p.l.axis == nil {
				e.tolerate("no_primary_time_dimension")
			}
			return false
		}
		return true
	}
	for _, g := range e.groups {
		within := g.grain != sqlexpr.GrainNone && (g.grain == p.l.grain || p.l.grain == sqlexpr.GrainDay || months(p.l.grain) > 0 && g.grain > p.l.grain)
		if g.readsAxis(p.l.axis) && !within && p.needsAxis() {
			e.refuse("not_implemented") // a group-by splits the buckets
		}
	}
	if f := w.Frame; f != nil && f.RequireFullWindow && f.Range && split.Mode != "" && split.Mode != "query_dimensions" {
		e.tolerate("not_implemented") // it takes counting buckets where a bucket is several rows
	}
	if reset := p.reset(); reset != sqlexpr.GrainNone && reset < p.l.grain {
		e.refuse("window_reset_too_fine")
	}
	if w.Offset != nil && !wholeBuckets(p.l.grain, w.Offset.Grain, p.l.bound.count(p.m, w.Offset.Count)) {
		e.refuse("not_implemented")
	}
	return true
}

// readsBeyond reports whether the window sees a row outside the time range: some
// windows read other buckets in full, and none reads more of a shown bucket.
func (p *panel) readsBeyond(f fact) bool {
	s := p.l.span
	if !s.onAxis && !s.same(target{field: p.l.axis}) || p.axis < 0 {
		return false
	}
	day, ok := f.dims[p.axis].(Date)
	if !ok || s.touches(p.l.grain, day) {
		return false
	}
	switch w := p.l.window; {
	case w.Offset != nil, w.Rolling != nil:
		return true
	case w.Frame != nil && p.byTime():
		return !w.Frame.Unbounded || w.Frame.Reset != sqlexpr.GrainNone
	}
	return p.reset() != sqlexpr.GrainNone
}

// partition names the partition of a group.
func (p *panel) partition(c *cell) string {
	split := p.split()
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

// value is the window's value for one group.
func (p *panel) value(c *cell) Value {
	w := p.l.window
	if p.byTime() && c.dims[p.axis] == nil {
		return nil
	}
	switch {
	case w.Offset != nil:
		return p.offset(c)
	case w.Rolling != nil:
		n := p.l.bound.count(p.m, w.Rolling.Periods)
		return p.calendar(c, w.Rolling.Function, n-1, false, w.Rolling.RequireFullWindow)
	case w.Cumulative != nil:
		return p.reduce(w.Cumulative.Function, p.filter(c, func(o *cell) bool { return p.place(o, c) <= 0 }))
	case w.Frame != nil:
		return p.frame(c)
	case w.Rank != nil:
		return p.rank(c)
	}
	return p.pick(c)
}

// peers are the groups of a partition that take part in the window.
func (p *panel) peers(c *cell) []*cell {
	var out []*cell
	for _, o := range p.groups {
		if o.part == c.part && !(p.byTime() && o.dims[p.axis] == nil) {
			out = append(out, o)
		}
	}
	return out
}

// filter lists the groups of c's partition, and of its reset period, that a
// frame takes.
func (p *panel) filter(c *cell, takes func(o *cell) bool) []*cell {
	var out []*cell
	for _, o := range p.peers(c) {
		samePeriod := true
		if reset := p.reset(); reset != sqlexpr.GrainNone {
			samePeriod = bucket(reset, o.dims[p.axis].(Date)) == bucket(reset, c.dims[p.axis].(Date))
		}
		if samePeriod && takes(o) {
			out = append(out, o)
		}
	}
	return out
}

// place compares two groups by what the window orders by: negative when a stands
// before b, zero for peers.
func (p *panel) place(a, b *cell) int {
	x, y := a.value, b.value
	if p.order.ByTime {
		x, y = a.dims[p.axis], b.dims[p.axis]
	}
	if p.order.Desc && x != nil && y != nil {
		return -sortOrder(x, y)
	}
	return sortOrder(x, y)
}

// placeOrdered is place with ties broken by the group-bys.
func (p *panel) placeOrdered(a, b *cell) int {
	if order := p.place(a, b); order != 0 {
		return order
	}
	return slices.CompareFunc(a.dims, b.dims, sortOrder)
}

// offset compares with the bucket that lies some granularities away.
func (p *panel) offset(c *cell) Value {
	w := p.l.window.Offset
	n := p.l.bound.count(p.m, w.Count)
	if !w.Forward {
		n = -n
	}
	day, exists := shift(c.dims[p.axis].(Date), w.Grain, n)
	var other Value
	for _, o := range p.peers(c) {
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
