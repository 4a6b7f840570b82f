// Package expressions runs expressions of the language on real engines.
//
//	testdata/expressions.txt ──sqlexpr.Parse──► tree ──sqlemit.Emit──► SQL ──► DuckDB, PostgreSQL, MariaDB, MySQL
//	        expression ⇒ value, worked out by hand ◄───────── the same value on each
//
// The table defines the value of each expression; the dialects must make their engines
// return it. It settles the question "is that how this function works here?".
package expressions
