// Package attribution explains why a metric changed between two windows of time: a
// metric's arithmetic, the values of its measures per segment, and what each
// segment contributed to the change. It is arithmetic alone: the planner makes
// the queries, and the caller runs them and passes the numbers in.
//
//	metric's expression ──Classify──► Formula        (the kind of sum)
//	totals, segments ─────Decompose─► Report         (the contributions)
//
// The kind of the formula determines the report:
//
//	term_wise       Σ c·measure        a segment's change is its contribution
//	mix_shift       N / D              share and rate of each segment:
//	                                   mix (who is counted) and rate (how each does)
//	factor_shapley  k · f₁ · f₂ · …    each factor's Shapley value, spread over
//	                                   segments by their part in the factor's change
//	unsupported     anything else      totals and plain values, no contributions
//
// A measure that has no value for a segment in a window counts 0 there: the
// segment entered or left. In every supported kind the segments' deltas add up
// to the change of the total, within rounding, where the segments are complete;
// Reconciliation reports whether they did.
package attribution
