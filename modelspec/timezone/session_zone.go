package timezone

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/suggest"
)

// SessionZone is a zone as PostgreSQL's setting TimeZone names it.
type SessionZone struct {
	*Zone        // nil for UTC
	Shown string // as SHOW TimeZone writes it
}

// UnnamedOffset returns the zone where it is an offset that has no name in the database, else nil.
func (z SessionZone) UnnamedOffset() *Zone {
	if z.Zone == nil || z.Name() != "" {
		return nil
	}
	return z.Zone
}

// maxOffsetHours bounds offsets as PostgreSQL does: an offset is less than a week.
const maxOffsetHours = 167

var (
	intervalZonePattern = regexp.MustCompile(`(?i)^interval\s*'\s*([+-]?)(\d{1,3})(?::(\d{1,2}))?(?::00)?\s*(?:hours?)?\s*'$`)
	numberZonePattern   = regexp.MustCompile(`^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$`)
	posixZonePattern    = regexp.MustCompile(`^(?:[A-Za-z]*|<[A-Za-z0-9:+-]*>)([+-]?)(\d{1,3})(?::(\d{1,2}))?(?::00?)?$`)
)

// ParseSessionZone reads a value of PostgreSQL's TimeZone: the name of a zone in any case, a number of hours east of
// UTC, INTERVAL '…' east of UTC, or an offset of POSIX, which counts hours west of UTC: UTC-2 and <+02>-02 are two hours
// east. An offset is a fixed zone.
func ParseSessionZone(text string) (zone SessionZone, ok bool) {
	if m := intervalZonePattern.FindStringSubmatch(text); m != nil {
		seconds, ok := offsetSeconds(m[1], m[2], m[3])
		return newFixedZone(seconds, offsetZoneName(seconds)), ok
	}
	if numberZonePattern.MatchString(text) {
		hours, err := strconv.ParseFloat(text, 64)
		if err != nil || math.Abs(hours) >= maxOffsetHours+1 {
			return SessionZone{}, false
		}
		seconds := int(hours * 60 * 60)
		return newFixedZone(seconds, offsetZoneName(seconds)), true
	}
	return ParseNamedZone(text)
}

// ParseNamedZone reads the zone of AT TIME ZONE: a name in any case, or an offset of POSIX.
func ParseNamedZone(text string) (zone SessionZone, ok bool) {
	if text == "" {
		return SessionZone{}, false
	}
	if zone, ok := loadNameIgnoringCase(text); ok {
		return zone, true
	}
	if m := posixZonePattern.FindStringSubmatch(text); m != nil {
		seconds, ok := offsetSeconds(m[1], m[2], m[3])
		return newFixedZone(-seconds, strings.ToUpper(text)), ok
	}
	return SessionZone{}, false
}

// loadNameIgnoringCase returns the zone of a name in any case.
func loadNameIgnoringCase(text string) (SessionZone, bool) {
	names := sortedZoneNames()
	i, exact := slices.BinarySearch(names, text)
	if !exact {
		i = slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, text) })
	}
	if i < 0 {
		return SessionZone{}, false
	}
	zone, ok := Load(names[i])
	return SessionZone{zone, names[i]}, ok
}

func offsetSeconds(sign, hours, minutes string) (seconds int, ok bool) {
	h, _ := strconv.Atoi(hours)
	m, _ := strconv.Atoi(minutes) // 0 where none are written
	seconds = h*60*60 + m*60
	if sign == "-" {
		seconds = -seconds
	}
	return seconds, h <= maxOffsetHours && m < 60
}

// newFixedZone returns the zone of an offset: that of the database for whole hours, so that all engines know its name.
func newFixedZone(seconds int, shown string) SessionZone {
	if seconds == 0 {
		return SessionZone{nil, shown}
	}
	if hours := seconds / (60 * 60); seconds%(60*60) == 0 {
		sign := "-" // of POSIX: Etc/GMT-2 is two hours east of UTC
		if hours < 0 {
			sign, hours = "+", -hours
		}
		if zone, ok := Load("Etc/GMT" + sign + strconv.Itoa(hours)); ok {
			return SessionZone{zone, shown}
		}
	}
	return SessionZone{&Zone{location: time.FixedZone("", seconds)}, shown}
}

// offsetZoneName writes an offset as PostgreSQL does: <+05:30>-05:30.
func offsetZoneName(seconds int) string {
	east, west, size := "+", "-", seconds
	if seconds < 0 {
		east, west, size = "-", "+", -seconds
	}
	text := OffsetText(size)[1:]
	return "<" + east + text + ">" + west + text
}

// OffsetText writes an offset behind a timestamp as PostgreSQL does: +02, -03:30.
func OffsetText(seconds int) string {
	sign := byte('+')
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	out := appendTwoDigits([]byte{sign}, seconds/3600)
	if seconds%3600 != 0 {
		out = appendTwoDigits(append(out, ':'), seconds/60%60)
	}
	if seconds%60 != 0 {
		out = appendTwoDigits(append(out, ':'), seconds%60)
	}
	return string(out)
}

// OffsetText writes the zone's offset at an instant as PostgreSQL does.
func (z *Zone) OffsetText(instant time.Time) string { return OffsetText(z.Offset(instant)) }

func appendTwoDigits(dst []byte, n int) []byte {
	if n < 10 {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, int64(n), 10)
}

// NearestNames lists the zones whose names are most similar to a text. A last part alone, such as berlin, names the
// zone of that city.
func NearestNames(text string, most int) []string {
	names := sortedZoneNames()
	var cities []string
	for _, n := range names {
		if IsCityOfZone(n, text) {
			cities = append(cities, n)
		}
	}
	near := suggest.Nearest(text, names, most)
	near = slices.DeleteFunc(near, func(n string) bool { return slices.Contains(cities, n) })
	out := slices.Concat(cities, near)
	if len(out) == 0 {
		out = []string{UTC}
	}
	return out[:min(len(out), most)]
}

// IsCityOfZone reports whether a text is the last part of the name of a zone.
func IsCityOfZone(zone, text string) bool {
	i := strings.LastIndexByte(zone, '/')
	return i >= 0 && strings.EqualFold(strings.ReplaceAll(text, " ", "_"), zone[i+1:])
}
