package client

import (
	"bytes"
	"encoding/json"
)

// MarshalJSON writes the body of the request: the keys that are set, and null for those
// that are removed from the saved query.
func (q MetricQuery) MarshalJSON() ([]byte, error) {
	type plain MetricQuery
	return writeQuery(plain(q), q.Removed)
}

// MarshalJSON writes the body of the request; see MetricQuery.MarshalJSON.
func (q DetailQuery) MarshalJSON() ([]byte, error) {
	type plain DetailQuery
	return writeQuery(plain(q), q.Removed)
}

// MarshalJSON writes the body of the request; see MetricQuery.MarshalJSON.
func (q AttributeQuery) MarshalJSON() ([]byte, error) {
	type plain AttributeQuery
	return writeQuery(plain(q), q.Removed)
}

func writeQuery(plain any, removed []string) ([]byte, error) {
	text, err := json.Marshal(plain)
	if err != nil || len(removed) == 0 {
		return text, err
	}
	b := bytes.NewBuffer(text[:len(text)-1])
	for _, key := range removed {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		if err := writeMember(b, key, nil); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
