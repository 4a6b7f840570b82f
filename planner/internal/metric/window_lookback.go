package metric

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

// scanRange is how far around a time range a branch reads, so that windows over
// the shown buckets are right. With zero lookbacks it reads the range itself.
type scanRange struct {
	tag           int // the one tag that the branch serves; -1 for all
	back, forward scanLookback
	grain         sqlexpr.Grain // of the shown buckets
	group         int           // that carries them
}

// scanLookback is a distance before or after a time range: n periods of a grain, or everything. With
// reset, it goes back to the start of the period that the first bucket is in.
type scanLookback struct {
	all   bool
	reset bool
	n     int
	grain sqlexpr.Grain
}

// readsBeyondRange reports whether more is read than shown.
func (s scanRange) readsBeyondRange() bool {
	return s.back != scanLookback{} || s.forward != scanLookback{}
}

// scanRangeOf returns the scan range of a measure reference. Plain measures read the range; a window
// reads beyond it where its family looks at neighbouring buckets.
func scanRangeOf(u *MeasureRef, groups []scope.Group, ranges []timeRange) scanRange {
	s := scanRange{tag: -1}
	w := u.window
	if u.inputOf != nil {
		w = u.inputOf
	}
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
	if w.needsCalendarPeriods(groups[w.axisGroup]) {
		s.back, s.forward = s.back.unboundedForCalendarPeriods(), s.forward.unboundedForCalendarPeriods()
	}
	if s.readsBeyondRange() {
		s.grain, s.group = grain, w.axisGroup
	}
	return s
}

func (w *metricWindow) lookbacks(grain sqlexpr.Grain) (back, forward scanLookback) {
	s := w.spec
	switch {
	case s.Offset != nil:
		distance := scanLookback{n: w.n, grain: s.Offset.Grain}
		if grain.IsWithinDay() {
			distance.n, _, _ = offsetInBuckets(w.n, s.Offset.Grain, grain)
			distance.grain = grain
		}
		if s.Offset.Forward {
			return scanLookback{}, distance
		}
		return distance, scanLookback{}
	case s.Rolling != nil:
		return scanLookback{n: w.n - 1, grain: grain}.noneIfZero(), scanLookback{}
	case s.Cumulative != nil:
		return newResetLookback(s.ResetUnit()), scanLookback{}
	case s.Recompute != nil:
		return w.recomputeLookback(grain), scanLookback{}
	case s.Frame != nil:
		return w.lookbacksOfFrame(grain)
	}
	return scanLookback{}, scanLookback{}
}

// lookbacksOfFrame: a frame of so many rows may find them arbitrarily far away, one
// of so many calendar buckets may not.
func (w *metricWindow) lookbacksOfFrame(grain sqlexpr.Grain) (back, forward scanLookback) {
	f := w.spec.Frame
	var e scanLookback
	switch {
	case f.PartitionScope || !w.spec.OrderedByTime():
		return scanLookback{}, scanLookback{}
	case !w.spec.ResetUnit().IsZero():
		e = newResetLookback(w.spec.ResetUnit())
	case f.Unbounded:
		return scanLookback{}, scanLookback{}
	case f.Range:
		e = scanLookback{n: w.n, grain: grain}.noneIfZero()
	case w.n > 0:
		e = scanLookback{all: true}
	}
	if w.spec.EffectiveOrder().Desc {
		if e.reset {
			return scanLookback{}, scanLookback{reset: true, grain: e.grain}
		}
		return scanLookback{}, e
	}
	return e, scanLookback{}
}

func newResetLookback(reset catalog.GrainOrPeriod) scanLookback {
	if reset.IsZero() {
		return scanLookback{}
	}
	return scanLookback{reset: true, grain: reset.Grain}
}

// unboundedForCalendarPeriods returns the lookback over periods of a calendar: only the warehouse has their days, so
// that it reads everything on its side.
func (e scanLookback) unboundedForCalendarPeriods() scanLookback {
	if e == (scanLookback{}) {
		return e
	}
	return scanLookback{all: true}
}

// noneIfZero returns the lookback, or none for a distance of zero.
func (e scanLookback) noneIfZero() scanLookback {
	if e.n == 0 {
		return scanLookback{}
	}
	return e
}

// scanStart returns the bound at which reading starts, for buckets shown from a given one on.
func (e scanLookback) scanStart(c clock.Clock, shown, start timerange.RangeBound) timerange.RangeBound {
	switch {
	case e == scanLookback{}:
		return start
	case e.all:
		return timerange.RangeBound{}
	case e.reset:
		return timerange.NewClampedBound(c.FloorTime(shown.Time, e.grain))
	default:
		return timerange.NewClampedBound(c.ShiftTime(c.FloorTime(shown.Time, e.grain), e.grain, -e.n))
	}
}

// scanEnd returns the bound at which reading ends, for buckets shown up to a given one.
func (e scanLookback) scanEnd(c clock.Clock, shown, end timerange.RangeBound) timerange.RangeBound {
	switch {
	case e == scanLookback{}:
		return end
	case e.all:
		return timerange.RangeBound{}
	case e.reset:
		return timerange.NewClampedBound(c.CeilTime(shown.Time, e.grain))
	default:
		return timerange.NewClampedBound(c.ShiftTime(c.CeilTime(shown.Time, e.grain), e.grain, e.n))
	}
}
