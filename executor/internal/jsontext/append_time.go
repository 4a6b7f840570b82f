package jsontext

import "strconv"

const (
	secondsPerDay  = 24 * 60 * 60
	nanosPerSecond = 1_000_000_000
)

// AppendDate appends the day that lies days after 1970-01-01 as YYYY-MM-DD. A year
// outside 0000 to 9999 has a sign and at least six digits, as ISO 8601 asks of
// expanded years; the year before 0001 is 0000.
func AppendDate(dst []byte, days int64) []byte {
	y, m, d := dateFromEpochDays(days)
	if y < 0 || y > 9999 {
		sign := byte('+')
		if y < 0 {
			sign, y = '-', -y
		}
		dst = appendZeroPadded(append(dst, sign), y, 6)
	} else {
		dst = appendTwoDigits(appendTwoDigits(dst, y/100), y%100)
	}
	dst = appendTwoDigits(append(dst, '-'), m)
	return appendTwoDigits(append(dst, '-'), d)
}

// dateFromEpochDays is Howard Hinnant's conversion of a day count to the proleptic
// Gregorian calendar, which time.Time does not offer for every int64.
func dateFromEpochDays(days int64) (y, m, d int64) {
	days += 719468
	era := floorDiv(days, 146097)
	dayOfEra := days - era*146097
	yearOfEra := (dayOfEra - dayOfEra/1460 + dayOfEra/36524 - dayOfEra/146096) / 365
	dayOfYear := dayOfEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	shifted := (5*dayOfYear + 2) / 153
	d = dayOfYear - (153*shifted+2)/5 + 1
	m = shifted + 3
	if m > 12 {
		m -= 12
	}
	y = yearOfEra + era*400
	if m <= 2 {
		y++
	}
	return y, m, d
}

// AppendTimestamp appends the timestamp that is value units after the epoch, with perSecond units in
// a second: 2024-01-05T10:00:00, a fraction only when it is not zero, and Z after it when utc.
func AppendTimestamp(dst []byte, value, perSecond int64, utc bool) []byte {
	seconds := floorDiv(value, perSecond)
	fraction := value - seconds*perSecond
	days := floorDiv(seconds, secondsPerDay)
	dst = AppendDate(dst, days)
	dst = append(dst, 'T')
	dst = appendTimeOfDay(dst, seconds-days*secondsPerDay, fraction*(nanosPerSecond/perSecond))
	if utc {
		dst = append(dst, 'Z')
	}
	return dst
}

// AppendTime appends a time of day, HH:MM:SS and a fraction only when it is not
// zero. The end of a day is 24:00:00.
func AppendTime(dst []byte, value, perSecond int64) []byte {
	return appendTimeOfDay(dst, value/perSecond, value%perSecond*(nanosPerSecond/perSecond))
}

func appendTimeOfDay(dst []byte, seconds, nanos int64) []byte {
	dst = appendTwoDigits(dst, seconds/3600)
	dst = appendTwoDigits(append(dst, ':'), seconds/60%60)
	dst = appendTwoDigits(append(dst, ':'), seconds%60)
	return appendFraction(dst, nanos)
}

// appendFraction appends .5 for half a second and nothing for none.
func appendFraction(dst []byte, nanos int64) []byte {
	if nanos == 0 {
		return dst
	}
	dst = appendZeroPadded(append(dst, '.'), nanos, 9)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// AppendUTCOffset appends a distance from UTC as +HH:MM, with seconds when there are
// any.
func AppendUTCOffset(dst []byte, seconds int64) []byte {
	sign := byte('+')
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	dst = appendTwoDigits(append(dst, sign), seconds/3600)
	dst = appendTwoDigits(append(dst, ':'), seconds/60%60)
	if rest := seconds % 60; rest != 0 {
		dst = appendTwoDigits(append(dst, ':'), rest)
	}
	return dst
}

// AppendInterval appends an ISO 8601 duration, each part with its own sign: P1Y2M3D,
// P-1DT0.5S, PT0S for none. Months and days never carry into each other or
// into hours, because their lengths differ. clock counts the rest, perSecond to
// the second.
func AppendInterval(dst []byte, months, days, clock, perSecond int64) []byte {
	start := len(dst)
	dst = append(dst, 'P')
	dst = appendNonzeroWithUnit(dst, months/12, 'Y')
	dst = appendNonzeroWithUnit(dst, months%12, 'M')
	dst = appendNonzeroWithUnit(dst, days, 'D')
	if clock != 0 {
		dst = append(dst, 'T')
		seconds := clock / perSecond
		dst = appendNonzeroWithUnit(dst, seconds/3600, 'H')
		dst = appendNonzeroWithUnit(dst, seconds/60%60, 'M')
		dst = appendDurationSeconds(dst, seconds%60, clock%perSecond*(nanosPerSecond/perSecond))
	}
	if len(dst) == start+1 {
		dst = append(dst, "T0S"...)
	}
	return dst
}

func appendNonzeroWithUnit(dst []byte, n int64, unit byte) []byte {
	if n == 0 {
		return dst
	}
	return append(strconv.AppendInt(dst, n, 10), unit)
}

func appendDurationSeconds(dst []byte, seconds, nanos int64) []byte {
	if seconds == 0 && nanos == 0 {
		return dst
	}
	if seconds < 0 || nanos < 0 {
		dst, seconds, nanos = append(dst, '-'), -seconds, -nanos
	}
	dst = strconv.AppendInt(dst, seconds, 10)
	return append(appendFraction(dst, nanos), 'S')
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// appendTwoDigits appends a number below 100 as two digits.
func appendTwoDigits(dst []byte, n int64) []byte {
	return append(dst, '0'+byte(n/10), '0'+byte(n%10))
}

func appendZeroPadded(dst []byte, n int64, width int) []byte {
	var digits [20]byte
	at := len(digits)
	for n > 0 || len(digits)-at < width {
		at--
		digits[at] = '0' + byte(n%10)
		n /= 10
	}
	return append(dst, digits[at:]...)
}
