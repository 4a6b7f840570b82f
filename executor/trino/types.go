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
	defaultPrecision = 3
	microPrecision   = 6
	nanoPrecision    = 9
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

// number is an argument such as the precision.
func (s typeSignature) number(i, fallback int32) int32 {
	if i >= int32(len(s.Arguments)) {
		return fallback
	}
	var n int32
	if json.Unmarshal(s.Arguments[i].Value, &n) != nil {
		return fallback
	}
	return n
}

// typeFor chooses how a type travels.
func typeFor(s typeSignature) textdecode.Type {
	switch strings.ToLower(s.Name) {
	case "boolean":
		return textdecode.BoolType()
	case "tinyint":
		return textdecode.IntType[int8]()
	case "smallint":
		return textdecode.IntType[int16]()
	case "integer":
		return textdecode.IntType[int32]()
	case "bigint":
		return textdecode.IntType[int64]()
	case "real":
		return textdecode.Float32Type()
	case "double":
		return textdecode.Float64Type()
	case "decimal":
		return textdecode.DecimalType(s.number(0, 38), s.number(1, 0))
	case "number":
		return textdecode.NumberType()
	case "date":
		return textdecode.DateType()
	case "time":
		return timeOfDay(s)
	case "time with time zone":
		if s.number(0, defaultPrecision) > nanoPrecision {
			return textdecode.TextType()
		}
		return textdecode.ClockType()
	case "timestamp":
		return timestamp(s, "", textdecode.ReadTimestamp)
	case "timestamp with time zone":
		return timestamp(s, "UTC", (&zoneReader{}).read)
	case "interval year to month":
		return textdecode.IntervalType(textdecode.ReadMonths)
	case "interval day to second":
		return textdecode.IntervalType(textdecode.ReadDays)
	case "varbinary":
		return textdecode.Base64Type()
	case "json":
		return textdecode.JSONType(func(dst, text []byte) ([]byte, error) { return append(dst, text...), nil })
	case "array", "map", "row":
		return textdecode.JSONType(nestedWriter(s))
	case "unknown":
		return nullType()
	default:
		return textdecode.TextType()
	}
}

func timestamp(s typeSignature, zone string, read func([]byte) (textdecode.Time, error)) textdecode.Type {
	switch precision := s.number(0, defaultPrecision); {
	case precision <= microPrecision:
		return textdecode.TimestampType(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: zone}, read)
	case precision <= nanoPrecision:
		return textdecode.TimestampType(&arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: zone}, read)
	default:
		return textdecode.TextType()
	}
}

func timeOfDay(s typeSignature) textdecode.Type {
	switch precision := s.number(0, defaultPrecision); {
	case precision <= microPrecision:
		return textdecode.TimeOfDayType(&arrow.Time64Type{Unit: arrow.Microsecond}, textdecode.ReadClock)
	case precision <= nanoPrecision:
		return textdecode.TimeOfDayType(&arrow.Time64Type{Unit: arrow.Nanosecond}, textdecode.ReadClock)
	default:
		return textdecode.TextType()
	}
}

// nullType is the type of NULL.
func nullType() textdecode.Type {
	return textdecode.Type{
		Arrow: arrow.Null,
		Bind:  func(array.Builder) textdecode.AppendText { return func([]byte) error { return textdecode.ErrFormat } },
		JSON:  func(dst, _ []byte) ([]byte, error) { return dst, textdecode.ErrFormat },
	}
}

// zoneReader reads 2024-01-05 10:00:00.000 Europe/Warsaw and remembers the zones it
// met.
type zoneReader struct{ known map[string]*time.Location }

func (z *zoneReader) read(text []byte) (textdecode.Time, error) {
	m, rest, err := textdecode.CutTimestampPrefix(text)
	if err != nil || len(rest) < 2 || rest[0] != ' ' {
		return m, textdecode.ErrFormat
	}
	name := string(rest[1:])
	if name == "UTC" {
		return m, nil
	}
	zone, ok := z.known[name]
	if !ok {
		if zone = zoneOf(name); zone == nil {
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

// zoneOf accepts names and offsets such as +01:00.
func zoneOf(name string) *time.Location {
	if t, err := time.Parse("-07:00", name); err == nil {
		_, offset := t.Zone()
		return time.FixedZone("", offset)
	}
	if zone, err := time.LoadLocation(name); err == nil && name != "Local" {
		return zone
	}
	return nil
}
