package metric

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/timerange"
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
func spanOf(u *Use, groups []Group, ranges []timeRange) span {
	s := span{tag: -1}
	w := u.window
	if w == nil || len(ranges) == 0 {
		return s
	}
	r := ranges[0]
	if u.Tag >= 0 {
		s.tag = u.Tag
		r = ranges[u.Tag]
	}
	if w.axisGroup < 0 || !r.onAxis && (r.ref.Field != u.Axis || len(r.ref.Prefix) > 0) {
		return s
	}
	grain := groups[w.axisGroup].Grain
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
	case f.PartitionScope || !w.spec.OrderedByTime():
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
	if w.spec.EffectiveOrder().Desc {
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

// before is where reading starts, for buckets shown from a given one on.
func (e extent) before(shown, start timerange.Instant) timerange.Instant {
	switch {
	case e == extent{}:
		return start
	case e.all:
		return timerange.Instant{}
	case e.reset:
		return timerange.At(timerange.Floor(shown.Time, e.grain))
	default:
		return timerange.Nameable(timerange.Shift(timerange.Floor(shown.Time, e.grain), e.grain, -e.n))
	}
}

// after is where reading ends, for buckets shown up to a given one.
func (e extent) after(shown, end timerange.Instant) timerange.Instant {
	switch {
	case e == extent{}:
		return end
	case e.all:
		return timerange.Instant{}
	case e.reset:
		return timerange.Nameable(timerange.Ceil(shown.Time, e.grain))
	default:
		return timerange.Nameable(timerange.Shift(timerange.Ceil(shown.Time, e.grain), e.grain, e.n))
	}
}
