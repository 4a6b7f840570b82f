package query

import "encoding/json"

// MarshalJSON writes the body that DecodeMetric reads as this query.
func (q *MetricQuery) MarshalJSON() ([]byte, error) {
	return marshalWithRemovedKeys(struct {
		Metrics       []any          `json:"metrics,omitempty"`
		GroupBy       []GroupBy      `json:"group_by,omitempty"`
		WhereSQL      string         `json:"where_sql,omitempty"`
		ContextFilter string         `json:"context_filter,omitempty"`
		TimeRange     *TimeRange     `json:"time_range,omitempty"`
		TimeRanges    TaggedRanges   `json:"time_ranges,omitempty"`
		OrderBy       []OrderBy      `json:"order_by,omitempty"`
		Limit         *int64         `json:"limit,omitempty"`
		Offset        int64          `json:"offset,omitempty"`
		Params        Bindings       `json:"params,omitempty"`
		Dialect       string         `json:"dialect,omitempty"`
		Pretty        bool           `json:"pretty,omitempty"`
		Connection    string         `json:"connection,omitempty"`
		Saved         string         `json:"saved,omitempty"`
		With          []LocalField   `json:"with,omitempty"`
		Distinct      bool           `json:"distinct,omitempty"`
		From          string         `json:"from,omitempty"`
		Totals        [][]string     `json:"totals,omitempty"`
		Shares        []ShareRequest `json:"shares,omitempty"`
		Compare       *Compare       `json:"compare,omitempty"`
		Top           *Top           `json:"top,omitempty"`
		Fill          *Fill          `json:"fill,omitempty"`
		FanOut        string         `json:"fan_out,omitempty"`
		AsOf          string         `json:"as_of,omitempty"`
		TimeZone      string         `json:"time_zone,omitempty"`
		WeekStart     string         `json:"week_start,omitempty"`
		Hints         *bool          `json:"hints,omitempty"`
	}{
		q.marshalledMetricItems(), q.GroupBy, q.WhereSQL, q.ContextFilter, q.TimeRange, q.TimeRanges, q.OrderBy, q.Limit, q.Offset, q.Params, q.Dialect, q.Pretty,
		q.Connection, q.Saved, q.With, q.Distinct, q.From, q.Totals, q.Shares, q.Compare, q.Top, q.Fill, q.FanOut, q.AsOf, q.TimeZone, q.WeekStart, q.Hints,
	}, q.Removed)
}

// marshalledMetricItems returns the names of metrics, and the inline metrics in their places.
func (q *MetricQuery) marshalledMetricItems() []any {
	items := make([]any, len(q.Metrics))
	for i, name := range q.Metrics {
		items[i] = name
	}
	for _, m := range q.InlineMetrics {
		items[m.Index] = m
	}
	return items
}

// MarshalJSON writes the body that DecodeDetail reads as this query.
func (q *DetailQuery) MarshalJSON() ([]byte, error) {
	return marshalWithRemovedKeys(struct {
		From       string       `json:"from,omitempty"`
		Fields     []string     `json:"fields,omitempty"`
		WhereSQL   string       `json:"where_sql,omitempty"`
		TimeRange  *TimeRange   `json:"time_range,omitempty"`
		OrderBy    []OrderBy    `json:"order_by,omitempty"`
		Limit      *int64       `json:"limit,omitempty"`
		Offset     int64        `json:"offset,omitempty"`
		Params     Bindings     `json:"params,omitempty"`
		Dialect    string       `json:"dialect,omitempty"`
		Pretty     bool         `json:"pretty,omitempty"`
		Connection string       `json:"connection,omitempty"`
		Saved      string       `json:"saved,omitempty"`
		With       []LocalField `json:"with,omitempty"`
		AsOf       string       `json:"as_of,omitempty"`
		TimeZone   string       `json:"time_zone,omitempty"`
		WeekStart  string       `json:"week_start,omitempty"`
		Hints      *bool        `json:"hints,omitempty"`
	}{
		q.From, q.Fields, q.WhereSQL, q.TimeRange, q.OrderBy, q.Limit, q.Offset, q.Params, q.Dialect, q.Pretty, q.Connection, q.Saved, q.With, q.AsOf, q.TimeZone, q.WeekStart, q.Hints,
	}, q.Removed)
}

// marshalWithRemovedKeys writes a body, and null for each key that is removed from the saved query.
func marshalWithRemovedKeys(body any, removed []string) ([]byte, error) {
	text, err := json.Marshal(body)
	if err != nil || len(removed) == 0 {
		return text, err
	}
	nulls, err := encodeOrderedObject(len(removed), func(i int) (string, any) { return removed[i], nil })
	if err != nil || len(text) == len("{}") {
		return nulls, err
	}
	return append(append(text[:len(text)-1], ','), nulls[1:]...), nil
}
