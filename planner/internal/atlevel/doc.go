// Package atlevel plans the tables of metrics at other levels: what such a metric is for each group of the group-bys that it
// keeps. What a table is computed from is a query of its own, over the same rows, grouped by the kept and the included groups.
//
//	kept and included groups ─► branches ─► windows ─► Aggregate by the kept groups ─► table
package atlevel
