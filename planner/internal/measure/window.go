package measure

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// Window is a metric's window with its parameters bound and its place in this
// query known.
type Window struct {
	key       string
	Metric    *catalog.Metric
	Owner     string // the selected metric that contains it
	Spec      *catalog.Window
	N         int // offset count, periods, preceding, buckets or n
	Typ       sqlexpr.Type
	BaseType  sqlexpr.Type // of the values of buckets
	AxisGroup int          // the group that carries the axis; -1 for a window that does not run over time
	Buckets   int          // the group that carries buckets of the axis, whether the window runs over time or not; -1 without one
	Base      *windowBase
	// MovedBy is the offset that reads the window at another bucket; nil for a window that is read at its own.
	MovedBy *Window
	// Current is the value that an offset compares with that of another bucket: the metric over the rows in range; nil where it
	// compares none.
	Current sqlexpr.Expr
	// InRange is what the window reads at levels without buckets: the metric over the rows in range. It is nil where that is its base.
	InRange *windowBase
	// Cut is what the window reads in the bucket that the end of the range cuts, where it looks at later buckets elsewhere; nil for any other
	// window.
	Cut *cutBucket
	// endsWithRange: the window reads nothing after the range.
	endsWithRange bool
}

// NeedsBucket reports whether the window is NULL on the row of the NULL bucket, which is a group like any other for other windows.
func (w *Window) NeedsBucket() bool { return w.Spec.OrderedByTime() || !w.Spec.ResetUnit().IsZero() }

// registerWindowedMetric registers the use of a windowed metric.
func (x *Expander) registerWindowedMetric(m *catalog.Metric, at Context) (sqlexpr.Expr, error) {
	if err := x.in.ContextError(); err != nil {
		return nil, err
	}
	if IsWindowBaseExpression(m, x.in.Target.Dialect) {
		return registerWindowOverExpression(x, m, at)
	}
	measure, where, err := x.FilteredAggregateUnderWindow(m, at.Choice)
	if err != nil {
		return nil, err
	}
	if lod := x.in.Cat.AppendLODFieldsOfMeasure(nil, measure, x.in.Target.Dialect); len(lod) > 0 {
		return nil, windowOverLODError(x.in, m, lod[0], at.Owner)
	}
	n, err := x.WindowParameter(m, at.Choice)
	if err != nil {
		return nil, err
	}
	axis := AxisOfMeasure(x.in.Cat, m, measure, at.Axis)
	place := WindowGroupByChecker{In: x.in, metrics: x.metrics, groups: x.groups, axis: axis, metric: m, spec: m.Window, Owner: at.Owner, n: n}
	group, err := place.checkGroupByForWindow()
	if err != nil {
		return nil, err
	}
	input := Ref{RefKey: RefKey{Measure: measure, Axis: axis, Tag: at.Tag}, Where: where}
	key := windowMetricUseKey(x, m, at)
	if where != nil {
		key += ":" + sqlexpr.Format(where)
	}
	if known := findWindow(x, key, at.Owner); known != nil {
		return known, nil
	}
	w := &Window{
		key: key, Metric: m, Owner: at.Owner, Spec: m.Window, N: n, AxisGroup: group, Buckets: place.bucketGroup(), Typ: m.Window.ResultType(measure.Type), BaseType: measure.Type,
		MovedBy: x.base,
	}
	if err := checkWindowBaseType(x, m, at.Owner, measure.Type); err != nil {
		return nil, err
	}
	b := windowBaseExpander{x, w, at}
	read, err := b.readOfRollingInput(place, measure)
	if err != nil {
		return nil, err
	}
	w.Base = &windowBase{Expr: b.addInput(input, read)}
	if w.Base.Expanded = read.Kind != ReadKindBucketRows; w.Base.Expanded {
		w.Base.Inputs = measureRefIndexesOfWindow(x.out.MeasureRefs, w)
		b.addRowMarkerInputs()
	}
	if f := m.Window.Frame; f != nil && f.Second != nil {
		second := input
		second.Measure, second.Where = f.Second, nil // a separate metric, which the filter does not concern
		w.Base.Second = b.addInput(second, InputRead{})
	}
	w.Base.Inputs = measureRefIndexesOfWindow(x.out.MeasureRefs, w)
	if w.ComparesWithCurrent() {
		w.Current = addMeasureOfWindow(x, input, at)
	}
	if w.readsRangeAtLevels(x) {
		value, second := addMeasureOfWindow(x, input, at), sqlexpr.Expr(nil)
		if w.Base.Second != nil {
			other := input
			other.Measure, other.Where = m.Window.Frame.Second, nil
			second = addMeasureOfWindow(x, other, at)
		}
		w.InRange = newBaseInRange(value, second)
	}
	return x.AddMeasureRef(Ref{RefKey: input.RefKey, Window: w}, at.Choice, at.Owner), nil
}

// findWindow returns the reference to a window that is registered already; nil without it.
func findWindow(x *Expander, key, owner string) sqlexpr.Expr {
	i := slices.IndexFunc(x.out.MeasureRefs, func(u *Ref) bool { return u.Window != nil && u.Window.key == key })
	if i < 0 {
		return nil
	}
	w := x.out.MeasureRefs[i].Window
	for _, input := range w.Base.Inputs {
		x.addMeasureOwner(input, owner)
	}
	x.addOwnerToMeasuresIn(w.Current, owner)
	if w.InRange != nil {
		for _, input := range w.InRange.Inputs {
			x.addMeasureOwner(input, owner)
		}
	}
	x.addMeasureOwner(i, owner)
	return &sqlexpr.Ref{ID: i}
}

// ComparesWithCurrent reports whether the window compares the value of the bucket with another.
func (w *Window) ComparesWithCurrent() bool {
	return w.Spec.Offset != nil && w.Spec.Offset.Calculation != catalog.CalculationValue
}

// readsRangeAtLevels reports whether the window has values at levels without buckets: a window that does not run over time. It sees
// there the rows in range, and at others also those beside it.
func (w *Window) readsRangeAtLevels(x *Expander) bool {
	return x.hasTotals && w.Buckets >= 0 && !w.NeedsBucket() && w.ReadsBeyondRange() && w.MovedBy == nil
}

// FilteredAggregateUnderWindow returns the plain aggregate under a window, with the filter of a
// filtered metric folded in.
func (x *Expander) FilteredAggregateUnderWindow(m *catalog.Metric, c scope.Choice) (*catalog.Measure, sqlexpr.Expr, error) {
	if m.Derive != nil && m.Derive.Base != nil {
		return x.UnderlyingMeasureAndFilter(m, c)
	}
	if base := m.Window.Base.ForDialect(x.in.Target.Dialect); base != nil {
		return base, nil, nil
	}
	return x.UnderlyingMeasureAndFilter(m, c)
}

// WindowParameter returns the number that the window's family takes; 0 when it takes
// none.
func (x *Expander) WindowParameter(m *catalog.Metric, c scope.Choice) (int, error) {
	count := m.Window.CountArgument()
	if count.Param == "" {
		return count.N, nil
	}
	lit, err := x.bound.SlotsOf(m, c).SlotLiteral(count.Param)
	if err != nil {
		return 0, err
	}
	number, ok := lit.(*sqlexpr.Number)
	n := 0
	if ok {
		n, err = strconv.Atoi(number.Text)
	}
	least, most := 1, maxWindowBuckets
	switch {
	case m.Window.Frame != nil:
		least = 0
	case m.Window.Recompute != nil, m.Window.Span() != nil:
		most = limits.RecomputedWindowPeriods
	}
	if !ok || err != nil || n < least || n > most {
		i := slices.IndexFunc(m.Params, func(p *catalog.Param) bool { return p.Name == count.Param })
		return 0, x.bound.OutOfDomainError(m.Params[i], "the window of "+m.Name+" needs an integer from "+strconv.Itoa(least)+" to "+strconv.Itoa(most))
	}
	return n, nil
}

// maxWindowBuckets bounds how many buckets a window may span.
const maxWindowBuckets = limits.ParamWindowBuckets

// windowOverLODError rejects a window whose base aggregates level-of-detail values.
func windowOverLODError(in *scope.Env, m *catalog.Metric, lod *catalog.Field, owner string) error {
	return &planerr.Error{
		Code:           planerr.CodeNotImplemented,
		Message:        m.Name + " is a window over the level-of-detail field " + lod.QualifiedName() + ", which is not supported",
		Metrics:        []string{owner},
		SuggestedRetry: "query the metric that " + m.Name + " is built on without its window",
		Fragment:       retry.DropMetric(in, owner),
	}
}

// NeedsCalendarPeriods reports whether only the warehouse has the buckets of a group that the window looks at.
func (w *Window) NeedsCalendarPeriods(g scope.Group) bool {
	return g.Period != nil || len(w.Spec.CalendarPeriods()) > 0
}

// HasFrameOverBuckets reports whether a recomputed window has a frame over the values of a number of buckets of a group.
func (w *Window) HasFrameOverBuckets(refs []*Ref, group scope.Group) bool {
	r := w.Spec.Recompute
	if r == nil || r.Unbounded || w.ReachesOwnBucketAlone(group) && !r.RequireFullWindow {
		return false
	}
	for ref := range sqlexpr.Refs(w.Base.Expr) {
		if !refs[ref.ID].Read.Kind.HoldsValueOverWholeWindow() {
			return true
		}
	}
	return r.RequireFullWindow
}

// AsksForData reports whether the value depends on where the metric has data, beyond the values that are not NULL.
func (w *Window) AsksForData() bool {
	_, plain := w.Base.Expr.(*sqlexpr.Ref)
	return !w.Spec.IsTimeOrdered() || w.Spec.RequiresFullWindow() || w.Spec.Recompute == nil && !plain
}

// calculatesWithNumbers reports whether a window adds, multiplies or divides values.
func calculatesWithNumbers(w *catalog.Window) bool {
	if w.Offset != nil {
		return w.Offset.Calculation == catalog.CalculationPercentChange || w.Offset.Calculation == catalog.CalculationRatio
	}
	switch w.Function() {
	case sqlexpr.FnMin, sqlexpr.FnMax, sqlexpr.FnCount:
		return false
	}
	return w.Rolling != nil || w.Cumulative != nil || w.Frame != nil
}

// checkWindowBaseType rejects a window that calculates with texts or times. Some engines read numbers out of them: the
// sum of two dates is 40480313 there.
func checkWindowBaseType(x *Expander, m *catalog.Metric, owner string, base sqlexpr.Type) error {
	function := m.Window.FunctionOrCalculation()
	switch {
	case base == sqlexpr.TypeString && function == catalog.CalculationDelta.String():
	case base != sqlexpr.TypeString && base != sqlexpr.TypeTime && !base.IsDateOrTimestamp():
		return nil
	case !calculatesWithNumbers(m.Window):
		return nil
	}
	return &planerr.Error{
		Code: planerr.CodeNotImplemented, Metrics: []string{owner}, SuggestedRetry: "leave out " + owner, Fragment: retry.DropMetric(x.in, owner),
		Message: "the window of " + m.Name + " calculates " + function + " of values of type " + base.String() + ", which are not numbers",
	}
}
