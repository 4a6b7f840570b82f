package planner

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// windows adds the branch's window columns over its aggregated buckets, hides
// the buckets that were only read for their neighbours' sake, and leaves the
// branch with one column per use.
func (p *branchPlan) windows(agg *plan.Aggregate, slots []int, names *namer) plan.Node {
	p.br.cols = slots
	keys := len(p.groups)
	w := &plan.Window{Input: agg}
	base := len(agg.Keys) + len(agg.Measures)
	for i, u := range p.br.uses {
		if u.window == nil {
			continue
		}
		e := p.windowExpr(u, slots[i])
		p.br.cols[i] = base - keys + len(w.Funcs)
		w.Funcs = append(w.Funcs, plan.Named{Name: names.take(u.window.metric.Name), Expr: e, Type: u.window.typ})
	}
	if len(w.Funcs) == 0 {
		return agg
	}
	var out plan.Node = w
	if hide := p.hidden(); len(hide) > 0 {
		out = &plan.Filter{Input: out, Conds: hide, Why: "buckets in range"}
	}
	return p.trim(out)
}

// trim projects a windowed branch to its keys and one column per use.
func (p *branchPlan) trim(in plan.Node) plan.Node {
	schema := in.Schema()
	out := &plan.Project{Input: in}
	add := func(i int) {
		out.Cols = append(out.Cols, plan.Named{Name: schema[i].Name, Expr: &sqlexpr.Ref{ID: i}, Type: schema[i].Type})
	}
	keys := len(p.groups)
	for i := range keys {
		add(i)
	}
	var kept []int
	for i, col := range p.br.cols {
		at := slices.Index(kept, col)
		if at < 0 {
			at = len(kept)
			kept = append(kept, col)
			add(keys + col)
		}
		p.br.cols[i] = at
	}
	return out
}

// windowExpr is one window column over the aggregate's schema.
func (p *branchPlan) windowExpr(u *use, slot int) sqlexpr.Expr {
	w := u.window
	value := &sqlexpr.Ref{ID: len(p.groups) + slot}
	e := p.familyExpr(w, value)
	if !w.spec.OrderedByTime() && w.spec.ResetGrain() == sqlexpr.GrainNone {
		return e // a NULL bucket is a group like any other
	}
	return when(&sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: w.axisGroup}}, e)
}

func (p *branchPlan) familyExpr(w *window, value sqlexpr.Expr) sqlexpr.Expr {
	s := w.spec
	switch {
	case s.Offset != nil:
		return p.offsetExpr(w, value)
	case s.Rolling != nil:
		frame := &sqlexpr.Frame{Unit: sqlexpr.FrameRange, Start: sqlexpr.Bound{Offset: 1 - w.n}}
		over := p.over(w, value, frame)
		if s.Rolling.RequireFullWindow {
			return p.whenFull(over, value, w.n)
		}
		return over
	case s.Cumulative != nil:
		return p.over(w, value, &sqlexpr.Frame{Start: sqlexpr.Bound{Unbounded: true}})
	case s.Frame != nil:
		return p.frameExpr(w, value)
	case s.Rank != nil:
		return p.over(w, value, nil)
	default:
		return p.over(w, value, &sqlexpr.Frame{Start: sqlexpr.Bound{Unbounded: true}, End: sqlexpr.Bound{Unbounded: true}})
	}
}

// frameExpr is the general frame.
func (p *branchPlan) frameExpr(w *window, value sqlexpr.Expr) sqlexpr.Expr {
	f := w.spec.Frame
	if f.PartitionScope {
		return p.over(w, value, nil)
	}
	frame := &sqlexpr.Frame{Start: sqlexpr.Bound{Offset: -w.n}}
	if f.Unbounded {
		frame.Start = sqlexpr.Bound{Unbounded: true}
	}
	if f.Range {
		frame.Unit = sqlexpr.FrameRange
	}
	over := p.over(w, value, frame)
	if f.RequireFullWindow && !f.Unbounded {
		return p.whenFull(over, value, w.n+1)
	}
	return over
}

// whenFull is the window's value where all n buckets of its frame have data.
func (p *branchPlan) whenFull(over *sqlexpr.Over, value sqlexpr.Expr, n int) sqlexpr.Expr {
	count := *over
	count.Call = call(sqlexpr.FnCount, "COUNT", value)
	return when(&sqlexpr.Binary{Op: sqlexpr.OpEq, L: &count, R: integer(n)}, over)
}

// offsetExpr compares a bucket with the one a calendar distance away. The other
// value is the only row of a RANGE frame on the bucket's ordinal, so a missing
// bucket gives NULL, and NULL dimensions partition like any other value.
func (p *branchPlan) offsetExpr(w *window, value sqlexpr.Expr) sqlexpr.Expr {
	o := w.spec.Offset
	g := p.groups[w.axisGroup]
	n, month, _ := stride(w.n, o.Grain, g.grain)
	if !o.Forward {
		n = -n
	}
	frame := &sqlexpr.Frame{Unit: sqlexpr.FrameRange, Start: sqlexpr.Bound{Offset: n}, End: sqlexpr.Bound{Offset: n}}
	other := p.over(w, value, frame)
	if month {
		day := &sqlexpr.Ref{ID: w.axisGroup}
		other.Partition = append(other.Partition, &sqlexpr.Extract{Part: "day", X: day})
		first := &sqlexpr.Bucket{Grain: sqlexpr.GrainMonth, From: sqlexpr.TypeDate, X: day}
		other.Order = []sqlexpr.OrderItem{{X: &sqlexpr.Ordinal{Grain: sqlexpr.GrainMonth, X: first}}}
	}
	switch o.Calculation {
	case "value":
		return other
	case "delta":
		return &sqlexpr.Binary{Op: sqlexpr.OpSub, L: value, R: other}
	case "ratio":
		return &sqlexpr.Divide{L: value, R: other}
	default:
		return &sqlexpr.Divide{L: &sqlexpr.Binary{Op: sqlexpr.OpSub, L: value, R: other}, R: other}
	}
}

// over is the window call of a family with partition and order filled in.
func (p *branchPlan) over(w *window, value sqlexpr.Expr, frame *sqlexpr.Frame) *sqlexpr.Over {
	return &sqlexpr.Over{
		Call:      p.windowCall(w, value),
		Partition: p.partitionBy(w),
		Order:     p.orderBy(w, value, frame),
		Frame:     frame,
	}
}

func (p *branchPlan) windowCall(w *window, value sqlexpr.Expr) *sqlexpr.Call {
	name := w.function()
	fn := windowFuncs[name]
	switch {
	case w.second != nil:
		return call(fn, name, value, &sqlexpr.Ref{ID: len(p.groups) + w.secondSlot})
	case name == "ntile":
		return call(fn, name, integer(w.n))
	case name == "nth_value":
		return call(fn, name, value, integer(w.n))
	case w.spec.Rank != nil:
		return call(fn, name)
	default:
		return call(fn, name, value)
	}
}

func call(fn sqlexpr.Func, name string, args ...sqlexpr.Expr) *sqlexpr.Call {
	return &sqlexpr.Call{Fn: fn, Name: sqlexpr.Name{Text: name}, Args: args}
}

// partitionBy lists the partition keys. Time is no partition key of its own:
// a window over time runs along it. Where the order is by time, rows of the
// NULL bucket are set apart, so that they enter no other row's window.
func (p *branchPlan) partitionBy(w *window) []sqlexpr.Expr {
	var out []sqlexpr.Expr
	part := w.spec.EffectivePartition()
	for i, g := range p.groups {
		if p.inPartition(w, part, g, i) {
			out = append(out, &sqlexpr.Ref{ID: i})
		}
	}
	if w.axisGroup >= 0 && w.spec.OrderedByTime() && (w.spec.Rank != nil || w.spec.Value != nil) {
		out = append(out, &sqlexpr.IsNull{X: &sqlexpr.Ref{ID: w.axisGroup}})
	}
	if reset := w.spec.ResetGrain(); reset != sqlexpr.GrainNone {
		bucket := &sqlexpr.Ref{ID: w.axisGroup}
		out = append(out, &sqlexpr.Bucket{Grain: reset, From: sqlexpr.TypeDate, X: bucket})
	}
	return out
}

func (p *branchPlan) inPartition(w *window, part catalog.Partition, g group, i int) bool {
	onAxis := p.onAxis(g, p.axisOf(w))
	switch part.Mode {
	case "none":
		return false
	case "time_bucket":
		return i == w.axisGroup
	case "query_dimensions_except":
		return !onAxis && !slices.ContainsFunc(part.Exclude, g.groups)
	default:
		return !onAxis
	}
}

// axisOf is the time axis of the window's use.
func (p *branchPlan) axisOf(w *window) *catalog.Field {
	for _, u := range p.br.uses {
		if u.window == w {
			return u.axis
		}
	}
	return nil
}

// orderBy lists the order keys. Functions whose result depends on the order of
// equal rows break ties by the group-bys; ranks do not, nor does a frame by range,
// which takes equal rows together. A frame by distance takes exactly one key.
func (p *branchPlan) orderBy(w *window, value sqlexpr.Expr, frame *sqlexpr.Frame) []sqlexpr.OrderItem {
	o := w.spec.EffectiveOrder()
	if o == nil {
		return nil
	}
	byRange := frame != nil && frame.Unit == sqlexpr.FrameRange
	byDistance := byRange && !frame.Start.Unbounded
	var out []sqlexpr.OrderItem
	switch {
	case o.ByTime && byDistance:
		bucket := &sqlexpr.Ref{ID: w.axisGroup}
		out = append(out, sqlexpr.OrderItem{X: &sqlexpr.Ordinal{Grain: p.groups[w.axisGroup].grain, X: bucket}, Desc: o.Desc})
	case o.ByTime:
		out = append(out, sqlexpr.OrderItem{X: &sqlexpr.Ref{ID: w.axisGroup}, Desc: o.Desc})
	default:
		out = append(out, sqlexpr.OrderItem{X: value, Desc: o.Desc})
	}
	if byRange || !breaksTies(w) {
		return out
	}
	for i := range p.groups {
		if !o.ByTime || i != w.axisGroup {
			out = append(out, sqlexpr.OrderItem{X: &sqlexpr.Ref{ID: i}})
		}
	}
	return out
}

// breaksTies reports whether rows with equal order keys must be told apart.
func breaksTies(w *window) bool {
	switch w.function() {
	case "rank", "dense_rank", "percent_rank", "cume_dist":
		return false
	}
	return true
}

func integer(n int) sqlexpr.Expr {
	if n < 0 {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: integer(-n)}
	}
	return &sqlexpr.Number{Text: strconv.Itoa(n)}
}
