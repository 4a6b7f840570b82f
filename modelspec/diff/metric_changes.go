package diff

import (
	"maps"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

func (c *modelComparison) compareMetrics() {
	for _, m := range c.old.Catalog.Metrics {
		if other := c.new.Catalog.Metric(m.Name); other != nil {
			c.compareMetric(m, other)
		} else {
			c.addRemovedObject(ObjectMetric, m.Name, asOldModelPlace(c.old.declarations.metricPlace(m)))
		}
		if c.ctx.Err() != nil {
			return
		}
	}
	for _, m := range c.new.Catalog.Metrics {
		if c.old.Catalog.Metric(m.Name) == nil {
			c.addAddedObject(ObjectMetric, m.Name, asNewModelPlace(c.new.declarations.metricPlace(m)))
		}
	}
}

func (c *modelComparison) compareMetric(before, after *catalog.Metric) {
	o := comparedObject{c, ObjectMetric, newObjectKey(ObjectMetric, after.Name), after.Name, asNewModelPlace(c.new.declarations.metricPlace(after))}
	o.addChangeIfTextDiffers(sameClassBothWays(ClassBreaking), PropertyName, before.Name, after.Name) // queries name metrics with their case
	o.compareDialectErrors(before.ErrByDialect, after.ErrByDialect)
	if o.compareCompileErrors(before.Err, after.Err) {
		c.compareMetricComputation(o, before, after)
	} else if x := o.lastChangeOfProperty(PropertyCompileError); x != nil && equalExpressionText(c.old.declarations.metricExpression(before), c.new.declarations.metricExpression(after)) {
		x.follows = possibleCauses{keys: []objectKey{o.key}, deep: true, of: []Property{PropertyRemoved, PropertyAdded, PropertyCompileError, PropertyExpression, PropertyLevelOfDetail, PropertyFilter, PropertyFromDataset, PropertyToDataset, PropertyJoinColumns}}
	}
	c.compareParams(after.Name, o.at, before.Params, after.Params)
	o.compareDatatypes(before.Datatype, after.Datatype, before.Type, after.Type)
	o.addChangeIfTextDiffers(sameClassBothWays(ClassChanged), PropertyUnit, before.Unit, after.Unit)
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyFormat, before.Format, after.Format)
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertySubjectPath, documentValueAsJSON(before.SubjectPath), documentValueAsJSON(after.SubjectPath))
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyLabel, before.Label, after.Label)
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyHeadline, boolText(before.Headline), boolText(after.Headline))
	o.addChangeIfTextDiffers(sameClassBothWays(ClassCompatible), PropertyBetterDirection, before.Better, after.Better)
	o.compareAggregatesAllowedInSQL(before.SQLAggregates, after.SQLAggregates)
	o.compareSupportedGrains(before.Grains, after.Grains)
	o.compareDocumentation(before.Description, after.Description, before.AIContext, after.AIContext)
}

// compareAggregatesAllowedInSQL compares the aggregates of SQL statements: without one of them, statements that have it are
// rejected.
func (o comparedObject) compareAggregatesAllowedInSQL(before, after []string) {
	before, after = sortWithoutDuplicates(slices.Clone(before)), sortWithoutDuplicates(slices.Clone(after))
	isLost := func(word string) bool { return !slices.Contains(after, word) }
	o.addChangeIfTextDiffers(changeClassesIfRemovedOrGained(slices.ContainsFunc(before, isLost), ClassCompatible), PropertySQLAggregates, strings.Join(before, ", "), strings.Join(after, ", "))
}

// compareSupportedGrains compares the grains that metrics declare: queries by a grain that is gone are rejected. Without
// any, every grain is supported.
func (o comparedObject) compareSupportedGrains(before, after []catalog.GrainOrPeriod) {
	names := func(grains []catalog.GrainOrPeriod) []string {
		var out []string
		for _, g := range grains {
			out = append(out, g.String())
		}
		return sortWithoutDuplicates(out)
	}
	class := func(old, updated []string) ChangeClass {
		isLost := func(name string) bool { return !slices.Contains(updated, name) }
		if len(updated) > 0 && (len(old) == 0 || slices.ContainsFunc(old, isLost)) {
			return ClassBreaking
		}
		return ClassCompatible
	}
	a, b := names(before), names(after)
	o.addChangeIfTextDiffers(classOfChangeAndReverse{class(a, b), class(b, a)}, PropertyGrains, strings.Join(a, ", "), strings.Join(b, ", "))
}

// lastChangeOfProperty returns the latest change of the object, where it is of a property.
func (o comparedObject) lastChangeOfProperty(what Property) *entryInProgress {
	if n := len(o.changes); n > 0 && o.changes[n-1].objectKey == o.key && o.changes[n-1].Property == what {
		return o.changes[n-1]
	}
	return nil
}

// compareMetricComputation compares how two metrics that compile are computed.
func (c *modelComparison) compareMetricComputation(o comparedObject, before, after *catalog.Metric) {
	if dialect, differ := c.findDialectOfDifferingForm(before, after); differ {
		x := o.addPropertyChange(sameClassBothWays(ClassChanged), PropertyExpression, c.old.metricExpressionText(before, dialect), c.new.metricExpressionText(after, dialect))
		x.follows = possibleCauses{keys: []objectKey{o.key}, deep: true, of: []Property{PropertyRemoved, PropertyAdded}}
	}
	if a, b := predicateOfFilterMetric(before), predicateOfFilterMetric(after); !c.isExprEqualDespiteRenames(a, b) {
		o.addPropertyChange(sameClassBothWays(ClassChanged), PropertyFilter, c.old.displayTextOfExpr(a), c.new.displayTextOfExpr(b))
	}
	o.addChangeIfTextDiffers(sameClassBothWays(ClassChanged), PropertyMemberFill, memberFillText(before), memberFillText(after))
	o.addChangeIfTextDiffers(sameClassBothWays(ClassChanged), PropertyNullFill, nullFillText(before), nullFillText(after))
	if x := o.addChangeIfReferencesDiffer(sameClassBothWays(ClassChanged), PropertyWindow, windowPrinter(before), windowPrinter(after)); x != nil {
		c.markIncomputableWindow(x, before, after)
	}
	o.addChangeIfTextDiffers(sameClassBothWays(ClassChanged), PropertyAtLevel, before.At.String(), after.At.String())
	o.addChangeIfReferencesDiffer(sameClassBothWays(ClassChanged), PropertyNonAdditive, nonAdditivePrinter(before), nonAdditivePrinter(after))
	if x := o.addChangeIfReferencesDiffer(timeAxisChangeClasses(before.TimeAxisField(), after.TimeAxisField()), PropertyTimeDimension, fieldNamePrinter(before.TimeAxisField()), fieldNamePrinter(after.TimeAxisField())); x != nil {
		x.follows = possibleCauses{keys: append(datasetsOfDefaultTimeDimensions(before), datasetsOfDefaultTimeDimensions(after)...), of: []Property{PropertyTimeDimension}}
	}
}

// markIncomputableWindow makes the change of a window breaking where the metric cannot be computed with it, such as the sum of
// strings. Only planning finds that.
func (c *modelComparison) markIncomputableWindow(x *entryInProgress, before, after *catalog.Metric) {
	was, is := c.isComputable(c.old, before), c.isComputable(c.new, after)
	if was && !is {
		x.Class = ClassBreaking
	}
	if is && !was {
		x.reverse = ClassBreaking
	}
}

// isComputable reports whether a query can have the metric. Without a planner it is true.
func (c *modelComparison) isComputable(in *comparedModel, m *catalog.Metric) bool {
	return in.Planner == nil || in.Planner.IsComputable(c.ctx, m)
}

// datasetsOfDefaultTimeDimensions returns the datasets whose time dimensions are a metric's, where it declares none.
func datasetsOfDefaultTimeDimensions(m *catalog.Metric) []objectKey {
	if m.TimeAxis != nil {
		return nil
	}
	var out []objectKey
	for _, d := range m.Datasets {
		out = append(out, newObjectKey(ObjectDataset, d.Name))
	}
	return out
}

// findDialectOfDifferingForm finds the first dialect on which the arithmetic of two metrics differs.
func (c *modelComparison) findDialectOfDifferingForm(before, after *catalog.Metric) (dialect string, differ bool) {
	if a, b := baseMetricOfDerive(before), baseMetricOfDerive(after); a != nil || b != nil {
		return "", a == nil || b == nil || c.old.metricName(a) != c.new.metricName(b)
	}
	return firstDifferingDialect(before.Forms, after.Forms, c.isFormEqualDespiteRenames)
}

// isRenamedMetric reports whether a metric is another one under a new name.
func (c *modelComparison) isRenamedMetric(before, after *catalog.Metric) bool {
	_, differ := c.findDialectOfDifferingForm(before, after)
	return !differ && c.isExprEqualDespiteRenames(predicateOfFilterMetric(before), predicateOfFilterMetric(after)) && len(before.Params) == len(after.Params) &&
		memberFillText(before) == memberFillText(after) && nullFillText(before) == nullFillText(after) && before.Type == after.Type &&
		before.At.String() == after.At.String() && c.old.windowText(before) == c.new.windowText(after) &&
		nonAdditivePrinter(before)(c.old) == nonAdditivePrinter(after)(c.new) &&
		fieldNamePrinter(before.TimeAxisField())(c.old) == fieldNamePrinter(after.TimeAxisField())(c.new)
}

func baseMetricOfDerive(m *catalog.Metric) *catalog.Metric {
	if m.Derive == nil {
		return nil
	}
	return m.Derive.Base
}

// predicateOfFilterMetric returns the predicate of a filter; nil for other metrics.
func predicateOfFilterMetric(m *catalog.Metric) sqlexpr.Expr {
	if m.Derive == nil {
		return nil
	}
	return m.Derive.Where
}

func (s *comparedModel) metricExpressionText(m *catalog.Metric, dialect string) string {
	if base := baseMetricOfDerive(m); base != nil {
		return "filter of " + base.Name
	}
	return prefixWithDialect(dialect, s.arithmeticFormDisplayText(m.Forms.ForDialect(dialect)))
}

// memberFillText returns the number that stands for a missing member of a compose.
func memberFillText(m *catalog.Metric) string {
	if m.Derive == nil {
		return ""
	}
	return m.Derive.Fill
}

// nullFillText returns the number that stands for a missing value: a count without one is 0.
func nullFillText(m *catalog.Metric) string {
	if m.Fill != "" || m.Window != nil {
		return m.Fill
	}
	for at, steps := m, 0; at != nil && steps < maxFilterChainLength; at, steps = baseMetricOfDerive(at), steps+1 {
		if form := at.Forms.Default; at.Kind == catalog.KindAggregate && form != nil && len(form.Operands) == 1 {
			if measure, ok := form.Operands[0].(*catalog.Measure); ok && measure.IsZeroOverNoRows() {
				return "0"
			}
		}
	}
	return ""
}

// maxFilterChainLength bounds a chain of filters; one in a circle does not compile.
const maxFilterChainLength = 1000

func dialectsWithErrors(errs ...map[string]*modelspec.CompileError) []string {
	all := map[string]bool{}
	for _, m := range errs {
		for d := range m {
			all[d] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func sortWithoutDuplicates(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// nonAdditivePrinter writes how the snapshots of a metric's aggregates make its value.
func nonAdditivePrinter(m *catalog.Metric) func(*comparedModel) string {
	return func(s *comparedModel) string {
		var texts []string
		for _, form := range m.FormsOfAllDialects() {
			for _, o := range form.Operands {
				if measure, ok := o.(*catalog.Measure); ok && measure.NonAdditive != nil {
					texts = append(texts, s.nonAdditiveText(measure.NonAdditive))
				}
			}
		}
		return strings.Join(sortWithoutDuplicates(texts), "; ")
	}
}

func (s *comparedModel) nonAdditiveText(n *catalog.SemiAdditiveRule) string {
	text := n.Take.String() + " by " + s.fieldName(n.By)
	for i, p := range n.Per {
		text += map[bool]string{true: " per ", false: ", "}[i == 0]
		for _, step := range p.Path {
			text += step.Rel.Name + "."
		}
		text += s.fieldName(p.Field)
	}
	return text
}

func windowPrinter(m *catalog.Metric) func(*comparedModel) string {
	return func(s *comparedModel) string { return s.windowText(m) }
}

// windowText writes a window with its defaults, so that equal windows have equal texts.
func (s *comparedModel) windowText(m *catalog.Metric) string {
	w := m.Window
	if w == nil {
		return ""
	}
	family := w.Family()
	if w.Offset != nil {
		family = "offset" // which pop abbreviates
	}
	parts := []string{family, w.FunctionOrCalculation()}
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+" "+value)
		}
	}
	if n := countOrParamText(w.CountArgument()); n != "0" {
		add("count", n)
	}
	if o := w.Offset; o != nil {
		add("grain", o.Unit().String())
		add("direction", map[bool]string{true: "forward", false: "back"}[o.Forward])
	}
	if reset := w.ResetUnit(); !reset.IsZero() {
		add("reset", reset.String())
	}
	if f := w.Frame; f != nil {
		add("second", formatExprOrEmpty(s.measureWithNamesBeforeRenames(f.Second)))
		add("units", map[bool]string{true: "range", false: "rows"}[f.Range])
		add("preceding", map[bool]string{true: "unbounded"}[f.Unbounded])
		add("scope", map[bool]string{true: "partition"}[f.PartitionScope])
	}
	if r := w.Recompute; r != nil {
		add("preceding", map[bool]string{true: "unbounded"}[r.Unbounded])
	}
	if span := w.Span(); span != nil {
		add("span", span.Unit().String())
	}
	if w.RequiresFullWindow() {
		add("require_full_window", "true")
	}
	if w.TakesPopulation() {
		add("population", w.EffectivePopulation().String())
	}
	if o := w.EffectiveOrder(); o != nil {
		add("order", map[bool]string{true: "time", false: "value"}[o.ByTime]+map[bool]string{true: " desc"}[o.Desc])
	}
	p := w.EffectivePartition()
	var exclude []string
	for _, f := range p.Exclude {
		exclude = append(exclude, s.fieldName(f))
	}
	add("partition", strings.Join(append([]string{p.Mode.String()}, sortWithoutDuplicates(exclude)...), " "))
	return strings.Join(parts, ", ")
}
