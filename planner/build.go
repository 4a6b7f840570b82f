package planner

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// build is one metric query on its way to a plan.
type build struct {
	cat    *catalog.Catalog
	q      *query.MetricQuery
	target Target
	late   func() error // what the context of planning ended with; nil where it has none
	res    scope.Resolver

	metrics  []*catalog.Metric // selected, in order
	groups   []group
	bindings []binding // of params, in the order of the request
	columns  []column  // metric columns of the result, in order
	values   map[valueKey]sqlexpr.Expr
	params   map[*catalog.Metric][]*catalog.Param // what metrics depend on, as found

	uses     []*use
	useIndex map[useKey]int

	refs    []scope.Ref // what sqlexpr.Ref{ID ≥ 0} means in a condition
	context []cond      // conjuncts of context_filter
	input   []cond      // conjuncts of where_sql over input rows
	result  []sqlexpr.Expr

	sizes    sizes
	lodStack []*catalog.Field       // level-of-detail tables being planned
	variants map[string]boundParams // parameter values by which such tables differ

	ranges   []timeRange // one untagged, or one per tag
	tagged   bool
	branches []*branch
}

// ended is what the context of planning ended with. Passes over what queries multiply
// look at it.
func (b *build) ended() error {
	if b.late == nil {
		return nil
	}
	return b.late()
}

// group is one resolved group-by item.
type group struct {
	item       query.GroupBy
	metricTime bool
	ref        scope.Ref // unset for metric_time
	grain      sqlexpr.Grain
	name       string // output column
	typ        sqlexpr.Type
}

// raw reports whether the group carries the field's stored value, so that a
// condition on the field can be answered from the result.
func (g group) raw() bool { return g.grain == sqlexpr.GrainNone }

// column is one metric column of the result. Its expression stands over uses:
// sqlexpr.Ref{ID: index into build.uses}.
type column struct {
	metric *catalog.Metric
	name   string
	params []BoundParam
	tag    string
	expr   sqlexpr.Expr
	typ    sqlexpr.Type
}

// cond is one conjunct over fields: sqlexpr.Ref{ID: index into build.refs}.
type cond struct {
	expr sqlexpr.Expr
	refs []int
}

// use is one measure as this query needs it: with the filter of a derived
// metric folded in, on a time axis, for one tag of time_ranges, maybe under a
// window.
type use struct {
	useKey
	where   sqlexpr.Expr // over Ref{Field.ID}; nil when absent
	window  *window
	metrics []string // the selected metrics that need it
	branch  *branch
	col     int // index into the branch's uses
}

// useKey tells uses apart.
type useKey struct {
	measure  *catalog.Measure
	whereKey string
	axis     *catalog.Field // nil: none
	tag      int            // index into ranges; -1 without time_ranges
	window   string
	variant  string // of the level-of-detail fields it reads
}

// branch is one aggregation: measures of one home, axis and filter.
type branch struct {
	home  *catalog.Dataset
	axis  *catalog.Field // nil where no part of the query needs one
	uses  []*use
	index map[useKey]int // of uses, by their keys without the axis; see find
	span  span           // what the time range means for this branch
	// context is the part of context_filter that filters the branch's own rows.
	context []cond
	cols    []int // per use, its column among the branch's non-key columns
	node    plan.Node
	width   int // number of its non-key columns
	first   int // index of its first non-key column in the combined schema
}
