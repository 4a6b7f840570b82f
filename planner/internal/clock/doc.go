// Package clock is the calendar of a query: its buckets and the arithmetic of their bounds.
//
//	query's zone and first day of the week ──► Clock ──Floor, Ceil, Shift──► bounds of buckets
//	                                             └────BucketExpr──────────► expression of a bucket
//
// The zero Clock is UTC with weeks that begin on Monday.
package clock
