package reference

import (
	"maps"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// gapFill is the time axis that is made dense.
type gapFill struct {
	bucketOfGroups
	buckets   []Value // that meet the range
	value     Value   // of a metric that is NULL on a filled row
	ofPeriods bool    // the buckets are periods of a calendar, which may lack days
}

// readGapFill finds the one grouped bucket and the buckets of its range.
func (e *evaluator) readGapFill() {
	q := e.q.Fill
	if q == nil {
		return
	}
	if len(e.q.TimeRanges) > 0 {
		e.addMustRejectCode("conflicting_keys")
		return
	}
	var grained []int
	for i, g := range e.groups {
		if g.grain != sqlexpr.GrainNone {
			grained = append(grained, i)
		}
	}
	s := e.rangeWithConditions(e.timeRanges[0])
	bounded := e.q.TimeRange != nil && s.start != nil && s.end != nil
	if !bounded {
		e.addMustRejectCode("time_range_required")
	}
	if grained = e.groupsThatMakeBuckets(grained); len(grained) > 1 && len(e.groupBysOfRangeField(s)) > 1 {
		e.addMustRejectCode("not_implemented") // grains of one axis of which neither divides into the other
		e.addMayRejectCode("time_grain_required")
	} else if len(grained) != 1 {
		e.addMustRejectCode("time_grain_required")
		if slices.ContainsFunc(grained, func(i int) bool { return e.groups[i].onAxis }) {
			e.addMayRejectCode("not_implemented") // metric_time is the field of the range for some metrics alone
		}
		ranged := e.groupBysOfRangeField(e.timeRanges[0])
		if slices.ContainsFunc(grained, func(i int) bool { return !slices.Contains(ranged, i) }) {
			e.addMayRejectCode("time_range_required") // the range is over another of them than the finest
		}
	}
	if !bounded || len(grained) != 1 {
		return
	}
	f := &gapFill{bucketOfGroups: bucketOfGroups{bucketGroup: grained[0]}}
	if !slices.Contains(e.groupBysOfRangeField(e.timeRanges[0]), f.bucketGroup) {
		e.addMustRejectCode("time_range_required")
		return
	}
	if e.top != nil && e.top.dimension == f.bucketGroup {
		e.addMustRejectCode("not_implemented")
		return
	}
	if q.Value != "" {
		f.value = parseNumberLiteral(q.Value)
		if slices.ContainsFunc(e.metrics, func(m *catalog.Metric) bool {
			return !e.isWindowed(m) && m.Type != sqlexpr.TypeUnknown && !m.Type.IsNumeric()
		}) {
			e.addMustRejectCode("bad_request") // a number in a column of texts, days or truth values
		}
	}
	g := e.groups[f.bucketGroup]
	f.bucketOfGroups = e.attributesOfBucket(f.bucketGroup, e.fieldOrTimeAxisOfGroupBy(g))
	f.ofPeriods = g.period != nil
	f.buckets = e.bucketsInRange(s, e.fieldOrTimeAxisOfGroupBy(g), g.grain, g.period)
	if g.onAxis {
		f.buckets = e.bucketsOfAxes(s, g)
	}
	if f.ofPeriods {
		if days := e.clock.bucketsInRange(s, e.fieldOrTimeAxisOfGroupBy(g), sqlexpr.GrainDay); len(days) > 10000 {
			e.addMustRejectCode("fill_too_large")
		}
		e.fill = f
		return
	}
	if len(f.buckets) > 0 && beginsBeforeFirstYear(f.buckets[0]) {
		e.addMustRejectCode("unsupported_filter")
	}
	alone := len(e.groups) == 1+len(f.attributes)
	if len(f.buckets) > 10000 || len(f.buckets) > 1000 && !alone && e.q.Limit == nil {
		e.addMustRejectCode("fill_too_large")
	}
	e.fill = f
}

// bucketsOfAxes lists the buckets of a range that some metric has on its axis, in their order: bounds within a day leave other days of an axis of days.
func (e *evaluator) bucketsOfAxes(s timeRange, g groupByItem) []Value {
	found := map[string]Value{}
	for _, m := range e.metrics {
		for _, use := range measuresOfMetric(m, nil) {
			if axis := e.timeAxisOf(use); axis != nil {
				for _, b := range e.bucketsInRange(s, axis, g.grain, g.period) {
					found[groupKey(b)] = b
				}
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), compareNullsLast)
}

// beginsBeforeFirstYear reports whether a bucket begins before the calendar, on the clock of UTC: no engine need show it.
func beginsBeforeFirstYear(bucket Value) bool {
	at, _ := toTimestamp(bucket)
	return at.toDate().toTime().Year() < 1
}

// allowRejectionOfFillValue allows a database to reject the number for filled rows in a metric of values that are not
// numbers and whose type the model does not declare.
func (e *evaluator) allowRejectionOfFillValue() {
	if e.fill == nil || e.fill.value == nil {
		return
	}
	for _, m := range e.metrics {
		if e.isWindowed(m) || m.Type != sqlexpr.TypeUnknown {
			continue
		}
		for _, use := range measuresOfMetric(m, nil) {
			if use.measure.Type == sqlexpr.TypeUnknown && !e.anyRowHasNumberToAggregate(use.measure) {
				e.addMayRejectCode("sql_rejected")
			}
		}
	}
}

// anyRowHasNumberToAggregate reports whether a row of the measure's dataset has a number to aggregate.
func (e *evaluator) anyRowHasNumberToAggregate(m *catalog.Measure) bool {
	return slices.ContainsFunc(e.rowsOfDataset(m.Home), func(r Row) bool {
		_, isNumber := e.newRowEvalContext(r).eval(m.Arg).(float64)
		return isNumber
	})
}

// fieldOrTimeAxisOfGroupBy returns the field that a group-by puts into buckets.
func (e *evaluator) fieldOrTimeAxisOfGroupBy(g groupByItem) *catalog.Field {
	if !g.onAxis {
		return g.field
	}
	l := measuresOfMetric(e.metrics[0], nil)[0]
	axis := e.timeAxisOf(l) // whose type all others have
	if axis == nil {
		abstain("buckets of a metric without an axis")
	}
	return axis
}

// filledGroups lists the groups of a level that no row has: the missing buckets of every
// combination of the other columns.
func (f *gapFill) filledGroups(e *evaluator, v totalsLevel, groups, read map[string][]Value) map[string][]Value {
	out := map[string][]Value{}
	if f == nil || !v.groupsBy(f.bucketGroup) {
		return out
	}
	combinations := map[string][]Value{}
	for _, dims := range groups {
		if dims[f.bucketGroup] == nil && !f.ofPeriods {
			abstain("a code in range that stands for no time, where buckets are filled")
		}
		other := f.withoutBucket(dims)
		combinations[groupKey(other...)] = other
	}
	maps.Copy(combinations, read)
	if len(e.groups) == 1+len(f.attributes) {
		nothing := make([]Value, len(e.groups))
		combinations[groupKey(nothing...)] = nothing
	}
	for _, other := range combinations {
		for _, b := range f.buckets {
			dims := f.withBucket(e, v, other, b)
			if _, there := groups[groupKey(dims...)]; !there {
				out[groupKey(dims...)] = dims
			}
		}
	}
	return out
}

// valueOnFilledRow returns a metric on a filled row.
func (f *gapFill) valueOnFilledRow(e *evaluator, c metricColumn, v Value) Value {
	if v == nil && !e.isWindowed(c.metric) {
		return f.value
	}
	return v
}
