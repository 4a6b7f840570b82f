package reference

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// calendarPeriods are the periods of one name in a calendar. Days with an equal value are one period, which
// begins with the first of them.
type calendarPeriods struct {
	days   []Date        // of the calendar, in order
	of     map[Date]Date // the first day of the period of a day that is in one
	starts []Date        // the first days, in order
}

// readCalendarPeriods reads the periods of a calendar from its rows.
func (e *evaluator) readCalendarPeriods(p *catalog.Period) *calendarPeriods {
	if known := e.calendars[p]; known != nil {
		return known
	}
	out := &calendarPeriods{of: map[Date]Date{}}
	first := map[string]Date{}
	value := func(r Row) string { return groupKey(coerceTimeToDeclaredType(p.Field, e.fieldValue(p.Field, r))) }
	each := func(do func(day Date, value string)) {
		for _, r := range e.rowsOfDataset(p.Calendar.Dataset) {
			day, ok := coerceTimeToDeclaredType(p.Calendar.Date, e.fieldValue(p.Calendar.Date, r)).(Date)
			if ok && e.fieldValue(p.Field, r) != nil {
				do(day, value(r))
			}
		}
	}
	for _, r := range e.rowsOfDataset(p.Calendar.Dataset) {
		if day, ok := coerceTimeToDeclaredType(p.Calendar.Date, e.fieldValue(p.Calendar.Date, r)).(Date); ok {
			out.days = append(out.days, day)
		}
	}
	slices.Sort(out.days)
	each(func(day Date, v string) {
		if known, ok := first[v]; !ok || day < known {
			first[v] = day
		}
	})
	each(func(day Date, v string) { out.of[day] = first[v] })
	for _, day := range first {
		out.starts = append(out.starts, day)
	}
	slices.Sort(out.starts)
	e.calendars[p] = out
	return out
}

// startOfPeriod returns the first day of the period of a day; NULL for a day that is in none.
func (p *calendarPeriods) startOfPeriod(day Value) Value {
	d, _ := day.(Date)
	first, ok := p.of[d]
	if day == nil || !ok {
		return nil
	}
	return first
}

// isFiner reports whether a group-by of a field is to count its buckets, and not another one: days and finer grains before
// the periods of calendars, and other grains before the periods that are made of them.
func (e *evaluator) isFiner(g, o groupByItem) bool {
	if (g.period == nil) != (o.period == nil) {
		if g.period == nil {
			return e.dividesIntoPeriod(g.grain, o.period)
		}
		return !e.dividesIntoPeriod(o.grain, g.period)
	}
	return g.grain < o.grain
}

func (p *windowPopulation) resetPeriod() *catalog.Period {
	switch w := p.l.window; {
	case w.Cumulative != nil:
		return w.Cumulative.ResetPeriod
	case w.Frame != nil:
		return w.Frame.ResetPeriod
	case w.Recompute != nil:
		return w.Recompute.ResetPeriod
	}
	return nil
}

func (p *windowPopulation) canCountBucketsByUnit(unit *catalog.Period) bool {
	return canCountBucketsByUnit(p.l.grain, p.l.period, unit)
}

// canCountBucketsByUnit reports whether buckets can be counted by a unit: periods by those of one
// calendar, days by those of any, and other buckets by plain units only.
func canCountBucketsByUnit(grain sqlexpr.Grain, of, unit *catalog.Period) bool {
	switch {
	case of == nil && unit == nil:
		return true
	case of == nil:
		return grain == sqlexpr.GrainDay
	case unit == nil:
		return false
	}
	return of.Calendar == unit.Calendar
}

// shiftBucket moves a bucket by a number of units. By a period, it moves to the bucket at the same place in
// another one; a bucket belongs to the period of its first day.
func (e *evaluator) shiftBucket(bucket Value, of *catalog.Period, g sqlexpr.Grain, unit *catalog.Period, n int) (Value, bool) {
	if unit == nil {
		return e.clock.shiftBucket(bucket, g, n)
	}
	all := e.readCalendarPeriods(unit)
	starts := all.days
	if of != nil {
		starts = e.readCalendarPeriods(of).starts
	}
	day, _ := bucket.(Date)
	if of == unit {
		i := slices.Index(starts, day)
		if i < 0 || i+n < 0 || i+n >= len(starts) {
			return nil, false
		}
		return starts[i+n], true
	}
	within := func(period Date) []Date {
		return slices.DeleteFunc(slices.Clone(starts), func(d Date) bool {
			first, ok := all.of[d]
			return !ok || first != period
		})
	}
	period, ok := all.of[day]
	i := slices.Index(all.starts, period)
	if !ok || i+n < 0 || i+n >= len(all.starts) {
		return nil, false
	}
	place, others := slices.Index(within(period), day), within(all.starts[i+n])
	if place < 0 || place >= len(others) {
		return nil, false
	}
	return others[place], true
}

// bucketOverlapsRange reports whether some time of a bucket is in a range.
func (e *evaluator) bucketOverlapsRange(s timeRange, f *catalog.Field, g sqlexpr.Grain, of *catalog.Period, bucket Value) bool {
	if of == nil {
		return e.clock.bucketOverlapsRange(s, f, g, bucket)
	}
	for day, first := range e.readCalendarPeriods(of).of {
		if first == bucket && e.clock.bucketOverlapsRange(s, f, sqlexpr.GrainDay, day) {
			return true
		}
	}
	return false
}

// bucketsInRange lists the buckets of a field that meet a range with both bounds.
func (e *evaluator) bucketsInRange(s timeRange, f *catalog.Field, g sqlexpr.Grain, of *catalog.Period) []Value {
	if of == nil {
		return e.clock.bucketsInRange(s, f, g)
	}
	var out []Value
	for _, first := range e.readCalendarPeriods(of).starts {
		if e.bucketOverlapsRange(s, f, g, of, first) {
			out = append(out, first)
		}
	}
	return out
}

// precedingPeriods returns the first days of the period of a bucket and of those before it, n in all, the last first; fewer
// where the calendar begins.
func (p *windowPopulation) precedingPeriods(bucket Value, n int) []Date {
	starts := p.e.readCalendarPeriods(p.l.period).starts
	at, _ := bucket.(Date)
	i := slices.Index(starts, at)
	out := slices.Clone(starts[max(0, i+1-n) : i+1])
	slices.Reverse(out)
	return out
}

// aggregatePeriodFrame aggregates the periods from n before the current one up to it; for a descending order,
// from the current one to n after it.
func (p *windowPopulation) aggregatePeriodFrame(c *windowGroup, function sqlexpr.Func, n int, desc, full bool) Value {
	starts := p.e.readCalendarPeriods(p.l.period).starts
	at, _ := c.dims[p.axis].(Date)
	i := slices.Index(starts, at)
	first, last := i-n, i
	if desc {
		first, last = i, i+n
	}
	within := p.frameGroups(c, func(o *windowGroup) bool {
		day, _ := o.dims[p.axis].(Date)
		j := slices.Index(starts, day)
		return first <= j && j <= last
	})
	for j := first; full && j <= last; j++ {
		if j < 0 || j >= len(starts) || !slices.ContainsFunc(within, func(o *windowGroup) bool { return o.dims[p.axis] == starts[j] }) {
			return nil
		}
	}
	return p.windowValueOverGroups(function, within)
}
