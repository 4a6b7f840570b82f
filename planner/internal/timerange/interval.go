package timerange

import (
	"slices"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// Interval is a part of the time line, [Start, End); a bound that is not given is open.
type Interval struct{ Start, End RangeBound }

// OnClock returns the interval on the clock of a field.
func (i Interval) OnClock(c clock.Clock) Interval {
	return Interval{i.Start.OnClock(c), i.End.OnClock(c)}
}

// OfLocalTimes returns the interval whose bounds are what the clock of a field shows.
func (i Interval) OfLocalTimes() Interval {
	i.Start.exact, i.End.exact = time.Time{}, time.Time{}
	return i
}

// Intersect returns what two intervals have in common on a clock. It is empty where its start is not before its end.
func (i Interval) Intersect(o Interval, c clock.Clock) Interval {
	a, b := i.OnClock(c), o.OnClock(c)
	if b.Start.IsSet() && (!a.Start.IsSet() || b.Start.After(a.Start.Time)) {
		i.Start = o.Start
	}
	if b.End.IsSet() && (!a.End.IsSet() || b.End.Before(a.End.Time)) {
		i.End = o.End
	}
	return i
}

// IsEmpty reports whether no time lies in the interval.
func (i Interval) IsEmpty() bool {
	return i.Start.IsSet() && i.End.IsSet() && !i.Start.Before(i.End.Time)
}

// TimeBounds returns the interval without the bounds' forms.
func (i Interval) TimeBounds() clock.TimeBounds {
	var out clock.TimeBounds
	if i.Start.IsSet() {
		out.From = i.Start.Time
	}
	if i.End.IsSet() {
		out.To = i.End.Time
	}
	return out
}

// ParseBounds reads the bounds of a query's range. The error is a *planerr.Error; key names
// the range in it.
func ParseBounds(key string, q query.TimeRange) (Interval, error) {
	start, err := parseBound(key+".start", q.Start)
	if err != nil {
		return Interval{}, err
	}
	end, err := parseBound(key+".end", q.End)
	if err != nil {
		return Interval{}, err
	}
	switch {
	case !start.IsSet() && !end.IsSet():
		return Interval{}, InvalidRangeBoundsError(key + " needs a start, an end, or both")
	case start.IsSet() && end.IsSet() && !start.Before(end.Time):
		return Interval{}, InvalidRangeBoundsError(key + " is empty: start " + q.Start + " is not before end " + q.End)
	}
	return Interval{start, end}, nil
}

// InvalidRangeBoundsError returns the error of bounds that are not a range.
func InvalidRangeBoundsError(message string) error {
	return &planerr.Error{
		Code: planerr.CodeUnsupportedFilter, Message: message,
		SuggestedRetry: "bounds are dates such as 2024-01-31 or timestamps such as 2024-01-31T12:00:00; start is included, end is not",
	}
}

// WithinConditions returns the condition that x, the stored value of a field, lies in the
// interval.
func (i Interval) WithinConditions(x sqlexpr.Expr, f *catalog.Field) []sqlexpr.Expr {
	x = sqlexpr.StoredTime(x)
	out := make([]sqlexpr.Expr, 0, 2)
	if i.Start.IsSet() {
		out = append(out, &sqlexpr.Binary{Op: sqlexpr.OpGe, L: x, R: boundLiteralForField(i.Start, f)})
	}
	if i.End.IsSet() {
		out = append(out, &sqlexpr.Binary{Op: sqlexpr.OpLt, L: x, R: boundLiteralForField(i.End, f)})
	}
	return out
}

// OutsideCondition returns the condition that x, the stored value of a field, is not in the
// interval, of which both bounds are given.
func (i Interval) OutsideCondition(x sqlexpr.Expr, f *catalog.Field) *sqlexpr.Binary {
	x = sqlexpr.StoredTime(x)
	return &sqlexpr.Binary{
		Op: sqlexpr.OpOr,
		L:  &sqlexpr.Binary{Op: sqlexpr.OpLt, L: x, R: boundLiteralForField(i.Start, f)},
		R:  &sqlexpr.Binary{Op: sqlexpr.OpGe, L: x, R: boundLiteralForField(i.End, f)},
	}
}

// MergeIntervals merges intervals into those that neither meet nor overlap, in order of time.
// There is at least one.
func MergeIntervals(intervals []Interval) []Interval {
	all := slices.Clone(intervals)
	slices.SortStableFunc(all, func(a, b Interval) int { return a.Start.Compare(b.Start.Time) })
	out := all[:1]
	for _, next := range all[1:] {
		last := &out[len(out)-1]
		switch {
		case last.End.IsSet() && next.Start.After(last.End.Time):
			out = append(out, next)
		case last.End.IsSet() && (!next.End.IsSet() || next.End.After(last.End.Time)):
			last.End = next.End
		}
	}
	return out
}

// GapConditions returns the conditions that a time lies in none of the gaps between intervals in order of time. Negated, they are written
// as NOT (a AND b), of which DuckDB computes several in a third of the time of as many ORs.
func GapConditions(intervals []Interval, x sqlexpr.Expr, field *catalog.Field, negated bool) []sqlexpr.Expr {
	var out []sqlexpr.Expr
	for i, next := range intervals[1:] {
		gap := Interval{Start: intervals[i].End, End: next.Start}
		if negated {
			out = append(out, &sqlexpr.Unary{Op: sqlexpr.OpNot, X: sqlexpr.And(gap.WithinConditions(x, field)...)})
		} else {
			out = append(out, gap.OutsideCondition(x, field))
		}
	}
	return out
}

// LatestFirst returns the places of items in the order of their intervals, from the last in time to the first; false where some of these
// overlap. All have both bounds.
func LatestFirst[T any](items []T, of func(T) Interval) (order []int, ok bool) {
	for i := range items {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return of(items[b]).Start.Compare(of(items[a]).Start.Time) })
	for i, next := range order[1:] {
		if of(items[next]).End.After(of(items[order[i]]).Start.Time) {
			return nil, false
		}
	}
	return order, true
}

// IsWithin reports whether all times of the interval lie in another, of the same clock.
func (i Interval) IsWithin(o Interval) bool {
	return (!o.Start.IsSet() || i.Start.IsSet() && !i.Start.Before(o.Start.Time)) && (!o.End.IsSet() || i.End.IsSet() && !i.End.After(o.End.Time))
}

// OfBuckets returns an interval on the clock of a field, whose bounds are the first instants of buckets, as the column of such buckets has it.
func (i Interval) OfBuckets(c clock.Clock, bucket sqlexpr.Type) Interval {
	shown := func(b RangeBound) RangeBound {
		if !b.IsSet() || bucket == sqlexpr.TypeTimestampTZ || !c.HasZone() {
			return b
		}
		return boundWithClockFlag(c.LocalTimeOfInstant(b.Time))
	}
	return Interval{shown(i.Start), shown(i.End)}
}
