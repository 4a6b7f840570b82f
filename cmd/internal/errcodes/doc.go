// Package errcodes lists every code that the program can return, in the order of the
// documentation, each with an example.
//
//	engine.Codes() ─┐
//	access.Codes() ─┤
//	restapi.Codes() ┴─► All ─► docs/errors.md, semlayer explain-code
//	examples ───────┘
//
// The registries define when a code is raised; the examples show it. Compose inserts the
// model examples into Base, a small valid model of a shop; the query examples run against
// BaseModelYAML itself; the policies of an example are judged against it. The test of this package runs each example and checks that it raises its
// code, so that an example copied from the page behaves as documented. The codes of the
// stages execute and server depend on the environment, so their examples are sentences.
package errcodes
