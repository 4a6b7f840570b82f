package timerange

import (
	"time"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/clock"
)

// IntervalOfComparison returns the times whose unit, on the clock of UTC, compares with a constant: x >= at for OpGe. Units of GrainNone are
// the timestamps that a field may store. For OpNe it is the interval of the times that are equal. ok is false for another operator, and
// where no bound has a literal.
func IntervalOfComparison(unit sqlexpr.Grain, op sqlexpr.BinaryOp, at time.Time) (i Interval, ok bool) {
	first := floorToUnit(at, unit)
	next := nextUnit(first, unit)
	from := first // the first value that is not before the constant
	if !first.Equal(at) {
		from = next
	}
	switch op {
	case sqlexpr.OpGe:
		i.Start = boundAtUnit(from)
	case sqlexpr.OpGt:
		i.Start = boundAtUnit(next)
	case sqlexpr.OpLt:
		i.End = boundAtUnit(from)
	case sqlexpr.OpLe:
		i.End = boundAtUnit(next)
	case sqlexpr.OpEq, sqlexpr.OpNe:
		i = Interval{boundAtUnit(from), boundAtUnit(next)} // empty where no value of the unit is equal
	}
	return i, i.Start.IsSet() || i.End.IsSet()
}

// boundAtUnit returns the bound at an instant; no bound where a literal cannot name it.
func boundAtUnit(t time.Time) RangeBound {
	if !YearFitsLiteral(t) {
		return RangeBound{}
	}
	return BoundAtInstant(t)
}

func floorToUnit(t time.Time, unit sqlexpr.Grain) time.Time {
	if unit == sqlexpr.GrainNone {
		return t
	}
	return clock.Clock{}.FloorTime(t, unit)
}

// timestampStep is the distance between two timestamps that a field may store.
const timestampStep = time.Microsecond

func nextUnit(start time.Time, unit sqlexpr.Grain) time.Time {
	if unit == sqlexpr.GrainNone {
		return start.Add(timestampStep)
	}
	return clock.Clock{}.ShiftTime(start, unit, 1)
}
