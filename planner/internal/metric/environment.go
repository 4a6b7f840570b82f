package metric

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// Env is what every pass reads and none changes: the query, and what it is planned
// against.
type Env struct {
	Cat    *catalog.Catalog
	Query  *query.MetricQuery
	Target plan.Target
	ctx    context.Context // of the call that this is the whole life of
}

// NewEnv is the environment of a query.
func NewEnv(ctx context.Context, cat *catalog.Catalog, q *query.MetricQuery, t plan.Target) *Env {
	return &Env{Cat: cat, Query: q, Target: t, ctx: ctx}
}

// contextError is what the context of planning ended with. Passes over what queries multiply
// look at it.
func (in *Env) contextError() error { return in.ctx.Err() }

// hasTaggedRanges reports whether the query has ranges of time_ranges.
func (in *Env) hasTaggedRanges() bool { return len(in.Query.TimeRanges) > 0 }
