// Package grouping plans the rows of one branch, over the base tables or a table of aggregations, and groups them.
//
//	Routes ─► tree of joins ─► keys, filters, ranges ─► Aggregate ─► Grouped
//
// A Planner grows while its one branch is planned, and no other pass changes it. Package snapshot groups the rows of semi-additive
// measures, package window those that windows read again.
package grouping
