// Package clock computes the buckets of a query in its time zone, and their bounds.
//
//	query's zone and first day of the week ──► Clock ──Floor, Ceil, Shift──► bounds of buckets
//	                                             └────BucketExpr──────────► expression of a bucket
//
// The zero Clock is UTC with weeks that begin on Monday.
package clock
