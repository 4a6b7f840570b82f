package resolve

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// timeFormatField is a part of a format of TO_TIMESTAMP that reads a value.
type timeFormatField uint8

const (
	yearField timeFormatField = iota
	shortYearField
	isoYearField
	monthField
	monthNameField
	romanMonthField
	dayField
	dayOfYearField
	julianDayField
	weekOfYearField
	weekOfMonthField
	isoWeekField
	isoWeekdayField
	isoDayOfYearField
	hourField
	shortHourField
	minuteField
	secondField
	secondOfDayField
	fractionField
	meridiemField
	eraField
	zoneHourField
	zoneMinuteField
	skippedNumberField // of a quarter or a weekday, which adds nothing to a date
	skippedNameField   // of a weekday
)

// timeFormatPattern is a pattern of PostgreSQL.
type timeFormatPattern struct {
	text   string
	field  timeFormatField
	digits int
}

// timeFormatPatterns are the patterns of PostgreSQL by their upper-case text, those that begin others after them. Digits is how many a number has
// where digits follow it.
var timeFormatPatterns = []timeFormatPattern{
	{"MONTH", monthNameField, 0}, {"MON", monthNameField, 0},
	{"SSSSS", secondOfDayField, 5}, {"SSSS", secondOfDayField, 5},
	{"YYYY", yearField, 4}, {"YYY", shortYearField, 3}, {"YY", shortYearField, 2}, {"Y", shortYearField, 1},
	{"IYYY", isoYearField, 4}, {"IDDD", isoDayOfYearField, 3}, {"IW", isoWeekField, 2}, {"ID", isoWeekdayField, 1},
	{"HH24", hourField, 2}, {"HH12", shortHourField, 2}, {"HH", shortHourField, 2},
	{"A.M.", meridiemField, 0}, {"P.M.", meridiemField, 0}, {"AM", meridiemField, 0}, {"PM", meridiemField, 0},
	{"A.D.", eraField, 0}, {"B.C.", eraField, 0}, {"AD", eraField, 0}, {"BC", eraField, 0},
	{"DDD", dayOfYearField, 3}, {"DAY", skippedNameField, 0}, {"DD", dayField, 2}, {"DY", skippedNameField, 0}, {"D", skippedNumberField, 1},
	{"FF1", fractionField, 1}, {"FF2", fractionField, 2}, {"FF3", fractionField, 3}, {"FF4", fractionField, 4}, {"FF5", fractionField, 5}, {"FF6", fractionField, 6},
	{"MI", minuteField, 2}, {"MM", monthField, 2}, {"MS", fractionField, 3}, {"SS", secondField, 2}, {"US", fractionField, 6},
	{"TZH", zoneHourField, 2}, {"TZM", zoneMinuteField, 2}, {"WW", weekOfYearField, 2}, {"W", weekOfMonthField, 1}, {"RM", romanMonthField, 0}, {"J", julianDayField, 7}, {"Q", skippedNumberField, 1},
}

// unsupportedTimePatterns are patterns of PostgreSQL that name no time here.
var unsupportedTimePatterns = []string{"TZ", "OF", "CC", "FX", "TM"}

// timeFormatPart is a field, or one character between fields.
type timeFormatPart struct {
	isField   bool
	field     timeFormatField
	digits    int
	ordinal   bool // the number has st, nd, rd or th behind it
	unlimited bool // a number takes all digits that follow
	separator bool // of characters: a space or a sign, which may be missing
	digit     bool // of characters
}

// parseTimeFormat reads a format; bad is the text that no pattern begins, "" for none.
func parseTimeFormat(format string) (parts []timeFormatPart, bad string) {
	fill := false
	for rest := format; rest != ""; {
		upper := strings.ToUpper(rest)
		if strings.HasPrefix(upper, "FM") {
			rest, fill = rest[2:], true
			continue
		}
		isUnsupported := slices.ContainsFunc(unsupportedTimePatterns, func(p string) bool { return strings.HasPrefix(upper, p) })
		if i := slices.IndexFunc(timeFormatPatterns, func(p timeFormatPattern) bool { return strings.HasPrefix(upper, p.text) }); i >= 0 {
			p := timeFormatPatterns[i]
			ordinal := strings.HasPrefix(upper[len(p.text):], "TH")
			parts = append(parts, timeFormatPart{isField: true, field: p.field, digits: p.digits, ordinal: ordinal, unlimited: fill || ordinal})
			rest, fill = rest[len(p.text):], false
			if ordinal {
				rest = rest[len("TH"):]
			}
			continue
		}
		if isUnsupported || upper[0] == 'I' {
			return nil, rest
		}
		c := rest[0]
		if c == '"' {
			text, after, closed := strings.Cut(rest[1:], `"`)
			if !closed {
				return nil, rest
			}
			for _, r := range text {
				parts = append(parts, timeFormatPart{digit: '0' <= r && r <= '9'})
			}
			rest = after
			continue
		}
		parts = append(parts, timeFormatPart{separator: c == ' ' || strings.IndexByte("!#$%&'()*+,-./:;<=>?@[]^_`{|}~", c) >= 0, digit: '0' <= c && c <= '9'})
		rest = rest[1:]
	}
	for i := range parts {
		if parts[i].isField && parts[i].digits > 0 {
			next := i + 1
			parts[i].unlimited = parts[i].unlimited || next == len(parts) || parts[next].isField && parts[next].digits == 0 || !parts[next].isField && !parts[next].digit
		}
	}
	return parts, ""
}

// timeFormatReader reads a text by a format, as PostgreSQL does where the format has no FX.
type timeFormatReader struct {
	rest  string
	extra int // spaces that were skipped beyond those of the format
	last  byte
	seen  map[timeFormatField]int
	micro int
	west  bool
}

// readTimeByFormat returns the time of a text; zoned where the text has an offset, which the time has taken away.
func readTimeByFormat(parts []timeFormatPart, text string) (at time.Time, zoned, ok bool) {
	r := &timeFormatReader{rest: text, seen: map[timeFormatField]int{}}
	r.skipSpaces()
	r.extra = 0
	for _, part := range parts {
		if r.rest == "" {
			break
		}
		switch {
		case part.isField:
			if !r.readField(part) {
				return time.Time{}, false, false
			}
			if part.ordinal {
				r.drop(min(len("th"), len(r.rest)))
			}
			r.extra = 0
			r.skipSpaces()
		case part.separator:
			r.extra--
			if c := r.rest[0]; c == ' ' || strings.IndexByte("!#$%&'()*+,-./:;<=>?@[]^_`{|}~", c) >= 0 {
				r.drop(1)
				r.extra++
			}
			r.skipSpaces()
		case r.extra > 0:
			r.extra--
		default:
			r.drop(len(string([]rune(r.rest)[0])))
		}
	}
	return r.time()
}

func (r *timeFormatReader) drop(n int) {
	if n > 0 {
		r.last, r.rest = r.rest[n-1], r.rest[n:]
	}
}

func (r *timeFormatReader) skipSpaces() {
	for r.rest != "" && r.rest[0] == ' ' {
		r.drop(1)
		r.extra++
	}
}

// readField reads the value of a field.
func (r *timeFormatReader) readField(p timeFormatPart) bool {
	switch p.field {
	case monthNameField:
		return r.readName(p.field, monthNames, 3)
	case romanMonthField:
		return r.readName(p.field, []string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"}, 0)
	case skippedNameField:
		return r.readName(p.field, []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}, 3)
	case eraField:
		return r.readName(p.field, []string{"AD", "BC"}, 0) || r.readName(p.field, []string{"A.D.", "B.C."}, 0)
	case meridiemField:
		return r.readName(p.field, []string{"AM", "PM"}, 0) || r.readName(p.field, []string{"A.M.", "P.M."}, 0)
	case zoneHourField:
		if c := r.rest[0]; c == '+' || c == '-' {
			r.west = c == '-'
			r.drop(1)
		} else {
			r.west = r.last == '-'
		}
	}
	n, digits, ok := r.readNumber(p)
	switch {
	case !ok:
		return false
	case p.field == fractionField:
		for range 6 - min(digits, 6) {
			n *= 10
		}
		if digits > 6 || n > 999_999 {
			return false
		}
		r.micro = n
	case p.field == shortYearField:
		n = nearestYearTo2020(n, digits)
	}
	r.seen[p.field] = n
	return true
}

var monthNames = []string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

// readName reads one of some names, or its first letters, and counts from 1.
func (r *timeFormatReader) readName(field timeFormatField, names []string, short int) bool {
	found, length := 0, 0
	for i, name := range names {
		for _, n := range []int{len(name), short} {
			if n > length && len(r.rest) >= n && strings.EqualFold(r.rest[:n], name[:n]) {
				found, length = i+1, n
			}
		}
	}
	if found > 0 {
		r.seen[field] = found
		r.drop(length)
	}
	return found > 0
}

// readNumber reads the digits of a field: all, or exactly as many as it has.
func (r *timeFormatReader) readNumber(p timeFormatPart) (n, digits int, ok bool) {
	for digits < len(r.rest) && (p.unlimited || digits < p.digits) && r.rest[digits] >= '0' && r.rest[digits] <= '9' {
		digits++
	}
	if digits == 0 || !p.unlimited && digits < p.digits {
		return 0, 0, false
	}
	n, err := strconv.Atoi(r.rest[:digits])
	r.drop(digits)
	return n, digits, err == nil
}

// nearestYearTo2020 returns the year of one to three digits as PostgreSQL completes it.
func nearestYearTo2020(n, digits int) int {
	switch {
	case digits > 3:
		return n
	case n < 70:
		return n + 2000
	case n < 100:
		return n + 1900
	case n < 520:
		return n + 2000
	case n < 1000:
		return n + 1000
	}
	return n
}

func (r *timeFormatReader) valueOr(field timeFormatField, other int) int {
	if n, ok := r.seen[field]; ok {
		return n
	}
	return other
}

// time puts the fields together.
func (r *timeFormatReader) time() (at time.Time, zoned, ok bool) {
	day, ok := r.day()
	hour, minute, second := r.valueOr(hourField, 0), r.valueOr(minuteField, 0), r.valueOr(secondField, 0)
	if n, short := r.seen[shortHourField]; short {
		half, known := r.seen[meridiemField]
		if hour = n; n < 1 || n > 12 {
			return at, false, false
		}
		if known {
			hour = n%12 + 12*(half-1)
		} else if n == 12 {
			hour = 0
		}
	}
	if n, whole := r.seen[secondOfDayField]; whole {
		hour, minute, second = n/3600, n/60%60, n%60
	}
	if !ok || hour > 23 || minute > 59 || second > 59 {
		return at, false, false
	}
	at = day.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second + time.Duration(r.micro)*time.Microsecond)
	hours, zoned := r.seen[zoneHourField]
	minutes, more := r.seen[zoneMinuteField]
	if hours > 15 || minutes > 59 {
		return at, false, false
	}
	ahead := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if r.west {
		ahead = -ahead
	}
	return at.Add(-ahead), zoned || more, true
}

// day returns the date of the fields.
func (r *timeFormatReader) day() (time.Time, bool) {
	if n, ok := r.seen[julianDayField]; ok {
		return time.Date(1970, 1, 1+n-2440588, 0, 0, 0, 0, time.UTC), n < 5_373_485
	}
	if r.seen[eraField] > 1 {
		return time.Time{}, false // before the year 1
	}
	fourth := time.Date(r.valueOr(isoYearField, 1), 1, 4, 0, 0, 0, 0, time.UTC) // which is in the first week
	monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7)
	if n, ok := r.seen[isoDayOfYearField]; ok {
		return monday.AddDate(0, 0, n-1), n >= 1 && n <= 371
	}
	if week, ok := r.seen[isoWeekField]; ok {
		weekday := r.valueOr(isoWeekdayField, 1)
		return monday.AddDate(0, 0, 7*(week-1)+weekday-1), week >= 1 && week <= 53 && weekday >= 1 && weekday <= 7
	}
	year := r.valueOr(yearField, r.valueOr(shortYearField, r.valueOr(isoYearField, 1)))
	if year < 1 || year > 9999 {
		return time.Time{}, false
	}
	if n, ok := r.seen[dayOfYearField]; ok {
		at := time.Date(year, 1, n, 0, 0, 0, 0, time.UTC)
		return at, at.Year() == year
	}
	if n, ok := r.seen[weekOfYearField]; ok {
		return time.Date(year, 1, 7*(n-1)+1, 0, 0, 0, 0, time.UTC), n >= 1 && n <= 53
	}
	month := r.valueOr(monthField, r.valueOr(monthNameField, r.valueOr(romanMonthField, 1)))
	day := r.valueOr(dayField, 7*(r.valueOr(weekOfMonthField, 1)-1)+1)
	at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	return at, at.Day() == day && int(at.Month()) == month
}
