// Package semsql maps SQL statements to queries of a model.
//
//	statement ──parse──► tree ──resolve──► meanings ──selection──► query ──► plan
//
// A statement over the relations of a model becomes a metric query or a detail query of the planner,
// with plan nodes above it for what SQL writes around them. Its rows are those of the query. What has
// no such meaning is rejected with an Error: a code, a SQLSTATE, a position and, wherever one exists, a
// statement that works.
//
// The package reads no warehouse and has no wire. Nothing of a statement's text is in a plan but what
// was parsed, resolved and printed.
package semsql
