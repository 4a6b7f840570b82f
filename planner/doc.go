// Package planner turns a query into a logical plan.
//
//	query.MetricQuery ────► internal/metric ─────┐
//	query.DetailQuery ────► internal/detail ─────┼──► plan.PlannedQuery
//	query.AttributeQuery ─► internal/attribute ──┴──► Attribution
//	                              │
//	      detail, attribute ──► metric ──► joins, resolve, params, coerce, timerange
//
// internal/saved first replaces a request that uses a saved query by the query that it
// stands for. The error of a rejected query has a retry, which internal/repair has planned before.
//
// A metric is arithmetic over measures; a measure is one aggregate at its home
// dataset. Measures that share home, time axis and filters form a branch: one
// scan, its joins, one aggregation to the query's group-bys. Branches meet on
// the group-bys by a full null-safe match, the metrics' arithmetic follows, and
// then what applies to results: conditions on metrics, order, limit. Each pass that
// internal/metric calls takes what the passes before it returned, and changes none of it:
//
//	Env, the query with its catalog and target
//	 │ scope.SelectMetrics   metrics, their homes, the names in scope
//	 ▼
//	Selection
//	 │ scope.ResolveGroups   the group-bys, resolved from every home
//	 ▼
//	[]Group
//	 ├─ levels.Resolve ────► Levels, of totals and shares
//	 │ scope.BindParams      the values of parameters
//	 ▼
//	Bindings
//	 │ measure.ExpandMetrics columns over references of measures
//	 ▼
//	Expansion
//	 ├─ where.ResolveFilters ───► Conditions
//	 ├─ where.ResolveTimeRanges ► []Range
//	 ▼
//	Query, the query with everything resolved
//	 │ branch.Build          which measures share one aggregation
//	 ▼
//	[]*Branch, []Position
//	 │ window.Plan           scans, joins, levels of detail, windows
//	 ▼
//	[]Grouped
//	 │ combine.Match         the match of the branches on the group-bys
//	 ▼
//	Combined
//	 │ refine.Plan           result conditions, order, limit, output columns
//	 ▼
//	plan.PlannedQuery
//
// internal/detail and internal/attribute call the first of these passes for what
// they share with it, and then run their own passes.
//
// Two promises shape every step. No row is counted twice: a branch only joins
// along relationships that the model proves not to multiply rows, and the planner
// rejects an aggregate that a repeated row would make wrong. No row
// is lost: joins are LEFT, and branches keep the groups that others lack.
//
// The planner depends on neither SQL text nor a warehouse. It reads an immutable catalog,
// takes the target's capabilities as a value, and is safe for concurrent use.
package planner
