package metric

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// Env is what every pass reads and none changes but for the index of paths: the query, and what it is planned
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
	paths    *safePathIndex
}

// NewEnv returns the environment of a query.
func NewEnv(ctx context.Context, cat *catalog.Catalog, q *query.MetricQuery, t plan.Target) *Env {
	return newEnvWithSubqueryConditions(ctx, cat, q, nil, t)
}

// newEnvWithSubqueryConditions returns the environment of a query with the conditions of a SQL statement.
func newEnvWithSubqueryConditions(ctx context.Context, cat *catalog.Catalog, q *query.MetricQuery, among []members.InCondition, t plan.Target) *Env {
	in := &Env{Cat: cat, Query: q, Target: t, ctx: ctx, members: among, paths: new(safePathIndex)}
	if q != nil {
		keys := timerange.AsOfZoneAndWeekStart{AsOf: q.AsOf, TimeZone: q.TimeZone, WeekStart: q.WeekStart}
		in.Times, in.timesErr = timerange.NewTimeContext(cat, keys, t.NowOrCallTime())
	}
	return in
}

// CheckAsOfZoneAndWeekStart rejects invalid values of as_of, time_zone and week_start.
func (in *Env) CheckAsOfZoneAndWeekStart() error { return in.timesErr }

// contextError is what the context of planning ended with. Passes over what queries multiply
// look at it.
func (in *Env) contextError() error { return in.ctx.Err() }

// hasSeveralRanges reports whether each measure has one of several ranges: one of
// time_ranges, or one of the two of compare.
func (in *Env) hasSeveralRanges() bool {
	return len(in.Query.TimeRanges) > 0 || in.Query.Compare != nil
}
