package scope

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/internal/timerange"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// NewPeriodPlanner plans the tables of calendars for the target of the query.
func (in *Env) NewPeriodPlanner() periods.PeriodPlanner {
	return periods.PeriodPlanner{Catalog: in.Cat, Dialect: in.Target.Dialect, Caps: in.Target.Caps}
}

// Env is what every pass reads and none changes but for the index of paths: the query, and what it is planned
// against.
type Env struct {
	Cat     *catalog.Catalog
	Query   *query.MetricQuery
	Target  plan.Target
	Context context.Context // of the call that this is the whole life of
	// Times is what the times of the query mean; timesErr is set where its keys mean nothing.
	Times    timerange.TimeContext
	timesErr error
	Members  []members.InCondition // conditions of a SQL statement
	paths    *joinpath.Index
	// Rollups is what the branches read; nil where no rollup may be read.
	Rollups *RollupUses
}

// NewEnv returns the environment of a query.
func NewEnv(ctx context.Context, cat *catalog.Catalog, q *query.MetricQuery, t plan.Target) *Env {
	return NewEnvWithConditions(ctx, cat, q, nil, t)
}

// NewEnvWithConditions returns the environment of a query with the conditions of a SQL statement.
func NewEnvWithConditions(ctx context.Context, cat *catalog.Catalog, q *query.MetricQuery, among []members.InCondition, t plan.Target) *Env {
	in := &Env{Cat: cat, Query: q, Target: t, Context: ctx, Members: among, paths: new(joinpath.Index)}
	if q != nil {
		keys := timerange.AsOfZoneAndWeekStart{AsOf: q.AsOf, TimeZone: q.TimeZone, WeekStart: q.WeekStart, Zone: t.Zone}
		in.Times, in.timesErr = timerange.NewTimeContext(cat, keys, t.NowOrCallTime())
	}
	in.Rollups = newRollupUses(in)
	return in
}

// CheckAsOfZoneAndWeekStart rejects invalid values of as_of, time_zone and week_start.
func (in *Env) CheckAsOfZoneAndWeekStart() error { return in.timesErr }

// ContextError is what the context of planning ended with. Passes over what queries multiply
// look at it.
func (in *Env) ContextError() error { return in.Context.Err() }

// HasSeveralRanges reports whether each measure has one of several ranges: one of
// time_ranges, or one of the two of compare.
func (in *Env) HasSeveralRanges() bool {
	return len(in.Query.TimeRanges) > 0 || in.Query.Compare != nil
}

// SafePaths returns the safe paths between two datasets, at most MaxPaths of them. They are read only.
func (in *Env) SafePaths(from, to *catalog.Dataset) [][]catalog.JoinStep {
	return in.paths.FindOrSearch(in.Cat, joinpath.Ends{From: from, To: to})
}
