package bigquery

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
	"github.com/semlayer/semlayer/executor/internal/textcell"
)

const microsPerSecond = 1_000_000

// typeFor chooses how a column travels.
func typeFor(f field) textcell.Type {
	if isNested(f) {
		return textcell.JSON(writerFor(f))
	}
	switch f.Type {
	case "INTEGER", "INT64":
		return textcell.Int[int64]()
	case "FLOAT", "FLOAT64":
		return textcell.Float64()
	case "BOOLEAN", "BOOL":
		return textcell.Bool()
	case "NUMERIC":
		return decimal(f, 38, 9)
	case "BIGNUMERIC":
		return decimal(f, 76, 38)
	case "DATE":
		return textcell.Date()
	case "DATETIME":
		return textcell.Timestamp(&arrow.TimestampType{Unit: arrow.Microsecond}, textcell.ReadMoment)
	case "TIMESTAMP":
		return textcell.Timestamp(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, readMicros)
	case "TIME":
		return textcell.TimeOfDay(&arrow.Time64Type{Unit: arrow.Microsecond}, textcell.ReadClock)
	case "INTERVAL":
		return textcell.Interval(textcell.ReadSpan)
	case "BYTES":
		return textcell.Base64()
	case "JSON":
		return textcell.JSON(func(dst, text []byte) ([]byte, error) { return append(dst, text...), nil })
	default:
		return textcell.Text()
	}
}

func isNested(f field) bool {
	return f.Mode == "REPEATED" || f.Type == "RECORD" || f.Type == "STRUCT"
}

// decimal has the digits that the column declares, or all that the type has.
func decimal(f field, precision, scale int32) textcell.Type {
	if p, err := strconv.ParseInt(f.Precision, 10, 32); err == nil && p > 0 && int32(p) <= precision {
		s, _ := strconv.ParseInt(f.Scale, 10, 32)
		return textcell.Decimal(int32(p), int32(s))
	}
	return textcell.Decimal(precision, scale)
}

// readMicros reads microseconds since the epoch.
func readMicros(text []byte) (textcell.Moment, error) {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return textcell.Moment{}, textcell.ErrFormat
	}
	seconds, micros := n/microsPerSecond, n%microsPerSecond
	if micros < 0 {
		seconds, micros = seconds-1, micros+microsPerSecond
	}
	return textcell.Moment{Seconds: seconds, Nanos: int(micros) * 1000}, nil
}

// cell appends the JSON of a page to the builder of its column. A nested value is
// JSON itself, others are in quotes.
type cell struct {
	builder array.Builder
	value   textcell.Append
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
		return list(writerFor(f))
	}
	if isNested(f) {
		return record(f.Fields)
	}
	t := typeFor(f)
	return func(dst, raw []byte) ([]byte, error) {
		if isNull(raw) {
			return jsontext.Null(dst), nil
		}
		text, err := textOf(raw)
		if err != nil {
			return dst, err
		}
		return t.JSON(dst, text)
	}
}

func list(each func(dst, raw []byte) ([]byte, error)) func(dst, raw []byte) ([]byte, error) {
	return func(dst, raw []byte) (_ []byte, err error) {
		var items []struct {
			Value json.RawMessage `json:"v"`
		}
		if err := json.Unmarshal(raw, &items); err != nil {
			return dst, textcell.ErrFormat
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

func record(fields []field) func(dst, raw []byte) ([]byte, error) {
	writers := make([]func(dst, raw []byte) ([]byte, error), len(fields))
	for i, f := range fields {
		writers[i] = writerFor(f)
	}
	return func(dst, raw []byte) (_ []byte, err error) {
		if isNull(raw) {
			return jsontext.Null(dst), nil
		}
		var r row
		if err := json.Unmarshal(raw, &r); err != nil || len(r.Cells) != len(fields) {
			return dst, textcell.ErrFormat
		}
		dst = append(dst, '{')
		for i, c := range r.Cells {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsontext.String(dst, fields[i].Name), ':')
			if dst, err = writers[i](dst, c.Value); err != nil {
				return dst, err
			}
		}
		return append(dst, '}'), nil
	}
}
