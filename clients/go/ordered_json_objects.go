package client

import (
	"bytes"
	"encoding/json"
	"errors"
)

// MarshalJSON writes an object in the order of the slice.
func (t TimeRanges) MarshalJSON() ([]byte, error) {
	return writeJSONObject(len(t), func(i int) (string, any) { return t[i].Tag, t[i].Range })
}

// UnmarshalJSON reads an object in its own order.
func (t *TimeRanges) UnmarshalJSON(text []byte) error {
	var out TimeRanges
	err := visitObjectMembers(text, func(tag string, value json.RawMessage) error {
		var r TimeRange
		err := unmarshalStrict(value, &r)
		out = append(out, TaggedTimeRange{tag, r})
		return err
	})
	*t = out
	return err
}

// MarshalJSON writes an object in the order of the slice.
func (p Params) MarshalJSON() ([]byte, error) {
	return writeJSONObject(len(p), func(i int) (string, any) { return p[i].Name, p[i].Value })
}

// UnmarshalJSON reads an object in its own order; numbers become json.Number.
func (p *Params) UnmarshalJSON(text []byte) error {
	var out Params
	err := visitObjectMembers(text, func(name string, value json.RawMessage) error {
		var v any
		err := decodeSingleJSONValue(value, &v)
		out = append(out, Param{name, v})
		return err
	})
	*p = out
	return err
}

func writeJSONObject(n int, member func(i int) (string, any)) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		name, value := member(i)
		if err := writeJSONMember(&b, name, value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func writeJSONMember(b *bytes.Buffer, name string, value any) error {
	key, err := json.Marshal(name)
	if err != nil {
		return err
	}
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	b.Write(key)
	b.WriteByte(':')
	b.Write(text)
	return nil
}

// visitObjectMembers hands out the members of an object in order; null has none.
func visitObjectMembers(text []byte, member func(name string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	open, err := d.Token()
	if err != nil || open == nil {
		return err
	}
	if open != json.Delim('{') {
		return errors.New("not a JSON object")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := member(name.(string), value); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil { // the closing brace
		return err
	}
	return checkNoTrailingData(d)
}

// unmarshalStrict decodes a value and rejects keys that its type does not have.
func unmarshalStrict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	d.UseNumber()
	return d.Decode(into)
}
