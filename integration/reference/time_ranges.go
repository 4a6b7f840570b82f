package reference

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// timeRange is a half-open time range on a field; without bounds it is everything.
type timeRange struct {
	tag         string
	start, end  Value // nil: open on that side
	fieldTarget       // of the range's field
	onAxis      bool  // the field is each measure's own axis
	ofView      bool  // that its view has by default
	// The bounds as instants; nil where the wall clock determines them.
	startAt, endAt *Timestamp
}

func (s timeRange) hasStartOrEnd() bool { return s.start != nil || s.end != nil }

// containsTimestamp reports whether a timestamp is in the range.
func (s timeRange) containsTimestamp(v Value) bool {
	if !s.hasStartOrEnd() {
		return true
	}
	if v == nil {
		return false
	}
	return (s.start == nil || isTrue(evalBinary(sqlexpr.OpGe, v, s.start))) && (s.end == nil || isTrue(evalBinary(sqlexpr.OpLt, v, s.end)))
}

// isInRange reports whether a stored value is in a range. A time code is compared
// as a code, whether it stands for a time or not.
func (e *evaluator) isInRange(s timeRange, f *catalog.Field, v Value) bool {
	s = e.clock.boundsForField(s, f)
	if f.Encoding == nil {
		return s.containsTimestamp(v)
	}
	coded := s
	for _, b := range []*Value{&coded.start, &coded.end} {
		if *b != nil {
			*b = encodeTimeCode(f.Encoding, *b)
		}
	}
	return coded.containsTimestamp(v)
}

// bucketOverlapsRange reports whether some timestamp of a field's bucket is in a range.
func (c clock) bucketOverlapsRange(s timeRange, f *catalog.Field, g sqlexpr.Grain, b Value) bool {
	s = c.boundsForField(s, f)
	after := c.addBuckets(g, b, 1)
	if c.appliesToField(f) {
		b, after = c.startInstantOfBucket(b), c.startInstantOfBucket(after)
	}
	return (s.start == nil || isTrue(evalBinary(sqlexpr.OpGt, after, s.start))) && (s.end == nil || isTrue(evalBinary(sqlexpr.OpLt, b, s.end)))
}

var (
	rangeTagPattern   = regexp.MustCompile(`^[A-Za-z0-9_]+$`)
	rangeBoundPattern = regexp.MustCompile(`^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$`)
)

func (e *evaluator) readRanges() {
	if e.q.TimeRange != nil && len(e.q.TimeRanges) > 0 {
		e.addMustRejectCode("unsupported_filter")
	}
	for _, r := range e.q.TimeRanges {
		if !rangeTagPattern.MatchString(r.Tag) {
			e.addMustRejectCode("unsupported_filter")
		}
		e.readRange(r.Tag, r.TimeRange)
	}
	e.readViewRange()
	switch {
	case len(e.q.TimeRanges) > 0, len(e.timeRanges) > 0:
	case e.q.TimeRange != nil:
		e.readRange("", *e.q.TimeRange)
	default:
		e.timeRanges = []timeRange{{}}
	}
}

func (e *evaluator) readRange(tag string, r query.TimeRange) {
	s := timeRange{tag: tag}
	e.timeRanges = append(e.timeRanges, s)
	if e.readRangeBoundsOrPeriod(&s, r) && e.resolveFieldOfRange(&s, r.Dimension) {
		e.timeRanges[len(e.timeRanges)-1] = s
	}
}

// readRangeBoundsOrPeriod reads the bounds of a range, or the units before a time.
func (e *evaluator) readRangeBoundsOrPeriod(s *timeRange, r query.TimeRange) bool {
	switch {
	case r.Last == nil:
		return e.readBounds(s, r)
	case r.Start != "" || r.End != "":
		e.addMustRejectCode("conflicting_keys")
		return false
	}
	return e.readRelativeRange(s, *r.Last)
}

// readBounds reads the bounds of a range.
func (e *evaluator) readBounds(s *timeRange, r query.TimeRange) bool {
	for _, b := range []struct {
		text string
		to   *Value
	}{{r.Start, &s.start}, {r.End, &s.end}} {
		if b.text == "" {
			continue
		}
		v, err := ParseTime(b.text)
		if err != nil || !rangeBoundPattern.MatchString(b.text) {
			e.addMustRejectCode("unsupported_filter")
			return false
		}
		*b.to = v
	}
	if !s.hasStartOrEnd() || s.start != nil && s.end != nil && !isTrue(evalBinary(sqlexpr.OpLt, s.start, s.end)) {
		e.addMustRejectCode("unsupported_filter")
		return false
	}
	return true
}

// resolveFieldOfRange finds the field of a range: the one it names, the grouped
// metric_time, or the only time dimension in scope.
func (e *evaluator) resolveFieldOfRange(s *timeRange, dimension string) bool {
	switch {
	case dimension == "" && e.root != nil:
		return e.resolveDefaultRangeField(s)
	case strings.EqualFold(dimension, metricTime) && e.root != nil:
		abstain("the metrics' axis where there are no metrics")
	case strings.EqualFold(dimension, metricTime):
		s.onAxis = true
		return true
	case dimension != "":
		t, ok := e.resolveTarget(splitReference(dimension))
		if s.fieldTarget = t; !ok {
			return false
		}
		return e.checkRange(s.field, s)
	case slices.ContainsFunc(e.groups, func(g groupByItem) bool { return g.onAxis }):
		s.onAxis = true
		return true
	}
	var scope []fieldTarget
	add := func(t fieldTarget) {
		if !slices.ContainsFunc(scope, t.equals) {
			scope = append(scope, t)
		}
	}
	for _, g := range e.groups {
		if g.field != nil && g.field.IsTime {
			add(g.fieldTarget)
		}
	}
	for _, m := range e.metrics {
		for _, l := range measuresOfMetric(m, nil) {
			if axis := e.timeAxisOf(l); axis != nil {
				add(fieldTarget{field: axis, inView: true})
			}
		}
	}
	switch len(scope) {
	case 0:
		e.addMustRejectCode("no_primary_time_dimension")
		return false
	case 1:
		s.fieldTarget = scope[0]
		return e.checkRange(s.field, s)
	}
	e.addMustRejectCode("time_range_needs_dimension")
	return false
}

// checkRange rejects a range on a field that takes none, or one whose bounds an
// encoded field cannot have.
func (e *evaluator) checkRange(f *catalog.Field, s *timeRange) bool {
	if !f.IsTime || f.Encoding == nil && !f.Type.IsDateOrTimestamp() {
		e.addMustRejectCode("unsupported_filter")
		e.addMayRejectCode("unknown_dimension")
		return false
	}
	if f.Encoding == nil {
		return true
	}
	for _, b := range []Value{s.start, s.end} {
		if b != nil && !beginsPeriodOfTimeCode(f.Encoding, b) {
			e.addMustRejectCode("grain_too_fine")
			return false
		}
	}
	return true
}

// beginsPeriodOfTimeCode reports whether a bound begins a period that an encoded field stores.
func beginsPeriodOfTimeCode(format *catalog.TimeFormat, b Value) bool {
	m, _ := toTimestamp(b)
	if g := format.Grain; g != sqlexpr.GrainNone && secondsOfGrain(g) == 0 {
		return bucketStart(g, m.toDate()).toTimestamp() == m
	}
	stored := time.Second
	has := func(token string) bool {
		return slices.ContainsFunc(format.Layout, func(p catalog.TimeLayoutPart) bool { return p.Token == token })
	}
	switch {
	case format.Epoch != "", has("ss"):
	case has("mm"):
		stored = time.Minute
	case has("HH"):
		stored = time.Hour
	}
	return int64(m)%int64(stored/time.Microsecond) == 0
}
