// Package compare resolves how the buckets of the earlier range of compare meet those of the current one.
//
//	ranges, groups ─► the group of buckets ─► BucketMove: so many units later
//	                                       └► PeriodMoves: a table of the periods of a calendar
package compare
