package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// readTimeCondition decides what a conjunct over input fields does: it is a range of the branches
// whose axis it bounds, or a condition on the rows of the result beside a window, or it filters the input.
func (e *evaluator) readTimeCondition(c condition) {
	if e.fault == FaultConditionOnBucketsFiltersInput {
		e.rowConditions = append(e.rowConditions, c)
		return
	}
	if truth, is := c.expr.(*sqlexpr.IsTruth); is && truth.Want && !truth.Not {
		for _, x := range sqlexpr.SplitConjuncts(truth.X) { // which the same rows meet
			part := c
			part.expr = x
			e.readTimeCondition(part)
		}
		return
	}
	if f, s, ok := e.rangeOfComparison(c, c.expr); ok && e.isAxisOfMeasure(f) && e.q.Compare == nil {
		s.fieldTarget = f
		c.axisRange = &s // which filters the input of the branches with another axis
		e.rowConditions = append(e.rowConditions, c)
		return
	}
	if e.windowed {
		if onResult, ok := e.conditionOnResult(c); ok {
			e.readResultCondition(onResult)
			return
		}
	}
	e.rowConditions = append(e.rowConditions, c)
}

// isAxisOfMeasure reports whether a field is the axis of a measure of the query.
func (e *evaluator) isAxisOfMeasure(f fieldTarget) bool {
	return slices.ContainsFunc(e.axesOfQuery(), func(axis fieldTarget) bool { return axis.equals(f) })
}

// axesOfQuery lists the axes of the measures of the query.
func (e *evaluator) axesOfQuery() []fieldTarget {
	var out []fieldTarget
	for _, m := range e.metrics {
		for _, l := range measuresOfMetric(m, nil) {
			if axis := (fieldTarget{field: e.timeAxisOf(l)}); axis.field == nil || !slices.ContainsFunc(out, axis.equals) {
				out = append(out, axis)
			}
		}
	}
	return out
}

// splitRanges leaves in the range of a leaf what chooses its buckets: the range of the query on its axis, with the
// conditions that are ranges of it. A range of another field is a condition on the input.
func (e *evaluator) splitRanges(l *measureLeaf) {
	if l.timeRange.hasStartOrEnd() && !l.isRangeOnAxis() {
		l.inputRange, l.timeRange = l.timeRange, timeRange{tag: l.timeRange.tag}
	}
	for _, c := range e.rowConditions {
		if c.isRangeOf(l) {
			s := intersectRanges(l.timeRange, *c.axisRange)
			if !l.isRangeOnAxis() {
				s.fieldTarget, s.onAxis = fieldTarget{field: l.axis}, false
			}
			l.timeRange = s
		}
	}
}

// rangeWithConditions returns a range with the conditions that are ranges of the one axis of the query.
func (e *evaluator) rangeWithConditions(s timeRange) timeRange {
	if len(e.axesOfQuery()) == 1 {
		for _, c := range e.rowConditions {
			if c.axisRange != nil {
				s = intersectRanges(s, *c.axisRange)
			}
		}
	}
	return s
}

// isRangeOf reports whether a condition is a range of the axis of a leaf.
func (c condition) isRangeOf(l *measureLeaf) bool {
	return c.axisRange != nil && l.axis != nil && c.axisRange.equals(fieldTarget{field: l.axis})
}

// conditionOnResult returns a conjunct as a condition on rows of the result: its time fields stand in grouped expressions
// only, or in ranges whose bounds are edges of buckets, and its other fields are grouped.
func (e *evaluator) conditionOnResult(c condition) (condition, bool) {
	out := c
	out.fields, out.outputs, out.bucketStarts = map[*sqlexpr.Column]fieldTarget{}, map[*sqlexpr.Column]string{}, map[*sqlexpr.Column]int{}
	for col, t := range c.fields {
		out.fields[col] = t
	}
	out.expr = sqlexpr.Rewrite(c.expr, func(x sqlexpr.Expr) sqlexpr.Expr {
		if i := e.groupOfTimeExpression(c, x); i >= 0 {
			col := &sqlexpr.Column{}
			out.outputs[col] = e.groups[i].name
			return col
		}
		if dow, ok := x.(*sqlexpr.Extract); ok && dow.Part == "dayofweek" { // 0 on Sunday, as ISODOW modulo 7
			if i := e.groupOfPart(c, &sqlexpr.Extract{Part: "isodow", X: dow.X}); i >= 0 {
				col := &sqlexpr.Column{}
				out.outputs[col] = e.groups[i].name
				return &sqlexpr.Call{Fn: sqlexpr.FnMod, Name: sqlexpr.Name{Text: "MOD"}, Args: []sqlexpr.Expr{col, &sqlexpr.Number{Text: "7"}}}
			}
		}
		if t, ok := e.comparisonWithTimes(c, x); ok {
			i := e.bucketGroupOf(t.field)
			if i >= 0 && !slices.ContainsFunc(t.ranges, func(s timeRange) bool { return !e.isEdge(i, t.field, s.start) || !e.isEdge(i, t.field, s.end) }) {
				for _, col := range sqlexpr.ColumnReferences(x) {
					out.bucketStarts[col] = i
					delete(out.fields, col)
				}
				return x
			}
		}
		return nil
	})
	for _, col := range sqlexpr.ColumnReferences(c.expr) {
		if !slices.Contains(sqlexpr.ColumnReferences(out.expr), col) {
			delete(out.fields, col)
		}
	}
	return out, e.usesOnlyGroupedFields(out)
}

// groupOfTimeExpression returns the group-by that an expression over a time equals; -1 when there is none.
func (e *evaluator) groupOfTimeExpression(c condition, x sqlexpr.Expr) int {
	o, ok := timeOperandOf(c, x)
	if ok && !o.isYear && o.unit != sqlexpr.GrainNone && !e.clock.appliesToField(o.field.field) && !(o.unit == sqlexpr.GrainWeek && e.clock.weekStart != 1) {
		return slices.IndexFunc(e.groups, func(g groupByItem) bool { return g.grain == o.unit && g.period == nil && e.isGroupOfField(g, o.field) })
	}
	if part, is := x.(*sqlexpr.Extract); is {
		return e.groupOfPart(c, part)
	}
	return slices.IndexFunc(e.groups, func(g groupByItem) bool {
		return g.readsTime() && formatWithTargets(g.expr, g.fields) == formatWithTargets(x, c.fields)
	})
}

// readsTime reports whether a group-by is an expression over a time.
func (g groupByItem) readsTime() bool {
	if g.expr == nil {
		return false
	}
	for _, t := range g.fields {
		if t.field.IsTime {
			return true
		}
	}
	return false
}

// groupOfPart returns the group-by that an EXTRACT of a field equals; -1 when there is none.
func (e *evaluator) groupOfPart(c condition, x *sqlexpr.Extract) int {
	o, ok := timeOperandOf(c, x.X)
	part := map[string]string{"hour": "hour_of_day", "day": "day_of_month", "dayofyear": "day_of_year", "week": "week_of_year", "month": "month_of_year", "quarter": "quarter_of_year"}[x.Part]
	if x.Part == "isodow" && e.clock.weekStart == 1 { // the part counts from the first day of the query's weeks
		part = "day_of_week"
	}
	return slices.IndexFunc(e.groups, func(g groupByItem) bool {
		if g.expr != nil {
			return formatWithTargets(g.expr, g.fields) == formatWithTargets(x, c.fields)
		}
		return ok && part != "" && g.part == part && !e.clock.appliesToField(o.field.field) && e.isGroupOfField(g, o.field)
	})
}

// isGroupOfField reports whether a group-by groups a field, or the axis that all measures have in common and that is it.
func (e *evaluator) isGroupOfField(g groupByItem, f fieldTarget) bool {
	if g.onAxis {
		axes := e.axesOfQuery()
		return len(axes) == 1 && axes[0].equals(f)
	}
	return !g.isOther && g.expr == nil && g.equals(f)
}

// bucketGroupOf returns the group-by of the finest buckets of a field; -1 when there is none.
func (e *evaluator) bucketGroupOf(f fieldTarget) int {
	found := -1
	for i, g := range e.groups {
		if g.makesBuckets() && e.isGroupOfField(g, f) && (found < 0 || e.isFiner(g, e.groups[found])) {
			found = i
		}
	}
	return found
}

// isEdge reports whether a bound of a range is known to begin a bucket. Only the warehouse has the periods of a calendar.
func (e *evaluator) isEdge(group int, f fieldTarget, bound Value) bool {
	switch {
	case e.groups[group].period != nil:
		return false
	case bound == nil:
		return true
	}
	at := bound
	if e.clock.appliesToField(f.field) {
		m, _ := toTimestamp(bound)
		at = e.clock.instantOfLocalTime(m)
	}
	bucket := e.groupByValue(f.field, e.groups[group], at)
	if bucket == nil {
		return false
	}
	return compareNullsLast(e.storedBucketStart(f.field, bucket), at) == 0
}

// formatWithTargets writes an expression with the fields that its columns mean.
func formatWithTargets(x sqlexpr.Expr, fields map[*sqlexpr.Column]fieldTarget) string {
	return sqlexpr.Format(sqlexpr.Rewrite(x, func(n sqlexpr.Expr) sqlexpr.Expr {
		col, is := n.(*sqlexpr.Column)
		if t, known := fields[col]; is && known {
			name := t.field.Dataset.Name + "." + t.outputColumnName()
			return &sqlexpr.String{Value: name}
		}
		return nil
	}))
}
