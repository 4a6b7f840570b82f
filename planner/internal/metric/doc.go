// Package metric plans queries of the metric plane: it expands metrics into measures, groups measures
// into aggregations, and joins the aggregations. Plan runs the passes
// in the order that the documentation of package planner draws.
//
// A Ref is a measure with its filter, axis, tag and window. An expression refers
// to it by its index. A branch holds the measure references that one aggregation
// computes. A branchMemberPosition locates a measure reference: its branch and its index there.
//
// No pass changes the result of an earlier pass. Expander, branchBuilder, filterReader
// and branchPlanner grow while their one pass runs, and no other pass sees them. The
// Expander is the exception: an attribution expands values that are not columns of a
// query.
package metric
