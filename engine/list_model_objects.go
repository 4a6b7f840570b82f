package engine

import (
	"context"

	"github.com/semlayer/semlayer/engine/describe"
)

// AIContext returns the context for language models of the model, or of the view that requests are in: a string or an object, as
// in the document; nil if the document has none.
func (e *Engine) AIContext() any {
	cat := e.visible().cat
	if v := cat.ScopeView(); v != nil && v.AIContext != nil {
		return v.AIContext
	}
	return cat.AIContext
}

// Datasets lists the datasets in the order of the model.
func (e *Engine) Datasets() []describe.Dataset { return e.visible().describer.Datasets() }

// Relationships lists the relationships in the order of the model.
func (e *Engine) Relationships() []describe.Relationship {
	return e.visible().describer.Relationships()
}

// MetricNames lists the names of the metrics in the order of the model.
func (e *Engine) MetricNames() []string { return e.visible().describer.MetricNames() }

// Metrics lists the metrics in the order of the model, including those that did not
// compile: a query that names one fails with its compile error. The error is an
// *ExecuteError of code timeout if ctx ended first.
func (e *Engine) Metrics(ctx context.Context) ([]describe.Metric, error) {
	return describeAndConvertError(ctx, e, e.describer.Metrics)
}

// Metric describes one metric. An unknown one is a *planerr.Error of code
// unknown_metric; one that did not compile is its *modelspec.CompileError; the end of ctx is an
// *ExecuteError of code timeout.
func (e *Engine) Metric(ctx context.Context, name string) (describe.Metric, error) {
	return describeAndConvertError(ctx, e, func(ctx context.Context) (describe.Metric, error) { return e.visible().describer.Metric(ctx, name) })
}

// Dimensions lists the fields of the model in its order. With a metric it lists
// what that metric can be grouped by: metric_time first when it has an axis,
// then every field it accepts, under the name that a query needs. An unknown
// metric is a *planerr.Error of code unknown_metric, and the end of ctx an *ExecuteError of
// code timeout: what a metric accepts costs the planning of a query for each field and
// grain.
func (e *Engine) Dimensions(ctx context.Context, metric string) ([]describe.Dimension, error) {
	return describeAndConvertError(ctx, e, func(ctx context.Context) ([]describe.Dimension, error) {
		return e.visible().describer.Dimensions(ctx, metric)
	})
}

// describeAndConvertError runs describe and converts its error to one with a code.
func describeAndConvertError[T any](ctx context.Context, e *Engine, describe func(context.Context) (T, error)) (out T, err error) {
	defer e.recoverToError(&err)
	if err := e.checkReader(); err != nil {
		return out, err
	}
	if out, err = describe(ctx); err != nil {
		return out, e.toPlanError(ctx, err)
	}
	return out, nil
}
