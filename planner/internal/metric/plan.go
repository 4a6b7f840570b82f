package metric

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/atlevel"
	"github.com/semlayer/semlayer/planner/internal/branch"
	"github.com/semlayer/semlayer/planner/internal/combine"
	"github.com/semlayer/semlayer/planner/internal/compare"
	"github.com/semlayer/semlayer/planner/internal/fill"
	"github.com/semlayer/semlayer/planner/internal/levels"
	"github.com/semlayer/semlayer/planner/internal/local"
	"github.com/semlayer/semlayer/planner/internal/lod"
	"github.com/semlayer/semlayer/planner/internal/measure"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/internal/refine"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/top"
	"github.com/semlayer/semlayer/planner/internal/viewrange"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/internal/window"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// Plan plans a query of the metric plane. Each pass takes what the passes before it
// returned. The error is a *planerr.Error, the *modelspec.CompileError of an object that
// the query uses, or what ctx ended with.
func Plan(ctx context.Context, cat *catalog.Catalog, q *query.MetricQuery, t plan.Target) (*plan.PlannedQuery, error) {
	return PlanWithSubqueryConditions(ctx, cat, q, nil, t)
}

// PlanWithSubqueryConditions plans a query over the rows whose fields are, or are not, among the rows of subqueries.
func PlanWithSubqueryConditions(ctx context.Context, cat *catalog.Catalog, q *query.MetricQuery, among []members.InCondition, t plan.Target) (*plan.PlannedQuery, error) {
	extended, err := local.ExtendCatalog(ctx, cat, q.With, q)
	if err != nil {
		return nil, err
	}
	return resolveAndPlanQuery(scope.NewEnv(ctx, extended, q, t).WithMembers(among))
}

// PlanWithExtendedCatalog plans a query against the catalog that ExtendCatalog made for it.
func PlanWithExtendedCatalog(ctx context.Context, extended *catalog.Catalog, q *query.MetricQuery, t plan.Target) (*plan.PlannedQuery, error) {
	return resolveAndPlanQuery(scope.NewEnv(ctx, extended, q, t))
}

func resolveAndPlanQuery(in *scope.Env) (*plan.PlannedQuery, error) {
	a, err := resolveQueryNames(in)
	if err != nil {
		return nil, err
	}
	combined, err := planAndCombineBranches(a)
	if err != nil {
		return nil, err
	}
	planned, err := refine.Plan(a, combined)
	if err == nil {
		planned.View = NewViewUse(a.In, a.Conds, a.Ranges, homesOfQuery(a))
	}
	return planned, err
}

// homesOfQuery lists the datasets whose rows the query reads.
func homesOfQuery(a *branch.Query) []*catalog.Dataset {
	if a.Root != nil {
		return []*catalog.Dataset{a.Root}
	}
	return a.Sel.Names.Homes
}

// resolveQueryNames resolves what a query names: metrics, groups, levels, parameters, conditions and time ranges.
func resolveQueryNames(in *scope.Env) (*branch.Query, error) {
	if err := in.CheckAsOfZoneAndWeekStart(); err != nil {
		return nil, err
	}
	sel, err := scope.SelectMetrics(in)
	if err != nil {
		return nil, err
	}
	groups, err := scope.ResolveGroups(in, sel)
	if err != nil {
		return nil, err
	}
	if in, err = viewrange.ForMetrics(in, sel, groups); err != nil {
		return nil, err
	}
	if err := where.RequireRangeOfCompare(in); err != nil {
		return nil, err
	}
	if err := checkConformedGroups(in, sel, groups); err != nil {
		return nil, err
	}
	levels, err := levels.Resolve(in, groups)
	if err != nil {
		return nil, err
	}
	bound, err := scope.BindParams(in, sel)
	if err != nil {
		return nil, err
	}
	if err := measure.CheckColumnCount(in, sel, groups, bound); err != nil {
		return nil, err
	}
	cols, err := measure.ExpandMetrics(in, sel, groups, bound)
	if err != nil {
		return nil, err
	}
	if cols, err = addShares(in, groups, levels, cols); err != nil {
		return nil, err
	}
	if err := checkDuplicateOutputNames(in, sel, groups, cols.Columns); err != nil {
		return nil, err
	}
	if err := checkLevelColumnName(in, groups, levels, cols.Columns); err != nil {
		return nil, err
	}
	return resolveQuery(in, sel, groups, levels, bound, cols)
}

// resolveQuery resolves the conditions and the time ranges of an expanded query.
func resolveQuery(in *scope.Env, sel scope.Selection, groups []scope.Group, levels levels.Levels, bound scope.Bindings, cols measure.Expansion) (*branch.Query, error) {
	groups = where.SetTypesOfMetricTimeGroupBys(groups, cols.MeasureRefs)
	conds, err := where.ResolveFilters(in, sel, groups, cols)
	if err != nil {
		return nil, err
	}
	if err := bound.CheckParams(where.LODParamsOfGroupsAndRefs(in, groups, conds.Refs)); err != nil {
		return nil, err
	}
	var root *catalog.Dataset
	var ranges []where.Range
	if in.Query.Distinct {
		root, ranges, err = where.ResolveDistinct(in, sel, groups, conds)
	} else {
		ranges, err = where.ResolveTimeRanges(in, sel, groups, cols)
	}
	if err != nil {
		return nil, err
	}
	if cols, err = where.ReadCutBuckets(in, groups, ranges, conds, cols); err != nil {
		return nil, err
	}
	top, err := top.Resolve(in, groups, cols)
	if err != nil {
		return nil, err
	}
	compare, err := compare.Resolve(in, groups, levels, cols, ranges)
	if err != nil {
		return nil, err
	}
	filling, err := fill.Resolve(in, groups, cols, ranges, conds)
	if err != nil {
		return nil, err
	}
	out := &branch.Query{
		In: in, Sel: sel, Groups: groups, Levels: levels, Cols: cols, Conds: conds, Ranges: ranges, Root: root, Top: top,
		Compare: compare, GapFill: filling,
		Lod: lod.NewPlanner(in, groups, bound, cols, conds),
	}
	out.LevelsAreBranches = len(cols.LevelTables) > 0 && atlevel.CanBeBranches(out)
	if out.RankedBy, err = resolveRank(out, bound); err != nil {
		return nil, err
	}
	out.Conds.ReadsNow = out.Conds.ReadsNow || out.RankedBy != nil && out.RankedBy.Conds.ReadsNow
	return out, nil
}

// planAndCombineBranches plans the branches of a query and puts them together.
func planAndCombineBranches(a *branch.Query) (*combine.Combined, error) {
	branches, slots, err := branch.Build(a)
	if err != nil {
		return nil, err
	}
	if err := branch.CheckSameAxisStorage(a.In.Query, a.Groups, branches); err != nil {
		return nil, err
	}
	kept, err := planKeptTopValues(a, branches)
	if err != nil {
		return nil, err
	}
	if len(a.Cols.LevelTables) > 0 {
		if a, err = withLevelTables(a, a, kept); err != nil {
			return nil, err
		}
	}
	combined, err := window.Plan(a, branch.RouteFinder{Q: a, Branches: branches}, slots, kept)
	if err != nil {
		return nil, err
	}
	for _, c := range a.Compare.ByPeriods() {
		combined = refine.JoinEarlierPeriods(c, combined)
	}
	return combined, nil
}

// withLevelTables returns the query with the tables of its metrics at other levels, over the rows of another query or its own.
func withLevelTables(a, rows *branch.Query, kept *top.Kept) (*branch.Query, error) {
	out := *a
	var err error
	out.LevelTables, err = atlevel.PlanTables(a, rows, kept)
	return &out, err
}

// PlanCombinedBranches plans an expanded query up to where its branches meet. It is for queries whose
// conditions all apply before aggregation.
func PlanCombinedBranches(in *scope.Env, sel scope.Selection, groups []scope.Group, bound scope.Bindings, cols measure.Expansion) (*combine.Combined, error) {
	a, err := resolveQuery(in, sel, groups, levels.Levels{}, bound, cols)
	if err != nil {
		return nil, err
	}
	combined, err := planAndCombineBranches(a)
	if err != nil {
		return nil, err
	}
	if len(a.Conds.Result) > 0 {
		return nil, scope.InternalError("a condition was placed after aggregation in a query that has no result columns")
	}
	return combined, nil
}
