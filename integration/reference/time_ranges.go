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
	tag        string
	start, end Value // nil: open on that side
	target           // of the range's field
	onAxis     bool  // the field is each measure's own axis
}

func (s timeRange) isBounded() bool { return s.start != nil || s.end != nil }

// contains reports whether a timestamp is in the range.
func (s timeRange) contains(v Value) bool {
	if !s.isBounded() {
		return true
	}
	if v == nil {
		return false
	}
	return (s.start == nil || isTrue(binary(sqlexpr.OpGe, v, s.start))) && (s.end == nil || isTrue(binary(sqlexpr.OpLt, v, s.end)))
}

// includesField reports whether a stored value is in the range. Of a time code it is the
// code that is compared, whether it stands for a time or not.
func (s timeRange) includesField(f *catalog.Field, v Value) bool {
	if f.Encoding == nil {
		return s.contains(v)
	}
	coded := s
	for _, b := range []*Value{&coded.start, &coded.end} {
		if *b != nil {
			*b = encode(f.Encoding, *b)
		}
	}
	return coded.contains(v)
}

// overlapsBucket reports whether some timestamp of a bucket is in the range.
func (s timeRange) overlapsBucket(g sqlexpr.Grain, b Date) bool {
	after := addBuckets(g, b, 1)
	return (s.start == nil || isTrue(binary(sqlexpr.OpGt, after, s.start))) && (s.end == nil || isTrue(binary(sqlexpr.OpLt, b, s.end)))
}

var (
	tagName    = regexp.MustCompile(`^[A-Za-z0-9_]+$`)
	rangeBound = regexp.MustCompile(`^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$`)
)

func (e *evaluator) readRanges() {
	if e.q.TimeRange != nil && len(e.q.TimeRanges) > 0 {
		e.require("unsupported_filter")
	}
	for _, r := range e.q.TimeRanges {
		if !tagName.MatchString(r.Tag) {
			e.require("unsupported_filter")
		}
		e.readRange(r.Tag, r.TimeRange)
	}
	switch {
	case len(e.q.TimeRanges) > 0:
	case e.q.TimeRange != nil:
		e.readRange("", *e.q.TimeRange)
	default:
		e.spans = []timeRange{{}}
	}
}

func (e *evaluator) readRange(tag string, r query.TimeRange) {
	s := timeRange{tag: tag}
	e.spans = append(e.spans, s)
	for _, b := range []struct {
		text string
		to   *Value
	}{{r.Start, &s.start}, {r.End, &s.end}} {
		if b.text == "" {
			continue
		}
		v, err := ParseTime(b.text)
		if err != nil || !rangeBound.MatchString(b.text) {
			e.require("unsupported_filter")
			return
		}
		*b.to = v
	}
	if !s.isBounded() || s.start != nil && s.end != nil && !isTrue(binary(sqlexpr.OpLt, s.start, s.end)) {
		e.require("unsupported_filter")
		return
	}
	if e.readRangeField(&s, r.Dimension) {
		e.spans[len(e.spans)-1] = s
	}
}

// readRangeField finds the field of a range: the one it names, the grouped
// metric_time, or the only time dimension in scope.
func (e *evaluator) readRangeField(s *timeRange, dimension string) bool {
	switch {
	case dimension == "" && e.root != nil:
		return e.rangeOfRoot(s)
	case strings.EqualFold(dimension, metricTime) && e.root != nil:
		abstain("the metrics' axis where there are no metrics")
	case strings.EqualFold(dimension, metricTime):
		s.onAxis = true
		return true
	case dimension != "":
		t, ok := e.targetOf(pathOf(dimension))
		if s.target = t; !ok {
			return false
		}
		return e.checkRange(s.field, s)
	case slices.ContainsFunc(e.groups, func(g groupByItem) bool { return g.onAxis }):
		s.onAxis = true
		return true
	}
	var scope []target
	add := func(t target) {
		if !slices.ContainsFunc(scope, t.same) {
			scope = append(scope, t)
		}
	}
	for _, g := range e.groups {
		if g.field.IsTime {
			add(g.target)
		}
	}
	for _, m := range e.metrics {
		for _, l := range leavesOf(m, nil) {
			if axis := e.axisOf(l.chain, l.measure.Home); axis != nil {
				add(target{field: axis})
			}
		}
	}
	switch len(scope) {
	case 0:
		e.require("no_primary_time_dimension")
		return false
	case 1:
		s.target = scope[0]
		return e.checkRange(s.field, s)
	}
	e.require("time_range_needs_dimension")
	return false
}

// checkRange refuses a range on a field that takes none, or one whose bounds an
// encoded field cannot have.
func (e *evaluator) checkRange(f *catalog.Field, s *timeRange) bool {
	if !f.IsTime || f.Encoding == nil && !f.Type.IsInstant() {
		e.require("unsupported_filter")
		e.allow("unknown_dimension")
		return false
	}
	if f.Encoding == nil {
		return true
	}
	for _, b := range []Value{s.start, s.end} {
		if b != nil && !isAligned(f.Encoding, b) {
			e.require("grain_too_fine")
			return false
		}
	}
	return true
}

// isAligned reports whether a bound begins a period that an encoded field stores.
func isAligned(format *catalog.TimeFormat, b Value) bool {
	m, _ := timestampOf(b)
	if g := format.Grain; g != sqlexpr.GrainNone {
		return bucketStart(g, m.date()).stamp() == m
	}
	return int64(m)%int64(time.Second/time.Microsecond) == 0
}
