package textdecode

import (
	"encoding/json"
	"slices"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// JSONCells append the values of a page that is JSON to the builder of their column.
type JSONCells struct {
	builder array.Builder
	value   AppendTextFunc
	nested  bool
}

// NewJSONCells returns the cells of a column. Nested values are JSON themselves; others may be in quotes.
func NewJSONCells(t Decoder, b array.Builder, nested bool) JSONCells {
	return JSONCells{b, t.Bind(b), nested}
}

// AppendCell appends one value.
func (c JSONCells) AppendCell(raw json.RawMessage) error {
	if isJSONNull(raw) {
		c.builder.AppendNull()
		return nil
	}
	if c.nested {
		return c.value(raw)
	}
	text, err := UnquoteJSON(raw)
	if err != nil {
		return err
	}
	return c.value(text)
}

func isJSONNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// UnquoteJSON returns a string without its quotes, and any other value unchanged.
func UnquoteJSON(raw json.RawMessage) ([]byte, error) {
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

// JSONWriter appends a value of a page as JSON that means the same without the type of the column.
type JSONWriter func(dst, raw []byte) ([]byte, error)

// NewElementJSONWriter returns the writer of values of a type within nested values.
func NewElementJSONWriter(t Decoder) JSONWriter {
	return OrNull(func(dst, raw []byte) ([]byte, error) {
		text, err := UnquoteJSON(raw)
		if err != nil {
			return dst, err
		}
		return t.JSON(dst, text)
	})
}

// OrNull returns a writer that writes null for a null.
func OrNull(write JSONWriter) JSONWriter {
	return func(dst, raw []byte) ([]byte, error) {
		if isJSONNull(raw) {
			return jsontext.AppendNull(dst), nil
		}
		return write(dst, raw)
	}
}

// AppendJSONItems appends items between brackets.
func AppendJSONItems[T any](dst []byte, open byte, items []T, shut byte, each func(dst []byte, i int) ([]byte, error)) (_ []byte, err error) {
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
