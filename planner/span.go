package planner

import (
	"strconv"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// span says how far around a time range a branch reads, so that windows over
// the shown buckets are right. The zero extents read the range itself.
type span struct {
	tag           int // the one tag that the branch serves; -1 for all
	back, forward extent
	grain         sqlexpr.Grain // of the shown buckets
	group         int           // that carries them
}

// extent is a distance on one side: n periods of a grain, or everything. With
// reset, it goes back to the start of the period that the first bucket is in.
type extent struct {
	all   bool
	reset bool
	n     int
	grain sqlexpr.Grain
}

// wide reports whether more is read than shown.
func (s span) wide() bool { return s.back != extent{} || s.forward != extent{} }

// spanOf decides the span of a use. Plain measures read the range; a window
// reads beyond it where its family looks at neighbouring buckets.
func (b *build) spanOf(u *use) span {
	s := span{tag: -1}
	w := u.window
	if w == nil || len(b.ranges) == 0 {
		return s
	}
	r := b.ranges[0]
	if b.tagged {
		s.tag = u.tag
		r = b.ranges[u.tag]
	}
	if w.axisGroup < 0 || !r.metricTime && (r.field != u.axis || len(r.ref.Prefix) > 0) {
		return s
	}
	grain := b.groups[w.axisGroup].grain
	s.back, s.forward = w.extents(grain)
	if s.wide() {
		s.grain, s.group = grain, w.axisGroup
	}
	return s
}

func (w *window) extents(grain sqlexpr.Grain) (back, forward extent) {
	s := w.spec
	switch {
	case s.Offset != nil && s.Offset.Forward:
		return extent{}, extent{n: w.n, grain: s.Offset.Grain}
	case s.Offset != nil:
		return extent{n: w.n, grain: s.Offset.Grain}, extent{}
	case s.Rolling != nil:
		return extent{n: w.n - 1, grain: grain}.used(), extent{}
	case s.Cumulative != nil:
		return resetExtent(s.Cumulative.Reset), extent{}
	case s.Frame != nil:
		return w.frameExtents(grain)
	}
	return extent{}, extent{}
}

// frameExtents: a frame of so many rows may find them arbitrarily far away, one
// of so many calendar buckets may not.
func (w *window) frameExtents(grain sqlexpr.Grain) (back, forward extent) {
	f := w.spec.Frame
	var e extent
	switch {
	case f.PartitionScope || !w.orderedByTime():
		return extent{}, extent{}
	case f.Reset != sqlexpr.GrainNone:
		e = resetExtent(f.Reset)
	case f.Unbounded:
		return extent{}, extent{}
	case f.Range:
		e = extent{n: w.n, grain: grain}.used()
	case w.n > 0:
		e = extent{all: true}
	}
	if w.order().Desc {
		if e.reset {
			return extent{}, extent{reset: true, grain: e.grain}
		}
		return extent{}, e
	}
	return e, extent{}
}

func resetExtent(reset sqlexpr.Grain) extent {
	if reset == sqlexpr.GrainNone {
		return extent{}
	}
	return extent{reset: true, grain: reset}
}

// used is the extent, or none for a distance of zero.
func (e extent) used() extent {
	if e.n == 0 {
		return extent{}
	}
	return e
}

// spanConds is the range as this branch reads it: the shown buckets' rows in
// range, and around them the whole rows of the buckets that windows look at.
func (p *branchPlan) spanConds(r timeRange) ([]sqlexpr.Expr, error) {
	s := p.br.span
	if !s.wide() {
		return p.rangeConds(r)
	}
	ref := p.br.rangeRef(r)
	x, err := p.bind(ref)
	if err != nil {
		return nil, err
	}
	outer := r
	var holes []sqlexpr.Expr
	if r.start.given() {
		shown := instantAt(floorTime(r.start.Time, s.grain))
		outer.start = s.back.before(shown, r.start)
		if s.back != (extent{}) && !shown.Equal(r.start.Time) {
			holes = append(holes, outsideOf(x, shown, r.start, ref.Field))
		}
	}
	// Nothing is read beyond a last bucket that ends with the calendar.
	if r.end.given() && inCalendar(ceilTime(r.end.Time, s.grain)) {
		shown := ceilInstant(r.end, s.grain)
		outer.end = s.forward.after(shown, r.end)
		if s.forward != (extent{}) && !shown.Equal(r.end.Time) {
			holes = append(holes, outsideOf(x, r.end, shown, ref.Field))
		}
	}
	return append(outer.within(x, ref.Field), holes...), nil
}

// outsideOf is the condition that x is not in [from, to).
func outsideOf(x sqlexpr.Expr, from, to instant, f *catalog.Field) sqlexpr.Expr {
	return &sqlexpr.Binary{
		Op: sqlexpr.OpOr,
		L:  &sqlexpr.Binary{Op: sqlexpr.OpLt, L: x, R: bound(from, f)},
		R:  &sqlexpr.Binary{Op: sqlexpr.OpGe, L: x, R: bound(to, f)},
	}
}

// before is where reading starts, for buckets shown from a given one on.
func (e extent) before(shown, start instant) instant {
	switch {
	case e == extent{}:
		return start
	case e.all:
		return instant{}
	case e.reset:
		return instantAt(floorTime(shown.Time, e.grain))
	default:
		return nameable(shift(floorTime(shown.Time, e.grain), e.grain, -e.n))
	}
}

// after is where reading ends, for buckets shown up to a given one.
func (e extent) after(shown, end instant) instant {
	switch {
	case e == extent{}:
		return end
	case e.all:
		return instant{}
	case e.reset:
		return nameable(ceilTime(shown.Time, e.grain))
	default:
		return nameable(shift(ceilTime(shown.Time, e.grain), e.grain, e.n))
	}
}

// hidden are the conditions that keep only the buckets in range, over the
// window's schema.
func (p *branchPlan) hidden() []sqlexpr.Expr {
	s := p.br.span
	if !s.wide() {
		return nil
	}
	r := p.ranges[max(s.tag, 0)]
	shown := timeRange{}
	if r.start.given() {
		shown.start = instantAt(floorTime(r.start.Time, s.grain))
	}
	if r.end.given() {
		shown.end = ceilInstant(r.end, s.grain)
	}
	return shown.within(&sqlexpr.Ref{ID: s.group}, &catalog.Field{Type: sqlexpr.TypeDate})
}

// nameable is a moment; the first day where it is before the year 1, and no bound at
// all where it is past the year 9999, whose last day is a day like others.
func nameable(t time.Time) instant {
	switch {
	case inCalendar(t):
		return instantAt(t)
	case t.Year() < 1:
		return instantAt(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC))
	}
	return instant{}
}

// ceilInstant is the end of the bucket that a bound is in. The bound itself is
// as good where that end is past the year 9999: no bucket begins in between.
func ceilInstant(i instant, g sqlexpr.Grain) instant {
	if t := ceilTime(i.Time, g); inCalendar(t) {
		return instantAt(t)
	}
	return i
}

// floorTime is the first moment of the bucket that t is in.
func floorTime(t time.Time, g sqlexpr.Grain) time.Time {
	y, m, d := t.Date()
	switch g {
	case sqlexpr.GrainWeek:
		d -= (int(t.Weekday()) + 6) % 7
	case sqlexpr.GrainMonth:
		d = 1
	case sqlexpr.GrainQuarter:
		m, d = m-(m-1)%3, 1
	case sqlexpr.GrainYear:
		m, d = 1, 1
	}
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// ceilTime is the first moment at or after t that starts a bucket.
func ceilTime(t time.Time, g sqlexpr.Grain) time.Time {
	if f := floorTime(t, g); !f.Equal(t) {
		return shift(f, g, 1)
	}
	return t
}

// shift moves the start of a bucket by n buckets.
func shift(t time.Time, g sqlexpr.Grain, n int) time.Time {
	switch g {
	case sqlexpr.GrainWeek:
		return t.AddDate(0, 0, 7*n)
	case sqlexpr.GrainMonth:
		return t.AddDate(0, n, 0)
	case sqlexpr.GrainQuarter:
		return t.AddDate(0, 3*n, 0)
	case sqlexpr.GrainYear:
		return t.AddDate(n, 0, 0)
	default:
		return t.AddDate(0, 0, n)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
