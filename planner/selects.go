package planner

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/compose"
	"github.com/semlayer/semlayer/planner/internal/detail"
	"github.com/semlayer/semlayer/planner/internal/members"
	"github.com/semlayer/semlayer/planner/internal/metric"
	"github.com/semlayer/semlayer/planner/internal/repair"
	"github.com/semlayer/semlayer/planner/query"
)

// InSubqueryCondition is a condition of a SQL statement on input rows: the field is, or with Not is not, among the rows of a
// subquery of one column. It decides as SQL does with three truth values, and filters the rows of every branch.
type InSubqueryCondition struct {
	Field string // a reference as in a query: dataset.field, a role path or a bare name
	Not   bool
	Rows  *compose.Rows
}

// MetricSelect is a query of the metric plane, with conditions that a request has no key for.
type MetricSelect struct {
	Query   *query.MetricQuery
	Members []InSubqueryCondition
}

// PlanMetricSelect plans a query of the metric plane for a SQL statement. Without members it is PlanMetrics.
func (p *Planner) PlanMetricSelect(ctx context.Context, s *MetricSelect, t Target) (*Planned, error) {
	t.Now = t.NowOrCallTime() // of all retries
	target := t.UsesOnce()
	among := convertInSubqueryConditions(s.Members)
	return repair.PlanWithRetry(ctx, s.Query, func(q *query.MetricQuery) (*Planned, error) {
		if err := checkMetricRequest(q, p.cat.View(q.View)); err != nil {
			return nil, err
		}
		return withConditionsOf(p.cat, q.View, func(cat *catalog.Catalog) (*Planned, error) {
			return metric.PlanWithSubqueryConditions(ctx, cat, q, among, target())
		})
	})
}

// DetailSelect is a query of the detail plane, with conditions that a request has no key for. Unlimited: all rows
// are returned where the query has no limit, and a limit may be larger than that of a request; the rows are
// ordered by the order keys alone where nothing limits them.
type DetailSelect struct {
	Query     *query.DetailQuery
	Members   []InSubqueryCondition
	Unlimited bool
}

// PlanDetailSelect plans a query of the detail plane for a SQL statement. With Query alone it is PlanDetail.
func (p *Planner) PlanDetailSelect(ctx context.Context, s *DetailSelect, t Target) (*Planned, error) {
	t.Now = t.NowOrCallTime() // of all retries
	target := t.UsesOnce()
	among := convertInSubqueryConditions(s.Members)
	return repair.PlanWithRetry(ctx, s.Query, func(q *query.DetailQuery) (*Planned, error) {
		if err := checkDetailRequest(q, p.cat.View(q.View)); err != nil {
			return nil, err
		}
		return withConditionsOf(p.cat, q.View, func(cat *catalog.Catalog) (*Planned, error) {
			return detail.PlanForStatement(ctx, cat, q, detail.StatementConditionsAndLimit{Members: among, Unlimited: s.Unlimited}, target())
		})
	})
}

func convertInSubqueryConditions(all []InSubqueryCondition) []members.InCondition {
	out := make([]members.InCondition, len(all))
	for i, m := range all {
		out[i] = members.InCondition{Field: m.Field, Not: m.Not, Rows: m.Rows.PlanNode()}
	}
	return out
}
