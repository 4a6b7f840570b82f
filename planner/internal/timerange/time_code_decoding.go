package timerange

import (
	"strconv"
	"strings"
	"time"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// DecodeTimeCode returns the start of the period that a code means; false for a text that is not the code of a time.
func DecodeTimeCode(code string, f *catalog.TimeFormat) (time.Time, bool) {
	if f.Epoch != "" {
		return decodeEpoch(code, f.Epoch)
	}
	if f.Numeric && code != "" {
		code = zeroPadText(code, layoutLength(f))
	}
	parts := map[string]int{"yyyy": 1, "MM": 1, "dd": 1}
	rest := code
	for _, p := range f.Layout {
		if p.Token == "" {
			after, ok := strings.CutPrefix(rest, p.Literal)
			if !ok {
				return time.Time{}, false
			}
			rest = after
			continue
		}
		n := len(p.Token)
		if len(rest) < n {
			return time.Time{}, false
		}
		value, err := strconv.ParseUint(rest[:n], 10, 16)
		if err != nil {
			return time.Time{}, false
		}
		parts[p.Token], rest = int(value), rest[n:]
	}
	month := time.Month(parts["MM"])
	if quarter, ok := parts["Q"]; ok {
		month = time.Month(3*quarter - 2)
	}
	t := time.Date(parts["yyyy"], month, parts["dd"], parts["HH"], parts["mm"], parts["ss"], 0, time.UTC)
	if week, ok := parts["ww"]; ok {
		// The fourth of January is in the first week of a year.
		first := time.Date(parts["yyyy"], 1, 4, 0, 0, 0, 0, time.UTC)
		t = first.AddDate(0, 0, 7*(week-1)-(int(first.Weekday())+6)%7)
	}
	// A part out of its range moves the time, so that its code is another one.
	again := encodeAsTimeCode(t, f)
	if f.Numeric {
		again = zeroPadText(again, layoutLength(f))
	}
	return t, rest == "" && again == code
}

func decodeEpoch(code, epoch string) (time.Time, bool) {
	n, err := strconv.ParseInt(code, 10, 64)
	const bound = 1 << 45 // milliseconds of a thousand years
	if err != nil || n < -bound || n > bound {
		return time.Time{}, false
	}
	switch epoch {
	case "millis":
		return time.UnixMilli(n).UTC(), true
	case "days":
		n *= 24 * 60 * 60
	}
	t := time.Unix(n, 0).UTC()
	return t, t.Year() > 0 && t.Year() < 10_000
}

// layoutLength returns the length of a code in full.
func layoutLength(f *catalog.TimeFormat) int {
	n := 0
	for _, p := range f.Layout {
		n += len(p.Token) + len(p.Literal)
	}
	return n
}

func zeroPadText(text string, width int) string {
	return strings.Repeat("0", max(0, width-len(text))) + text
}
