// Package types asks every engine for a value of every kind, in JSON and in Arrow,
// and holds the answers against one table.
//
// The table is also the one in docs/types.md: a test compares them row by row, so
// the page cannot say what is not so. Each driver's conformance suite has the long
// list of its own types; here is what they have in common.
package types
