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
	switch {
	case queried.IsWithinDay():
		total := n * max(of.Seconds(), of.Days()*24*60*60)
		return total / queried.Seconds(), false, total > 0 && total%queried.Seconds() == 0
	case of.Days() > 0 && queried.Days() > 0:
		total := n * of.Days()
		return total / queried.Days(), false, total%queried.Days() == 0
	case of.Months() > 0 && queried.Months() > 0:
		total := n * of.Months()
		return total / queried.Months(), false, total%queried.Months() == 0
	case of.Months() > 0 && queried == sqlexpr.GrainDay:
		return n * of.Months(), true, true
	}
	return 0, false, false
}
