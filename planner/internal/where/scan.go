package where

import (
	"cmp"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

// Scan is what a branch reads of a time range: the range, or more of it than is shown, so that windows over the shown buckets
// are right.
type Scan struct {
	Tag int // the one tag that the branch serves; -1 for all
	// Compared has the bits of the tags that compare reads, where it does not read all.
	Compared uint8
	// Beyond: the branch reads buckets whole, and others beside those in range.
	Beyond bool
	// StartCut and EndCut: the range begins or ends within a bucket, or may do so.
	StartCut, EndCut bool
	// ShowsLaterBuckets: rows of other branches may show buckets after the one that the range cuts.
	ShowsLaterBuckets bool
	// EndsWithRange: no row after the end of the range is read.
	EndsWithRange bool
	Group         int // that carries the buckets
	Grain         sqlexpr.Grain
	bounds        *scanBounds // nil where no more than the range is read
}

// scanBounds are the interval that is read and the range of the buckets that are shown.
type scanBounds struct {
	read  timerange.Interval
	shown Range
}

// Range returns the range of the buckets that are shown, where more is read.
func (s Scan) Range() Range {
	if s.bounds == nil {
		return Range{}
	}
	return s.bounds.shown
}

// Interval returns what is read of the range's field where that is beyond the range.
func (s Scan) Interval() timerange.Interval {
	if s.bounds == nil {
		return timerange.Interval{}
	}
	return s.bounds.read
}

// RangesRead returns the ranges of a query that the branch reads.
func (s Scan) RangesRead(ranges []Range) []Range {
	if s.Tag >= 0 {
		return ranges[s.Tag : s.Tag+1]
	}
	if s.Compared == 0 {
		return ranges
	}
	var out []Range
	for _, tag := range s.TagsRead(len(ranges)) {
		out = append(out, ranges[tag])
	}
	return out
}

// TagIn returns the tag of the range that is a separate branch; "" for any other branch, and for a range without a tag.
func (s Scan) TagIn(ranges []Range) string {
	if s.Tag < 0 {
		return ""
	}
	return ranges[s.Tag].Tag
}

// TagsRead returns the tags of the ranges of compare that the branch reads, of so many.
func (s Scan) TagsRead(count int) []int {
	var out []int
	for tag := range count {
		if s.Compared>>tag&1 != 0 {
			out = append(out, tag)
		}
	}
	return out
}

// ShowsRowsInRange reports whether the shown buckets have rows in range alone.
func (s Scan) ShowsRowsInRange() bool { return !s.StartCut && (!s.EndCut || s.EndsWithRange) }

// CanShare reports whether one branch can read what two scans read.
func (s Scan) CanShare(o Scan) bool {
	return s.Tag == o.Tag && s.Compared == o.Compared && s.Beyond == o.Beyond && s.Group == o.Group && (s.EndsWithRange == o.EndsWithRange || !s.EndCut)
}

// ShowsSameBuckets reports whether two scans show the buckets of one range.
func (s Scan) ShowsSameBuckets(o Scan) bool {
	return s.Tag == o.Tag && s.Group == o.Group && s.Range().Interval.Equal(o.Range().Interval)
}

// Union returns a scan that reads what two scans read that can share a branch.
func (s Scan) Union(o Scan) Scan {
	if !s.Beyond {
		return o
	}
	a, b := s.Interval(), o.Interval()
	if !a.Start.IsSet() || b.Start.IsSet() && a.Start.Before(b.Start.Time) {
		b.Start = a.Start
	}
	if !a.End.IsSet() || b.End.IsSet() && a.End.After(b.End.Time) {
		b.End = a.End
	}
	o.bounds = &scanBounds{b, o.Range()}
	o.EndsWithRange = s.EndsWithRange && o.EndsWithRange
	return o
}

// IsOver reports whether the range chooses buckets of a time axis. Another range is a condition on the rows.
func (rng Range) IsOver(axis *catalog.Field) bool {
	return rng.OnAxis || rng.Ref.Field == axis && len(rng.Ref.Prefix) == 0
}

// RangeOfAxis returns the range that chooses the buckets of an axis, for a tag: the one that the query gives, with the conditions
// that are ranges of the axis; false where there is none. A tag below 0 is the one range.
func RangeOfAxis(in *scope.Env, ranges []Range, conds Conditions, axis *catalog.Field, tag int) (Range, bool) {
	r, found := Range{Ref: resolve.Ref{Field: axis}}, false
	if len(ranges) > 0 {
		given := ranges[max(tag, 0)]
		if r.Tag = given.Tag; given.IsOver(axis) {
			r, found = given, true
		}
	}
	for _, c := range conds.Input {
		if c.Range.IsOver(axis) {
			r.Interval, found = r.Interval.Intersect(c.Range.Interval, in.Times.Clock.ForField(axis)), true
		}
	}
	return r, found
}

// ScanOf returns what is read for a measure reference. A plain measure reads the range. The input of a window is read as far
// as the window reaches, in whole buckets; only the end of the range, which is "up to now", ends it too. axesDiffer is whether other
// measures run over other axes: then the rows that these add have any bucket of a group that is not the range's dimension.
func ScanOf(in *scope.Env, u *measure.Ref, groups []scope.Group, ranges []Range, conds Conditions, axesDiffer bool) Scan {
	s := Scan{Tag: -1}
	w := u.InputOf
	if w == nil {
		return s
	}
	if len(ranges) > 0 {
		s.Tag = u.Tag
	}
	r, ok := RangeOfAxis(in, ranges, conds, u.Axis, s.Tag)
	if w.Buckets < 0 || !w.ReadsBeyondRange() || !ok {
		return s
	}
	g, c := groups[w.Buckets], in.Times.Clock.ForField(u.Axis)
	before, after := w.ReadsBefore(g), w.ReadsAfter(g)
	asked := r.Interval.OnClock(c)
	beyond := Scan{Tag: s.Tag, Beyond: true, Group: w.Buckets, Grain: g.Grain, EndsWithRange: !after}
	read := asked
	switch {
	case !asked.Start.IsSet():
	case g.Period != nil: // whose first days only the warehouse has
		beyond.StartCut, read.Start = true, timerange.RangeBound{}
	default:
		shown := timerange.NewClampedBound(c.FloorTime(asked.Start.Time, g.Grain))
		if beyond.StartCut = !shown.Equal(asked.Start.Time); beyond.StartCut || before {
			read.Start = w.ScanStart(c, g, shown)
		}
	}
	switch {
	case !asked.End.IsSet():
	case g.Period != nil:
		if beyond.EndCut = true; after {
			read.End = timerange.RangeBound{}
		}
	case timerange.YearFitsLiteral(c.CeilTime(asked.End.Time, g.Grain)): // nothing is read beyond a last bucket that ends with the calendar
		shown := timerange.BucketEnd(c, asked.End, g.Grain)
		if beyond.EndCut = !shown.Equal(asked.End.Time); after {
			read.End = w.ScanEnd(c, g, shown)
		}
		if beyond.EndCut && w.SpansBackFromEnd(g.Grain) && read.Start.IsSet() {
			if start := r.Interval.End.SpanStart(c, w.Spec.Span().Grain, w.N); !start.IsSet() || start.Before(read.Start.Time) {
				read.Start = start
			}
		}
	}
	if axesDiffer { // what does not bound the buckets of all rows bounds no reading
		ofBuckets := intervalOfBuckets(in, g, ranges, conds, u.Axis, s.Tag).OnClock(c)
		if ofBuckets.Start != asked.Start {
			read.Start = timerange.RangeBound{}
		}
		if ofBuckets.End != asked.End {
			beyond.ShowsLaterBuckets = beyond.EndCut
			beyond.EndsWithRange, read.End = false, timerange.RangeBound{}
		}
	}
	if read == asked {
		return s
	}
	beyond.bounds = &scanBounds{read, r}
	return beyond
}

// intervalOfBuckets returns the bounds on the buckets of a group in all rows: those by its own dimension.
func intervalOfBuckets(in *scope.Env, g scope.Group, ranges []Range, conds Conditions, axis *catalog.Field, tag int) timerange.Interval {
	own := make([]Range, len(ranges))
	for i, r := range ranges {
		if own[i] = r; r.OnAxis != g.OnAxis {
			own[i] = Range{OnAxis: r.OnAxis, Ref: r.Ref}
		}
	}
	if g.OnAxis {
		conds = Conditions{}
	}
	r, _ := RangeOfAxis(in, own, conds, axis, tag)
	return r.Interval
}

// CutEnd returns the end of a range that cuts the last bucket of a window over a span; ok is false where no range does. From another bucket
// it is seen whole.
func CutEnd(in *scope.Env, u *measure.Ref, groups []scope.Group, ranges []Range, conds Conditions) (end timerange.RangeBound, ok bool) {
	w := u.InputOf
	if w == nil || w.MovedBy != nil || w.Buckets < 0 || groups[w.Buckets].Period != nil || !w.SpansBackFromEnd(groups[w.Buckets].Grain) {
		return end, false
	}
	return endWithinBucket(in, u, groups[w.Buckets], ranges, conds)
}

// ReadCutBuckets lets windows end with a range in the bucket that it cuts. Windows over spans read rows again there: their spans are not whole
// buckets then.
func ReadCutBuckets(in *scope.Env, groups []scope.Group, ranges []Range, conds Conditions, cols measure.Expansion) (measure.Expansion, error) {
	cols, err := cols.CopyRowsOfSpans(in, func(u *measure.Ref) bool {
		_, isCut := CutEnd(in, u, groups, ranges, conds)
		return isCut
	})
	if err != nil {
		return cols, err
	}
	var ends map[*measure.Window]timerange.RangeBound
	for _, u := range cols.MeasureRefs {
		w := cmp.Or(u.Window, u.InputOf)
		if w == nil || w.Buckets < 0 || !w.LooksAfter(groups[w.Buckets]) {
			continue
		}
		end, isCut := endWithinBucket(in, u, groups[w.Buckets], ranges, conds)
		if isCut && ends == nil {
			ends = map[*measure.Window]timerange.RangeBound{}
		}
		if isCut {
			ends[w] = end
		}
	}
	return cols.EndInCutBucket(ends), nil
}

// endWithinBucket returns the end of the range of a measure reference. isCut is whether it cuts a bucket of a group; it may cut one of the
// periods of a calendar, whose days only the warehouse has.
func endWithinBucket(in *scope.Env, u *measure.Ref, g scope.Group, ranges []Range, conds Conditions) (end timerange.RangeBound, isCut bool) {
	if u.Axis == nil {
		return end, false
	}
	r, ok := RangeOfAxis(in, ranges, conds, u.Axis, u.Tag)
	c := in.Times.Clock.ForField(u.Axis)
	asked := r.Interval.End.OnClock(c)
	if !ok || !asked.IsSet() {
		return end, false
	}
	return r.Interval.End, g.Period != nil || !timerange.BucketEnd(c, asked, g.Grain).Equal(asked.Time)
}
