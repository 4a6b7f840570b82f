package metric

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// windows adds the branch's window columns over its aggregated buckets, hides
// the buckets that were only read for their neighbours' sake, and leaves the
// branch with one column per member. columns holds the column of each member.
func (p *branchPlan) windows(agg *plan.Aggregate, slots []int, seconds map[int]int, names *Namer) (out plan.Node, columns []int) {
	if !slices.ContainsFunc(p.br.members, func(u branchMember) bool { return u.window != nil }) {
		return agg, slots
	}
	keys := len(p.groups)
	columns = slices.Clone(slots)
	w := &plan.Window{Input: agg}
	base := len(agg.Keys) + len(agg.Measures)
	for i, u := range p.br.members {
		if u.window == nil {
			continue
		}
		columns[i] = base - keys + len(w.Funcs)
		w.Funcs = append(w.Funcs, plan.NamedExpr{
			Name: names.UniqueName(u.window.metric.Name),
			Expr: windowPlan{p.groups, u.window, u.Axis, slots[i], seconds[i]}.columnExpr(),
			Type: u.window.typ,
		})
	}
	out = w
	if hide := p.bucketsInRange(); len(hide) > 0 {
		out = &plan.Filter{Input: out, Conds: hide, Why: "buckets in range"}
	}
	return projectReadColumns(out, keys, columns)
}

// projectReadColumns projects a windowed branch to its keys and the columns that its members read.
func projectReadColumns(in plan.Node, keys int, columns []int) (plan.Node, []int) {
	schema := in.Schema()
	cols := make([]plan.NamedExpr, 0, keys+len(columns))
	add := func(i int) {
		cols = append(cols, plan.NamedExpr{Name: schema[i].Name, Expr: &sqlexpr.Ref{ID: i}, Type: schema[i].Type})
	}
	for i := range keys {
		add(i)
	}
	var kept []int
	trimmed := make([]int, len(columns))
	for i, col := range columns {
		at := slices.Index(kept, col)
		if at < 0 {
			at = len(kept)
			kept = append(kept, col)
			add(keys + col)
		}
		trimmed[i] = at
	}
	return &plan.Project{Input: in, Cols: cols}, trimmed
}

// windowPlan makes one window column over the schema of a branch's aggregate.
type windowPlan struct {
	groups []Group
	*window
	axis *catalog.Field
	// The aggregates that are the window's input, and the second one where it has two.
	first, other int
}

func (w windowPlan) columnExpr() sqlexpr.Expr {
	e := w.familyExpr(w.measureColumn(w.first))
	if !w.spec.OrderedByTime() && w.spec.ResetGrain() == sqlexpr.GrainNone {
		return e // a NULL bucket is a group like any other
	}
	return caseWhen(&sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: w.axisGroup}}, e)
}

func (w windowPlan) measureColumn(i int) sqlexpr.Expr { return &sqlexpr.Ref{ID: len(w.groups) + i} }

func (w windowPlan) familyExpr(value sqlexpr.Expr) sqlexpr.Expr {
	s := w.spec
	switch {
	case s.Offset != nil:
		return w.offsetExpr(value)
	case s.Rolling != nil:
		frame := &sqlexpr.Frame{Unit: sqlexpr.FrameRange, Start: sqlexpr.Bound{Offset: 1 - w.n}}
		over := w.overExpr(value, frame)
		if s.Rolling.RequireFullWindow {
			return w.whenFull(over, value, w.n)
		}
		return over
	case s.Cumulative != nil:
		return w.overExpr(value, &sqlexpr.Frame{Start: sqlexpr.Bound{Unbounded: true}})
	case s.Frame != nil:
		return w.frameExpr(value)
	case s.Rank != nil:
		return w.overExpr(value, nil)
	default:
		return w.overExpr(value, &sqlexpr.Frame{Start: sqlexpr.Bound{Unbounded: true}, End: sqlexpr.Bound{Unbounded: true}})
	}
}

// frameExpr is the general frame.
func (w windowPlan) frameExpr(value sqlexpr.Expr) sqlexpr.Expr {
	f := w.spec.Frame
	if f.PartitionScope {
		return w.overExpr(value, nil)
	}
	frame := &sqlexpr.Frame{Start: sqlexpr.Bound{Offset: -w.n}}
	if f.Unbounded {
		frame.Start = sqlexpr.Bound{Unbounded: true}
	}
	if f.Range {
		frame.Unit = sqlexpr.FrameRange
	}
	over := w.overExpr(value, frame)
	if f.RequireFullWindow && !f.Unbounded {
		return w.whenFull(over, value, w.n+1)
	}
	return over
}

// whenFull is the window's value where all n buckets of its frame have data.
func (w windowPlan) whenFull(over *sqlexpr.Over, value sqlexpr.Expr, n int) sqlexpr.Expr {
	count := *over
	count.Call = newCall(sqlexpr.FnCount, "COUNT", value)
	return caseWhen(&sqlexpr.Binary{Op: sqlexpr.OpEq, L: &count, R: integerExpr(n)}, over)
}

// offsetExpr compares a bucket with the one a calendar distance away. The other
// value is the only row of a RANGE frame on the bucket's ordinal, so a missing
// bucket gives NULL, and NULL dimensions partition like any other value.
func (w windowPlan) offsetExpr(value sqlexpr.Expr) sqlexpr.Expr {
	o := w.spec.Offset
	g := w.groups[w.axisGroup]
	n, month, _ := offsetBuckets(w.n, o.Grain, g.Grain)
	if !o.Forward {
		n = -n
	}
	frame := &sqlexpr.Frame{Unit: sqlexpr.FrameRange, Start: sqlexpr.Bound{Offset: n}, End: sqlexpr.Bound{Offset: n}}
	other := w.overExpr(value, frame)
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

// overExpr is the window call of a family with partition and order filled in.
func (w windowPlan) overExpr(value sqlexpr.Expr, frame *sqlexpr.Frame) *sqlexpr.Over {
	return &sqlexpr.Over{
		Call:      w.windowCall(value),
		Partition: w.partitionBy(),
		Order:     w.orderBy(value, frame),
		Frame:     frame,
	}
}

func (w windowPlan) windowCall(value sqlexpr.Expr) *sqlexpr.Call {
	name := windowFunction(w.spec)
	fn := windowFuncs[name]
	switch {
	case w.second != nil:
		return newCall(fn, name, value, w.measureColumn(w.other))
	case name == "ntile":
		return newCall(fn, name, integerExpr(w.n))
	case name == "nth_value":
		return newCall(fn, name, value, integerExpr(w.n))
	case w.spec.Rank != nil:
		return newCall(fn, name)
	default:
		return newCall(fn, name, value)
	}
}

func newCall(fn sqlexpr.Func, name string, args ...sqlexpr.Expr) *sqlexpr.Call {
	return &sqlexpr.Call{Fn: fn, Name: sqlexpr.Name{Text: name}, Args: args}
}

// partitionBy lists the partition keys. Time is not a partition key:
// a window over time runs along it. Where the order is by time, rows of the
// NULL bucket form their own partition, so that they enter no other row's window.
func (w windowPlan) partitionBy() []sqlexpr.Expr {
	var out []sqlexpr.Expr
	part := w.spec.EffectivePartition()
	for i, g := range w.groups {
		if w.inPartition(part, g, i) {
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

func (w windowPlan) inPartition(part catalog.Partition, g Group, i int) bool {
	onAxis := g.readsAxis(w.axis)
	switch part.Mode {
	case "none":
		return false
	case "time_bucket":
		return i == w.axisGroup
	case "query_dimensions_except":
		return !onAxis && !slices.ContainsFunc(part.Exclude, g.isField)
	default:
		return !onAxis
	}
}

// orderBy lists the order keys. Functions whose result depends on the order of
// equal rows break ties by the group-bys; ranks do not, nor does a frame by range,
// which takes equal rows together. A frame by distance takes exactly one key.
func (w windowPlan) orderBy(value sqlexpr.Expr, frame *sqlexpr.Frame) []sqlexpr.OrderItem {
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
		out = append(out, sqlexpr.OrderItem{X: &sqlexpr.Ordinal{Grain: w.groups[w.axisGroup].Grain, X: bucket}, Desc: o.Desc})
	case o.ByTime:
		out = append(out, sqlexpr.OrderItem{X: &sqlexpr.Ref{ID: w.axisGroup}, Desc: o.Desc})
	default:
		out = append(out, sqlexpr.OrderItem{X: value, Desc: o.Desc})
	}
	if byRange || !needsTieBreak(w.spec) {
		return out
	}
	for i := range w.groups {
		if !o.ByTime || i != w.axisGroup {
			out = append(out, sqlexpr.OrderItem{X: &sqlexpr.Ref{ID: i}})
		}
	}
	return out
}

// needsTieBreak reports whether rows with equal order keys must be told apart.
func needsTieBreak(w *catalog.Window) bool {
	switch windowFunction(w) {
	case "rank", "dense_rank", "percent_rank", "cume_dist":
		return false
	}
	return true
}

func integerExpr(n int) sqlexpr.Expr {
	if n < 0 {
		return &sqlexpr.Unary{Op: sqlexpr.OpNeg, X: integerExpr(-n)}
	}
	return &sqlexpr.Number{Text: strconv.Itoa(n)}
}
