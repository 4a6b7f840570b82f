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
	nanosPerSecond = 1_000_000_000
	secondsPerDay  = 24 * 60 * 60
	clockLength    = len("10:00:00")
	nanoDigits     = 9
)

// Time is a date and a time without a zone, or with one: seconds since the
// epoch and nanoseconds beyond them.
type Time struct {
	Seconds int64
	Nanos   int
}

// DateType reads 2024-01-05. Years may have a sign and more digits.
func DateType() Type {
	return valueType(arrow.FixedWidthTypes.Date32, func(text []byte) (arrow.Date32, error) {
		days, rest, err := cutDate(text)
		if err != nil || len(rest) > 0 {
			return 0, ErrFormat
		}
		return arrow.Date32(days), nil
	}, func(dst []byte, v arrow.Date32) []byte { return appendQuoted(dst, jsontext.AppendDate(nil, int64(v))) })
}

func appendQuoted(dst, text []byte) []byte { return append(append(append(dst, '"'), text...), '"') }

// DayCountType reads a date as the days since the epoch.
func DayCountType() Type {
	return valueType(arrow.FixedWidthTypes.Date32, func(text []byte) (arrow.Date32, error) {
		days, err := strconv.ParseInt(string(text), 10, 32)
		return arrow.Date32(days), numeric(err)
	}, func(dst []byte, v arrow.Date32) []byte { return appendQuoted(dst, jsontext.AppendDate(nil, int64(v))) })
}

// TimestampType reads timestamps by read. Micro and nanoseconds are the units in use.
func TimestampType(dt *arrow.TimestampType, read func([]byte) (Time, error)) Type {
	per := nanosPerSecond / dt.Unit.Multiplier().Nanoseconds()
	nanosPer := int(dt.Unit.Multiplier().Nanoseconds())
	utc := dt.TimeZone != ""
	return valueType(dt, func(text []byte) (arrow.Timestamp, error) {
		m, err := read(text)
		if err != nil {
			return 0, err
		}
		if m.Nanos%nanosPer != 0 || m.Seconds > math.MaxInt64/per-1 || m.Seconds < math.MinInt64/per+1 {
			return 0, ErrRange
		}
		return arrow.Timestamp(m.Seconds*per + int64(m.Nanos/nanosPer)), nil
	}, func(dst []byte, v arrow.Timestamp) []byte {
		return appendQuoted(dst, jsontext.AppendTimestamp(nil, int64(v), per, utc))
	})
}

// ReadTimestamp reads 2024-01-05 10:00:00 with up to nine digits of a second behind
// it, and a T in place of the space.
func ReadTimestamp(text []byte) (Time, error) {
	m, rest, err := CutTimestampPrefix(text)
	if err != nil || len(rest) > 0 {
		return m, ErrFormat
	}
	return m, nil
}

// CutTimestampPrefix reads the timestamp at the beginning of the text.
func CutTimestampPrefix(text []byte) (m Time, rest []byte, err error) {
	days, rest, err := cutDate(text)
	if err != nil || len(rest) < 1 || (rest[0] != ' ' && rest[0] != 'T') {
		return m, nil, ErrFormat
	}
	clock, rest, err := cutClock(rest[1:])
	return Time{days*secondsPerDay + clock.Seconds, clock.Nanos}, rest, err
}

// TimeOfDayType reads a time of day by read. Micro and nanoseconds are the units in
// use.
func TimeOfDayType(dt *arrow.Time64Type, read func([]byte) (Time, error)) Type {
	nanosPer := dt.Unit.Multiplier().Nanoseconds()
	return valueType(dt, func(text []byte) (arrow.Time64, error) {
		m, err := read(text)
		if err != nil {
			return 0, err
		}
		if int64(m.Nanos)%nanosPer != 0 {
			return 0, ErrRange
		}
		return arrow.Time64((m.Seconds*nanosPerSecond + int64(m.Nanos)) / nanosPer), nil
	}, func(dst []byte, v arrow.Time64) []byte {
		return appendQuoted(dst, jsontext.AppendTime(nil, int64(v), nanosPerSecond/nanosPer))
	})
}

// ReadClock reads 10:00:00 with up to nine digits of a second behind it.
func ReadClock(text []byte) (Time, error) {
	m, rest, err := cutClock(text)
	if err != nil || len(rest) > 0 {
		return m, ErrFormat
	}
	return m, nil
}

// ClockType renders a time of day without the zeros at the end of its fraction. The text behind it,
// an offset, is kept.
func ClockType() Type {
	return RewrittenTextType(func(dst, text []byte) ([]byte, error) {
		clock, rest, err := cutClock(text)
		if err != nil {
			return dst, err
		}
		dst = jsontext.AppendTime(dst, clock.Seconds*nanosPerSecond+int64(clock.Nanos), nanosPerSecond)
		return append(dst, rest...), nil
	})
}

// cutDate reads the date that the text begins with, as days since the epoch.
func cutDate(text []byte) (days int64, rest []byte, err error) {
	negative := false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		negative, text = text[0] == '-', text[1:]
	}
	dash := bytes.IndexByte(text, '-')
	if dash < 4 || dash > 6 || len(text) < dash+len("-01-05") || text[dash+3] != '-' {
		return 0, nil, ErrFormat
	}
	y, okY := number(text[:dash])
	m, okM := number(text[dash+1 : dash+3])
	d, okD := number(text[dash+4 : dash+6])
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

// cutClock reads the time of day that the text begins with. 24:00:00 is the end
// of a day.
func cutClock(text []byte) (m Time, rest []byte, err error) {
	if len(text) < clockLength || text[2] != ':' || text[5] != ':' {
		return m, nil, ErrFormat
	}
	hour, okH := number(text[:2])
	minute, okM := number(text[3:5])
	second, okS := number(text[6:8])
	if !okH || !okM || !okS || hour > 24 || minute > 59 || second > 60 {
		return m, nil, ErrFormat
	}
	m.Seconds = int64(hour*3600 + minute*60 + second)
	rest = text[clockLength:]
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
	m.Nanos, _ = number(fraction)
	for range nanoDigits - len(fraction) {
		m.Nanos *= 10
	}
	return m, rest[digits:], nil
}
