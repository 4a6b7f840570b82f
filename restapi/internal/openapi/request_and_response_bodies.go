package openapi

import (
	"time"

	"github.com/swaggest/jsonschema-go"

	"github.com/semlayer/semlayer/engine"
)

// MetricQuery is the body of a metric query. The descriptions of requests name the defaults, because generators of
// TypeScript take a property with a default as one that is always there.
type MetricQuery struct {
	Metrics       []MetricItem             `json:"metrics,omitempty" minItems:"1" description:"Names of metrics, or metrics of this query; each becomes a column of the result. Needed unless saved or distinct is given."`
	GroupBy       []GroupBy                `json:"group_by,omitempty" description:"The groups, in the order of the result's columns."`
	WhereSQL      string                   `json:"where_sql,omitempty" description:"A SQL condition. One that names a selected metric filters the rows of the result; one on fields filters the rows that are read."`
	ContextFilter string                   `json:"context_filter,omitempty" description:"A SQL condition that is applied before aggregation: it defines the population of the metrics."`
	TimeRange     *TimeRange               `json:"time_range,omitempty" description:"The time range of the query."`
	TimeRanges    map[string]TimeRange     `json:"time_ranges,omitempty" description:"Several ranges side by side, by name: metric revenue in the range q1 becomes the column revenue__q1."`
	OrderBy       []engine.OrderBy         `json:"order_by,omitempty" description:"The order of the rows; the first key counts most."`
	Limit         int64                    `json:"limit,omitempty" minimum:"0" description:"The maximum number of rows; by default all."`
	Offset        int64                    `json:"offset,omitempty" minimum:"0" description:"The number of sorted rows to skip before the first. Default: 0."`
	Params        map[string]BindingSchema `json:"params,omitempty" description:"Values of the parameters that the metrics declare, by name."`
	Dialect       string                   `json:"dialect,omitempty" description:"The SQL dialect to compile for, one of those that /v1/capabilities lists; by default that of the connection, else duckdb."`
	Pretty        bool                     `json:"pretty,omitempty" description:"Lay the SQL out over several lines."`
	Hints         *bool                    `json:"hints,omitempty" description:"true adds warnings to an empty result: the values of the data that are similar to those of the filter, and the times of the data. It changes neither rows nor SQL. By default false."`
	Connection    string                   `json:"connection,omitempty" description:"A connection profile to execute on, one of those that /v1/connections lists; by default the embedded database."`
	Saved         string                   `json:"saved,omitempty" description:"A saved query of the model, one of those that /v1/saved lists. The other keys of the request replace its keys, and null removes one; params binds its parameters, and parameters of the model."`
	With          []LocalField             `json:"with,omitempty" maxItems:"32" description:"Fields that the query adds to datasets."`
	Distinct      bool                     `json:"distinct,omitempty" description:"List the groups of group_by, without metrics. Default: false."`
	From          string                   `json:"from,omitempty" minLength:"1" description:"With distinct: the dataset whose rows have the groups."`
	Totals        [][]string               `json:"totals,omitempty" minItems:"1" maxItems:"32" description:"Sets of columns of group_by: a row is added for each of their groups; [] is the grand total. The column level distinguishes these rows."`
	Shares        []ShareSchema            `json:"shares,omitempty" maxItems:"32" description:"Values as fractions of a total, each in a column after the metrics."`
	Compare       *CompareSchema           `json:"compare,omitempty" description:"The values of an earlier range beside those of time_range."`
	Top           *TopSchema               `json:"top,omitempty" description:"Keep the largest values of a grouped column and merge the others."`
	Fill          *FillSchema              `json:"fill,omitempty" description:"Add rows for the periods of time_range without data."`
	FanOut        string                   `json:"fan_out,omitempty" enum:"refuse,once_per_group" description:"once_per_group counts each row of a metric's dataset once in each group, if a join would repeat it. With refuse, the default, such a metric is the error fan_out_risk."`
	AsOf          string                   `json:"as_of,omitempty" minLength:"1" description:"The time from which last counts back: a date or a date with a time on the clock of the time zone; by default now."`
	TimeZone      string                   `json:"time_zone,omitempty" minLength:"1" description:"The IANA name of the time zone in which instants are grouped and ranges are read; by default that of the model, else UTC."`
	WeekStart     string                   `json:"week_start,omitempty" enum:"monday,tuesday,wednesday,thursday,friday,saturday,sunday" description:"The first day of a week; by default that of the model, else monday."`
	_             struct{}                 `additionalProperties:"false" description:"Metrics, grouped and filtered. An unknown key is the error unknown_query_key."`
}

// PrepareJSONSchema requires the keys of a query, or a saved query that has them.
func (MetricQuery) PrepareJSONSchema(s *jsonschema.Schema) error {
	requireAllKeysOfAnySet(s, []string{"metrics"}, []string{savedKey}, []string{"distinct", "group_by"})
	return nil
}

// PrepareJSONSchema requires the keys of a query, or a saved query that has them.
func (DetailQuery) PrepareJSONSchema(s *jsonschema.Schema) error {
	requireAllKeysOfAnySet(s, []string{"from", "fields"}, []string{savedKey})
	return nil
}

// PrepareJSONSchema requires the keys of a query, or a saved query that has them.
func (AttributeQuery) PrepareJSONSchema(s *jsonschema.Schema) error {
	requireAllKeysOfAnySet(s, []string{"metric", "dimensions", "baseline", "current"}, []string{savedKey})
	return nil
}

// savedKey names a saved query, which has the keys of a whole one.
const savedKey = "saved"

// requireAllKeysOfAnySet requires all keys of at least one set. It does so by negation: generators of types read anyOf as a union,
// and make an unknown type of a member without properties.
func requireAllKeysOfAnySet(s *jsonschema.Schema, sets ...[]string) {
	var lacks jsonschema.Schema
	for _, keys := range sets {
		has := jsonschema.Schema{Required: keys}
		lacksSet := jsonschema.Schema{}
		lacksSet.WithNot(has.ToSchemaOrBool())
		lacks.AllOf = append(lacks.AllOf, lacksSet.ToSchemaOrBool())
	}
	s.WithNot(lacks.ToSchemaOrBool())
}

// DetailQuery is the body of a detail query.
type DetailQuery struct {
	From       string                   `json:"from,omitempty" description:"The root dataset: the result has one row for each of its rows. Needed unless saved is given."`
	Fields     []string                 `json:"fields,omitempty" minItems:"1" description:"Columns of the result: field, dataset.field or rel.rel.field, a time with an optional :grain. Needed unless saved is given."`
	WhereSQL   string                   `json:"where_sql,omitempty" description:"A SQL condition on fields of the dataset, and of datasets to which it leads."`
	TimeRange  *TimeRange               `json:"time_range,omitempty" description:"The time range of the query."`
	OrderBy    []engine.OrderBy         `json:"order_by,omitempty" description:"The order of the rows; keys are columns of the result."`
	Limit      int64                    `json:"limit,omitempty" minimum:"0" description:"The maximum number of rows; more than 10000 count as 10000. Default: 100."`
	Offset     int64                    `json:"offset,omitempty" minimum:"0" description:"The number of sorted rows to skip before the first. Default: 0."`
	Params     map[string]BindingSchema `json:"params,omitempty" description:"Values of the parameters that the fields declare, by name."`
	Dialect    string                   `json:"dialect,omitempty" description:"The SQL dialect to compile for; see MetricQuery."`
	Pretty     bool                     `json:"pretty,omitempty" description:"Lay the SQL out over several lines."`
	Hints      *bool                    `json:"hints,omitempty" description:"true adds warnings to an empty result: the values of the data that are similar to those of the filter, and the times of the data. It changes neither rows nor SQL. By default false."`
	Connection string                   `json:"connection,omitempty" description:"A connection profile to execute on; see MetricQuery."`
	Saved      string                   `json:"saved,omitempty" description:"A saved query of the model, one of those that /v1/saved lists. The other keys of the request replace its keys, and null removes one; params binds its parameters, and parameters of the model."`
	With       []LocalField             `json:"with,omitempty" maxItems:"32" description:"Fields that the query adds to datasets."`
	AsOf       string                   `json:"as_of,omitempty" minLength:"1" description:"The time from which last counts back: a date or a date with a time on the clock of the time zone; by default now."`
	TimeZone   string                   `json:"time_zone,omitempty" minLength:"1" description:"The IANA name of the time zone in which instants are grouped and ranges are read; by default that of the model, else UTC."`
	WeekStart  string                   `json:"week_start,omitempty" enum:"monday,tuesday,wednesday,thursday,friday,saturday,sunday" description:"The first day of a week; by default that of the model, else monday."`
	_          struct{}                 `additionalProperties:"false" description:"Rows of one dataset, with columns of the datasets to which it leads. An unknown key is the error unknown_query_key."`
}

// SQLStatement is the body of a request in SQL.
type SQLStatement struct {
	SQL           string        `json:"sql" minLength:"1" description:"One SELECT over the relations of the model: its datasets, and the relation of all of them, which has the name of the model."`
	Params        []ScalarValue `json:"params,omitempty" maxItems:"1000" description:"The values of $1, $2 and so on."`
	ContextFilter string        `json:"context_filter,omitempty" description:"A SQL condition on the input rows of every query of the statement."`
	Dialect       string        `json:"dialect,omitempty" description:"The SQL dialect to compile for; see MetricQuery."`
	Connection    string        `json:"connection,omitempty" description:"A connection profile to execute on; see MetricQuery."`
	Pretty        bool          `json:"pretty,omitempty" description:"Lay the SQL out over several lines."`
	_             struct{}      `additionalProperties:"false" description:"A statement over the model, in SQL. An unknown key is the error unknown_query_key."`
}

// ScalarValue is the value of a parameter of a statement.
type ScalarValue struct{}

// JSONSchemaBytes returns the schema of a scalar.
func (ScalarValue) JSONSchemaBytes() ([]byte, error) {
	return []byte(`{"description":"A value; its type is that of the place where the parameter is used.","type":["string","number","boolean","null"]}`), nil
}

// CompiledSQL is the response of a compilation of a statement.
type CompiledSQL struct {
	Dialect  string                `json:"dialect" description:"The SQL dialect of the statement."`
	SQL      string                `json:"sql" description:"The statement for the warehouse."`
	Kind     string                `json:"kind" enum:"metric,detail,composed" description:"The translation of the statement: one metric query, one detail query, or SQL around queries."`
	Query    map[string]any        `json:"query,omitempty" description:"The body of /v1/query/execute or /v1/select/execute with the same rows by position; absent if no query has them."`
	Columns  []engine.SQLColumn    `json:"columns" description:"The columns of the result, in order."`
	Warnings []engine.QueryWarning `json:"warnings,omitempty" description:"Warnings about the result; absent without one."`
	_        struct{}              `description:"A statement, compiled."`
}

// AttributeQuery is the body of an attribution.
type AttributeQuery struct {
	Metric                string                   `json:"metric,omitempty" description:"The metric whose change is explained. Needed unless saved is given."`
	Dimensions            []string                 `json:"dimensions,omitempty" minItems:"1" description:"The dimensions that may explain the change, each separately. Needed unless saved is given."`
	Baseline              *Window                  `json:"baseline,omitempty" description:"The earlier window. Needed unless saved is given."`
	Current               *Window                  `json:"current,omitempty" description:"The later window. Needed unless saved is given."`
	WhereSQL              string                   `json:"where_sql,omitempty" description:"A SQL condition on fields, for both windows."`
	ContextFilter         string                   `json:"context_filter,omitempty" description:"A SQL condition that is applied before aggregation, in both windows."`
	TimeDimension         string                   `json:"time_dimension,omitempty" description:"The time field of the windows, dataset.field; by default the time axis of the metric."`
	Params                map[string]BindingSchema `json:"params,omitempty" description:"Values of the parameters that the metric declares, by name; each takes one value here."`
	MaxValuesPerDimension int64                    `json:"max_values_per_dimension,omitempty" minimum:"1" maximum:"1000" description:"The maximum number of segments of a dimension. Default: 500."`
	TopNDimensions        int64                    `json:"top_n_dimensions,omitempty" minimum:"0" description:"The number of selected dimensions. Default: 3."`
	TopNValues            int64                    `json:"top_n_values,omitempty" minimum:"0" description:"The number of segments in the list over all selected dimensions. Default: 10."`
	Dialect               string                   `json:"dialect,omitempty" description:"The SQL dialect; see MetricQuery."`
	Connection            string                   `json:"connection,omitempty" description:"A connection profile to execute on; see MetricQuery."`
	Saved                 string                   `json:"saved,omitempty" description:"A saved query of the model, one of those that /v1/saved lists. The other keys of the request replace its keys, and null removes one; params binds its parameters, and parameters of the model."`
	With                  []LocalField             `json:"with,omitempty" maxItems:"32" description:"Fields that the query adds to datasets."`
	TimeZone              string                   `json:"time_zone,omitempty" minLength:"1" description:"The IANA name of the time zone in which instants are grouped and ranges are read; by default that of the model, else UTC."`
	_                     struct{}                 `additionalProperties:"false" description:"A metric, two windows of time, and the dimensions that may explain the change between them. An unknown key is the error unknown_query_key."`
}

// Window is a window of time of an attribution.
type Window struct {
	Start string   `json:"start" description:"The start of the window, inclusive: a date or a date with a time."`
	End   string   `json:"end" description:"The end of the window, exclusive."`
	_     struct{} `additionalProperties:"false" description:"A half-open window of time."`
}

// BindingSchema is what a parameter is bound to.
type BindingSchema struct{}

// JSONSchemaBytes returns the schema of a value or a list of them.
func (BindingSchema) JSONSchemaBytes() ([]byte, error) {
	return []byte(`{"description":"A value, or a list of values: a list makes a column of the result for each of them.",
		"type":["string","number","boolean","array"],"items":{"type":["string","number","boolean"]}}`), nil
}

// ModelText is the body of validate.
type ModelText struct {
	Model string   `json:"model" description:"The text of a model, YAML or JSON."`
	_     struct{} `additionalProperties:"false" description:"A model to validate."`
}

// Result is the response of an execution.
type Result struct {
	Dialect           string                    `json:"dialect" description:"The SQL dialect of the statement."`
	SQL               string                    `json:"sql" description:"The statement that was executed."`
	Columns           []string                  `json:"columns" description:"Names of the columns, in order."`
	Rows              []map[string]any          `json:"rows" description:"The rows, each an object with the columns as its keys, in their order. Decimals and large integers are JSON numbers with all their digits."`
	RowCount          int                       `json:"row_count" minimum:"0" description:"The number of rows."`
	Limit             *int64                    `json:"limit,omitempty" minimum:"0" description:"The limit that applied: the one of the query, the default of detail queries, or their maximum. Absent if the rows are not limited."`
	Limited           bool                      `json:"limited,omitempty" description:"True if there are as many rows as the limit, so that there may be more; absent otherwise."`
	ResolvedTimeRange *engine.ResolvedTimeRange `json:"resolved_time_range,omitempty" description:"The bounds of a relative time_range; for time_ranges an object by name. Absent if no range is relative."`
	Warnings          []engine.QueryWarning     `json:"warnings,omitempty" description:"Warnings about the result; absent without one."`
	Saved             string                    `json:"saved,omitempty" description:"The saved query that the request uses; absent if it uses none."`
	_                 struct{}                  `description:"The rows of a query."`
}

// ResolvedRanges is the wire form of engine.ResolvedTimeRange.
type ResolvedRanges string

// JSONSchemaAnyOf lists a range, and ranges by name.
func (ResolvedRanges) JSONSchemaAnyOf() []any {
	return []any{engine.ResolvedRange{}, map[string]engine.ResolvedRange{}}
}

// PrepareJSONSchema leaves the type to the forms.
func (ResolvedRanges) PrepareJSONSchema(s *jsonschema.Schema) error {
	s.Type = nil
	s.WithDescription("A relative range with its bounds, or several by name.")
	return nil
}

// StatusSchema is the response of GET /health.
type StatusSchema struct {
	Status string   `json:"status" enum:"ok" description:"ok: the process is alive."`
	_      struct{} `description:"The state of the server."`
}

// Readiness is the response of GET /ready.
type Readiness struct {
	Status      string       `json:"status" enum:"ready,draining" description:"ready: the server accepts requests; draining: it is about to stop."`
	ReloadError *ReloadError `json:"reload_error,omitempty" description:"The reason why a changed model or changed data files were rejected, the newest if there are several, until valid ones are loaded. The server still serves the previous ones. Absent otherwise."`
	_           struct{}     `description:"The readiness of the server."`
}

// ReloadError is why a changed model or changed data files were rejected.
type ReloadError struct {
	Code    string    `json:"code" description:"The code of the first error; the log has the others."`
	Message string    `json:"message" description:"The meaning of the code, with the line. It holds no text of the model."`
	Model   string    `json:"model,omitempty" description:"The name of the model; absent on a server of one model."`
	At      time.Time `json:"at" description:"The time at which it was rejected."`
	_       struct{}  `description:"The reason why a changed model was rejected."`
}

// ModelEntry is a model of GET /v1/models.
type ModelEntry struct {
	Name        string   `json:"name" description:"The name of the model; on a server of several models the name of its file."`
	Path        string   `json:"path" description:"The prefix of the paths of the model: /m/NAME, or an empty string on a server of one model."`
	Revision    string   `json:"revision" description:"The first 12 hexadecimal digits of the SHA-256 of the text of the model and its mode."`
	Description string   `json:"description,omitempty" description:"The description of the model."`
	Datasets    int      `json:"datasets" minimum:"0" description:"The number of datasets."`
	Metrics     int      `json:"metrics" minimum:"0" description:"The number of metrics."`
	Default     bool     `json:"default" description:"True for the model of paths without /m/NAME."`
	_           struct{} `description:"A model that is served."`
}

// ErrorBody is the body of every failure.
type ErrorBody struct {
	Error Error    `json:"error" description:"The problem, and often a request that works."`
	_     struct{} `description:"The body of every error."`
}

// Error is what is wrong. Which of its optional fields a code fills is its own.
type Error struct {
	Code           string   `json:"code" description:"The code."`
	Message        string   `json:"message" description:"The problem, for people. The text may change at any time."`
	Location       string   `json:"location,omitempty" description:"The place of the problem in the model or in the query."`
	Metrics        []string `json:"metrics,omitempty" description:"The metrics that it concerns."`
	Candidates     []string `json:"candidates,omitempty" description:"Valid alternatives, the likeliest first."`
	SuggestedRetry string   `json:"suggested_retry,omitempty" description:"A request that works: mostly a JSON object whose keys replace those of the request; null removes a key."`
	Hint           string   `json:"hint,omitempty" description:"How to fix it."`
	SQLState       string   `json:"sqlstate,omitempty" description:"For a statement in SQL: the SQLSTATE that PostgreSQL uses for such an error."`
	Ossie          string   `json:"ossie,omitempty" description:"For a statement in SQL: the code that the draft of the model format gives such an error."`
	Position       int      `json:"position,omitempty" minimum:"1" description:"For a statement in SQL: the position of the problem, in characters from 1."`
	_              struct{} `description:"The problem, and often a request that works."`
}
