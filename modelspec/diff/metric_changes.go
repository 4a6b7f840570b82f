package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func (c *comparison) compareMetrics() {
	for _, m := range c.old.Catalog.Metrics {
		if other := c.new.Catalog.Metric(m.Name); other != nil {
			c.compareMetric(m, other)
		} else {
			c.removed(ObjectMetric, m.Name, inOld(c.old.places.metric(m)))
		}
		if c.ctx.Err() != nil {
			return
		}
	}
	for _, m := range c.new.Catalog.Metrics {
		if c.old.Catalog.Metric(m.Name) == nil {
			c.added(ObjectMetric, m.Name, inNew(c.new.places.metric(m)))
		}
	}
}

func (c *comparison) compareMetric(before, after *catalog.Metric) {
	o := object{c, ObjectMetric, keyOf(ObjectMetric, after.Name), after.Name, inNew(c.new.places.metric(after))}
	o.text(same(Breaking), NameOf, before.Name, after.Name) // queries name metrics with their case
	o.dialectErrors(before.ErrByDialect, after.ErrByDialect)
	if o.compileError(before.Err, after.Err) {
		c.compareMetricMeaning(o, before, after)
	} else if x := o.last(Error); x != nil && sameText(c.old.places.metricExpression(before), c.new.places.metricExpression(after)) {
		x.follows = consequence{keys: []key{o.key}, deep: true, of: []What{Removed, Added, Error, Expression, LevelOfDetail, Filter, From, To, Columns}}
	}
	c.compareParams(after.Name, o.at, before.Params, after.Params)
	o.datatype(before.Datatype, after.Datatype, before.Type, after.Type)
	o.text(same(Changed), Unit, before.Unit, after.Unit)
	o.text(same(Compatible), Format, before.Format, after.Format)
	o.text(same(Compatible), SubjectPath, jsonText(before.SubjectPath), jsonText(after.SubjectPath))
	o.documentation(before.Description, after.Description, before.AIContext, after.AIContext)
}

// last is the latest change of the object, where it is of a property.
func (o object) last(what What) *change {
	if n := len(o.changes); n > 0 && o.changes[n-1].key == o.key && o.changes[n-1].What == what {
		return o.changes[n-1]
	}
	return nil
}

// compareMetricMeaning compares how two metrics that compile are computed.
func (c *comparison) compareMetricMeaning(o object, before, after *catalog.Metric) {
	if dialect, differ := c.formsDiffer(before, after); differ {
		x := o.put(same(Changed), Expression, c.old.metricText(before, dialect), c.new.metricText(after, dialect))
		x.follows = consequence{keys: []key{o.key}, deep: true, of: []What{Removed, Added}}
	}
	if a, b := filterOf(before), filterOf(after); !c.equalExpr(a, b) {
		o.put(same(Changed), Filter, c.old.spelled(a), c.new.spelled(b))
	}
	o.text(same(Changed), MemberFill, memberFill(before), memberFill(after))
	o.text(same(Changed), Fill, fillOf(before), fillOf(after))
	o.named(same(Changed), Window, windowOf(before), windowOf(after))
	if x := o.named(timeClasses(before.Axis(), after.Axis()), TimeDimension, nameOf(before.Axis()), nameOf(after.Axis())); x != nil {
		x.follows = consequence{keys: append(datasetKeys(before), datasetKeys(after)...), of: []What{TimeDimension}}
	}
}

// datasetKeys are the datasets whose time dimensions are a metric's, where it declares none.
func datasetKeys(m *catalog.Metric) []key {
	if m.TimeAxis != nil {
		return nil
	}
	var out []key
	for _, d := range m.Datasets {
		out = append(out, keyOf(ObjectDataset, d.Name))
	}
	return out
}

// formsDiffer finds the first dialect on which the arithmetic of two metrics differs.
func (c *comparison) formsDiffer(before, after *catalog.Metric) (dialect string, differ bool) {
	if a, b := baseOf(before), baseOf(after); a != nil || b != nil {
		return "", a == nil || b == nil || c.old.metric(a) != c.new.metric(b)
	}
	return differing(before.Forms, after.Forms, c.equalForm)
}

// sameMetric reports whether a metric is another one under a new name.
func (c *comparison) sameMetric(before, after *catalog.Metric) bool {
	_, differ := c.formsDiffer(before, after)
	return !differ && c.equalExpr(filterOf(before), filterOf(after)) && len(before.Params) == len(after.Params) &&
		memberFill(before) == memberFill(after) && fillOf(before) == fillOf(after) && before.Type == after.Type &&
		c.old.windowText(before) == c.new.windowText(after) &&
		nameOf(before.Axis())(c.old) == nameOf(after.Axis())(c.new)
}

func baseOf(m *catalog.Metric) *catalog.Metric {
	if m.Derive == nil {
		return nil
	}
	return m.Derive.Base
}

// filterOf is the predicate of a filter; nil for other metrics.
func filterOf(m *catalog.Metric) sqlexpr.Expr {
	if m.Derive == nil {
		return nil
	}
	return m.Derive.Where
}

func (s *side) metricText(m *catalog.Metric, dialect string) string {
	if base := baseOf(m); base != nil {
		return "filter of " + base.Name
	}
	return onDialect(dialect, s.spelledForm(m.Forms.For(dialect)))
}

// memberFill is the number that stands for a missing member of a compose.
func memberFill(m *catalog.Metric) string {
	if m.Derive == nil {
		return ""
	}
	return m.Derive.Fill
}

// fillOf is the number that stands for a missing value: a count without one is 0.
func fillOf(m *catalog.Metric) string {
	if m.Fill != "" || m.Window != nil {
		return m.Fill
	}
	for at, steps := m, 0; at != nil && steps < maxChain; at, steps = baseOf(at), steps+1 {
		if form := at.Forms.Default; at.Kind == catalog.KindAggregate && form != nil && len(form.Operands) == 1 {
			if measure, ok := form.Operands[0].(*catalog.Measure); ok && measure.Agg.IsZeroOverNoRows() {
				return "0"
			}
		}
	}
	return ""
}

// maxChain bounds a chain of filters; one in a circle does not compile.
const maxChain = 1000

func dialectsOf(errs ...map[string]*modelspec.CompileError) []string {
	all := map[string]bool{}
	for _, m := range errs {
		for d := range m {
			all[d] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func sortedUnique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

func windowOf(m *catalog.Metric) func(*side) string {
	return func(s *side) string { return s.windowText(m) }
}

// windowText writes a window with its defaults, so that equal windows have equal texts.
func (s *side) windowText(m *catalog.Metric) string {
	w := m.Window
	if w == nil {
		return ""
	}
	family := w.Family()
	if w.Offset != nil {
		family = "offset" // which pop abbreviates
	}
	parts := []string{family, w.Function()}
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+" "+value)
		}
	}
	if n := countText(w.Count()); n != "0" {
		add("count", n)
	}
	if o := w.Offset; o != nil {
		add("grain", o.Grain.String())
		add("direction", map[bool]string{true: "forward", false: "back"}[o.Forward])
	}
	if g := w.ResetGrain(); g != 0 {
		add("reset", g.String())
	}
	if f := w.Frame; f != nil {
		add("second", sharedText(s.sharedMeasure(f.Second)))
		add("units", map[bool]string{true: "range", false: "rows"}[f.Range])
		add("preceding", map[bool]string{true: "unbounded"}[f.Unbounded])
		add("scope", map[bool]string{true: "partition"}[f.PartitionScope])
	}
	if w.Rolling != nil && w.Rolling.RequireFullWindow || w.Frame != nil && w.Frame.RequireFullWindow {
		add("require_full_window", "true")
	}
	if o := w.EffectiveOrder(); o != nil {
		add("order", map[bool]string{true: "time", false: "value"}[o.ByTime]+map[bool]string{true: " desc"}[o.Desc])
	}
	p := w.EffectivePartition()
	var exclude []string
	for _, f := range p.Exclude {
		exclude = append(exclude, s.field(f))
	}
	add("partition", strings.Join(append([]string{p.Mode}, sortedUnique(exclude)...), " "))
	return strings.Join(parts, ", ")
}
