// Package diff compares two compiled models and classifies each change by what it does to queries:
// compatible, changed or breaking.
//
//	old Catalog ─┐
//	             ├─► Compare ─► []Entry, breaking first
//	new Catalog ─┘
//
// It compares meanings, not texts. The order of objects, comments, the spelling of an
// expression or of a measure, and a default that is written out make no entry.
//
// Compare finds the changes of each object, then their consequences: a metric whose field
// changed is listed in Affects of the field's entry. A consequence has a separate entry,
// with the reason in Because, where it is worse than its cause.
//
// The package plans no query. A Planner that the caller hands in decides which dimensions
// a metric accepts; without one Compare judges by the paths of the join graph.
package diff
