package resolve

import (
	"errors"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/modelspec/suggest"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/semsql/parse"
	"github.com/semlayer/semlayer/semsql/sqlerror"
)

// lowerMeasure reads MEASURE(m) and AGG(m).
func (s *Scope) lowerMeasure(e *parse.MeasureCall) (sqlexpr.Expr, error) {
	m, err := s.resolveColumn(e.Metric)
	if err != nil {
		return nil, s.toUnknownMetricError(e, err)
	}
	if s.results {
		return nil, sqlerror.New(sqlerror.CodeAggregateMismatch, e.Pos(), m.name+" is a column of a result, and MEASURE reads the metrics of a model").
			WithSuggestedStatement(s.FormatWithReplacedPart(e, func() parse.Node { return e.Metric }))
	}
	ref, ok := m.expr.(*sqlexpr.Ref)
	if !ok || s.Refs.ReferenceOf(ref).Kind != MetricReferenceKind {
		return nil, sqlerror.New(planerr.CodeUnknownMetric, e.Metric.Pos(), planerr.ClipText(pathText(e.Metric.Path))+" is not a metric").
			WithCandidates(suggest.Nearest(pathText(e.Metric.Path), s.metricNames(), sqlerror.MaxCandidates)).
			WithUnknownName(s.newUnknownName(pathText(e.Metric.Path), true))
	}
	out := s.Refs.ReferenceOf(ref)
	out.Marked = true
	if out.Bindings, err = s.readParamsOfMeasureCall(out.Metric, e.Arguments); err != nil {
		return nil, err
	}
	if e.Filter != nil {
		if out.Filter, err = s.LowerExpr(e.Filter); err != nil {
			return nil, err
		}
	}
	return s.Refs.Add(e.Pos(), out), nil
}

// toUnknownMetricError returns the error of a name that MEASURE does not find.
func (s *Scope) toUnknownMetricError(e *parse.MeasureCall, err error) error {
	var unknown *sqlerror.Error
	if !errors.As(err, &unknown) || unknown.Code != codeUnknownColumn {
		return err
	}
	name := e.Metric.Path[len(e.Metric.Path)-1].Text
	out := sqlerror.New(planerr.CodeUnknownMetric, e.Metric.Pos(), s.relationNamesText()+" has no metric "+planerr.ClipText(name))
	metrics := s.metricNames()
	out = out.WithCandidates(suggest.Nearest(name, metrics, sqlerror.MaxCandidates)).WithHint(unknown.Hint).WithUnknownName(s.newUnknownName(name, true))
	return s.suggestRespelling(out, e.Metric, metrics)
}

// metricNames lists the metrics that are columns of the sources.
func (s *Scope) metricNames() []string {
	var out []string
	for _, source := range s.Sources {
		for _, c := range source.Relation.Columns {
			if c.Metric != nil && c.Metric.Err == nil {
				out = append(out, c.Name)
			}
		}
	}
	return out
}

// readParamsOfMeasureCall reads the values of parameters, in the order of the metric's declaration.
func (s *Scope) readParamsOfMeasureCall(m *catalog.Metric, args []*parse.NamedArgument) ([]MetricParamBinding, error) {
	var out []MetricParamBinding
	for _, a := range args {
		declared := s.declaredParamName(m, a.Name)
		if declared == "" {
			return nil, sqlerror.New(planerr.CodeUnknownMetricParam, a.Pos(), m.Name+" has no parameter "+planerr.ClipText(a.Name.Text)).
				WithCandidates(s.paramNamesOfMetric(m)).WithMetrics(m.Name)
		}
		value, err := s.LowerExpr(a.X)
		if err != nil {
			return nil, err
		}
		bound, ok := s.exampleValueOfUnknownParameter(m, declared, a.X, value)
		if !ok {
			bound, ok = ParamValueOfLiteral(LiteralUnderCasts(value))
		}
		if !ok {
			return nil, sqlerror.New(planerr.CodeParamOutOfDomain, a.X.Pos(), "the value of the parameter "+declared+" is not a constant").WithMetrics(m.Name)
		}
		if slices.ContainsFunc(out, func(b MetricParamBinding) bool { return b.Name == declared }) {
			return nil, sqlerror.New(planerr.CodeParamOutOfDomain, a.Pos(), "the parameter "+declared+" has two values").WithMetrics(m.Name)
		}
		out = append(out, MetricParamBinding{Name: declared, Value: bound})
	}
	slices.SortFunc(out, func(a, b MetricParamBinding) int { return compareText(a.Name, b.Name) })
	return out, nil
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// declaredParamName returns the declared name of a parameter; "" where the metric has none of that name.
func (s *Scope) declaredParamName(m *catalog.Metric, name parse.Name) string {
	for _, declared := range s.paramNamesOfMetric(m) {
		if MatchesName(parse.Name{Text: declared, Quoted: true}, name) {
			return declared
		}
	}
	return ""
}

func (s *Scope) paramNamesOfMetric(m *catalog.Metric) []string {
	var out []string
	for _, p := range s.Cat.ParamsOfMetric(m, s.Dialect) {
		out = append(out, p.Name)
	}
	return out
}

// ParamValueOfLiteral returns a literal as the value of a parameter.
func ParamValueOfLiteral(e sqlexpr.Expr) (query.ParamValue, bool) {
	switch e := e.(type) {
	case *sqlexpr.Number:
		return query.ParamValue{Kind: query.NumberValue, Text: e.Text}, true
	case *sqlexpr.String:
		return query.ParamValue{Kind: query.StringValue, Text: e.Value}, true
	case *sqlexpr.TypedLiteral:
		return query.ParamValue{Kind: query.StringValue, Text: e.Value}, true
	case *sqlexpr.Bool:
		if e.Value {
			return query.ParamValue{Kind: query.BoolValue, Text: "true"}, true
		}
		return query.ParamValue{Kind: query.BoolValue, Text: "false"}, true
	case *sqlexpr.Null:
		return query.ParamValue{Kind: query.NullValue}, true
	case *sqlexpr.Unary:
		if n, ok := e.X.(*sqlexpr.Number); ok && e.Op == sqlexpr.OpNeg {
			return query.ParamValue{Kind: query.NumberValue, Text: "-" + n.Text}, true
		}
	}
	return query.ParamValue{}, false
}
