package query

import (
	"cmp"
	"strings"

	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// MetricQuery is the body shared by compile, explain and execute of the metric
// plane.
type MetricQuery struct {
	Metrics []string // the names of all items in the order of the request, inline ones too
	// InlineMetrics are the items of metrics that have an expression.
	InlineMetrics []InlineMetric `json:"-"`
	GroupBy       []GroupBy
	With          []LocalField
	Distinct      bool   // list the groups; there are no metrics then
	From          string // the root dataset of a query with Distinct
	WhereSQL      string
	ContextFilter string
	TimeRange     *TimeRange
	TimeRanges    []TaggedRange // in the order of the request
	AsOf          string        // the wall clock that relative ranges count from; "" is now
	TimeZone      string        // "" is that of the model
	WeekStart     string        // the name of a weekday; "" is that of the model
	OrderBy       []OrderBy
	Limit         *int64
	Offset        int64 // rows that are skipped after ordering
	Totals        [][]string
	Shares        []ShareRequest
	Compare       Comparisons
	Top           *Top
	Fill          *Fill
	Count         bool           // count all rows, beside those that limit and offset choose
	FanOut        string         // FanOutOncePerGroup; "" rejects metrics that a join would repeat
	Params        []ParamBinding // in the order of the request
	Dialect       string         // "" means: not given
	Pretty        bool
	Connection    string
	Hints         *bool    // why a result is empty; nil: not given
	Rollups       *Rollups // nil: RollupsAllowed
	MaxAge        *int64   // seconds; nil: any age
	View          string   // that the query is in; "" for the whole model
	Sequences     []Sequence
	Defaults      *bool // whether filters and time_range of the view act; nil: true
	// Saved names a saved query of the model. It is the base of this query: each key that
	// is set here replaces that of the base, but Params adds to those of the base.
	Saved string
	// Removed are the keys that are removed from the saved query, as null does in JSON.
	Removed []string `json:"-"`
}

// GroupBy is one group-by item. It has a field (`dataset.field`, a bare name, a
// relationship-prefixed path, or metric_time) and an optional grain or part of a time, or an expression
// over fields. Name is the result column; an item with a field is named for it by default.
type GroupBy struct {
	Field      string `json:"field,omitempty"`
	Grain      string `json:"grain,omitempty"`
	Part       string `json:"part,omitempty"`
	Name       string `json:"name,omitempty"`
	Expression string `json:"expression,omitempty"`
}

// WithUnit returns the item with another grain, period or part; "" removes it.
func (g GroupBy) WithUnit(unit string) GroupBy {
	if g.Grain, g.Part = unit, ""; sqlexpr.IsTimePart(unit) {
		g.Grain, g.Part = "", unit
	}
	return g
}

// Unit returns the grain, the period or the part of the item; "" where it has none.
func (g GroupBy) Unit() string { return cmp.Or(g.Grain, g.Part) }

// TimeRange is the half-open interval [Start, End); either bound may be
// empty, but not both. A range with Last has no bounds.
type TimeRange struct {
	Start     string         `json:"start,omitempty"`
	End       string         `json:"end,omitempty"`
	Dimension string         `json:"dimension,omitempty"`
	Last      *RelativeRange `json:"last,omitempty"`
}

// TaggedRange is one entry of time_ranges.
type TaggedRange struct {
	Tag string
	TimeRange
}

// OrderBy is one sort key: an output column and a direction. NULLs are last in both directions, but with
// NullsFirst, which a request has no key for.
type OrderBy struct {
	Key        string `json:"key"`
	Desc       bool   `json:"desc,omitempty"`
	NullsFirst bool   `json:"-"`
}

// ParamBinding binds a parameter to one value (List false) or to several.
type ParamBinding struct {
	Name   string
	Values []ParamValue
	List   bool
}

// ParamValue is a bound parameter value as the request gave it: Text is the exact
// JSON number, the string's content, or "true"/"false".
type ParamValue struct {
	Kind ParamValueJSONType
	Text string
}

// ParamValueJSONType is the JSON type of a bound value.
type ParamValueJSONType uint8

// The kinds.
const (
	StringValue ParamValueJSONType = iota
	NumberValue
	BoolValue
	NullValue
)

// DetailQuery is the body of the detail plane.
type DetailQuery struct {
	From       string
	Fields     []string
	With       []LocalField
	WhereSQL   string
	TimeRange  *TimeRange
	AsOf       string
	TimeZone   string
	WeekStart  string
	OrderBy    []OrderBy
	Limit      *int64
	Offset     int64 // rows that are skipped after ordering
	Count      bool  // count all rows, beside those that limit and offset choose
	Params     []ParamBinding
	Dialect    string
	Pretty     bool
	Connection string
	Hints      *bool  // why a result is empty; nil: not given
	MaxAge     *int64 // seconds; nil: any age
	View       string // that the query is in; "" for the whole model
	Sequences  []Sequence
	Defaults   *bool // whether filters and time_range of the view act; nil: true
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
	With                  []LocalField
	WhereSQL              string
	ContextFilter         string
	TimeDimension         string
	TimeZone              string
	Params                []ParamBinding
	MaxValuesPerDimension *int64
	TopNDimensions        *int64
	TopNValues            *int64
	Dialect               string
	Connection            string
	Rollups               *Rollups // nil: RollupsAllowed
	MaxAge                *int64   // seconds; nil: any age
	View                  string   // that the query is in; "" for the whole model
	Defaults              *bool    // whether filters of the view act; nil: true
	// Saved names a saved query of the model. It is the base of this query: each key that
	// is set here replaces that of the base, but Params adds to those of the base.
	Saved string
	// Removed are the keys that are removed from the saved query, as null does in JSON.
	Removed []string `json:"-"`
}

// WithDirectionOfKey returns the order whose key holds the direction too, as in "revenue desc" or "-revenue", with the
// direction apart; ok is false for any other key.
func (o OrderBy) WithDirectionOfKey() (out OrderBy, ok bool) {
	if key, isDescending := strings.CutPrefix(o.Key, "-"); isDescending && key != "" {
		o.Key, o.Desc = key, true
		return o, true
	}
	at := strings.LastIndexAny(o.Key, " \t")
	key := strings.TrimSpace(o.Key[:max(at, 0)])
	switch direction := strings.ToLower(o.Key[at+1:]); {
	case key == "":
		return o, false
	case direction == "desc" || direction == "asc":
		o.Key, o.Desc = key, direction == "desc"
		return o, true
	}
	return o, false
}
