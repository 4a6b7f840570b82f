package reference

import (
	"slices"
	"strconv"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// metricColumn is one metric column of the result.
type metricColumn struct {
	metric         *catalog.Metric
	binding        paramValues
	timeRangeIndex int // index into the time ranges
	name           string
}

// evaluateMetric computes a metric for every group and returns how to look it up. The
// chain are the metrics around it.
func (e *evaluator) evaluateMetric(m *catalog.Metric, chain []*catalog.Metric, c metricColumn) func(dims []Value) Value {
	outer := chain
	e.binding = c.binding
	chain = append(slices.Clone(chain), m)
	if m.Window != nil && e.isWithoutWindows {
		m = withoutWindow(m)
		chain[len(chain)-1] = m
	}
	if m.Window != nil {
		return e.evaluateWindowMetric(m, chain, c).valueOfGroup
	}
	if m.At != nil {
		return applyFillNullsWith(m, e.evaluateAtMetric(m, chain, c))
	}
	if m.Derive != nil && m.Derive.Base != nil {
		root, filters := findMeasureAndFilteringMetrics(m)
		return applyFillNullsWith(m, e.aggregateByGroup(e.newMeasureLeaf(m, measureInMetric{chain, root, nil}, filters, c)).valueOfGroup)
	}
	form := m.Forms.ForDialect(expressionDialect)
	operands := make([]func([]Value) Value, len(form.Operands))
	for i, o := range form.Operands {
		switch o := o.(type) {
		case *catalog.Measure:
			operands[i] = e.aggregateByGroup(e.newMeasureLeaf(m, measureInMetric{chain, o, nil}, nil, c)).valueOfGroup
		case *catalog.Metric:
			operands[i] = memoizeByGroup(e.evaluateMetric(o, chain, c))
		}
	}
	if len(outer) == 0 {
		e.checkConformedGroups(m)
	}
	return applyFillNullsWith(m, func(dims []Value) Value {
		return evalContext{
			param: c.binding.lookupForMetric(m),
			ref: func(i int) Value {
				v := operands[i](dims)
				if v == nil && m.Derive != nil && m.Derive.Fill != "" {
					return parseNumberLiteral(m.Derive.Fill)
				}
				return v
			},
		}.eval(form.Expr)
	})
}

// memoizeByGroup computes each value once. Without it, metrics that each name the one
// before twice take time exponential in their number.
func memoizeByGroup(at func(dims []Value) Value) func(dims []Value) Value {
	known := map[string]Value{}
	return func(dims []Value) Value {
		key := groupKey(dims...)
		v, ok := known[key]
		if !ok {
			v = at(dims)
			known[key] = v
		}
		return v
	}
}

// applyFillNullsWith applies fill_nulls_with.
func applyFillNullsWith(m *catalog.Metric, at func([]Value) Value) func([]Value) Value {
	if m.Fill == "" {
		return at
	}
	return func(dims []Value) Value {
		if v := at(dims); v != nil {
			return v
		}
		return parseNumberLiteral(m.Fill)
	}
}

func parseNumberLiteral(text string) Value {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		failUnsupported("the number %s", text)
	}
	return n
}

// newMeasureLeaf gathers what decides the value of a measure, and checks the axis where
// the query needs one.
func (e *evaluator) newMeasureLeaf(m *catalog.Metric, use measureInMetric, filters []*catalog.Metric, c metricColumn) *measureLeaf {
	l := &measureLeaf{measureInMetric: use, filters: filters, binding: c.binding, timeRange: e.timeRanges[c.timeRangeIndex]}
	l.axis = e.timeAxisOf(use)
	l.timeRange = e.rangeOfLeaf(l.timeRange, l)
	e.splitRanges(l)
	if m.Window != nil && m.Window.Frame != nil {
		l.second = m.Window.Frame.Second
	}
	for _, g := range e.groups {
		switch {
		case g.onAxis && l.axis == nil:
			e.addMustRejectCode("no_primary_time_dimension")
		case g.onAxis && g.part != "":
			e.checkPart(l.axis, g.part)
		case g.onAxis:
			e.checkGrain(l.axis, g.grain)
		}
	}
	if l.timeRange.onAxis && l.timeRange.hasStartOrEnd() {
		if l.axis == nil {
			e.addMustRejectCode("no_primary_time_dimension")
		} else {
			e.checkRange(l.axis, &l.timeRange)
		}
	}
	return l
}

// checkConformedGroups rejects a group that not all members of a compose reach. With
// measures of one home the error of the branch itself is as good.
func (e *evaluator) checkConformedGroups(m *catalog.Metric) {
	form := m.Forms.ForDialect(expressionDialect)
	composed := form != nil && slices.ContainsFunc(form.Operands, func(o catalog.Operand) bool {
		_, is := o.(*catalog.Metric)
		return is
	})
	if !composed { // a condition on a metric has the one home of its measure
		return
	}
	for _, g := range e.groups {
		for _, t := range g.targetsRead() {
			e.checkReachedByAllMembers(m, t)
		}
	}
}

// checkReachedByAllMembers rejects a field that some of a compose's members reach and others do not.
func (e *evaluator) checkReachedByAllMembers(m *catalog.Metric, t fieldTarget) {
	homes, reached := homesOfMetric(m), 0
	for _, home := range homes {
		if _, found := e.safePath(home, t); found == foundOnePath || found == foundSeveralPaths {
			reached++
		}
	}
	switch reached {
	case len(homes):
	case 0:
		e.addMayRejectCode("unconformed_dimension") // nothing is shared, and nothing is reached
	default:
		e.addMustRejectCode("unconformed_dimension")
	}
}

// groupsByAxis reports whether a group-by groups an axis, under either name.
func (g groupByItem) groupsByAxis(axis *catalog.Field) bool {
	return g.part == "" && !g.isLeftOut && (g.onAxis || axis != nil && g.equals(fieldTarget{field: axis}))
}

// finestGrainOfAxis returns the grain by which a group-by groups the axis, and its index; the
// index is -1 when the axis is not grouped by a grain. If there are several
// group-bys of the axis, the finest one counts.
func (e *evaluator) finestGrainOfAxis(axis *catalog.Field) (sqlexpr.Grain, int) {
	found := -1
	for i, g := range e.groups {
		if g.groupsByAxis(axis) && g.grain != sqlexpr.GrainNone && (found < 0 || e.isFiner(g, e.groups[found])) {
			found = i
		}
	}
	if found < 0 {
		return sqlexpr.GrainNone, -1
	}
	return e.groups[found].grain, found
}
