package trino

import (
	"encoding/json"
	"strings"
	"time"
	_ "time/tzdata" // the zones of values; an image need not have them

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor/internal/textdecode"
)

const (
	defaultTimePrecision = 3
	microPrecision       = 6
	nanoPrecision        = 9
)

// typeSignature is a type as the protocol describes it.
type typeSignature struct {
	Name      string         `json:"rawType"`
	Arguments []typeArgument `json:"arguments"`
}

type typeArgument struct {
	Kind  string          `json:"kind"`
	Value json.RawMessage `json:"value"`
}

// intArgumentOrDefault returns an argument such as the precision.
func (s typeSignature) intArgumentOrDefault(i, fallback int32) int32 {
	if i >= int32(len(s.Arguments)) {
		return fallback
	}
	var n int32
	if json.Unmarshal(s.Arguments[i].Value, &n) != nil {
		return fallback
	}
	return n
}

// decoderForType returns the decoder of the values of a type.
func decoderForType(s typeSignature) textdecode.Decoder {
	switch strings.ToLower(s.Name) {
	case "boolean":
		return textdecode.BoolDecoder()
	case "tinyint":
		return textdecode.IntDecoder[int8]()
	case "smallint":
		return textdecode.IntDecoder[int16]()
	case "integer":
		return textdecode.IntDecoder[int32]()
	case "bigint":
		return textdecode.IntDecoder[int64]()
	case "real":
		return textdecode.Float32Decoder()
	case "double":
		return textdecode.Float64Decoder()
	case "decimal":
		return textdecode.DecimalDecoder(s.intArgumentOrDefault(0, 38), s.intArgumentOrDefault(1, 0))
	case "number":
		return textdecode.NumberAsPlainTextDecoder()
	case "date":
		return textdecode.DateDecoder()
	case "time":
		return newTimeOfDayDecoder(s)
	case "time with time zone":
		if s.intArgumentOrDefault(0, defaultTimePrecision) > nanoPrecision {
			return textdecode.TextDecoder()
		}
		return textdecode.TimeOfDayToTextDecoder()
	case "timestamp":
		return newTimestampDecoder(s, "", textdecode.ParseTimestamp)
	case "timestamp with time zone":
		return newTimestampDecoder(s, "UTC", (&zonedTimestampReader{}).readTimestamp)
	case "interval year to month":
		return textdecode.IntervalDecoder(textdecode.ParseYearMonthInterval)
	case "interval day to second":
		return textdecode.IntervalDecoder(textdecode.ParseDayTimeInterval)
	case "varbinary":
		return textdecode.Base64Decoder()
	case "json":
		return textdecode.JSONDecoder(func(dst, text []byte) ([]byte, error) { return append(dst, text...), nil })
	case "array", "map", "row":
		return textdecode.JSONDecoder(newNestedJSONWriter(s))
	case "unknown":
		return newNullDecoder()
	default:
		return textdecode.TextDecoder()
	}
}

func newTimestampDecoder(s typeSignature, zone string, read func([]byte) (textdecode.DecodedTime, error)) textdecode.Decoder {
	switch precision := s.intArgumentOrDefault(0, defaultTimePrecision); {
	case precision <= microPrecision:
		return textdecode.TimestampDecoder(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: zone}, read)
	case precision <= nanoPrecision:
		return textdecode.TimestampDecoder(&arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: zone}, read)
	default:
		return textdecode.TextDecoder()
	}
}

func newTimeOfDayDecoder(s typeSignature) textdecode.Decoder {
	switch precision := s.intArgumentOrDefault(0, defaultTimePrecision); {
	case precision <= microPrecision:
		return textdecode.TimeOfDayDecoder(&arrow.Time64Type{Unit: arrow.Microsecond}, textdecode.ParseTimeOfDay)
	case precision <= nanoPrecision:
		return textdecode.TimeOfDayDecoder(&arrow.Time64Type{Unit: arrow.Nanosecond}, textdecode.ParseTimeOfDay)
	default:
		return textdecode.TextDecoder()
	}
}

// newNullDecoder decodes NULL.
func newNullDecoder() textdecode.Decoder {
	return textdecode.Decoder{
		Arrow: arrow.Null,
		Bind: func(array.Builder) textdecode.AppendTextFunc {
			return func([]byte) error { return textdecode.ErrFormat }
		},
		JSON: func(dst, _ []byte) ([]byte, error) { return dst, textdecode.ErrFormat },
	}
}

// zonedTimestampReader reads 2024-01-05 10:00:00.000 Europe/Warsaw and remembers the zones it
// met.
type zonedTimestampReader struct{ known map[string]*time.Location }

func (z *zonedTimestampReader) readTimestamp(text []byte) (textdecode.DecodedTime, error) {
	m, rest, err := textdecode.ParseTimestampPrefix(text)
	if err != nil || len(rest) < 2 || rest[0] != ' ' {
		return m, textdecode.ErrFormat
	}
	name := string(rest[1:])
	if name == "UTC" {
		return m, nil
	}
	zone, ok := z.known[name]
	if !ok {
		if zone = parseTimeZone(name); zone == nil {
			return m, textdecode.ErrFormat
		}
		if z.known == nil {
			z.known = map[string]*time.Location{}
		}
		z.known[name] = zone
	}
	wall := time.Unix(m.Seconds, 0).UTC()
	m.Seconds = time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, zone).Unix()
	return m, nil
}

// parseTimeZone accepts names and offsets such as +01:00.
func parseTimeZone(name string) *time.Location {
	if t, err := time.Parse("-07:00", name); err == nil {
		_, offset := t.Zone()
		return time.FixedZone("", offset)
	}
	if zone, err := time.LoadLocation(name); err == nil && name != "Local" {
		return zone
	}
	return nil
}
