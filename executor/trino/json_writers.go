package trino

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
	"github.com/semlayer/semlayer/executor/internal/textdecode"
)

// jsonCellAppender appends the JSON of a page to the builder of its column.
type jsonCellAppender struct {
	builder array.Builder
	value   textdecode.AppendTextFunc
}

func newJSONCellAppender(t textdecode.Decoder, b array.Builder) jsonCellAppender {
	return jsonCellAppender{b, t.Bind(b)}
}

func (c jsonCellAppender) appendCell(raw json.RawMessage) error {
	if isJSONNull(raw) {
		c.builder.AppendNull()
		return nil
	}
	text, err := unquoteJSONString(raw)
	if err != nil {
		return err
	}
	return c.value(text)
}

func isJSONNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// unquoteJSONString returns a string without its quotes, and any other value unchanged.
func unquoteJSONString(raw json.RawMessage) ([]byte, error) {
	if raw[0] != '"' {
		return raw, nil
	}
	if body := raw[1 : len(raw)-1]; !slices.Contains(body, '\\') {
		return body, nil
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return []byte(s), err
}

// jsonWriter appends a value of a page as JSON that means the same without the type.
type jsonWriter func(dst []byte, raw []byte) ([]byte, error)

// newNestedJSONWriter returns the writer of an ARRAY, MAP or ROW.
func newNestedJSONWriter(s typeSignature) func(dst, raw []byte) ([]byte, error) {
	switch s.Name {
	case "array":
		if len(s.Arguments) == 1 {
			return newArrayJSONWriter(newElementJSONWriter(s.Arguments[0].Value))
		}
	case "map":
		if len(s.Arguments) == 2 {
			return newMapJSONWriter(newElementJSONWriter(s.Arguments[1].Value))
		}
	case "row":
		return newRowJSONWriter(s)
	}
	return func(dst, raw []byte) ([]byte, error) { return append(dst, raw...), nil }
}

// newElementJSONWriter returns the writer of the elements of a nested type.
func newElementJSONWriter(description json.RawMessage) jsonWriter {
	var s typeSignature
	if json.Unmarshal(description, &s) != nil {
		s = typeSignature{}
	}
	t := decoderForType(s)
	return func(dst, raw []byte) ([]byte, error) {
		if isJSONNull(raw) {
			return jsontext.AppendNull(dst), nil
		}
		text, err := unquoteJSONString(raw)
		if err != nil {
			return dst, err
		}
		return t.JSON(dst, text)
	}
}

func newArrayJSONWriter(each jsonWriter) jsonWriter {
	return func(dst, raw []byte) ([]byte, error) {
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return dst, textdecode.ErrFormat
		}
		return appendJSONItems(dst, '[', items, ']', func(dst []byte, i int) ([]byte, error) { return each(dst, items[i]) })
	}
}

func newMapJSONWriter(each jsonWriter) jsonWriter {
	return func(dst, raw []byte) ([]byte, error) {
		var items map[string]json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return dst, textdecode.ErrFormat
		}
		keys := slices.Sorted(maps.Keys(items))
		return appendJSONItems(dst, '{', keys, '}', func(dst []byte, i int) ([]byte, error) {
			return each(append(jsontext.AppendString(dst, keys[i]), ':'), items[keys[i]])
		})
	}
}

func newRowJSONWriter(s typeSignature) jsonWriter {
	names := make([]string, len(s.Arguments))
	fields := make([]jsonWriter, len(s.Arguments))
	open, shut := byte('{'), byte('}')
	for i, a := range s.Arguments {
		var f struct {
			Name struct {
				Name string `json:"name"`
			} `json:"fieldName"`
			Type json.RawMessage `json:"typeSignature"`
		}
		_ = json.Unmarshal(a.Value, &f)
		names[i], fields[i] = f.Name.Name, newElementJSONWriter(f.Type)
		if names[i] == "" {
			open, shut = '[', ']'
		}
	}
	return func(dst, raw []byte) ([]byte, error) {
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil || len(items) != len(fields) {
			return dst, textdecode.ErrFormat
		}
		return appendJSONItems(dst, open, items, shut, func(dst []byte, i int) ([]byte, error) {
			if open == '{' {
				dst = append(jsontext.AppendString(dst, names[i]), ':')
			}
			return fields[i](dst, items[i])
		})
	}
}

func appendJSONItems[T any](dst []byte, open byte, items []T, shut byte, each func(dst []byte, i int) ([]byte, error)) (_ []byte, err error) {
	dst = append(dst, open)
	for i := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = each(dst, i); err != nil {
			return dst, err
		}
	}
	return append(dst, shut), nil
}
