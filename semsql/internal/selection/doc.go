// Package selection maps the selects of a statement. A semantic select, one over relations of the model, becomes a
// query of the planner and outer SQL that gives the columns of the statement; a select over results becomes outer SQL:
//
//	parse.Query ─┬─► clauses ──┬─► grouping ──► MetricQuery ──┬─► compose.Rows
//	             │             └─► rows ──────► DetailQuery ──┤
//	             └─► outer select, join, set operation ───────┘
//
// Each arrow takes values and returns new ones. The query computes groups and metrics; what SQL writes
// around them (arithmetic of groups and measures, the order of NULL, columns that are not shown) is nodes
// of the plan above it.
package selection
