package compile

import (
	"fmt"
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// resolveWindows resolves the window blocks. A window that takes the values of buckets together works on
// one plain aggregate, filtered or not; any other works on any expression without windows.
func (c *compiler) resolveWindows() {
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		if m.ext.Window != nil {
			c.resolveWindow(m, m.ext.Window)
		}
	}
	levels := windowLevels{}
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		if m.ext.Window != nil {
			c.refuseWindowOverWindow(m, m.ext.Window)
			c.checkWindowLevels(m, m.ext.Window, levels)
			c.checkRecomputedPeriodCount(m, m.ext.Window)
			c.refuseRecomputedSnapshots(m, m.ext.Window)
		}
	}
}

// checkRecomputedPeriodCount rejects more periods than the rows of a holistic aggregate may be read for.
func (c *compiler) checkRecomputedPeriodCount(m *metricInProgress, w *extension.Window) {
	r := w.Spec.Recompute
	if r == nil || r.Periods.N <= limits.RecomputedHolisticWindowPeriods || m.cat.Err != nil {
		return
	}
	for _, leaf := range m.cat.LeafMeasures() {
		if leaf.Agg.Class() == catalog.ClassHolistic {
			c.failMetric(m, invalidPayloadError(w.Place, "window", "the window of %s spans %d buckets; over %s it may span %d, because each value is read once for each bucket that it reaches",
				m.cat.Name, r.Periods.N, leaf.Agg.Noun(), limits.RecomputedHolisticWindowPeriods))
			return
		}
	}
}

// refuseWindowOverWindow rejects a window over a metric that is made of windows. An offset is over any windows that have a value at every
// bucket.
func (c *compiler) refuseWindowOverWindow(m *metricInProgress, w *extension.Window) {
	for _, form := range m.cat.FormsOfAllDialects() {
		for _, o := range form.Operands {
			member, ok := o.(*catalog.Metric)
			if !ok {
				continue
			}
			windowed := member.WindowedMetrics("")
			what, hint := "has a window; a window needs a base without windows, except for an offset", "build the window on the metrics without windows"
			if w.Spec.Offset != nil {
				windowed = slices.DeleteFunc(windowed, func(m *catalog.Metric) bool { return m.Window.IsTimeOrdered() })
				what, hint = "has a window over places among rows; an offset needs windows over time", "build the offset on the metrics without such windows"
			}
			if len(windowed) > 0 {
				c.failMetric(m, &modelspec.CompileError{
					Code: extension.CodeNotImplemented, Location: w.Location, Position: w.Position,
					Message: fmt.Sprintf("the window of %s is over %s, which %s", m.cat.Name, windowed[0].Name, what),
					Hint:    hint + "; see " + extension.DocumentationAnchor("window"),
				})
				return
			}
		}
	}
}

// checkWindowLevels rejects windows that are nested too deep: one may read the window below it twice, for its current and its earlier value.
func (c *compiler) checkWindowLevels(m *metricInProgress, w *extension.Window, levels windowLevels) {
	if n := levels.ofMetric(m.cat); n > limits.WindowNestingLevels && m.cat.Err == nil {
		c.failMetric(m, &modelspec.CompileError{
			Code: extension.CodeNotImplemented, Location: w.Location, Position: w.Position,
			Message: fmt.Sprintf("the window of %s is over windows, %d levels deep; at most %d are allowed", m.cat.Name, n, limits.WindowNestingLevels),
			Hint:    "build the window on a metric with fewer windows below it; see " + extension.DocumentationAnchor("window"),
		})
	}
}

// windowLevels holds how many windows lie above one another in metrics, their own among them.
type windowLevels map[*catalog.Metric]int

func (l windowLevels) ofMetric(m *catalog.Metric) int {
	if n, known := l[m]; known {
		return n
	}
	n := 0
	for _, member := range m.MemberMetrics() {
		n = max(n, l.ofMetric(member))
	}
	if m.Window != nil {
		n++
	}
	l[m] = n
	return n
}

func (c *compiler) resolveWindow(m *metricInProgress, w *extension.Window) {
	m.cat.Window = w.Spec
	refuse := func(place modelspec.Place, format string, args ...any) {
		c.failMetric(m, &modelspec.CompileError{
			Code: extension.CodeNotImplemented, Location: place.Location, Position: place.Position, Message: fmt.Sprintf(format, args...),
			Hint: "declare the aggregate as a separate metric with this window, and combine it in a compose; see " + extension.DocumentationAnchor("window"),
		})
	}
	root := c.soleMeasureUnderWindow(m)
	var home *catalog.Dataset
	if root != nil {
		home = root.Home
	}
	switch d := m.ext.Derive; {
	case d != nil && d.At != nil:
		refuse(w.Place, "the metric %s is at another level; a window over it is not implemented", m.cat.Name)
	case w.Spec.Recompute != nil || w.Spec.AcceptsExpressionBase() && root == nil:
	case d != nil && !d.Filter:
		refuse(w.Place, "the metric %s is a compose; a window needs one plain aggregate", m.cat.Name)
	case d != nil, m.cat.Forms.Default == nil:
	case home == nil:
		refuse(w.Place, "the metric %s is not a single aggregate; a window needs one", m.cat.Name)
	default:
		c.resolveWindowBaseMeasures(m, refuse, w)
	}
	if root != nil && root.NonAdditive != nil {
		c.checkWindowOverSnapshots(m, w)
	}
	c.resolveWindowExcludedDimensions(m, w)
	c.resolveWindowPeriods(m, w)
	if w.Second.IsSet() {
		c.resolveSecondWindowInput(m, w, home, refuse)
	}
	if m.cat.Err == nil && root != nil && w.Spec.SumsOrAveragesBuckets() && !root.Additive() {
		function := map[sqlexpr.Func]string{sqlexpr.FnSum: "sum", sqlexpr.FnAvg: "mean"}[w.Spec.Function()]
		name := root.Agg.Noun()
		c.addWarning(CodeWindowAddsNonAdditive, w.Location, w.Position,
			"the window of %s takes the %s of the %ss of its buckets; that is not the %s over all rows of these buckets, which the window recompute computes",
			m.cat.Name, function, name, name)
	}
}

// soleMeasureUnderWindow returns the aggregate under a window if it is exactly one, and else nil.
func (c *compiler) soleMeasureUnderWindow(m *metricInProgress) *catalog.Measure {
	if d := m.ext.Derive; d != nil && d.Filter {
		measure, _ := c.followFiltersToMeasure(d)
		return measure
	}
	return m.soleMeasure()
}

func (c *compiler) resolveWindowBaseMeasures(m *metricInProgress, refuse func(modelspec.Place, string, ...any), w *extension.Window) {
	base := &m.cat.Window.Base
	base.Default = m.soleMeasure()
	for dialect, form := range m.cat.Forms.ByDialect {
		measure := soleMeasureOfForm(form)
		if measure == nil && w.Spec.AcceptsExpressionBase() {
			base.Default, base.ByDialect = nil, nil
			return
		}
		if measure == nil {
			refuse(w.Place, "the metric %s is not a single aggregate in the dialect %s; a window needs one", m.cat.Name, dialect)
			return
		}
		if base.ByDialect == nil {
			base.ByDialect = map[string]*catalog.Measure{}
		}
		base.ByDialect[dialect] = measure
	}
}

func (c *compiler) resolveWindowExcludedDimensions(m *metricInProgress, w *extension.Window) {
	var fields []*catalog.Field
	for _, ref := range w.Exclude {
		f, err := c.resolveDimensionRef(ref, "window")
		if err != nil {
			c.failMetric(m, err)
			continue
		}
		fields = appendUnique(fields, f)
	}
	switch s := w.Spec; {
	case s.Frame != nil:
		s.Frame.Partition.Exclude = fields
	case s.Rank != nil:
		s.Rank.Partition.Exclude = fields
	case s.Value != nil:
		s.Value.Partition.Exclude = fields
	}
}

// resolveDimensionRef resolves a dimension in a payload: `dataset.field`, or a bare
// name that one dataset has.
func (c *compiler) resolveDimensionRef(ref extension.ObjectRef, key string) (*catalog.Field, *modelspec.CompileError) {
	e, err := sqlexpr.Parse(ref.Name)
	if column, ok := e.(*sqlexpr.Column); ok && err == nil {
		f, failure := c.resolveQualifiedOrBareField(column)
		if failure == nil {
			return f.cat, nil
		}
		out := invalidReferenceError(ref, key, "%s", failure.Message)
		out.Candidates = failure.Candidates
		return nil, out.CompileError
	}
	return nil, invalidReferenceError(ref, key, "%q is not a dimension; write dataset.field", ref.Name).errorWithCandidates(c, ref.Name, c.qualifiedFieldNames)
}

// resolveSecondWindowInput resolves the second input of a two-input function.
func (c *compiler) resolveSecondWindowInput(m *metricInProgress, w *extension.Window, home *catalog.Dataset, refuse func(modelspec.Place, string, ...any)) {
	other := c.byMetric[foldCase(w.Second.Name)]
	if other == nil {
		c.failMetric(m, invalidReferenceError(w.Second, "window", "the second input %q is not a metric", w.Second.Name).errorWithCandidates(c, w.Second.Name, c.metricNames))
		return
	}
	if other.cat.Err != nil {
		c.failMetric(m, other.cat.Err)
		return
	}
	measure := other.soleMeasure()
	switch {
	case measure == nil || other.ext.Derive != nil || other.ext.Window != nil || measure.NonAdditive != nil:
		refuse(w.Second.Place, "the second input %s is not a plain aggregate", other.cat.Name)
	case home != nil && measure.Home != home:
		refuse(w.Second.Place, "the home dataset of the second input %s is %s, that of the first is %s; both inputs need the same home dataset", other.cat.Name, measure.Home.Name, home.Name)
	default:
		w.Spec.Frame.Second = measure
	}
}
