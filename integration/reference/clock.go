package reference

import (
	"time"
	_ "time/tzdata" // the zones of a query do not depend on the machine

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// clock is the calendar of a query: its time zone, and the day on which weeks begin.
type clock struct {
	zone      *time.Location // nil is UTC
	weekStart time.Weekday

	fault InjectedFault
}

// readTimeZoneAndWeekStart reads the time zone and the start of weeks.
func (e *evaluator) readTimeZoneAndWeekStart() {
	e.clock.weekStart = time.Monday
	if name := e.q.TimeZone; name != "" {
		zone, err := time.LoadLocation(name)
		if err != nil || name == "Local" {
			e.addMustRejectCode("unknown_time_zone")
		} else if name != "UTC" {
			e.clock.zone = zone
		}
	}
	if day, ok := sqlexpr.ParseWeekday(e.q.WeekStart); ok {
		e.clock.weekStart = time.Weekday(day % sqlexpr.Sunday)
	}
	relative := e.q.TimeRange != nil && e.q.TimeRange.Last != nil
	for _, r := range e.q.TimeRanges {
		relative = relative || r.Last != nil
	}
	if e.q.Top != nil && e.q.Top.Rank != nil {
		relative = relative || ranksByPresent(e.q.Top.Rank)
	}
	if e.q.AsOf != "" && !relative && !e.viewReadsPresent() && !readsPresent(e.q.WhereSQL) && !readsPresent(e.q.ContextFilter) {
		e.addMustRejectCode("conflicting_keys")
	}
}

// readRelativeRange makes bounds of a number of units before a time.
func (e *evaluator) readRelativeRange(s *timeRange, r query.RelativeRange) bool {
	if e.q.AsOf == "" {
		abstain("a range that depends on the time of the day")
	}
	v, err := ParseTime(e.q.AsOf)
	if err != nil || !rangeBoundPattern.MatchString(e.q.AsOf) {
		e.addMustRejectCode("bad_request")
		e.addMayRejectCode("unsupported_filter")
		return false
	}
	g, _ := sqlexpr.ParseGrain(r.Unit)
	if r.N > 1e6 {
		abstain("a range that begins before the calendar")
	}
	n, complete := int(r.N), r.Complete == nil || *r.Complete
	wall, _ := toTimestamp(v)
	if length := Timestamp(secondsOfGrain(g)) * 1e6; length > 0 {
		at := e.clock.instantOfLocalTime(wall)
		end := at - e.clock.localTimePastWholeUnit(at, length)
		if !complete {
			end += length
		}
		start := end - Timestamp(n)*length
		s.startAt, s.endAt, s.start, s.end = &start, &end, e.clock.localTime(start), e.clock.localTime(end)
		return true
	}
	end := e.clock.bucketStartDay(g, wall.toDate())
	s.start, s.end = addBuckets(g, end, -n), end
	if !complete {
		s.start, s.end = addBuckets(g, end, 1-n), wall.toDate()+1
	}
	return true
}

// appliesToField reports whether the values of a field are instants, which the zone's clock shows. No field is that of a
// metric without an axis.
func (c clock) appliesToField(f *catalog.Field) bool {
	return c.zone != nil && f != nil && isInstantField(f)
}

func isInstantField(f *catalog.Field) bool {
	if f.Encoding != nil {
		return f.Encoding.Epoch == "seconds" || f.Encoding.Epoch == "millis"
	}
	return f.Datatype == modelspec.DatatypeDateTimeTz || f.Datatype == "" && f.Type == sqlexpr.TypeTimestampTZ
}

// secondsAheadOfUTC returns the seconds by which the clock is ahead of UTC at an instant.
func (c clock) secondsAheadOfUTC(at Timestamp) Timestamp {
	if c.zone == nil {
		return 0
	}
	_, s := time.UnixMicro(int64(at)).In(c.zone).Zone()
	return Timestamp(s) * 1e6
}

// localTime returns the local time at an instant.
func (c clock) localTime(at Timestamp) Timestamp { return at + c.secondsAheadOfUTC(at) }

// Hours follow the changes of the clock from 1970 to 2050. Before and after, they are those of the nearest change.
var (
	firstHourOfZoneChanges = Timestamp(time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro())
	lastHourOfZoneChanges  = Timestamp(time.Date(2050, 12, 31, 23, 0, 0, 0, time.UTC).UnixMicro())
)

// localTimePastWholeUnit returns the part of the local time at an instant past the last whole unit.
func (c clock) localTimePastWholeUnit(at, unit Timestamp) Timestamp {
	shown := at + c.secondsAheadOfUTC(min(max(at, firstHourOfZoneChanges), lastHourOfZoneChanges))
	return shown - Timestamp(floorDiv(int64(shown), int64(unit)))*unit
}

// instantOfLocalTime returns the first instant at which the clock shows a time; where it leaves the time out, the
// first instant behind the gap.
func (c clock) instantOfLocalTime(wall Timestamp) Timestamp {
	const day = 86400 * 1e6
	before, after := c.secondsAheadOfUTC(wall-day), c.secondsAheadOfUTC(wall+day)
	first := min(wall-before, wall-after)
	for _, at := range []Timestamp{first, max(wall-before, wall-after)} {
		if c.localTime(at) == wall {
			return at
		}
	}
	_, end := time.UnixMicro(int64(first)).In(c.zone).ZoneBounds()
	return Timestamp(end.UnixMicro())
}

// bucketStartDay returns the first day of the bucket of a day or more that a day belongs to.
func (c clock) bucketStartDay(g sqlexpr.Grain, d Date) Date {
	if g == sqlexpr.GrainWeek {
		return d - Date((int(d.toTime().Weekday())-int(c.weekStart)+7)%7)
	}
	return bucketStart(g, d)
}

// bucketOfValue returns the bucket of a field's value: a day of the clock, or an instant of the field's type.
func (c clock) bucketOfValue(f *catalog.Field, g sqlexpr.Grain, v Value) Value {
	if _, isText := v.(string); isText {
		return nil
	}
	m, ok := toTimestamp(v)
	if !ok {
		return nil
	}
	if !c.appliesToField(f) {
		c.zone = nil
	}
	length := Timestamp(secondsOfGrain(g)) * 1e6
	switch {
	case length == 0:
		return c.bucketStartDay(g, c.localTime(m).toDate())
	case isInstantField(f):
		return TimestampTZ(m - c.localTimePastWholeUnit(m, length))
	}
	return m - c.localTimePastWholeUnit(m, length)
}

// addBuckets returns the bucket n buckets after another one.
func (c clock) addBuckets(g sqlexpr.Grain, b Value, n int) Value {
	length := Timestamp(secondsOfGrain(g)) * 1e6 * Timestamp(n)
	switch b := b.(type) {
	case Date:
		return addBuckets(g, b, n)
	case TimestampTZ:
		return b + TimestampTZ(length)
	case Timestamp:
		return b + length
	}
	failUnsupported("the bucket %v", b)
	return nil
}

// shiftBucket moves a bucket by granularities: on the calendar, or by the time that passes. ok is false
// when there is not such a day in the resulting month.
func (c clock) shiftBucket(b Value, g sqlexpr.Grain, n int) (Value, bool) {
	if day, isDay := b.(Date); isDay {
		return shiftDate(day, g, n)
	}
	length := Timestamp(secondsOfGrain(g)+86400*daysPerGrain(g)) * 1e6 * Timestamp(n)
	if z, zoned := b.(TimestampTZ); zoned {
		return z + TimestampTZ(length), true
	}
	return b.(Timestamp) + length, true
}

// startInstantOfBucket returns the instant at which a bucket begins.
func (c clock) startInstantOfBucket(b Value) Value {
	if day, isDay := b.(Date); isDay {
		return c.instantOfLocalTime(day.toTimestamp())
	}
	return b
}

// firstInstant begins the year 1. No value is earlier, and no bound need be.
var firstInstant = Timestamp(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro())

// boundsForField returns the bounds of a range as they are compared with a field's values. A bound with a time of day is the next
// midnight for days.
func (c clock) boundsForField(s timeRange, f *catalog.Field) timeRange {
	if f != nil && f.Datatype == modelspec.DatatypeDate && f.Encoding == nil {
		for _, wall := range []*Value{&s.start, &s.end} {
			if m, ok := toTimestamp(*wall); ok && m != m.toDate().toTimestamp() {
				*wall = m.toDate() + 1
			}
		}
		return s
	}
	if !c.appliesToField(f) || c.fault == FaultRangeBoundsInUTC {
		return s
	}
	for _, b := range []struct {
		wall *Value
		at   *Timestamp
	}{{&s.start, s.startAt}, {&s.end, s.endAt}} {
		switch m, ok := toTimestamp(*b.wall); {
		case b.at != nil:
			*b.wall = *b.at
		case ok:
			*b.wall = max(c.instantOfLocalTime(m), firstInstant)
		}
	}
	return s
}

// shiftRange moves the bounds of a range. On the calendar, a day that does not exist becomes the last
// one of its month; units of less than a day are time that passes.
func (c clock) shiftRange(s timeRange, g sqlexpr.Grain, n int) timeRange {
	length := Timestamp(secondsOfGrain(g)) * 1e6 * Timestamp(n)
	for _, b := range []struct {
		wall *Value
		at   **Timestamp
	}{{&s.start, &s.startAt}, {&s.end, &s.endAt}} {
		m, _ := toTimestamp(*b.wall)
		if length == 0 {
			day, exists := shiftDate(m.toDate(), g, n)
			for back := Date(1); !exists; back++ {
				day, exists = shiftDate(m.toDate()-back, g, n)
			}
			*b.wall, *b.at = day.toTimestamp()+m-m.toDate().toTimestamp(), nil
			continue
		}
		at := c.instantOfLocalTime(m)
		if *b.at != nil {
			at = **b.at
		}
		at += length
		*b.wall, *b.at = m+length, &at
	}
	return s
}

// maxListedBuckets is how many buckets of a range are listed: seconds of a year would take minutes.
const maxListedBuckets = 20_000

// bucketsInRange lists the buckets of a field that meet a range with both bounds, in their order. The list ends
// with the first one after maxListedBuckets.
func (c clock) bucketsInRange(s timeRange, f *catalog.Field, g sqlexpr.Grain) []Value {
	bounds := c.boundsForField(s, f)
	first, _ := toTimestamp(bounds.start)
	if end, _ := toTimestamp(bounds.end); end <= first && !c.appliesToField(f) {
		return nil // a range within a day has no day of a field of days
	}
	var out []Value
	for b := c.bucketOfValue(f, g, first); len(out) <= maxListedBuckets && c.bucketOverlapsRange(s, f, g, b); b = c.addBuckets(g, b, 1) {
		out = append(out, b)
	}
	return out
}
