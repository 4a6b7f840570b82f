// Package types reads a value of every kind from every engine, in JSON and in Arrow,
// and compares the values with one table.
//
// The table is also the one in docs/types.md: a test compares them row by row, so
// the page cannot be wrong. Each driver's conformance suite has the long
// list of the types of its database; here are the common ones.
package types
