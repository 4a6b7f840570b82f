// Package grammars checks the SQL of engines that no test can reach with the parsers
// and analyzers that the makers of those engines publish. It has tests only.
//
//	make statements: bigquery.txtar ──────► statements ─┐
//	data.sql of the case or its fixture ──► tables ─────┴─► GoogleSQL's analyzer ──► resolved, or rejected at 4:7
//
// GoogleSQL is the front end of BigQuery. Its analyzer does more than parse: it looks
// up every table, column and function, and rejects what has no signature for the types
// that it is given. A statement that it resolves can still have another meaning than intended, and
// can still be too much for the engine; the tests here do not check results.
//
// Statements that must be rejected are asked too: an analyzer that takes everything would
// hold nothing.
//
// The module is not part of go.work: GoogleSQL comes as 390 MB of Go that was made
// from C++ by way of WebAssembly, which takes minutes and 6.5 GB to compile once. `make
// grammars` runs it; with a warm build cache it takes seconds.
package grammars
