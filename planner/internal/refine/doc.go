// Package refine plans what happens to the combined branches of a query: the arithmetic of its columns, levels, shares,
// conditions on the result, order, limit and offset, and the warnings about them.
//
//	Combined ─► Project ─► shares ─► Filter ─► Sort ─► Offset, Limit
package refine
