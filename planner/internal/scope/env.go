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
	Query   *query.MetricQuery // nil for a query of records
	Keys    Keys
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

// Keys are the keys that say which rows a query reads, what its times mean, and the values of its parameters: those that the queries of
// all planes have. A query of records has neither context_filter nor time_ranges.
type Keys struct {
	WhereSQL, ContextFilter   string
	TimeRange                 *query.TimeRange
	TimeRanges                []query.TaggedRange
	AsOf, TimeZone, WeekStart string
	Params                    query.Bindings
	Defaults                  *bool
}

// NewEnv returns the environment of a query; q is nil where the names of a model are looked up before there is one.
func NewEnv(ctx context.Context, cat *catalog.Catalog, q *query.MetricQuery, t plan.Target) *Env {
	if q == nil {
		return newEnv(ctx, cat, nil, nil, t)
	}
	keys := keysOf(q)
	return newEnv(ctx, cat, q, &keys, t)
}

// NewRecordsEnv returns the environment of a query of records.
func NewRecordsEnv(ctx context.Context, cat *catalog.Catalog, q *query.DetailQuery, t plan.Target) *Env {
	return newEnv(ctx, cat, nil, &Keys{
		WhereSQL: q.WhereSQL, TimeRange: q.TimeRange, AsOf: q.AsOf, TimeZone: q.TimeZone, WeekStart: q.WeekStart, Params: q.Params, Defaults: q.Defaults,
	}, t)
}

// newEnv returns an environment, whose times mean nothing without keys.
func newEnv(ctx context.Context, cat *catalog.Catalog, q *query.MetricQuery, keys *Keys, t plan.Target) *Env {
	in := &Env{Cat: cat, Query: q, Target: t, Context: ctx, View: cat.ScopeView(), paths: new(joinpath.Index)}
	if keys == nil {
		return in
	}
	in.Keys = *keys
	times := timerange.AsOfZoneAndWeekStart{AsOf: keys.AsOf, TimeZone: keys.TimeZone, WeekStart: keys.WeekStart, Zone: t.Zone}
	in.Times, in.timesErr = timerange.NewTimeContext(cat, times, t.NowOrCallTime())
	in.Rollups = newRollupUses(in)
	return in
}

func keysOf(q *query.MetricQuery) Keys {
	return Keys{
		WhereSQL: q.WhereSQL, ContextFilter: q.ContextFilter, TimeRange: q.TimeRange, TimeRanges: q.TimeRanges,
		AsOf: q.AsOf, TimeZone: q.TimeZone, WeekStart: q.WeekStart, Params: q.Params, Defaults: q.Defaults,
	}
}

// WithQuery returns the environment with another query over the same rows and times.
func (in *Env) WithQuery(q *query.MetricQuery) *Env {
	out := *in
	out.Query, out.Keys = q, keysOf(q)
	return &out
}

// WithMembers returns the environment of the query with the conditions of a SQL statement.
func (in *Env) WithMembers(among []members.InCondition) *Env {
	if len(among) == 0 {
		return in
	}
	out := *in
	out.Members = among
	return &out
}

// HasViewDefaults reports whether the filters and the time range of a view act where the query leaves them.
func (in *Env) HasViewDefaults() bool {
	return in.View != nil && (in.Keys.Defaults == nil || *in.Keys.Defaults)
}

// WithViewRange returns the environment of the query with the time range of its view, over a dimension; nil for the axis of each metric.
func (in *Env) WithViewRange(r query.TimeRange, dimension *resolve.Ref) *Env {
	out := *in
	out.Keys.TimeRange, out.viewRange = &r, dimension
	if in.Query != nil {
		q := *in.Query
		q.TimeRange, out.Query = &r, &q
	}
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
	return len(in.Keys.TimeRanges) > 0 || in.Query.Compare != nil
}

// SafePaths returns the safe paths between two datasets, at most MaxPaths of them. They are read only.
func (in *Env) SafePaths(from, to *catalog.Dataset) [][]catalog.JoinStep {
	return in.paths.FindOrSearch(in.Cat, joinpath.Ends{From: from, To: to})
}
