package snowflake

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor/internal/textdecode"
)

const (
	int64Digits     = 18
	nanosPerMicro   = 1000
	nanoDigits      = 9
	zoneOffsetShift = 1440
)

// typeFor chooses how a column travels.
func typeFor(c column) textdecode.Type {
	switch strings.ToLower(c.Type) {
	case "fixed", "number":
		if c.Scale == 0 && c.Precision > 0 && c.Precision <= int64Digits {
			return textdecode.IntType[int64]()
		}
		return textdecode.DecimalType(c.Precision, c.Scale)
	case "real", "float", "double":
		return textdecode.Float64Type()
	case "boolean":
		return textdecode.BoolType()
	case "date":
		return textdecode.DayCountType()
	case "time":
		return textdecode.TimeOfDayType(&arrow.Time64Type{Unit: arrow.Microsecond}, readSeconds)
	case "timestamp_ntz":
		return textdecode.TimestampType(&arrow.TimestampType{Unit: arrow.Microsecond}, readSeconds)
	case "timestamp_ltz":
		return textdecode.TimestampType(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, readSeconds)
	case "timestamp_tz":
		return textdecode.TimestampType(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, readZoned)
	case "binary":
		return textdecode.HexType()
	case "variant", "object", "array", "map", "vector":
		return textdecode.JSONType(func(dst, text []byte) ([]byte, error) { return append(dst, text...), nil })
	default:
		return textdecode.TextType()
	}
}

// readSeconds reads 1704448800.500000000, cut to microseconds.
func readSeconds(text []byte) (m textdecode.Time, err error) {
	whole, fraction, _ := bytes.Cut(text, []byte{'.'})
	negative := len(whole) > 0 && whole[0] == '-'
	if m.Seconds, err = strconv.ParseInt(string(whole), 10, 64); err != nil {
		return m, textdecode.ErrFormat
	}
	if len(fraction) > nanoDigits {
		return m, textdecode.ErrFormat
	}
	nanos, err := strconv.ParseUint(string(fraction)+strings.Repeat("0", nanoDigits-len(fraction)), 10, 32)
	if err != nil {
		return m, textdecode.ErrFormat
	}
	m.Nanos = int(nanos)
	if negative && nanos > 0 {
		m.Seconds, m.Nanos = m.Seconds-1, 1_000_000_000-m.Nanos
	}
	m.Nanos -= m.Nanos % nanosPerMicro
	return m, nil
}

// readZoned reads seconds and, behind them, the minutes east of UTC plus 1440. The
// seconds are those of UTC.
func readZoned(text []byte) (textdecode.Time, error) {
	seconds, zone, ok := bytes.Cut(text, []byte{' '})
	minutes, err := strconv.Atoi(string(zone))
	if !ok || err != nil || minutes < 0 || minutes > 2*zoneOffsetShift {
		return textdecode.Time{}, textdecode.ErrFormat
	}
	return readSeconds(seconds)
}
