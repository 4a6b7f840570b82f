package planner

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/internal/attribute"
	"github.com/semlayer/semlayer/planner/internal/compatible"
	"github.com/semlayer/semlayer/planner/internal/detail"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/repair"
	"github.com/semlayer/semlayer/planner/internal/saved"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/internal/viewrange"
	"github.com/semlayer/semlayer/planner/internal/where"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/planner/sqltype"
)

// Planner plans queries against one catalog. It is immutable.
type Planner struct {
	cat   *catalog.Catalog
	facts *compatible.ModelTraits // found when they are first needed
}

// New returns a planner over a catalog.
func New(cat *catalog.Catalog) *Planner { return &Planner{cat: cat, facts: &compatible.ModelTraits{}} }

// Target is what a plan is made for: the dialect, whose variants of the
// model's expressions are used, and what that dialect can do.
type Target = plan.Target

// Planned is a query's logical plan and its result columns in order.
type Planned = plan.PlannedQuery

// OutputColumn describes one result column. Metric is "" for a group-by.
type OutputColumn = plan.OutputColumn

// PlannedAttribution is a planned attribution: the queries that fetch its numbers, and
// what is to be made of them. Run every query, then call Report.
type PlannedAttribution = attribute.PlannedAttribution

// QueryResultRows are the rows of one query in column order; each value is nil, a string,
// a bool or a json.Number.
type QueryResultRows = attribute.QueryResultRows

// PlanMetrics plans a query of the metric plane. The error is a *planerr.Error
// for a query that cannot be planned, or the *modelspec.CompileError of an
// object that the query uses and that failed to compile, or what ctx ended with:
// planning is arithmetic, and looks at ctx between its phases and for each column.
func (p *Planner) PlanMetrics(ctx context.Context, q *query.MetricQuery, t Target) (*Planned, error) {
	t.Now = t.NowOrCallTime() // of all retries
	target := t.UsesOnce()
	return repair.PlanWithRetry(ctx, q, func(q *query.MetricQuery) (*Planned, error) {
		return saved.PlanRequest(p.cat, q, saved.MetricRequestDecoder, func(q *query.MetricQuery) (*Planned, error) {
			if err := checkMetricRequest(q, p.cat.View(q.View)); err != nil {
				return nil, err
			}
			return inScopeOf(ctx, p.cat, q.View, q.Sequences, func(cat *catalog.Catalog) (*Planned, error) {
				return withMaxAge(q.MaxAge)(metric.Plan(ctx, cat, q, target()))
			})
		})
	})
}

// withMaxAge returns a function that notes the age of a request in its plan.
func withMaxAge(age *int64) func(*Planned, error) (*Planned, error) {
	return func(planned *Planned, err error) (*Planned, error) {
		if err == nil {
			planned.MaxAge = age
		}
		return planned, err
	}
}

// PlanDetail plans a query of the detail plane: one row for each row of the
// root dataset, other datasets joined along edges that never multiply rows.
// Errors are as of PlanMetrics.
//
// The result is always limited, and so always ordered: by the order keys, then
// by the remaining projected columns from left to right, until the root's
// primary key is among them. Rows that tie are equal in every column, so that
// which of them a limit keeps makes no difference.
func (p *Planner) PlanDetail(ctx context.Context, q *query.DetailQuery, t Target) (*Planned, error) {
	t.Now = t.NowOrCallTime() // of all retries
	target := t.UsesOnce()
	return repair.PlanWithRetry(ctx, q, func(q *query.DetailQuery) (*Planned, error) {
		return saved.PlanRequest(p.cat, q, saved.DetailRequestDecoder, func(q *query.DetailQuery) (*Planned, error) {
			if err := checkDetailRequest(q, p.cat.View(q.View)); err != nil {
				return nil, err
			}
			return inScopeOf(ctx, p.cat, q.View, q.Sequences, func(cat *catalog.Catalog) (*Planned, error) {
				return withMaxAge(q.MaxAge)(detail.Plan(ctx, cat, q, target()))
			})
		})
	})
}

// PlanAttribution plans the queries of an attribution. Errors are as of
// PlanMetrics.
func (p *Planner) PlanAttribution(ctx context.Context, q *query.AttributeQuery, t Target) (*PlannedAttribution, error) {
	t.Now = t.NowOrCallTime() // of all retries
	target := t.UsesOnce()
	return repair.PlanWithRetry(ctx, q, func(q *query.AttributeQuery) (*PlannedAttribution, error) {
		return saved.PlanRequest(p.cat, q, saved.AttributionRequestDecoder, func(q *query.AttributeQuery) (*PlannedAttribution, error) {
			if err := checkAttributeRequest(q); err != nil {
				return nil, err
			}
			planned, err := inViewOf(p.cat, q.View, func(cat *catalog.Catalog) (*PlannedAttribution, error) {
				return attribute.Plan(ctx, cat, q, target())
			})
			if err == nil {
				for _, each := range planned.Queries() {
					each.MaxAge = q.MaxAge
				}
			}
			return planned, err
		})
	})
}

// IsAttributable reports whether a change of a metric between two months can be
// split between the values of a dimension. Parameters without a default are
// taken at some value that they allow. It is false too when ctx ends first.
func (p *Planner) IsAttributable(ctx context.Context, metric string, t Target) bool {
	return attribute.IsAttributable(ctx, p.cat, metric, t)
}

// ResolveMetricRanges resolves the relative ranges of a query without planning it. A plan is good for
// another time where all ranges but their AsOf are the same then. Errors are as of PlanMetrics.
func (p *Planner) ResolveMetricRanges(ctx context.Context, q *query.MetricQuery, t Target) ([]plan.ResolvedTimeRange, error) {
	return saved.PlanRequest(p.cat, q, saved.MetricRequestDecoder, func(q *query.MetricQuery) ([]plan.ResolvedTimeRange, error) {
		return inScopeOf(ctx, p.cat, q.View, q.Sequences, func(cat *catalog.Catalog) ([]plan.ResolvedTimeRange, error) {
			return where.DescribeRelativeRanges(viewrange.WithAny(scope.NewEnv(ctx, cat, q, t), nil))
		})
	})
}

// ResolveDetailRanges does for a detail query what ResolveMetricRanges does.
func (p *Planner) ResolveDetailRanges(ctx context.Context, q *query.DetailQuery, t Target) ([]plan.ResolvedTimeRange, error) {
	return saved.PlanRequest(p.cat, q, saved.DetailRequestDecoder, func(q *query.DetailQuery) ([]plan.ResolvedTimeRange, error) {
		return inScopeOf(ctx, p.cat, q.View, q.Sequences, func(cat *catalog.Catalog) ([]plan.ResolvedTimeRange, error) {
			in := scope.NewRecordsEnv(ctx, cat, q, t)
			return where.DescribeRelativeRanges(viewrange.WithAny(in, cat.Dataset(q.From)))
		})
	})
}

// CompatibleItems are the metrics and dimensions that a query accepts, in the order of the model.
type CompatibleItems = compatible.Items

// CompatibleDimension is a dimension that a query accepts.
type CompatibleDimension = compatible.Dimension

// FindCompatibleItems lists the metrics and the dimensions that a query accepts as one more item, without those that it
// names. A query that names no metric accepts a dimension if one of the listed metrics accepts it with the
// group-bys of the query. The error is that of the query itself, as of PlanMetrics.
func (p *Planner) FindCompatibleItems(ctx context.Context, q *query.MetricQuery, t Target) (CompatibleItems, error) {
	t.Now = t.NowOrCallTime() // of all trials
	return repair.PlanWithRetry(ctx, q, func(q *query.MetricQuery) (CompatibleItems, error) {
		return saved.PlanRequest(p.cat, q, saved.MetricRequestDecoder, func(q *query.MetricQuery) (CompatibleItems, error) {
			return inScopeOf(ctx, p.cat, q.View, q.Sequences, func(cat *catalog.Catalog) (CompatibleItems, error) {
				facts := p.facts
				check := func(q *query.MetricQuery) error { return checkMetricRequest(q, p.cat.View(q.View)) }
				if len(q.Sequences) > 0 { // which are objects beside those of the model
					facts = &compatible.ModelTraits{}
				}
				return compatible.Find(ctx, compatible.Request{Catalog: cat, Query: q, Target: t, Check: check, Facts: facts})
			})
		})
	})
}

// ResultTypes returns the types of the columns of a planned query, as a SQL result has them: they are known without
// executing it. A metric's own datatype is that of its column. Types that cannot be known are sqltype.Unknown.
func (p *Planner) ResultTypes(planned *Planned) []sqltype.Type {
	types := sqltype.ColumnTypesOfPlan(planned.Root, func(i int) bool { return i < len(planned.Columns) && planned.Columns[i].Metric != "" })
	for i, c := range planned.Columns {
		if c.Metric == "" || c.Kind != "" {
			continue
		}
		if m := p.cat.Metric(c.Metric); m != nil && m.Datatype != "" {
			types[i] = sqltype.FromLogicalType(m.Type)
		}
	}
	return types
}
