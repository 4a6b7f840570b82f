package mcp

import (
	"context"
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/planner/query"
)

// Service is the part of an engine that the tools use; *engine.Engine implements it.
type Service interface {
	Model() engine.ModelInfo
	AIContext() any
	Capabilities() engine.Capabilities
	Datasets() []describe.Dataset
	MetricNames() []string
	Metrics(context.Context) ([]describe.Metric, error)
	Metric(ctx context.Context, name string) (describe.Metric, error)
	MetricDefinition(ctx context.Context, name string) (*engine.MetricDefinition, error)
	Dimensions(ctx context.Context, metric string) ([]describe.Dimension, error)
	Connections() []engine.ConnectionInfo
	SavedQueries() []describe.SavedQuery
	BindSavedQueryArguments(ctx context.Context, name string, texts map[string]string) ([]query.ParamBinding, error)
	SavedQueryBody(name string) ([]byte, error)
	MatchingNames(kind, text string) map[string]bool
	Find(context.Context, *query.FindQuery) (*engine.FindResult, error)
	FieldValues(context.Context, *query.ValuesQuery) (*engine.FieldValues, error)
	CompatibleItems(context.Context, *query.CompatibleQuery) (*engine.CompatibleItems, error)
	Validate(ctx context.Context, model []byte) (*engine.Validation, error)
	Prepare(context.Context, query.Body) (engine.Statement, error)
	Attribute(context.Context, *query.AttributeQuery) (*engine.Attribution, error)
	DataSourceID() string
	ExecuteOssieQuery(ctx context.Context, q *engine.OssieQuery, connection string) (*engine.OssieResult, error)
}

// toolCall serves a call with some arguments.
type toolCall func(context.Context, json.RawMessage) (toolResult, error)

// tool is one tool.
type tool struct {
	name   string
	text   string
	schema *jsonschema.Schema
	// executes marks what a server that only compiles rejects and what has the
	// budget of an execution.
	executes bool
	// call takes the arguments of a call, and rejects those that do not fit.
	call toolCall
	// fail is the result of a call with some arguments that failed; nil for the error struct.
	fail func(json.RawMessage, error) *sdk.CallToolResult
}

// The arguments that several tools take.
var (
	searchArgument = toolArgument{"search", jsonTypeString, ""}
	offsetArgument = toolArgument{"offset", jsonTypeInteger, ""}
	limitArgument  = toolArgument{"limit", jsonTypeInteger, ""}
	detailArgument = toolArgument{"detail", jsonTypeBoolean, ""}
	metricArgument = toolArgument{"metric", jsonTypeString, ""}
	viewArgument   = toolArgument{viewParameter, jsonTypeString, ""}
	sqlArgument    = toolArgument{"sql", jsonTypeString, ""}
	paramsArgument = toolArgument{"params", jsonTypeArray, "$1, $2…"}
)

// newToolTable returns the table of tools. It is the same for every model: what a client reads before its first call
// has a size that no model changes.
func (s *server) newToolTable() []tool {
	metricQuery := querySchema(query.MetricKeys())
	detailQuery := querySchema(query.DetailKeys())
	lists := argumentsSchema(searchArgument, offsetArgument, limitArgument, detailArgument)
	attribution := querySchema(query.AttributeKeys())
	all := s.newFindAndValueTools(metricQuery)
	if s.config.ExecuteQuery { // the budget of the list has no room for it beside all keys of an attribution
		attribution = schemaWithKeysOnly(attribution, attributionKeysInShortSchema...)
		all = append(all, s.newExecuteQueryTool())
	}
	return append(all, []tool{
		{name: "list_datasets", schema: lists, call: s.listDatasets, text: "List datasets with keys and time dimensions."},
		{name: "list_metrics", schema: lists, call: s.listMetrics, text: "List metrics; detail shows all of each."},
		{
			name: "list_dimensions", call: s.listDimensions, text: "List fields; with metric, those that it accepts.",
			schema: argumentsSchema(metricArgument, searchArgument, offsetArgument, limitArgument, detailArgument),
		},
		{
			name: "describe_metric", schema: argumentsSchema(metricArgument), call: s.describeMetric,
			text: "Describe one metric, with dimensions and an example.",
		},
		{name: "get_capabilities", schema: newOpenObjectSchema(), call: s.reportCapabilities, text: "List versions, dialects and keys of the extension."},
		{name: "list_keys", schema: newOpenObjectSchema(), call: s.listKeys, text: "List more keys of run_query and select."},
		{
			name: "validate_model", schema: argumentsSchema(toolArgument{"model", jsonTypeString, ""}), call: s.validateModel,
			text: "Check the text of a model.",
		},
		{name: "compile_sql", schema: withDialectProperty(schemaWithKeysOnly(metricQuery, metricQueryKeysInShortSchema...)), call: newStatementCall(s, query.DecodeMetric, engine.Statement.SQL), text: "SQL of a metric query. Arguments as run_query."},
		{name: "explain_query", schema: schemaWithKeysOnly(metricQuery, metricQueryKeysInShortSchema...), call: newStatementCall(s, query.DecodeMetric, engine.Statement.Explain), text: "Show the plan of a metric query. Arguments as run_query."},
		{
			name: "run_query", schema: metricQuery, executes: true, call: newRowsCall(s, query.DecodeMetric, "/v1/query/execute", "query"),
			text: "Return metrics by dimensions, filtered and sorted.",
		},
		{name: "compile_select", schema: withDialectProperty(schemaWithKeysOnly(detailQuery, detailQueryKeysInShortSchema...)), call: newStatementCall(s, query.DecodeDetail, engine.Statement.SQL), text: "SQL of a detail query. Arguments as select."},
		{
			name: "select", schema: detailQuery, executes: true, call: newRowsCall(s, query.DecodeDetail, "/v1/select/execute", "select"),
			text: "Return rows of a dataset, 100 by default. Other arguments as run_query.",
		},
		{
			name: "run_sql", schema: querySchema(query.LimitedSQLKeys()), executes: true, call: newRowsCall(s, decodeLimitedStatement, "/v1/sql/execute", "sql"),
			text: "Run SQL: SELECT field, MEASURE(metric) FROM model GROUP BY field. 100 rows without limit.",
		},
		{name: "explain_sql", schema: argumentsSchema(sqlArgument, paramsArgument, toolArgument{"time_zone", jsonTypeString, ""}), call: newStatementCall(s, query.DecodeSQL, engine.Statement.Explain), text: "Show the plan of one SELECT."},
		{
			name: "attribute_metric", schema: attribution, executes: true, call: s.attributeMetricChange,
			text: "Explain a metric's change between two times by dimensions.",
		},
	}...)
}
