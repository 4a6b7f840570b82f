// Package expressions runs expressions of the language on real engines.
//
//	testdata/expressions.txt ──sqlexpr.Parse──► tree ──sqlemit.Emit──► SQL ──► DuckDB, PostgreSQL, MariaDB, MySQL
//	        expression ⇒ value, worked out by hand ◄───────── the same value on each
//
// The table says what an expression means; the dialects must make their engines
// mean it. It is the answer to "is that how this function works here?".
package expressions
