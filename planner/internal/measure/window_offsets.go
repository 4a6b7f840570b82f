package measure

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// WindowFunction returns a window's function; an offset reads its one row by MAX.
func WindowFunction(w *catalog.Window) sqlexpr.Func {
	if w.Offset != nil {
		return sqlexpr.FnMax
	}
	return w.Function()
}

// IsDistanceFrame reports whether the frame counts calendar buckets or values rather
// than rows.
func IsDistanceFrame(s *catalog.Window) bool {
	return s.Offset != nil || s.Rolling != nil || s.Frame != nil && s.Frame.Range && !s.Frame.Unbounded && !s.Frame.PartitionScope
}

// BucketOrdinalStride returns the distance of the ordinals of neighbouring buckets: those of buckets within
// a day count seconds.
func BucketOrdinalStride(g sqlexpr.Grain) int { return max(1, g.Seconds()) }

// OffsetInBuckets returns an offset of n granularities in buckets of the queried grain. With
// day buckets, months have different lengths: then month is true and the
// stride counts months between equal days of the month. Over buckets within a day an offset is
// elapsed time: a day is 24 hours.
func OffsetInBuckets(n int, of, queried sqlexpr.Grain) (buckets int, month, ok bool) {
	months := map[sqlexpr.Grain]int{sqlexpr.GrainMonth: 1, sqlexpr.GrainQuarter: 3, sqlexpr.GrainYear: 12}
	days := map[sqlexpr.Grain]int{sqlexpr.GrainDay: 1, sqlexpr.GrainWeek: 7}
	switch {
	case queried.IsWithinDay():
		total := n * max(of.Seconds(), days[of]*24*60*60)
		return total / queried.Seconds(), false, total > 0 && total%queried.Seconds() == 0
	case days[of] > 0 && days[queried] > 0:
		total := n * days[of]
		return total / days[queried], false, total%days[queried] == 0
	case months[of] > 0 && months[queried] > 0:
		total := n * months[of]
		return total / months[queried], false, total%months[queried] == 0
	case months[of] > 0 && queried == sqlexpr.GrainDay:
		return n * months[of], true, true
	}
	return 0, false, false
}
