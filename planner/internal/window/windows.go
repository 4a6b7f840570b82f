package window

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
)

// addWindows adds the columns of the windows to the matched rows of the branches, and leaves out the rows that were only read for
// their neighbours' sake:
//
//	matched branches ─► values under windows ─► periods of calendars ─► Window ─► rows in range
func addWindows(a *branch.Query, in *combine.Combined, names *naming.Namer) (*combine.Combined, error) {
	return addWindowsOf(a, in, func(u *measure.Ref) bool { return u.Window != nil }, in.ShownConditions(), names)
}

// addWindowsOf adds the columns of some windows. The rows that meet the conditions remain.
func addWindowsOf(a *branch.Query, in *combine.Combined, isAdded func(*measure.Ref) bool, shown []sqlexpr.Expr, names *naming.Namer) (*combine.Combined, error) {
	layers := windowLayers(a.Cols.MeasureRefs, isAdded)
	if len(layers) == 0 {
		return in, nil
	}
	in, isRow, err := addReachedRows(a, in, isAdded, names)
	if err != nil {
		return nil, err
	}
	if in, err = in.WithPeriodsInRanges(a, slices.Concat(layers...), names); err != nil {
		return nil, err
	}
	for _, refs := range layers {
		if in, err = addWindowLayer(a, refs, in, names); err != nil {
			return nil, err
		}
	}
	if isRow != nil {
		shown = append(shown, isRow)
	}
	if len(shown) > 0 {
		return in.WithRows(&plan.Filter{Input: in.Node, Conds: shown, Why: "rows in range"}), nil
	}
	return in, nil
}

// addWindowLayer adds the columns of some windows.
func addWindowLayer(a *branch.Query, refs []int, in *combine.Combined, names *naming.Namer) (*combine.Combined, error) {
	values := addWindowValues(a, refs, in, names)
	input, calendars, err := joinPeriodNumbers(a, refs, values.node, names)
	if err != nil {
		return nil, err
	}
	w, columns := &plan.Window{Input: input}, map[int]int{}
	for _, i := range refs {
		u := a.Cols.MeasureRefs[i]
		p := planner{
			query: a, combined: in, win: u.Window, axis: u.Axis, value: values.columns[i], calendar: calendars[u.Window.AxisGroup],
			hasData: hasDataCondition(a, in, u.Window), addsRows: in.AddsRows(), isShown: in.ConditionOfTag(a, u),
			isCut: in.CutBucketCondition(a, u), valueBeforeEnd: values.beforeEnd[i],
		}
		value := p.windowColumnExpr()
		at := slices.IndexFunc(w.Funcs, func(f plan.NamedExpr) bool { return sqlexpr.Equal(f.Expr, value) })
		if at < 0 {
			at = len(w.Funcs)
			w.Funcs = append(w.Funcs, plan.NamedExpr{Name: names.UniqueName(u.Window.Metric.Name), Expr: value, Type: u.Window.Typ})
		}
		columns[i] = len(input.Schema()) + at
	}
	return in.WithWindows(w, columns), nil
}

// planner makes one window column over the matched rows of the branches.
type planner struct {
	query    *branch.Query
	combined *combine.Combined
	win      *measure.Window
	axis     *catalog.Field
	value    sqlexpr.Expr // of a bucket; NULL without data
	calendar periodNumberColumns
	// hasData is the condition that the metric has data in a bucket; nil where it has in all.
	hasData sqlexpr.Expr
	// isShown is the condition that the bucket meets the range of the window's tag; nil for a window that has a value outside of it too.
	isShown sqlexpr.Expr
	// isCut is the condition that the range cuts the bucket, where the window looks at later ones; nil for any other window.
	isCut          sqlexpr.Expr
	valueBeforeEnd sqlexpr.Expr // the value of a bucket before the end of the range, for a frame that looks at later ones
	endsInBucket   bool         // the frame begins with the cut bucket and ends with it, because all that it looks at is later
	// addsRows: there may be rows without data.
	addsRows bool
}

func (w planner) windowColumnExpr() sqlexpr.Expr {
	e := w.valueWithData()
	if w.valueBeforeEnd != nil {
		e = &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: w.isCut, Then: inCutBucket(w).valueWithData()}}, Else: e}
	}
	if w.win.NeedsBucket() {
		e = build.CaseWhen(&sqlexpr.IsNull{Not: true, X: &sqlexpr.Ref{ID: w.win.AxisGroup}}, e)
	}
	if w.isShown != nil {
		e = build.CaseWhen(w.isShown, e)
	}
	return e
}

// valueWithData returns the value of the window; where its value needs a row with data, NULL without one.
func (w planner) valueWithData() sqlexpr.Expr {
	e := w.windowFamilyExpr()
	if w.hasData != nil && !w.win.Spec.IsTimeOrdered() {
		return build.CaseWhen(w.hasData, e)
	}
	return e
}

// inCutBucket returns the planner of the value in a bucket that the range cuts: over the rows before its end.
func inCutBucket(w planner) planner {
	ended := *w.win
	ended.Base = w.win.Cut.Base
	w.win, w.value, w.hasData = &ended, w.valueBeforeEnd, w.combined.HasDataCondition(ended.Base.Inputs)
	w.endsInBucket = !ended.Spec.Frame.PartitionScope
	return w
}

// bucketOrdinal returns a number that grows by one stride from each bucket to the next.
func (w planner) bucketOrdinal() sqlexpr.Expr {
	if p := w.query.Groups[w.win.AxisGroup].Period; p != nil {
		return w.calendar.periodNumberColumn(p)
	}
	return &sqlexpr.BucketOrdinal{Grain: w.bucketGrain(), X: &sqlexpr.Ref{ID: w.win.AxisGroup}}
}

// bucketGrain returns the grain of the buckets that the window runs over.
func (w planner) bucketGrain() sqlexpr.Grain { return w.query.Groups[w.win.AxisGroup].Grain }

func (w planner) windowFamilyExpr() sqlexpr.Expr {
	s, value := w.win.Spec, w.value
	switch {
	case s.Offset != nil:
		return w.offsetComparisonExpr()
	case s.Rolling != nil:
		return w.rollingExpr(value)
	case s.Cumulative != nil:
		return w.zeroWithoutData(w.newPartitionedWindowCall(value, &sqlexpr.Frame{Start: sqlexpr.FrameBound{Unbounded: true}}))
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
		return w.nullUnlessFull(over, w.win.N+1)
	}
	if !w.win.Spec.IsTimeOrdered() {
		return over
	}
	return w.zeroWithoutData(over)
}

// zeroWithoutData returns the value of a window of which no bucket may have data: a sum of counts is 0 there.
func (w planner) zeroWithoutData(over *sqlexpr.WindowCall) sqlexpr.Expr {
	r, plain := w.win.Base.Expr.(*sqlexpr.Ref)
	if !w.addsRows || !plain || over.Call.Fn != sqlexpr.FnSum || !w.query.Cols.MeasureRefs[r.ID].Measure.IsZeroOverNoRows() {
		return over
	}
	return build.CoalesceToNumber(over, "0")
}

// nullUnlessFull returns the window's value where all n buckets of its frame have data.
func (w planner) nullUnlessFull(over *sqlexpr.WindowCall, n int) sqlexpr.Expr {
	count := *over
	count.Call = build.Call(sqlexpr.FnCount, "COUNT", w.dataMarker())
	return build.CaseWhen(&sqlexpr.Binary{Op: sqlexpr.OpEq, L: &count, R: build.Integer(n)}, over)
}

// dataMarker returns what is not NULL in the buckets in which the metric has data.
func (w planner) dataMarker() sqlexpr.Expr {
	if w.hasData != nil {
		return build.CaseWhen(w.hasData, build.Integer(1))
	}
	if w.win.AxisGroup >= 0 {
		return &sqlexpr.Ref{ID: w.win.AxisGroup}
	}
	return build.Integer(1)
}

// offsetComparisonExpr compares a bucket with the one a calendar distance away. The other
// value is the only row of a RANGE frame on the bucket's ordinal, so a missing
// bucket gives NULL, and NULL dimensions partition like any other value.
func (w planner) offsetComparisonExpr() sqlexpr.Expr {
	o := w.win.Spec.Offset
	g := w.query.Groups[w.win.AxisGroup]
	n, month := w.win.N, false
	if o.Period == nil {
		n, month = bucketsToOffset(w.query, w.win)
	} else if !o.Forward {
		n = -n
	}
	distance := n * measure.BucketOrdinalStride(g.Grain)
	frame := &sqlexpr.Frame{Unit: sqlexpr.FrameRange, Start: sqlexpr.FrameBound{Offset: distance}, End: sqlexpr.FrameBound{Offset: distance}}
	var exists []sqlexpr.Expr
	find := func(value sqlexpr.Expr) sqlexpr.Expr {
		over := w.newPartitionedWindowCall(value, frame)
		switch {
		case o.Period != nil && o.Period != g.Period:
			over.Partition = append(over.Partition, w.calendar.placeInPeriodColumn(o.Period))
			over.Order = []sqlexpr.OrderItem{{X: w.calendar.periodNumberColumn(o.Period)}}
		case month:
			day := &sqlexpr.Ref{ID: w.win.AxisGroup}
			over.Partition = append(over.Partition, &sqlexpr.Extract{Part: "day", X: day})
			first := &sqlexpr.Bucket{Grain: sqlexpr.GrainMonth, From: sqlexpr.TypeDate, X: day}
			over.Order = []sqlexpr.OrderItem{{X: &sqlexpr.BucketOrdinal{Grain: sqlexpr.GrainMonth, X: first}}}
		}
		if w.isCut != nil { // no later bucket begins before the end of the range
			return build.CaseWhen(&sqlexpr.Unary{Op: sqlexpr.OpNot, X: w.isCut}, over)
		}
		return over
	}
	if o.Period != nil && o.Period != g.Period {
		exists = append(exists, &sqlexpr.IsNull{Not: true, X: w.calendar.periodNumberColumn(o.Period)})
	}
	var other sqlexpr.Expr
	if w.win.Base.AtLevels {
		other = w.valueOfOtherTables(find)
		if month {
			exists = append(exists, monthHasDayCondition(&sqlexpr.Ref{ID: w.win.AxisGroup}, n))
		}
	} else {
		other = find(w.value)
	}
	if none := w.valueOverNoRows(); none != nil && !w.win.Base.MovesWindows && !w.win.Base.AtLevels {
		if distance, ok := distanceOf(w.win); ok {
			exists = append(exists, w.calendar.bucketExistsCondition(distance))
		}
		if month {
			exists = append(exists, monthHasDayCondition(&sqlexpr.Ref{ID: w.win.AxisGroup}, n))
		}
		if _, plain := w.win.Base.Expr.(*sqlexpr.Ref); plain {
			other = build.CoalesceToNumber(other, "0")
		} else {
			found := &sqlexpr.IsNull{Not: true, X: find(w.dataMarker())}
			other = &sqlexpr.Case{Whens: []sqlexpr.When{{Cond: found, Then: other}}, Else: none}
		}
	}
	if len(exists) > 0 {
		other = build.CaseWhen(sqlexpr.And(exists...), other)
	}
	value := w.combined.RewriteOverColumns(w.win.Current) // nil for the calculation that has no current side
	//exhaustive:enforce
	switch o.Calculation {
	case catalog.CalculationDelta:
		return w.bucketDifference(value, other)
	case catalog.CalculationRatio:
		return &sqlexpr.SafeDivide{L: value, R: other}
	case catalog.CalculationPercentChange:
		return &sqlexpr.SafeDivide{L: &sqlexpr.Binary{Op: sqlexpr.OpSub, L: value, R: other}, R: other}
	case catalog.CalculationValue:
	}
	return other
}

// valueOfOtherTables returns the base at another bucket, of which tables have the values of metrics at other levels, and a row of the query
// those of its measures.
func (w planner) valueOfOtherTables(find func(sqlexpr.Expr) sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.RewriteRefs(w.win.Base.Expr, func(r *sqlexpr.Ref) sqlexpr.Expr {
		u := w.query.Cols.MeasureRefs[r.ID]
		switch {
		case u.Level != nil:
			return w.combined.RewriteOverColumns(r)
		case u.Measure.IsZeroOverNoRows():
			return build.CoalesceToNumber(find(w.combined.Column(r.ID)), "0")
		}
		return find(w.combined.Column(r.ID))
	})
}

// monthHasDayCondition returns the condition that the month so many months away has the day of a bucket.
func monthHasDayCondition(day sqlexpr.Expr, months int) sqlexpr.Expr {
	unit := &sqlexpr.String{Value: sqlexpr.GrainMonth.String()}
	moved := build.Call(sqlexpr.FnDateAdd, "DATEADD", unit, build.Integer(months), day)
	return &sqlexpr.Binary{Op: sqlexpr.OpEq, L: &sqlexpr.Extract{Part: "day", X: moved}, R: &sqlexpr.Extract{Part: "day", X: day}}
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
	if w.win.Base.Second != nil {
		second := columnOrValue(w.query, w.combined, w.win.Base.Second)
		if w.win.InRange != nil {
			second = valueAtLevels(w.query, w.win, second, columnOrValue(w.query, w.combined, w.win.InRange.Second))
		}
		return build.Call(fn, name, value, second)
	}
	switch {
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
// a window over time runs along it. Neither are the attributes of its buckets. Where the order is by time, rows of the
// NULL bucket form their own partition, so that they enter no other row's window.
func (w planner) partitionKeys() []sqlexpr.Expr {
	var out []sqlexpr.Expr
	part, buckets := w.win.Spec.EffectivePartition(), w.query.In.BucketsOfAxis(w.query.Groups, w.axis)
	for i, g := range w.query.Groups {
		if w.isPartitionedBy(part, g, i) && !buckets.IsAttribute(i) {
			out = append(out, &sqlexpr.Ref{ID: i})
		}
	}
	if w.query.Levels.HasSeveralLevels() {
		out = append(out, &sqlexpr.Ref{ID: len(w.query.Groups)})
	}
	if w.win.AxisGroup >= 0 && w.win.Spec.OrderedByTime() && (w.win.Spec.Rank != nil || w.win.Spec.Value != nil) {
		out = append(out, &sqlexpr.IsNull{X: &sqlexpr.Ref{ID: w.win.AxisGroup}})
	}
	if w.hasData != nil && !w.win.Spec.IsTimeOrdered() {
		out = append(out, w.hasData)
	}
	if w.endsInBucket {
		out = append(out, w.isCut)
	}
	switch reset := w.win.Spec.ResetUnit(); {
	case reset.Period != nil:
		out = append(out, w.calendar.periodNumberColumn(reset.Period))
	case !reset.IsZero():
		bucket := &sqlexpr.Ref{ID: w.win.AxisGroup}
		keys := &catalog.Field{Type: w.axis.BucketType(w.bucketGrain())}
		out = append(out, w.query.In.Times.Clock.BucketExpr(bucket, keys, reset.Grain, clock.TimeBounds{}))
	}
	return out
}

func (w planner) isPartitionedBy(part catalog.WindowPartition, g scope.Group, i int) bool {
	onAxis := g.ReadsAxis(w.axis)
	//exhaustive:enforce
	switch part.Mode {
	case catalog.PartitionNone:
		return false
	case catalog.PartitionTimeBucket:
		return i == w.win.AxisGroup
	case catalog.PartitionDimensionsExcept:
		return !onAxis && !slices.ContainsFunc(part.Exclude, g.IsUnprefixedField)
	case catalog.PartitionDefault, catalog.PartitionDimensions:
	}
	return !onAxis
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
	for i := range w.query.Groups {
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

// windowLayers sorts some windows among measure references into layers, of which each reads those before it: an offset comes after the windows
// that it moves.
func windowLayers(refs []*measure.Ref, isAdded func(*measure.Ref) bool) [][]int {
	var layers [][]int
	layerOf := map[int]int{}
	for i, u := range refs {
		if !isAdded(u) {
			continue
		}
		layer := 0
		for _, e := range []sqlexpr.Expr{u.Window.Base.Expr, u.Window.Current} {
			for r := range sqlexpr.Refs(e) {
				if refs[r.ID].Window != nil {
					layer = max(layer, layerOf[r.ID]+1)
				}
			}
		}
		layerOf[i] = layer
		if layer == len(layers) {
			layers = append(layers, nil)
		}
		layers[layer] = append(layers[layer], i)
	}
	return layers
}
