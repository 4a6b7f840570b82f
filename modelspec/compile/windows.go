package compile

import (
	"fmt"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/extension"
	"github.com/semlayer/semlayer/modelspec/internal/cancel"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// addWindows resolves the window blocks. A window works on one plain aggregate,
// filtered or not.
func (c *compiler) addWindows() {
	for m := range cancel.EachUntilDone(c.ctx, c.metrics) {
		if m.ext.Window != nil {
			c.addWindow(m, m.ext.Window)
		}
	}
}

func (c *compiler) addWindow(m *metric, w *extension.Window) {
	m.cat.Window = w.Spec
	refuse := func(place modelspec.Place, format string, args ...any) {
		c.failMetric(m, &modelspec.CompileError{
			Code: extension.CodeNotImplemented, Location: place.Location, Position: place.Position, Message: fmt.Sprintf(format, args...),
			Hint: "declare the aggregate as a separate metric with this window, and combine it in a compose; see " + extension.Anchor("window"),
		})
	}
	root := c.windowRoot(m)
	var home *catalog.Dataset
	if root != nil {
		home = root.Home
	}
	switch d := m.ext.Derive; {
	case d != nil && !d.Filter:
		refuse(w.Place, "the metric %s is a compose; a window needs one plain aggregate", m.cat.Name)
	case d != nil, m.cat.Forms.Default == nil:
	case home == nil:
		refuse(w.Place, "the metric %s is not a single aggregate; a window needs one", m.cat.Name)
	default:
		c.windowBase(m, refuse, w)
	}
	c.windowExcludes(m, w)
	if w.Second.Set() {
		c.resolveSecondInput(m, w, home, refuse)
	}
	if m.cat.Err == nil && root != nil && w.Spec.AddsBuckets() && !root.Agg.Additive() {
		function := map[string]string{"sum": "sum", "avg": "mean"}[w.Spec.Function()]
		name := aggregateNouns[root.Agg]
		c.warn(CodeWindowAddsNonAdditive, w.Location, w.Position,
			"the window of %s takes the %s of the %ss of its buckets; that is not the %s over all rows of these buckets, which no window of this version computes",
			m.cat.Name, function, name, name)
	}
}

// aggregateNouns name the values of the aggregates that do not add up.
var aggregateNouns = map[catalog.Agg]string{
	catalog.AggCountDistinct: "distinct count", catalog.AggAvg: "average", catalog.AggMin: "minimum", catalog.AggMax: "maximum",
}

// windowRoot is the aggregate under a window; nil when there is no single one.
func (c *compiler) windowRoot(m *metric) *catalog.Measure {
	if d := m.ext.Derive; d != nil && d.Filter {
		measure, _ := c.filterRoot(d)
		return measure
	}
	return onlyMeasure(m.cat.Forms.Default)
}

func (c *compiler) windowBase(m *metric, refuse func(modelspec.Place, string, ...any), w *extension.Window) {
	base := &m.cat.Window.Base
	base.Default = onlyMeasure(m.cat.Forms.Default)
	for dialect, form := range m.cat.Forms.ByDialect {
		measure := onlyMeasure(form)
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

func (c *compiler) windowExcludes(m *metric, w *extension.Window) {
	var fields []*catalog.Field
	for _, ref := range w.Exclude {
		f, err := c.findDimension(ref, "window")
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

// findDimension resolves a dimension in a payload: `dataset.field`, or a bare
// name that one dataset has.
func (c *compiler) findDimension(ref extension.Ref, key string) (*catalog.Field, *modelspec.CompileError) {
	e, err := sqlexpr.Parse(ref.Name)
	if column, ok := e.(*sqlexpr.Column); ok && err == nil {
		f, failure := c.resolveField(column)
		if failure == nil {
			return f.cat, nil
		}
		out := invalidReference(ref, key, "%s", failure.Message)
		out.Candidates = failure.Candidates
		return nil, out.CompileError
	}
	return nil, invalidReference(ref, key, "%q is not a dimension; write dataset.field", ref.Name).errorWithCandidates(c, ref.Name, c.qualifiedNames)
}

// resolveSecondInput resolves the second input of a two-input function.
func (c *compiler) resolveSecondInput(m *metric, w *extension.Window, home *catalog.Dataset, refuse func(modelspec.Place, string, ...any)) {
	other := c.byMetric[foldCase(w.Second.Name)]
	if other == nil {
		c.failMetric(m, invalidReference(w.Second, "window", "the second input %q is not a metric", w.Second.Name).errorWithCandidates(c, w.Second.Name, c.metricNames))
		return
	}
	if other.cat.Err != nil {
		c.failMetric(m, other.cat.Err)
		return
	}
	measure := onlyMeasure(other.cat.Forms.Default)
	switch {
	case measure == nil || other.ext.Derive != nil || other.ext.Window != nil:
		refuse(w.Second.Place, "the second input %s is not a plain aggregate", other.cat.Name)
	case home != nil && measure.Home != home:
		refuse(w.Second.Place, "the second input %s is at home at %s, the first at %s; both must be of one dataset", other.cat.Name, measure.Home.Name, home.Name)
	default:
		w.Spec.Frame.Second = measure
	}
}
