package where

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

// A conjunct of where_sql over fields is the first of these that fits:
//
//	a range, where it bounds the axis of a measure   the buckets of the branches with this axis; input of the others
//	a condition on the result, beside a window       rows of the result, after the windows
//	an input filter                                  rows of all branches

// timeConditionReader decides what the conjuncts of a query over times do.
type timeConditionReader struct {
	filters     *filterReader
	comparisons comparisonReader
	measureRefs []*measure.Ref
	windowed    bool // whether some of them are windows
}

func newTimeConditionReader(f *filterReader, measureRefs []*measure.Ref) timeConditionReader {
	windowed := slices.ContainsFunc(measureRefs, func(u *measure.Ref) bool { return u.Window != nil })
	return timeConditionReader{f, comparisonReader{f.refs, f.in.Times}, measureRefs, windowed}
}

// withConjunct returns conditions with one more conjunct over fields.
func (r timeConditionReader) withConjunct(out Conditions, c conjunct) Conditions {
	if truth, ok := c.expr.(*sqlexpr.IsTruth); ok && truth.Want && !truth.Not && r.windowed { // the same rows meet the condition itself
		for _, e := range sqlexpr.SplitConjuncts(truth.X) {
			out = r.withConjunct(out, conjunct{text: c.text, expr: e, fields: fieldsOf(e), filter: c.filter})
		}
		return out
	}
	input := Conjunct{Text: c.text, Expr: c.expr, Refs: c.fields, WhereReached: c.filter != "", Filter: c.filter}
	axis, interval, isRange := r.rangeOf(c.expr)
	if !isRange && r.windowed && len(c.fields) > 0 {
		if onResult, ok := r.conditionOnResult(c); ok {
			out.Result = append(out.Result, onResult)
			return out
		}
	}
	if isRange {
		if timerange.ReadsNow(c.expr) {
			input.Expr, out.ReadsNow = r.filters.in.Times.ResolveNow(c.expr), true
		}
		input.Range = &AxisRange{axis, interval}
	}
	out.Input = append(out.Input, input)
	return out
}

// fieldsOf lists the fields that an expression reads.
func fieldsOf(e sqlexpr.Expr) []int {
	var out []int
	for r := range sqlexpr.Refs(e) {
		if r.ID >= 0 {
			out = append(out, r.ID)
		}
	}
	return out
}

// rangeOf returns the range of the axis of a measure that a conjunct is. With compare, which has two ranges, no condition is a range.
func (r timeConditionReader) rangeOf(e sqlexpr.Expr) (*catalog.Field, timerange.Interval, bool) {
	c, ok := r.comparisons.comparisonOf(e)
	if !ok || c.outside || len(c.intervals) != 1 || r.filters.in.Query.Compare != nil {
		return nil, timerange.Interval{}, false
	}
	isAxis := len(c.ref.Prefix) == 0 && slices.ContainsFunc(r.measureRefs, func(u *measure.Ref) bool { return u.Axis == c.ref.Field })
	return c.ref.Field, c.intervals[0], isAxis
}

// conditionOnResult returns a conjunct as a condition on rows of the result: its time fields stand in grouped expressions only, or
// in comparisons whose bounds are edges of grouped buckets, and its other fields are grouped.
func (r timeConditionReader) conditionOnResult(c conjunct) (sqlexpr.Expr, bool) {
	e := sqlexpr.Rewrite(c.expr, func(x sqlexpr.Expr) sqlexpr.Expr {
		if comparison, ok := r.comparisons.comparisonOf(x); ok {
			if onBuckets := r.compareBuckets(comparison); onBuckets != nil {
				return onBuckets
			}
		}
		return r.groupedExpression(x)
	})
	for ref := range sqlexpr.Refs(e) {
		if ref.ID >= 0 && r.filters.groupCarryingRef(ref.ID) < 0 {
			return nil, false
		}
	}
	return r.filters.rewriteOverResult(e), true
}

// compareBuckets returns a comparison of a time field with constants as one of its grouped buckets; nil where a bound is not the edge
// of a bucket.
func (r timeConditionReader) compareBuckets(c timeComparison) sqlexpr.Expr {
	group := r.bucketGroupOf(c.ref)
	if group < 0 || r.filters.groups[group].Period != nil { // whose first days only the warehouse has
		return nil
	}
	axis := c.ref.Field
	var within sqlexpr.Expr
	for _, i := range c.intervals {
		if !r.isEdge(axis, group, i.Start) || !r.isEdge(axis, group, i.End) {
			return nil
		}
		one := sqlexpr.And(Range{Interval: i}.BucketsInRange(r.filters.in, r.filters.groups[group].Grain, axis, &sqlexpr.Ref{ID: -group - 1})...)
		if within == nil {
			within = one
		} else {
			within = &sqlexpr.Binary{Op: sqlexpr.OpOr, L: within, R: one}
		}
	}
	if c.outside {
		return &sqlexpr.Unary{Op: sqlexpr.OpNot, X: within}
	}
	return within
}

// isEdge reports whether a bound begins a bucket.
func (r timeConditionReader) isEdge(axis *catalog.Field, group int, bound timerange.RangeBound) bool {
	c := r.filters.in.Times.Clock.ForField(axis)
	at := bound.OnClock(c).Time
	return !bound.IsSet() || c.FloorTime(at, r.filters.groups[group].Grain).Equal(at)
}

// bucketGroupOf finds the group of the finest buckets of a field; -1 where none has them.
func (r timeConditionReader) bucketGroupOf(ref resolve.Ref) int {
	found := -1
	for i, g := range r.filters.groups {
		if g.HasBuckets() && r.isGroupOf(g, ref) && (found < 0 || g.HasFinerBuckets(r.filters.groups[found])) {
			found = i
		}
	}
	return found
}

// isGroupOf reports whether a group is made of a field alone: by its name, or as the axis of all measures.
func (r timeConditionReader) isGroupOf(g scope.Group, ref resolve.Ref) bool {
	switch {
	case g.IsRemainder, g.Expression != nil:
		return false
	case g.OnAxis:
		return len(ref.Prefix) == 0 && !slices.ContainsFunc(r.measureRefs, func(u *measure.Ref) bool { return u.Axis != ref.Field })
	}
	return g.Ref.IsSame(ref)
}

// groupedExpression returns the column of the group that an expression over a time equals, in the type of the expression; nil where
// there is none.
func (r timeConditionReader) groupedExpression(e sqlexpr.Expr) sqlexpr.Expr {
	group := r.groupOfExpression(e)
	if group < 0 {
		return r.daysFromSunday(e)
	}
	column := &sqlexpr.Ref{Position: sqlexpr.Position(e.Pos()), ID: -group - 1}
	if typ := sqlexpr.TypeOf(e, r.filters.typeOfName); typ.IsDateOrTimestamp() && typ != r.filters.typeOfName(column) {
		return &sqlexpr.Cast{Position: column.Position, X: column, To: sqlexpr.TypeName{Type: typ}}
	}
	return column
}

// daysFromSunday returns EXTRACT(DOW FROM x), which is 0 on Sunday, over the column of the grouped EXTRACT(ISODOW FROM x); nil where the
// query does not group by that.
func (r timeConditionReader) daysFromSunday(e sqlexpr.Expr) sqlexpr.Expr {
	dow, ok := e.(*sqlexpr.Extract)
	if !ok || dow.Part != sqlexpr.PartFromSunday {
		return nil
	}
	isoDow := *dow
	isoDow.Part = sqlexpr.PartDayOfWeek.ExtractName()
	group := r.groupOfExpression(&isoDow)
	if group < 0 {
		return nil
	}
	return sqlexpr.DayFromSunday(dow.Position, &sqlexpr.Ref{Position: dow.Position, ID: -group - 1})
}

// groupOfExpression finds the group that an expression over a time equals; -1 where there is none.
func (r timeConditionReader) groupOfExpression(e sqlexpr.Expr) int {
	if o, ok := r.comparisons.operandOf(e); ok && !o.isYear && o.unit != sqlexpr.GrainNone && r.isUnitOfQuery(o, o.unit) {
		return slices.IndexFunc(r.filters.groups, func(g scope.Group) bool {
			return g.Grain == o.unit && g.Period == nil && r.isGroupOf(g, o.ref)
		})
	}
	if i := slices.IndexFunc(r.filters.groups, func(g scope.Group) bool { return r.isExpressionOverTime(g) && g.IsExpression(e, r.filters.refs) }); i >= 0 {
		return i
	}
	part, x := partOfTime(e)
	o, ok := r.comparisons.operandOf(x)
	if part == sqlexpr.PartNone || !ok || o.isYear || !o.unit.Subdivides(part.Unit()) || !r.isUnitOfQuery(o, sqlexpr.GrainNone) {
		return -1
	}
	if part == sqlexpr.PartDayOfWeek && !r.filters.in.Times.Clock.ForField(o.ref.Field).WeekStartsOnMonday() {
		return -1 // the part counts from the first day of the query's weeks
	}
	return slices.IndexFunc(r.filters.groups, func(g scope.Group) bool { return g.Part == part && r.isGroupOf(g, o.ref) })
}

func (r timeConditionReader) isExpressionOverTime(g scope.Group) bool {
	return g.Expression != nil && g.ReadsMatchingRef(func(ref resolve.Ref) bool { return ref.Field.IsTime || ref.Field.Shown != nil })
}

// isUnitOfQuery reports whether functions of conditions, which are on the clock of UTC or of a field that shows that of the query, and whose
// weeks begin on Monday, make the units of the query of a field.
func (r timeConditionReader) isUnitOfQuery(o timeOperand, unit sqlexpr.Grain) bool {
	c := r.filters.in.Times.Clock.ForField(o.ref.Field)
	return (o.onClock || !c.HasZone() || c.HasUnitsOfUTC(unit)) && (unit != sqlexpr.GrainWeek || c.WeekStartsOnMonday())
}

// partOfTime returns the part of a time that an expression is, and the time; PartNone for another expression.
func partOfTime(e sqlexpr.Expr) (sqlexpr.TimePart, sqlexpr.Expr) {
	name, x := "", sqlexpr.Expr(nil)
	switch e := e.(type) {
	case *sqlexpr.Extract:
		name, x = e.Part, e.X
	case *sqlexpr.Call:
		if part, ok := e.Fn.ExtractPart(); ok {
			name, x = part, e.Args[0]
		}
	}
	for p := sqlexpr.PartHourOfDay; p <= sqlexpr.PartQuarterOfYear; p++ {
		if p.ExtractName() == name {
			return p, x
		}
	}
	return sqlexpr.PartNone, nil
}
