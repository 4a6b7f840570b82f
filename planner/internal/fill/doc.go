// Package fill resolves the key fill: which buckets a query has at least, and what replaces NULL in them.
//
//	group with a grain, range ─► first bucket, count ─► Fill
package fill
