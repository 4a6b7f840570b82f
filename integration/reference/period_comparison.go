package reference

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// periodComparison is what current values are compared with in one earlier range.
type periodComparison struct {
	asked          query.Compare
	number         int              // in the query, from 1
	columns        []int            // the compared metric columns
	previousRanges []timeRange      // the previous range
	bucketOfGroups                  // that buckets the field of the range; -1: none
	previousBucket map[string]Value // the previous bucket of each bucket of the current range that has one
	currentBuckets []Value
	// wholeBuckets are the complete buckets of the previous side, if its unit is a period of a calendar; nil otherwise.
	wholeBuckets map[string]bool
	ofPeriods    bool // the buckets are periods of a calendar, which may lack days
}

// readComparedColumns lists the columns that compare adds, one comparison after another.
func (e *evaluator) readComparedColumns() (names []string) {
	for i, asked := range e.q.Compare {
		c := &periodComparison{asked: asked, number: i + 1, bucketOfGroups: bucketOfGroups{bucketGroup: -1}}
		e.comparisons = append(e.comparisons, c)
		if slices.ContainsFunc(e.q.Compare[:i], func(o query.Compare) bool { return strings.EqualFold(o.Name, asked.Name) }) {
			e.addMustRejectCode("duplicate_output_name")
		}
		names = append(names, e.columnsOfComparison(c)...)
	}
	return names
}

// columnsOfComparison finds the columns that a comparison compares, and names those that it adds.
func (e *evaluator) columnsOfComparison(c *periodComparison) (names []string) {
	for _, name := range c.asked.Metrics {
		c.columns = append(c.columns, e.metricColumnIndexesNamed(name)...)
	}
	if len(c.asked.Metrics) == 0 {
		for i := range e.columns {
			c.columns = append(c.columns, i)
		}
	}
	for _, i := range c.columns {
		if m := e.columns[i].metric; e.isWindowed(m) && !areWindowsTimeOrdered(m) {
			e.addMustRejectCode("not_implemented")
		}
		for _, suffix := range []string{"__previous", "__change", "__change_ratio"} {
			if c.asked.Name != "" {
				suffix += "__" + c.asked.Name
			}
			names = append(names, e.columns[i].name+suffix)
		}
	}
	return names
}

// isComparedByBuckets reports whether the query compares ranges whose buckets meet.
func (e *evaluator) isComparedByBuckets() bool {
	return slices.ContainsFunc(e.comparisons, func(c *periodComparison) bool { return c.bucketGroup >= 0 })
}

// allowRejectionOfUnalignedRange permits to reject a range inside of a code of a compared axis before the other causes.
func (e *evaluator) allowRejectionOfUnalignedRange(s *timeRange) {
	for _, i := range e.compare.columns {
		for _, l := range measuresOfMetric(e.columns[i].metric, nil) {
			axis := e.timeAxisOf(l)
			if axis != nil && axis.Encoding != nil && !(beginsPeriodOfTimeCode(axis.Encoding, s.start) && beginsPeriodOfTimeCode(axis.Encoding, s.end)) {
				e.addMayRejectCode("grain_too_fine")
			}
		}
	}
}

// isWindowed reports whether a metric is, or is made of, a window.
func (e *evaluator) isWindowed(m *catalog.Metric) bool {
	return slices.ContainsFunc(measuresOfMetric(m, nil), func(l measureInMetric) bool { return l.window != nil })
}

// findPreviousRangesAndBuckets finds the previous range of each comparison, and the previous bucket of each current one.
func (e *evaluator) findPreviousRangesAndBuckets() {
	for _, c := range e.comparisons {
		e.compare = c
		e.findPreviousRangeAndBuckets()
	}
	e.compare = nil
}

// findPreviousRangeAndBuckets does so for the comparison that is computed.
func (e *evaluator) findPreviousRangeAndBuckets() {
	if len(e.q.TimeRanges) > 0 {
		e.addMustRejectCode("conflicting_keys")
		return
	}
	s := e.timeRanges[0]
	if e.q.TimeRange == nil || s.start == nil || s.end == nil {
		e.addMustRejectCode("time_range_required")
		return
	}
	if e.compare.asked.Align != "" {
		if !e.alignCompareToWeekdays(s) {
			return
		}
		e.compare.asked.Offset = e.weeksOfCompare(s)
	}
	previous := s
	var unit sqlexpr.Grain
	var period *catalog.Period
	switch c := e.compare.asked; {
	case c.Offset != nil:
		g, ok := sqlexpr.ParseGrain(c.Offset.Unit)
		if period = e.cat.Period(c.Offset.Unit); period != nil {
			break
		}
		if !ok {
			e.addMustRejectCode("bad_request")
			return
		}
		if unit = g; !e.shiftStartsInYearOneOrLater(s, g, c.Offset.Count) {
			e.addMustRejectCode("unsupported_filter")
			return
		}
		previous = e.clock.shiftRange(s, g, -int(c.Offset.Count))
	default:
		previous = timeRange{fieldTarget: s.fieldTarget, onAxis: s.onAxis}
		if !e.readBounds(&previous, *c.Range) {
			return
		}
	}
	if s.onAxis {
		e.allowRejectionOfUnalignedRange(&previous)
	} else {
		e.checkRange(previous.field, &previous)
	}
	e.compare.previousRanges = []timeRange{previous}
	if e.compare.bucketGroup = e.groupByIndexOfRangeField(s); e.compare.bucketGroup < 0 {
		if period != nil {
			e.addMustRejectCode("not_implemented")
			e.addMayRejectCode("time_grain_required")
		}
		e.checkComparedGroupsWithoutBucket(s, previous)
		return
	}
	if e.top != nil && e.top.dimension == e.compare.bucketGroup {
		e.addMustRejectCode("not_implemented")
		return
	}
	grain, of := e.groups[e.compare.bucketGroup].grain, e.groups[e.compare.bucketGroup].period
	if windowed := func(i int) bool { return e.isWindowed(e.columns[i].metric) }; (of != nil || period != nil) && e.comparesColumn(windowed) {
		e.addMayRejectCode("not_implemented") // windows do not move by a table of days
	}
	if c := e.compare.asked; c.Offset != nil && !canCountBucketsByUnit(grain, of, period) {
		e.addMustRejectCode("not_implemented")
		return
	} else if c.Offset != nil && period == nil && !isWholeNumberOfBuckets(grain, unit, int(c.Offset.Count)) {
		e.addMustRejectCode("not_implemented")
		return
	}
	f := e.fieldOrTimeAxisOfGroupBy(e.groups[e.compare.bucketGroup])
	e.compare.bucketOfGroups = e.attributesOfBucket(e.compare.bucketGroup, f)
	if e.clock.appliesToField(f) && grain.IsWithinDay() && !e.clock.haveRangesSameBucketOffset(grain, s, previous) {
		e.addMustRejectCode("not_implemented")
		return
	}
	e.compare.ofPeriods = of != nil
	e.compare.currentBuckets = e.bucketsInRange(s, f, grain, of)
	var earlier []Value
	if period == nil {
		earlier = e.bucketsInRange(previous, f, grain, of)
	} else {
		e.compare.previousRanges, e.compare.wholeBuckets = []timeRange{{}}, map[string]bool{}
	}
	if max(len(e.compare.currentBuckets), len(earlier)) > maxListedBuckets {
		abstain("more buckets to compare than the reference lists")
	}
	e.compare.previousBucket = map[string]Value{}
	for i, b := range e.compare.currentBuckets {
		if c := e.compare.asked; c.Offset != nil {
			p, exists := e.shiftBucket(b, of, unit, period, -int(c.Offset.Count))
			if e.fault == FaultShiftBeforeBucket && !exists && period == nil {
				moved := e.clock.shiftRange(timeRange{start: b, end: b}, unit, -int(c.Offset.Count))
				m, _ := toTimestamp(moved.start)
				p, exists = m.toDate(), true
			}
			if exists {
				e.compare.previousBucket[groupKey(b)] = p
			}
			if exists && period != nil {
				e.compare.wholeBuckets[groupKey(p)] = true
			}
		} else if i < len(earlier) {
			e.compare.previousBucket[groupKey(b)] = earlier[i]
		}
	}
}

// numberInQuery returns the number of the comparison; 0 in the range of the query.
func (c *periodComparison) numberInQuery() int {
	if c == nil {
		return 0
	}
	return c.number
}

// comparesColumn reports whether a comparison has such a column.
func (e *evaluator) comparesColumn(is func(i int) bool) bool {
	return slices.ContainsFunc(e.comparisons, func(c *periodComparison) bool { return slices.ContainsFunc(c.columns, is) })
}

// haveRangesSameBucketOffset reports whether buckets within a day begin whole buckets apart in all of some ranges.
func (c clock) haveRangesSameBucketOffset(g sqlexpr.Grain, ranges ...timeRange) bool {
	unit := Timestamp(secondsOfGrain(g)) * 1e6
	past := map[Timestamp]bool{}
	for _, s := range ranges {
		bounds := c.boundsForField(s, &catalog.Field{Type: sqlexpr.TypeTimestampTZ})
		start, _ := toTimestamp(bounds.start)
		end, _ := toTimestamp(bounds.end)
		const hour = 3600 * 1e6
		for at := start; at < end; at += hour {
			past[((c.secondsAheadOfUTC(at)%unit)+unit)%unit] = true
		}
		past[((c.secondsAheadOfUTC(end-1)%unit)+unit)%unit] = true
	}
	return len(past) == 1
}

// isInComparedBucket reports whether a row is one of the compared side: with a period as unit, the previous
// side is whole periods.
func (c *periodComparison) isInComparedBucket(dims []Value) bool {
	return c == nil || c.wholeBuckets == nil || c.wholeBuckets[groupKey(dims[c.bucketGroup])]
}

// shiftStartsInYearOneOrLater reports whether a range starts in the year 1 or later when it is moved back.
func (e *evaluator) shiftStartsInYearOneOrLater(s timeRange, g sqlexpr.Grain, count int64) bool {
	const most = 400_000_000_000 // more than the seconds of the calendar
	if count > most || g >= sqlexpr.GrainDay && count > most/86400 {
		return false
	}
	start, _ := toTimestamp(e.clock.shiftRange(s, g, -int(count)).start)
	return start.toDate().toTime().Year() >= 1
}

// currentBucketByPrevious maps each bucket of the earlier range to the one of the current range that meets it.
func (c *periodComparison) currentBucketByPrevious() map[string]Value {
	out := map[string]Value{}
	for _, b := range c.currentBuckets {
		if p, ok := c.previousBucket[groupKey(b)]; ok {
			out[groupKey(p)] = b
		}
	}
	return out
}

// groupBysOfRangeField lists the group-bys of the field of a range.
func (e *evaluator) groupBysOfRangeField(s timeRange) (found []int) {
	first := true
	for _, m := range e.metrics {
		for _, l := range measuresOfMetric(m, nil) {
			axis := e.timeAxisOf(l)
			var of []int
			for i, g := range e.groups {
				if e.isGroupByOfRange(g, s, axis) {
					of = append(of, i)
				}
			}
			if !first && !slices.Equal(found, of) {
				abstain("a range whose field only some metrics group")
			}
			found, first = of, false
		}
	}
	return found
}

// groupByIndexOfRangeField returns the group-by that buckets the field of a range; -1 when none does. It rejects
// a field that is grouped as it is stored, or twice.
func (e *evaluator) groupByIndexOfRangeField(s timeRange) int {
	found := e.groupsThatMakeBuckets(e.groupBysOfRangeField(s))
	raw := slices.ContainsFunc(found, func(i int) bool { return e.groups[i].grain == sqlexpr.GrainNone })
	switch {
	case raw:
		e.addMustRejectCode("time_grain_required")
	case len(found) > 1:
		e.addMustRejectCode("not_implemented")
	}
	if raw && len(found) > 1 {
		e.addMayRejectCode("not_implemented")
	}
	if len(found) != 1 || raw {
		return -1
	}
	return found[0]
}

// isGroupByOfRange reports whether a group-by groups the field of a range, for a measure with an axis.
func (e *evaluator) isGroupByOfRange(g groupByItem, s timeRange, axis *catalog.Field) bool {
	switch {
	case g.isOther, g.part != "":
		return false
	case s.onAxis:
		return g.groupsByAxis(axis)
	case g.onAxis:
		return axis != nil && s.equals(fieldTarget{field: axis})
	}
	if g.field == s.field && !g.equals(s.fieldTarget) {
		abstain("a range on a field that is grouped by another path")
	}
	return g.equals(s.fieldTarget)
}

// previousGroup returns the group with which a group is compared. ok is false when there is none.
func (c *periodComparison) previousGroup(e *evaluator, v totalsLevel, dims []Value) (previous []Value, ok bool) {
	if c.bucketGroup < 0 || !v.groupsBy(c.bucketGroup) {
		return dims, true
	}
	p, ok := c.previousBucket[groupKey(dims[c.bucketGroup])]
	return c.withBucket(e, v, dims, p), ok
}

// groupsOfEitherRange lists the groups of a level that either range has.
func (c *periodComparison) groupsOfEitherRange(e *evaluator, v totalsLevel, current, previous map[string][]Value) map[string][]Value {
	out := map[string][]Value{}
	for key, dims := range current {
		if c.bucketGroup >= 0 && v.groupsBy(c.bucketGroup) && dims[c.bucketGroup] == nil && !c.ofPeriods {
			abstain("a code in range that stands for no time, under a comparison")
		}
		out[key] = dims
	}
	for key, dims := range previous {
		if c.bucketGroup < 0 || !v.groupsBy(c.bucketGroup) {
			out[key] = dims
			continue
		}
		for _, b := range c.currentBuckets {
			if p, ok := c.previousBucket[groupKey(b)]; ok && groupKey(p) == groupKey(dims[c.bucketGroup]) {
				moved := c.withBucket(e, v, dims, b)
				out[groupKey(moved...)] = moved
			}
		}
	}
	return out
}

// comparisonColumnValues returns the three columns of a compared value.
func comparisonColumnValues(current, previous Value) []Value {
	for _, v := range []Value{current, previous} {
		if _, isNumber := v.(float64); v != nil && !isNumber {
			abstain("a comparison of %T", v)
		}
	}
	change := evalBinary(sqlexpr.OpSub, current, previous)
	return []Value{previous, change, divideOrNull(change, previous)}
}

// divideOrNull is NULL for NULL and for a zero divisor.
func divideOrNull(a, b Value) Value { return evalBinary(sqlexpr.OpDiv, a, b) }
