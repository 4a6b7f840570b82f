// Package errcodes is the list of every code that the program can answer with, in
// the order of the documentation, each with an example.
//
//	engine.Codes() ─┐
//	restapi.Codes() ┴─► All ─► docs/errors.md, semlayer explain-code
//	examples ───────┘
//
// The registries say when a code is raised; the examples show it. Those of
// models are pieces that Compose puts into Base, a small shop without a flaw;
// those of queries are asked of Base as it is. The test of this package runs
// each of them and holds that it raises its code, so that what a reader copies
// does what the page says. A code of executing or of the server depends on what
// surrounds the program, and is told in words.
package errcodes
