// Package window plans the branches of a query with their windows, and with the buckets that fill adds.
//
//	Branch ─► Grouped ─┬─► (filled buckets) ─► window columns ─► buckets in range ─► Planned
//	                   └─► of a window over an expression: the branches of its base, combined
//	Branch of a recomputed window ─► rows copied to the buckets that they reach ─► Grouped
//
// Plan is its only function. It reads the rules of windows in package measure and the rows of package grouping.
package window
