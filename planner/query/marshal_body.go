package query

import (
	"bytes"
	"encoding/json"
)

// MarshalJSON writes the body that DecodeMetric reads as this query.
func (q *MetricQuery) MarshalJSON() ([]byte, error) {
	return marshalRows(metricQueryRows, q, q.Removed)
}

// MarshalJSON writes the body that DecodeDetail reads as this query.
func (q *DetailQuery) MarshalJSON() ([]byte, error) {
	return marshalRows(detailQueryRows, q, q.Removed)
}

// MarshalJSON writes the body that DecodeAttribute reads as this query.
func (q *AttributeQuery) MarshalJSON() ([]byte, error) {
	return marshalRows(attributeQueryRows, q, q.Removed)
}

// marshalRows writes the keys of a body that are given, and null for each key that is removed from the saved query.
func marshalRows[T any](rows []keyRow[T], q *T, removed []string) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(512)
	values := json.NewEncoder(&out)
	sep := byte('{')
	begin := func(key string) {
		out.WriteByte(sep)
		sep = ','
		out.WriteByte('"')
		out.WriteString(key)
		out.WriteString(`":`)
	}
	for i := range rows {
		at := rows[i].at(q)
		if !isGiven(at) {
			continue
		}
		begin(rows[i].name)
		if err := values.Encode(marshalledValue(q, at)); err != nil {
			return nil, err
		}
		out.Truncate(out.Len() - 1) // the new line of the encoder
	}
	for _, key := range removed {
		begin(key)
		out.WriteString("null")
	}
	if sep == '{' {
		out.WriteByte('{')
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// marshalledValue returns the value of a field in the form that JSON encodes.
func marshalledValue(q, at any) any {
	switch at := at.(type) {
	case *[]TaggedRange:
		return TaggedRanges(*at)
	case *[]ParamBinding:
		return Bindings(*at)
	case *[]string:
		if m, ok := q.(*MetricQuery); ok {
			return m.marshalledMetricItems()
		}
	}
	return at
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
