package scope

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/joinpath"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/internal/periods"
	"github.com/semlayer/semlayer/planner/internal/resolve"
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
	// View is the view that the query is in; nil for the whole model.
	View *catalog.View
	// viewRange is the dimension of the time range of the query where that is the range of its view; nil for any other range.
	viewRange *resolve.Ref
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
	in.View = cat.ScopeView()
	in.Rollups = newRollupUses(in)
	return in
}

// HasViewDefaults reports whether the filters and the time range of a view act where the query leaves them.
func (in *Env) HasViewDefaults() bool {
	return in.View != nil && in.Query != nil && (in.Query.Defaults == nil || *in.Query.Defaults)
}

// WithViewRange returns the environment of the query with the time range of its view, over a dimension; nil for the axis of each metric.
func (in *Env) WithViewRange(r query.TimeRange, dimension *resolve.Ref) *Env {
	out, q := *in, *in.Query
	q.TimeRange, out.Query, out.viewRange = &r, &q, dimension
	if dimension == nil {
		out.viewRange = &resolve.Ref{}
	}
	return &out
}

// ViewRangeDimension returns the dimension of the time range of the query, without a field for the axis of each metric; ok is false where
// the range is not that of a view.
func (in *Env) ViewRangeDimension() (ref resolve.Ref, ok bool) {
	if in.viewRange == nil {
		return ref, false
	}
	return *in.viewRange, true
}

// SafePathsFrom returns a function that lists the safe paths from a dataset. Those to the time axis of a metric are not restricted by a view.
func (in *Env) SafePathsFrom(home *catalog.Dataset, isAxis bool) func(to *catalog.Dataset) [][]catalog.JoinStep {
	return func(to *catalog.Dataset) [][]catalog.JoinStep {
		if isAxis && in.View != nil {
			return in.Cat.WithoutView().SafePaths(home, to, joinpath.MaxPaths)
		}
		return in.SafePaths(home, to)
	}
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
