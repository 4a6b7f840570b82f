package restapi

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// exampleSet are requests that this server can answer: they name what the model
// has, and each query among them compiles.
type exampleSet struct {
	metric      string
	queries     []openapi.Example
	selections  []openapi.Example
	attribution []openapi.Example
	model       string
}

// How far to look for examples. The first metric and the first fields of a
// model mostly do.
const (
	maxTriedMetrics  = 20
	maxTriedDatasets = 5
	exampleColumns   = 3
	exampleRows      = 10
)

// The windows of the examples. Whether the data has rows there is not asked.
const (
	exampleStart  = "2024-01-01"
	exampleMiddle = "2024-07-01"
	exampleEnd    = "2025-01-01"
	exampleGrain  = "month"
)

// newExampleSet finds examples in the model of a service.
func newExampleSet(ctx context.Context, service Service) exampleSet {
	x := exampleSet{model: "version: " + service.Capabilities().SpecVersion + `
semantic_model:
  - name: shop
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
        fields:
          - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
          - {name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
    metrics:
      - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
`}
	compiles := func(q engine.MetricQuery) bool {
		_, err := service.CompileMetrics(ctx, &q)
		return err == nil
	}
	metrics, err := service.Metrics(ctx)
	if err != nil {
		return x
	}
	for _, m := range metrics[:min(len(metrics), maxTriedMetrics)] {
		if compiles(engine.MetricQuery{Metrics: []string{m.Name}}) {
			x.metric = m.Name
			x.queries = metricExamples(ctx, service, m.Name, compiles)
			break
		}
	}
	x.attribution = attributionExamples(ctx, service, metrics[:min(len(metrics), maxTriedMetrics)])
	x.selections = detailExamples(ctx, service)
	return x
}

func metricExamples(ctx context.Context, service Service, metric string, compiles func(engine.MetricQuery) bool) []openapi.Example {
	out := []openapi.Example{{Name: "total", Summary: "One metric", Value: openapi.MetricQuery{Metrics: []string{metric}}}}
	add := func(name, summary string, q openapi.MetricQuery) bool {
		asked := engine.MetricQuery{Metrics: q.Metrics, GroupBy: q.GroupBy, OrderBy: q.OrderBy, TimeRange: q.TimeRange}
		if !compiles(asked) {
			return false
		}
		out = append(out, openapi.Example{Name: name, Summary: summary, Value: q})
		return true
	}
	dimensions, err := service.Dimensions(ctx, metric)
	if err != nil {
		return out
	}
	for _, d := range groupable(dimensions) {
		if add("by_dimension", "The same by a dimension, the largest first", openapi.MetricQuery{
			Metrics: []string{metric}, GroupBy: []engine.GroupBy{{Field: d.Name}},
			OrderBy: []engine.OrderBy{{Key: metric, Desc: true}}, Limit: exampleRows,
		}) {
			break
		}
	}
	for _, d := range dimensions {
		if len(d.Grains) == 0 {
			continue
		}
		grain := d.Grains[len(d.Grains)-1]
		if slices.Contains(d.Grains, exampleGrain) {
			grain = exampleGrain
		}
		if add("over_time", "The same over time", openapi.MetricQuery{
			Metrics: []string{metric}, GroupBy: []engine.GroupBy{{Field: d.Name, Grain: grain}},
			TimeRange: &engine.TimeRange{Start: exampleStart, End: exampleEnd},
		}) {
			break
		}
	}
	return out
}

// groupable returns the dimensions that are not times, the declared ones first.
func groupable(all []engine.DimensionInfo) []engine.DimensionInfo {
	var declared, inferred []engine.DimensionInfo
	for _, d := range all {
		switch {
		case !d.IsDimension || d.IsTime:
		case d.Source == "declared":
			declared = append(declared, d)
		default:
			inferred = append(inferred, d)
		}
	}
	return append(declared, inferred...)
}

// attributionExamples shows a metric whose change can be explained.
func attributionExamples(ctx context.Context, service Service, metrics []engine.MetricInfo) []openapi.Example {
	for _, m := range metrics {
		if m.Attribution != "exact" || m.Kind == "ratio" || m.TimeDimension == "" || m.WindowFamily != "" || hasRequiredParam(m) {
			continue
		}
		dimensions, err := service.Dimensions(ctx, m.Name)
		if err != nil {
			continue
		}
		for _, d := range groupable(dimensions) {
			return []openapi.Example{{Name: "change", Summary: "Two halves of a year", Value: openapi.AttributeQuery{
				Metric: m.Name, Dimensions: []string{d.Name},
				Baseline: &openapi.Window{Start: exampleStart, End: exampleMiddle},
				Current:  &openapi.Window{Start: exampleMiddle, End: exampleEnd},
			}}}
		}
	}
	return nil
}

// hasRequiredParam reports whether a query of a metric must bind a parameter.
func hasRequiredParam(m engine.MetricInfo) bool {
	for _, p := range m.ParamSchema {
		if p.Required {
			return true
		}
	}
	return false
}

func detailExamples(ctx context.Context, service Service) []openapi.Example {
	all, err := service.Dimensions(ctx, "")
	if err != nil {
		return nil
	}
	datasets := service.Datasets()
	for _, d := range datasets[:min(len(datasets), maxTriedDatasets)] {
		var columns []string
		for _, f := range all {
			if len(columns) < exampleColumns && strings.HasPrefix(f.Name, d.Name+".") {
				columns = append(columns, f.Name)
			}
		}
		q := openapi.DetailQuery{From: d.Name, Fields: columns, Limit: exampleRows}
		limit := q.Limit
		if _, err := service.CompileSelect(ctx, &engine.DetailQuery{From: q.From, Fields: q.Fields, Limit: &limit}); err == nil {
			return []openapi.Example{{Name: "rows", Summary: "A few rows", Value: q}}
		}
	}
	return nil
}
