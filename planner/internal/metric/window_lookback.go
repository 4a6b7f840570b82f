package metric

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

// scanRange is how far around a time range a branch reads, so that windows over
// the shown buckets are right. With zero lookbacks it reads the range itself.
type scanRange struct {
	tag           int // the one tag that the branch serves; -1 for all
	back, forward lookback
	grain         sqlexpr.Grain // of the shown buckets
	group         int           // that carries them
}

// lookback is a distance before or after a time range: n periods of a grain, or everything. With
// reset, it goes back to the start of the period that the first bucket is in.
type lookback struct {
	all   bool
	reset bool
	n     int
	grain sqlexpr.Grain
}

// isExtended reports whether more is read than shown.
func (s scanRange) isExtended() bool { return s.back != lookback{} || s.forward != lookback{} }

// scanRangeOf returns the scan range of a measure reference. Plain measures read the range; a window
// reads beyond it where its family looks at neighbouring buckets.
func scanRangeOf(u *MeasureRef, groups []Group, ranges []timeRange) scanRange {
	s := scanRange{tag: -1}
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
	s.back, s.forward = w.lookbacks(grain)
	if s.isExtended() {
		s.grain, s.group = grain, w.axisGroup
	}
	return s
}

func (w *window) lookbacks(grain sqlexpr.Grain) (back, forward lookback) {
	s := w.spec
	switch {
	case s.Offset != nil && s.Offset.Forward:
		return lookback{}, lookback{n: w.n, grain: s.Offset.Grain}
	case s.Offset != nil:
		return lookback{n: w.n, grain: s.Offset.Grain}, lookback{}
	case s.Rolling != nil:
		return lookback{n: w.n - 1, grain: grain}.withoutZero(), lookback{}
	case s.Cumulative != nil:
		return resetLookback(s.Cumulative.Reset), lookback{}
	case s.Frame != nil:
		return w.frameLookbacks(grain)
	}
	return lookback{}, lookback{}
}

// frameLookbacks: a frame of so many rows may find them arbitrarily far away, one
// of so many calendar buckets may not.
func (w *window) frameLookbacks(grain sqlexpr.Grain) (back, forward lookback) {
	f := w.spec.Frame
	var e lookback
	switch {
	case f.PartitionScope || !w.spec.OrderedByTime():
		return lookback{}, lookback{}
	case f.Reset != sqlexpr.GrainNone:
		e = resetLookback(f.Reset)
	case f.Unbounded:
		return lookback{}, lookback{}
	case f.Range:
		e = lookback{n: w.n, grain: grain}.withoutZero()
	case w.n > 0:
		e = lookback{all: true}
	}
	if w.spec.EffectiveOrder().Desc {
		if e.reset {
			return lookback{}, lookback{reset: true, grain: e.grain}
		}
		return lookback{}, e
	}
	return e, lookback{}
}

func resetLookback(reset sqlexpr.Grain) lookback {
	if reset == sqlexpr.GrainNone {
		return lookback{}
	}
	return lookback{reset: true, grain: reset}
}

// withoutZero returns the lookback, or none for a distance of zero.
func (e lookback) withoutZero() lookback {
	if e.n == 0 {
		return lookback{}
	}
	return e
}

// scanStart is where reading starts, for buckets shown from a given one on.
func (e lookback) scanStart(shown, start timerange.Instant) timerange.Instant {
	switch {
	case e == lookback{}:
		return start
	case e.all:
		return timerange.Instant{}
	case e.reset:
		return timerange.At(timerange.Floor(shown.Time, e.grain))
	default:
		return timerange.BoundAt(timerange.Shift(timerange.Floor(shown.Time, e.grain), e.grain, -e.n))
	}
}

// scanEnd is where reading ends, for buckets shown up to a given one.
func (e lookback) scanEnd(shown, end timerange.Instant) timerange.Instant {
	switch {
	case e == lookback{}:
		return end
	case e.all:
		return timerange.Instant{}
	case e.reset:
		return timerange.BoundAt(timerange.Ceil(shown.Time, e.grain))
	default:
		return timerange.BoundAt(timerange.Shift(timerange.Ceil(shown.Time, e.grain), e.grain, e.n))
	}
}
