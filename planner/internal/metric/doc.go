// Package metric plans queries of the metric plane: what their metrics are made of, which
// measures one aggregation computes, and how the aggregations meet. Plan runs the passes
// in the order that the documentation of package planner draws.
//
// A use is a measure with its filter, axis, tag and window; an expression over uses names
// one by its index. A branch holds the uses that one aggregation computes; a slot says
// in which branch a use is, and where.
//
// What a pass returned is not changed after it. Expander, former, filterReader and
// branchPlan grow while their one pass runs, and are not seen outside of it, but for the
// Expander: an attribution expands other values than the columns of a query.
package metric
