package mcp

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/semlayer/semlayer/engine"
)

// Service is the part of an engine that the tools use; *engine.Engine implements it.
type Service interface {
	Model() engine.ModelInfo
	AIContext() any
	Capabilities() engine.Capabilities
	Datasets() []engine.DatasetInfo
	MetricNames() []string
	Metrics(context.Context) ([]engine.MetricInfo, error)
	Metric(ctx context.Context, name string) (engine.MetricInfo, error)
	Dimensions(ctx context.Context, metric string) ([]engine.DimensionInfo, error)
	Connections() []engine.ConnectionInfo
	Saved() []engine.SavedInfo
	Validate(ctx context.Context, model []byte) (*engine.Validation, error)
	CompileMetrics(context.Context, *engine.MetricQuery) (*engine.Compiled, error)
	ExplainMetrics(context.Context, *engine.MetricQuery) (*engine.Explained, error)
	ExecuteMetrics(context.Context, *engine.MetricQuery) (*engine.Result, error)
	Attribute(context.Context, *engine.AttributeQuery) (*engine.Attribution, error)
	CompileSelect(context.Context, *engine.DetailQuery) (*engine.Compiled, error)
	ExecuteSelect(context.Context, *engine.DetailQuery) (*engine.Result, error)
}

// tool is one tool.
type tool struct {
	name   string
	title  string
	text   string
	schema *jsonschema.Schema
	// executes marks what a server that only compiles refuses and what has the
	// budget of an execution.
	executes bool
	// call takes arguments that fit the schema.
	call func(context.Context, json.RawMessage) (toolResult, error)
}

// The arguments of the tools that take no query.
type (
	noArguments struct{}

	metricArguments struct {
		Metric string `json:"metric" jsonschema:"Name of a metric, from list_metrics."`
	}
	dimensionArguments struct {
		Metric string `json:"metric,omitempty" jsonschema:"Only what this metric can be grouped by, under the names that a query of it takes. Without it every field of the model."`
		pageArguments
	}
	modelArguments struct {
		Model string `json:"model" jsonschema:"The text of a model file, YAML or JSON."`
	}
)

// tools is the table of tools.
func (s *server) tools(b modelSummary) []tool {
	metricQuery := bodySchema(reflect.TypeFor[engine.MetricQuery](), "metrics")
	detailQuery := bodySchema(reflect.TypeFor[engine.DetailQuery](), "from", "fields")
	attributeQuery := bodySchema(reflect.TypeFor[engine.AttributeQuery](), "metric", "baseline", "current")
	for _, q := range []*jsonschema.Schema{metricQuery, detailQuery, attributeQuery} {
		if len(b.connections) > 0 {
			if b.connectionRequired {
				q.Properties["connection"].Description = "The connection profile to run on, needed wherever something is run."
			}
			q.Properties["connection"].Description += " There are: " + joinNames(b.connections, descriptionBudget, "an unknown name lists them") + "."
		}
		b.describeSaved(q)
	}
	pages := argumentsSchema[pageArguments]()
	return []tool{
		{name: "list_datasets", title: "List datasets", schema: pages, call: s.listDatasets,
			text: "List the datasets (logical tables) with their keys, time dimensions and descriptions." + b.datasetsNote()},
		{name: "list_metrics", title: "List metrics", schema: pages, call: s.listMetrics,
			text: "List the metrics with what they mean and are made of. search narrows the list." + b.metricsNote()},
		{name: "list_dimensions", title: "List dimensions", schema: argumentsSchema[dimensionArguments](), call: s.listDimensions,
			text: "List the fields that queries can group by or filter on; with metric, exactly what that metric takes." + b.datasetsNote()},
		{name: "describe_metric", title: "Describe a metric", schema: argumentsSchema[metricArguments](), call: s.describeMetric,
			text: "Say what one metric means: its description, parameters, time axis, and the dimensions that it can be grouped by." + b.metricsNote()},
		{name: "get_capabilities", title: "Capabilities", schema: argumentsSchema[noArguments](), call: s.capabilities,
			text: "List the versions, SQL dialects, types of connections and keys of the extension that this engine supports." + b.modelNote()},
		{name: "validate_model", title: "Validate a model", schema: argumentsSchema[modelArguments](), call: s.validate,
			text: "Check the text of a semantic model: structural findings, compile errors, warnings. It does not change the served model." + b.modelNote()},
		{name: "compile_sql", title: "Compile a metric query", schema: metricQuery, call: s.compile,
			text: "Write the SQL of a metric query for any dialect. Nothing is run." + b.metricsNote()},
		{name: "explain_query", title: "Explain a metric query", schema: metricQuery, call: s.explain,
			text: "Show the logical plan of a metric query: which datasets it joins, what it filters and aggregates, and in which order. Nothing is run." + b.metricsNote()},
		{name: "run_query", title: "Run a metric query", schema: metricQuery, executes: true, call: s.run,
			text: "Run a metric query and return its rows: metrics, grouped by dimensions, filtered and sorted." + b.metricsNote()},
		{name: "compile_select", title: "Compile a detail query", schema: detailQuery, call: s.compileSelect,
			text: "Write the SQL of a detail query, one row for each row of a dataset. Nothing is run." + b.datasetsNote()},
		{name: "select", title: "Run a detail query", schema: detailQuery, executes: true, call: s.selectRows,
			text: "Return single rows of a dataset, with columns of the datasets that it leads to: 100 rows unless limit is set. For numbers over many rows use run_query." + b.datasetsNote()},
		{name: "attribute_metric", title: "Explain a change", schema: attributeQuery, executes: true, call: s.attribute,
			text: "Explain the change of a metric between two windows of time: the total change, and the contribution of each segment of each dimension." + b.metricsNote()},
	}
}
