package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/planner/query"
)

// MetricDefinition is what a metric computes and how it is requested.
type MetricDefinition struct {
	// Expression is the expression of the metric in the text of the model; "" for one that is written for single
	// dialects alone.
	Expression string `json:"expression,omitempty"`
	// Definition is the computation on one line, with the metrics that the metric is made of expanded.
	Definition string `json:"definition"`
	// Example is a query that compiles.
	Example *query.MetricQuery `json:"example"`
	// Saved are the saved queries that name the metric.
	Saved []string `json:"saved,omitempty"`
}

// MetricDefinition returns what a metric computes. The error is that of Metric.
func (e *Engine) MetricDefinition(ctx context.Context, name string) (*MetricDefinition, error) {
	if _, err := e.Metric(ctx, name); err != nil {
		return nil, err
	}
	return describeAndConvertError(ctx, e, func(ctx context.Context) (*MetricDefinition, error) {
		m := e.cat.Metric(name)
		example, err := e.exampleQueryOfMetric(ctx, m)
		if err != nil {
			return nil, err
		}
		out := &MetricDefinition{Expression: e.expressions[m.Name], Definition: e.describer.MetricDefinition(m), Example: example}
		for _, s := range e.SavedQueries() {
			if slices.Contains(s.Metrics, m.Name) {
				out.Saved = append(out.Saved, s.Name)
			}
		}
		return out, nil
	})
}

// exampleQueryOfMetric returns a query of a metric that compiles, with values for the parameters that have no default.
func (e *Engine) exampleQueryOfMetric(ctx context.Context, m *catalog.Metric) (*query.MetricQuery, error) {
	use, err := e.queryUseOfMetric(ctx, m)
	if err != nil {
		return nil, err
	}
	return &query.MetricQuery{Metrics: use.Metrics, GroupBy: use.queryGroupBys(), Params: e.describer.SampleParamBindings(m)}, nil
}

// expressionTextByMetric returns the expressions of the metrics of a document, by name.
func expressionTextByMetric(doc *modelspec.Document) map[string]string {
	out := map[string]string{}
	for _, m := range doc.Model().Metrics {
		if m.Expression == nil {
			continue
		}
		if entry := m.Expression.DefaultEntry(); entry != nil {
			out[m.Name.Value] = strings.Clone(entry.Expression.Value) // the text of the model is not kept
		}
	}
	return out
}
