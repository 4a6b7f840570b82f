package pgwire

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/timezone"
)

// variableValueReader reads the value of a variable and returns it as SHOW writes it; false for an invalid value.
type variableValueReader func(value string) (shown string, ok bool)

// readOnOffValue reads on and off in the spellings of PostgreSQL: true, yes and 1 too, and each word cut short.
func readOnOffValue(value string) (string, bool) {
	value = strings.ToLower(strings.TrimSpace(value))
	for _, word := range []struct {
		text  string
		least int // characters that distinguish it from other words
		shown string
	}{{"true", 1, "on"}, {"false", 1, "off"}, {"yes", 1, "on"}, {"no", 1, "off"}, {"on", 2, "on"}, {"off", 2, "off"}, {"1", 1, "on"}, {"0", 1, "off"}} {
		if len(value) >= word.least && strings.HasPrefix(word.text, value) {
			return word.shown, true
		}
	}
	return "", false
}

// readAlwaysOnValue reads a switch that is always on.
func readAlwaysOnValue(value string) (string, bool) {
	shown, ok := readOnOffValue(value)
	return shown, ok && shown == "on"
}

// newBoundedIntegerReader reads an integer within bounds.
func newBoundedIntegerReader(least, most int) variableValueReader {
	return func(value string) (string, bool) {
		n, err := strconv.Atoi(strings.TrimSpace(value))
		return strconv.Itoa(n), err == nil && n >= least && n <= most
	}
}

// newBoundedNumberReader reads a number within bounds, and shows six digits of it.
func newBoundedNumberReader(least, most float64) variableValueReader {
	return func(value string) (string, bool) {
		f, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		return strconv.FormatFloat(f, 'g', 6, 64), err == nil && f >= least && f <= most
	}
}

// readSecondsOrEmptyValue reads a number of seconds, or no value.
func readSecondsOrEmptyValue(value string) (string, bool) {
	if value = strings.TrimSpace(value); value == "" {
		return "", true
	}
	n, err := strconv.ParseUint(value, 10, 63)
	return strconv.FormatUint(n, 10), err == nil
}

// newOneOfWordsValueReader reads one of some words.
func newOneOfWordsValueReader(words ...string) variableValueReader {
	return func(value string) (string, bool) {
		value = strings.ToLower(value)
		return value, slices.Contains(words, value)
	}
}

// readEncodingValue reads the name of the one encoding as PostgreSQL does: by its letters and digits alone.
func readEncodingValue(value string) (string, bool) {
	name := strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, value)
	return value, slices.Contains([]string{"utf8", "unicode", "sqlascii", ""}, name)
}

// readTimeZoneValue reads the name of a zone or an offset.
func readTimeZoneValue(value string) (string, bool) {
	zone, ok := timezone.ParseSessionZone(value)
	return zone.Shown, ok
}

// unknownTimeZoneError rejects the value of TimeZone. The hint sets the nearest name.
func unknownTimeZoneError(value string) *sessionError {
	near := engine.NearestTimeZones(value)
	return &sessionError{
		state: sqlstateInvalidParameterValue, code: "unknown_time_zone", candidates: near,
		message: `invalid value for parameter "TimeZone": "` + clipText(value) + `"`, hint: "SET TIME ZONE '" + near[0] + "'",
	}
}

// timeoutUnits are the units of durations, the longest first.
var timeoutUnits = []struct {
	name string
	unit time.Duration
}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}, {"s", time.Second}, {"ms", time.Millisecond}, {"us", time.Microsecond}}

// readTimeoutValue reads a duration and shows it as an integer of the longest unit.
func readTimeoutValue(value string) (string, bool) {
	d, ok := parseTimeoutValue(value)
	if !ok || d == 0 {
		return "0", ok
	}
	for _, u := range timeoutUnits {
		if d%u.unit == 0 {
			return strconv.FormatInt(int64(d/u.unit), 10) + u.name, true
		}
	}
	return "", false
}

// parseTimeoutValue reads the value of a timeout, milliseconds or a number with its unit, and rounds it to milliseconds.
func parseTimeoutValue(value string) (time.Duration, bool) {
	number := strings.TrimSpace(value)
	unit := time.Millisecond
	for _, name := range []string{"ms", "us", "min", "s", "h", "d"} { // ms before s
		if rest, ok := strings.CutSuffix(number, name); ok {
			number, unit = strings.TrimSpace(rest), timeoutUnitNamed(name)
			break
		}
	}
	if strings.Trim(number, "0123456789.") != "" { // of a number of Go: 1e3, 0x10, Inf
		return 0, false
	}
	n, err := strconv.ParseFloat(number, 64)
	milliseconds := math.Round(n * float64(unit) / float64(time.Millisecond))
	if err != nil || milliseconds > math.MaxInt32 {
		return 0, false
	}
	return time.Duration(milliseconds) * time.Millisecond, true
}

func timeoutUnitNamed(name string) time.Duration {
	for _, u := range timeoutUnits {
		if u.name == name {
			return u.unit
		}
	}
	return time.Millisecond
}
