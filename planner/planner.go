package planner

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// Error is the error of every rejected query.
type Error = planerr.Error

// Planner plans queries against one catalog. It is immutable.
type Planner struct {
	cat *catalog.Catalog
}

// New returns a planner over a catalog.
func New(cat *catalog.Catalog) *Planner { return &Planner{cat: cat} }

// Target is what a plan is made for: the dialect, whose variants of the
// model's expressions are used, and what that dialect can do.
type Target struct {
	Dialect string
	Caps    plan.Capabilities
}

// Planned is a query's logical plan and its result columns in order.
type Planned struct {
	Root    plan.Node
	Columns []OutputColumn
	// Limit is the most rows that the answer has; nil where it is not limited.
	Limit    *int64
	Warnings []planerr.QueryWarning
}

// OutputColumn describes one result column. Metric is "" for a group-by.
type OutputColumn struct {
	Name      string
	Metric    string
	Params    []BoundParam
	TimeRange string // the tag under time_ranges
	Type      sqlexpr.Type
}

// BoundParam is one parameter value that a column was computed with: a JSON
// scalar (string, bool, or json.Number).
type BoundParam struct {
	Name  string
	Value any
}

// PlanMetrics plans a query of the metric plane. The error is a *planerr.Error
// for a query that cannot be planned, or the *modelspec.CompileError of an
// object that the query uses and that failed to compile, or what ctx ended with:
// planning is arithmetic, and looks at ctx between its phases and for each column.
func (p *Planner) PlanMetrics(ctx context.Context, q *query.MetricQuery, t Target) (*Planned, error) {
	return settled(ctx, q, func(q *query.MetricQuery) (*Planned, error) { return p.planMetrics(ctx, q, t) })
}

// planMetrics runs the phases in order; each reads what the former ones found.
func (p *Planner) planMetrics(ctx context.Context, q *query.MetricQuery, t Target) (*Planned, error) {
	b := &build{cat: p.cat, q: q, target: t, late: ctx.Err}
	err := inTurn(ctx,
		b.selectMetrics,
		b.resolveGroups,
		b.checkConformed,
		b.bindParams,
		b.countColumns,
		b.expandColumns,
		b.checkOutputNames,
		b.resolveFilters,
		b.checkParams,
		b.resolveRanges,
		b.formBranches,
		b.checkAxesMeet,
		b.planBranches,
	)
	if err != nil {
		return nil, err
	}
	return b.assemble()
}

// inTurn runs the phases of a plan until one fails or ctx ends.
func inTurn(ctx context.Context, phases ...func() error) error {
	for _, phase := range phases {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := phase(); err != nil {
			return err
		}
	}
	return nil
}
