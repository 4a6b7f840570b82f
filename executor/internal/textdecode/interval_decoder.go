package textdecode

import (
	"bytes"
	"math"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/semlayer/semlayer/executor/internal/jsontext"
)

// IntervalDecoder reads intervals by read.
func IntervalDecoder(read func([]byte) (arrow.MonthDayNanoInterval, error)) Decoder {
	return fixedWidthDecoder(arrow.FixedWidthTypes.MonthDayNanoInterval, read, func(dst []byte, v arrow.MonthDayNanoInterval) []byte {
		return appendDoubleQuoted(dst, jsontext.AppendInterval(nil, int64(v.Months), int64(v.Days), v.Nanoseconds, nanosPerSecond))
	})
}

// ParseYearMonthInterval reads years and months under one sign: -1-2.
func ParseYearMonthInterval(text []byte) (v arrow.MonthDayNanoInterval, err error) {
	text, sign := cutSign(text)
	years, months, ok := bytes.Cut(text, []byte{'-'})
	y, m := parseTwoUnsignedIntegers(years, months)
	if !ok || y < 0 || m < 0 {
		return v, ErrFormat
	}
	v.Months, err = toInt32(sign * (12*y + m))
	return v, err
}

// ParseDayTimeInterval reads days and a clock under one sign: -2 03:04:05.321.
func ParseDayTimeInterval(text []byte) (v arrow.MonthDayNanoInterval, err error) {
	text, sign := cutSign(text)
	days, clock, ok := bytes.Cut(text, []byte{' '})
	d, _ := parseTwoUnsignedIntegers(days, nil)
	nanos, err := parseClockDuration(clock)
	if !ok || d < 0 || err != nil {
		return v, ErrFormat
	}
	v.Nanoseconds = sign * nanos
	v.Days, err = toInt32(sign * d)
	return v, err
}

// ParseInterval reads months, days and a clock, each with its own sign: 1-2 -3 4:5:6.7.
func ParseInterval(text []byte) (v arrow.MonthDayNanoInterval, err error) {
	parts := bytes.Split(text, []byte{' '})
	if len(parts) != 3 {
		return v, ErrFormat
	}
	if v, err = ParseYearMonthInterval(parts[0]); err != nil {
		return v, err
	}
	days, daySign := cutSign(parts[1])
	d, _ := parseTwoUnsignedIntegers(days, nil)
	clock, sign := cutSign(parts[2])
	nanos, err := parseClockDuration(clock)
	if d < 0 || err != nil {
		return v, ErrFormat
	}
	v.Nanoseconds = sign * nanos
	v.Days, err = toInt32(daySign * d)
	return v, err
}

func cutSign(text []byte) (rest []byte, sign int64) {
	if len(text) > 0 && text[0] == '-' {
		return text[1:], -1
	}
	return text, 1
}

// parseTwoUnsignedIntegers reads integers without a sign; it returns -1 for text that is not a number. A nil b
// counts as 0.
func parseTwoUnsignedIntegers(a, b []byte) (x, y int64) {
	read := func(text []byte) int64 {
		n, err := strconv.ParseUint(string(text), 10, 40)
		if err != nil {
			return -1
		}
		return int64(n)
	}
	if x = read(a); b != nil {
		y = read(b)
	}
	return x, y
}

func toInt32(n int64) (int32, error) {
	if n < math.MinInt32 || n > math.MaxInt32 {
		return 0, ErrRange
	}
	return int32(n), nil
}

// parseClockDuration reads 4:5:6.7 and 100:00:00 as nanoseconds.
func parseClockDuration(text []byte) (int64, error) {
	parts := bytes.Split(text, []byte{':'})
	if len(parts) != 3 {
		return 0, ErrFormat
	}
	seconds, fraction, dotted := bytes.Cut(parts[2], []byte{'.'})
	hours, minutes := parseTwoUnsignedIntegers(parts[0], parts[1])
	whole, nanos := parseTwoUnsignedIntegers(seconds, nil)
	if dotted {
		nanos, _ = parseTwoUnsignedIntegers(fraction, nil)
		for range nanoDigits - len(fraction) {
			nanos *= 10
		}
	}
	if hours < 0 || minutes < 0 || whole < 0 || nanos < 0 || len(fraction) > nanoDigits {
		return 0, ErrFormat
	}
	total := hours*3600 + minutes*60 + whole
	if total > math.MaxInt64/nanosPerSecond-1 {
		return 0, ErrRange
	}
	return total*nanosPerSecond + nanos, nil
}
