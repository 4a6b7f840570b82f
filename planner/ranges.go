package planner

import (
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// timeRange is a resolved half-open interval on a time dimension.
type timeRange struct {
	tag        string
	start, end instant        // zero when absent
	metricTime bool           // each measure's own axis
	field      *catalog.Field // with ref: the dimension otherwise
	ref        scope.Ref
}

// instant is a bound of a time range, in UTC.
type instant struct {
	time.Time
	clock bool // written with a time of day
	set   bool // the bound is there: the first day of year 1 is the zero time
}

// given reports whether the bound is there.
func (i instant) given() bool { return i.set }

func instantAt(t time.Time) instant { return instant{Time: t, set: true} }

// resolveRanges reads time_range and time_ranges and finds the dimension of each.
func (b *build) resolveRanges() error {
	if b.q.TimeRange != nil && b.tagged {
		return &planerr.Error{
			Code:     "unsupported_filter",
			Message:  "time_range and time_ranges exclude each other",
			Fragment: map[string]any{"time_range": nil},
		}
	}
	if r := b.q.TimeRange; r != nil {
		return b.addRange("time_range", "", *r)
	}
	for _, r := range b.q.TimeRanges {
		if !validTag(r.Tag) {
			return &planerr.Error{Code: "unsupported_filter", Message: "time_ranges tag " + quote(r.Tag) + " may hold only letters, digits and _"}
		}
		if err := b.addRange("time_ranges."+r.Tag, r.Tag, r.TimeRange); err != nil {
			return err
		}
	}
	return nil
}

func validTag(tag string) bool {
	return tag != "" && strings.IndexFunc(tag, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

func (b *build) addRange(key, tag string, q query.TimeRange) error {
	start, end, err := parseBounds(key, q)
	if err != nil {
		return err
	}
	r := timeRange{tag: tag, start: start, end: end}
	if err := b.rangeDimension(&r, q.Dimension, key); err != nil {
		return err
	}
	b.ranges = append(b.ranges, r)
	return nil
}

// parseBounds reads the bounds of [start, end).
func parseBounds(key string, q query.TimeRange) (start, end instant, err error) {
	if start, err = parseInstant(key+".start", q.Start); err != nil {
		return
	}
	if end, err = parseInstant(key+".end", q.End); err != nil {
		return
	}
	switch {
	case !start.given() && !end.given():
		err = unsupportedRange(key + " needs a start, an end, or both")
	case start.given() && end.given() && !start.Before(end.Time):
		err = unsupportedRange(key + " is empty: start " + q.Start + " is not before end " + q.End)
	}
	return
}

func unsupportedRange(message string) error {
	return &planerr.Error{
		Code: "unsupported_filter", Message: message,
		SuggestedRetry: "bounds are dates such as 2024-01-31 or timestamps such as 2024-01-31T12:00:00; start is included, end is not",
	}
}

func parseInstant(key, text string) (instant, error) {
	if text == "" {
		return instant{}, nil
	}
	if t, err := time.Parse(time.DateOnly, text); err == nil && t.Year() >= 1 {
		return instantAt(t), nil
	}
	if t, err := time.Parse("2006-01-02T15:04:05", text); err == nil && len(text) == 19 && t.Year() >= 1 {
		return instant{Time: t, set: true, clock: t.Hour()+t.Minute()+t.Second() > 0}, nil
	}
	return instant{}, unsupportedRange(key + " " + quote(text) + " is neither a date nor a timestamp")
}

func quote(s string) string { return `"` + s + `"` }

// rangeDimension decides which time dimension a range applies to.
func (b *build) rangeDimension(r *timeRange, dimension, key string) error {
	switch {
	case dimension == metricTime:
		r.metricTime = true
		return nil
	case dimension != "":
		return b.namedDimension(r, dimension, key)
	case b.groupsByMetricTime():
		r.metricTime = true
		return nil
	}
	inScope := b.timeScope()
	switch len(inScope) {
	case 0:
		return b.noTimeDimension("the query has no time dimension in scope for " + key)
	case 1:
		r.ref = inScope[0]
		return rangeable(r, b)
	}
	names := make([]string, 0, len(inScope))
	for _, s := range inScope {
		names = append(names, s.String())
	}
	e := &planerr.Error{
		Code:       "time_range_needs_dimension",
		Message:    "several time dimensions are in scope for " + key + ": name one as its dimension",
		Candidates: names[:min(len(names), scope.MaxCandidates)],
	}
	if b.q.TimeRange != nil {
		withDimension := *b.q.TimeRange
		if withDimension.Dimension = names[0]; b.everyUseHasAxis() {
			withDimension.Dimension = metricTime
		}
		e.Fragment = map[string]any{"time_range": withDimension}
	}
	return e
}

func (b *build) namedDimension(r *timeRange, dimension, key string) error {
	parts, err := scope.SplitPath(dimension)
	if err != nil {
		return unsupportedRange(key + " names " + quote(dimension) + ", which is no field reference")
	}
	if r.ref, err = b.res.Resolve(parts); err != nil {
		return rangeName(err, dimension, b.timeNames())
	}
	return rangeable(r, b)
}

// rangeable refuses a dimension whose values are no instants.
func rangeable(r *timeRange, b *build) error {
	r.field = r.ref.Field
	if hasCalendar(r.field) {
		return b.checkAligned(*r, r.field)
	}
	return &planerr.Error{
		Code:       "unsupported_filter",
		Message:    r.ref.String() + " is no time dimension that takes a range",
		Candidates: b.timeNames(),
	}
}

// timeScope lists the grouped time fields together with the metrics' axes.
func (b *build) timeScope() []scope.Ref {
	var out []scope.Ref
	add := func(ref scope.Ref) {
		if !slices.ContainsFunc(out, ref.Same) {
			out = append(out, ref)
		}
	}
	for _, g := range b.groups {
		if !g.metricTime && g.ref.Field.IsTime {
			add(g.ref)
		}
	}
	for _, u := range b.uses {
		if u.axis != nil {
			add(scope.Ref{Field: u.axis})
		}
	}
	return out
}

func (b *build) everyUseHasAxis() bool {
	return !slices.ContainsFunc(b.uses, func(u *use) bool { return u.axis == nil })
}

func (b *build) noTimeDimension(message string) *planerr.Error {
	e := &planerr.Error{Code: "no_primary_time_dimension", Message: message, Candidates: b.timeNames()}
	if len(e.Candidates) > 0 {
		e.SuggestedRetry = "use " + e.Candidates[0] + ", or declare time_dimension on the metric or its dataset"
		if b.q.TimeRange != nil && !b.groupsByMetricTime() {
			withDimension := *b.q.TimeRange
			withDimension.Dimension = e.Candidates[0]
			e.Fragment = map[string]any{"time_range": withDimension}
		}
	} else {
		e.SuggestedRetry = "declare time_dimension on the metric or its dataset"
	}
	return e
}

// within is the condition that x, the stored value of a field, lies in the
// range.
func (r timeRange) within(x sqlexpr.Expr, f *catalog.Field) []sqlexpr.Expr {
	var out []sqlexpr.Expr
	if r.start.given() {
		out = append(out, &sqlexpr.Binary{Op: sqlexpr.OpGe, L: x, R: bound(r.start, f)})
	}
	if r.end.given() {
		out = append(out, &sqlexpr.Binary{Op: sqlexpr.OpLt, L: x, R: bound(r.end, f)})
	}
	return out
}

// literal is the instant as a literal that compares well with a value of a
// type.
func (i instant) literal(t sqlexpr.Type) sqlexpr.Expr {
	switch {
	case t == sqlexpr.TypeTimestampTZ:
		return &sqlexpr.Typed{Type: sqlexpr.TypeTimestampTZ, Value: i.Format("2006-01-02 15:04:05+00:00")}
	case t == sqlexpr.TypeTimestamp || i.clock:
		return &sqlexpr.Typed{Type: sqlexpr.TypeTimestamp, Value: i.Format(time.DateTime)}
	default:
		return &sqlexpr.Typed{Type: sqlexpr.TypeDate, Value: i.Format(time.DateOnly)}
	}
}
