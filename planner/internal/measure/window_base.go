package measure

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// windowBase is the expression under a window.
type windowBase struct {
	Expr   sqlexpr.Expr // over the measure references of the query
	Second sqlexpr.Expr // of functions of two values; nil otherwise
	Inputs []int        // the measure references that the window reads
	// MovesWindows: the expression is over other windows, which an offset reads at another bucket.
	MovesWindows bool
	// AtLevels: an offset reads values of metrics at other levels, which tables have at the other bucket.
	AtLevels bool
	// Expanded: some of them are computed from rows that were copied to the buckets that they reach.
	Expanded bool
}

// IsWindowBaseExpression reports whether the base of a metric's window is an expression, not one plain
// aggregate. A window that is recomputed takes a plain aggregate for an expression.
func IsWindowBaseExpression(m *catalog.Metric, dialect string) bool {
	return m.Window.Recompute != nil || m.Window.Base.ForDialect(dialect) == nil && (m.Derive == nil || m.Derive.Base == nil)
}

// registerWindowOverExpression registers the use of a window over an expression: its inputs, and the window, which is
// a measure reference too.
func registerWindowOverExpression(x *Expander, m *catalog.Metric, at Context) (sqlexpr.Expr, error) {
	n, err := x.WindowParameter(m, at.Choice)
	if err != nil {
		return nil, err
	}
	key := windowMetricUseKey(x, m, at)
	if known := findWindow(x, key, at.Owner); known != nil {
		return known, nil
	}
	w := &Window{key: key, Metric: m, Owner: at.Owner, Spec: m.Window, N: n, AxisGroup: -1, Base: &windowBase{}, MovedBy: x.base}
	b := windowBaseExpander{x, w, at}
	if w.AxisGroup, w.Buckets, err = b.axisGroup(); err != nil {
		return nil, err
	}
	if w.Base.Expr, w.Current, w.InRange, err = x.expandWindowBase(w, at); err != nil {
		return nil, err
	}
	w.Base.Inputs = measureRefIndexesOfWindow(x.out.MeasureRefs, w)
	if w.Base.Expanded = b.readsRowsOfOtherBuckets(); w.Base.Expanded {
		b.addRowMarkerInputs()
		w.Base.Inputs = measureRefIndexesOfWindow(x.out.MeasureRefs, w)
	}
	operands := w.Base.operands()
	w.Base.MovesWindows = slices.ContainsFunc(operands, func(i int) bool { return x.out.MeasureRefs[i].Window != nil })
	w.Base.AtLevels = m.Window.Offset != nil && slices.ContainsFunc(operands, func(i int) bool { return x.out.MeasureRefs[i].Level != nil })
	if w.Base.AtLevels && w.Base.MovesWindows {
		e := scope.NotImplementedError(m.Name+" is an offset of windows and of metrics at other levels, which is not implemented", "leave out "+at.Owner, at.Owner)
		e.Fragment = retry.DropMetric(x.in, at.Owner)
		return nil, e
	}
	if len(operands) == 0 {
		return nil, scope.InternalError("the window of %s reads no measure", m.Name)
	}
	if err := b.checkMeasures(operands); err != nil {
		return nil, err
	}
	w.BaseType = x.TypeOf(w.Base.Expr)
	if err := checkWindowBaseType(x, m, at.Owner, w.BaseType); err != nil {
		return nil, err
	}
	w.Typ = m.Window.ResultType(w.BaseType)
	first := x.out.MeasureRefs[operands[0]]
	u := Ref{RefKey: RefKey{Measure: first.Measure, Axis: first.Axis, Tag: at.Tag}, Window: w}
	return x.AddMeasureRef(u, at.Choice, at.Owner), nil
}

// operands lists the measure references in the base: those that the window reads, and the windows that an offset is over.
func (base *windowBase) operands() []int {
	var out []int
	for r := range sqlexpr.Refs(base.Expr) {
		out = append(out, r.ID)
	}
	return out
}

// newBaseInRange returns what a window reads at levels without buckets.
func newBaseInRange(value, second sqlexpr.Expr) *windowBase {
	out := &windowBase{Expr: value, Second: second}
	for _, e := range []sqlexpr.Expr{value, second} {
		for r := range sqlexpr.Refs(e) {
			out.Inputs = append(out.Inputs, r.ID)
		}
	}
	return out
}

// windowMetricUseKey distinguishes the uses of window metrics.
func windowMetricUseKey(x *Expander, m *catalog.Metric, at Context) string {
	key := strconv.Itoa(m.ID) + ":" + strconv.Itoa(at.Tag) + ":" + at.Choice.Key()
	if x.base != nil {
		key += ":at " + x.base.key
	}
	if at.Axis != nil {
		key += ":" + strconv.Itoa(at.Axis.ID)
	}
	return key
}

// windowBaseExpander expands the base of a window.
type windowBaseExpander struct {
	x  *Expander
	w  *Window
	at Context
}

// expandWindowBase expands the base of the window, whose measures are the window's own, the value that an offset compares, and what the
// window reads at levels without buckets.
func (x *Expander) expandWindowBase(w *Window, at Context) (base, current sqlexpr.Expr, inRange *windowBase, err error) {
	values := x.values
	x.values, x.base = nil, w
	base, err = ValueWithoutWindow(x, w.Metric, at)
	x.values, x.base = values, w.MovedBy
	if err == nil && w.ComparesWithCurrent() {
		current, err = ValueWithoutWindow(x, w.Metric, at)
	}
	if err == nil && w.readsRangeAtLevels(x) {
		var value sqlexpr.Expr
		value, err = ValueWithoutWindow(x, w.Metric, at)
		inRange = newBaseInRange(value, nil)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	return base, current, inRange, x.out.Sizes.AddToQuerySize(base, current)
}

// ValueWithoutWindow returns the arithmetic of a windowed metric without its window.
func ValueWithoutWindow(x *Expander, m *catalog.Metric, at Context) (sqlexpr.Expr, error) {
	if m.Derive != nil && m.Derive.Base != nil {
		return x.filteredMeasureValue(m, at)
	}
	return x.metricFormValue(m, at)
}

// registerInput registers a measure of the base.
func (b windowBaseExpander) registerInput(u Ref) sqlexpr.Expr {
	if b.w.Spec.Recompute != nil {
		return b.recomputedMeasureExpr(u)
	}
	return b.addInput(u, InputRead{})
}

func (b windowBaseExpander) addInput(u Ref, read InputRead) sqlexpr.Expr {
	u.InputOf, u.Read = b.w, read
	return b.x.AddMeasureRef(u, b.at.Choice, b.at.Owner)
}

// measureRefIndexesOfWindow lists the measure references that a window reads, those of the windows that it moves among them.
func measureRefIndexesOfWindow(refs []*Ref, w *Window) []int {
	var out []int
	for i, u := range refs {
		for by := u.InputOf; by != nil; by = by.MovedBy {
			if by == w {
				out = append(out, i)
			}
		}
	}
	return out
}

// checkMeasures rejects measures that the window cannot run over.
func (b windowBaseExpander) checkMeasures(operands []int) error {
	for _, i := range operands {
		u := b.x.out.MeasureRefs[i]
		lod := b.x.in.Cat.AppendLODFieldsOfExpr(nil, u.Measure.Arg, b.x.in.Target.Dialect)
		if u.Level == nil && len(lod) > 0 { // a table has the values of a level
			return windowOverLODError(b.x.in, b.w.Metric, lod[0], b.at.Owner)
		}
		p := b.newGroupByChecker(u.Axis)
		group, err := p.checkGroupByForWindow()
		if err != nil {
			return err
		}
		if group != b.w.AxisGroup {
			return p.missingAxisError()
		}
	}
	if b.w.Spec.Recompute == nil {
		return nil
	}
	return b.checkRecomputedWindow()
}

func (b windowBaseExpander) newGroupByChecker(axis *catalog.Field) WindowGroupByChecker {
	return WindowGroupByChecker{In: b.x.in, metrics: b.x.metrics, groups: b.x.groups, axis: axis, metric: b.w.Metric, spec: b.w.Spec, Owner: b.at.Owner, n: b.w.N}
}

// axisGroup finds the group that carries the window's axis, which is that of its first measure.
func (b windowBaseExpander) axisGroup() (axis, buckets int, err error) {
	measure, in := firstMeasure(b.w.Metric, b.x.in.Target.Dialect)
	if measure == nil {
		return 0, 0, scope.InternalError("the base of %s has no measure", b.w.Metric.Name)
	}
	place := b.newGroupByChecker(AxisOfMeasure(b.x.in.Cat, in, measure, AxisOfMetric(b.x.in.Cat, in, b.at.Axis)))
	axis, err = place.checkGroupByForWindow()
	return axis, place.bucketGroup(), err
}

// firstMeasure returns the first measure under a metric, and the metric that holds it.
func firstMeasure(m *catalog.Metric, dialect string) (*catalog.Measure, *catalog.Metric) {
	for m.Derive != nil && m.Derive.Base != nil {
		m = m.Derive.Base
	}
	form := m.Forms.ForDialect(dialect)
	if form == nil {
		return nil, nil
	}
	for _, o := range form.Operands {
		switch o := o.(type) {
		case *catalog.Measure:
			return o, m
		case *catalog.Metric:
			if measure, in := firstMeasure(o, dialect); measure != nil {
				return measure, in
			}
		}
	}
	return nil, nil
}

// NotImplementedError returns the error of a window that the query's grain does not suit; the retry takes a coarser grain.
func (p WindowGroupByChecker) NotImplementedError(message string, coarser []sqlexpr.Grain) error {
	e := &planerr.Error{Code: planerr.CodeNotImplemented, Message: message, Metrics: []string{p.Owner}}
	if len(coarser) > 0 {
		if group, err := p.findAxisGroup(); err == nil {
			e.Fragment = map[string]any{"group_by": retry.ReplaceGrain(p.In.Query.GroupBy, p.groups[group], coarser[0])}
			return e
		}
	}
	e.SuggestedRetry, e.Fragment = "leave out "+p.Owner, retry.DropMetric(p.In, p.Owner)
	return e
}

// listInputRows lists the rows that the window's inputs aggregate.
func (w *Window) listInputRows(refs []*Ref) []windowInputRows {
	var out []windowInputRows
	for _, i := range w.Base.Inputs {
		h := windowInputRows{refs[i].Measure.Home, refs[i].Axis, refs[i].Inner}
		if !slices.ContainsFunc(out, func(o windowInputRows) bool {
			return o.home == h.home && o.axis == h.axis && joinpath.SameSets(o.inner, h.inner)
		}) {
			out = append(out, h)
		}
	}
	return out
}

// windowInputRows are the rows of a dataset that are aggregated, less those that joins drop, and the axis on which they lie.
type windowInputRows struct {
	home  *catalog.Dataset
	axis  *catalog.Field
	inner [][]catalog.JoinStep
}

// bucketRowCount is the column that counts the rows of a bucket.
const bucketRowCount = "rows_of_bucket"

// addRowMarkerInputs adds to the inputs of a window whose measures are expanded, for the rows of each dataset, a
// measure of the buckets that have them.
func (b windowBaseExpander) addRowMarkerInputs() {
	for _, h := range b.w.listInputRows(b.x.out.MeasureRefs) {
		rows := rowMarkerMeasure(b.x.out.MeasureRefs, h.home)
		b.addInput(Ref{RefKey: RefKey{Measure: rows, Axis: h.axis, Tag: b.at.Tag}, Inner: h.inner}, InputRead{})
	}
}

// rowMarkerMeasure returns the measure that marks the rows of a dataset, which a branch has once.
func rowMarkerMeasure(refs []*Ref, home *catalog.Dataset) *catalog.Measure {
	for _, u := range refs {
		if u.Measure.Stem == bucketRowCount && u.Measure.Home == home {
			return u.Measure
		}
	}
	return &catalog.Measure{Name: bucketRowCount, Stem: bucketRowCount, Home: home, Agg: catalog.AggMax, Arg: build.Integer(1), Type: sqlexpr.TypeInt}
}

// containsRowMarker reports whether a window reads a marker of the rows of a dataset.
func containsRowMarker(refs []*Ref, w *Window, home *catalog.Dataset) bool {
	return slices.ContainsFunc(refs, func(u *Ref) bool {
		return u.InputOf == w && u.Measure.Stem == bucketRowCount && u.Measure.Home == home
	})
}
