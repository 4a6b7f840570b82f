package query

// MetricQuery is the body shared by compile, explain and execute of the metric
// plane.
type MetricQuery struct {
	Metrics       []string
	GroupBy       []GroupBy
	WhereSQL      string
	ContextFilter string
	TimeRange     *TimeRange
	TimeRanges    []TaggedRange // in the order of the request
	OrderBy       []OrderBy
	Limit         *int64
	Offset        int64          // rows that are skipped after ordering
	Params        []ParamBinding // in the order of the request
	Dialect       string         // "" means: not given
	Pretty        bool
	Connection    string
	// Saved names a saved query of the model. It is the base of this query: each key that
	// is set here replaces that of the base, but Params adds to those of the base.
	Saved string
	// Removed are the keys that are removed from the saved query, as null does in JSON.
	Removed []string `json:"-"`
}

// GroupBy is one group-by item: a field (`dataset.field`, a bare name, a
// relationship-prefixed path, or metric_time), an optional grain, and the name of
// the result column, by default the field's own.
type GroupBy struct {
	Field string `json:"field"`
	Grain string `json:"grain,omitempty"`
	Name  string `json:"name,omitempty"`
}

// TimeRange is the half-open interval [Start, End); either bound may be
// empty, but not both.
type TimeRange struct {
	Start     string `json:"start,omitempty"`
	End       string `json:"end,omitempty"`
	Dimension string `json:"dimension,omitempty"`
}

// TaggedRange is one entry of time_ranges.
type TaggedRange struct {
	Tag string
	TimeRange
}

// OrderBy is one sort key: an output column and a direction.
type OrderBy struct {
	Key  string `json:"key"`
	Desc bool   `json:"desc,omitempty"`
}

// ParamBinding binds a parameter to one value (List false) or to several.
type ParamBinding struct {
	Name   string
	Values []Value
	List   bool
}

// Value is a bound parameter value as the request gave it: Text is the exact
// JSON number, the string's content, or "true"/"false".
type Value struct {
	Kind ValueKind
	Text string
}

// ValueKind is the JSON type of a bound value.
type ValueKind uint8

// The kinds.
const (
	StringValue ValueKind = iota
	NumberValue
	BoolValue
	NullValue
)

// DetailQuery is the body of the detail plane.
type DetailQuery struct {
	From       string
	Fields     []string
	WhereSQL   string
	TimeRange  *TimeRange
	OrderBy    []OrderBy
	Limit      *int64
	Offset     int64 // rows that are skipped after ordering
	Params     []ParamBinding
	Dialect    string
	Pretty     bool
	Connection string
	// Saved names a saved query of the model. It is the base of this query: each key that
	// is set here replaces that of the base, but Params adds to those of the base.
	Saved string
	// Removed are the keys that are removed from the saved query, as null does in JSON.
	Removed []string `json:"-"`
}

// AttributeQuery is the body of POST /v1/query/attribute.
type AttributeQuery struct {
	Metric                string
	Dimensions            []string
	Baseline, Current     *TimeRange
	WhereSQL              string
	ContextFilter         string
	TimeDimension         string
	Params                []ParamBinding
	MaxValuesPerDimension *int64
	TopNDimensions        *int64
	TopNValues            *int64
	Dialect               string
	Connection            string
	// Saved names a saved query of the model. It is the base of this query: each key that
	// is set here replaces that of the base, but Params adds to those of the base.
	Saved string
	// Removed are the keys that are removed from the saved query, as null does in JSON.
	Removed []string `json:"-"`
}
