package bigquery

import (
	"encoding/json"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"

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

// jsonWriterForField appends a value, as the service sends it, as plain JSON.
func jsonWriterForField(f columnSchema) textdecode.JSONWriter {
	if f.Mode == "REPEATED" {
		f.Mode = ""
		return newListJSONWriter(jsonWriterForField(f))
	}
	if isRepeatedOrRecord(f) {
		return newRecordJSONWriter(f.Fields)
	}
	return textdecode.NewElementJSONWriter(decoderForField(f))
}

func newListJSONWriter(each textdecode.JSONWriter) textdecode.JSONWriter {
	return func(dst, raw []byte) ([]byte, error) {
		var items []struct {
			Value json.RawMessage `json:"v"`
		}
		if err := json.Unmarshal(raw, &items); err != nil {
			return dst, textdecode.ErrFormat
		}
		return textdecode.AppendJSONItems(dst, '[', items, ']', func(dst []byte, i int) ([]byte, error) { return each(dst, items[i].Value) })
	}
}

func newRecordJSONWriter(fields []columnSchema) textdecode.JSONWriter {
	writers := make([]textdecode.JSONWriter, len(fields))
	for i, f := range fields {
		writers[i] = jsonWriterForField(f)
	}
	return textdecode.OrNull(func(dst, raw []byte) ([]byte, error) {
		var r resultRow
		if err := json.Unmarshal(raw, &r); err != nil || len(r.Cells) != len(fields) {
			return dst, textdecode.ErrFormat
		}
		return textdecode.AppendJSONItems(dst, '{', fields, '}', func(dst []byte, i int) ([]byte, error) {
			return writers[i](append(jsontext.AppendString(dst, fields[i].Name), ':'), r.Cells[i].Value)
		})
	})
}
