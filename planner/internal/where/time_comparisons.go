package where

import (
	"slices"
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

// comparisonReader reads comparisons of time fields with constants.
type comparisonReader struct {
	refs  resolve.Refs
	times timerange.TimeContext
}

// timeOperand is a time field in a condition, by the unit of its values: GrainNone is that of the clock.
type timeOperand struct {
	ref     resolve.Ref // of the field
	unit    sqlexpr.Grain
	isYear  bool // the number of the year
	onClock bool // what the clock of the query shows, not that of UTC
}

// operandOf returns the time field that an expression is: the field, truncated to a unit, cast to a date or timestamp, or
// the number of its year.
func (reader comparisonReader) operandOf(e sqlexpr.Expr) (o timeOperand, ok bool) {
	if x, isYear := timerange.YearOperand(e); isYear {
		o, ok = reader.operandOf(x)
		ok = ok && !o.isYear && o.unit.Subdivides(sqlexpr.GrainYear)
		o.isYear, o.unit = true, sqlexpr.GrainYear
		return o, ok
	}
	switch e := e.(type) {
	case *sqlexpr.Ref:
		if e.ID < 0 {
			return o, false
		}
		if o.ref = reader.refs[e.ID]; reader.times.Clock.InstantsOf(o.ref.Field) != nil {
			o.ref.Field, o.onClock = reader.times.Clock.InstantsOf(o.ref.Field), true
		}
		field := o.ref.Field
		if field.Type == sqlexpr.TypeDate {
			o.unit = sqlexpr.GrainDay
		}
		return o, field.IsTime && field.Encoding == nil && field.Type.IsDateOrTimestamp()
	case *sqlexpr.DeclaredTypeExpr:
		return reader.operandOf(e.X)
	case *sqlexpr.Cast:
		o, ok = reader.operandOf(e.X)
		if e.To.Type == sqlexpr.TypeDate {
			o.unit = max(o.unit, sqlexpr.GrainDay)
		}
		return o, ok && !o.isYear && e.To.Type.IsDateOrTimestamp()
	case *sqlexpr.Call:
		unit, known := timerange.TruncatedUnit(e)
		if !known {
			return o, false
		}
		o, ok = reader.operandOf(e.Args[1])
		ok = ok && !o.isYear && o.unit.Subdivides(unit)
		o.unit = unit
		return o, ok
	}
	return o, false
}

// timeComparison is a comparison of a time field with constants: the field lies in one of some intervals, or outside of all. The
// bounds are instants.
type timeComparison struct {
	ref       resolve.Ref
	intervals []timerange.Interval // that do not meet; there is at least one
	outside   bool
}

// comparisonOf returns the intervals of a time field that a comparison with constants describes.
func (reader comparisonReader) comparisonOf(e sqlexpr.Expr) (c timeComparison, ok bool) {
	switch e := e.(type) {
	case *sqlexpr.Unary:
		if e.Op != sqlexpr.OpNot {
			return c, false
		}
		c, ok = reader.comparisonOf(e.X)
		return c.negated(), ok
	case *sqlexpr.Binary:
		if o, isOperand := reader.operandOf(e.L); isOperand {
			return reader.compareOperand(o, e.Op, e.R)
		}
		op, known := e.Op.Mirrored()
		if o, isOperand := reader.operandOf(e.R); isOperand && known {
			return reader.compareOperand(o, op, e.L)
		}
	case *sqlexpr.Between:
		o, isOperand := reader.operandOf(e.X)
		if !isOperand {
			return c, false
		}
		low, isLow := reader.compareOperand(o, sqlexpr.OpGe, e.Lo)
		high, isHigh := reader.compareOperand(o, sqlexpr.OpLe, e.Hi)
		if !isLow || !isHigh {
			return c, false
		}
		between := timerange.Interval{Start: low.intervals[0].Start, End: high.intervals[0].End}
		return timeComparison{o.ref, []timerange.Interval{between}, e.Not}, true
	case *sqlexpr.In:
		o, isOperand := reader.operandOf(e.X)
		if !isOperand {
			return c, false
		}
		c = timeComparison{ref: o.ref, outside: e.Not}
		for _, item := range e.Items {
			one, known := reader.compareOperand(o, sqlexpr.OpEq, item)
			if !known {
				return c, false
			}
			c.intervals = append(c.intervals, one.intervals[0])
		}
		if some := slices.DeleteFunc(slices.Clone(c.intervals), timerange.Interval.IsEmpty); len(some) > 0 {
			c.intervals = timerange.MergeIntervals(some)
		} else {
			c.intervals = c.intervals[:1]
		}
		return c, true
	}
	return c, false
}

// negated returns the comparison that is true where the other is false. What is outside of an interval with one bound is
// another interval.
func (t timeComparison) negated() timeComparison {
	if len(t.intervals) == 1 && t.intervals[0].Start.IsSet() != t.intervals[0].End.IsSet() {
		i := t.intervals[0]
		return timeComparison{t.ref, []timerange.Interval{{Start: i.End, End: i.Start}}, t.outside}
	}
	return timeComparison{t.ref, t.intervals, !t.outside}
}

// splitsTimesAt reports whether the times that the query's clock shows from a bound on are those from an instant on.
func (reader comparisonReader) splitsTimesAt(bound timerange.RangeBound) bool {
	return !bound.IsSet() || reader.times.Clock.SplitsTimesAt(bound.Time)
}

// compareOperand returns the interval of a time field that a comparison with one constant describes.
func (reader comparisonReader) compareOperand(o timeOperand, op sqlexpr.BinaryOp, constant sqlexpr.Expr) (timeComparison, bool) {
	var at time.Time
	var ok bool
	if o.isYear {
		var year int
		year, ok = reader.times.FoldYear(constant)
		at = time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
	} else {
		at, ok = reader.times.FoldTime(constant)
	}
	if !ok || !timerange.YearFitsLiteral(at) {
		return timeComparison{}, false
	}
	interval, ok := timerange.IntervalOfComparison(o.unit, op, at)
	if o.onClock {
		interval = interval.OfLocalTimes()
		ok = ok && reader.splitsTimesAt(interval.Start) && reader.splitsTimesAt(interval.End)
	}
	return timeComparison{o.ref, []timerange.Interval{interval}, op == sqlexpr.OpNe}, ok
}

// RangeOfCondition returns the interval of the time field that a condition over Ref{index of refs} keeps, and the index of the field; ok is false
// for any other condition. The bounds are instants.
func RangeOfCondition(in *scope.Env, refs resolve.Refs, e sqlexpr.Expr) (ref int, interval timerange.Interval, ok bool) {
	c, isComparison := comparisonReader{refs, in.Times}.comparisonOf(e)
	if !isComparison || c.outside || len(c.intervals) != 1 || timerange.ReadsNow(e) {
		return 0, timerange.Interval{}, false
	}
	ref = slices.IndexFunc(refs, c.ref.IsSame)
	return ref, c.intervals[0], ref >= 0
}
