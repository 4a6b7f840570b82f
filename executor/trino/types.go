package trino

import (
	"encoding/json"
	"strings"
	"time"
	_ "time/tzdata" // the zones of values; an image need not have them

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/semlayer/semlayer/executor/internal/textcell"
)

const (
	defaultPrecision = 3
	microPrecision   = 6
	nanoPrecision    = 9
)

// signature is a type as the protocol describes it.
type signature struct {
	Name      string     `json:"rawType"`
	Arguments []argument `json:"arguments"`
}

type argument struct {
	Kind  string          `json:"kind"`
	Value json.RawMessage `json:"value"`
}

// number is an argument such as the precision.
func (s signature) number(i, fallback int32) int32 {
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
func typeFor(s signature) textcell.Type {
	switch strings.ToLower(s.Name) {
	case "boolean":
		return textcell.Bool()
	case "tinyint":
		return textcell.Int[int8]()
	case "smallint":
		return textcell.Int[int16]()
	case "integer":
		return textcell.Int[int32]()
	case "bigint":
		return textcell.Int[int64]()
	case "real":
		return textcell.Float32()
	case "double":
		return textcell.Float64()
	case "decimal":
		return textcell.Decimal(s.number(0, 38), s.number(1, 0))
	case "number":
		return textcell.Number()
	case "date":
		return textcell.Date()
	case "time":
		return timeOfDay(s)
	case "time with time zone":
		if s.number(0, defaultPrecision) > nanoPrecision {
			return textcell.Text()
		}
		return textcell.Clock()
	case "timestamp":
		return timestamp(s, "", textcell.ReadMoment)
	case "timestamp with time zone":
		return timestamp(s, "UTC", (&zones{}).read)
	case "interval year to month":
		return textcell.Interval(textcell.ReadMonths)
	case "interval day to second":
		return textcell.Interval(textcell.ReadDays)
	case "varbinary":
		return textcell.Base64()
	case "json":
		return textcell.JSON(func(dst, text []byte) ([]byte, error) { return append(dst, text...), nil })
	case "array", "map", "row":
		return textcell.JSON(nested(s))
	case "unknown":
		return nothing()
	default:
		return textcell.Text()
	}
}

func timestamp(s signature, zone string, read func([]byte) (textcell.Moment, error)) textcell.Type {
	switch precision := s.number(0, defaultPrecision); {
	case precision <= microPrecision:
		return textcell.Timestamp(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: zone}, read)
	case precision <= nanoPrecision:
		return textcell.Timestamp(&arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: zone}, read)
	default:
		return textcell.Text()
	}
}

func timeOfDay(s signature) textcell.Type {
	switch precision := s.number(0, defaultPrecision); {
	case precision <= microPrecision:
		return textcell.TimeOfDay(&arrow.Time64Type{Unit: arrow.Microsecond}, textcell.ReadClock)
	case precision <= nanoPrecision:
		return textcell.TimeOfDay(&arrow.Time64Type{Unit: arrow.Nanosecond}, textcell.ReadClock)
	default:
		return textcell.Text()
	}
}

// nothing is the type of NULL.
func nothing() textcell.Type {
	return textcell.Type{
		Arrow: arrow.Null,
		Bind:  func(array.Builder) textcell.Append { return func([]byte) error { return textcell.ErrFormat } },
		JSON:  func(dst, _ []byte) ([]byte, error) { return dst, textcell.ErrFormat },
	}
}

// zones reads 2024-01-05 10:00:00.000 Europe/Warsaw and remembers the zones it
// met.
type zones struct{ known map[string]*time.Location }

func (z *zones) read(text []byte) (textcell.Moment, error) {
	m, rest, err := textcell.CutMoment(text)
	if err != nil || len(rest) < 2 || rest[0] != ' ' {
		return m, textcell.ErrFormat
	}
	name := string(rest[1:])
	if name == "UTC" {
		return m, nil
	}
	zone, ok := z.known[name]
	if !ok {
		if zone = zoneOf(name); zone == nil {
			return m, textcell.ErrFormat
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

// zoneOf knows names and offsets such as +01:00.
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
