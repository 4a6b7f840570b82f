package reference

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// evaluateAtMetric computes a metric at another level: once for each group that it keeps, from the rows of the query that groups by
// these and by the included fields. A group of the query has the value of the group that it lies in.
func (e *evaluator) evaluateAtMetric(m *catalog.Metric, chain []*catalog.Metric, c metricColumn) func(dims []Value) Value {
	windowed := slices.ContainsFunc(m.MemberMetricsOnDialect(expressionDialect), e.isWindowed)
	e.readRowsOfOperands(m, chain, c)
	if e.isWithoutWindows {
		return func([]Value) Value { return nil }
	}
	if len(chain) == 1 {
		e.checkConformedGroups(m)
	}
	kept, included := e.keptAtLevel(m), e.includedGroups(m)
	if len(included) < len(m.At.Include) {
		return func([]Value) Value { return nil } // the query is rejected
	}
	e.allowRejectionBesideTopAndCompare(kept)
	if windowed && (e.isComparedByBuckets() || e.fill != nil && e.hasWindowAtKept(m)) {
		e.addMayRejectCode("not_implemented")
	}
	atKept := e.evaluatorAtLevel(m, kept, nil)
	if len(m.At.Include) == 0 {
		value := atKept.formAtLevel(m, m.Forms.ForDialect(expressionDialect).Expr, chain, c, nil)
		return func(dims []Value) Value { return value(kept.maskGroups(dims)) }
	}
	inner := e.evaluatorAtLevel(m, kept, included)
	form := m.Forms.ForDialect(expressionDialect).Expr
	var calls []func(dims []Value) Value
	outer := sqlexpr.Rewrite(form, func(x sqlexpr.Expr) sqlexpr.Expr {
		call, ok := x.(*sqlexpr.Call)
		if !ok || sqlexpr.InfoOfFunction(call.Fn).Class != sqlexpr.ClassAggregate {
			return nil
		}
		calls = append(calls, inner.aggregateInnerRows(m, call, chain, c, len(e.groups)))
		return &sqlexpr.Ref{ID: -len(calls)}
	})
	value := atKept.formAtLevel(m, outer, chain, c, calls)
	return func(dims []Value) Value { return value(kept.maskGroups(dims)) }
}

// hasOwnRowsAtLevel reports whether the value of a metric at another level reads an operand from the rows of each group: the metric keeps all groups
// and conditions, and the operand is outside of the aggregates over the included fields.
func (e *evaluator) hasOwnRowsAtLevel(m *catalog.Metric, operand int) bool {
	for i, left := range e.groupsLeftOut(m) {
		if left && !e.groups[i].isLeftOut {
			return false
		}
	}
	return !m.At.DropsRowConditions && len(m.At.Unfiltered) == 0 && readsAtKept(m, func(id int) bool { return id == operand })
}

// hasWindowAtKept reports whether a metric at another level reads a window at the groups that it keeps: outside of the aggregates over the included
// fields.
func (e *evaluator) hasWindowAtKept(m *catalog.Metric) bool {
	form := m.Forms.ForDialect(expressionDialect)
	return readsAtKept(m, func(id int) bool {
		of, ok := form.Operands[id].(*catalog.Metric)
		return ok && e.isWindowed(of)
	})
}

// readsAtKept reports whether a metric at another level reads such an operand outside of the aggregates over the included fields.
func readsAtKept(m *catalog.Metric, is func(operand int) bool) (found bool) {
	sqlexpr.Walk(m.Forms.ForDialect(expressionDialect).Expr, func(x sqlexpr.Expr) bool {
		switch x := x.(type) {
		case *sqlexpr.Call:
			return len(m.At.Include) == 0 || sqlexpr.InfoOfFunction(x.Fn).Class != sqlexpr.ClassAggregate
		case *sqlexpr.Ref:
			found = found || is(x.ID)
		}
		return true
	})
	return found
}

// readRowsOfOperands reads the rows of a metric at the current level, whose groups are rows of the query. A window has those of what it is over.
func (e *evaluator) readRowsOfOperands(m *catalog.Metric, chain []*catalog.Metric, c metricColumn) {
	defer func(before bool) { e.isWithoutWindows = before }(e.isWithoutWindows)
	e.isWithoutWindows = true
	for _, o := range m.Forms.ForDialect(expressionDialect).Operands {
		e.operandAtLevel(m, o, chain, c)
	}
}

// allowRejectionBesideTopAndCompare adds the code of an engine that does not combine a level with every top and compare.
func (e *evaluator) allowRejectionBesideTopAndCompare(kept totalsLevel) {
	if e.top != nil && slices.Contains(kept, false) || e.isComparedByBuckets() {
		e.addMayRejectCode("not_implemented")
	}
}

// operandAtLevel evaluates an operand of a metric's form at the current level.
func (e *evaluator) operandAtLevel(m *catalog.Metric, o catalog.Operand, chain []*catalog.Metric, c metricColumn) func(dims []Value) Value {
	if measure, ok := o.(*catalog.Measure); ok {
		return e.aggregateByGroup(e.newMeasureLeaf(m, measureInMetric{chain, measure, nil}, nil, c)).valueOfGroup
	}
	return memoizeByGroup(e.evaluateMetric(o.(*catalog.Metric), chain, c))
}

// formAtLevel evaluates an expression over the operands of a form. A negative reference is one of the calls.
func (e *evaluator) formAtLevel(m *catalog.Metric, x sqlexpr.Expr, chain []*catalog.Metric, c metricColumn, calls []func(dims []Value) Value) func(dims []Value) Value {
	operands := map[int]func(dims []Value) Value{}
	for r := range sqlexpr.Refs(x) {
		if r.ID >= 0 && operands[r.ID] == nil {
			operands[r.ID] = e.operandAtLevel(m, m.Forms.ForDialect(expressionDialect).Operands[r.ID], chain, c)
		}
	}
	return func(dims []Value) Value {
		return evalContext{ref: func(i int) Value {
			if i < 0 {
				return calls[-i-1](dims)
			}
			return operands[i](dims)
		}}.eval(x)
	}
}

// aggregateInnerRows computes an aggregate over the rows of the included groups, for each group without them. outer is how many groups
// these are.
func (e *evaluator) aggregateInnerRows(m *catalog.Metric, call *sqlexpr.Call, chain []*catalog.Metric, c metricColumn, outer int) func(dims []Value) Value {
	agg, _ := catalog.AggOfCall(call)
	measure := &catalog.Measure{Agg: agg, Options: catalog.AggOptionsOfCall(call)}
	operands := make([]func(dims []Value) Value, 0, 4)
	for _, o := range m.Forms.ForDialect(expressionDialect).Operands {
		operands = append(operands, e.operandAtLevel(m, o, chain, c)) // COUNT(*) counts the rows of all
	}
	rows := map[string][][]Value{}
	for _, dims := range e.branchGroups {
		if e.fault == FaultInnerNullDropped && slices.Contains(dims[outer:], nil) {
			continue
		}
		key := groupKey(dims[:outer]...)
		rows[key] = append(rows[key], dims)
	}
	return func(dims []Value) Value {
		var args, orders []Value
		for _, row := range rows[groupKey(dims...)] {
			vars := evalContext{
				ref: func(i int) Value { return operands[i](row) },
				column: func(col *sqlexpr.Column) Value {
					return row[outer+slices.IndexFunc(m.At.Include, func(g catalog.IncludedGroup) bool { return g.Column == col.Path[0].Text })]
				},
			}
			if len(call.Args) == 0 {
				args = append(args, true)
				continue
			}
			v := vars.eval(call.Args[0])
			if v == nil {
				continue
			}
			args, orders = append(args, v), append(orders, v)
			if call.Fn == sqlexpr.FnListagg && len(call.Args) == 3 {
				orders[len(orders)-1] = vars.eval(call.Args[2])
			}
		}
		return aggregateValues(measure, args, orders)
	}
}

// keptAtLevel returns the groups of the current level that a metric keeps.
func (e *evaluator) keptAtLevel(m *catalog.Metric) totalsLevel {
	kept := slices.Clone(e.currentLevel)
	for i, left := range e.groupsLeftOut(m) {
		kept[i] = kept[i] && !left
	}
	return kept
}

// groupsLeftOut reports of each group whether a metric leaves it out, at any level.
func (e *evaluator) groupsLeftOut(m *catalog.Metric) []bool {
	out := make([]bool, len(e.groups))
	names := m.At.Exclude
	if m.At.HasOnly {
		names = m.At.Only
	}
	named := make([]bool, len(e.groups))
	for _, name := range names {
		for i := range e.groups {
			named[i] = named[i] || e.isGroupNamed(m, i, name)
		}
	}
	for i, g := range e.groups {
		if g.isOther {
			named[i] = named[i-1]
		}
		out[i] = g.isLeftOut || named[i] != m.At.HasOnly
	}
	return out
}

// isGroupNamed reports whether a text means a group: its column, its field in any grain or part, or metric_time.
func (e *evaluator) isGroupNamed(m *catalog.Metric, i int, text string) bool {
	g := e.groups[i]
	switch {
	case g.isOther, g.isLeftOut:
		return false
	case strings.EqualFold(g.name, text):
		return true
	case strings.EqualFold(text, metricTime):
		return g.onAxis || g.expr == nil && len(g.steps) == 0 && g.field != nil && g.field == m.TimeAxisField()
	case e.groupByIndexNamed(text) >= 0:
		return false // another column
	}
	t, ok := e.levelTarget(m, text)
	return ok && !g.onAxis && g.expr == nil && g.equals(t)
}

// levelTarget finds the field that a text of a level means. A metric of the model has the names of the model where those of a view have no such field.
func (e *evaluator) levelTarget(m *catalog.Metric, text string) (fieldTarget, bool) {
	parts := splitReference(text)
	if e.view == nil || e.viewIsWhole() || !slices.Contains(e.cat.Metrics, m) {
		return e.resolveTarget(parts)
	}
	inView, inModel := *e, *e
	inView.rejectionCauses, inModel.view = newRejectionCauses(), nil
	if t, ok := inView.resolveTarget(parts); ok {
		return t, true
	}
	t, ok := inModel.resolveTarget(parts)
	t.inView = false
	return t, ok
}

// includedGroups reads the groups that a metric includes. Those that the query cannot have are left out.
func (e *evaluator) includedGroups(m *catalog.Metric) []groupByItem {
	var out []groupByItem
	for _, g := range m.At.Include {
		item := query.GroupBy{Field: g.Reference}
		if _, isPart := sqlexpr.ParseTimePart(g.Unit); isPart && e.cat.Period(g.Unit) == nil {
			item.Part = g.Unit
		} else {
			item.Grain = g.Unit
		}
		added, ok := groupByItem{onAxis: true, name: metricTime}, true
		if g.Reference != metricTime {
			added, ok = e.groupByField(e.levelTarget(m, g.Reference))
		}
		if ok && item.Grain != "" {
			e.readGrain(&added, item.Grain)
		}
		if ok && item.Part != "" {
			e.readPart(&added, item)
		}
		if ok {
			out = append(out, added)
		}
	}
	return out
}

// evaluatorAtLevel returns an evaluator of the rows that a metric reads, grouped by what it keeps and includes.
func (e *evaluator) evaluatorAtLevel(m *catalog.Metric, kept totalsLevel, included []groupByItem) *evaluator {
	out := *e
	out.isMovedLevel = e.isBucketMoved
	out.groups = slices.Concat(e.groups, included)
	for i, left := range e.groupsLeftOut(m) {
		out.groups[i].isLeftOut = left
	}
	out.currentLevel = slices.Concat(kept, slices.Repeat([]bool{true}, len(included)))
	out.branchGroups, out.groupsRead, out.levelResults, out.fill, out.shownRows = map[string][]Value{}, map[string][]Value{}, map[string]levelResult{}, nil, nil
	if nothing := make([]Value, len(out.groups)); out.isCurrentLevelGrandTotal() {
		out.branchGroups[groupKey(nothing...)] = nothing
	}
	out.rowConditions = slices.DeleteFunc(slices.Clone(e.rowConditions), func(c condition) bool { return e.isConditionDropped(m, c) })
	out.timeRanges = slices.Clone(e.timeRanges)
	for i, r := range out.timeRanges {
		if e.isRangeDropped(m, r) {
			out.timeRanges[i] = timeRange{tag: r.tag}
		}
	}
	return &out
}

// isConditionDropped reports whether a metric does not count a row condition.
func (e *evaluator) isConditionDropped(m *catalog.Metric, c condition) bool {
	if m.At.DropsRowConditions {
		return c.axisRange == nil
	}
	targets := c.targets()
	return len(targets) > 0 && !slices.ContainsFunc(targets, func(t fieldTarget) bool { return !e.isUnfiltered(m, t) })
}

// isRangeDropped reports whether a metric does not count a range.
func (e *evaluator) isRangeDropped(m *catalog.Metric, r timeRange) bool {
	if !r.hasStartOrEnd() {
		return false
	}
	if r.onAxis {
		return slices.ContainsFunc(m.At.Unfiltered, func(text string) bool { return strings.EqualFold(text, metricTime) }) ||
			e.isUnfiltered(m, fieldTarget{field: m.TimeAxisField()})
	}
	return e.isUnfiltered(m, r.fieldTarget)
}

// isUnfiltered reports whether a field is among those whose conditions a metric does not count.
func (e *evaluator) isUnfiltered(m *catalog.Metric, t fieldTarget) bool {
	return t.field != nil && slices.ContainsFunc(m.At.Unfiltered, func(text string) bool {
		if strings.EqualFold(text, metricTime) {
			return len(t.steps) == 0 && t.field == m.TimeAxisField()
		}
		if i := e.groupByIndexNamed(text); i >= 0 && e.groups[i].expr == nil && !e.groups[i].onAxis {
			return e.groups[i].equals(t)
		}
		named, ok := e.resolveTarget(splitReference(text))
		return ok && named.equals(t)
	})
}

// payloadOfLevel returns the derive block of an inline metric at another level.
func payloadOfLevel(expression string, a *query.At) map[string]any {
	out := map[string]any{"type": "at", "expr": expression}
	for key, texts := range map[string][]string{"include": a.Include, "exclude": a.Exclude, "unfiltered": a.Unfiltered} {
		if len(texts) > 0 {
			out[key] = texts
		}
	}
	if a.OnlyThese {
		out["only"] = append([]string{}, a.Only...)
	}
	if a.UnfilteredRows {
		out["unfiltered"] = true
	}
	return out
}
