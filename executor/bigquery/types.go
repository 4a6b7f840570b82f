package bigquery

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
	"github.com/semlayer/semlayer/executor/internal/textdecode"
)

const microsPerSecond = 1_000_000

// typeFor chooses how a column travels.
func typeFor(f field) textdecode.Type {
	if isNested(f) {
		return textdecode.JSONType(writerFor(f))
	}
	switch f.Type {
	case "INTEGER", "INT64":
		return textdecode.IntType[int64]()
	case "FLOAT", "FLOAT64":
		return textdecode.Float64Type()
	case "BOOLEAN", "BOOL":
		return textdecode.BoolType()
	case "NUMERIC":
		return decimalType(f, 38, 9)
	case "BIGNUMERIC":
		return decimalType(f, 76, 38)
	case "DATE":
		return textdecode.DateType()
	case "DATETIME":
		return textdecode.TimestampType(&arrow.TimestampType{Unit: arrow.Microsecond}, textdecode.ReadTimestamp)
	case "TIMESTAMP":
		return textdecode.TimestampType(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, readMicros)
	case "TIME":
		return textdecode.TimeOfDayType(&arrow.Time64Type{Unit: arrow.Microsecond}, textdecode.ReadClock)
	case "INTERVAL":
		return textdecode.IntervalType(textdecode.ReadInterval)
	case "BYTES":
		return textdecode.Base64Type()
	case "JSON":
		return textdecode.JSONType(func(dst, text []byte) ([]byte, error) { return append(dst, text...), nil })
	default:
		return textdecode.TextType()
	}
}

func isNested(f field) bool {
	return f.Mode == "REPEATED" || f.Type == "RECORD" || f.Type == "STRUCT"
}

// decimalType has the digits that the column declares, or all that the type has.
func decimalType(f field, precision, scale int32) textdecode.Type {
	if p, err := strconv.ParseInt(f.Precision, 10, 32); err == nil && p > 0 && int32(p) <= precision {
		s, _ := strconv.ParseInt(f.Scale, 10, 32)
		return textdecode.DecimalType(int32(p), int32(s))
	}
	return textdecode.DecimalType(precision, scale)
}

// readMicros reads microseconds since the epoch.
func readMicros(text []byte) (textdecode.Time, error) {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return textdecode.Time{}, textdecode.ErrFormat
	}
	seconds, micros := n/microsPerSecond, n%microsPerSecond
	if micros < 0 {
		seconds, micros = seconds-1, micros+microsPerSecond
	}
	return textdecode.Time{Seconds: seconds, Nanos: int(micros) * 1000}, nil
}

// cell appends the JSON of a page to the builder of its column. A nested value is
// JSON itself, others are in quotes.
type cell struct {
	builder array.Builder
	value   textdecode.AppendText
	nested  bool
}

func (c cell) append(raw json.RawMessage) error {
	if isNull(raw) {
		c.builder.AppendNull()
		return nil
	}
	if c.nested {
		return c.value(raw)
	}
	text, err := textOf(raw)
	if err != nil {
		return err
	}
	return c.value(text)
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func textOf(raw json.RawMessage) ([]byte, error) {
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

// writerFor appends a value, as the service sends it, as plain JSON.
func writerFor(f field) func(dst, raw []byte) ([]byte, error) {
	if f.Mode == "REPEATED" {
		f.Mode = ""
		return listText(writerFor(f))
	}
	if isNested(f) {
		return recordText(f.Fields)
	}
	t := typeFor(f)
	return func(dst, raw []byte) ([]byte, error) {
		if isNull(raw) {
			return jsontext.AppendNull(dst), nil
		}
		text, err := textOf(raw)
		if err != nil {
			return dst, err
		}
		return t.JSON(dst, text)
	}
}

func listText(each func(dst, raw []byte) ([]byte, error)) func(dst, raw []byte) ([]byte, error) {
	return func(dst, raw []byte) (_ []byte, err error) {
		var items []struct {
			Value json.RawMessage `json:"v"`
		}
		if err := json.Unmarshal(raw, &items); err != nil {
			return dst, textdecode.ErrFormat
		}
		dst = append(dst, '[')
		for i, item := range items {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = each(dst, item.Value); err != nil {
				return dst, err
			}
		}
		return append(dst, ']'), nil
	}
}

func recordText(fields []field) func(dst, raw []byte) ([]byte, error) {
	writers := make([]func(dst, raw []byte) ([]byte, error), len(fields))
	for i, f := range fields {
		writers[i] = writerFor(f)
	}
	return func(dst, raw []byte) (_ []byte, err error) {
		if isNull(raw) {
			return jsontext.AppendNull(dst), nil
		}
		var r row
		if err := json.Unmarshal(raw, &r); err != nil || len(r.Cells) != len(fields) {
			return dst, textdecode.ErrFormat
		}
		dst = append(dst, '{')
		for i, c := range r.Cells {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsontext.AppendString(dst, fields[i].Name), ':')
			if dst, err = writers[i](dst, c.Value); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	}
}
