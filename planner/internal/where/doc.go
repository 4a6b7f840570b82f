// Package where resolves the conditions and the time ranges of a query, and decides where each conjunct applies: to input
// rows, or to rows of the result.
//
//	where_sql, context_filter ─► conjuncts ─► fields and result columns ─► Conditions
//	time_range, time_ranges, compare ─► intervals and their dimensions ─► []Range
//	measure reference, ranges ─► Scan: what the ranges mean for the branch that reads it
package where
