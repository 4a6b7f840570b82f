// Package reference is the reference evaluator: it answers queries over rows in memory,
// independently of the planner, so that tests can compare the two.
//
//	Catalog + rows in memory + MetricQuery ──► Metrics ──► rows, or the causes to refuse
//
// It makes no plan and no SQL. A branch is a loop over the rows of a home; a
// join is another loop that looks for the partner of a row; a group is a text
// made of the grouped values; a window is a loop over all groups for each of
// them. Nothing is pushed down, shared or skipped, and where two ways lead to
// the same rows it takes the one that is easier to believe.
//
// # Steps
//
// A query of metrics is evaluated in the order that defines it. Each step has a file:
//
//	clock     as_of, time zone, start of weeks; ranges with their bounds
//	model     the metrics and the fields of the query, written into the model
//	branch    the joined rows of a measure that conditions and ranges leave
//	top       the values that are kept, and the value in the place of the others
//	levels    each branch aggregated by the group-bys, and by those of totals and shares
//	windows   at each bucket and groups of a level
//	compare, totals (with shares), fill
//	result    conditions on rows, order, offset and limit
//
// Each level is computed from the rows of the branch, so that the steps combine without a case for
// a combination. distinct and detail list rows of one dataset instead. A fault is a way to be
// wrong on purpose, by which the tests of results are tested.
//
// # The law of windows
//
// The value of a window at a bucket and groups is a function of the model, the data, the filters, the zone, the bucket
// and the groups: windowByLaw groups all input rows of the base into cells, once for each view (all rows, those before
// the end of the range, those in range), and each row of the result asks for the value at its bucket. Rows of other
// metrics, filled rows and rows of a comparison ask in the same way; none of them is an input.
//
// The law covers
//   - windows that are ordered by time at buckets without data; ranks, values, row frames and partitions over the rows
//     with data; the population of a window; buckets that a range cuts; tags; snapshots under windows
//   - spans from the end of the bucket, also of rolling windows; the grains of a metric; resets by periods that are whole
//   - attributes of the bucket: coarser grains, periods, expressions over the axis, parts, fields of the date dimension
//   - filled groups, and comparisons over windows; offsets of metrics that have windows
//   - conditions over a time: ranges of an axis, conditions on rows beside windows, filters of the input
//   - parts of a time, and Date fields over timestamps
//
// It leaves out the warnings, the suggested queries, the time zone of SQL sessions, functions of timestamps in text,
// parts in detail queries, and conditions on the present time.
//
// # What is shared
//
// What it shares with the product is the compiled model: the trees of the
// expressions, and which field, measure or metric a name in the model means.
// Everything that a planner decides is decided here again: which path leads to
// a dataset and whether rows multiply on it, which conjunct filters what, which
// field is the axis of a measure, which rows a window sees. An error on one side
// is then a difference, not a tradition.
//
// # Errors
//
// A query may have several errors and the engine reports one. So there is no
// single code here but two lists: Must holds the causes for which the query has
// to be rejected, May those for which it can be. An engine is right when it
// answers, with equal rows, a query that nothing must reject, or rejects with a
// code of either list.
//
// # Numbers
//
// Numbers are float64. Every comparison allows a relative difference of 1e-9,
// and keeps to data whose sums a float64 holds exactly where groups are ranked
// or filtered by them.
package reference
