package measure

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/timerange"
)

// ScanLookback is a distance before or after a time range: n periods of a grain, or everything. With
// reset, it goes back to the start of the period that the first bucket is in.
type ScanLookback struct {
	All   bool
	reset bool
	n     int
	grain sqlexpr.Grain
}

// ReadsBeyondRange reports whether the window reads buckets whole that a range cuts, and others beside those in range.
func (w *Window) ReadsBeyondRange() bool {
	return w.Spec.EffectivePopulation() == catalog.PopulationAll
}

// ScanStart returns the bound at which the window starts to read, for buckets of a group that are shown from a given one on: as far before it
// as the window reaches, and the offset that moves it.
func (w *Window) ScanStart(c clock.Clock, g scope.Group, shown timerange.RangeBound) timerange.RangeBound {
	if w.MovedBy != nil {
		shown = w.MovedBy.ScanStart(c, g, shown)
	}
	back, _ := w.lookbacksOverGroup(g)
	return back.ScanStart(c, shown)
}

// ScanEnd returns the bound at which the window ends to read, for buckets of a group that are shown up to a given one.
func (w *Window) ScanEnd(c clock.Clock, g scope.Group, shown timerange.RangeBound) timerange.RangeBound {
	if w.MovedBy != nil {
		shown = w.MovedBy.ScanEnd(c, g, shown)
	}
	_, forward := w.lookbacksOverGroup(g)
	return forward.ScanEnd(c, shown)
}

// ReadsAfter reports whether the window reads buckets of a group after the shown ones.
func (w *Window) ReadsAfter(g scope.Group) bool {
	if w.endsWithRange {
		return false
	}
	_, forward := w.lookbacksOverGroup(g)
	return !forward.isZero() || w.MovedBy != nil && w.MovedBy.ReadsAfter(g)
}

// ReadsBefore reports whether the window reads buckets of a group before the shown ones.
func (w *Window) ReadsBefore(g scope.Group) bool {
	back, _ := w.lookbacksOverGroup(g)
	return !back.isZero() || w.MovedBy != nil && w.MovedBy.ReadsBefore(g)
}

// lookbacksOverGroup returns how far the window reaches over the buckets of a group.
func (w *Window) lookbacksOverGroup(g scope.Group) (back, forward ScanLookback) {
	back, forward = w.lookbacks(g.Grain)
	if w.NeedsCalendarPeriods(g) {
		return back.unboundedForCalendarPeriods(), forward.unboundedForCalendarPeriods()
	}
	return back, forward
}

// lookbacks returns how far before and after a range the window reads.
func (w *Window) lookbacks(grain sqlexpr.Grain) (back, forward ScanLookback) {
	s := w.Spec
	switch {
	case s.Offset != nil:
		distance := ScanLookback{n: w.N, grain: s.Offset.Grain}
		if grain.IsWithinDay() {
			distance.n, _, _ = OffsetInBuckets(w.N, s.Offset.Grain, grain)
			distance.grain = grain
		}
		if s.Offset.Forward {
			return ScanLookback{}, distance
		}
		return distance, ScanLookback{}
	case s.Rolling != nil:
		return w.lookbackOfBuckets(grain), ScanLookback{}
	case s.Cumulative != nil:
		return newResetLookback(s.ResetUnit()), ScanLookback{}
	case s.Recompute != nil:
		if s.Recompute.Unbounded {
			return newResetLookback(s.ResetUnit()), ScanLookback{}
		}
		return w.lookbackOfBuckets(grain), ScanLookback{}
	case s.Frame != nil:
		return w.lookbacksOfFrame(grain)
	}
	return ScanLookback{All: true}, ScanLookback{All: true}
}

// lookbacksOfFrame: a frame of so many rows may find them arbitrarily far away, one of so many calendar buckets may not. One that
// is not ordered by time may find them anywhere.
func (w *Window) lookbacksOfFrame(grain sqlexpr.Grain) (back, forward ScanLookback) {
	f, all := w.Spec.Frame, ScanLookback{All: true}
	e := all
	switch {
	case f.PartitionScope || !w.Spec.OrderedByTime():
		return all, all
	case !w.Spec.ResetUnit().IsZero():
		if e = newResetLookback(w.Spec.ResetUnit()); e == newResetLookback(catalog.GrainOrPeriod{Grain: grain}) && grain != sqlexpr.GrainNone {
			e = ScanLookback{} // the frame ends with its bucket
		}
	case f.Unbounded:
	case f.Range:
		e = ScanLookback{n: w.N, grain: grain}.noneIfZero()
	case w.N == 0:
		e = ScanLookback{}
	}
	if w.Spec.EffectiveOrder().Desc {
		return ScanLookback{}, e
	}
	return e, ScanLookback{}
}

func newResetLookback(reset catalog.GrainOrPeriod) ScanLookback {
	if reset.IsZero() {
		return ScanLookback{All: true}
	}
	return ScanLookback{reset: true, grain: reset.Grain}
}

// unboundedForCalendarPeriods returns the lookback over periods of a calendar: only the warehouse has their days, so
// that it reads everything on its side.
func (e ScanLookback) unboundedForCalendarPeriods() ScanLookback {
	if e.isZero() {
		return e
	}
	return ScanLookback{All: true}
}

// noneIfZero returns the lookback, or none for a distance of zero.
func (e ScanLookback) noneIfZero() ScanLookback {
	if e.n == 0 {
		return ScanLookback{}
	}
	return e
}

// isZero reports whether nothing is read on that side.
func (e ScanLookback) isZero() bool { return e == ScanLookback{} }

// ScanStart returns the bound at which reading starts, for buckets shown from a given one on.
func (e ScanLookback) ScanStart(c clock.Clock, shown timerange.RangeBound) timerange.RangeBound {
	return e.scanBound(c, shown, c.FloorTime, -e.n)
}

// ScanEnd returns the bound at which reading ends, for buckets shown up to a given one.
func (e ScanLookback) ScanEnd(c clock.Clock, shown timerange.RangeBound) timerange.RangeBound {
	return e.scanBound(c, shown, c.CeilTime, e.n)
}

// scanBound returns the edge of the bucket of a bound, moved by some buckets.
func (e ScanLookback) scanBound(c clock.Clock, shown timerange.RangeBound, edge func(time.Time, sqlexpr.Grain) time.Time, buckets int) timerange.RangeBound {
	switch {
	case e.isZero() || !shown.IsSet():
		return shown
	case e.All:
		return timerange.RangeBound{}
	case e.reset:
		return timerange.NewClampedBound(edge(shown.Time, e.grain))
	default:
		return timerange.NewClampedBound(c.ShiftTime(edge(shown.Time, e.grain), e.grain, buckets))
	}
}
