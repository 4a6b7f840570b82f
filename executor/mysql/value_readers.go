package mysql

import (
	"bytes"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
)

const (
	dateLength     = len("2024-01-05")
	dateTimeLength = len("2024-01-05 10:00:00")
	microDigits    = 6
)

// readBits reads a bit field, its highest byte first.
func readBits(raw []byte) (v uint64, ok bool, err error) {
	if len(raw) > 8 {
		return 0, false, errOutOfRange
	}
	for _, b := range raw {
		v = v<<8 | uint64(b)
	}
	return v, true, nil
}

// readDate reads 2024-01-05. It rejects a date with a zero year, month or day.
func readDate(raw []byte) (arrow.Date32, bool, error) {
	day, ok, err := parseLeadingDate(raw)
	if err != nil || !ok || len(raw) != dateLength {
		if err == nil && ok {
			err = errUnexpectedFormat
		}
		return 0, false, err
	}
	return arrow.Date32(day.Unix() / (24 * 60 * 60)), true, nil
}

// readTimestamp reads 2024-01-05 10:00:00 with up to six digits of a second
// after it.
func readTimestamp(raw []byte) (arrow.Timestamp, bool, error) {
	day, ok, err := parseLeadingDate(raw)
	if err != nil || !ok {
		return 0, false, err
	}
	if len(raw) < dateTimeLength || (raw[dateLength] != ' ' && raw[dateLength] != 'T') || raw[13] != ':' || raw[16] != ':' {
		return 0, false, errUnexpectedFormat
	}
	hour, okH := parseDigits(raw[11:13])
	minute, okM := parseDigits(raw[14:16])
	second, okS := parseDigits(raw[17:19])
	micros, okF := parseFractionAsMicros(raw[dateTimeLength:])
	if !okH || !okM || !okS || !okF || hour > 23 || minute > 59 || second > 59 {
		return 0, false, errUnexpectedFormat
	}
	seconds := day.Unix() + int64(hour*3600+minute*60+second)
	return arrow.Timestamp(seconds*1_000_000 + int64(micros)), true, nil
}

// parseLeadingDate reads the date at the beginning of raw; ok is false if the calendar has no such
// date.
func parseLeadingDate(raw []byte) (day time.Time, ok bool, err error) {
	if len(raw) < dateLength || raw[4] != '-' || raw[7] != '-' {
		return day, false, errUnexpectedFormat
	}
	y, okY := parseDigits(raw[:4])
	m, okM := parseDigits(raw[5:7])
	d, okD := parseDigits(raw[8:10])
	if !okY || !okM || !okD {
		return day, false, errUnexpectedFormat
	}
	day = time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return day, day.Day() == d && int(day.Month()) == m && y > 0, nil
}

// parseFractionAsMicros reads .5 as 500000.
func parseFractionAsMicros(raw []byte) (micros int, ok bool) {
	if len(raw) == 0 {
		return 0, true
	}
	if raw[0] != '.' || len(raw) == 1 || len(raw) > 1+microDigits {
		return 0, false
	}
	micros, ok = parseDigits(raw[1:])
	for range microDigits - len(raw[1:]) {
		micros *= 10
	}
	return micros, ok
}

func parseDigits(digits []byte) (n int, ok bool) {
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// trimFractionZeros takes the zeros from the end of 10:00:00.500000.
func trimFractionZeros(raw []byte) []byte {
	if bytes.IndexByte(raw, '.') < 0 {
		return raw
	}
	return bytes.TrimRight(bytes.TrimRight(raw, "0"), ".")
}
