package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

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

// timeComparison is a comparison of a time field with constants: the field lies in one of some ranges, or outside of all.
type timeComparison struct {
	field   fieldTarget
	ranges  []timeRange
	outside bool
}

// rangeOfComparison returns the range that a comparison of a time field with constants is.
func (e *evaluator) rangeOfComparison(c condition, x sqlexpr.Expr) (f fieldTarget, s timeRange, ok bool) {
	t, ok := e.comparisonWithTimes(c, x)
	if !ok || t.outside {
		return f, s, false
	}
	joined, ok := joinAdjacent(t.ranges)
	if !ok {
		return f, s, false
	}
	return t.field, joined[0], true
}

// comparisonWithTimes returns the ranges of a time field that a comparison with constants describes.
func (e *evaluator) comparisonWithTimes(c condition, x sqlexpr.Expr) (t timeComparison, ok bool) {
	var operand sqlexpr.Expr
	type bound struct {
		op sqlexpr.BinaryOp
		by sqlexpr.Expr
	}
	var bounds []bound
	union := false
	switch x := x.(type) {
	case *sqlexpr.Unary:
		if x.Op != sqlexpr.OpNot {
			return t, false
		}
		t, ok = e.comparisonWithTimes(c, x.X)
		if ok && len(t.ranges) == 1 && (t.ranges[0].start == nil) != (t.ranges[0].end == nil) {
			s := t.ranges[0]
			t.ranges = []timeRange{{start: s.end, startAt: s.endAt, end: s.start, endAt: s.startAt}}
		} else {
			t.outside = !t.outside
		}
		return t, ok
	case *sqlexpr.Binary:
		mirrored := map[sqlexpr.BinaryOp]sqlexpr.BinaryOp{sqlexpr.OpEq: sqlexpr.OpEq, sqlexpr.OpNe: sqlexpr.OpNe, sqlexpr.OpLt: sqlexpr.OpGt, sqlexpr.OpLe: sqlexpr.OpGe, sqlexpr.OpGt: sqlexpr.OpLt, sqlexpr.OpGe: sqlexpr.OpLe}
		op, known := mirrored[x.Op]
		if !known {
			return t, false
		}
		if operand = x.R; isConstant(x.R) {
			op, operand, bounds = x.Op, x.L, []bound{{x.Op, x.R}}
		} else {
			bounds = []bound{{op, x.L}}
		}
		if op == sqlexpr.OpNe {
			t.outside, bounds[0].op = true, sqlexpr.OpEq
		}
	case *sqlexpr.Between:
		t.outside, operand, bounds = x.Not, x.X, []bound{{sqlexpr.OpGe, x.Lo}, {sqlexpr.OpLe, x.Hi}}
	case *sqlexpr.In:
		t.outside, operand, union = x.Not, x.X, true
		for _, item := range x.Items {
			bounds = append(bounds, bound{sqlexpr.OpEq, item})
		}
	default:
		return t, false
	}
	o, ok := timeOperandOf(c, operand)
	if !ok {
		return t, false
	}
	t.field = o.field
	for _, b := range bounds {
		if !isConstant(b.by) {
			return t, false
		}
		part, known := o.rangeOf(b.op, evalConstant(b.by))
		if !known {
			return t, false
		}
		t.ranges = append(t.ranges, part)
	}
	if !union {
		var s timeRange
		for _, part := range t.ranges {
			s = intersectRanges(s, part)
		}
		t.ranges = []timeRange{s}
	}
	for i, s := range t.ranges {
		t.ranges[i] = e.clock.rangeOfInstants(s, o.field)
	}
	return t, true
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
		return timeRange{start: ceil, end: ceil}, true // no value of the unit is equal
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
