package client

import (
	"bytes"
	"encoding/json"
)

// MarshalJSON writes the body of the request: the keys that are set, and null for those
// that are removed from the saved query.
func (q MetricQuery) MarshalJSON() ([]byte, error) {
	type plain MetricQuery
	if len(q.InlineMetrics) == 0 {
		return marshalRemovedKeysAsNull(plain(q), q.Removed)
	}
	items := make([]any, 0, len(q.Metrics)+len(q.InlineMetrics))
	for _, name := range q.Metrics {
		items = append(items, name)
	}
	for _, m := range q.InlineMetrics {
		items = append(items, m)
	}
	return marshalRemovedKeysAsNull(struct {
		Metrics []any `json:"metrics"`
		plain
	}{items, plain(q)}, q.Removed)
}

// UnmarshalJSON reads the body of a request.
func (q *MetricQuery) UnmarshalJSON(text []byte) error {
	type plain MetricQuery
	var items struct {
		Metrics json.RawMessage `json:"metrics"`
		*plain
	}
	*q = MetricQuery{}
	items.plain = (*plain)(q)
	if err := json.Unmarshal(text, &items); err != nil || items.Metrics == nil {
		return err
	}
	names, inline, err := decodeMetricsArray(items.Metrics)
	q.Metrics, q.InlineMetrics = names, inline
	return err
}

// MarshalJSON writes the body of the request; see MetricQuery.MarshalJSON.
func (q DetailQuery) MarshalJSON() ([]byte, error) {
	type plain DetailQuery
	return marshalRemovedKeysAsNull(plain(q), q.Removed)
}

// MarshalJSON writes the body of the request; see MetricQuery.MarshalJSON.
func (q AttributeQuery) MarshalJSON() ([]byte, error) {
	type plain AttributeQuery
	return marshalRemovedKeysAsNull(plain(q), q.Removed)
}

func marshalRemovedKeysAsNull(plain any, removed []string) ([]byte, error) {
	text, err := json.Marshal(plain)
	if err != nil || len(removed) == 0 {
		return text, err
	}
	b := bytes.NewBuffer(text[:len(text)-1])
	for _, key := range removed {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		if err := writeJSONMember(b, key, nil); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
