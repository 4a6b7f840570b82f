package openapi

import (
	"time"

	"github.com/swaggest/jsonschema-go"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
	"github.com/semlayer/semlayer/planner/planerr"
)

// RollupChoice is which tables may be read in the place of base tables.
type RollupChoice string

// JSONSchemaBytes returns the schema of true, false and "only".
func (RollupChoice) JSONSchemaBytes() ([]byte, error) {
	return []byte(`{"description":"true, false or \"only\".","enum":[true,false,"only"]}`), nil
}

// ScalarValue is the value of a parameter of a statement.
type ScalarValue struct{}

// JSONSchemaBytes returns the schema of a scalar.
func (ScalarValue) JSONSchemaBytes() ([]byte, error) {
	return []byte(`{"description":"A value; its type is that of the place where the parameter is used.","type":["string","number","boolean","null"]}`), nil
}

// CompiledSQL is the response of a compilation of a statement.
type CompiledSQL struct {
	Dialect  string                 `json:"dialect" description:"The SQL dialect of the statement."`
	SQL      string                 `json:"sql" description:"The statement for the warehouse."`
	Kind     string                 `json:"kind" enum:"metric,detail,composed" description:"The translation of the statement: one metric query, one detail query, or SQL around queries."`
	Query    map[string]any         `json:"query,omitempty" description:"The body of /v1/query/execute or /v1/select/execute with the same rows by position; absent if no query has them."`
	Columns  []engine.SQLColumn     `json:"columns" description:"The columns of the result, in order."`
	Warnings []planerr.QueryWarning `json:"warnings,omitempty" description:"Warnings about the result; absent without one."`
	Rollups  []engine.RollupUse     `json:"rollups,omitempty" description:"What each branch of its metric queries reads; absent if the model has no rollups, or the request excludes them."`
	_        struct{}               `description:"A statement, compiled."`
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
	Dialect   string           `json:"dialect" description:"The SQL dialect of the statement."`
	SQL       string           `json:"sql" description:"The statement that was executed."`
	Columns   []string         `json:"columns" description:"Names of the columns, in order."`
	Rows      []map[string]any `json:"rows" description:"The rows, each an object with the columns as its keys, in their order. Decimals and large integers are JSON numbers with all their digits."`
	RowCount  int              `json:"row_count" minimum:"0" description:"The number of rows."`
	Limit     *int64           `json:"limit,omitempty" minimum:"0" description:"The limit that applied: the one of the query, the default of detail queries, or their maximum. Absent if the rows are not limited."`
	Limited   bool             `json:"limited,omitempty" description:"True if there are as many rows as the limit, so that there may be more; absent otherwise."`
	TotalRows *int64           `json:"total_rows,omitempty" minimum:"0" description:"The number of rows without limit and offset, those of totals apart. Absent unless the query has count."`
	engine.ResultEnd
	_ struct{} `description:"The rows of a query."`
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

// Connection is a connection profile of GET /v1/connections. The keys from reachable on are those of check=true.
type Connection struct {
	Name      string   `json:"name" description:"The name that requests use."`
	Dialect   string   `json:"dialect" description:"The SQL dialect; empty if the type of the profile is unknown."`
	Available bool     `json:"available" description:"True if there is a driver and the profile is valid. The server does not connect to the warehouse for this."`
	Default   bool     `json:"default,omitempty" description:"True for the connection of requests that name none: the one of --default-connection."`
	Reachable *bool    `json:"reachable,omitempty" description:"With check=true: whether the warehouse answered."`
	LatencyMS *int64   `json:"latency_ms,omitempty" minimum:"0" description:"With check=true: the time of one small statement in milliseconds, with that of connecting; 0 if the warehouse did not answer."`
	Version   string   `json:"version,omitempty" description:"With check=true: the version of the warehouse in its own words."`
	Error     string   `json:"error,omitempty" description:"With check=true: the code of the failure."`
	_         struct{} `description:"A connection profile, without its address and secrets."`
}

// Catalog is the body of GET /v1/catalog.
type Catalog struct {
	Model       engine.ModelInfo      `json:"model" description:"As in /v1/model."`
	Datasets    []describe.Dataset    `json:"datasets" nullable:"false" description:"As in /v1/datasets."`
	Metrics     []describe.Metric     `json:"metrics" nullable:"false" description:"As in /v1/metrics."`
	Dimensions  []describe.Dimension  `json:"dimensions" nullable:"false" description:"As in /v1/dimensions without a metric."`
	Views       []describe.View       `json:"views" nullable:"false" description:"As in /v1/views."`
	Saved       []describe.SavedQuery `json:"saved" nullable:"false" description:"As in /v1/saved."`
	Findings    engine.Findings       `json:"findings" description:"As in /v1/findings."`
	Connections []Connection          `json:"connections" nullable:"false" description:"As in /v1/connections."`
	Connection  string                `json:"connection,omitempty" description:"The connection that queries most likely mean, on a server whose queries must name one."`
	_           struct{}              `description:"What a page needs of the model before its first query."`
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

// Identity is the body of /v1/identity.
type Identity struct {
	Name       string         `json:"name,omitempty" description:"The name of the token, or of the caller at its issuer."`
	Issuer     string         `json:"issuer,omitempty" description:"The issuer of a JSON Web Token."`
	Roles      []string       `json:"roles" nullable:"false" description:"The roles of the caller that the policies file has, sorted."`
	Attributes map[string]any `json:"attributes" nullable:"false" description:"The attributes of the caller that the policies file declares."`
	SQL        bool           `json:"sql" description:"Whether the caller sees SQL, plans and sources."`
	Limits     *Limits        `json:"limits,omitempty" description:"The quotas of the caller."`
	_          struct{}       `description:"The identity of the caller."`
}

// Limits are the quotas of a caller.
type Limits struct {
	Concurrent        int      `json:"concurrent,omitempty" description:"Executions at once."`
	RequestsPerSecond float64  `json:"requests_per_second,omitempty" description:"The rate of requests."`
	Burst             int      `json:"burst,omitempty" description:"Requests that may exceed the rate."`
	Rows              int64    `json:"rows,omitempty" description:"Rows of one response."`
	BytesBilled       int64    `json:"bytes_billed,omitempty" description:"Bytes that one statement may be billed for, on warehouses that bill by bytes."`
	QueueMS           *int     `json:"queue_ms,omitempty" description:"Time that a request waits for a slot, in milliseconds."`
	_                 struct{} `description:"The quotas of a caller."`
}

// ResourceMetadata is the body of /.well-known/oauth-protected-resource (RFC 9728).
type ResourceMetadata struct {
	Resource             string   `json:"resource"`
	AuthorizationServers []string `json:"authorization_servers"`
	BearerMethods        []string `json:"bearer_methods_supported"`
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
