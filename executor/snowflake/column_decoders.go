package snowflake

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor/internal/textdecode"
)

const (
	maxInt64Digits        = 18
	nanosPerMicro         = 1000
	nanoDigits            = 9
	zoneOffsetBiasMinutes = 1440
)

// decoderForColumn returns the decoder of the values of a column.
func decoderForColumn(c columnSchema) textdecode.Decoder {
	switch strings.ToLower(c.Type) {
	case "fixed", "number":
		if c.Scale == 0 && c.Precision > 0 && c.Precision <= maxInt64Digits {
			return textdecode.IntDecoder[int64]()
		}
		return textdecode.DecimalDecoder(c.Precision, c.Scale)
	case "real", "float", "double":
		return textdecode.Float64Decoder()
	case "boolean":
		return textdecode.BoolDecoder()
	case "date":
		return textdecode.EpochDaysDecoder()
	case "time":
		return textdecode.TimeOfDayDecoder(&arrow.Time64Type{Unit: arrow.Microsecond}, parseEpochSeconds)
	case "timestamp_ntz":
		return textdecode.TimestampDecoder(&arrow.TimestampType{Unit: arrow.Microsecond}, parseEpochSeconds)
	case "timestamp_ltz":
		return textdecode.TimestampDecoder(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, parseEpochSeconds)
	case "timestamp_tz":
		return textdecode.TimestampDecoder(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, parseZonedTimestamp)
	case "binary":
		return textdecode.HexDecoder()
	case "variant", "object", "array", "map", "vector":
		return textdecode.JSONDecoder(func(dst, text []byte) ([]byte, error) { return append(dst, text...), nil })
	default:
		return textdecode.TextDecoder()
	}
}

// parseEpochSeconds reads 1704448800.500000000, cut to microseconds.
func parseEpochSeconds(text []byte) (m textdecode.DecodedTime, err error) {
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

// parseZonedTimestamp reads seconds and, after them, the minutes east of UTC plus 1440. The
// seconds are those of UTC.
func parseZonedTimestamp(text []byte) (textdecode.DecodedTime, error) {
	seconds, zone, ok := bytes.Cut(text, []byte{' '})
	minutes, err := strconv.Atoi(string(zone))
	if !ok || err != nil || minutes < 0 || minutes > 2*zoneOffsetBiasMinutes {
		return textdecode.DecodedTime{}, textdecode.ErrFormat
	}
	return parseEpochSeconds(seconds)
}
