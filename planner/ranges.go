package planner

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// timeRange is a resolved half-open interval on a time dimension.
type timeRange struct {
	tag string
	timerange.Interval
	metricTime bool           // each measure's own axis
	field      *catalog.Field // with ref: the dimension otherwise
	ref        scope.Ref
}

// resolveRanges reads time_range and time_ranges and finds the dimension of each.
func (b *build) resolveRanges() error {
	if b.q.TimeRange != nil && b.tagged {
		return &planerr.Error{
			Code:     planerr.CodeUnsupportedFilter,
			Message:  "time_range and time_ranges exclude each other",
			Fragment: map[string]any{"time_range": nil},
		}
	}
	if r := b.q.TimeRange; r != nil {
		return b.addRange("time_range", "", *r)
	}
	for _, r := range b.q.TimeRanges {
		if !validTag(r.Tag) {
			return &planerr.Error{Code: planerr.CodeUnsupportedFilter, Message: "time_ranges tag " + quote(r.Tag) + " may hold only letters, digits and _"}
		}
		if err := b.addRange("time_ranges."+r.Tag, r.Tag, r.TimeRange); err != nil {
			return err
		}
	}
	return nil
}

func quote(s string) string { return `"` + s + `"` }

func validTag(tag string) bool {
	return tag != "" && strings.IndexFunc(tag, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

func (b *build) addRange(key, tag string, q query.TimeRange) error {
	interval, err := timerange.Parse(key, q)
	if err != nil {
		return err
	}
	r := timeRange{tag: tag, Interval: interval}
	if err := b.rangeDimension(&r, q.Dimension, key); err != nil {
		return err
	}
	b.ranges = append(b.ranges, r)
	return nil
}

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
		Code:       planerr.CodeTimeRangeNeedsDimension,
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
		return timerange.Unsupported(key + " names " + quote(dimension) + ", which is no field reference")
	}
	if r.ref, err = b.res.Resolve(parts); err != nil {
		return rangeName(err, dimension, b.timeNames())
	}
	return rangeable(r, b)
}

// rangeable refuses a dimension whose values are no instants.
func rangeable(r *timeRange, b *build) error {
	r.field = r.ref.Field
	if r.field.HasCalendar() {
		return b.checkAligned(*r, r.field)
	}
	return &planerr.Error{
		Code:       planerr.CodeUnsupportedFilter,
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
	e := &planerr.Error{Code: planerr.CodeNoPrimaryTimeDimension, Message: message, Candidates: b.timeNames()}
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

// checkAligned refuses a bound inside a stored period, which the column cannot
// subdivide; the retry widens the range to whole periods.
func (b *build) checkAligned(r timeRange, f *catalog.Field) error {
	whole := r.Aligned(f)
	if whole.Equal(r.Interval) {
		return nil
	}
	e := &planerr.Error{
		Code:           planerr.CodeGrainTooFine,
		Message:        f.Qualified() + " stores " + f.Encoding.Text + " codes, and a bound of the range lies inside the period of one code",
		SuggestedRetry: "use bounds on whole periods",
	}
	if b.q.TimeRange != nil {
		wider := query.TimeRange{Start: whole.Start.Text(), End: whole.End.Text(), Dimension: b.q.TimeRange.Dimension}
		e.Fragment = map[string]any{"time_range": wider}
		return e
	}
	all := query.TaggedRanges{}
	for _, t := range b.q.TimeRanges {
		if t.Tag == r.tag {
			t.Start, t.End = whole.Start.Text(), whole.End.Text()
		}
		all = append(all, t)
	}
	e.Fragment = map[string]any{"time_ranges": all}
	return e
}
