package client

// MetricQuery requests metrics. Only Metrics or InlineMetrics is required, or Saved, or Distinct
// with GroupBy.
type MetricQuery struct {
	Metrics []string `json:"metrics,omitempty"`
	// InlineMetrics are metrics of this query. They follow those of Metrics.
	InlineMetrics []InlineMetric `json:"-"`
	GroupBy       []GroupBy      `json:"group_by,omitempty"`
	// WhereSQL is a condition. Naming a selected metric it filters result rows,
	// naming fields it filters input rows.
	WhereSQL string `json:"where_sql,omitempty"`
	// ContextFilter is a condition that always filters input rows.
	ContextFilter string     `json:"context_filter,omitempty"`
	TimeRange     *TimeRange `json:"time_range,omitempty"`
	// TimeRanges computes every metric once per range, in this order, as
	// columns <metric>__<tag>. It excludes TimeRange.
	TimeRanges TimeRanges `json:"time_ranges,omitempty"`
	OrderBy    []OrderBy  `json:"order_by,omitempty"`
	Limit      *int       `json:"limit,omitempty"`  // &n, or new(10) from Go 1.26; 0 requests the columns alone
	Offset     int        `json:"offset,omitempty"` // rows that are skipped after sorting
	Count      bool       `json:"count,omitempty"`  // TotalRows of the result
	// Params binds parameters; the order of lists is that of the columns.
	Params     Params `json:"params,omitempty"`
	Dialect    string `json:"dialect,omitempty"`    // "" means the connection's, else duckdb
	Pretty     bool   `json:"pretty,omitempty"`     // SQL over several lines
	Connection string `json:"connection,omitempty"` // "" means the embedded database
	// Hints requests warnings that name the values and times of the data where no row meets the filter.
	Hints   bool    `json:"hints,omitempty"`
	Rollups Rollups `json:"rollups,omitempty"` // "" means RollupsAllowed
	MaxAge  *int    `json:"max_age,omitempty"` // seconds that no datum of the result may exceed; 0 reads base tables
	// View is a view of the model, whose names the query has; "" means the whole model.
	View     string `json:"view,omitempty"`
	Defaults *bool  `json:"defaults,omitempty"` // new(false) leaves out the filters and the time range of View
	// Saved names a saved query of the model, the base of this one: what is set here
	// replaces its keys, and Params binds its parameters.
	Saved string       `json:"saved,omitempty"`
	With  []LocalField `json:"with,omitempty"` // fields that the query adds to datasets
	// Sequences are datasets of the query: one row for each start, with what followed it.
	Sequences []Sequence `json:"sequences,omitempty"`
	Distinct  bool       `json:"distinct,omitempty"` // list the groups, without metrics
	From      string     `json:"from,omitempty"`     // with Distinct: the dataset whose rows have the groups
	// Totals are sets of columns of GroupBy. For each the result has rows of totals, which
	// the column level distinguishes from the others; an empty set requests the grand total.
	Totals    [][]string  `json:"totals,omitempty"`
	Shares    []Share     `json:"shares,omitempty"`
	Compare   Comparisons `json:"compare,omitempty"`
	Top       *Top        `json:"top,omitempty"`
	Fill      *Fill       `json:"fill,omitempty"`
	FanOut    FanOutMode  `json:"fan_out,omitempty"`    // FanOutOncePerGroup; "" and FanOutRefuse reject metrics that a join would repeat
	AsOf      string      `json:"as_of,omitempty"`      // what Last counts from; "" means now
	TimeZone  string      `json:"time_zone,omitempty"`  // IANA name; "" means that of the model
	WeekStart string      `json:"week_start,omitempty"` // monday to sunday; "" means that of the model
	// Removed are the keys to remove from the saved query.
	Removed []string `json:"-"`
}

// DetailQuery requests records, one for each row of the dataset From. From and
// Fields are required, or Saved.
type DetailQuery struct {
	From string `json:"from,omitempty"`
	// Fields are field, dataset.field or rel.field, each with :<grain> or :<part> if wanted.
	Fields     []string   `json:"fields,omitempty"`
	WhereSQL   string     `json:"where_sql,omitempty"`
	TimeRange  *TimeRange `json:"time_range,omitempty"`
	OrderBy    []OrderBy  `json:"order_by,omitempty"`
	Limit      *int       `json:"limit,omitempty"`  // 100 unless given, 10000 at most
	Offset     int        `json:"offset,omitempty"` // rows that are skipped after sorting
	Count      bool       `json:"count,omitempty"`  // TotalRows of the result
	Params     Params     `json:"params,omitempty"`
	Dialect    string     `json:"dialect,omitempty"`
	Pretty     bool       `json:"pretty,omitempty"`
	Connection string     `json:"connection,omitempty"`
	Hints      bool       `json:"hints,omitempty"`   // as of a MetricQuery
	MaxAge     *int       `json:"max_age,omitempty"` // as of a MetricQuery
	View       string     `json:"view,omitempty"`
	Defaults   *bool      `json:"defaults,omitempty"` // as of a MetricQuery
	// Saved names a saved query of the model, the base of this one: what is set here
	// replaces its keys, and Params binds its parameters.
	Saved     string       `json:"saved,omitempty"`
	With      []LocalField `json:"with,omitempty"`       // fields that the query adds to datasets
	Sequences []Sequence   `json:"sequences,omitempty"`  // datasets of the query
	AsOf      string       `json:"as_of,omitempty"`      // what Last counts from; "" means now
	TimeZone  string       `json:"time_zone,omitempty"`  // IANA name; "" means that of the model
	WeekStart string       `json:"week_start,omitempty"` // monday to sunday; "" means that of the model
	// Removed are the keys to remove from the saved query.
	Removed []string `json:"-"`
}

// SQLStatement is one statement in SQL over the relations of the model. SQL is required.
type SQLStatement struct {
	SQL           string  `json:"sql"`
	Params        []any   `json:"params,omitempty"` // the values of $1, $2 and so on: strings, numbers, booleans, nil
	ContextFilter string  `json:"context_filter,omitempty"`
	TimeZone      string  `json:"time_zone,omitempty"` // as PostgreSQL's setting TimeZone; "" means that of the model
	Dialect       string  `json:"dialect,omitempty"`
	Connection    string  `json:"connection,omitempty"`
	Pretty        bool    `json:"pretty,omitempty"`
	Rollups       Rollups `json:"rollups,omitempty"` // "" means RollupsAllowed
	MaxAge        *int    `json:"max_age,omitempty"` // as of a MetricQuery
}

// AttributeQuery asks why a metric changed between two windows. Metric,
// Dimensions, Baseline and Current are required, or Saved.
type AttributeQuery struct {
	Metric        string      `json:"metric,omitempty"`
	Dimensions    []string    `json:"dimensions,omitempty"`
	Baseline      *DateWindow `json:"baseline,omitempty"`
	Current       *DateWindow `json:"current,omitempty"`
	WhereSQL      string      `json:"where_sql,omitempty"`
	ContextFilter string      `json:"context_filter,omitempty"`
	TimeDimension string      `json:"time_dimension,omitempty"`
	Params        Params      `json:"params,omitempty"` // single values

	MaxValuesPerDimension *int    `json:"max_values_per_dimension,omitempty"` // 500 unless given, 1000 at most
	TopNDimensions        *int    `json:"top_n_dimensions,omitempty"`         // 3 unless given
	TopNValues            *int    `json:"top_n_values,omitempty"`             // 10 unless given
	Dialect               string  `json:"dialect,omitempty"`
	Connection            string  `json:"connection,omitempty"`
	Rollups               Rollups `json:"rollups,omitempty"` // "" means RollupsAllowed
	MaxAge                *int    `json:"max_age,omitempty"` // as of a MetricQuery
	View                  string  `json:"view,omitempty"`
	Defaults              *bool   `json:"defaults,omitempty"` // as of a MetricQuery
	// Saved names a saved query of the model, the base of this one: what is set here
	// replaces its keys, and Params binds its parameters.
	Saved    string       `json:"saved,omitempty"`
	With     []LocalField `json:"with,omitempty"`      // fields that the query adds to datasets
	TimeZone string       `json:"time_zone,omitempty"` // IANA name; "" means that of the model
	// Removed are the keys to remove from the saved query.
	Removed []string `json:"-"`
}

// GroupBy is one group-by item: dataset.field, a bare name that is unique,
// rel.field or metric_time, with the grain of a time field: second, minute,
// hour, day, week, month, quarter or year; or with a part of it, a number:
// hour_of_day, day_of_week, day_of_month, day_of_year, week_of_year,
// month_of_year or quarter_of_year. In place of Field it may have an Expression over fields, and then a Name.
type GroupBy struct {
	Field      string `json:"field,omitempty"`
	Grain      string `json:"grain,omitempty"`
	Part       string `json:"part,omitempty"` // in place of Grain
	Name       string `json:"name,omitempty"` // of the result column; by default the field's, with the grain or the part
	Expression string `json:"expression,omitempty"`
}

// OrderBy sorts by an output column. NULLs come last either way.
type OrderBy struct {
	Key  string `json:"key"`
	Desc bool   `json:"desc,omitempty"`
}

// DateWindow is the half-open interval [Start, End) of dates, YYYY-MM-DD, or
// timestamps, YYYY-MM-DDTHH:MM:SS.
type DateWindow struct {
	Start string `json:"start,omitempty"`
	End   string `json:"end,omitempty"`
}

// TimeRange is a Window over a time dimension. One bound may be missing. The dimension may be missing
// where only one is possible.
type TimeRange struct {
	Start     string         `json:"start,omitempty"`
	End       string         `json:"end,omitempty"`
	Dimension string         `json:"dimension,omitempty"`
	Last      *RelativeRange `json:"last,omitempty"` // in place of Start and End
}

// TaggedTimeRange is one of several time ranges.
type TaggedTimeRange struct {
	Tag   string
	Range TimeRange
}

// TimeRanges is a JSON object of ranges by tag, in the order of the slice.
type TimeRanges []TaggedTimeRange

// Param binds a parameter to a string, number or boolean, or to a slice of
// them, which gives one output column for each.
type Param struct {
	Name  string
	Value any
}

// Params is a JSON object of values by name, in the order of the slice.
type Params []Param

// Sequence is a dataset of a query, made of the rows of others: one row for each start, with what followed it.
type Sequence struct {
	Name   string          `json:"name"`
	Entity []string        `json:"entity"` // fields of the dataset of the first step
	Steps  []SequenceStep  `json:"steps"`  // two at least
	Same   []string        `json:"same,omitempty"`
	Within *SequenceWithin `json:"within,omitempty"` // nil means any time
	Order  string          `json:"order,omitempty"`  // given or any
	Start  string          `json:"start,omitempty"`  // each or first
	// Every is a calendar unit, each of whose Periods behind that of the start has a row; "" means one row of a start.
	Every   string `json:"every,omitempty"`
	Periods int64  `json:"periods,omitempty"`
}

// SequenceStep is a step of a Sequence.
type SequenceStep struct {
	Name    string   `json:"name"`
	Dataset string   `json:"dataset"`
	Where   string   `json:"where,omitempty"`
	At      string   `json:"at,omitempty"`     // "" means the primary time field of the dataset
	Entity  []string `json:"entity,omitempty"` // where the fields have other names than in the first step
	Same    []string `json:"same,omitempty"`
}

// SequenceWithin is a number of calendar units.
type SequenceWithin struct {
	Count       int64  `json:"count"`
	Granularity string `json:"granularity"`
}
