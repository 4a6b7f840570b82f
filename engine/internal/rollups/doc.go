// Package rollups builds the tables of rollups, and records how each of them was built.
//
//	Rollup ─Definitions─► hash ─┐
//	base tables ─states─────────┼─► Build ─► table of the rollup, and a Record of it in the control table
//	Record of the last build ───┘
//
// A query sees the table as it was or as it is, never none.
package rollups
