package openapi

import (
	"time"

	"github.com/swaggest/jsonschema-go"

	"github.com/semlayer/semlayer/engine"
)

// MetricQuery is the body of a metric query.
type MetricQuery struct {
	Metrics       []string                    `json:"metrics,omitempty" minItems:"1" description:"Names of metrics; each becomes a column of the result. Needed unless saved is given."`
	GroupBy       []engine.GroupBy            `json:"group_by,omitempty" description:"What to group the rows by, in the order of the result's columns."`
	WhereSQL      string                      `json:"where_sql,omitempty" description:"A SQL condition. One that names a selected metric filters the rows of the result; one on fields filters the rows that are read."`
	ContextFilter string                      `json:"context_filter,omitempty" description:"A SQL condition that is applied before aggregation: it defines the population of the metrics."`
	TimeRange     *engine.TimeRange           `json:"time_range,omitempty" description:"The time range of the query."`
	TimeRanges    map[string]engine.TimeRange `json:"time_ranges,omitempty" description:"Several times side by side, by name: metric revenue in the range q1 becomes the column revenue__q1."`
	OrderBy       []engine.OrderBy            `json:"order_by,omitempty" description:"How to sort; the first key counts most."`
	Limit         int64                       `json:"limit,omitempty" minimum:"0" description:"The most rows that are wanted; all rows without it."`
	Offset        int64                       `json:"offset,omitempty" minimum:"0" default:"0" description:"The number of sorted rows to skip before the first."`
	Params        map[string]Binding          `json:"params,omitempty" description:"Values of the parameters that the metrics declare, by name."`
	Dialect       string                      `json:"dialect,omitempty" description:"The SQL dialect to compile for, one of those that /v1/capabilities lists; the connection's when there is one, else duckdb."`
	Pretty        bool                        `json:"pretty,omitempty" description:"Lay the SQL out over several lines."`
	Connection    string                      `json:"connection,omitempty" description:"A connection profile to execute on, one of those that /v1/connections lists; the embedded database without it."`
	Saved         string                      `json:"saved,omitempty" description:"A saved query of the model, one of those that /v1/saved lists. The other keys of the request replace its keys, and null removes one; params binds its parameters, and those of the model beside it."`
	_             struct{}                    `additionalProperties:"false" description:"Metrics, grouped and filtered. A key that is not listed is refused with the code unknown_query_key."`
}

// PrepareJSONSchema requires the keys of a query, or a saved query that has them.
func (MetricQuery) PrepareJSONSchema(s *jsonschema.Schema) error {
	return requireUnlessSaved(s, "metrics")
}

// PrepareJSONSchema requires the keys of a query, or a saved query that has them.
func (DetailQuery) PrepareJSONSchema(s *jsonschema.Schema) error {
	return requireUnlessSaved(s, "from", "fields")
}

// PrepareJSONSchema requires the keys of a query, or a saved query that has them.
func (AttributeQuery) PrepareJSONSchema(s *jsonschema.Schema) error {
	return requireUnlessSaved(s, "metric", "dimensions", "baseline", "current")
}

func requireUnlessSaved(s *jsonschema.Schema, keys ...string) error {
	whole, use := jsonschema.Schema{Required: keys}, jsonschema.Schema{Required: []string{"saved"}}
	s.AnyOf = []jsonschema.SchemaOrBool{whole.ToSchemaOrBool(), use.ToSchemaOrBool()}
	return nil
}

// DetailQuery is the body of a detail query.
type DetailQuery struct {
	From       string             `json:"from,omitempty" description:"The root dataset: the result has one row for each of its rows. Needed unless saved is given."`
	Fields     []string           `json:"fields,omitempty" minItems:"1" description:"Columns of the result: field, dataset.field or rel.rel.field, each with :grain after it where it is a time. Needed unless saved is given."`
	WhereSQL   string             `json:"where_sql,omitempty" description:"A SQL condition on fields of the datasets within reach."`
	TimeRange  *engine.TimeRange  `json:"time_range,omitempty" description:"The time range of the query."`
	OrderBy    []engine.OrderBy   `json:"order_by,omitempty" description:"How to sort; keys are columns of the result."`
	Limit      int64              `json:"limit,omitempty" minimum:"0" default:"100" description:"The most rows that are wanted; more than 10000 count as 10000."`
	Offset     int64              `json:"offset,omitempty" minimum:"0" default:"0" description:"The number of sorted rows to skip before the first."`
	Params     map[string]Binding `json:"params,omitempty" description:"Values of the parameters that the fields declare, by name."`
	Dialect    string             `json:"dialect,omitempty" description:"The SQL dialect to compile for; see MetricQuery."`
	Pretty     bool               `json:"pretty,omitempty" description:"Lay the SQL out over several lines."`
	Connection string             `json:"connection,omitempty" description:"A connection profile to execute on; see MetricQuery."`
	Saved      string             `json:"saved,omitempty" description:"A saved query of the model, one of those that /v1/saved lists. The other keys of the request replace its keys, and null removes one; params binds its parameters, and those of the model beside it."`
	_          struct{}           `additionalProperties:"false" description:"Rows of one dataset, with columns of those that it leads to. A key that is not listed is refused with the code unknown_query_key."`
}

// AttributeQuery is the body of an attribution.
type AttributeQuery struct {
	Metric                string             `json:"metric,omitempty" description:"The metric whose change is asked about. Needed unless saved is given."`
	Dimensions            []string           `json:"dimensions,omitempty" minItems:"1" description:"The dimensions to decompose the change over, each for itself. Needed unless saved is given."`
	Baseline              *Window            `json:"baseline,omitempty" description:"The window that is compared with. Needed unless saved is given."`
	Current               *Window            `json:"current,omitempty" description:"The current window. Needed unless saved is given."`
	WhereSQL              string             `json:"where_sql,omitempty" description:"A SQL condition on fields, for both windows."`
	ContextFilter         string             `json:"context_filter,omitempty" description:"A SQL condition that is applied before anything is aggregated, in both windows."`
	TimeDimension         string             `json:"time_dimension,omitempty" description:"The time that the windows are of, dataset.field; the metric's own without it."`
	Params                map[string]Binding `json:"params,omitempty" description:"Values of the parameters that the metric declares, by name; here each takes one value."`
	MaxValuesPerDimension int64              `json:"max_values_per_dimension,omitempty" minimum:"1" maximum:"1000" default:"500" description:"The most segments that are kept of a dimension."`
	TopNDimensions        int64              `json:"top_n_dimensions,omitempty" minimum:"0" default:"3" description:"How many of the dimensions are selected."`
	TopNValues            int64              `json:"top_n_values,omitempty" minimum:"0" default:"10" description:"How many segments are listed across the selected dimensions."`
	Dialect               string             `json:"dialect,omitempty" description:"The SQL dialect; see MetricQuery."`
	Connection            string             `json:"connection,omitempty" description:"A connection profile to execute on; see MetricQuery."`
	Saved                 string             `json:"saved,omitempty" description:"A saved query of the model, one of those that /v1/saved lists. The other keys of the request replace its keys, and null removes one; params binds its parameters, and those of the model beside it."`
	_                     struct{}           `additionalProperties:"false" description:"A metric, two windows of time, and what may explain the change between them. A key that is not listed is refused with the code unknown_query_key."`
}

// Window is a window of time of an attribution.
type Window struct {
	Start string   `json:"start" description:"The start of the window, inclusive: a date or a date with a time."`
	End   string   `json:"end" description:"The end of the window, exclusive."`
	_     struct{} `additionalProperties:"false" description:"A half-open window of time."`
}

// Binding is what a parameter is bound to.
type Binding struct{}

// JSONSchemaBytes is the schema of a value or a list of them.
func (Binding) JSONSchemaBytes() ([]byte, error) {
	return []byte(`{"description":"A value, or a list of values: a list makes a column of the result for each of them.",
		"type":["string","number","boolean","array"],"items":{"type":["string","number","boolean"]}}`), nil
}

// ModelText is the body of validate.
type ModelText struct {
	Model string   `json:"model" description:"The text of a model, YAML or JSON."`
	_     struct{} `additionalProperties:"false" description:"A model to judge."`
}

// Result is the response of an execution.
type Result struct {
	Dialect  string                `json:"dialect" description:"The SQL dialect of the statement."`
	SQL      string                `json:"sql" description:"The statement that was executed."`
	Columns  []string              `json:"columns" description:"Names of the columns, in order."`
	Rows     []map[string]any      `json:"rows" description:"The rows, each an object with the columns as its keys, in their order. Decimals and large integers are JSON numbers with all their digits."`
	RowCount int                   `json:"row_count" minimum:"0" description:"How many rows there are."`
	Limit    *int64                `json:"limit,omitempty" minimum:"0" description:"The limit that applied: the one of the query, the default of detail queries, or their maximum. Absent where the rows are not limited."`
	Limited  bool                  `json:"limited,omitempty" description:"True where there are as many rows as the limit, so that there may be more; absent otherwise."`
	Warnings []engine.QueryWarning `json:"warnings,omitempty" description:"Warnings about the result; absent without one."`
	Saved    string                `json:"saved,omitempty" description:"The saved query that the request uses; absent where it uses none."`
	_        struct{}              `description:"The rows of a query."`
}

// Status is the response of GET /health.
type Status struct {
	Status string   `json:"status" enum:"ok" description:"ok: the process lives."`
	_      struct{} `description:"How the server is."`
}

// Readiness is the response of GET /ready.
type Readiness struct {
	Status      string       `json:"status" enum:"ready,draining" description:"ready: the server takes requests; draining: it is about to stop."`
	ReloadError *ReloadError `json:"reload_error,omitempty" description:"Why a changed model was refused, until a good one is loaded: the newest where there are several. The server then still answers with the model that it had. Absent otherwise."`
	_           struct{}     `description:"Whether the server takes requests."`
}

// ReloadError is why a changed model was refused.
type ReloadError struct {
	Code    string    `json:"code" description:"The code of the first error; the log has the others."`
	Message string    `json:"message" description:"What the code means, with the line. It holds nothing of the model."`
	Model   string    `json:"model,omitempty" description:"The name of the model; absent on a server of one model."`
	At      time.Time `json:"at" description:"When it was refused."`
	_       struct{}  `description:"Why a changed model was refused."`
}

// ModelEntry is a model of GET /v1/models.
type ModelEntry struct {
	Name        string   `json:"name" description:"The name of the model: on a server of several that of its file."`
	Path        string   `json:"path" description:"What the paths of the model begin with: /m/NAME, or the empty text on a server of one model."`
	Revision    string   `json:"revision" description:"The first 12 hexadecimal digits of the SHA-256 of the text of the model and its mode."`
	Description string   `json:"description,omitempty" description:"The description of the model."`
	Datasets    int      `json:"datasets" minimum:"0" description:"How many datasets there are."`
	Metrics     int      `json:"metrics" minimum:"0" description:"How many metrics there are."`
	Default     bool     `json:"default" description:"True for the model of paths without /m/NAME."`
	_           struct{} `description:"A model that is served."`
}

// ErrorBody is the body of every failure.
type ErrorBody struct {
	Error Error    `json:"error" description:"What is wrong, and often what would be right."`
	_     struct{} `description:"The body of every error."`
}

// Error is what is wrong. Which of its optional fields a code fills is its own.
type Error struct {
	Code           string   `json:"code" description:"The code."`
	Message        string   `json:"message" description:"What is wrong, for people. The text may change at any time."`
	Location       string   `json:"location,omitempty" description:"The place in the model that is at fault."`
	Metrics        []string `json:"metrics,omitempty" description:"The metrics that are concerned."`
	Candidates     []string `json:"candidates,omitempty" description:"Valid alternatives, the likeliest first."`
	SuggestedRetry string   `json:"suggested_retry,omitempty" description:"What would succeed: mostly a JSON object whose keys replace those of the query, null taking one away."`
	Hint           string   `json:"hint,omitempty" description:"How to fix it."`
	_              struct{} `description:"What is wrong, and often what would be right."`
}
