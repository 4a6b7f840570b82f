package restapi

import (
	"context"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/planner/query"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// requestExamples are requests that this server can answer: they name what the model
// has, and each query among them compiles.
type requestExamples struct {
	metric      string
	dimension   string
	queries     []openapi.Example
	selections  []openapi.Example
	attribution []openapi.Example
	statements  []openapi.Example
	model       string
}

// How far to look for examples. The first metric and the first fields of a
// model mostly do.
const (
	maxMetricsTriedForExamples  = 20
	maxDatasetsTriedForExamples = 5
	maxExampleColumns           = 3
	exampleRowLimit             = 10
)

// The windows of the examples. Whether the data has rows there is not asked.
const (
	exampleWindowStart  = "2024-01-01"
	exampleWindowMiddle = "2024-07-01"
	exampleWindowEnd    = "2025-01-01"
	exampleGrain        = "month"
)

// inventedRequestExamples returns examples that hold nothing of a model.
func inventedRequestExamples() requestExamples {
	return requestExamples{model: "version: " + modelspec.SpecVersion + `
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
}

// newRequestExamples finds examples in the model of a service.
func newRequestExamples(ctx context.Context, service Service) requestExamples {
	x := inventedRequestExamples()
	compiles := func(q query.MetricQuery) bool { return compilesForExample(ctx, service, &q) }
	if all, err := service.Dimensions(ctx, ""); err == nil {
		for _, d := range all {
			if d.IsDimension {
				x.dimension = d.Name
				break
			}
		}
	}
	metrics, err := service.Metrics(ctx)
	if err != nil {
		return x
	}
	for _, m := range metrics[:min(len(metrics), maxMetricsTriedForExamples)] {
		if compiles(query.MetricQuery{Metrics: []string{m.Name}}) {
			x.metric = m.Name
			x.queries = metricQueryExamples(ctx, service, m.Name, compiles)
			break
		}
	}
	x.attribution = attributionExamples(ctx, service, metrics[:min(len(metrics), maxMetricsTriedForExamples)])
	x.selections = detailQueryExamples(ctx, service)
	x.statements = sqlStatementExamples(ctx, service, x.metric)
	return x
}

// compilesForExample reports whether a query can be an example.
func compilesForExample(ctx context.Context, service Service, q query.Body) bool {
	_, err := askStatement(ctx, service, q, engine.Statement.SQL)
	return err == nil
}

// sqlStatementExamples returns the metric of the first example, and rows of the first dataset.
func sqlStatementExamples(ctx context.Context, service Service, metric string) []openapi.Example {
	var out []openapi.Example
	add := func(name, summary, sql string) {
		if compilesForExample(ctx, service, &query.SQLStatement{SQL: sql}) {
			out = append(out, openapi.Example{Name: name, Summary: summary, Value: map[string]string{"sql": sql}})
		}
	}
	if metric != "" {
		add("metric", "One metric", "SELECT MEASURE("+quoteIdentifier(metric)+") FROM "+quoteIdentifier(service.Model().Name))
	}
	if all := service.Datasets(); len(all) > 0 {
		add("rows", "A few rows", "SELECT * FROM "+quoteIdentifier(all[0].Name)+" LIMIT 10")
	}
	return out
}

func quoteIdentifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func metricQueryExamples(ctx context.Context, service Service, metric string, compiles func(query.MetricQuery) bool) []openapi.Example {
	out := []openapi.Example{{Name: "total", Summary: "One metric", Value: &query.MetricQuery{Metrics: []string{metric}}}}
	add := func(name, summary string, q *query.MetricQuery) bool {
		if !compiles(*q) {
			return false
		}
		out = append(out, openapi.Example{Name: name, Summary: summary, Value: q})
		return true
	}
	dimensions, err := service.Dimensions(ctx, metric)
	if err != nil {
		return out
	}
	for _, d := range nonTimeDimensions(dimensions) {
		if add("by_dimension", "The same by a dimension, the largest first", &query.MetricQuery{
			Metrics: []string{metric}, GroupBy: []query.GroupBy{{Field: d.Name}},
			OrderBy: []query.OrderBy{{Key: metric, Desc: true}}, Limit: new(int64(exampleRowLimit)),
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
		if add("over_time", "The same over time", &query.MetricQuery{
			Metrics: []string{metric}, GroupBy: []query.GroupBy{{Field: d.Name, Grain: grain}},
			TimeRange: &query.TimeRange{Start: exampleWindowStart, End: exampleWindowEnd},
		}) {
			break
		}
	}
	return out
}

// nonTimeDimensions returns the dimensions that are not times, the declared ones first.
func nonTimeDimensions(all []describe.Dimension) []describe.Dimension {
	var declared, inferred []describe.Dimension
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
func attributionExamples(ctx context.Context, service Service, metrics []describe.Metric) []openapi.Example {
	for _, m := range metrics {
		if m.Attribution != "exact" || m.Kind == "ratio" || m.TimeDimension == "" || m.WindowFamily != "" || hasRequiredParam(m) {
			continue
		}
		dimensions, err := service.Dimensions(ctx, m.Name)
		if err != nil {
			continue
		}
		for _, d := range nonTimeDimensions(dimensions) {
			return []openapi.Example{{Name: "change", Summary: "Two halves of a year", Value: &query.AttributeQuery{
				Metric: m.Name, Dimensions: []string{d.Name},
				Baseline: &query.TimeRange{Start: exampleWindowStart, End: exampleWindowMiddle},
				Current:  &query.TimeRange{Start: exampleWindowMiddle, End: exampleWindowEnd},
			}}}
		}
	}
	return nil
}

// hasRequiredParam reports whether a query of a metric must bind a parameter.
func hasRequiredParam(m describe.Metric) bool {
	for _, p := range m.ParamSchema {
		if p.Required {
			return true
		}
	}
	return false
}

func detailQueryExamples(ctx context.Context, service Service) []openapi.Example {
	all, err := service.Dimensions(ctx, "")
	if err != nil {
		return nil
	}
	datasets := service.Datasets()
	for _, d := range datasets[:min(len(datasets), maxDatasetsTriedForExamples)] {
		var columns []string
		for _, f := range all {
			if len(columns) < maxExampleColumns && strings.HasPrefix(f.Name, d.Name+".") {
				columns = append(columns, f.Name)
			}
		}
		q := &query.DetailQuery{From: d.Name, Fields: columns, Limit: new(int64(exampleRowLimit))}
		if compilesForExample(ctx, service, q) {
			return []openapi.Example{{Name: "rows", Summary: "A few rows", Value: q}}
		}
	}
	return nil
}
