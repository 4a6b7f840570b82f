// Package statements runs SQL statements on DuckDB and compares their rows with rows that are written by hand,
// with those of the queries of the corpus, and with those of the same text as plain SQL; and the errors of rejected
// statements with what their statement deserves.
//
//	testdata/*.txt ─┐
//	corpus ─────────┼─► statement ─► semsql ─► sqlemit ─► DuckDB ─► rows
//	plain SQL ──────┘
//
// SEMLAYER_TEST_LONG=1 asks each statement of the corpus for its rows and for its bytes, and runs the mutants.
package statements
