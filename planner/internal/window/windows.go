package window

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/rollup"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// planWindows adds the branch's window columns over its aggregated buckets, hides
// the buckets that were only read for their neighbours' sake, and leaves the
// branch with one column per member. columns holds the column of each member, rows that of the
// rows of a bucket.
func planWindows(g branch.Grouped, names *naming.Namer) (out plan.Node, columns []int, rows int, err error) {
	if !g.Branch.HasWindow() {
		return g.Node, g.Slots, g.Rows, nil
	}
	keys := g.Branch.Q.KeyCount()
	columns = slices.Clone(g.Slots)
	input, calendars, err := joinPeriodNumbers(g, names)
	if err != nil {
		return nil, nil, 0, err
	}
	w := &plan.Window{Input: input}
	base := len(input.Schema())
	for i, u := range g.Branch.Br.Members {
		if u.Ref.Window == nil {
			continue
		}
		columns[i] = base - keys + len(w.Funcs)
		w.Funcs = append(w.Funcs, plan.NamedExpr{
			Name: names.UniqueName(u.Ref.Window.Metric.Name),
			Expr: newWindowPlanner(g, i, calendars[u.Ref.Window.AxisGroup]).windowColumnExpr(),
			Type: u.Ref.Window.Typ,
		})
	}
	out = w
	if shown := shownBucketConditions(g); len(shown) > 0 {
		out = &plan.Filter{Input: out, Conds: shown, Why: "buckets in range"}
	}
	if g.Rows >= 0 {
		columns = append(columns, g.Rows)
	}
	out, columns = projectReadColumns(out, keys, columns)
	if g.Branch.Q.GapFill != nil {
		out = zeroFillCounts(g, out, columns)
	}
	if g.Rows < 0 {
		return out, columns, -1, nil
	}
	return out, columns[:len(columns)-1], columns[len(columns)-1], nil
}

// shownBucketConditions returns the conditions that keep what the branch shows of the buckets that it reads. The last column
// of its aggregate counts rows in range where they need that.
func shownBucketConditions(g branch.Grouped) []sqlexpr.Expr {
	rowsInRange := len(g.Node.Schema()) - 1
	if g.Branch.Calendars.ScansPeriodsOutsideRange() {
		return []sqlexpr.Expr{g.Branch.Calendars.PeriodsInRangeCondition(rowsInRange)}
	}
	shown := g.Branch.NewBranchRangeConditions().BucketsInRangeConditions()
	if len(shown) > 0 && g.Branch.HasLevelsOverExtendedRange() {
		return g.Branch.ExemptLevelsWithoutBucket(shown, rowsInRange)
	}
	return shown
}

// newWindowPlanner plans the window of a member.
func newWindowPlanner(g branch.Grouped, member int, calendar periodNumberColumns) planner {
	u := g.Branch.Br.Members[member]
	return planner{
		clock: g.Branch.Q.In.Times.Clock, groups: g.Branch.Q.Groups, levels: g.Branch.Q.Levels, win: u.Ref.Window, axis: u.Ref.Axis,
		first: g.Slots[member], other: g.Seconds[member], rowCountMeasure: g.Rows,
		isZeroOverNoRows: g.Branch.Q.GapFill != nil && u.Ref.Window.Base == nil && u.Ref.Measure.IsZeroOverNoRows(), calendar: calendar,
		inputs: g.Inputs, refs: g.Branch.Q.Cols.MeasureRefs, isFilled: g.Branch.Q.GapFill != nil, noRangeFrames: g.Branch.Q.In.Target.Caps.NoRangeFrames,
	}
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

// planner makes one window column over the schema of a branch's aggregate.
type planner struct {
	clock  clock.Clock
	groups []scope.Group
	levels rollup.Levels
	win    *measure.Window
	axis   *catalog.Field
	// The aggregates that are the window's input, and the second one where it has two.
	first, other     int
	rowCountMeasure  int  // the aggregate that counts the rows of a bucket; -1 where nothing reads it
	isZeroOverNoRows bool // the measure is 0 in a filled bucket
	calendar         periodNumberColumns
	// Of a window over an expression: the measures of the query, the columns of those that it reads, and
	// whether buckets are filled.
	inputs   map[int]int
	refs     []*measure.Ref
	isFilled bool
	// noRangeFrames: the target has no frames by distance.
	noRangeFrames bool
}

func (w planner) windowColumnExpr() sqlexpr.Expr {
	e := w.windowFamilyExpr(w.measureColumn(w.first))
	if w.rowCountMeasure >= 0 && w.win.SkipsFilledBuckets() {
		e = build.CaseWhen(w.bucketHasRowsCondition(), e)
	}
	if !w.win.Spec.OrderedByTime() && w.win.Spec.ResetUnit().IsZero() {
		return e // a NULL bucket is a group like any other
	}
	return build.CaseWhen(&sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: w.win.AxisGroup}}, e)
}

// bucketOrdinal returns a number that grows by one stride from each bucket to the next.
func (w planner) bucketOrdinal() sqlexpr.Expr {
	if p := w.groups[w.win.AxisGroup].Period; p != nil {
		return w.calendar.periodNumberColumn(p)
	}
	return &sqlexpr.BucketOrdinal{Grain: w.bucketGrain(), X: &sqlexpr.Ref{ID: w.win.AxisGroup}}
}

// bucketGrain returns the grain of the buckets that the window runs over.
func (w planner) bucketGrain() sqlexpr.Grain { return w.groups[w.win.AxisGroup].Grain }

func (w planner) measureColumn(i int) sqlexpr.Expr {
	return &sqlexpr.Ref{ID: rollup.CountKeys(w.groups, w.levels) + i}
}

func (w planner) windowFamilyExpr(value sqlexpr.Expr) sqlexpr.Expr {
	s := w.win.Spec
	switch {
	case s.Offset != nil:
		return w.offsetComparisonExpr(value)
	case s.Rolling != nil:
		frame := &sqlexpr.Frame{Unit: sqlexpr.FrameRange, Start: sqlexpr.FrameBound{Offset: (1 - w.win.N) * measure.BucketOrdinalStride(w.bucketGrain())}}
		over := w.newPartitionedWindowCall(value, frame)
		if s.Rolling.RequireFullWindow {
			return w.nullUnlessFull(over, value, w.win.N)
		}
		return over
	case s.Cumulative != nil:
		return w.newPartitionedWindowCall(value, &sqlexpr.Frame{Start: sqlexpr.FrameBound{Unbounded: true}})
	case s.Recompute != nil:
		return w.recomputeExpr()
	case s.Frame != nil:
		return w.frameExpr(value)
	case s.Rank != nil:
		return w.newPartitionedWindowCall(value, nil)
	default:
		return w.newPartitionedWindowCall(value, &sqlexpr.Frame{Start: sqlexpr.FrameBound{Unbounded: true}, End: sqlexpr.FrameBound{Unbounded: true}})
	}
}

// frameExpr returns the general frame.
func (w planner) frameExpr(value sqlexpr.Expr) sqlexpr.Expr {
	f := w.win.Spec.Frame
	if f.PartitionScope {
		return w.newPartitionedWindowCall(value, nil)
	}
	frame := &sqlexpr.Frame{Start: sqlexpr.FrameBound{Offset: -w.win.N}}
	if f.Unbounded {
		frame.Start = sqlexpr.FrameBound{Unbounded: true}
	}
	if f.Range {
		frame.Unit = sqlexpr.FrameRange
		if w.win.Spec.OrderedByTime() {
			frame.Start.Offset *= measure.BucketOrdinalStride(w.bucketGrain())
		}
	}
	over := w.newPartitionedWindowCall(value, frame)
	if f.RequireFullWindow && !f.Unbounded {
		return w.nullUnlessFull(over, value, w.win.N+1)
	}
	return over
}

// nullUnlessFull returns the window's value where all n buckets of its frame have data.
func (w planner) nullUnlessFull(over *sqlexpr.WindowCall, value sqlexpr.Expr, n int) sqlexpr.Expr {
	count := *over
	count.Call = build.Call(sqlexpr.FnCount, "COUNT", value)
	return build.CaseWhen(&sqlexpr.Binary{Op: sqlexpr.OpEq, L: &count, R: build.Integer(n)}, over)
}

// offsetComparisonExpr compares a bucket with the one a calendar distance away. The other
// value is the only row of a RANGE frame on the bucket's ordinal, so a missing
// bucket gives NULL, and NULL dimensions partition like any other value.
func (w planner) offsetComparisonExpr(value sqlexpr.Expr) sqlexpr.Expr {
	o := w.win.Spec.Offset
	g := w.groups[w.win.AxisGroup]
	n, month := w.win.N, false
	if o.Period == nil {
		n, month, _ = measure.OffsetInBuckets(w.win.N, o.Grain, g.Grain)
	}
	n *= measure.BucketOrdinalStride(g.Grain)
	if !o.Forward {
		n = -n
	}
	frame := &sqlexpr.Frame{Unit: sqlexpr.FrameRange, Start: sqlexpr.FrameBound{Offset: n}, End: sqlexpr.FrameBound{Offset: n}}
	over := w.newPartitionedWindowCall(value, frame)
	var other sqlexpr.Expr = over
	switch {
	case o.Period != nil && o.Period != g.Period:
		number := w.calendar.periodNumberColumn(o.Period)
		over.Partition = append(over.Partition, w.calendar.placeInPeriodColumn(o.Period))
		over.Order = []sqlexpr.OrderItem{{X: number}}
		other = build.CaseWhen(&sqlexpr.IsNull{Not: true, X: number}, over)
	case month:
		day := &sqlexpr.Ref{ID: w.win.AxisGroup}
		over.Partition = append(over.Partition, &sqlexpr.Extract{Part: "day", X: day})
		first := &sqlexpr.Bucket{Grain: sqlexpr.GrainMonth, From: sqlexpr.TypeDate, X: day}
		over.Order = []sqlexpr.OrderItem{{X: &sqlexpr.BucketOrdinal{Grain: sqlexpr.GrainMonth, X: first}}}
	}
	value = w.currentBucketValue(value)
	switch o.Calculation {
	case catalog.CalculationValue:
		return other
	case catalog.CalculationDelta:
		return w.bucketDifference(value, other)
	case catalog.CalculationRatio:
		return &sqlexpr.SafeDivide{L: value, R: other}
	default:
		return &sqlexpr.SafeDivide{L: &sqlexpr.Binary{Op: sqlexpr.OpSub, L: value, R: other}, R: other}
	}
}

// newPartitionedWindowCall returns the window call of a family with partition and order filled in.
func (w planner) newPartitionedWindowCall(value sqlexpr.Expr, frame *sqlexpr.Frame) *sqlexpr.WindowCall {
	return &sqlexpr.WindowCall{
		Call:      w.newWindowFunctionCall(value),
		Partition: w.partitionKeys(),
		Order:     w.windowOrderKeys(value, frame),
		Frame:     frame,
	}
}

func (w planner) newWindowFunctionCall(value sqlexpr.Expr) *sqlexpr.Call {
	fn := measure.WindowFunction(w.win.Spec)
	name := fn.String()
	switch {
	case w.win.Second != nil:
		return build.Call(fn, name, value, w.measureColumn(w.other))
	case fn == sqlexpr.FnNtile:
		return build.Call(fn, name, build.Integer(w.win.N))
	case fn == sqlexpr.FnNthValue:
		return build.Call(fn, name, value, build.Integer(w.win.N))
	case w.win.Spec.Rank != nil:
		return build.Call(fn, name)
	default:
		return build.Call(fn, name, value)
	}
}

// partitionKeys lists the partition keys, the level among them: a window looks at the rows of one level. Time is not a partition key:
// a window over time runs along it. Where the order is by time, rows of the
// NULL bucket form their own partition, so that they enter no other row's window.
func (w planner) partitionKeys() []sqlexpr.Expr {
	var out []sqlexpr.Expr
	part := w.win.Spec.EffectivePartition()
	for i, g := range w.groups {
		if w.isPartitionedBy(part, g, i) {
			out = append(out, &sqlexpr.Ref{ID: i})
		}
	}
	if w.levels.HasSeveralLevels() {
		out = append(out, &sqlexpr.Ref{ID: len(w.groups)})
	}
	if w.win.AxisGroup >= 0 && w.win.Spec.OrderedByTime() && (w.win.Spec.Rank != nil || w.win.Spec.Value != nil) {
		out = append(out, &sqlexpr.IsNull{X: &sqlexpr.Ref{ID: w.win.AxisGroup}})
	}
	if w.rowCountMeasure >= 0 && w.win.SkipsFilledBuckets() {
		out = append(out, w.bucketHasRowsCondition())
	}
	switch reset := w.win.Spec.ResetUnit(); {
	case reset.Period != nil:
		out = append(out, w.calendar.periodNumberColumn(reset.Period))
	case !reset.IsZero():
		bucket := &sqlexpr.Ref{ID: w.win.AxisGroup}
		keys := &catalog.Field{Type: w.axis.BucketType(w.bucketGrain())}
		out = append(out, w.clock.BucketExpr(bucket, keys, reset.Grain, clock.TimeBounds{}))
	}
	return out
}

func (w planner) isPartitionedBy(part catalog.WindowPartition, g scope.Group, i int) bool {
	onAxis := g.ReadsAxis(w.axis)
	switch part.Mode {
	case catalog.PartitionNone:
		return false
	case catalog.PartitionTimeBucket:
		return i == w.win.AxisGroup
	case catalog.PartitionDimensionsExcept:
		return !onAxis && !slices.ContainsFunc(part.Exclude, g.IsUnprefixedField)
	default:
		return !onAxis
	}
}

// windowOrderKeys lists the order keys. Functions whose result depends on the order of
// equal rows break ties by the group-bys; ranks do not. A frame by range does not either: it
// takes equal rows together. A frame by distance takes exactly one key.
func (w planner) windowOrderKeys(value sqlexpr.Expr, frame *sqlexpr.Frame) []sqlexpr.OrderItem {
	o := w.win.Spec.EffectiveOrder()
	if o == nil {
		return nil
	}
	byRange := frame != nil && frame.Unit == sqlexpr.FrameRange
	byDistance := byRange && !frame.Start.Unbounded
	var out []sqlexpr.OrderItem
	switch {
	case o.ByTime && byDistance:
		out = append(out, sqlexpr.OrderItem{X: w.bucketOrdinal(), Desc: o.Desc})
	case o.ByTime:
		out = append(out, sqlexpr.OrderItem{X: &sqlexpr.Ref{ID: w.win.AxisGroup}, Desc: o.Desc})
	default:
		out = append(out, sqlexpr.OrderItem{X: value, Desc: o.Desc})
	}
	if byRange || !needsTieBreak(w.win.Spec) {
		return out
	}
	for i := range w.groups {
		if !o.ByTime || i != w.win.AxisGroup {
			out = append(out, sqlexpr.OrderItem{X: &sqlexpr.Ref{ID: i}})
		}
	}
	return out
}

// needsTieBreak reports whether rows with equal order keys must be told apart.
func needsTieBreak(w *catalog.Window) bool {
	switch w.Function() {
	case sqlexpr.FnRank, sqlexpr.FnDenseRank, sqlexpr.FnPercentRank, sqlexpr.FnCumeDist:
		return false
	}
	return true
}
