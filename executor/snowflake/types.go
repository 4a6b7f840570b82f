package snowflake

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor/internal/textcell"
)

const (
	int64Digits   = 18
	nanosPerMicro = 1000
	nanoDigits    = 9
	minutesShift  = 1440
)

// typeFor chooses how a column travels.
func typeFor(c column) textcell.Type {
	switch strings.ToLower(c.Type) {
	case "fixed", "number":
		if c.Scale == 0 && c.Precision > 0 && c.Precision <= int64Digits {
			return textcell.Int[int64]()
		}
		return textcell.Decimal(c.Precision, c.Scale)
	case "real", "float", "double":
		return textcell.Float64()
	case "boolean":
		return textcell.Bool()
	case "date":
		return textcell.DayCount()
	case "time":
		return textcell.TimeOfDay(&arrow.Time64Type{Unit: arrow.Microsecond}, readSeconds)
	case "timestamp_ntz":
		return textcell.Timestamp(&arrow.TimestampType{Unit: arrow.Microsecond}, readSeconds)
	case "timestamp_ltz":
		return textcell.Timestamp(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, readSeconds)
	case "timestamp_tz":
		return textcell.Timestamp(&arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, readZoned)
	case "binary":
		return textcell.Hex()
	case "variant", "object", "array", "map", "vector":
		return textcell.JSON(func(dst, text []byte) ([]byte, error) { return append(dst, text...), nil })
	default:
		return textcell.Text()
	}
}

// readSeconds reads 1704448800.500000000, cut to microseconds.
func readSeconds(text []byte) (m textcell.Moment, err error) {
	whole, fraction, _ := bytes.Cut(text, []byte{'.'})
	negative := len(whole) > 0 && whole[0] == '-'
	if m.Seconds, err = strconv.ParseInt(string(whole), 10, 64); err != nil {
		return m, textcell.ErrFormat
	}
	if len(fraction) > nanoDigits {
		return m, textcell.ErrFormat
	}
	nanos, err := strconv.ParseUint(string(fraction)+strings.Repeat("0", nanoDigits-len(fraction)), 10, 32)
	if err != nil {
		return m, textcell.ErrFormat
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
func readZoned(text []byte) (textcell.Moment, error) {
	seconds, zone, ok := bytes.Cut(text, []byte{' '})
	minutes, err := strconv.Atoi(string(zone))
	if !ok || err != nil || minutes < 0 || minutes > 2*minutesShift {
		return textcell.Moment{}, textcell.ErrFormat
	}
	return readSeconds(seconds)
}
