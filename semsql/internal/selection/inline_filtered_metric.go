package selection

import (
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// inlineFilteredMetric is MEASURE(m) FILTER (WHERE p): the one plain aggregate of the metric over the rows where p is
// true, beside the conditions of the metric itself.
func (q *metricQuery) inlineFilteredMetric(m measure) (query.InlineMetric, error) {
	aggregate, conds := plainAggregateOfMetric(m.ref.Metric)
	if aggregate == nil || len(m.ref.Bindings) > 0 {
		return query.InlineMetric{}, sqlerror.New(planerr.CodeNotImplemented, m.at, "FILTER works on metrics of one plain aggregate, and "+m.ref.Metric.Name+" is another").
			WithMetrics(m.ref.Metric.Name)
	}
	for i, cond := range conds {
		conds[i] = q.replaceFieldRefsByNames(cond)
	}
	where := sqlexpr.And(append(conds, q.ModelExpr(m.ref.Filter))...)
	arg := sqlexpr.Expr(&sqlexpr.Number{Text: "1"})
	if aggregate.Arg != nil {
		arg = q.replaceFieldRefsByNames(aggregate.Arg)
	}
	var orderBy sqlexpr.Expr
	if aggregate.OrderBy != nil {
		orderBy = q.replaceFieldRefsByNames(aggregate.OrderBy)
	}
	var e sqlexpr.Expr = aggregate.AggregateCall(nullUnlessCondition(where, arg), orderBy)
	if fill := m.ref.Metric.Fill; fill != "" {
		e = &sqlexpr.Call{Fn: sqlexpr.FnCoalesce, Name: sqlexpr.Name{Text: "COALESCE"}, Args: []sqlexpr.Expr{e, &sqlexpr.Number{Text: fill}}}
	}
	return query.InlineMetric{Expression: sqlexpr.Format(e), Dataset: aggregate.Home.Name}, nil
}

// plainAggregateOfMetric returns the one plain aggregate of a metric or of the base of filters, and the conditions of those
// filters; nil for any other metric.
func plainAggregateOfMetric(m *catalog.Metric) (*catalog.Measure, []sqlexpr.Expr) {
	var conds []sqlexpr.Expr
	for m.Window == nil && m.Derive != nil && m.Derive.Base != nil {
		conds = append(conds, m.Derive.Where)
		m = m.Derive.Base
	}
	if m.Window != nil || m.At != nil || m.Forms.Default == nil || len(m.Forms.ByDialect) > 0 {
		return nil, nil
	}
	ref, ok := m.Forms.Default.Expr.(*sqlexpr.Ref)
	if !ok {
		return nil, nil
	}
	aggregate, ok := m.Forms.Default.Operands[ref.ID].(*catalog.Measure)
	if !ok || aggregate.NonAdditive != nil {
		return nil, nil
	}
	return aggregate, conds
}

// replaceFieldRefsByNames writes an expression of the model over names.
func (q *metricQuery) replaceFieldRefsByNames(e sqlexpr.Expr) sqlexpr.Expr {
	return sqlexpr.RewriteRefs(e, func(ref *sqlexpr.Ref) sqlexpr.Expr { return q.Cat.FieldByID(ref.ID).QualifiedNameExpr() })
}
