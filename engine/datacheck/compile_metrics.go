package datacheck

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner"
	"github.com/semlayer/semlayer/planner/plan"
	"github.com/semlayer/semlayer/planner/query"
)

// compileMetricsOnWarehouse has the warehouse compile the SQL of each metric. A metric made of something that was found broken
// is left out: that was reported.
func (c *dataChecker) compileMetricsOnWarehouse(ctx context.Context, u unreadableObjects) error {
	if !c.options.reportsAnyCode(CodeExpressionRejected) {
		return nil
	}
	sources, err := newUpstreamGraph(ctx, c.Catalog)
	if err != nil {
		return err
	}
	for _, m := range c.Catalog.Metrics {
		if m.ErrorForDialect(c.Dialect.Name()) != nil || !sources.canReadUpstream(lineageMetricID(m), u) {
			continue
		}
		planned, err := c.planMetric(ctx, m)
		if err != nil {
			return err
		}
		if planned == nil || !c.canReadPlanDatasets(planned.Root, u) {
			continue
		}
		_, err = c.warehouse.runPlan(ctx, &plan.Limit{Input: planned.Root, N: 0})
		why := asStatementError(err)
		switch {
		case why != nil:
			c.reportRejectedExpression(c.places.metricExpressionPlace(m), "the SQL of the metric "+m.Name, why)
		case err != nil:
			return err
		}
	}
	return nil
}

// canReadPlanDatasets reports whether all datasets that a plan scans can be read; it may join some that the metric does not name.
func (c *dataChecker) canReadPlanDatasets(node plan.Node, u unreadableObjects) bool {
	if s, ok := node.(*plan.Scan); ok && u.failed[c.Catalog.Dataset(s.Dataset)] {
		return false
	}
	for _, in := range node.Inputs() {
		if !c.canReadPlanDatasets(in, u) {
			return false
		}
	}
	return true
}

// planMetric plans the metric without a group. Where a window needs time it groups by its time axis, by the
// first grain that plans. The plan is nil where no such query of the metric plans.
func (c *dataChecker) planMetric(ctx context.Context, m *catalog.Metric) (*planner.Planned, error) {
	q := &query.MetricQuery{Metrics: []string{m.Name}, Params: bindParamsWithoutDefault(c.Catalog.ParamsOfMetric(m, c.Dialect.Name()))}
	for _, f := range m.RequiredGroupByFields(c.Dialect.Name()) {
		q.GroupBy = append(q.GroupBy, query.GroupBy{Field: f.QualifiedName()})
	}
	planned, err := c.planMetricsOrNil(ctx, q)
	if planned != nil || err != nil {
		return planned, err
	}
	for grain := sqlexpr.GrainYear; grain >= sqlexpr.GrainDay; grain-- {
		byTime := *q
		byTime.GroupBy = append([]query.GroupBy{{Field: "metric_time", Grain: grain.String()}}, q.GroupBy...)
		if planned, err = c.planMetricsOrNil(ctx, &byTime); planned != nil || err != nil {
			return planned, err
		}
	}
	return nil, nil
}

// planMetricsOrNil returns nil for a query that does not plan.
func (c *dataChecker) planMetricsOrNil(ctx context.Context, q *query.MetricQuery) (*planner.Planned, error) {
	planned, err := c.Planner.PlanMetrics(ctx, q, c.Target)
	return planned, ignoreStatementError(toStatementError(err))
}

// bindParamsWithoutDefault binds the parameters that have no default to a value that they allow.
func bindParamsWithoutDefault(params []*catalog.Param) []query.ParamBinding {
	var out []query.ParamBinding
	for _, p := range params {
		if p.Default == nil {
			out = append(out, query.ParamBinding{Name: p.Name, Values: []query.ParamValue{allowedParamValue(p)}})
		}
	}
	return out
}

func allowedParamValue(p *catalog.Param) query.ParamValue {
	kind, text := query.StringValue, "x"
	switch p.Type {
	case catalog.ParamInt, catalog.ParamFloat:
		kind, text = query.NumberValue, "1"
	case catalog.ParamBool:
		kind, text = query.BoolValue, "true"
	case catalog.ParamDate:
		text = "2024-01-01"
	}
	switch {
	case len(p.Allowed) > 0:
		text = catalog.UnquotedLiteralText(p.Allowed[0])
	case p.Min != nil:
		text = catalog.UnquotedLiteralText(p.Min)
	case p.Max != nil:
		text = catalog.UnquotedLiteralText(p.Max)
	}
	return query.ParamValue{Kind: kind, Text: text}
}
