package client

import "time"

// Model describes the model that a server serves, with counts of its objects.
type Model struct {
	Name             string `json:"name"`
	Description      string `json:"description,omitempty"`
	View             string `json:"view,omitempty"` // that requests are in
	Path             string `json:"path"`
	Mode             string `json:"mode"` // vendor or basic
	SpecVersion      string `json:"spec_version"`
	ExtensionVersion string `json:"extension_version"`
	Datasets         int    `json:"datasets"`
	Fields           int    `json:"fields"`
	Metrics          int    `json:"metrics"`
	Relationships    int    `json:"relationships"`
	Warnings         int    `json:"warnings"`
	// Revision changes exactly when the text of the model or its mode does.
	Revision string    `json:"revision,omitempty"`
	LoadedAt time.Time `json:"loaded_at,omitzero"`
}

// ModelEntry is a model of a server.
type ModelEntry struct {
	Name        string `json:"name"`
	Path        string `json:"path"` // what its paths begin with: /m/NAME, or "" on a server of one model
	Revision    string `json:"revision"`
	Description string `json:"description,omitempty"`
	Datasets    int    `json:"datasets"`
	Metrics     int    `json:"metrics"`
	Default     bool   `json:"default"` // it is the model of paths without /m/NAME
}

// Capabilities describes what a server supports.
type Capabilities struct {
	EngineVersion   string          `json:"engine_version"`
	SpecVersion     string          `json:"spec_version"`
	Extension       VendorExtension `json:"extension"`
	Dialects        []Dialect       `json:"dialects"`
	ConnectionTypes []string        `json:"connection_types"`
	Features        []string        `json:"features"`
	Limits          []ServiceLimit  `json:"limits"`
	Functions       []Function      `json:"functions,omitempty"`
}

// Function is one function that expressions may call.
type Function struct {
	Name           string   `json:"name"`
	OtherNames     []string `json:"other_names,omitempty"`
	Kind           string   `json:"kind"`                      // scalar or aggregate
	Arguments      string   `json:"arguments"`                 // what follows the name
	Result         string   `json:"result"`                    // a datatype, or in words
	EnginesWithout []string `json:"engines_without,omitempty"` // the dialects that lack it
}

// ServiceLimit is one bound on what clients send.
type ServiceLimit struct {
	Name      string `json:"name"`
	Value     int64  `json:"value"`
	Unit      string `json:"unit"` // bytes, items, levels and so on
	AppliesTo string `json:"applies_to"`
	Code      string `json:"code,omitempty"`    // of the error beyond it; "" where the value is lowered instead
	Setting   string `json:"setting,omitempty"` // the flag that changes it
}

// VendorExtension describes the vendor extension.
type VendorExtension struct {
	Version     string         `json:"version"`
	Minimum     string         `json:"minimum"`
	VendorNames []string       `json:"vendor_names"`
	Keys        []ExtensionKey `json:"keys"`
}

// ExtensionKey is a key of the extension that the server reads.
type ExtensionKey struct {
	Key          string `json:"key"`
	Carrier      string `json:"carrier"` // the object of the model that has it
	Since        string `json:"since"`
	IgnoreImpact string `json:"ignore_impact"`
	Summary      string `json:"summary"`
}

// Dialect is a dialect of SQL that compiles; Executes reports whether the
// server can also run it.
type Dialect struct {
	Name     string   `json:"name"`
	Aliases  []string `json:"aliases"`
	Executes bool     `json:"executes"`
}

// Dataset describes one dataset.
type Dataset struct {
	Name                 string     `json:"name"`
	Source               string     `json:"source"` // a table, or the text of a query
	PrimaryKey           []string   `json:"primary_key"`
	UniqueKeys           [][]string `json:"unique_keys,omitempty"`
	Fields               int        `json:"fields"`
	TimeDimensions       []string   `json:"time_dimensions"`
	PrimaryTimeDimension string     `json:"primary_time_dimension,omitempty"`
	Label                string     `json:"label,omitempty"` // for people
	Description          string     `json:"description,omitempty"`
	AIContext            any        `json:"ai_context,omitempty"`
}

// Metric describes one metric.
type Metric struct {
	Name          string   `json:"name"`
	Kind          string   `json:"kind"` // aggregate, ratio or expression
	Datasets      []string `json:"datasets"`
	Measures      []string `json:"measures"`
	Additivity    string   `json:"additivity"`               // whether values of several groups add up: additive, semi_additive or non_additive
	TimeDimension string   `json:"time_dimension,omitempty"` // its time axis
	Definition    string   `json:"definition,omitempty"`     // what it computes, on one line
	Description   string   `json:"description,omitempty"`
	AIContext     any      `json:"ai_context,omitempty"`
	Datatype      string   `json:"datatype,omitempty"`
	Unit          string   `json:"unit,omitempty"`
	Format        string   `json:"format,omitempty"`
	SubjectPath   any      `json:"subject_path,omitempty"`
	Label         string   `json:"label,omitempty"`          // its name for people
	Folder        string   `json:"folder,omitempty"`         // of a view, as People/Staff
	Headline      bool     `json:"headline,omitempty"`       // among the first metrics that a page shows
	Better        string   `json:"better,omitempty"`         // the change that is good: up or down
	SQLAggregates []string `json:"sql_aggregates,omitempty"` // what SQL statements may write around it
	Grains        []string `json:"grains,omitempty"`         // the only grains at which it has its meaning

	WindowFamily     string `json:"window_family,omitempty"`
	WindowFunction   string `json:"window_function,omitempty"`
	RequiresTimeAxis bool   `json:"requires_time_axis,omitempty"`

	DeriveFamily        string         `json:"derive_family,omitempty"` // filter or compose
	DeriveBase          string         `json:"derive_base,omitempty"`
	DeriveExpr          string         `json:"derive_expr,omitempty"`
	DeriveMembers       []DeriveMember `json:"derive_members,omitempty"`
	LeafMeasures        []string       `json:"leaf_measures,omitempty"`
	ConformedDimensions []string       `json:"conformed_dimensions,omitempty"`

	Params      map[string]any         `json:"params,omitempty"` // defaults by name
	ParamSchema map[string]ParamSchema `json:"param_schema,omitempty"`

	Attribution string `json:"attribution"` // exact or unsupported
}

// DeriveMember is one metric of a compose; Coefficient is nil where the
// arithmetic is not linear.
type DeriveMember struct {
	Metric      string   `json:"metric"`
	Coefficient *float64 `json:"coefficient,omitempty"`
}

// ParamSchema describes one parameter. Values are strings, json.Numbers and
// booleans.
type ParamSchema struct {
	Type     string `json:"type"` // int, float, string, bool or date
	Required bool   `json:"required"`
	Default  any    `json:"default,omitempty"`
	Allowed  []any  `json:"allowed,omitempty"`
	Min      any    `json:"min,omitempty"`
	Max      any    `json:"max,omitempty"`
}

// Dimension describes one field that queries can group by.
type Dimension struct {
	Name            string   `json:"name"` // dataset.field; of a metric also rel.field and metric_time
	IsTime          bool     `json:"is_time"`
	IsDimension     bool     `json:"is_dimension"`
	Source          string   `json:"source"` // how IsDimension is known
	TimeGranularity string   `json:"time_granularity,omitempty"`
	Grains          []string `json:"grains,omitempty"` // that a query may request
	Parts           []string `json:"parts,omitempty"`  // of a time, in place of a grain
	Datatype        string   `json:"datatype,omitempty"`
	Label           string   `json:"label,omitempty"`  // for people
	Folder          string   `json:"folder,omitempty"` // of a view, as People/Staff
	Order           []string `json:"order,omitempty"`  // of the values of a text, for people
	Description     string   `json:"description,omitempty"`
	AIContext       any      `json:"ai_context,omitempty"`
}

// Relationship describes how two datasets are joined.
type Relationship struct {
	Name        string          `json:"name"`
	From        string          `json:"from"` // the many side
	To          string          `json:"to"`   // the one side
	FromColumns []string        `json:"from_columns"`
	ToColumns   []string        `json:"to_columns"`      // paired with FromColumns by position
	Cardinality string          `json:"cardinality"`     // many_to_one, one_to_one, many_to_many or unproven
	JoinType    string          `json:"join_type"`       // left or inner
	Valid       *ValidityFields `json:"valid,omitempty"` // when the rows of To are valid; nil: at any time
	Error       string          `json:"error,omitempty"` // code of what keeps it from being used
	AIContext   any             `json:"ai_context,omitempty"`
}

// ValidityFields names the fields that decide which row is valid: From <= At < To.
type ValidityFields struct {
	At   string `json:"at"`           // field of the many side
	From string `json:"from"`         // field of the one side
	To   string `json:"to,omitempty"` // field of the one side; "" where a row is valid until the next of its key
}

// View describes a named part of the model.
type View struct {
	Name        string            `json:"name"`
	Label       string            `json:"label,omitempty"`
	Description string            `json:"description,omitempty"`
	AIContext   any               `json:"ai_context,omitempty"`
	Metrics     int               `json:"metrics"`         // how many the view has
	Dimensions  int               `json:"dimensions"`      // how many fields it has
	Joins       []string          `json:"joins,omitempty"` // relationships that names without a prefix follow; nil: all
	Where       string            `json:"where,omitempty"`
	Filters     []string          `json:"filters,omitempty"`    // by default
	TimeRange   *ViewTimeRange    `json:"time_range,omitempty"` // by default
	Labels      map[string]string `json:"labels,omitempty"`     // by the names of metrics and fields
	Folders     []ViewFolder      `json:"folders,omitempty"`
	Hierarchies []ViewHierarchy   `json:"hierarchies,omitempty"`
}

// ViewTimeRange is the time range that holds in a view by default.
type ViewTimeRange struct {
	Dimension string         `json:"dimension,omitempty"`
	Start     string         `json:"start,omitempty"`
	End       string         `json:"end,omitempty"`
	Last      map[string]any `json:"last,omitempty"`
}

// ViewFolder is a folder of metrics and fields of a view.
type ViewFolder struct {
	Name    string       `json:"name"`
	Items   []string     `json:"items"`
	Folders []ViewFolder `json:"folders,omitempty"`
}

// ViewHierarchy is an order of fields from coarse to fine.
type ViewHierarchy struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
}

// Findings are what the author of the model should know.
type Findings struct {
	CompileErrors []CompileError `json:"compile_errors"`
	Warnings      []Warning      `json:"warnings"`
}

// SavedQuery describes a query that the model holds under a name.
type SavedQuery struct {
	Name        string                  `json:"name"`
	Kind        string                  `json:"kind"` // query, select or attribute
	Description string                  `json:"description,omitempty"`
	Questions   []string                `json:"questions,omitempty"`
	Params      map[string]ParamSchema  `json:"params,omitempty"`
	Metrics     []string                `json:"metrics,omitempty"`    // that the body names
	Dimensions  []string                `json:"dimensions,omitempty"` // the fields of group_by
	Verified    *SavedQueryVerification `json:"verified,omitempty"`
	Home        bool                    `json:"home,omitempty"`
	Chart       string                  `json:"chart,omitempty"` // line, bar, area, table or number
}

// SavedQueryVerification names who checked a saved query, and the date.
type SavedQueryVerification struct {
	By string `json:"by"`
	On string `json:"on"`
}

// Connection is a connection profile of the server.
type Connection struct {
	Name      string `json:"name"`
	Dialect   string `json:"dialect"`
	Available bool   `json:"available"`
	Default   bool   `json:"default,omitempty"` // of requests that name no connection
}

// ConnectionStatus is a connection profile, and whether its warehouse answers.
type ConnectionStatus struct {
	Connection
	Reachable bool   `json:"reachable"`
	LatencyMS int64  `json:"latency_ms"` // of one small statement, in milliseconds
	Version   string `json:"version,omitempty"`
	Error     string `json:"error,omitempty"` // code of the failure
}

// Validation is the judgement of a model.
type Validation struct {
	Valid         bool           `json:"valid"`
	Issues        []Issue        `json:"issues"`
	CompileErrors []CompileError `json:"compile_errors"`
	Warnings      []Warning      `json:"warnings"`
}

// Issue is a finding about the structure of a model.
type Issue struct {
	Severity string `json:"severity"` // error or warning
	Code     string `json:"code"`
	Location string `json:"location"`
	Message  string `json:"message"`
	// Candidates are the names that may have been meant, nearest first.
	Candidates []string `json:"candidates,omitempty"`
	Hint       string   `json:"hint,omitempty"` // what would help
	// Excerpt is the line of a text that is not a model, with a caret below the column.
	Excerpt string `json:"excerpt,omitempty"`
}

// CompileError is an object of a model that does not compile.
type CompileError struct {
	Code       string   `json:"code"`
	Location   string   `json:"location"`
	Message    string   `json:"message"`
	Candidates []string `json:"candidates,omitempty"`
	Hint       string   `json:"hint,omitempty"`
}

// Warning is a finding that keeps nothing from compiling.
type Warning struct {
	Code     string `json:"code"`
	Location string `json:"location"`
	Message  string `json:"message"`
}

// Lineage is a graph of what is made of what. Its edges lead from the tables of
// a warehouse to the metrics.
type Lineage struct {
	Nodes []LineageNode `json:"nodes"`
	Edges []LineageEdge `json:"edges"`
}

// LineageNode is an object of the model, or a table that it reads.
type LineageNode struct {
	ID        string   `json:"id"`   // the kind and the name: metric:revenue
	Kind      string   `json:"kind"` // table, dataset, field, measure or metric
	Name      string   `json:"name"`
	Query     string   `json:"query,omitempty"`     // of a source that is a query
	Columns   []string `json:"columns,omitempty"`   // that a field reads
	Aggregate string   `json:"aggregate,omitempty"` // of a measure
	Error     string   `json:"error,omitempty"`     // the code of what keeps it from being used
}

// LineageEdge leads from what is used to what uses it; a join, from the dataset
// with the foreign key to the one with the key.
type LineageEdge struct {
	From         string   `json:"from"`
	To           string   `json:"to"`
	Relation     string   `json:"relation"` // source, contains, reads, aggregates, derives, joins …
	Relationship string   `json:"relationship,omitempty"`
	On           []string `json:"on,omitempty"`
	Error        string   `json:"error,omitempty"`
}

// Identity is the identity of a caller.
type Identity struct {
	Name   string   `json:"name,omitempty"`
	Issuer string   `json:"issuer,omitempty"`
	Roles  []string `json:"roles"`
	// Attributes has the attributes that the server declares: strings, numbers, booleans, or lists of them.
	Attributes map[string]any `json:"attributes"`
	SQL        bool           `json:"sql"` // whether the caller sees SQL and plans
	Limits     *Limits        `json:"limits,omitempty"`
}

// Limits are the quotas of a caller; zero is without a limit.
type Limits struct {
	Concurrent        int     `json:"concurrent,omitempty"`
	RequestsPerSecond float64 `json:"requests_per_second,omitempty"`
	Burst             int     `json:"burst,omitempty"`
	Rows              int64   `json:"rows,omitempty"`
	BytesBilled       int64   `json:"bytes_billed,omitempty"`
	QueueMS           *int    `json:"queue_ms,omitempty"`
}
