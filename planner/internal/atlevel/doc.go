// Package atlevel plans the tables of metrics at other levels: a table has the values of a metric by the group-bys that the metric
// keeps. It is computed from another query over the same rows, which is grouped by the kept and the included groups.
//
//	kept and included groups ─► branches ─► windows ─► Aggregate by the kept groups ─► table
package atlevel
