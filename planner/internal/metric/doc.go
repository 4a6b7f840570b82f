// Package metric plans queries of the metric plane. Each pass is a function that takes
// what the passes before it returned, and returns what it found:
//
//	Env ──Select──► Selection ──Groups──► []Group ──Bind──► Bindings
//	                                                          │
//	┌── Expansion: columns over measures in use ◄───expand────┘
//	│
//	├──resolveFilters──► predicates ──┐
//	├──resolveRanges───► []timeRange ─┼──► asked: the query, resolved
//	│                                 │
//	└──► formBranches ──► []branch, []slot ──planBranches──► []branchNode
//	                                                             │
//	               plan.Planned ◄──assemble── Combined ◄─combine─┘
//
// A use is a measure with its filter, axis, tag and window; an expression over uses names
// one by its index. A branch holds the uses that one aggregation computes; a slot says
// in which branch a use is, and where.
//
// What a pass returned is not changed after it. Expander, former, filterReader and
// branchPlan grow while their one pass runs, and are not seen outside of it, but for the
// Expander: an attribution expands other values than the columns of a query.
package metric
