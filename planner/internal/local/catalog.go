package local

import (
	"context"
	"errors"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/timezone"
	"github.com/semlayer/semlayer/planner/internal/scope"
	"github.com/semlayer/semlayer/planner/planerr"
	"github.com/semlayer/semlayer/planner/query"
)

// ExtendCatalog returns the catalog of a query: the model's, and the fields and the metrics of the query. q is
// nil for a query without metrics. A query that adds nothing has the model's own catalog.
func ExtendCatalog(ctx context.Context, cat *catalog.Catalog, with []query.LocalField, q *query.MetricQuery) (*catalog.Catalog, error) {
	if len(with) == 0 && (q == nil || len(q.InlineMetrics) == 0) {
		return cat, nil
	}
	var metrics []compile.QueryMetric
	if q != nil {
		metrics = inlineMetricsForCompile(q)
	}
	out, err := compile.ExtendCatalog(ctx, cat, localFieldsForCompile(with), metrics)
	if err != nil {
		var failure *modelspec.CompileError
		if errors.As(err, &failure) && failure.Code == compile.CodeDuplicateOutputNameInQuery {
			return nil, localFieldOrMetricNameTakenError(failure, cat, with, q)
		}
		if q != nil && failure != nil {
			if better := respellInMetric(q, failure); better != nil {
				return nil, &planerr.Error{
					Code: failure.Code, Message: failure.Message, Candidates: failure.Candidates, Hint: failure.Hint, Location: failure.Location, Fragment: better,
				}
			}
		}
		return nil, scope.ToPlanStageError(err)
	}
	return out, nil
}

// respellInMetric returns the metrics of a query in which the unknown name of an error is the one that was probably meant; nil where no
// name is near.
func respellInMetric(q *query.MetricQuery, failure *modelspec.CompileError) map[string]any {
	items := q.MetricItemsNamed(q.Metrics)
	for i, m := range items.Inline {
		if inlineMetricLocation(m)+"/expression" != failure.Location {
			continue
		}
		if text, ok := respellInExpression(m.Expression, failure.Candidates); ok {
			items.Inline[i].Expression = text
			return map[string]any{"metrics": items}
		}
	}
	return nil
}

func localFieldsForCompile(with []query.LocalField) []compile.QueryField {
	out := make([]compile.QueryField, len(with))
	for i, f := range with {
		out[i] = compile.QueryField{Location: localFieldLocation(i), Dataset: f.Dataset, Name: f.Name, Expression: f.Expression}
		if zone, ok := timezone.ParseNamedZone(f.Clock); ok {
			out[i].Clock = zone.Zone
		}
		if f.LOD != nil {
			out[i].LOD = &compile.QueryLOD{Grain: f.LOD.Grain, Where: f.LOD.Where, Via: f.LOD.Via}
		}
	}
	return out
}

func inlineMetricsForCompile(q *query.MetricQuery) []compile.QueryMetric {
	out := make([]compile.QueryMetric, len(q.InlineMetrics))
	for i, m := range q.InlineMetrics {
		out[i] = compile.QueryMetric{
			Location: inlineMetricLocation(m),
			Name:     m.Name, Expression: m.Expression, Dataset: m.Dataset, TimeDimension: m.TimeDimension, JoinsTexts: m.JoinsTexts,
		}
		if a := m.At; a != nil {
			out[i].At = &compile.QueryLevel{
				Include: a.Include, Exclude: a.Exclude, Only: a.Only, HasOnly: a.OnlyThese, Unfiltered: a.Unfiltered, DropsRowConditions: a.UnfilteredRows,
			}
		}
	}
	return out
}
