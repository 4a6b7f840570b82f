// Package levels resolves the levels at which a query is computed: all of its group-bys, the totals, and the levels that
// shares divide by.
//
//	totals, shares ─► names of columns ─► positions of group-bys ─► Levels
package levels
