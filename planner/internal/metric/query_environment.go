package metric

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/internal/timerange"
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
	// Times is what the times of the query mean; timesErr is set where its keys mean nothing.
	Times    timerange.TimeContext
	timesErr error
	members  []members.InCondition // conditions of a SQL statement
	paths    *safePaths            // nil before the first
}

// safePaths are the paths along safe edges that the branches of a query have asked for, by their two ends.
type safePaths struct {
	ends  keyIndex[[2]*catalog.Dataset]
	found [][][]catalog.JoinStep
}

// safePaths lists paths along safe edges, which are searched once.
func (in *Env) safePaths(from, to *catalog.Dataset) [][]catalog.JoinStep {
	if in.paths == nil {
		in.paths = &safePaths{ends: newKeyIndex[[2]*catalog.Dataset](4), found: make([][][]catalog.JoinStep, 0, 4)}
	}
	ends := [2]*catalog.Dataset{from, to}
	i, known := in.paths.ends.find(ends)
	if !known {
		i = in.paths.ends.add(ends)
		in.paths.found = append(in.paths.found, in.Cat.SafePaths(from, to, maxPaths))
	}
	return in.paths.found[i]
}

// NewEnv is the environment of a query.
func NewEnv(ctx context.Context, cat *catalog.Catalog, q *query.MetricQuery, t plan.Target) *Env {
	return newEnvWithInConditions(ctx, cat, q, nil, t)
}

// newEnvWithInConditions is the environment of a query with the conditions of a SQL statement.
func newEnvWithInConditions(ctx context.Context, cat *catalog.Catalog, q *query.MetricQuery, among []members.InCondition, t plan.Target) *Env {
	in := &Env{Cat: cat, Query: q, Target: t, ctx: ctx, members: among}
	if q != nil {
		keys := timerange.TimeKeys{AsOf: q.AsOf, TimeZone: q.TimeZone, WeekStart: q.WeekStart}
		in.Times, in.timesErr = timerange.NewTimeContext(cat, keys, t.NowOrCallTime())
	}
	return in
}

// CheckTimeKeys refuses keys of times that mean nothing.
func (in *Env) CheckTimeKeys() error { return in.timesErr }

// contextError is what the context of planning ended with. Passes over what queries multiply
// look at it.
func (in *Env) contextError() error { return in.ctx.Err() }

// hasTaggedRanges reports whether each measure has one of several ranges: one of
// time_ranges, or one of the two of compare.
func (in *Env) hasTaggedRanges() bool { return len(in.Query.TimeRanges) > 0 || in.Query.Compare != nil }
