package sqlexpr

import (
	"slices"
	"time"
)

// DayOf returns the day of a value that a model declares to be a day: the value itself where the expression shows a date. A column
// of timestamps would otherwise hold as many values as there are times of day.
func DayOf(x Expr) Expr {
	if TypeOf(x, nil) == TypeDate {
		return x
	}
	return &Bucket{Position: Position(x.Pos()), Grain: GrainDay, From: TypeDate, X: x}
}

// StoredTime returns the stored value under a day of DayOf, and any other expression as it is. Both are NULL on the same rows,
// and both lie in the same days.
func StoredTime(x Expr) Expr {
	if stored, ok := storedTimeOfDay(x); ok {
		return stored
	}
	return x
}

func storedTimeOfDay(x Expr) (Expr, bool) {
	if d, ok := x.(*DeclaredTypeExpr); ok && d.Type == TypeDate {
		x = d.X
	}
	b, ok := x.(*Bucket)
	if !ok || b.Grain != GrainDay || b.From != TypeDate || b.Zone != nil {
		return nil, false
	}
	return b.X, true
}

// NormalizeDays returns an expression in which days of DayOf are compared with constants by their stored values, as half-open
// ranges, so that an index on the column serves the comparison:
//
//	day = DATE '2024-01-05'               stored >= DATE '2024-01-05' AND stored < DATE '2024-01-06'
//	day > TIMESTAMP '2024-01-05 12:00:00' stored >= DATE '2024-01-06'
//
// A value that is not a column is read once only, so ranges with two bounds compare its day. A day that is cast to a date is itself.
func NormalizeDays(e Expr) Expr {
	if e == nil {
		return nil
	}
	e = MapOperands(e, NormalizeDays)
	switch e := e.(type) {
	case *Binary:
		if x := compareStoredTime(e.L, e.Op, e.R); x != nil {
			return x
		}
		if mirrored, ok := e.Op.Mirrored(); ok {
			if x := compareStoredTime(e.R, mirrored, e.L); x != nil {
				return x
			}
		}
	case *Between:
		if x := storedTimeBetween(e); x != nil {
			return x
		}
	case *In:
		if x := storedTimeInDays(e); x != nil {
			return x
		}
	case *Cast:
		if e.To.Type == TypeDate && TypeOf(e.X, nil) == TypeDate {
			return e.X
		}
	case *IsNull:
		if stored, ok := storedTimeOfDay(e.X); ok {
			return &IsNull{Position: e.Position, Not: e.Not, X: stored}
		}
	}
	return e
}

// Mirrored returns the operator of a comparison with its sides exchanged; false for another operator.
func (op BinaryOp) Mirrored() (BinaryOp, bool) {
	mirrored, ok := mirroredComparisons[op]
	return mirrored, ok
}

var mirroredComparisons = map[BinaryOp]BinaryOp{OpEq: OpEq, OpNe: OpNe, OpLt: OpGt, OpLe: OpGe, OpGt: OpLt, OpGe: OpLe}

// dayRange is the days [from, to).
type dayRange struct{ from, to time.Time }

// daysEqualTo returns the days that are equal to a constant: one, or none beside a time of day.
func daysEqualTo(t time.Time) dayRange {
	return dayRange{FirstDayFrom(t), FirstDayAfter(t)}
}

// FirstDayFrom returns the first day whose midnight is not before a time.
func FirstDayFrom(t time.Time) time.Time {
	if day := dayOfTime(t); !day.Equal(t) {
		return day.AddDate(0, 0, 1)
	}
	return t
}

// FirstDayAfter returns the first day whose midnight is after a time.
func FirstDayAfter(t time.Time) time.Time { return dayOfTime(t).AddDate(0, 0, 1) }

func dayOfTime(t time.Time) time.Time { return t.Truncate(24 * time.Hour) }

// compareStoredTime returns the comparison of a day with a constant as one of its stored value; nil where it is another comparison.
func compareStoredTime(day Expr, op BinaryOp, constant Expr) Expr {
	stored, ok := storedTimeOfDay(day)
	if !ok {
		return nil
	}
	t, ok := TimeOfConstant(constant)
	if !ok {
		return nil
	}
	bound := func(op BinaryOp, day time.Time) Expr { return compareWithDay(stored, op, day) }
	switch op {
	case OpGe:
		return bound(OpGe, FirstDayFrom(t))
	case OpGt:
		return bound(OpGe, FirstDayAfter(t))
	case OpLe:
		return bound(OpLt, FirstDayAfter(t))
	case OpLt:
		return bound(OpLt, FirstDayFrom(t))
	case OpEq:
		return storedTimeWithin(stored, daysEqualTo(t))
	case OpNe:
		return storedTimeOutside(stored, daysEqualTo(t))
	}
	return nil
}

func storedTimeBetween(e *Between) Expr {
	stored, ok := storedTimeOfDay(e.X)
	if !ok {
		return nil
	}
	lo, isLo := TimeOfConstant(e.Lo)
	hi, isHi := TimeOfConstant(e.Hi)
	if !isLo || !isHi {
		return nil
	}
	days := dayRange{FirstDayFrom(lo), FirstDayAfter(hi)}
	if e.Not {
		return storedTimeOutside(stored, days)
	}
	return storedTimeWithin(stored, days)
}

// maxDayRanges bounds the ranges that an IN becomes; beyond it, the span of the days is the range.
const maxDayRanges = 16

// storedTimeInDays returns IN over days as ranges of adjacent days.
func storedTimeInDays(e *In) Expr {
	stored, ok := storedTimeOfDay(e.X)
	if !ok {
		return nil
	}
	var days []dayRange
	for _, item := range e.Items {
		t, ok := TimeOfConstant(item)
		if !ok {
			return nil
		}
		days = append(days, daysEqualTo(t))
	}
	slices.SortFunc(days, func(a, b dayRange) int { return a.from.Compare(b.from) })
	merged := days[:1]
	for _, d := range days[1:] {
		if last := &merged[len(merged)-1]; d.from.After(last.to) {
			merged = append(merged, d)
		} else if d.to.After(last.to) {
			last.to = d.to
		}
	}
	var out Expr
	if len(merged) > maxDayRanges {
		if out = storedTimeWithin(stored, dayRange{merged[0].from, merged[len(merged)-1].to}); out != nil {
			out = And(out, &In{Position: e.Position, X: e.X, Items: e.Items})
		}
	} else {
		for _, d := range merged {
			within := storedTimeWithin(stored, d)
			switch {
			case within == nil:
				return nil
			case out == nil:
				out = within
			default:
				out = &Binary{Position: e.Position, Op: OpOr, L: out, R: within}
			}
		}
	}
	if out != nil && e.Not {
		return &Unary{Position: e.Position, Op: OpNot, X: out}
	}
	return out
}

func storedTimeWithin(stored Expr, days dayRange) Expr {
	return storedTimeBounds(stored, OpAnd, OpGe, OpLt, days)
}

func storedTimeOutside(stored Expr, days dayRange) Expr {
	return storedTimeBounds(stored, OpOr, OpLt, OpGe, days)
}

func storedTimeBounds(stored Expr, op, from, to BinaryOp, days dayRange) Expr {
	if _, column := stored.(*Column); !column {
		return nil
	}
	l, r := compareWithDay(stored, from, days.from), compareWithDay(stored, to, days.to)
	if l == nil || r == nil {
		return nil
	}
	return &Binary{Position: Position(stored.Pos()), Op: op, L: l, R: r}
}

// compareWithDay compares with a day; nil where a literal cannot name the day.
func compareWithDay(stored Expr, op BinaryOp, day time.Time) Expr {
	if day.Year() < 1 || day.Year() > 9999 {
		return nil
	}
	at := Position(stored.Pos())
	return &Binary{Position: at, Op: op, L: stored, R: &TypedLiteral{Position: at, Type: TypeDate, Value: day.Format(time.DateOnly)}}
}

// TimeOfConstant returns the time of a literal, or of a string that is one, in UTC.
func TimeOfConstant(e Expr) (time.Time, bool) {
	var text string
	switch e := e.(type) {
	case *TypedLiteral:
		if !e.Type.IsDateOrTimestamp() {
			return time.Time{}, false
		}
		text = e.Value
	case *String:
		text = e.Value
	default:
		return time.Time{}, false
	}
	for _, layout := range [...]string{time.DateOnly, time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}
