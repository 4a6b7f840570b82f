package value

import (
	"strconv"
	"strings"
	"time"
)

// PostgreSQL counts from the first day of 2000.
const (
	daysFrom1970To2000 = 10957 // from 1970 to 2000
	secondsPerDay      = 24 * 60 * 60
	microsPerSecond    = 1_000_000
	microsPerDay       = secondsPerDay * microsPerSecond
	minDateDays        = -2440588   // 4714-11-24 BC
	maxDateDays        = 2145031948 // 5874897-12-31
	maxTimestampDays   = 106741034  // 294246-12-31, the last year whose microseconds from 1970 fit
)

// timeOutOfRangeError returns the error of a time that PostgreSQL's types do not hold.
func timeOutOfRangeError() error {
	return &Error{SQLState: sqlstateTimeOutOfRange, Message: "a value is beyond the days that PostgreSQL has"}
}

// appendDateText appends the day that is so many days from 1970.
func appendDateText(dst []byte, days int64) ([]byte, error) {
	if days < minDateDays || days > maxDateDays {
		return dst, timeOutOfRangeError()
	}
	y, m, d := dateOfDays(days)
	return appendEra(appendYearMonthDay(dst, y, m, d), y), nil
}

// appendYearMonthDay appends year, month and day; a year before the first is counted backwards, and has no sign.
func appendYearMonthDay(dst []byte, y, m, d int64) []byte {
	if y < 1 {
		y = 1 - y
	}
	dst = appendPadded(dst, y, 4)
	dst = append(dst, '-')
	dst = appendPadded(dst, m, 2)
	dst = append(dst, '-')
	return appendPadded(dst, d, 2)
}

func appendEra(dst []byte, y int64) []byte {
	if y < 1 {
		return append(dst, " BC"...)
	}
	return dst
}

func appendPadded(dst []byte, n int64, width int) []byte {
	start := len(dst)
	dst = strconv.AppendInt(dst, n, 10)
	for len(dst)-start < width {
		dst = append(dst, 0)
		copy(dst[start+1:], dst[start:])
		dst[start] = '0'
	}
	return dst
}

// dateOfDays returns the date of a number of days from 1970, in the Gregorian calendar without end.
func dateOfDays(days int64) (y, m, d int64) {
	z := days + 719468
	era := floorDiv(z, 146097)
	doe := z - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	y = yoe + era*400
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d = doy - (153*mp+2)/5 + 1
	m = mp + 3
	if m > 12 {
		m -= 12
	}
	if m <= 2 {
		y++
	}
	return y, m, d
}

// daysFrom1970ToDate returns the number of days from 1970 to a date.
func daysFrom1970ToDate(y, m, d int64) int64 {
	if m <= 2 {
		y--
	}
	era := floorDiv(y, 400)
	yoe := y - era*400
	mp := m - 3
	if m <= 2 {
		mp = m + 9
	}
	doy := (153*mp+2)/5 + d - 1
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// Clock is what a zone shows: its offset from UTC at an instant, in seconds and as the text behind a timestamp.
type Clock interface {
	Offset(instant time.Time) int
	OffsetText(instant time.Time) string
}

// appendInstantText appends an instant, in microseconds from 1970, as a clock shows it; nil is UTC.
func appendInstantText(dst []byte, micros int64, clock Clock) ([]byte, error) {
	if clock == nil {
		return appendTimestampText(dst, micros, utcOffsetText)
	}
	at := time.UnixMicro(micros)
	return appendTimestampText(dst, micros+int64(clock.Offset(at))*microsPerSecond, clock.OffsetText(at))
}

const utcOffsetText = "+00"

// appendTimestampText appends the point in time that is so many microseconds from 1970, with the text of an offset behind it.
func appendTimestampText(dst []byte, micros int64, offset string) ([]byte, error) {
	days := floorDiv(micros, microsPerDay)
	if days < minDateDays {
		return dst, timeOutOfRangeError()
	}
	y, m, d := dateOfDays(days)
	dst = append(appendYearMonthDay(dst, y, m, d), ' ')
	dst = appendTimeOfDayText(dst, micros-days*microsPerDay)
	dst = append(dst, offset...)
	return appendEra(dst, y), nil
}

// appendTimeOfDayText appends a time of day.
func appendTimeOfDayText(dst []byte, micros int64) []byte {
	seconds := micros / microsPerSecond
	dst = appendPadded(dst, seconds/3600, 2)
	dst = append(dst, ':')
	dst = appendPadded(dst, seconds/60%60, 2)
	dst = append(dst, ':')
	dst = appendPadded(dst, seconds%60, 2)
	return appendSecondFraction(dst, micros%microsPerSecond)
}

func appendSecondFraction(dst []byte, micros int64) []byte {
	if micros == 0 {
		return dst
	}
	dst = appendPadded(append(dst, '.'), micros, 6)
	for dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// parseDate reads 2024-01-31 as days from 1970.
func parseDate(text string) (int64, bool) {
	text, before := strings.CutSuffix(text, " BC")
	parts := strings.Split(text, "-")
	if len(parts) != 3 {
		return 0, false
	}
	var n [3]int64
	for i, p := range parts {
		v, err := strconv.ParseUint(p, 10, 31)
		if err != nil {
			return 0, false
		}
		n[i] = int64(v)
	}
	if n[0] == 0 || n[1] < 1 || n[1] > 12 || n[2] < 1 {
		return 0, false
	}
	if before {
		n[0] = 1 - n[0]
	}
	days := daysFrom1970ToDate(n[0], n[1], n[2])
	y, m, d := dateOfDays(days)
	return days, y == n[0] && m == n[1] && d == n[2]
}

// parseTimeOfDay reads 10:00:00.5 as microseconds.
func parseTimeOfDay(text string) (int64, bool) {
	if text == "24:00:00" {
		return microsPerDay, true
	}
	for _, layout := range []string{"15:04:05", "15:04"} {
		if at, err := time.Parse(layout, text); err == nil {
			return int64(at.Sub(at.Truncate(24*time.Hour)) / time.Microsecond), true
		}
	}
	return 0, false
}

// parseTimestamp reads 2024-01-31 10:00:00.5+02:00 as microseconds from 1970. A text without a zone is in UTC.
func parseTimestamp(text string) (int64, bool) {
	text, before := strings.CutSuffix(text, " BC")
	if len(text) > 0 && strings.Contains(text, "T") {
		text = strings.Replace(text, "T", " ", 1)
	}
	text = strings.TrimSuffix(strings.TrimSuffix(text, "Z"), " UTC")
	day, clock, _ := strings.Cut(text, " ")
	zone := int64(0)
	if i := strings.LastIndexAny(clock, "+-"); i > 0 {
		seconds, ok := parseZoneOffset(clock[i:])
		if !ok {
			return 0, false
		}
		zone, clock = seconds, clock[:i]
	}
	if before {
		day += " BC"
	}
	days, ok := parseDate(day)
	if !ok {
		return 0, false
	}
	micros := int64(0)
	if clock != "" {
		if micros, ok = parseTimeOfDay(clock); !ok {
			return 0, false
		}
	}
	if days < minDateDays || days > maxTimestampDays {
		return 0, false
	}
	return days*microsPerDay + micros - zone*microsPerSecond, true
}

// parseZoneOffset reads +02, +0200 and +02:00 as seconds.
func parseZoneOffset(text string) (int64, bool) {
	digits := strings.ReplaceAll(text[1:], ":", "")
	if len(digits) != 2 && len(digits) != 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil {
		return 0, false
	}
	seconds := int64(n) * 3600
	if len(digits) == 4 {
		seconds = int64(n)/100*3600 + int64(n)%100*60
	}
	if text[0] == '-' {
		seconds = -seconds
	}
	return seconds, true
}

// interval is an interval.
type interval struct {
	months, days int64
	micros       int64
}

// IntervalText returns an interval in the style of PostgreSQL.
func IntervalText(months, days, micros int64) string {
	return string(appendInterval(nil, interval{months, days, micros}))
}

// parseInterval reads what appendInterval writes.
func parseInterval(text string) (s interval, ok bool) {
	fields := strings.Fields(text)
	for len(fields) > 1 && !strings.Contains(fields[0], ":") {
		n, err := strconv.ParseInt(fields[0], 10, 32)
		if err != nil {
			return s, false
		}
		switch strings.TrimSuffix(fields[1], "s") {
		case "year":
			s.months += 12 * n
		case "mon":
			s.months += n
		case "day":
			s.days += n
		default:
			return s, false
		}
		fields = fields[2:]
	}
	if len(fields) == 0 {
		return s, true
	}
	clock, negative := strings.CutPrefix(strings.TrimPrefix(fields[0], "+"), "-")
	hours, rest, found := strings.Cut(clock, ":")
	h, err := strconv.ParseInt(hours, 10, 32)
	minutes, timeOK := parseTimeOfDay("00:" + rest)
	if len(fields) > 1 || !found || err != nil || !timeOK {
		return s, false
	}
	if s.micros = h*microsPerDay/24 + minutes; negative {
		s.micros = -s.micros
	}
	return s, true
}

// appendInterval appends an interval in the style of PostgreSQL: 1 year 2 mons 3 days 04:05:06.
func appendInterval(dst []byte, s interval) []byte {
	start := len(dst)
	part := func(n int64, unit string) {
		if n == 0 {
			return
		}
		if len(dst) > start {
			dst = append(dst, ' ')
		}
		dst = append(strconv.AppendInt(dst, n, 10), unit...)
		if n != 1 {
			dst = append(dst, 's')
		}
	}
	part(s.months/12, " year")
	part(s.months%12, " mon")
	part(s.days, " day")
	if s.micros != 0 || len(dst) == start {
		if len(dst) > start {
			dst = append(dst, ' ')
		}
		micros := s.micros
		if micros < 0 {
			dst = append(dst, '-')
			micros = -micros
		} else if s.months < 0 || s.days < 0 {
			dst = append(dst, '+')
		}
		dst = appendTimeOfDayText(dst, micros)
	}
	return dst
}

// InstantTextOnClock returns an instant, given as text, as a clock shows it; the text itself where it is not an instant.
func InstantTextOnClock(text string, clock Clock) string {
	micros, ok := parseTimestamp(text)
	if !ok {
		return text
	}
	shown, err := appendInstantText(nil, micros, clock)
	if err != nil {
		return text
	}
	return string(shown)
}
