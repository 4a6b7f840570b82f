// Package limits holds the bounds on input that comes from outside: on the text
// of a model and on queries. Every package that enforces a bound takes its number
// from here, and All lists the bounds for GET /v1/capabilities and for the table
// in docs/operations.md.
//
// A new bound gets a constant, a line in All, a row in that table, and an input at
// its edge and one beyond in the tests of package engine, which fail without it.
package limits
