package textdecode

import (
	"bytes"
	"math"
	"strconv"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

const (
	nanosPerSecond  = 1_000_000_000
	secondsPerDay   = 24 * 60 * 60
	timeOfDayLength = len("10:00:00")
	nanoDigits      = 9
)

// DecodedTime is a date and a time without a zone, or with one: seconds since the
// epoch and nanoseconds beyond them.
type DecodedTime struct {
	Seconds int64
	Nanos   int
}

// DateDecoder reads 2024-01-05. Years may have a sign and more digits.
func DateDecoder() Decoder {
	return fixedWidthDecoder(arrow.FixedWidthTypes.Date32, func(text []byte) (arrow.Date32, error) {
		days, rest, err := parseDatePrefix(text)
		if err != nil || len(rest) > 0 {
			return 0, ErrFormat
		}
		return arrow.Date32(days), nil
	}, func(dst []byte, v arrow.Date32) []byte {
		return appendDoubleQuoted(dst, jsontext.AppendDate(nil, int64(v)))
	})
}

func appendDoubleQuoted(dst, text []byte) []byte {
	return append(append(append(dst, '"'), text...), '"')
}

// EpochDaysDecoder reads a date as the days since the epoch.
func EpochDaysDecoder() Decoder {
	return fixedWidthDecoder(arrow.FixedWidthTypes.Date32, func(text []byte) (arrow.Date32, error) {
		days, err := strconv.ParseInt(string(text), 10, 32)
		return arrow.Date32(days), toRangeOrFormatError(err)
	}, func(dst []byte, v arrow.Date32) []byte {
		return appendDoubleQuoted(dst, jsontext.AppendDate(nil, int64(v)))
	})
}

// TimestampDecoder reads timestamps by read. Micro and nanoseconds are the units in use.
func TimestampDecoder(dt *arrow.TimestampType, read func([]byte) (DecodedTime, error)) Decoder {
	per := nanosPerSecond / dt.Unit.Multiplier().Nanoseconds()
	nanosPer := int(dt.Unit.Multiplier().Nanoseconds())
	utc := dt.TimeZone != ""
	return fixedWidthDecoder(dt, func(text []byte) (arrow.Timestamp, error) {
		m, err := read(text)
		if err != nil {
			return 0, err
		}
		if m.Nanos%nanosPer != 0 || m.Seconds > math.MaxInt64/per-1 || m.Seconds < math.MinInt64/per+1 {
			return 0, ErrRange
		}
		return arrow.Timestamp(m.Seconds*per + int64(m.Nanos/nanosPer)), nil
	}, func(dst []byte, v arrow.Timestamp) []byte {
		return appendDoubleQuoted(dst, jsontext.AppendTimestamp(nil, int64(v), per, utc))
	})
}

// ParseTimestamp reads 2024-01-05 10:00:00 with up to nine digits of a second after
// it, and a T in place of the space.
func ParseTimestamp(text []byte) (DecodedTime, error) {
	m, rest, err := ParseTimestampPrefix(text)
	if err != nil || len(rest) > 0 {
		return m, ErrFormat
	}
	return m, nil
}

// ParseTimestampPrefix reads the timestamp at the beginning of the text.
func ParseTimestampPrefix(text []byte) (m DecodedTime, rest []byte, err error) {
	days, rest, err := parseDatePrefix(text)
	if err != nil || len(rest) < 1 || (rest[0] != ' ' && rest[0] != 'T') {
		return m, nil, ErrFormat
	}
	clock, rest, err := parseTimeOfDayPrefix(rest[1:])
	return DecodedTime{days*secondsPerDay + clock.Seconds, clock.Nanos}, rest, err
}

// TimeOfDayDecoder reads a time of day by read. Micro and nanoseconds are the units in
// use.
func TimeOfDayDecoder(dt *arrow.Time64Type, read func([]byte) (DecodedTime, error)) Decoder {
	nanosPer := dt.Unit.Multiplier().Nanoseconds()
	return fixedWidthDecoder(dt, func(text []byte) (arrow.Time64, error) {
		m, err := read(text)
		if err != nil {
			return 0, err
		}
		if int64(m.Nanos)%nanosPer != 0 {
			return 0, ErrRange
		}
		return arrow.Time64((m.Seconds*nanosPerSecond + int64(m.Nanos)) / nanosPer), nil
	}, func(dst []byte, v arrow.Time64) []byte {
		return appendDoubleQuoted(dst, jsontext.AppendTime(nil, int64(v), nanosPerSecond/nanosPer))
	})
}

// ParseTimeOfDay reads 10:00:00 with up to nine digits of a second after it.
func ParseTimeOfDay(text []byte) (DecodedTime, error) {
	m, rest, err := parseTimeOfDayPrefix(text)
	if err != nil || len(rest) > 0 {
		return m, ErrFormat
	}
	return m, nil
}

// TimeOfDayToTextDecoder renders a time of day without the zeros at the end of its fraction. The text after it,
// an offset, is kept.
func TimeOfDayToTextDecoder() Decoder {
	return ConvertedTextDecoder(func(dst, text []byte) ([]byte, error) {
		clock, rest, err := parseTimeOfDayPrefix(text)
		if err != nil {
			return dst, err
		}
		dst = jsontext.AppendTime(dst, clock.Seconds*nanosPerSecond+int64(clock.Nanos), nanosPerSecond)
		return append(dst, rest...), nil
	})
}

// parseDatePrefix reads the date that the text begins with, as days since the epoch.
func parseDatePrefix(text []byte) (days int64, rest []byte, err error) {
	negative := false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		negative, text = text[0] == '-', text[1:]
	}
	dash := bytes.IndexByte(text, '-')
	if dash < 4 || dash > 6 || len(text) < dash+len("-01-05") || text[dash+3] != '-' {
		return 0, nil, ErrFormat
	}
	y, okY := parseDigits(text[:dash])
	m, okM := parseDigits(text[dash+1 : dash+3])
	d, okD := parseDigits(text[dash+4 : dash+6])
	if negative {
		y = -y
	}
	day := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if !okY || !okM || !okD || day.Day() != d || int(day.Month()) != m {
		return 0, nil, ErrFormat
	}
	seconds := day.Unix()
	return seconds / secondsPerDay, text[dash+6:], nil
}

// parseTimeOfDayPrefix reads the time of day that the text begins with. 24:00:00 is the end
// of a day.
func parseTimeOfDayPrefix(text []byte) (m DecodedTime, rest []byte, err error) {
	if len(text) < timeOfDayLength || text[2] != ':' || text[5] != ':' {
		return m, nil, ErrFormat
	}
	hour, okH := parseDigits(text[:2])
	minute, okM := parseDigits(text[3:5])
	second, okS := parseDigits(text[6:8])
	if !okH || !okM || !okS || hour > 24 || minute > 59 || second > 60 {
		return m, nil, ErrFormat
	}
	m.Seconds = int64(hour*3600 + minute*60 + second)
	rest = text[timeOfDayLength:]
	if len(rest) == 0 || rest[0] != '.' {
		return m, rest, nil
	}
	digits := 1
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	fraction := rest[1:digits]
	if len(fraction) == 0 || len(fraction) > nanoDigits {
		return m, nil, ErrFormat
	}
	m.Nanos, _ = parseDigits(fraction)
	for range nanoDigits - len(fraction) {
		m.Nanos *= 10
	}
	return m, rest[digits:], nil
}
