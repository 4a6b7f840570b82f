// Package attribute plans the queries that an attribution of a change is computed from,
// and makes the report of their rows.
//
//	query ──newAttributionRequest──► request ──windows──► windows ──assignParamsToQueries──► querySetBuilder
//	                                                                        │
//	      analysis: the metric's arithmetic and its leaves ◄──analyzeMetricArithmetic─┤
//	                                                                        │
//	      totals, []dimension ◄─ planTotals, planDimensions ◄─ attributionQueryPlanner ┘
//	           │
//	           └──► Attribution ──Report(rows)──► attribution.Report
//
// Every query reads both windows in one scan: a number is a pair of columns. The queries
// are planned by package metric; the arithmetic is that of package attribution.
package attribute
