package detail

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/resolve"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// The bounds of a detail query's limit.
const (
	defaultLimit = 100
	maxLimit     = limits.DetailRows
)

// Plan plans a query of the detail plane: one row for each row of the
// root dataset, other datasets joined along edges that never multiply rows.
// Errors are as of metric.Plan.
//
// The result is always limited, and so always ordered: by the order keys, then
// by the remaining projected columns from left to right, until the root's
// primary key is among them. Rows that tie are equal in every column, so that
// which of them a limit keeps makes no difference.
func Plan(ctx context.Context, cat *catalog.Catalog, q *query.DetailQuery, t plan.Target) (*plan.Planned, error) {
	src, err := findRoot(ctx, cat, q, t)
	if err != nil {
		return nil, err
	}
	fields, err := src.resolveFields()
	if err != nil {
		return nil, err
	}
	if err := src.checkNames(fields); err != nil {
		return nil, err
	}
	where, err := src.resolveWhere()
	if err != nil {
		return nil, err
	}
	bound, err := src.bindParams(fields, where)
	if err != nil {
		return nil, err
	}
	rng, err := src.resolveRange(fields)
	if err != nil {
		return nil, err
	}
	a := &resolvedQuery{source: src, fields: fields, where: where, rng: rng}
	routes, err := a.findRoutes()
	if err != nil {
		return nil, err
	}
	return a.assemble(routes, metric.LODTables(src.in, bound))
}

// source is a query and the dataset whose rows its result has. Names are resolved there.
type source struct {
	ctx   context.Context // of the call that this is the whole life of
	cat   *catalog.Catalog
	q     *query.DetailQuery
	in    *metric.Env // parameters and time ranges are those of the metric plane
	root  *catalog.Dataset
	names *resolve.Resolver
}

// field is one projected field.
type field struct {
	text  string // as the query spells it, without the grain
	ref   resolve.Ref
	grain sqlexpr.Grain
	name  string // output column
	typ   sqlexpr.Type
}

// resolvedQuery is a query with everything in it resolved.
type resolvedQuery struct {
	*source
	fields []field
	where  whereClause
	rng    *timeRange // nil where the query has none
}

// queryText is the field as it is in the query's fields.
func (f field) queryText() string { return withGrain(f.text, f.grain) }

func withGrain(text string, g sqlexpr.Grain) string {
	if g == sqlexpr.GrainNone {
		return text
	}
	return text + ":" + g.String()
}
