// Package outersql makes random SELECTs around finished results, and writes each of them twice: as a statement, in which
// the results are the SELECTs over a model that give them, and as plain SQL, in which they are tables that hold their
// rows.
//
//	tables ──► Make ─┬─► Statement.SQL ────► the service
//	                 └─► Statement.Plain ──► DuckDB over the tables
//
// A SELECT has derived tables, WITH, joins, conditions, groups, aggregates, HAVING, DISTINCT, windows, set operations,
// subqueries, orders and limits at every level. Its rows follow from the texts alone: a window that numbers rows has an
// order of all columns, and no value that depends on the order of additions is compared for equality.
package outersql
