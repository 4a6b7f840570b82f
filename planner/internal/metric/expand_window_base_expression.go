package metric

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/build"
	"github.com/semlayer/semlayer/planner/internal/retry"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
)

// expressionUnderWindow is the expression under a window.
type expressionUnderWindow struct {
	expr   sqlexpr.Expr // over the measure references of the query
	inputs []int        // those that the window reads
	// expanded: some of them are computed from rows that were copied to the buckets that they reach.
	expanded bool
}

// IsWindowBaseExpression reports whether the base of a metric's window is an expression, not one plain
// aggregate. A window that is recomputed takes a plain aggregate for an expression.
func IsWindowBaseExpression(m *catalog.Metric, dialect string) bool {
	return m.Window.Recompute != nil || m.Window.Base.ForDialect(dialect) == nil && (m.Derive == nil || m.Derive.Base == nil)
}

// registerWindowOverExpression registers the use of a window over an expression: its inputs, and the window, which is
// a measure reference too.
func registerWindowOverExpression(x *Expander, m *catalog.Metric, at MetricEvalContext) (sqlexpr.Expr, error) {
	n, err := x.WindowParameter(m, at.Choice)
	if err != nil {
		return nil, err
	}
	key := windowMetricUseKey(m, at)
	if i := slices.IndexFunc(x.out.measureRefs, func(u *MeasureRef) bool { return u.window != nil && u.window.base != nil && u.window.key == key }); i >= 0 {
		for _, input := range x.out.measureRefs[i].window.base.inputs {
			x.addMeasureOwner(input, at.Owner)
		}
		x.addMeasureOwner(i, at.Owner)
		return &sqlexpr.Ref{ID: i}, nil
	}
	w := &metricWindow{key: key, metric: m, owner: at.Owner, spec: m.Window, n: n, axisGroup: -1, base: &expressionUnderWindow{}}
	b := windowBaseExpander{x, w, at}
	if w.axisGroup, err = b.axisGroup(); err != nil {
		return nil, err
	}
	if w.base.expr, err = x.expandWindowBase(w, at); err != nil {
		return nil, err
	}
	w.base.inputs = measureRefIndexesOfWindow(x.out.measureRefs, w)
	if w.base.expanded = b.readsRowsOfOtherBuckets(); w.base.expanded {
		b.addRowMarkerInputs()
		w.base.inputs = measureRefIndexesOfWindow(x.out.measureRefs, w)
	}
	if len(w.base.inputs) == 0 {
		return nil, scope.InternalError("the window of %s reads no measure", m.Name)
	}
	if err := b.checkMeasures(); err != nil {
		return nil, err
	}
	w.baseType = x.TypeOf(w.base.expr)
	if err := checkWindowBaseType(x, m, at.Owner, w.baseType); err != nil {
		return nil, err
	}
	w.typ = m.Window.ResultType(w.baseType)
	first := x.out.measureRefs[w.base.inputs[0]]
	u := MeasureRef{MeasureRefKey: MeasureRefKey{Measure: first.Measure, Axis: first.Axis, Tag: at.Tag}, window: w}
	return x.AddMeasureRef(u, at.Choice, at.Owner), nil
}

// windowMetricUseKey distinguishes the uses of window metrics over expressions.
func windowMetricUseKey(m *catalog.Metric, at MetricEvalContext) string {
	key := strconv.Itoa(m.ID) + ":" + strconv.Itoa(at.Tag) + ":" + at.Choice.Key()
	if at.Axis != nil {
		key += ":" + strconv.Itoa(at.Axis.ID)
	}
	return key
}

// windowBaseExpander expands the base of a window.
type windowBaseExpander struct {
	x  *Expander
	w  *metricWindow
	at MetricEvalContext
}

// expandWindowBase expands the base of the window. Its measures are the window's own.
func (x *Expander) expandWindowBase(w *metricWindow, at MetricEvalContext) (sqlexpr.Expr, error) {
	values := x.values
	x.values, x.base = nil, w
	defer func() { x.values, x.base = values, nil }()
	e, err := ValueWithoutWindow(x, w.metric, at)
	if err != nil {
		return nil, err
	}
	return e, x.out.sizes.addToQuerySize(e)
}

// ValueWithoutWindow returns the arithmetic of a windowed metric without its window.
func ValueWithoutWindow(x *Expander, m *catalog.Metric, at MetricEvalContext) (sqlexpr.Expr, error) {
	if m.Derive != nil && m.Derive.Base != nil {
		return x.filteredMeasureValue(m, at)
	}
	return x.metricFormValue(m, at)
}

// registerInput registers a measure of the base.
func (b windowBaseExpander) registerInput(u MeasureRef) sqlexpr.Expr {
	if b.w.spec.Recompute != nil {
		return b.recomputedMeasureExpr(u)
	}
	return b.addInput(u, windowInputRead{})
}

func (b windowBaseExpander) addInput(u MeasureRef, read windowInputRead) sqlexpr.Expr {
	u.inputOf, u.read = b.w, read
	return b.x.AddMeasureRef(u, b.at.Choice, b.at.Owner)
}

// measureRefIndexesOfWindow lists the measure references that a window reads.
func measureRefIndexesOfWindow(refs []*MeasureRef, w *metricWindow) []int {
	var out []int
	for i, u := range refs {
		if u.inputOf == w {
			out = append(out, i)
		}
	}
	return out
}

// checkMeasures rejects measures that the window cannot run over.
func (b windowBaseExpander) checkMeasures() error {
	for _, i := range b.w.base.inputs {
		u := b.x.out.measureRefs[i]
		if lod := b.x.in.Cat.AppendLODFieldsOfExpr(nil, u.Measure.Arg, b.x.in.Target.Dialect); len(lod) > 0 {
			return windowOverLODError(b.x.in, b.w.metric, lod[0], b.at.Owner)
		}
		p := b.newGroupByChecker(u.Axis)
		group, err := p.checkGroupByForWindow()
		if err != nil {
			return err
		}
		if group != b.w.axisGroup {
			return p.missingAxisError()
		}
	}
	if b.w.spec.Recompute == nil {
		return nil
	}
	return b.checkRecomputedWindow()
}

func (b windowBaseExpander) newGroupByChecker(axis *catalog.Field) windowGroupByChecker {
	return windowGroupByChecker{in: b.x.in, metrics: b.x.metrics, groups: b.x.groups, axis: axis, metric: b.w.metric, spec: b.w.spec, owner: b.at.Owner, n: b.w.n}
}

// axisGroup finds the group that carries the window's axis, which is that of its first measure.
func (b windowBaseExpander) axisGroup() (int, error) {
	measure, in := firstMeasure(b.w.metric, b.x.in.Target.Dialect)
	if measure == nil {
		return 0, scope.InternalError("the base of %s has no measure", b.w.metric.Name)
	}
	return b.newGroupByChecker(TimeAxisOfMeasure(b.x.in.Cat, in, measure, TimeAxisOfMetric(b.x.in.Cat, in, b.at.Axis))).checkGroupByForWindow()
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

// baseValueWithFilledBuckets returns the value of a base in a bucket, also in a filled one: counts are 0 there, all else is NULL.
func (w windowPlanner) baseValueWithFilledBuckets() sqlexpr.Expr {
	return sqlexpr.Rewrite(w.win.base.expr, func(e sqlexpr.Expr) sqlexpr.Expr {
		r, ok := e.(*sqlexpr.Ref)
		if !ok {
			return nil
		}
		column := w.measureColumn(w.inputs[r.ID])
		if w.refs[r.ID].Measure.IsZeroOverNoRows() {
			return build.CoalesceToNumber(column, "0")
		}
		return column
	})
}

// notImplementedError returns the error of a window that the query's grain does not suit; the retry takes a coarser grain.
func (p windowGroupByChecker) notImplementedError(message string, coarser []sqlexpr.Grain) error {
	e := &planerr.Error{Code: planerr.CodeNotImplemented, Message: message, Metrics: []string{p.owner}}
	if len(coarser) > 0 {
		if group, err := p.findAxisGroup(); err == nil {
			e.Fragment = map[string]any{"group_by": retry.ReplaceGrain(p.in.Query.GroupBy, p.groups[group], coarser[0])}
			return e
		}
	}
	e.SuggestedRetry, e.Fragment = "leave out "+p.owner, retry.DropMetric(p.in, p.owner)
	return e
}

// listInputRows lists the rows that the window's inputs aggregate.
func (w *metricWindow) listInputRows(refs []*MeasureRef) []windowInputRows {
	var out []windowInputRows
	for _, i := range w.base.inputs {
		h := windowInputRows{refs[i].Measure.Home, refs[i].Axis, refs[i].inner}
		if !slices.ContainsFunc(out, func(o windowInputRows) bool {
			return o.home == h.home && o.axis == h.axis && samePaths(o.inner, h.inner)
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
