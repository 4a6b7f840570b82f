// Package compositions tests outer SQL on a real engine: a SELECT over finished queries must have the rows that
// DuckDB gives for the same SELECT over tables with the rows of those queries.
//
//	model ─► planner ─► parts ─┬─► tables in DuckDB ─► SELECT by hand ─► rows
//	                           └─► planner/compose ─► sqlemit ─► engine ─► rows
package compositions
