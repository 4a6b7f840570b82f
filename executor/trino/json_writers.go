package trino

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
	"github.com/semlayer/semlayer/executor/internal/textdecode"
)

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
func newElementJSONWriter(description json.RawMessage) textdecode.JSONWriter {
	var s typeSignature
	if json.Unmarshal(description, &s) != nil {
		s = typeSignature{}
	}
	return textdecode.NewElementJSONWriter(decoderForType(s))
}

func newArrayJSONWriter(each textdecode.JSONWriter) textdecode.JSONWriter {
	return func(dst, raw []byte) ([]byte, error) {
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return dst, textdecode.ErrFormat
		}
		return textdecode.AppendJSONItems(dst, '[', items, ']', func(dst []byte, i int) ([]byte, error) { return each(dst, items[i]) })
	}
}

func newMapJSONWriter(each textdecode.JSONWriter) textdecode.JSONWriter {
	return func(dst, raw []byte) ([]byte, error) {
		var items map[string]json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return dst, textdecode.ErrFormat
		}
		keys := slices.Sorted(maps.Keys(items))
		return textdecode.AppendJSONItems(dst, '{', keys, '}', func(dst []byte, i int) ([]byte, error) {
			return each(append(jsontext.AppendString(dst, keys[i]), ':'), items[keys[i]])
		})
	}
}

func newRowJSONWriter(s typeSignature) textdecode.JSONWriter {
	names := make([]string, len(s.Arguments))
	fields := make([]textdecode.JSONWriter, len(s.Arguments))
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
		return textdecode.AppendJSONItems(dst, open, items, shut, func(dst []byte, i int) ([]byte, error) {
			if open == '{' {
				dst = append(jsontext.AppendString(dst, names[i]), ':')
			}
			return fields[i](dst, items[i])
		})
	}
}
