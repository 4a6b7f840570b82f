package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// readTimeCondition decides what a conjunct over input fields does under the second law: it is a range of the branches
// whose axis it bounds, or a condition on the rows of the result beside a window, or it filters the input.
func (e *evaluator) readTimeCondition(c condition) {
	if e.fault == FaultConditionOnBucketsFiltersInput {
		e.rowConditions = append(e.rowConditions, c)
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

// timeOperand is a time field in a comparison, by the unit of its values: none is the unit of the clock.
type timeOperand struct {
	field  fieldTarget
	unit   sqlexpr.Grain
	isYear bool // the number of the year
}

// timeOperandOf returns the time field that an operand is, truncated or not.
func timeOperandOf(c condition, x sqlexpr.Expr) (o timeOperand, ok bool) {
	switch x := x.(type) {
	case *sqlexpr.Column:
		t, known := c.fields[x]
		if !known || !t.field.IsTime || t.field.Encoding != nil || !t.field.Type.IsDateOrTimestamp() {
			return o, false
		}
		if t.field.Datatype == modelspec.DatatypeDate || t.field.Type == sqlexpr.TypeDate {
			o.unit = sqlexpr.GrainDay
		}
		o.field = t
		return o, true
	case *sqlexpr.Cast:
		if o, ok = timeOperandOf(c, x.X); x.To.Type == sqlexpr.TypeDate {
			o.unit = max(o.unit, sqlexpr.GrainDay)
		}
		return o, ok && !o.isYear && x.To.Type.IsDateOrTimestamp()
	case *sqlexpr.Extract:
		o, ok = timeOperandOf(c, x.X)
		o.isYear = true
		return o, ok && x.Part == "year"
	case *sqlexpr.Call:
		unit, known := unitOfCall(x)
		if !known {
			return o, false
		}
		if o, ok = timeOperandOf(c, x.Args[len(x.Args)-1]); x.Fn == sqlexpr.FnYear {
			o.isYear = true
			return o, ok
		}
		if ok = ok && !o.isYear && x.Fn == sqlexpr.FnDateTrunc && dividesInto(o.unit, unit); unit > o.unit {
			o.unit = unit
		}
		return o, ok
	}
	return o, false
}

// rangeOfComparison returns the range that a comparison of a time field with constants is.
func (e *evaluator) rangeOfComparison(c condition, x sqlexpr.Expr) (f fieldTarget, s timeRange, ok bool) {
	none := func() (fieldTarget, timeRange, bool) { return fieldTarget{}, timeRange{}, false }
	var operand sqlexpr.Expr
	type bound struct {
		op sqlexpr.BinaryOp
		by sqlexpr.Expr
	}
	var bounds []bound
	union := false
	switch x := x.(type) {
	case *sqlexpr.Binary:
		mirrored := map[sqlexpr.BinaryOp]sqlexpr.BinaryOp{sqlexpr.OpEq: sqlexpr.OpEq, sqlexpr.OpLt: sqlexpr.OpGt, sqlexpr.OpLe: sqlexpr.OpGe, sqlexpr.OpGt: sqlexpr.OpLt, sqlexpr.OpGe: sqlexpr.OpLe}
		op, known := mirrored[x.Op]
		if !known {
			return none()
		}
		if operand = x.R; isConstant(x.R) {
			operand, bounds = x.L, []bound{{x.Op, x.R}}
		} else {
			bounds = []bound{{op, x.L}}
		}
	case *sqlexpr.Between:
		if x.Not {
			return none()
		}
		operand, bounds = x.X, []bound{{sqlexpr.OpGe, x.Lo}, {sqlexpr.OpLe, x.Hi}}
	case *sqlexpr.In:
		if x.Not {
			return none()
		}
		operand, union = x.X, true
		for _, item := range x.Items {
			bounds = append(bounds, bound{sqlexpr.OpEq, item})
		}
	default:
		return none()
	}
	o, ok := timeOperandOf(c, operand)
	if !ok {
		return none()
	}
	var parts []timeRange
	for _, b := range bounds {
		if !isConstant(b.by) {
			return none()
		}
		part, known := o.rangeOf(b.op, evalConstant(b.by))
		if !known {
			return none()
		}
		parts = append(parts, part)
	}
	if union {
		if parts, ok = joinAdjacent(parts); !ok {
			return none()
		}
	}
	for _, part := range parts {
		s = intersectRanges(s, part)
	}
	return o.field, e.clock.rangeOfInstants(s, o.field), true
}

func isConstant(x sqlexpr.Expr) bool { return len(sqlexpr.ColumnReferences(x)) == 0 }

// rangeOf returns the range that a comparison with a constant is. Its bounds are timestamps.
func (o timeOperand) rangeOf(op sqlexpr.BinaryOp, constant Value) (s timeRange, ok bool) {
	unit := o.unit
	at, ok := toTimestamp(constant)
	if o.isYear {
		n, isNumber := constant.(float64)
		if !isNumber || n != float64(int(n)) || n < 1 || n > 9998 {
			return s, false
		}
		unit, at = sqlexpr.GrainYear, dateOfTime(firstDayOfMonth(int(n), 1)).toTimestamp()
	} else if !ok {
		return s, false
	}
	first := startOfUnit(unit, at)
	next, ceil := startOfNextUnit(unit, first), first
	if first != at {
		ceil = next
	}
	switch op {
	case sqlexpr.OpGe:
		return timeRange{start: ceil}, true
	case sqlexpr.OpGt:
		return timeRange{start: next}, true
	case sqlexpr.OpLe:
		return timeRange{end: next}, true
	case sqlexpr.OpLt:
		return timeRange{end: ceil}, true
	}
	if first != at {
		return timeRange{start: at, end: at}, true // no value of the unit is equal
	}
	return timeRange{start: first, end: next}, true
}

func startOfUnit(unit sqlexpr.Grain, at Timestamp) Timestamp {
	switch length := Timestamp(secondsOfGrain(unit)) * 1e6; {
	case unit == sqlexpr.GrainNone:
		return at
	case length > 0:
		return Timestamp(floorDiv(int64(at), int64(length))) * length
	}
	return bucketStart(unit, at.toDate()).toTimestamp()
}

func startOfNextUnit(unit sqlexpr.Grain, start Timestamp) Timestamp {
	switch length := Timestamp(secondsOfGrain(unit)) * 1e6; {
	case unit == sqlexpr.GrainNone:
		return start + 1
	case length > 0:
		return start + length
	}
	return addBuckets(unit, start.toDate(), 1).toTimestamp()
}

// joinAdjacent makes one range of ranges that follow each other without a gap. An empty one adds nothing.
func joinAdjacent(parts []timeRange) ([]timeRange, bool) {
	sorted := slices.DeleteFunc(slices.Clone(parts), func(s timeRange) bool { return s.start == s.end })
	if len(sorted) == 0 {
		return parts[:min(1, len(parts))], len(parts) > 0
	}
	slices.SortFunc(sorted, func(a, b timeRange) int { return compareNullsLast(a.start, b.start) })
	out := sorted[0]
	for _, s := range sorted[1:] {
		if compareNullsLast(s.start, out.end) > 0 {
			return nil, false
		}
		out.end = s.end
	}
	return []timeRange{out}, true
}

// intersectRanges returns what two ranges of one field have in common. The bounds keep their instants.
func intersectRanges(a, b timeRange) timeRange {
	if b.start != nil && (a.start == nil || compareNullsLast(b.start, a.start) > 0) {
		a.start, a.startAt = b.start, b.startAt
	}
	if b.end != nil && (a.end == nil || compareNullsLast(b.end, a.end) < 0) {
		a.end, a.endAt = b.end, b.endAt
	}
	return a
}

// rangeOfInstants reads the bounds of a range as instants of UTC, for a field that the clock of a zone shows.
func (c clock) rangeOfInstants(s timeRange, f fieldTarget) timeRange {
	if !c.appliesToField(f.field) {
		return s
	}
	for _, b := range []struct {
		wall *Value
		at   **Timestamp
	}{{&s.start, &s.startAt}, {&s.end, &s.endAt}} {
		if at, ok := toTimestamp(*b.wall); ok {
			*b.wall, *b.at = c.localTime(at), &at
		}
	}
	return s
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
		if f, s, ok := e.rangeOfComparison(c, x); ok {
			if i := e.bucketGroupOf(f); i >= 0 && e.isEdge(i, f, s.start) && e.isEdge(i, f, s.end) {
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
		return g.expr != nil && formatWithTargets(g.expr, g.fields) == formatWithTargets(x, c.fields)
	})
}

// groupOfPart returns the group-by that an EXTRACT of a field equals; -1 when there is none.
func (e *evaluator) groupOfPart(c condition, x *sqlexpr.Extract) int {
	o, ok := timeOperandOf(c, x.X)
	part := map[string]string{"hour": "hour_of_day", "day": "day_of_month", "dayofyear": "day_of_year", "week": "week_of_year", "month": "month_of_year", "quarter": "quarter_of_year"}[x.Part]
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

// isEdge reports whether a bound of a range begins a bucket.
func (e *evaluator) isEdge(group int, f fieldTarget, bound Value) bool {
	if bound == nil {
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
