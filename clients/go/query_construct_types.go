package client

import (
	"bytes"
	"encoding/json"
	"errors"
)

// InlineMetric is a metric of one query.
type InlineMetric struct {
	Name string `json:"name"`
	// Expression is as in a model: aggregates of fields, and names of metrics of the model or
	// of items before this one.
	Expression    string `json:"expression"`
	Dataset       string `json:"dataset,omitempty"`        // whose rows COUNT(*) counts
	TimeDimension string `json:"time_dimension,omitempty"` // what metric_time means for it
	At            *At    `json:"at,omitempty"`             // the level of the metric; nil for that of the query
}

// At computes a metric for other groups than those of the query. Each row shows the value of the groups that it lies in.
type At struct {
	Include    []string    `json:"include,omitempty"` // groups that are added, as field or field:grain; the expression aggregates over them
	Exclude    []string    `json:"exclude,omitempty"` // grouped fields that are left out
	Only       *[]string   `json:"only,omitempty"`    // the only ones that are kept; an empty list keeps none
	Unfiltered *Unfiltered `json:"unfiltered,omitempty"`
}

// Unfiltered lists the fields whose row conditions do not count for a metric; without fields no row condition does.
type Unfiltered struct{ Fields []string }

// MarshalJSON writes the fields, or true.
func (u Unfiltered) MarshalJSON() ([]byte, error) {
	if len(u.Fields) == 0 {
		return []byte("true"), nil
	}
	return json.Marshal(u.Fields)
}

// UnmarshalJSON reads true or fields.
func (u *Unfiltered) UnmarshalJSON(text []byte) error {
	var all bool
	if json.Unmarshal(text, &all) == nil {
		*u = Unfiltered{}
		return nil
	}
	return json.Unmarshal(text, &u.Fields)
}

// LocalField is a field that a query adds to a dataset.
type LocalField struct {
	Dataset    string    `json:"dataset"`
	Name       string    `json:"name"`
	Expression string    `json:"expression"`
	LOD        *LocalLOD `json:"lod,omitempty"` // of an expression that aggregates
}

// LocalLOD is the level of detail of a LocalField.
type LocalLOD struct {
	Grain []string `json:"grain"` // fields of the dataset
	Where string   `json:"where,omitempty"`
	Via   []string `json:"via,omitempty"` // relationships, where several ways lead to the dataset
}

// Share requests the values of a metric as fractions of those of the groups by Of; of the grand
// total without Of.
type Share struct {
	Metric string   `json:"metric"`
	Of     []string `json:"of,omitempty"`
}

// Comparisons are the earlier ranges that a query compares with, at most 4. Each has its own Name; one of them may lack it.
type Comparisons []Compare

// MarshalJSON writes one comparison as an object.
func (c Comparisons) MarshalJSON() ([]byte, error) {
	if len(c) == 1 {
		return json.Marshal(c[0])
	}
	return json.Marshal([]Compare(c))
}

// UnmarshalJSON reads an object or a list.
func (c *Comparisons) UnmarshalJSON(text []byte) error {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return json.Unmarshal(text, (*[]Compare)(c))
	}
	*c = make(Comparisons, 1)
	return json.Unmarshal(text, &(*c)[0])
}

// Compare requests the values of an earlier range. Either Offset or Range is set; without
// Metrics all are compared.
type Compare struct {
	Offset  *PeriodOffset `json:"offset,omitempty"`
	Range   *DateWindow   `json:"range,omitempty"`
	Metrics []string      `json:"metrics,omitempty"`
	Name    string        `json:"name,omitempty"`  // ends the names of the columns
	Align   string        `json:"align,omitempty"` // "weekday" moves to the nearest number of weeks
}

// PeriodOffset is a number of periods back in time.
type PeriodOffset struct {
	Count int    `json:"count"`
	Unit  string `json:"unit"`
}

// Top keeps the N largest values of a grouped column and merges the others.
type Top struct {
	Dimension string    `json:"dimension"`
	N         int       `json:"n"`                // 1 to 1000
	By        string    `json:"by,omitempty"`     // "" is the first metric
	Desc      *bool     `json:"desc,omitempty"`   // nil is true
	Within    []string  `json:"within,omitempty"` // columns, for each of whose groups values are kept
	Other     *TopOther `json:"other,omitempty"`  // nil merges the other values into null
	Rank      *TopRank  `json:"rank,omitempty"`   // nil ranks over the rows of the query
}

// TopRank is over which rows Top ranks the values. A key without a value is that of the query.
type TopRank struct {
	WhereSQL  string
	TimeRange *TimeRange
	// AllRows drops the condition of the query from the ranking, and AllTimes its range.
	AllRows, AllTimes bool
}

// MarshalJSON writes the keys that are given; null for none.
func (r TopRank) MarshalJSON() ([]byte, error) {
	keys := map[string]any{}
	if r.WhereSQL != "" {
		keys["where_sql"] = r.WhereSQL
	} else if r.AllRows {
		keys["where_sql"] = nil
	}
	if r.TimeRange != nil {
		keys["time_range"] = r.TimeRange
	} else if r.AllTimes {
		keys["time_range"] = nil
	}
	return json.Marshal(keys)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *TopRank) UnmarshalJSON(text []byte) error {
	var keys struct {
		WhereSQL  string     `json:"where_sql"`
		TimeRange *TimeRange `json:"time_range"`
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return err
	}
	if err := json.Unmarshal(text, &given); err != nil {
		return err
	}
	_, where := given["where_sql"]
	_, times := given["time_range"]
	*r = TopRank{keys.WhereSQL, keys.TimeRange, where && keys.WhereSQL == "", times && keys.TimeRange == nil}
	return nil
}

// TopOther selects what Top does with the values that it does not keep: it merges them into one with a
// label, or drops their rows.
type TopOther struct {
	Label string
	Off   bool
}

// MarshalJSON writes the label, false, or true without either.
func (o TopOther) MarshalJSON() ([]byte, error) {
	switch {
	case o.Off:
		return []byte("false"), nil
	case o.Label == "":
		return []byte("true"), nil
	}
	return json.Marshal(o.Label)
}

// UnmarshalJSON reads a label or a boolean.
func (o *TopOther) UnmarshalJSON(text []byte) error {
	var merged bool
	if json.Unmarshal(text, &merged) == nil {
		*o = TopOther{Off: !merged}
		return nil
	}
	*o = TopOther{}
	return json.Unmarshal(text, &o.Label)
}

// Fill requests the periods without data.
type Fill struct {
	Value json.Number `json:"value,omitempty"` // in place of null; "" leaves it
}

// RelativeRange is the last N units of time: minute, hour, day, week, month, quarter or year.
type RelativeRange struct {
	N        int64  `json:"n"`
	Unit     string `json:"unit"`
	Complete *bool  `json:"complete,omitempty"` // false counts the unit that holds AsOf too; nil is true
}

// ResolvedRange is a relative range with its bounds, on the clock of TimeZone.
type ResolvedRange struct {
	Start     string `json:"start"`
	End       string `json:"end"`
	Dimension string `json:"dimension,omitempty"`
	AsOf      string `json:"as_of"`
	TimeZone  string `json:"time_zone"`
}

// ResolvedTimeRange holds the relative ranges of a query: One of TimeRange, or those of
// TimeRanges by tag.
type ResolvedTimeRange struct {
	One   *ResolvedRange
	ByTag map[string]ResolvedRange
}

// MarshalJSON writes the one range, or an object of the ranges by tag.
func (r ResolvedTimeRange) MarshalJSON() ([]byte, error) {
	if r.One != nil {
		return json.Marshal(r.One)
	}
	return json.Marshal(r.ByTag)
}

// UnmarshalJSON reads one range, or an object of ranges by tag.
func (r *ResolvedTimeRange) UnmarshalJSON(text []byte) error {
	*r = ResolvedTimeRange{}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	// A tag may be start too, but then its value is an object.
	if start := members["start"]; len(start) > 0 && start[0] == '"' {
		return json.Unmarshal(text, &r.One)
	}
	return json.Unmarshal(text, &r.ByTag)
}

// decodeMetricsArray reads names and inline metrics.
func decodeMetricsArray(text []byte) (names []string, inline []InlineMetric, err error) {
	var items []json.RawMessage
	if err := json.Unmarshal(text, &items); err != nil {
		return nil, nil, err
	}
	for _, item := range items {
		var name string
		var m InlineMetric
		switch item = bytes.TrimSpace(item); item[0] {
		case '"':
			if err := json.Unmarshal(item, &name); err != nil {
				return nil, nil, err
			}
			names = append(names, name)
		case '{':
			if err := unmarshalStrict(item, &m); err != nil {
				return nil, nil, err
			}
			inline = append(inline, m)
		default:
			return nil, nil, errors.New("an item of metrics is neither a name nor an object")
		}
	}
	return names, inline, nil
}

// FanOutMode is how metrics are computed whose rows a join would repeat.
type FanOutMode string

const (
	// FanOutRefuse is the default: it rejects metrics whose rows a join would repeat.
	FanOutRefuse FanOutMode = "refuse"
	// FanOutOncePerGroup counts each row of a metric's dataset once in each group.
	FanOutOncePerGroup FanOutMode = "once_per_group"
)

// Rollups is which tables of aggregations of the model a query may read in the place of base tables.
type Rollups string

const (
	// RollupsAllowed is the default: rollups are read where they give the same rows.
	RollupsAllowed Rollups = "true"
	// RollupsOff reads base tables.
	RollupsOff Rollups = "false"
	// RollupsOnly rejects a query that needs a base table.
	RollupsOnly Rollups = "only"
)

// MarshalJSON writes true and false as booleans, and any other choice as text.
func (r Rollups) MarshalJSON() ([]byte, error) {
	if r == RollupsAllowed || r == RollupsOff {
		return []byte(r), nil
	}
	return json.Marshal(string(r))
}
