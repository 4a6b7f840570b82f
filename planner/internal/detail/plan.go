package detail

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/local"
	"github.com/semlayer/semlayer/planner/internal/lod"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/viewrange"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// The bounds of a detail query's limit.
const (
	defaultDetailLimit = 100
	maxDetailLimit     = limits.DetailRows
)

// Plan plans a query of the detail plane: one row for each row of the
// root dataset, other datasets joined along edges that never multiply rows.
// Errors are as of metric.Plan.
//
// The result is always limited, and so always ordered: by the order keys, then
// by the remaining projected columns from left to right, until the root's
// primary key is among them. Rows that tie are equal in every column, so that
// which of them a limit keeps makes no difference.
func Plan(ctx context.Context, cat *catalog.Catalog, q *query.DetailQuery, t plan.Target) (*plan.PlannedQuery, error) {
	return PlanForStatement(ctx, cat, q, StatementConditionsAndLimit{}, t)
}

// StatementConditionsAndLimit is what a SQL statement requests beside a query.
type StatementConditionsAndLimit struct {
	Members []members.InCondition // conditions on fields
	// Unlimited: a query without a limit has all rows, and a limit may be any.
	Unlimited bool
}

// PlanForStatement plans a query of a SQL statement.
func PlanForStatement(ctx context.Context, cat *catalog.Catalog, q *query.DetailQuery, s StatementConditionsAndLimit, t plan.Target) (*plan.PlannedQuery, error) {
	extended, err := local.ExtendCatalog(ctx, cat, q.With, nil)
	if err != nil {
		return nil, err
	}
	return planWithExtendedCatalog(ctx, extended, q, s, t)
}

// planWithExtendedCatalog plans a query against a catalog that has the query's own fields.
func planWithExtendedCatalog(ctx context.Context, cat *catalog.Catalog, q *query.DetailQuery, s StatementConditionsAndLimit, t plan.Target) (*plan.PlannedQuery, error) {
	src, err := findRoot(ctx, cat, q, s, t)
	if err != nil {
		return nil, err
	}
	if err := src.in.CheckAsOfZoneAndWeekStart(); err != nil {
		return nil, err
	}
	if src, err = src.withViewRange(); err != nil {
		return nil, err
	}
	fields, err := src.resolveFields()
	if err != nil {
		return nil, err
	}
	if err := src.checkDuplicateOutputNames(fields); err != nil {
		return nil, err
	}
	conditions, err := src.resolveWhere()
	if err != nil {
		return nil, err
	}
	if conditions, err = src.withViewConditions(conditions); err != nil {
		return nil, err
	}
	bound, err := src.bindParams(fields, conditions)
	if err != nil {
		return nil, err
	}
	rng, err := src.resolveRange(fields)
	if err != nil {
		return nil, err
	}
	a := &resolvedQuery{rooted: src, fields: fields, where: conditions, rng: rng}
	routes, err := a.findRoutes()
	if err != nil {
		return nil, err
	}
	planned, err := a.assemblePlan(routes, lod.NewTables(src.in, bound))
	if err == nil && src.in.View != nil {
		planned.View = &plan.ViewUse{Name: src.in.View.Name, Filters: conditions.filters}
		if src.viewDimension != nil {
			planned.View.TimeRange = viewrange.Describe(src.in.View)
		}
	}
	return planned, err
}

// queryWithRoot is a query and the dataset whose rows its result has. Names are resolved there.
type queryWithRoot struct {
	ctx   context.Context // of the call that this is the whole life of
	cat   *catalog.Catalog
	q     *query.DetailQuery
	asked StatementConditionsAndLimit
	in    *scope.Env // parameters and time ranges are those of the metric plane
	root  *catalog.Dataset
	names *resolve.Resolver
	// viewDimension is the dimension of the time range of the view; nil where that does not act.
	viewDimension *resolve.Ref
}

// projectedField is one projected field.
type projectedField struct {
	text   string // as the query spells it, without the grain or the part
	ref    resolve.Ref
	grain  sqlexpr.Grain
	period *catalog.Period // of a calendar, whose days the grain makes; nil for a plain grain
	part   sqlexpr.TimePart
	name   string // output column
	typ    sqlexpr.Type
}

// Query is a query with everything in it resolved.
type resolvedQuery struct {
	rooted *queryWithRoot
	fields []projectedField
	where  whereClause
	rng    *timeRange // nil where the query has none
}

// queryText returns the field as it is in the query's fields.
func (f projectedField) queryText() string { return scope.AppendUnit(f.text, f.group().UnitText()) }

// group returns the group of a metric query with the field's values.
func (f projectedField) group() scope.Group {
	return scope.Group{Ref: f.ref, Grain: f.grain, Period: f.period, Part: f.part}
}

// isStoredValue reports whether the column has the field's stored values.
func (f projectedField) isStoredValue() bool { return f.group().HasStoredValue() }
