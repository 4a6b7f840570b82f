// Package planner turns a query into a logical plan.
//
//	query.MetricQuery ────► internal/metric ─────┐
//	query.DetailQuery ────► internal/detail ─────┼──► plan.Planned
//	query.AttributeQuery ─► internal/attribute ──┴──► Attribution
//	                              │
//	      detail, attribute ──► metric ──► joins, scope, params, coerce, timerange
//
// A refused query carries a retry, which internal/repair has planned before.
//
// A metric is arithmetic over measures; a measure is one aggregate at its home
// dataset. Measures that share home, time axis and filters form a branch: one
// scan, its joins, one aggregation to the query's group-bys. Branches meet on
// the group-bys by a full null-safe match, the metrics' arithmetic follows, and
// then what applies to results: conditions on metrics, order, limit. The passes,
// and what each of them takes and returns, are drawn in package internal/metric.
//
// Two promises shape every step. No row is counted twice: a branch only joins
// along edges that the model proves not to multiply rows, and where the query
// asks for more, an aggregate that repetition would falsify is refused. No row
// is lost: joins are LEFT, and branches keep the groups that others lack.
//
// The planner knows no SQL text and no warehouse. It reads an immutable catalog,
// takes the target's abilities as a value, and is safe for concurrent use.
package planner
