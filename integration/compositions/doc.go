// Package compositions holds outer SQL to a real engine: a SELECT that is composed over finished queries has the
// rows that DuckDB gives for the same SELECT over tables that hold the rows of those queries.
//
//	model ─► planner ─► parts ─┬─► tables in DuckDB ─► SELECT by hand ─► rows
//	                           └─► planner/compose ─► sqlemit ─► engine ─► rows
package compositions
