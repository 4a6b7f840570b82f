package engine

import (
	"context"

	"github.com/semlayer/semlayer/modelspec/lineage"
)

// Lineage returns the graph of the whole model, or with a metric the part that
// it is made of: everything upstream of it, and the joins between its datasets.
// What did not compile is in the graph with its error and with what is known of
// its origin. An unknown metric is a *planerr.Error of code unknown_metric, and the end of
// ctx an *ExecuteError of code timeout.
func (e *Engine) Lineage(ctx context.Context, metric string) (*lineage.Graph, error) {
	return describeAndConvertError(ctx, e, func(ctx context.Context) (*lineage.Graph, error) {
		if metric == "" {
			return lineage.ModelGraph(ctx, e.cat)
		}
		m, err := e.describer.FindMetric(metric)
		if err != nil {
			return nil, err
		}
		return lineage.MetricGraph(ctx, e.cat, m)
	})
}
