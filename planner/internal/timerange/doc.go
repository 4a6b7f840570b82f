// Package timerange reads the time ranges of a query and computes with them: half-open
// intervals, the calendar that buckets follow, and the codes in which some columns
// store time.
//
//	query.TimeRange ──Parse──► Interval ──Within──► conditions on a field's stored value
//	                              ▲
//	            Floor, Ceil, Shift, Aligned, Merge
//
// Everything here is arithmetic in UTC. Which dimension a range is over, and how a
// branch reads that dimension, is decided by the callers.
package timerange
