package query

import (
	"bytes"
	"encoding/json"
	"strings"
)

// TaggedRanges marshals as the time_ranges object, in order.
type TaggedRanges []TaggedRange

// MarshalJSON writes {tag: {start, end, dimension}}.
func (t TaggedRanges) MarshalJSON() ([]byte, error) {
	return encodeOrderedObject(len(t), func(i int) (string, any) { return t[i].Tag, t[i].TimeRange })
}

// Bindings marshals as the params object, in order.
type Bindings []ParamBinding

// MarshalJSON writes {name: value} or {name: [values]}.
func (b Bindings) MarshalJSON() ([]byte, error) {
	return encodeOrderedObject(len(b), func(i int) (string, any) {
		if b[i].List {
			return b[i].Name, b[i].Values
		}
		return b[i].Name, b[i].Values[0]
	})
}

// MarshalJSON writes the value as the JSON scalar it was.
func (v ParamValue) MarshalJSON() ([]byte, error) {
	switch v.Kind {
	case NumberValue, BoolValue:
		return []byte(v.Text), nil
	case NullValue:
		return []byte("null"), nil
	default:
		return json.Marshal(v.Text)
	}
}

func encodeOrderedObject(n int, item func(int) (string, any)) ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i := range n {
		if i > 0 {
			out.WriteByte(',')
		}
		key, value := item(i)
		k, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		v, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		out.Write(k)
		out.WriteByte(':')
		out.Write(v)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// marshalText writes a JSON string in which comparisons stay readable.
func marshalText(text string) ([]byte, error) {
	var b strings.Builder
	writeJSONString(&b, text)
	return []byte(b.String()), nil
}
