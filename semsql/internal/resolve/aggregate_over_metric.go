package resolve

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// readAggregatedMetric reads a plain aggregate around a metric's column, where that is another spelling of the
// metric. ok is false for an aggregate of something else.
func (s *Scope) readAggregatedMetric(name string, c *parse.Call) (x sqlexpr.Expr, ok bool, err error) {
	if len(c.Arguments) != 1 || len(c.OrderBy)+len(c.WithinGroup) > 0 || !IsAggregate(c) {
		return nil, false, nil
	}
	arg, isColumn := c.Arguments[0].(*parse.Column)
	if !isColumn {
		return nil, false, nil
	}
	m, err := s.resolveColumn(arg)
	if err != nil {
		return nil, true, err
	}
	ref, isRef := m.expr.(*sqlexpr.Ref)
	if !isRef || s.Refs.ReferenceOf(ref).Kind != MetricReferenceKind {
		return nil, false, nil
	}
	out := s.Refs.ReferenceOf(ref)
	if !aggregateEqualsMetric(out.Metric, name, c.Distinct) {
		return nil, true, s.metricAggregateMismatchError(c, out.Metric)
	}
	out.Marked, out.Column = true, name
	if name == "any_value" {
		out.Column = m.name
	}
	if c.Filter != nil {
		if out.Filter, err = s.LowerExpr(c.Filter); err != nil {
			return nil, true, err
		}
	}
	return s.Refs.Add(c.Pos(), out), true, nil
}

// metricAggregateMismatchError rejects an aggregate around a metric that it is not.
func (s *Scope) metricAggregateMismatchError(c *parse.Call, m *catalog.Metric) error {
	spelling := strings.ToUpper(c.Function.Text)
	e := sqlerror.New(sqlerror.CodeAggregateMismatch, c.Pos(), spelling+" is not the aggregate of the metric "+m.Name+": write MEASURE("+m.Name+")")
	return e.WithMetrics(m.Name).WithOssieCode("E1206").WithSuggestedStatement(s.FormatWithReplacedPart(c, func() parse.Node {
		return &parse.MeasureCall{Position: c.Position, Metric: firstColumnInCall(c), Filter: c.Filter}
	}))
}

// firstColumnInCall returns the first column that a call reads.
func firstColumnInCall(c *parse.Call) *parse.Column {
	var out *parse.Column
	parse.Walk(c, func(n parse.Node) bool {
		if column, ok := n.(*parse.Column); ok && out == nil {
			out = column
		}
		return out == nil
	})
	return out
}

// aggregateEqualsMetric reports whether an aggregate around a metric's column is the metric: it is one plain aggregate
// with that function, or declares the function in sql_aggregates.
func aggregateEqualsMetric(m *catalog.Metric, function string, distinct bool) bool {
	switch {
	case function == "any_value" && !distinct:
		return true
	case !distinct && slices.Contains(m.SQLAggregates, function):
		return true
	}
	measure := plainAggregateOfMetric(m)
	if measure == nil {
		return false
	}
	switch measure.Agg {
	case catalog.AggSum:
		return function == "sum" && !distinct
	case catalog.AggCount:
		return (function == "count" || function == "sum") && !distinct
	case catalog.AggCountDistinct:
		return function == "count" && distinct
	case catalog.AggAvg:
		return function == "avg" && !distinct
	case catalog.AggMin:
		return function == "min" && !distinct
	case catalog.AggMax:
		return function == "max" && !distinct
	}
	return false
}

// plainAggregateOfMetric returns the one plain aggregate that a metric, or the base of a filter, is; nil for any other
// metric, one with a window, and a semi-additive one.
func plainAggregateOfMetric(m *catalog.Metric) *catalog.Measure {
	for m.Derive != nil && m.Derive.Base != nil && m.Window == nil {
		m = m.Derive.Base
	}
	if m.Window != nil || m.At != nil || m.Forms.Default == nil {
		return nil
	}
	ref, ok := m.Forms.Default.Expr.(*sqlexpr.Ref)
	if !ok {
		return nil
	}
	measure, ok := m.Forms.Default.Operands[ref.ID].(*catalog.Measure)
	if !ok || measure.NonAdditive != nil {
		return nil
	}
	return measure
}
