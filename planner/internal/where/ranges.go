package where

import (
	"slices"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/naming"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// Range is a resolved half-open interval on a time dimension.
type Range struct {
	Interval timerange.Interval
	Tag      string
	OnAxis   bool        // each measure's own axis
	Ref      resolve.Ref // the dimension otherwise
	OfView   bool        // by default: it acts on the rows of branches that lead to its field, and not on others
}

// TextOfCompare describes a range of a query with compare.
func (rng Range) TextOfCompare() string {
	if rng.Tag == "" {
		return "current range"
	}
	return strings.Replace(strings.Replace(rng.Tag, "previous", "previous range", 1), "__", " ", 1)
}

// RangeTimeDimensionResolver is what decides which time dimension a range is over.
type RangeTimeDimensionResolver struct {
	In          *scope.Env
	Names       *resolve.Resolver
	Groups      []scope.Group
	MeasureRefs []*measure.Ref
}

// ResolveTimeRanges reads time_range and time_ranges and finds the dimension of each: one
// untagged range, or one per tag.
func ResolveTimeRanges(in *scope.Env, sel scope.Selection, groups []scope.Group, cols measure.Expansion) ([]Range, error) {
	if err := in.ContextError(); err != nil {
		return nil, err
	}
	if in.Keys.TimeRange != nil && len(in.Keys.TimeRanges) > 0 {
		return nil, &planerr.Error{
			Code:     planerr.CodeUnsupportedFilter,
			Message:  "time_range and time_ranges are mutually exclusive",
			Fragment: map[string]any{"time_range": nil},
		}
	}
	s := RangeTimeDimensionResolver{in, sel.Names, groups, cols.MeasureRefs}
	if r := in.Keys.TimeRange; r != nil {
		resolved, err := s.resolveRange("time_range", "", *r)
		if err != nil {
			return nil, err
		}
		out := []Range{resolved}
		for i := range in.Query.Compare {
			previous, err := s.previousRange(resolved, i)
			if err != nil {
				return nil, err
			}
			out = append(out, previous)
		}
		return out, nil
	}
	var out []Range
	for _, r := range in.Keys.TimeRanges {
		if !isValidRangeTag(r.Tag) {
			return nil, &planerr.Error{Code: planerr.CodeUnsupportedFilter, Message: "time_ranges tag " + naming.Quote(r.Tag) + " may hold only letters, digits and _"}
		}
		resolved, err := s.resolveRange("time_ranges."+r.Tag, r.Tag, r.TimeRange)
		if err != nil {
			return nil, err
		}
		out = append(out, resolved)
	}
	return out, nil
}

func isValidRangeTag(tag string) bool {
	return tag != "" && strings.IndexFunc(tag, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

func (d RangeTimeDimensionResolver) resolveRange(key, tag string, q query.TimeRange) (Range, error) {
	interval, err := d.In.Times.ReadInterval(key, q)
	if err != nil {
		return Range{}, err
	}
	ref, ofView := d.In.ViewRangeDimension()
	if !ofView {
		if ref, err = d.chooseRangeDimension(q.Dimension, key); err != nil {
			return Range{}, err
		}
	}
	r := Range{Interval: interval, Tag: tag, OnAxis: ref.Field == nil, Ref: ref, OfView: ofView}
	if r.OnAxis {
		return r, nil
	}
	return r, CheckTimeRangeFitsDimension(d.In, d.Names.Homes, interval, tag, ref)
}

// chooseRangeDimension decides which time dimension a range applies to; none, for each measure's
// own axis.
func (d RangeTimeDimensionResolver) chooseRangeDimension(name, key string) (resolve.Ref, error) {
	switch {
	case name == scope.MetricTime:
		return resolve.Ref{}, nil
	case name != "":
		return d.resolveNamedDimension(name, key)
	case scope.GroupsByMetricTime(d.Groups):
		return resolve.Ref{}, nil
	}
	inScope := d.groupedAndAxisDimensions()
	switch len(inScope) {
	case 0:
		return resolve.Ref{}, d.NoDimensionError("the query has no time dimension in scope for " + key)
	case 1:
		return inScope[0], nil
	}
	names := make([]string, 0, len(inScope))
	for _, ref := range inScope {
		names = append(names, ref.String())
	}
	e := &planerr.Error{
		Code:       planerr.CodeTimeRangeNeedsDimension,
		Message:    "several time dimensions are in scope for " + key + ": name one as its dimension",
		Candidates: names[:min(len(names), resolve.MaxCandidates)],
	}
	if d.In.Keys.TimeRange != nil {
		withDimension := *d.In.Keys.TimeRange
		if withDimension.Dimension = names[0]; !slices.ContainsFunc(d.MeasureRefs, func(u *measure.Ref) bool { return u.Axis == nil }) {
			withDimension.Dimension = scope.MetricTime
		}
		e.Fragment = map[string]any{"time_range": withDimension}
	}
	return resolve.Ref{}, e
}

func (d RangeTimeDimensionResolver) resolveNamedDimension(name, key string) (resolve.Ref, error) {
	parts, err := resolve.SplitPath(name)
	if err != nil {
		return resolve.Ref{}, timerange.InvalidRangeBoundsError(key + " names " + naming.Quote(name) + ", which is not a field reference")
	}
	ref, err := d.Names.Resolve(parts)
	if err != nil {
		return resolve.Ref{}, d.In.SuggestTimeDimensions(err, name, scope.TimeDimensionNames(d.In, d.dimensionHomes()))
	}
	return ref, nil
}

// dimensionHomes returns the datasets that lead to the dimension. A query with distinct has none before its
// root is chosen, and the dimension is one of the fields that choose it.
func (d RangeTimeDimensionResolver) dimensionHomes() []*catalog.Dataset {
	if d.In.Query.Distinct {
		return nil
	}
	return d.Names.Homes
}

// groupedAndAxisDimensions lists the grouped time fields together with the metrics' axes.
func (d RangeTimeDimensionResolver) groupedAndAxisDimensions() []resolve.Ref {
	var out []resolve.Ref
	add := func(ref resolve.Ref) {
		if !slices.ContainsFunc(out, ref.IsSame) {
			out = append(out, ref)
		}
	}
	for _, g := range d.Groups {
		if g.IsFieldNotExpression() && g.Ref.Field.IsTime {
			add(g.Ref)
		}
	}
	for _, u := range d.MeasureRefs {
		if u.Axis != nil {
			add(resolve.Ref{Field: u.Axis})
		}
	}
	return out
}

// NoDimensionError returns the error of a query without a time dimension to use.
func (d RangeTimeDimensionResolver) NoDimensionError(message string) *planerr.Error {
	e := &planerr.Error{
		Code: planerr.CodeNoPrimaryTimeDimension, Message: message, Candidates: scope.TimeDimensionNames(d.In, d.Names.Homes),
		SuggestedRetry: "declare time_dimension on the metric or its dataset",
	}
	if len(e.Candidates) == 0 {
		return e
	}
	e.SuggestedRetry = "use " + e.Candidates[0] + ", or declare time_dimension on the metric or its dataset"
	if d.In.Keys.TimeRange != nil && !scope.GroupsByMetricTime(d.Groups) {
		withDimension := *d.In.Keys.TimeRange
		withDimension.Dimension = e.Candidates[0]
		e.Fragment = map[string]any{"time_range": withDimension}
	}
	return e
}

// CheckTimeRangeFitsDimension rejects a dimension that takes no range, and a bound inside a period that
// it stores. Homes are those of the query, tag is the range's.
func CheckTimeRangeFitsDimension(in *scope.Env, homes []*catalog.Dataset, r timerange.Interval, tag string, dimension resolve.Ref) error {
	if dimension.Field.AllowsTimeGrains() {
		return checkRangeBoundsOnStoredPeriods(in, r, tag, dimension.Field)
	}
	e := &planerr.Error{
		Code:       planerr.CodeUnsupportedFilter,
		Message:    dimension.String() + " is not a time dimension that takes a range",
		Candidates: scope.TimeDimensionNames(in, homes),
	}
	if name := in.RangeDimension(tag); name != "" && len(e.Candidates) > 0 {
		e.Fragment = in.RenameRangeDimension(name, e.Candidates[0])
	}
	return e
}

// checkRangeBoundsOnStoredPeriods rejects a bound inside a stored period, which the column cannot
// subdivide; the retry widens the range to whole periods.
func checkRangeBoundsOnStoredPeriods(in *scope.Env, r timerange.Interval, tag string, f *catalog.Field) error {
	whole := r.WidenToStoredPeriods(f)
	if whole.Equal(r) {
		return nil
	}
	if i := comparisonOfTag(in.Query, tag); i >= 0 {
		return previousRangeCutsStoredPeriodError(in.Query, i, whole, f)
	}
	e := &planerr.Error{
		Code:           planerr.CodeGrainTooFine,
		Message:        f.QualifiedName() + " stores " + f.Encoding.Text + " codes, and a bound of the range lies inside the period of one code",
		SuggestedRetry: "use bounds on whole periods",
	}
	if in.Keys.TimeRange != nil {
		wider := query.TimeRange{Start: whole.Start.Text(), End: whole.End.Text(), Dimension: in.Keys.TimeRange.Dimension}
		e.Fragment = map[string]any{"time_range": wider}
		if in.Keys.AsOf != "" {
			e.Fragment["as_of"] = nil
		}
		return e
	}
	all := query.TaggedRanges{}
	for _, t := range in.Keys.TimeRanges {
		if t.Tag == tag {
			t.Start, t.End, t.Last = whole.Start.Text(), whole.End.Text(), nil
		}
		all = append(all, t)
	}
	e.Fragment = map[string]any{"time_ranges": all}
	if in.Keys.AsOf != "" && !slices.ContainsFunc(all, func(r query.TaggedRange) bool { return r.Last != nil }) {
		e.Fragment["as_of"] = nil
	}
	return e
}

// DescribeRelativeRanges describes the relative ranges of a query.
func DescribeRelativeRanges(in *scope.Env) ([]plan.ResolvedTimeRange, error) {
	if err := in.CheckAsOfZoneAndWeekStart(); err != nil {
		return nil, err
	}
	var out []plan.ResolvedTimeRange
	add := func(key, tag string, r query.TimeRange) error {
		if r.Last == nil {
			return nil
		}
		i, err := in.Times.ReadInterval(key, r)
		if err == nil {
			out = append(out, in.Times.NewResolvedTimeRange(tag, r.Dimension, i))
		}
		return err
	}
	if r := in.Keys.TimeRange; r != nil {
		if err := add("time_range", "", *r); err != nil {
			return nil, err
		}
	}
	for _, r := range in.Keys.TimeRanges {
		if err := add("time_ranges."+r.Tag, r.Tag, r.TimeRange); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// BucketsInRange returns the conditions that buckets of an axis by a plain grain, in a column, meet a range.
func (rng Range) BucketsInRange(in *scope.Env, grain sqlexpr.Grain, axis *catalog.Field, column sqlexpr.Expr) []sqlexpr.Expr {
	c := in.Times.Clock.ForField(axis)
	stored := func(start time.Time) time.Time {
		if grain.IsWithinDay() {
			return start
		}
		return c.LocalTimeOfInstant(start) // the columns of days are those of the clock
	}
	asked := rng.Interval.OnClock(c)
	var shown timerange.Interval
	if asked.Start.IsSet() {
		shown.Start = timerange.BoundAt(stored(c.FloorTime(asked.Start.Time, grain)))
	}
	if asked.End.IsSet() {
		shown.End = timerange.BucketEnd(c, asked.End, grain)
		shown.End.Time = stored(shown.End.Time)
	}
	return shown.WithinConditions(column, &catalog.Field{Type: axis.BucketType(grain)})
}
