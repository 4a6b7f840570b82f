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

// decoderForField returns the decoder of the values of a column.
func decoderForField(f columnSchema) textdecode.Decoder {
	if isRepeatedOrRecord(f) {
		return textdecode.JSONDecoder(jsonWriterForField(f))
	}
	switch f.Type {
	case "INTEGER", "INT64":
		return textdecode.IntDecoder[int64]()
	case "FLOAT", "FLOAT64":
		return textdecode.Float64Decoder()
	case "BOOLEAN", "BOOL":
		return textdecode.BoolDecoder()
	case "NUMERIC":
		return newDecimalDecoder(f, 38, 9)
	case "BIGNUMERIC":
		return newDecimalDecoder(f, 76, 38)
	case "DATE":
		return textdecode.DateDecoder()
	case "DATETIME":
		return textdecode.TimestampDecoder(&arrow.TimestampType{Unit: arrow.Microsecond}, textdecode.ParseTimestamp)
	case "TIMESTAMP":
		return textdecode.TimestampDecoder(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, parseEpochMicros)
	case "TIME":
		return textdecode.TimeOfDayDecoder(&arrow.Time64Type{Unit: arrow.Microsecond}, textdecode.ParseTimeOfDay)
	case "INTERVAL":
		return textdecode.IntervalDecoder(textdecode.ParseInterval)
	case "BYTES":
		return textdecode.Base64Decoder()
	case "JSON":
		return textdecode.JSONDecoder(func(dst, text []byte) ([]byte, error) { return append(dst, text...), nil })
	default:
		return textdecode.TextDecoder()
	}
}

func isRepeatedOrRecord(f columnSchema) bool {
	return f.Mode == "REPEATED" || f.Type == "RECORD" || f.Type == "STRUCT"
}

// newDecimalDecoder has the digits that the column declares, or all that the type has.
func newDecimalDecoder(f columnSchema, precision, scale int32) textdecode.Decoder {
	if p, err := strconv.ParseInt(f.Precision, 10, 32); err == nil && p > 0 && int32(p) <= precision {
		s, _ := strconv.ParseInt(f.Scale, 10, 32)
		return textdecode.DecimalDecoder(int32(p), int32(s))
	}
	return textdecode.DecimalDecoder(precision, scale)
}

// parseEpochMicros reads microseconds since the epoch.
func parseEpochMicros(text []byte) (textdecode.DecodedTime, error) {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return textdecode.DecodedTime{}, textdecode.ErrFormat
	}
	seconds, micros := n/microsPerSecond, n%microsPerSecond
	if micros < 0 {
		seconds, micros = seconds-1, micros+microsPerSecond
	}
	return textdecode.DecodedTime{Seconds: seconds, Nanos: int(micros) * 1000}, nil
}

// jsonCellAppender appends the JSON of a page to the builder of its column. A nested value is
// JSON itself, others are in quotes.
type jsonCellAppender struct {
	builder array.Builder
	value   textdecode.AppendTextFunc
	nested  bool
}

func (c jsonCellAppender) appendCell(raw json.RawMessage) error {
	if isJSONNull(raw) {
		c.builder.AppendNull()
		return nil
	}
	if c.nested {
		return c.value(raw)
	}
	text, err := unquoteJSONString(raw)
	if err != nil {
		return err
	}
	return c.value(text)
}

func isJSONNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

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

// jsonWriterForField appends a value, as the service sends it, as plain JSON.
func jsonWriterForField(f columnSchema) func(dst, raw []byte) ([]byte, error) {
	if f.Mode == "REPEATED" {
		f.Mode = ""
		return newListJSONWriter(jsonWriterForField(f))
	}
	if isRepeatedOrRecord(f) {
		return newRecordJSONWriter(f.Fields)
	}
	t := decoderForField(f)
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

func newListJSONWriter(each func(dst, raw []byte) ([]byte, error)) func(dst, raw []byte) ([]byte, error) {
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

func newRecordJSONWriter(fields []columnSchema) func(dst, raw []byte) ([]byte, error) {
	writers := make([]func(dst, raw []byte) ([]byte, error), len(fields))
	for i, f := range fields {
		writers[i] = jsonWriterForField(f)
	}
	return func(dst, raw []byte) (_ []byte, err error) {
		if isJSONNull(raw) {
			return jsontext.AppendNull(dst), nil
		}
		var r resultRow
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
